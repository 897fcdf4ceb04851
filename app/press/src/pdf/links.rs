//! The links of a PDF's page (ISO 32000-1, 12.5.6.5).

use domain::document::Rect;
use domain::reading::{LinkTarget, SheetLink};
use hayro_syntax::Pdf;
use hayro_syntax::object::{self, Array, Dict, MaybeRef, Name, ObjRef, Object};
use hayro_syntax::page::Page;

use super::inspect::{PdfRefusal, open};

/// Links that are taken of one page.
pub const MOST_LINKS: usize = 500;
/// Bytes that an address may have.
const MOST_ADDRESS: usize = 2_000;
/// Entries of name trees that are looked at for one page.
const MOST_NAMES: usize = 20_000;
/// How deep such a tree may be.
const DEPTH: usize = 16;
/// The least side that is touched, in per mille.
const LEAST: f64 = 1.0;

/// The links of a page, counted from 1, in the order in which the file names them.
///
/// # Errors
/// The file can't be read, or has no such page.
pub fn links(bytes: &[u8], page: u32) -> Result<Vec<SheetLink>, PdfRefusal> {
    let pdf = open(bytes)?;
    let page = page.checked_sub(1).and_then(|index| pdf.pages().get(index as usize));
    let page = page.ok_or(PdfRefusal::Broken)?;
    let Some(notes) = page.raw().get::<Array>("Annots") else { return Ok(Vec::new()) };
    let mut targets = Targets::of_file(&pdf);
    let links = notes.iter::<Dict>().take(4 * MOST_LINKS).filter_map(|note| {
        let is_link = note.get::<Name>("Subtype").is_some_and(|kind| kind.as_ref() == b"Link");
        let is_hidden = note.get::<u32>("F").is_some_and(|flags| flags & 2 != 0);
        if !is_link || is_hidden {
            return None;
        }
        let frame = frame(page, &note.get::<object::Rect>("Rect")?)?;
        let (target, down) = targets.of(&note)?;
        Some(SheetLink { frame, target, down })
    });
    Ok(links.take(MOST_LINKS).collect())
}

/// A rectangle of the file in per mille of the page as it is shown.
fn frame(page: &Page, rect: &object::Rect) -> Option<Rect> {
    let [a, b, c, d, e, f] = page.initial_transform(true).as_coeffs();
    let corner = |x: f64, y: f64| (a * x + c * y + e, b * x + d * y + f);
    let (one, other) = (corner(rect.x0, rect.y0), corner(rect.x1, rect.y1));
    let (width, height) = page.render_dimensions();
    let per_mille = |value: f64, side: f32| (value / f64::from(side) * 1000.0).clamp(0.0, 1000.0);
    let (left, right) = (per_mille(one.0.min(other.0), width), per_mille(one.0.max(other.0), width));
    let (top, bottom) = (per_mille(one.1.min(other.1), height), per_mille(one.1.max(other.1), height));
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    let frame =
        Rect { x: tenth(left), y: tenth(top), width: tenth(right - left), height: tenth(bottom - top) };
    (frame.width >= LEAST && frame.height >= LEAST).then_some(frame)
}

/// How far down its page a destination leads, in per mille of the page as it is shown (ISO 32000-1, table 151).
fn down(page: &Page, destination: &Array) -> Option<f64> {
    // the page stands first, and it is what is being read: what refers to it leads nowhere from here
    let parts: Vec<MaybeRef<Object>> = destination.raw_iter().skip(1).take(3).collect();
    let number = |index: usize| match parts.get(index)? {
        MaybeRef::NotRef(Object::Number(number)) => Some(number.as_f64()),
        _ => None,
    };
    let Some(MaybeRef::NotRef(Object::Name(fit))) = parts.first() else { return None };
    let (left, top) = match fit.as_ref() {
        b"XYZ" => (number(1).unwrap_or_default(), number(2)?),
        b"FitH" | b"FitBH" => (0.0, number(1)?),
        _ => return None,
    };
    let [_, b, _, d, _, f] = page.initial_transform(true).as_coeffs();
    let (_, height) = page.render_dimensions();
    Some(((b * left + d * top + f) / f64::from(height) * 1000.0).clamp(0.0, 1000.0))
}

