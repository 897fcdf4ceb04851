//! What other programs forgive in a PDF, and the interpreter that draws pages here does not, or a press's software might not:
//! made right before either reads it.

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::{Array, Dict, Name, Object as Read, Stream as ReadStream};
use lopdf::{Dictionary, Document, Object, ObjectId, StringFormat};

use super::mend::{dictionary_of, is_named};
use super::spots::place;

/// Whether a file may have something to forgive; most have nothing, and are not taken apart.
pub(super) fn may_need_it(pdf: &Pdf) -> bool {
    pdf.objects().into_iter().any(|object| {
        let Read::Stream(stream) = object else { return false };
        let dict = stream.dict();
        let is_open_group = dict.get::<Dict>("Group").is_some_and(|group| !group.contains_key("CS"));
        is_open_group
            || dict.get::<Array>("ColorSpace").is_some_and(|space| {
                let mut parts = space.flex_iter();
                parts.next::<Name>().is_some_and(|kind| kind.as_ref() == b"Indexed") && is_short(parts)
            })
    })
}

/// Whether the rest of an indexed space has fewer entries than it says, of one component each at least.
fn is_short(mut parts: hayro_syntax::object::array::FlexArrayIter) -> bool {
    if parts.next::<Read>().is_none() {
        return false;
    }
    let Some(last) = parts.next::<u16>() else { return false };
    let entries = match parts.next::<Read>() {
        Some(Read::String(table)) => table.as_bytes().len(),
        Some(Read::Stream(table)) => ReadStream::decoded(&table).map_or(0, |table| table.len()),
        _ => return false,
    };
    // of a wide table in inks
    entries < (usize::from(last) + 1) * 4
}

/// The file with all of it right; nothing where nothing had to be done.
pub(super) fn forgiven(file: &[u8]) -> Option<Vec<u8>> {
    let mut pdf = Document::load_mem(file).ok()?;
    if pdf.was_encrypted() || !forgive(&mut pdf) {
        return None;
    }
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).ok()?;
    Some(bytes)
}

/// The same in a file that is taken apart.
pub(super) fn forgive(pdf: &mut Document) -> bool {
    let mut masks = BTreeMap::new();
    for object in pdf.objects.values() {
        masks_in(object, &mut masks);
    }
    let mut changed = false;
    for (group, space) in masks {
        changed |= say_space(pdf, group, space).is_some();
    }
    let tables: Vec<(ObjectId, Object)> =
        pdf.objects.iter().filter_map(|(id, object)| Some((*id, with_whole_tables(pdf, object)?))).collect();
    changed |= !tables.is_empty();
    pdf.objects.extend(tables);
    changed
}

/// The forms that are masks, each with the space that its ground is of. (ISO 32000-1, table 144)
fn masks_in(object: &Object, masks: &mut BTreeMap<ObjectId, &'static str>) {
    if let Object::Array(parts) = object {
        parts.iter().for_each(|part| masks_in(part, masks));
    }
    let Some(dict) = dictionary_of(object) else { return };
    let is_mask = is_named(dict, b"S", b"Luminosity") || is_named(dict, b"S", b"Alpha");
    if is_mask && let Ok(Object::Reference(group)) = dict.get(b"G") {
        let ground = dict.get(b"BC").and_then(Object::as_array).map_or(1, Vec::len);
        let space = match ground {
            3 => "DeviceRGB",
            4 => "DeviceCMYK",
            _ => "DeviceGray",
        };
        masks.insert(*group, space);
    }
    dict.iter().for_each(|(_, value)| masks_in(value, masks));
}

/// Says the space of a mask's group that says none: without it the mask is not one.
fn say_space(pdf: &mut Document, form: ObjectId, space: &'static str) -> Option<()> {
    let named = pdf.get_object(form).ok()?.as_stream().ok()?.dict.get(b"Group").ok()?.clone();
    let (_, group) = pdf.dereference(&named).ok()?;
    let mut group: Dictionary = group.as_dict().ok()?.clone();
    if group.has(b"CS") {
        return None;
    }
    group.set("CS", space);
    pdf.get_object_mut(form).ok()?.as_stream_mut().ok()?.dict.set("Group", group);
    Some(())
}

