//! What members' PDFs bring that a PDF/X file may not hold: mended where nothing of the page is lost by it, or the page is
//! printed as a picture of what the member sees.

use std::collections::{BTreeMap, BTreeSet};

use hayro::hayro_interpret::font::{Glyph, StandardFont};
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, GlyphDrawMode, Image, InterpreterCache, InterpreterSettings, Paint,
    PathDrawMode, SoftMask, interpret_page,
};
use hayro_syntax::Pdf;
use kurbo::{Affine, BezPath, Point};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use super::HEADER;
use super::forgive::{balanced, forgive};
use super::permissions::Allowed;
use super::spots::{convert, spots_in};
use crate::print::{OutputCondition, is_too_new, lower_version, mixes};

/// A file that may be printed.
pub(crate) struct Mended {
    pub bytes: Vec<u8>,
    /// Pages, from 1, that are printed as pictures: no font, hidden layers, colours that a press does not have.
    drawn: BTreeSet<u32>,
    /// Whether all of them are.
    all: bool,
}

impl Mended {
    /// Whether a page is printed as a picture of what the member sees.
    pub fn draws(&self, page: u32) -> bool {
        self.all || self.drawn.contains(&page)
    }
}

/// What stands in the way of printing pages of a file as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Obstacles {
    /// Pages, from 1, with fonts that the file does not hold and that nobody can put in.
    pub loose: BTreeSet<u32>,
    /// Pages with layers, where some of the file's are hidden.
    pub layered: BTreeSet<u32>,
    /// Pages with annotations that would be seen.
    pub annotated: BTreeSet<u32>,
    /// Pages that overprint inks with a profile, have profiles that PDF/X does not know, or JPEG 2000 with its opacity in it,
    /// which programs show through or not (`SMaskInData`; ISO 32000-1, 7.4.9).
    pub unfit: BTreeSet<u32>,
    /// Pages with spot colours that are not printed, each of which would be one more plate.
    pub spotted: BTreeSet<u32>,
    /// What these are called.
    pub spots: BTreeSet<String>,
}

/// Keys of a graphics state that a press's software decides (ISO 32000-1, 10.4 to 10.6).
const OF_THE_PRESS: [&[u8]; 9] = [b"TR", b"TR2", b"HT", b"HTP", b"HTO", b"BG", b"BG2", b"UCR", b"UCR2"];
/// Keys of pictures and forms that name other things to print in their place (ISO 32000-1, 8.9.5.4, 8.10.4, 14.11.7).
const IN_THE_PLACE: [&[u8]; 4] = [b"Alternates", b"OPI", b"Ref", b"PS"];

/// Looks through a file; `printed` are the spot colours that are.
pub(super) fn obstacles(pdf: &Document, printed: &[String]) -> Obstacles {
    let hides = hides_layers(pdf);
    // looked at once: every page has the same
    let unknown: Vec<&Object> = pdf.objects.values().filter(|object| is_unknown_profile(object)).collect();
    let mut obstacles = Obstacles::default();
    for (number, page) in pdf.get_pages() {
        let painted = painted_with(pdf, page);
        let is_loose = |(object, id): &(&Object, Option<ObjectId>)| {
            let Some(dict) = dictionary_of(object) else { return false };
            is_font(dict) && !is_held(pdf, dict) && !(id.is_some() && standard_font(dict).is_some())
        };
        if painted.iter().any(is_loose) {
            obstacles.loose.insert(number);
        }
        let is_layered = |dict: &Dictionary| dict.has(b"OC") || is_named(dict, b"Type", b"OCG");
        if hides && painted.iter().any(|(object, _)| dictionary_of(object).is_some_and(is_layered)) {
            obstacles.layered.insert(number);
        }
        let spots = painted.iter().flat_map(|(object, _)| spots_in(pdf, object));
        let spots: BTreeSet<String> = spots.filter(|spot| !printed.contains(spot)).collect();
        if !spots.is_empty() {
            obstacles.spotted.insert(number);
            obstacles.spots.extend(spots);
        }
        let has_unknown = painted.iter().any(|(it, _)| unknown.iter().any(|other| std::ptr::eq(*it, *other)));
        let brings_opacity = |(object, _): &(&Object, Option<ObjectId>)| {
            let stated = dictionary_of(object).and_then(|dict| dict.get(b"SMaskInData").ok());
            stated.and_then(|stated| stated.as_i64().ok()).is_some_and(|stated| stated > 0)
        };
        if has_unknown || painted.iter().any(brings_opacity) || mixes_inks(pdf, page, &painted) {
            obstacles.unfit.insert(number);
        }
        if pdf.get_dictionary(page).is_ok_and(|page| has_visible_annotations(pdf, page)) {
            obstacles.annotated.insert(number);
        }
    }
    obstacles
}