/// Finds out where links lead.
pub(super) struct Targets<'a> {
    pdf: &'a Pdf,
    /// Entries of name trees that may still be looked at.
    left: usize,
}

impl<'a> Targets<'a> {
    pub fn of_file(pdf: &'a Pdf) -> Self {
        Self { pdf, left: MOST_NAMES }
    }

    /// The page of the file, from 1, to which a link or an entry of the outline leads.
    pub fn page(&mut self, entry: &Dict<'a>) -> Option<u32> {
        match self.of(entry)? {
            (LinkTarget::Page(page), _) => Some(page),
            (LinkTarget::Uri(_), _) => None,
        }
    }

    /// With how far down a page it leads.
    fn of(&mut self, note: &Dict<'a>) -> Option<(LinkTarget, Option<f64>)> {
        let place = match note.get::<Dict>("A") {
            None => note.get::<Object>("Dest")?,
            Some(action) => match action.get::<Name>("S")?.as_ref() {
                b"URI" => {
                    let address = address(action.get::<object::String>("URI")?.as_bytes())?;
                    return Some((LinkTarget::Uri(address), None));
                }
                b"GoTo" => action.get::<Object>("D")?,
                // other files, scripts, programs, forms
                _ => return None,
            },
        };
        let (page, down) = self.page_of(place)?;
        Some((LinkTarget::Page(page), down))
    }

    /// The page that a destination names, itself or by a name, and how far down it leads there.
    fn page_of(&mut self, place: Object<'a>) -> Option<(u32, Option<f64>)> {
        let named = match &place {
            Object::Name(name) => self.named(name.as_ref()),
            Object::String(name) => self.named(name.as_bytes()),
            _ => Some(place.clone()),
        }?;
        let array = match named {
            Object::Array(array) => array,
            Object::Dict(dict) => dict.get::<Array>("D")?,
            _ => return None,
        };
        let first = array.raw_iter().next()?;
        let index = match first {
            MaybeRef::Ref(page) => self.index_of(page),
            MaybeRef::NotRef(Object::Number(number)) => usize::try_from(number.as_i64()).ok(),
            MaybeRef::NotRef(_) => None,
        }?;
        let page = self.pdf.pages().get(index)?;
        Some((u32::try_from(index + 1).ok()?, down(page, &array)))
    }

    fn index_of(&self, page: ObjRef) -> Option<usize> {
        let wanted = object::ObjectIdentifier::from(page);
        self.pdf.pages().iter().position(|page| page.raw().obj_id() == Some(wanted))
    }

    /// A destination by its name (12.3.2.3): in the catalog's dictionary, or in its tree of names.
    fn named(&mut self, name: &[u8]) -> Option<Object<'a>> {
        let catalog: Dict = self.pdf.xref().get(self.pdf.xref().root_id())?;
        if let Some(found) = catalog.get::<Dict>("Dests").and_then(|names| names.get::<Object>(name)) {
            return Some(found);
        }
        let tree = catalog.get::<Dict>("Names")?.get::<Dict>("Dests")?;
        self.in_tree(&tree, name, DEPTH)
    }

    fn in_tree(&mut self, tree: &Dict<'a>, name: &[u8], depth: usize) -> Option<Object<'a>> {
        self.left = self.left.checked_sub(1)?;
        if let Some(names) = tree.get::<Array>("Names") {
            let mut entries = names.iter::<Object>();
            while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
                self.left = self.left.checked_sub(1)?;
                if matches!(&key, Object::String(key) if key.as_bytes() == name) {
                    return Some(value);
                }
            }
        }
        let kids = tree.get::<Array>("Kids").filter(|_| depth > 0)?;
        kids.iter::<Dict>().find_map(|kid| self.in_tree(&kid, name, depth - 1))
    }
}

/// An address that a reader may be sent to.
fn address(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MOST_ADDRESS {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let (scheme, rest) = text.split_once(':')?;
    let is_web = matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https");
    let is_taken = is_web && rest.starts_with("//") && rest.len() > 2
        || matches!(scheme.to_ascii_lowercase().as_str(), "mailto" | "tel") && !rest.is_empty();
    let is_clean =
        !text.chars().any(|c| c.is_control() || c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\\'));
    (is_taken && is_clean).then(|| text.to_owned())
}