/// An object whose tables of colours have as many entries as they say: what is missing is black, or no ink.
fn with_whole_tables(pdf: &Document, object: &Object) -> Option<Object> {
    match object {
        Object::Array(parts) => {
            let of = |at: usize| parts.get(at).and_then(|part| pdf.dereference(part).ok()).map(|(_, it)| it);
            let is_indexed = parts.first().and_then(|kind| kind.as_name().ok()) == Some(b"Indexed");
            if !is_indexed {
                let mut changed = None;
                for (index, part) in parts.iter().enumerate() {
                    if let Some(part) = with_whole_tables(pdf, part) {
                        changed.get_or_insert_with(|| parts.clone())[index] = part;
                    }
                }
                return changed.map(Object::Array);
            }
            let last = usize::try_from(of(2)?.as_i64().ok()?.min(255)).ok()?;
            let mut table = match of(3)? {
                Object::String(table, _) => table.clone(),
                Object::Stream(table) => table.get_plain_content().ok()?,
                _ => return None,
            };
            let whole = (last + 1) * components(pdf, of(1)?)?;
            if table.len() >= whole {
                return None;
            }
            table.resize(whole, 0);
            let mut parts = parts.clone();
            parts[3] = Object::String(table, StringFormat::Hexadecimal);
            Some(Object::Array(parts))
        }
        Object::Dictionary(dict) => within(pdf, dict).map(Object::Dictionary),
        Object::Stream(stream) => {
            let mut stream = stream.clone();
            stream.dict = within(pdf, &stream.dict)?;
            Some(Object::Stream(stream))
        }
        _ => None,
    }
}

fn within(pdf: &Document, dict: &Dictionary) -> Option<Dictionary> {
    let mut changed = None;
    for (key, value) in dict {
        if let Some(value) = with_whole_tables(pdf, value) {
            changed.get_or_insert_with(|| dict.clone()).set(key.clone(), value);
        }
    }
    changed
}

/// How many components a space has that may be in a table; nothing of those that are counted nowhere here.
fn components(pdf: &Document, space: &Object) -> Option<usize> {
    let (kind, described) = match space {
        Object::Name(name) => (name.as_slice(), None),
        Object::Array(parts) => (parts.first()?.as_name().ok()?, parts.get(1)),
        _ => return None,
    };
    Some(match kind {
        b"DeviceGray" | b"CalGray" | b"Separation" => 1,
        b"DeviceRGB" | b"CalRGB" | b"Lab" => 3,
        b"DeviceCMYK" => 4,
        b"ICCBased" => {
            let profile = pdf.dereference(described?).ok()?.1.as_stream().ok()?;
            usize::try_from(profile.dict.get(b"N").ok()?.as_i64().ok()?).ok().filter(|n| *n <= 4)?
        }
        _ => return None,
    })
}

/// A content that ends what it begins, and nothing else; nothing where it does already. Programs differ in what comes of an end
/// without a beginning: some show nothing from there on.
pub(super) fn balanced(content: &[u8]) -> Option<Vec<u8>> {
    let (mut open, mut copied, mut out) = (0_usize, 0, Vec::new());
    let mut instructions = UntypedIter::new(content);
    while let Some(it) = instructions.next() {
        let operator: &[u8] = it.operator;
        match operator {
            b"q" => open += 1,
            b"Q" if open > 0 => open -= 1,
            b"Q" => {
                let at = place(content, operator)?;
                out.extend(&content[copied..at]);
                copied = at + operator.len();
            }
            _ => {}
        }
    }
    if open == 0 && copied == 0 {
        return None;
    }
    out.extend(&content[copied..]);
    out.extend(b"\n");
    out.extend(b"Q ".repeat(open));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::balanced;

    #[test]
    fn ends_without_beginnings_are_left_out_and_missing_ones_are_made() {
        let said = |content: &str| balanced(content.as_bytes()).map(|it| String::from_utf8(it).unwrap());
        assert_eq!(said("q 1 0 0 1 5 5 cm q Q Q (Q) Tj"), None);
        assert_eq!(said("Q q 9 w Q Q 8 w").as_deref(), Some(" q 9 w Q  8 w\n"));
        assert_eq!(said("q q 9 w").as_deref(), Some("q q 9 w\nQ Q "));
        assert_eq!(
            said("Q q BI /W 1 /H 1 /BPC 8 /CS /G ID Q EI").as_deref(),
            Some(" q BI /W 1 /H 1 /BPC 8 /CS /G ID Q EI\nQ ")
        );
    }
}
