//! The pass over the typeset PDF: everything is written out as it is, except that stand-ins become photos, pages
//! get their bleed boxes, and the file says what it was made for.

use std::io::Write;

use domain::binding::Embellishment;
use domain::document::Trim;
use domain::print_settings::PrintStandard;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::drawn;
use crate::error::PressError;
use crate::placeholder;
use crate::print::ahead::ReadAhead;
use crate::print::check::breach_of_pages;
use crate::print::imposition::impose;
use crate::print::inks::Inks;
use crate::print::metadata::Imprint;
use crate::print::objects::{dictionary_mut, is_named};
use crate::print::photos::Prints;
use crate::print::profile::srgb_profile;
use crate::print::writer::PdfWriter;
use crate::print::{Layout, Originals, Plan, PrintReport, die, plate, run, standard};

/// What came out of typesetting.
pub(super) struct Typeset<'a> {
    pub pdf: &'a [u8],
    pub trim: Trim,
    /// Whether pages of PDFs stand in it.
    pub has_files: bool,
    /// What the last page is the plate of.
    pub plate: Option<Embellishment>,
    /// The pages that it lies on: the front of each cover.
    pub fronts: &'a [usize],
}

pub(super) fn assemble(
    &Typeset { pdf, trim, has_files, plate, fronts }: &Typeset,
    imprint: &Imprint,
    layout: &Layout,
    plan: &Plan,
    originals: &dyn Originals,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    let mut pdf = Document::load_mem(pdf)?;
    drawn::name_m(&mut pdf);
    let inks = Inks::new(imprint.condition)?;
    match imprint.standard {
        PrintStandard::X4 => inks.blacken(&mut pdf, has_files)?,
        PrintStandard::X1a => inks.separate(&mut pdf)?,
    }
    let inks = Some(inks).filter(|_| imprint.standard == PrintStandard::X1a);
    let mut pages: Vec<_> = pdf.get_pages().into_values().collect();
    for page in &pages {
        boxes(pdf.get_object_mut(*page)?.as_dict_mut()?)?;
    }
    if let Some(embellishment) = plate {
        plate::lay(&mut pdf, &mut pages, embellishment, fronts)?;
    }
    match layout {
        Layout::Pages => {}
        Layout::Run(order) => pages = run::repeat(&mut pdf, &pages, order)?,
        Layout::Cover(cover) if cover.die_line => {
            for page in &pages {
                die::draw(&mut pdf, *page, cover)?;
            }
        }
        Layout::Cover(_) => {}
        Layout::Sheets(sides) => pages = impose(&mut pdf, &pages, sides, trim, true)?,
        Layout::Spreads(sides) => pages = impose(&mut pdf, &pages, sides, trim, false)?,
    }

    let srgb = match &inks {
        Some(_) => None,
        None => Some(Object::Reference(pdf.add_object(srgb_profile()?))),
    };
    if let Some(srgb) = &srgb {
        // four inks are the press's already
        explain_colours(&mut pdf, &[("DefaultRGB", srgb)])?;
    }
    if has_files {
        let anew = pdf.objects.iter().filter(|(_, object)| {
            object
                .as_stream()
                .is_ok_and(|stream| is_file_structure(stream) || stand_in(stream, plan).is_some())
        });
        let anew = anew.map(|((number, _), _)| *number).collect();
        if let Some(breach) = breach_of_pages(&pdf, imprint.standard, anew) {
            return Err(PressError::Unfit(breach));
        }
    }

    let mut writer = PdfWriter::begin(out, standard::version(imprint.standard), pdf.max_id)?;
    let catalog = pdf.catalog_mut()?;
    let replaced = catalog.remove(b"Metadata").and_then(|old| old.as_reference().ok());
    catalog.set("Metadata", writer.add(&imprint.xmp().into())?);
    let profile = writer.add(&imprint.condition.profile().into())?;
    catalog.set("OutputIntents", Object::Array(vec![imprint.condition.output_intent(profile).into()]));
    let info = writer.add(&imprint.info().into())?;
    let root = pdf.trailer.get(b"Root")?.clone();
    let old_info = pdf.trailer.get(b"Info").ok().and_then(|info| info.as_reference().ok());

    let mut prints = Prints::new(imprint.condition, srgb, inks);
    let photos: Vec<_> =
        pdf.objects.values().filter_map(|object| stand_in(object.as_stream().ok()?, plan)).collect();
    let found = photos.len();
    std::thread::scope(|scope| {
        let mut ahead = ReadAhead::begin(scope, originals, &photos);
        for ((number, _), object) in &pdf.objects {
            if [replaced, old_info].into_iter().flatten().any(|(dropped, _)| dropped == *number) {
                continue;
            }
            match object.as_stream() {
                Ok(stream) if is_file_structure(stream) => {}
                Ok(stream) => match stand_in(stream, plan) {
                    Some((photo, planned)) => {
                        ahead.next(|bytes| prints.write(&mut writer, *number, photo, planned, bytes))?;
                    }
                    None if is_image(stream) => prints.picture(&mut writer, *number, stream)?,
                    None => writer.object(*number, object)?,
                },
                Err(_) => writer.object(*number, object)?,
            }
        }
        Ok::<_, PressError>(())
    })?;
    let id = || Object::String(imprint.identity.to_be_bytes().to_vec(), lopdf::StringFormat::Hexadecimal);
    let trailer = dictionary! { "Root" => root, "Info" => info, "ID" => vec![id(), id()] };
    let bytes = writer.finish(trailer, imprint.standard)?;
    if found != plan.len() {
        return Err(PressError::Pdf(format!("{found} of {} photos found their place", plan.len())));
    }
    Ok(PrintReport { pages: pages.len(), photos: found, recoded: prints.recoded, bytes })
}

