//! Spot colours of members' PDFs. Each would be one more plate, which hardly any goods are printed with: they are said by their
//! alternates, as the member sees them, and words and lines stay what they are. (ISO 32000-1, 8.6.6.4 and 8.6.6.5)

mod content;
mod pictures;
mod tint;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::mend::{dictionary_of, is_named, mixes_inks, painted_with, resources_of, set_content};
pub(super) use content::place;
use content::{Space, said};
use tint::Tinted;

/// Colorants that are the press's own, or none. (ISO 32000-1, 8.6.6.4 and 8.6.6.5)
const OWN_INKS: [&[u8]; 5] = [b"Cyan", b"Magenta", b"Yellow", b"Black", b"None"];
/// How many spaces lie in each other, at most: a pattern's colour, a table of it, an ink.
const MOST_INNER: u8 = 3;

/// A colour that can't be said by its alternate.
#[derive(Debug, PartialEq, Eq)]
struct Unsaid;

/// The spot colours of the spaces that an object names itself: those of resources, a picture, a shading or a group.
pub(super) fn spots_in(pdf: &Document, object: &Object) -> Vec<String> {
    let Some(dict) = dictionary_of(object) else { return Vec::new() };
    // resources name spaces by any name, pictures and the others under two
    dict.iter().flat_map(|(_, value)| spots_of(pdf, value, MOST_INNER)).collect()
}

/// The spot colours of a space; `depth` more spaces may lie in it.
fn spots_of(pdf: &Document, space: &Object, depth: u8) -> Vec<String> {
    match described(pdf, space) {
        Some((b"Separation" | b"DeviceN", parts)) => colorants(pdf, parts),
        // a table of its colours, or what a pattern without colours is painted with
        Some((b"Indexed" | b"Pattern", [_, inner, ..])) if depth > 0 => spots_of(pdf, inner, depth - 1),
        _ => Vec::new(),
    }
}

/// The kind of a space, and its parts, which begin with that.
fn described<'p>(pdf: &'p Document, space: &'p Object) -> Option<(&'p [u8], &'p [Object])> {
    // nothing is copied: a page's resources lead to all that it shows
    let (_, space) = pdf.dereference(space).ok()?;
    let parts = space.as_array().ok()?;
    let (_, kind) = pdf.dereference(parts.first()?).ok()?;
    Some((kind.as_name().ok()?, parts))
}

/// The names of a space's inks that are not the press's own.
fn colorants(pdf: &Document, parts: &[Object]) -> Vec<String> {
    let of = |object| pdf.dereference(object).ok().map(|(_, object)| object);
    let names = match parts.get(1).and_then(of) {
        Some(Object::Array(names)) => names.iter().filter_map(of).collect(),
        Some(name) => vec![name],
        None => Vec::new(),
    };
    let names = names.into_iter().filter_map(|name| name.as_name().ok());
    names
        .filter(|name| !OWN_INKS.contains(name))
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

/// Says the spot colours of a file by their alternates, apart from those that are printed. Answers which of the pages that
/// have some still have them, or can't be printed as they are now.
pub(super) fn convert(pdf: &mut Document, spotted: &BTreeSet<u32>, printed: &[String]) -> BTreeSet<u32> {
    let walk = Walk { pdf, printed, glyphs: glyphs(pdf), added: RefCell::default() };
    let (mut changed, mut unsaid) = (BTreeMap::new(), BTreeSet::new());
    for (id, object) in &pdf.objects {
        match walk.object(object, Some(*id)) {
            Ok(Some(object)) => drop(changed.insert(*id, object)),
            Ok(None) => {}
            Err(Unsaid) => drop(unsaid.insert(*id)),
        }
    }
    let pages: Vec<(u32, ObjectId)> =
        pdf.get_pages().into_iter().filter(|(number, _)| spotted.contains(number)).collect();
    let mut left = BTreeSet::new();
    let mut contents = Vec::new();
    for (number, page) in &pages {
        let is_unsaid =
            painted_with(pdf, *page).iter().any(|(_, id)| id.is_some_and(|id| unsaid.contains(&id)));
        let resources = resources_of(pdf, *page);
        let content = pdf.get_page_content(*page);
        match said(&content, Some(Space::Kept), |name| walk.named(resources, name)) {
            Ok(_) if is_unsaid => drop(left.insert(*number)),
            Ok(Some(content)) => contents.push((*page, content)),
            Ok(None) => {}
            Err(Unsaid) => drop(left.insert(*number)),
        }
    }
    changed.append(&mut walk.added.take());
    for (id, object) in changed {
        pdf.max_id = pdf.max_id.max(id.0);
        pdf.set_object(id, object);
    }
    for (page, content) in contents {
        set_content(pdf, page, content);
    }
    left.extend(pages.iter().filter_map(|(number, page)| {
        // alternates may be inks with a profile
        mixes_inks(pdf, *page, &painted_with(pdf, *page)).then_some(*number)
    }));
    left
}

/// The contents of glyphs that are drawn, with the resources of their fonts. (ISO 32000-1, 9.6.5)
fn glyphs(pdf: &Document) -> BTreeMap<ObjectId, Option<&Dictionary>> {
    let dict = |object| pdf.dereference(object).ok().and_then(|(_, it)| it.as_dict().ok());
    let fonts = pdf.objects.values().filter_map(dictionary_of);
    let fonts = fonts.filter(|font| is_named(font, b"Subtype", b"Type3"));
    let mut glyphs = BTreeMap::new();
    for font in fonts {
        let resources = font.get(b"Resources").ok().and_then(dict);
        let Some(drawn) = font.get(b"CharProcs").ok().and_then(dict) else { continue };
        glyphs.extend(drawn.iter().filter_map(|(_, it)| Some((it.as_reference().ok()?, resources))));
    }
    glyphs
}

/// Goes through a file, object by object.
struct Walk<'p> {
    pdf: &'p Document,
    printed: &'p [String],
    glyphs: BTreeMap<ObjectId, Option<&'p Dictionary>>,
    /// Objects that the changed ones lead to.
    added: RefCell<BTreeMap<ObjectId, Object>>,
}

