//! Spot colours over a page: what a machine does there that is no ink. Each is a plate of its own, prints over everything, and
//! stands in no ink of the picture. (ISO 32000-1, 8.6.6.4 and 8.6.7)

use std::io::Write;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::error::PressError;
use crate::print::objects::inner;

/// A spot colour.
pub(super) struct Spot {
    /// As shops know it.
    pub name: &'static str,
    /// What shows it where there is no such plate, in per cent of the four inks.
    pub inks: [i64; 4],
}

/// What a page's resources call the state in which something prints over everything.
const STATE: &str = "BinderyOver";

/// Paints content over one of a file's pages, in a spot colour alone: it names no colour itself. A form that it shows is its
/// only resource.
pub(super) fn paint_over(
    pdf: &mut Document,
    page: ObjectId,
    spot: &Spot,
    form: Option<(&str, ObjectId)>,
    content: Vec<u8>,
) -> Result<(), PressError> {
    let inks = spot.inks.map(|ink| Object::Real(ink as f32 / 100.0)).to_vec();
    let tint = dictionary! {
        "FunctionType" => 2,
        "Domain" => vec![0.into(), 1.into()],
        "C0" => vec![0.into(); 4],
        "C1" => inks,
        "N" => 1,
    };
    let space = Object::Array(vec![
        "Separation".into(),
        Object::Name(spot.name.as_bytes().to_vec()),
        "DeviceCMYK".into(),
        tint.into(),
    ]);
    let space = pdf.add_object(space);
    let state = pdf.add_object(dictionary! { "Type" => "ExtGState", "OP" => true, "op" => true, "OPM" => 1 });
    let before = pdf.add_object(Stream::new(Dictionary::new(), b"q\n".to_vec()));

    let mut resources = inner(pdf, pdf.get_dictionary(page)?, b"Resources")?;
    // a page may have several
    let spaces = inner(pdf, &resources, b"ColorSpace")?;
    let colour = format!("BinderySpot{}", spaces.len());
    let mut after = Vec::new();
    writeln!(after, "\nQ\nq /{STATE} gs /{colour} cs 1 scn /{colour} CS 1 SCN")?;
    after.extend(content);
    after.extend(b"\nQ");
    let after = pdf.add_object(Stream::new(Dictionary::new(), after));
    let painted = form.map(|(name, form)| ("XObject", name, form));
    for (kind, name, object) in
        [("ColorSpace", colour.as_str(), space), ("ExtGState", STATE, state)].into_iter().chain(painted)
    {
        let mut named = inner(pdf, &resources, kind.as_bytes())?;
        named.set(name, object);
        resources.set(kind, named);
    }
    let page = pdf.get_object_mut(page)?.as_dict_mut()?;
    let mut contents: Vec<Object> = vec![before.into()];
    match page.get(b"Contents") {
        Ok(Object::Array(parts)) => contents.extend(parts.iter().cloned()),
        Ok(part) => contents.push(part.clone()),
        Err(_) => {}
    }
    contents.push(after.into());
    page.set("Contents", contents);
    page.set("Resources", resources);
    Ok(())
}
