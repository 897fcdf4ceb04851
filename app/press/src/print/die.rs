//! The die line 刀线: where a cover is cut, folded and creased, in a spot colour of its own that prints over everything and
//! stands in no ink of the picture.

use std::io::Write;

use domain::binding::CoverSheet;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::error::PressError;

/// The name of the spot colour, as shops know it.
const NAME: &str = "刀线";
/// What names it in a page's resources.
const SPACE: &str = "BinderyDie";
const STATE: &str = "BinderyOver";
/// The width of its lines, in pt.
const WIDTH_PT: f64 = 0.5;
/// Creases and folds are dashed.
const DASHES: &str = "[6 3] 0 d";

fn pt(mm: f64) -> f64 {
    mm * 72.0 / 25.4
}

/// Draws the lines of a cover over one of its pages.
pub(super) fn draw(pdf: &mut Document, page: ObjectId, cover: &CoverSheet) -> Result<(), PressError> {
    let mut lines = Vec::new();
    writeln!(lines, "q /{STATE} gs /{SPACE} CS 1 SCN {WIDTH_PT} w")?;
    let around = pt(cover.around_mm);
    let seen = cover.seen();
    let (width, height) = (pt(seen.width), pt(seen.height));
    // the knife: around the turn-in of a case, else where the bleed begins
    let (near, wide, high) = if cover.is_case() {
        let half = WIDTH_PT / 2.0;
        (half, width + 2.0 * around - WIDTH_PT, height + 2.0 * around - WIDTH_PT)
    } else {
        (around, width, height)
    };
    writeln!(lines, "[] 0 d {near:.3} {near:.3} {wide:.3} {high:.3} re S")?;
    writeln!(lines, "{DASHES}")?;
    if cover.is_case() {
        // around the boards the sheet is turned in
        writeln!(lines, "{around:.3} {around:.3} {width:.3} {height:.3} re S")?;
    }
    for fold in cover.folds() {
        let x = around + pt(fold);
        writeln!(lines, "{x:.3} 0 m {x:.3} {:.3} l S", height + 2.0 * around)?;
    }
    writeln!(lines, "Q")?;

    let tint = dictionary! {
        "FunctionType" => 2,
        "Domain" => vec![0.into(), 1.into()],
        "C0" => vec![0.into(); 4],
        "C1" => [0, 1, 0, 0].map(Object::Integer).to_vec(),
        "N" => 1,
    };
    let space = Object::Array(vec![
        "Separation".into(),
        Object::Name(NAME.as_bytes().to_vec()),
        "DeviceCMYK".into(),
        tint.into(),
    ]);
    let space = pdf.add_object(space);
    let state = pdf.add_object(dictionary! { "Type" => "ExtGState", "OP" => true, "op" => true, "OPM" => 1 });
    let before = pdf.add_object(Stream::new(Dictionary::new(), b"q\n".to_vec()));
    let mut after = b"\nQ\n".to_vec();
    after.extend(lines);
    let after = pdf.add_object(Stream::new(Dictionary::new(), after));
    let mut resources = resources(pdf, page)?;
    for (kind, name, object) in [("ColorSpace", SPACE, space), ("ExtGState", STATE, state)] {
        let mut named = match resources.get(kind.as_bytes()) {
            Ok(Object::Dictionary(named)) => named.clone(),
            Ok(Object::Reference(id)) => pdf.get_dictionary(*id)?.clone(),
            _ => Dictionary::new(),
        };
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

/// A page's own resources, copied: others may share them.
fn resources(pdf: &Document, page: ObjectId) -> Result<Dictionary, PressError> {
    Ok(match pdf.get_dictionary(page)?.get(b"Resources") {
        Ok(Object::Dictionary(resources)) => resources.clone(),
        Ok(Object::Reference(id)) => pdf.get_dictionary(*id)?.clone(),
        _ => Dictionary::new(),
    })
}
