//! The outline of a PDF (ISO 32000-1, 12.3.3): its chapters, as viewers list them beside the pages.

use domain::xml::is_writable;
use hayro_syntax::Pdf;
use hayro_syntax::object::{self, Dict, ObjectIdentifier};

use super::links::Targets;
use super::strings::text_string;

/// Chapters that are taken of one file.
pub const MOST_CHAPTERS: usize = 300;
/// Characters of a chapter's name.
const MOST_NAME: usize = 80;
/// Entries that are looked at: those of an outline may lead anywhere, in rings as well.
const MOST_ENTRIES: usize = 2_000;

/// The chapters of a file in their order, each with the page where it begins, from 1: the highest entries of its outline, or
/// those below it where the highest is one, as for a title.
pub(super) fn chapters(pdf: &Pdf) -> Vec<(u32, String)> {
    let catalog = pdf.xref().get::<Dict>(pdf.xref().root_id());
    let Some(outlines) = catalog.and_then(|catalog| catalog.get::<Dict>("Outlines")) else {
        return Vec::new();
    };
    let mut left = MOST_ENTRIES;
    let mut entries = children(&outlines, &mut left);
    if let [only] = entries.as_slice() {
        let below = children(only, &mut left);
        if !below.is_empty() {
            entries = below;
        }
    }
    let mut targets = Targets::of_file(pdf);
    let chapters = entries.iter().filter_map(|entry| {
        let name = name(entry.get::<object::String>("Title")?.as_bytes());
        let page = targets.page(entry)?;
        (!name.is_empty()).then_some((page, name))
    });
    chapters.take(MOST_CHAPTERS).collect()
}

/// The entries below one, in their order.
fn children<'a>(parent: &Dict<'a>, left: &mut usize) -> Vec<Dict<'a>> {
    let mut found: Vec<Dict<'a>> = Vec::new();
    let mut seen: Vec<ObjectIdentifier> = Vec::new();
    let mut next = parent.get::<Dict>("First");
    while let Some(entry) = next.take() {
        let is_again = entry.obj_id().is_some_and(|id| seen.contains(&id));
        if is_again || *left == 0 {
            break;
        }
        *left -= 1;
        seen.extend(entry.obj_id());
        next = entry.get::<Dict>("Next");
        found.push(entry);
    }
    found
}

/// A chapter's name on one line.
fn name(title: &[u8]) -> String {
    let is_kept = |c: &char| c.is_control() || is_writable(*c) && *c != '\u{fffd}';
    let clean: String =
        text_string(title).chars().filter(is_kept).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(MOST_NAME).collect()
}