impl Walk<'_> {
    /// An object without spot colours; nothing where it has none.
    fn object(&self, object: &Object, id: Option<ObjectId>) -> Result<Option<Object>, Unsaid> {
        let stream = match object {
            Object::Array(parts) => return self.array(object, parts),
            Object::Dictionary(dict) => return Ok(self.dictionary(dict)?.map(Object::Dictionary)),
            Object::Stream(stream) => stream,
            _ => return Ok(None),
        };
        let spots = stream.dict.get(b"ColorSpace").ok().map(|space| self.spots(space)).transpose()?.flatten();
        let mut changed = match spots {
            Some(spots) if is_named(&stream.dict, b"Subtype", b"Image") => {
                Some(pictures::picture(self.pdf, stream, &spots)?)
            }
            _ => self.content(stream, id)?,
        };
        if let Some(dict) = self.dictionary(changed.as_ref().map_or(&stream.dict, |it| &it.dict))? {
            changed.get_or_insert_with(|| stream.clone()).dict = dict;
        }
        Ok(changed.map(Object::Stream))
    }

    fn array(&self, object: &Object, parts: &[Object]) -> Result<Option<Object>, Unsaid> {
        if let Some(spots) = self.spots(object)? {
            return Ok(Some(spots.alternate));
        }
        match described(self.pdf, object) {
            // its inks are printed
            Some((b"Separation" | b"DeviceN", _)) => return Ok(None),
            Some((b"Indexed", [_, base, last, table])) => {
                if let Some(spots) = self.spots(base)? {
                    return self.table(&spots, last, table).map(Some);
                }
            }
            _ => {}
        }
        let mut changed: Option<Vec<Object>> = None;
        for (index, part) in parts.iter().enumerate() {
            if let Some(part) = self.object(part, None)? {
                changed.get_or_insert_with(|| parts.to_vec())[index] = part;
            }
        }
        Ok(changed.map(Object::Array))
    }

    fn dictionary(&self, dict: &Dictionary) -> Result<Option<Dictionary>, Unsaid> {
        let mut changed: Option<Dictionary> = None;
        if dict.has(b"ShadingType")
            && let Ok(space) = dict.get(b"ColorSpace")
            && let Some(spots) = self.spots(space)?
        {
            let (mut gradient, function) = pictures::gradient(self.pdf, dict, &spots)?;
            let mut added = self.added.borrow_mut();
            let id = (self.pdf.max_id + 1 + added.len() as u32, 0);
            added.insert(id, function.into());
            gradient.set("Function", id);
            changed = Some(gradient);
        }
        for (key, value) in dict {
            // a gradient's are said already
            if changed.as_ref().is_some_and(|it| it.get(key).ok() != Some(value)) {
                continue;
            }
            if let Some(value) = self.object(value, None)? {
                changed.get_or_insert_with(|| dict.clone()).set(key.clone(), value);
            }
        }
        Ok(changed)
    }

    /// A form, a pattern or a glyph.
    fn content(&self, stream: &lopdf::Stream, id: Option<ObjectId>) -> Result<Option<lopdf::Stream>, Unsaid> {
        let is_form = is_named(&stream.dict, b"Subtype", b"Form");
        let is_pattern = matches!(stream.dict.get(b"PatternType"), Ok(Object::Integer(1)));
        let of_font = id.and_then(|id| self.glyphs.get(&id));
        let resources = match of_font {
            Some(resources) => *resources,
            None if is_form || is_pattern => {
                let resources = stream.dict.get(b"Resources").and_then(|it| self.pdf.dereference(it));
                resources.ok().and_then(|(_, it)| it.as_dict().ok())
            }
            None => return Ok(None),
        };
        let plain = stream.get_plain_content().map_err(|_| Unsaid)?;
        // a pattern begins as the page does that it is of
        let begins = is_pattern.then_some(Space::Kept);
        let said = said(&plain, begins, |name| self.named(resources, name))?;
        Ok(said.map(|content| {
            let mut stream = stream.clone();
            stream.set_plain_content(content);
            let _ = stream.compress();
            stream
        }))
    }

    /// What the name of a space stands for where these resources are.
    fn named(&self, resources: Option<&Dictionary>, name: &[u8]) -> Result<Space, Unsaid> {
        if matches!(
            name,
            b"DeviceGray" | b"DeviceRGB" | b"DeviceCMYK" | b"Pattern" | b"G" | b"RGB" | b"CMYK" | b"CalRGB"
        ) {
            return Ok(Space::Kept);
        }
        let spaces = resources.and_then(|it| it.get(b"ColorSpace").ok());
        let spaces =
            spaces.and_then(|it| self.pdf.dereference(it).ok()).and_then(|(_, it)| it.as_dict().ok());
        // it may be that of whoever shows this
        let space = spaces.and_then(|it| it.get(name).ok()).ok_or(Unsaid)?;
        if let Some(spots) = self.spots(space)? {
            return Ok(Space::Spots(Rc::new(spots)));
        }
        Ok(match described(self.pdf, space) {
            Some((b"Pattern", [_, base, ..])) => match self.spots(base)? {
                Some(spots) => Space::Patterns(Rc::new(spots)),
                None => Space::Kept,
            },
            _ => Space::Kept,
        })
    }

    /// A space of spot colours that are not all printed.
    fn spots(&self, space: &Object) -> Result<Option<Tinted>, Unsaid> {
        let Some((kind @ (b"Separation" | b"DeviceN"), parts)) = described(self.pdf, space) else {
            return Ok(None);
        };
        if colorants(self.pdf, parts).iter().all(|name| self.printed.contains(name)) {
            return Ok(None);
        }
        let [_, names, alternate, transform, ..] = parts else { return Err(Unsaid) };
        let tints = match self.pdf.dereference(names) {
            Ok((_, Object::Array(names))) if kind == b"DeviceN" => names.len(),
            _ => 1,
        };
        Tinted::of(self.pdf, tints, alternate, transform).map(Some)
    }

    /// A table of spot colours.
    fn table(&self, spots: &Tinted, last: &Object, table: &Object) -> Result<Object, Unsaid> {
        let of = |object| self.pdf.dereference(object).map(|(_, it)| it).map_err(|_| Unsaid);
        let last = of(last)?.as_i64().map_err(|_| Unsaid)?;
        let table = match of(table)? {
            Object::String(table, _) => table.clone(),
            Object::Stream(table) => table.get_plain_content().map_err(|_| Unsaid)?,
            _ => return Err(Unsaid),
        };
        let tints = table
            .chunks_exact(spots.tints)
            .map(|tints| spots.bytes(&tints.iter().map(|tint| f32::from(*tint) / 255.0).collect::<Vec<_>>()));
        let said: Vec<Vec<u8>> = tints.take(256).collect::<Result<_, _>>()?;
        if i64::try_from(said.len()).is_ok_and(|entries| entries > last) {
            Ok(pictures::indexed(spots, last, said.concat()))
        } else {
            Err(Unsaid)
        }
    }
}