/// Makes of a file what may stand in another one: decrypted, from its header on. With a press it may be printed there: its
/// colours are the inks that the press has. Of one that can't be taken apart every page is shown as a picture.
pub(crate) fn mend(file: &[u8], press: Option<&OutputCondition>) -> Mended {
    let taken_apart = Document::load_mem(file).ok().filter(|pdf| Allowed::of(pdf).is_some());
    let Some(mut pdf) = taken_apart else {
        return Mended { bytes: file.to_vec(), drawn: BTreeSet::new(), all: true };
    };
    let mut is_mended = pdf.was_encrypted() || !file.starts_with(HEADER);
    is_mended |= forgive(&mut pdf) | balance(&mut pdf);
    is_mended |= press.is_some_and(|press| say_press_inks(&mut pdf, press.icc()));
    let Obstacles { loose, layered, unfit, spotted, .. } =
        obstacles(&pdf, press.map_or(&[], |press| &press.spots));
    let mut drawn: BTreeSet<u32> = loose.into_iter().chain(layered).chain(unfit).collect();
    if let Some(press) = press
        && !spotted.is_empty()
    {
        drawn.extend(convert(&mut pdf, &spotted, &press.spots));
        is_mended = true;
    }
    let mut fonts: BTreeMap<ObjectId, StandardFont> = BTreeMap::new();
    for (id, object) in &pdf.objects {
        if let Some(dict) = dictionary_of(object)
            && is_font(dict)
            && !is_held(&pdf, dict)
            && let Some(font) = standard_font(dict)
        {
            fonts.insert(*id, font);
        }
    }
    for (id, font) in fonts {
        is_mended |= embed(&mut pdf, id, font).is_some();
    }
    for object in pdf.objects.values_mut() {
        is_mended |= clean(object);
    }
    let mut bytes = Vec::new();
    if is_mended && pdf.save_to(&mut bytes).is_ok() {
        Mended { bytes, drawn, all: false }
    } else {
        Mended { bytes: file.to_vec(), drawn, all: false }
    }
}

/// Says inks that have the press's own profile without it: they are the press's. (ISO 15930-7, 6.2.4.2)
fn say_press_inks(pdf: &mut Document, icc: &[u8]) -> bool {
    let is_press = |object: &Object| {
        let profile = object.as_stream().ok().filter(|profile| profile.dict.has(b"N"));
        profile.is_some_and(|profile| profile.get_plain_content().is_ok_and(|content| content == icc))
    };
    let profiles: BTreeSet<ObjectId> =
        pdf.objects.iter().filter(|(_, object)| is_press(object)).map(|(id, _)| *id).collect();
    if profiles.is_empty() {
        return false;
    }
    pdf.objects.values_mut().for_each(|object| say_inks(object, &profiles));
    true
}

fn say_inks(object: &mut Object, profiles: &BTreeSet<ObjectId>) {
    match object {
        Object::Array(parts) => match parts.as_slice() {
            [Object::Name(kind), Object::Reference(profile)]
                if kind == b"ICCBased" && profiles.contains(profile) =>
            {
                *object = "DeviceCMYK".into();
            }
            _ => parts.iter_mut().for_each(|part| say_inks(part, profiles)),
        },
        Object::Dictionary(dict) => dict.iter_mut().for_each(|(_, value)| say_inks(value, profiles)),
        Object::Stream(stream) => stream.dict.iter_mut().for_each(|(_, value)| say_inks(value, profiles)),
        _ => {}
    }
}

