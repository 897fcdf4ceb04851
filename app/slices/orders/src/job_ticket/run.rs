//! What a ticket says of copies that differ 每本不同: in which order they lie in the files, so that whoever binds and packs them can
//! count along.

use domain::binding::{CoverSheet, CoverSides};
use press::Part;
use serde_json::{Value, json};

use crate::store::OrderLine;

/// Pages that each copy has in a file of a line.
fn pages_each(line: &OrderLine, part: &Part) -> usize {
    let count = line.document.pages.len();
    let of_cover = |cover: &CoverSheet| match cover.sides {
        CoverSides::Outside => 1,
        CoverSides::OutsideAndPages | CoverSides::OutsideAndBlank | CoverSides::Leaves(_) => 2,
    };
    match part {
        Part::Inner => count,
        Part::Middle => count.saturating_sub(2),
        Part::Mounted => count / 2 + 1,
        Part::Cover(cover) => of_cover(cover),
        Part::Booklet(booklet, cover) => {
            of_cover(cover) + booklet.spreads(count).map_or(0, |sides| sides.len())
        }
    }
}

/// The run of a line as programs read it; nothing where all copies are alike.
pub fn of(line: &OrderLine, parts: &[(&'static str, String, Part)], copies: u32) -> Option<Value> {
    let variants = line.document.copies();
    if variants.is_empty() {
        return None;
    }
    let files: Vec<Value> = parts
        .iter()
        .map(|(_, name, part)| json!({ "file": name, "pages_each": pages_each(line, part) }))
        .collect();
    let sequence = variants.iter().enumerate().map(|(index, copy)| {
        let pages: serde_json::Map<String, Value> = parts
            .iter()
            .map(|(kind, _, part)| {
                let each = pages_each(line, part);
                ((*kind).to_owned(), json!([index * each + 1, (index + 1) * each]))
            })
            .collect();
        json!({ "number": index + 1, "name": copy.name, "group": copy.group, "pages": pages })
    });
    Some(json!({
        "copies": variants.len(),
        "times": (copies as usize).div_ceil(variants.len()),
        "files": files,
        "sequence": sequence.collect::<Vec<_>>(),
    }))
}

/// What is said of it to who prints; `is_reprint` where single copies are printed once more.
pub fn sentences(line: &OrderLine, parts: &[(&'static str, String, Part)], is_reprint: bool) -> Vec<String> {
    let copies = line.document.copies().len();
    if copies == 0 {
        return Vec::new();
    }
    let mut said: Vec<String> = parts
        .iter()
        .map(|(_, name, part)| {
            let each = pages_each(line, part);
            format!(
                "每本不同：{name} 里依次是 {copies} 本，每本 {each} 页，第 1 本是第 1–{each} 页；下面是次序"
            )
        })
        .collect();
    said.push("内页和封面按同一次序配，装订前逐本核对名字".to_owned());
    if is_reprint {
        said.push("这次只印重印说明里点名的几本：按次序里的号取它们的页".to_owned());
    }
    said
}

/// The copies of a run on the page that a human reads.
pub fn sequence(run: &Value) -> Vec<String> {
    let copies = run["sequence"].as_array().map(Vec::as_slice).unwrap_or_default();
    let copies = copies.iter().map(|copy| {
        let text = |key: &str| copy[key].as_str().unwrap_or_default();
        let named = named(text("name"), text("group"));
        format!("{}　{named}", copy["number"])
    });
    copies.collect()
}

fn named(name: &str, group: &str) -> String {
    match (name, group) {
        ("", _) => "（不写名字）".to_owned(),
        (name, "") => name.to_owned(),
        (name, group) => format!("{group} {name}"),
    }
}