/// Object streams and cross-reference streams say where the old file's parts were.
fn is_file_structure(stream: &Stream) -> bool {
    matches!(stream.dict.get_type(), Ok(b"ObjStm" | b"XRef"))
}

fn is_image(stream: &Stream) -> bool {
    is_named(&stream.dict, b"Subtype", b"Image")
}

fn stand_in<'p>(stream: &Stream, plan: &'p Plan) -> Option<(&'p domain::ids::PhotoId, &'p super::Planned)> {
    let photo = if is_image(stream) { placeholder::recognise(&stream.content) } else { None };
    photo.and_then(|photo| plan.get_key_value(&photo))
}

/// PDF/X wants the bleed said, too: it is all there is outside the trim. (ISO 15930-7, 6.5)
fn boxes(page: &mut Dictionary) -> Result<(), PressError> {
    let media = page.get(b"MediaBox").map_err(|_| PressError::Pdf("a page has no size".to_owned()))?.clone();
    if !page.has(b"TrimBox") {
        page.set("TrimBox", media.clone());
    }
    page.set("BleedBox", media);
    page.remove(b"CropBox");
    Ok(())
}

/// Says everywhere what colours without a profile mean: pages of somebody's PDF may have such. (ISO 32000-1, 8.6.5.6)
fn explain_colours(pdf: &mut Document, meanings: &[(&str, &Object)]) -> Result<(), PressError> {
    let mut shared = Vec::new();
    for dict in pdf.objects.values_mut().filter_map(dictionary_mut) {
        match dict.get_mut(b"Resources") {
            Ok(Object::Dictionary(resources)) => shared.extend(explain(resources, meanings)),
            Ok(Object::Reference(id)) => shared.push((*id, true)),
            _ => {}
        }
    }
    while let Some((id, is_resources)) = shared.pop() {
        let dict = pdf.get_object_mut(id)?.as_dict_mut()?;
        if is_resources {
            shared.extend(explain(dict, meanings));
        } else {
            name(dict, meanings);
        }
    }
    Ok(())
}

/// In one dictionary of resources; where its spaces are another object, that one's number.
fn explain(resources: &mut Dictionary, meanings: &[(&str, &Object)]) -> Option<(ObjectId, bool)> {
    match resources.get_mut(b"ColorSpace") {
        Ok(Object::Reference(id)) => return Some((*id, false)),
        Ok(Object::Dictionary(spaces)) => name(spaces, meanings),
        _ => {
            let mut spaces = Dictionary::new();
            name(&mut spaces, meanings);
            resources.set("ColorSpace", spaces);
        }
    }
    None
}

/// A file's own meaning stays.
fn name(spaces: &mut Dictionary, meanings: &[(&str, &Object)]) {
    for (space, profile) in meanings {
        if !spaces.has(space.as_bytes()) {
            spaces.set(*space, Object::Array(vec!["ICCBased".into(), (*profile).clone()]));
        }
    }
}
