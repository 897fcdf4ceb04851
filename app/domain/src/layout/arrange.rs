//! The ways in which the photos of one page can stand.

use super::choose::Candidates;
use super::reflow::{carried, dressed, guessed, paper};
use super::{MAX_PER_PAGE, PhotoInput, Template, fit};
use crate::document::{Document, Element, Page, TextRole};
use crate::ids::PhotoId;

/// One way.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    pub template: &'static Template,
    /// The page as it would be, with its words, theme and background.
    pub page: Page,
}

/// The templates that suit a page (counted from 0) with its photos in their order, the best first. `library` holds the photos that
/// are known. A page with words gets only templates that have a place for them; one without photos, with more than
/// [`MAX_PER_PAGE`], or with a month or a page of a PDF, has none to choose from.
pub fn arrangements(document: &Document, index: usize, library: &[PhotoInput]) -> Vec<Arrangement> {
    let Some(page) = document.pages.get(index) else { return Vec::new() };
    // the other half would stay where it is
    if super::is_half(document, index) {
        return Vec::new();
    }
    let photos: Vec<PhotoInput> = page
        .photos()
        .map(|frame| {
            library.iter().find(|photo| photo.id == frame.photo).cloned().unwrap_or_else(|| guessed(frame))
        })
        .collect();
    arranged(document, index, page, &photos)
}

/// Whether photos may be put on a page: not where the book or a chapter is named, nor on a month or a page of a PDF.
pub fn takes_photos(page: &Page) -> bool {
    let names = |role| matches!(role, TextRole::Title | TextRole::Subtitle | TextRole::Heading);
    has_a_layout(page) && !page.texts().any(|block| names(block.role) && !block.text.is_empty())
}

/// A page (counted from 0) with these photos in the place of its own, and its words, theme and background: in the
/// template that it had, where as many photos stand in it, otherwise in the one that suits them best; without photos it is
/// paper for words. `library` holds the photos that are known, the page's old ones and its new ones. `None` where it takes
/// no photos, or not so many, or one that is not known.
pub fn with_photos(
    document: &Document,
    index: usize,
    photos: &[PhotoId],
    library: &[PhotoInput],
) -> Option<Page> {
    let page = document.pages.get(index).filter(|page| takes_photos(page))?;
    if page.photos().map(|frame| &frame.photo).eq(photos) {
        return Some(page.clone());
    }
    if photos.is_empty() {
        return Some(refilled(page, paper(document), document));
    }
    let known = |id: &PhotoId| library.iter().find(|photo| photo.id == *id).cloned();
    let chosen: Vec<PhotoInput> = photos.iter().map(known).collect::<Option<_>>()?;
    let had =
        arrangements(document, index, library).into_iter().find(|way| way.page.photos().eq(page.photos()));
    let mut ways = arranged(document, index, page, &chosen);
    let at = had.and_then(|had| ways.iter().position(|way| way.template == had.template)).unwrap_or(0);
    (at < ways.len()).then(|| ways.swap_remove(at).page)
}

/// The new page with the old one's words, theme and background.
pub(super) fn refilled(old: &Page, new: Page, document: &Document) -> Page {
    dressed(carried(old, new, document.trim, document.trim), old)
}

pub(super) fn has_a_layout(page: &Page) -> bool {
    page.elements.iter().all(|element| {
        matches!(element, Element::Photo(_) | Element::Text(_) | Element::Shape(_) | Element::Code(_))
    })
}

fn arranged(document: &Document, index: usize, page: &Page, photos: &[PhotoInput]) -> Vec<Arrangement> {
    if photos.is_empty() || photos.len() > MAX_PER_PAGE || !has_a_layout(page) {
        return Vec::new();
    }
    let ordered: Vec<&PhotoInput> = photos.iter().collect();
    let sheet = fit::Sheet::new(document.trim, true).by_hand();
    let candidates = Candidates::of(&ordered, &vec![false; ordered.len()], &sheet, ordered.len());
    let has_words = page.texts().any(|block| !block.text.is_empty());
    let mut fitting: Vec<_> = candidates
        .get(0, ordered.len())
        .iter()
        .filter(|candidate| candidate.fitted.has_caption() || !has_words)
        .collect();
    fitting.sort_by(|one, other| one.fitted.cost.total_cmp(&other.fitted.cost));
    fitting
        .into_iter()
        .map(|candidate| Arrangement {
            template: candidate.template,
            page: refilled(page, candidate.page(&ordered, &sheet, index.is_multiple_of(2)), document),
        })
        .collect()
}
