//! The pass over the typeset PDF: everything is written out as it is, except that stand-ins become photos, pages
//! get their bleed boxes, and the file says what it was made for.

use std::io::Write;

use lopdf::{Dictionary, Document, Object, Stream, dictionary};

use crate::error::PressError;
use crate::placeholder;
use crate::print::metadata::Imprint;
use crate::print::photos::Prints;
use crate::print::writer::PdfWriter;
use crate::print::{Originals, Plan, PrintReport};

pub(super) fn assemble(
    typeset: &[u8],
    imprint: &Imprint,
    plan: &Plan,
    originals: &dyn Originals,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    let mut pdf = Document::load_mem(typeset)?;
    let pages: Vec<_> = pdf.get_pages().into_values().collect();
    for page in &pages {
        boxes(pdf.get_object_mut(*page)?.as_dict_mut()?)?;
    }

    let mut writer = PdfWriter::begin(out, pdf.max_id)?;
    let catalog = pdf.catalog_mut()?;
    let replaced = catalog.remove(b"Metadata").and_then(|old| old.as_reference().ok());
    catalog.set("Metadata", writer.add(&imprint.xmp().into())?);
    let profile = writer.add(&output_profile()?.into())?;
    catalog.set("OutputIntents", Object::Array(vec![output_intent(profile).into()]));
    let info = writer.add(&imprint.info().into())?;
    let root = pdf.trailer.get(b"Root")?.clone();
    let old_info = pdf.trailer.get(b"Info").ok().and_then(|info| info.as_reference().ok());

    let mut prints = Prints::new(originals);
    let mut photos = 0;
    for ((number, _), object) in &pdf.objects {
        if [replaced, old_info].into_iter().flatten().any(|(dropped, _)| dropped == *number) {
            continue;
        }
        match object.as_stream() {
            Ok(stream) if is_file_structure(stream) => {}
            Ok(stream) => match stand_in(stream, plan) {
                Some((photo, planned)) => {
                    photos += 1;
                    prints.write(&mut writer, *number, photo, planned)?;
                }
                None => writer.object(*number, object)?,
            },
            Err(_) => writer.object(*number, object)?,
        }
    }
    let id = || Object::String(imprint.identity.to_be_bytes().to_vec(), lopdf::StringFormat::Hexadecimal);
    let trailer = dictionary! { "Root" => root, "Info" => info, "ID" => vec![id(), id()] };
    let bytes = writer.finish(trailer)?;
    if photos != plan.len() {
        return Err(PressError::Pdf(format!("{photos} of {} photos found their place", plan.len())));
    }
    Ok(PrintReport { pages: pages.len(), photos, recoded: prints.recoded, bytes })
}

/// Object streams and cross-reference streams say where the old file's parts were.
fn is_file_structure(stream: &Stream) -> bool {
    matches!(stream.dict.get_type(), Ok(b"ObjStm" | b"XRef"))
}

fn stand_in<'p>(stream: &Stream, plan: &'p Plan) -> Option<(&'p domain::ids::PhotoId, &'p super::Planned)> {
    let is_image = stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Image");
    let photo = if is_image { placeholder::recognise(&stream.content) } else { None };
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

/// The colours that numbers without a profile mean.
const CONDITION: &str = "sRGB IEC61966-2.1";

fn output_profile() -> Result<Stream, PressError> {
    let profile = moxcms::ColorProfile::new_srgb().encode();
    let mut icc = profile.map_err(|error| PressError::Pdf(error.to_string()))?;
    // Bytes 24 to 35 are the date of making (ICC.1, 7.2.10), which would differ from run to run.
    if let Some(date) = icc.get_mut(24..36) {
        date.copy_from_slice(&[0x07, 0xe8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    }
    Ok(Stream::new(dictionary! { "N" => 3, "Alternate" => "DeviceRGB" }, icc))
}

fn output_intent(profile: Object) -> Dictionary {
    dictionary! {
        "Type" => "OutputIntent",
        "S" => "GTS_PDFX",
        "OutputConditionIdentifier" => Object::string_literal(CONDITION),
        "OutputCondition" => Object::string_literal("sRGB; the print shop converts to its press"),
        "RegistryName" => Object::string_literal("http://www.color.org"),
        "Info" => Object::string_literal(CONDITION),
        "DestOutputProfile" => profile,
    }
}