/// Makes contents of pages, and of the forms on them, end what they begin.
fn balance(pdf: &mut Document) -> bool {
    let pages = pdf.get_pages().into_values();
    let pages: Vec<(ObjectId, Vec<u8>)> =
        pages.filter_map(|page| Some((page, balanced(&pdf.get_page_content(page))?))).collect();
    let forms = pdf.objects.iter().filter_map(|(id, object)| {
        let stream = object.as_stream().ok().filter(|stream| is_named(&stream.dict, b"Subtype", b"Form"))?;
        Some((*id, balanced(&stream.get_plain_content().ok()?)?))
    });
    let forms: Vec<(ObjectId, Vec<u8>)> = forms.collect();
    let is_changed = !(pages.is_empty() && forms.is_empty());
    for (page, content) in pages {
        set_content(pdf, page, content);
    }
    for (form, content) in forms {
        if let Ok(form) = pdf.get_object_mut(form).and_then(Object::as_stream_mut) {
            form.set_plain_content(content);
            // what is not smaller for it stays
            let _ = form.compress();
        }
    }
    is_changed
}

/// Gives a page a content of its own.
pub(super) fn set_content(pdf: &mut Document, page: ObjectId, content: Vec<u8>) {
    let mut stream = Stream::new(Dictionary::new(), content);
    let _ = stream.compress();
    let content = pdf.add_object(stream);
    if let Ok(page) = pdf.get_dictionary_mut(page) {
        page.set("Contents", content);
    }
}

/// Takes out of an object, and of what stands in it, what only means something to another press.
fn clean(object: &mut Object) -> bool {
    match object {
        Object::Dictionary(dict) => clean_dictionary(dict),
        Object::Array(parts) => parts.iter_mut().fold(false, |cleaned, part| clean(part) | cleaned),
        Object::Stream(stream) => {
            let mut cleaned = clean_dictionary(&mut stream.dict);
            let is_postscript =
                is_named(&stream.dict, b"Subtype", b"PS") || is_named(&stream.dict, b"Subtype2", b"PS");
            if is_postscript {
                // no screen shows it: it becomes a form of nothing
                stream.dict = dictionary! {
                    "Type" => "XObject",
                    "Subtype" => "Form",
                    "BBox" => vec![0.into(), 0.into(), 1.into(), 1.into()],
                };
                stream.set_content(Vec::new());
                cleaned = true;
            } else if stream.dict.has(b"N")
                && let Ok(mut icc) = stream.get_plain_content()
                && lower_version(&mut icc)
            {
                stream.dict.remove(b"Filter");
                stream.dict.remove(b"DecodeParms");
                stream.set_content(icc);
                cleaned |= stream.compress().is_ok();
            } else if has_lzw(&stream.dict)
                && let Ok(plain) = stream.get_plain_content()
            {
                stream.dict.remove(b"Filter");
                stream.dict.remove(b"DecodeParms");
                stream.set_content(plain);
                cleaned |= stream.compress().is_ok();
            }
            cleaned
        }
        _ => false,
    }
}

fn clean_dictionary(dict: &mut Dictionary) -> bool {
    let mut cleaned = false;
    // a picture's Alternates, a state's curves; nothing else has keys of these names
    let is_state =
        is_named(dict, b"Type", b"ExtGState") || dict.has(b"ca") || dict.has(b"CA") || dict.has(b"OP");
    let is_object = dict.has(b"Subtype");
    for key in OF_THE_PRESS {
        // a soft mask's curve is its own
        if (is_state || !is_object) && dict.has(key) && !dict.has(b"G") && !dict.has(b"FontDescriptor") {
            cleaned |= dict.remove(key).is_some();
        }
    }
    if is_named(dict, b"Subtype", b"Image") || is_named(dict, b"Subtype", b"Form") {
        for key in IN_THE_PLACE {
            cleaned |= dict.remove(key).is_some();
        }
        // every layer that is printed is simply part of the page
        cleaned |= dict.remove(b"OC").is_some();
    }
    if is_named(dict, b"Type", b"OCG") || is_named(dict, b"Type", b"OCMD") {
        *dict = Dictionary::new();
        return true;
    }
    dict.iter_mut().fold(cleaned, |cleaned, (_, value)| match value {
        Object::Dictionary(_) | Object::Array(_) => clean(value) | cleaned,
        _ => cleaned,
    })
}

fn has_lzw(dict: &Dictionary) -> bool {
    match dict.get(b"Filter") {
        Ok(Object::Name(name)) => name == b"LZWDecode",
        Ok(Object::Array(filters)) => {
            filters.iter().any(|name| name.as_name().is_ok_and(|name| name == b"LZWDecode"))
        }
        _ => false,
    }
}

/// Puts one of the fourteen fonts that every program of PDF has into a file that names it, with the widths of its characters.
fn embed(pdf: &mut Document, id: ObjectId, font: StandardFont) -> Option<()> {
    let dict = pdf.get_dictionary(id).ok()?.clone();
    let encoding = dict
        .get(b"Encoding")
        .ok()
        .and_then(|encoding| pdf.dereference(encoding).ok())
        .map(|(_, it)| it.clone());
    let (data, _) = font.get_font_data();
    // a Compact Font Format program (ISO 32000-1, table 126)
    let mut program = Stream::new(dictionary! { "Subtype" => "Type1C" }, (*data).as_ref().to_vec());
    program.compress().ok()?;
    let program = pdf.add_object(program);
    let is_symbolic = matches!(font, StandardFont::Symbol | StandardFont::ZapfDingBats);
    let descriptor = pdf.add_object(dictionary! {
        "Type" => "FontDescriptor",
        "FontName" => font.postscript_name(),
        "Flags" => if is_symbolic { 4 } else { 32 },
        "FontBBox" => vec![(-250).into(), (-300).into(), 1200.into(), 1000.into()],
        "ItalicAngle" => 0,
        "Ascent" => 760,
        "Descent" => -240,
        "CapHeight" => 720,
        "StemV" => 80,
        "FontFile3" => program,
    });
    let has_widths = dict.has(b"Widths") && dict.has(b"FirstChar");
    let widths = if has_widths { None } else { Some(widths(font, encoding.as_ref())?) };
    let dict = pdf.get_object_mut(id).ok()?.as_dict_mut().ok()?;
    dict.set("Subtype", "Type1");
    dict.set("FontDescriptor", descriptor);
    if let Some(widths) = widths {
        dict.set("FirstChar", 0);
        dict.set("LastChar", 255);
        dict.set("Widths", widths.into_iter().map(Object::Real).collect::<Vec<_>>());
    }
    Some(())
}

/// How wide each of a font's 256 characters is, in thousandths of its height: as the interpreter draws them, which shows them
/// to the member.
fn widths(font: StandardFont, encoding: Option<&Object>) -> Option<Vec<f32>> {
    let mut pdf = Document::with_version("1.6");
    let mut dict =
        dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => font.postscript_name() };
    if let Some(encoding) = encoding {
        dict.set("Encoding", encoding.clone());
    }
    let mut content = String::from("BT /F 1 Tf");
    for code in 0..256 {
        content.push_str(&format!(" 1 0 0 1 {} 0 Tm <{code:02x}> Tj", 10 * code));
    }
    content.push_str(" ET");
    let pages = pdf.new_object_id();
    let content = pdf.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
    let page = pdf.add_object(dictionary! {
        "Type" => "Page",
        "Parent" => pages,
        "MediaBox" => vec![0.into(), (-100).into(), 2600.into(), 100.into()],
        "Contents" => content,
        "Resources" => dictionary! { "Font" => dictionary! { "F" => dict } },
    });
    pdf.set_object(pages, dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 });
    let catalog = pdf.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    pdf.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).ok()?;
    let pdf = Pdf::new(bytes).ok()?;
    let page = pdf.pages().first()?;
    let cache = InterpreterCache::new();
    let whole = kurbo::Rect::new(0.0, 0.0, 2600.0, 200.0);
    let upright = page.initial_transform(true).to_kurbo();
    let mut context = Context::new(upright, whole, &cache, page.xref(), InterpreterSettings::default());
    let mut scale = Scale(vec![0.0; 256]);
    interpret_page(page, &mut context, &mut scale);
    Some(scale.0)
}

/// Takes down how wide glyphs are, each ten points after the one before it.
struct Scale(Vec<f32>);

impl<'a> Device<'a> for Scale {
    fn set_soft_mask(&mut self, _: Option<SoftMask<'a>>) {}
    fn set_blend_mode(&mut self, _: BlendMode) {}
    fn draw_path(&mut self, _: &BezPath, _: Affine, _: &Paint<'a>, _: &PathDrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: Affine) {}
    fn pop_clip_path(&mut self) {}
    fn pop_transparency_group(&mut self) {}

    fn draw_glyph(
        &mut self,
        glyph: &Glyph<'a>,
        transform: Affine,
        glyph_transform: Affine,
        _: &Paint<'a>,
        _: &GlyphDrawMode,
    ) {
        let Glyph::Outline(glyph) = glyph else { return };
        let at = (transform * glyph_transform * Point::ZERO).x;
        if let Some(width) = self.0.get_mut((at / 10.0).round() as usize) {
            *width = glyph.advance_width().unwrap_or(0.0);
        }
    }
}

/// The font of the fourteen that a dictionary names. (ISO 32000-1, 9.6.2.2)
fn standard_font(dict: &Dictionary) -> Option<StandardFont> {
    use StandardFont::{
        Courier, CourierBold, CourierBoldOblique, CourierOblique, Helvetica, HelveticaBold,
        HelveticaBoldOblique, HelveticaOblique, Symbol, TimesBold, TimesBoldItalic, TimesItalic, TimesRoman,
        ZapfDingBats,
    };
    let all = [
        Helvetica,
        HelveticaBold,
        HelveticaOblique,
        HelveticaBoldOblique,
        Courier,
        CourierBold,
        CourierOblique,
        CourierBoldOblique,
        TimesRoman,
        TimesBold,
        TimesItalic,
        TimesBoldItalic,
        Symbol,
        ZapfDingBats,
    ];
    let name = dict.get(b"BaseFont").and_then(Object::as_name).ok()?;
    let is_simple = is_named(dict, b"Subtype", b"Type1") || is_named(dict, b"Subtype", b"TrueType");
    all.into_iter().find(|font| is_simple && font.postscript_name().as_bytes() == name)
}

fn is_font(dict: &Dictionary) -> bool {
    is_named(dict, b"Type", b"Font")
        && !is_named(dict, b"Subtype", b"Type3")
        && !is_named(dict, b"Subtype", b"CIDFontType0")
        && !is_named(dict, b"Subtype", b"CIDFontType2")
}

/// Whether the file holds the shapes of a font.
pub(crate) fn is_held(pdf: &Document, font: &Dictionary) -> bool {
    let of = |object: &Object| pdf.dereference(object).ok().map(|(_, object)| object.clone());
    let parts = font.get(b"DescendantFonts").ok().and_then(of);
    let descendant = match parts {
        Some(Object::Array(parts)) => parts.first().and_then(of),
        _ => None,
    };
    let described = match &descendant {
        Some(Object::Dictionary(dict)) => dict,
        _ => font,
    };
    match described.get(b"FontDescriptor").ok().and_then(of) {
        Some(Object::Dictionary(descriptor)) => {
            ["FontFile", "FontFile2", "FontFile3"].iter().any(|key| descriptor.has(key.as_bytes()))
        }
        _ => false,
    }
}

/// Whether some layers are switched off when the file is opened. (ISO 32000-1, 8.11.4.3)
fn hides_layers(pdf: &Document) -> bool {
    let dict = |object: &Object| match pdf.dereference(object) {
        Ok((_, Object::Dictionary(dict))) => Some(dict.clone()),
        _ => None,
    };
    let Some(properties) =
        pdf.catalog().ok().and_then(|catalog| catalog.get(b"OCProperties").ok()).and_then(dict)
    else {
        return false;
    };
    let Some(usual) = properties.get(b"D").ok().and_then(dict) else { return false };
    let is_off = is_named(&usual, b"BaseState", b"OFF");
    let off =
        usual.get(b"OFF").and_then(|off| pdf.dereference(off)).and_then(|(_, off)| off.as_array().cloned());
    is_off || off.is_ok_and(|off| !off.is_empty())
}

fn has_visible_annotations(pdf: &Document, page: &Dictionary) -> bool {
    let annotations =
        page.get(b"Annots").and_then(|it| pdf.dereference(it)).and_then(|(_, it)| it.as_array().cloned());
    annotations.is_ok_and(|annotations| {
        annotations.iter().any(|annotation| match pdf.dereference(annotation) {
            Ok((_, Object::Dictionary(dict))) => {
                !is_named(dict, b"Subtype", b"Link") && !is_named(dict, b"Subtype", b"Popup")
            }
            _ => false,
        })
    })
}

/// Whether an object is a profile that PDF/X does not know, and that can't be said to be an older one.
fn is_unknown_profile(object: &Object) -> bool {
    let stream = object.as_stream().ok().filter(|stream| stream.dict.has(b"N"));
    let icc = stream.and_then(|stream| stream.get_plain_content().ok());
    icc.is_some_and(|mut icc| !lower_version(&mut icc) && is_too_new(&icc))
}

/// Whether a page, or a form on it, overprints inks with a profile.
pub(super) fn mixes_inks(pdf: &Document, page: ObjectId, painted: &[(&Object, Option<ObjectId>)]) -> bool {
    let resources = |dict: &Dictionary| {
        let found = dict.get(b"Resources").and_then(|it| pdf.dereference(it)).ok();
        found.and_then(|(_, it)| it.as_dict().ok().cloned())
    };
    let of_page = resources_of(pdf, page).cloned().unwrap_or_default();
    mixes(pdf, &pdf.get_page_content(page), &of_page)
        || painted.iter().filter_map(|(object, _)| object.as_stream().ok()).any(|form| {
            resources(&form.dict)
                .is_some_and(|of_form| mixes(pdf, &form.get_plain_content().unwrap_or_default(), &of_form))
        })
}

/// How many parents a page has, at most: trees of pages are flat.
const MOST_PARENTS: usize = 64;

/// A page's resources as it names them: its own, or those of the parents that it has them from.
fn named_resources(pdf: &Document, page: ObjectId) -> Option<&Object> {
    let mut at = pdf.get_dictionary(page).ok()?;
    for _ in 0..MOST_PARENTS {
        if let Ok(resources) = at.get(b"Resources") {
            return Some(resources);
        }
        at = pdf.get_dictionary(at.get(b"Parent").and_then(Object::as_reference).ok()?).ok()?;
    }
    None
}

/// The same, looked up.
pub(super) fn resources_of(pdf: &Document, page: ObjectId) -> Option<&Dictionary> {
    pdf.dereference(named_resources(pdf, page)?).ok()?.1.as_dict().ok()
}

/// The dictionaries and streams of what a page is painted with, from its resources on, and which of them are objects of their
/// own.
pub(super) fn painted_with(pdf: &Document, page: ObjectId) -> Vec<(&Object, Option<ObjectId>)> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut waiting: Vec<(&Object, Option<ObjectId>)> =
        named_resources(pdf, page).into_iter().map(|resources| (resources, None)).collect();
    while let Some((object, id)) = waiting.pop() {
        match object {
            Object::Reference(id) => {
                if seen.insert(*id)
                    && let Ok(object) = pdf.get_object(*id)
                {
                    waiting.push((object, Some(*id)));
                }
            }
            Object::Array(parts) => waiting.extend(parts.iter().map(|part| (part, None))),
            Object::Dictionary(_) | Object::Stream(_) => {
                let Some(dict) = dictionary_of(object) else { continue };
                found.push((object, id));
                let inner = dict.iter().filter(|(key, _)| *key != b"Parent");
                waiting.extend(inner.map(|(_, value)| (value, None)));
            }
            _ => {}
        }
    }
    found
}

pub(super) fn dictionary_of(object: &Object) -> Option<&Dictionary> {
    match object {
        Object::Dictionary(dict) => Some(dict),
        Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    }
}

pub(super) fn is_named(dict: &Dictionary, key: &[u8], name: &[u8]) -> bool {
    dict.get(key).and_then(Object::as_name).is_ok_and(|found| found == name)
}
