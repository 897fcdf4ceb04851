//! The ways in which the photos of one page can stand.

use super::choose::Candidates;
use super::reflow::{carried, dressed, guessed};
use super::{MAX_PER_PAGE, PhotoInput, Template, fit};
use crate::document::{Document, Element, Page};

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
    let photos: Vec<PhotoInput> = page
        .photos()
        .map(|frame| {
            library.iter().find(|photo| photo.id == frame.photo).cloned().unwrap_or_else(|| guessed(frame))
        })
        .collect();
    let others = page.elements.iter().any(|element| !matches!(element, Element::Photo(_) | Element::Text(_)));
    if photos.is_empty() || photos.len() > MAX_PER_PAGE || others {
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
    let arranged = |page: &Page, new: Page| dressed(carried(page, new, document.trim, document.trim), page);
    fitting
        .into_iter()
        .map(|candidate| Arrangement {
            template: candidate.template,
            page: arranged(page, candidate.page(&ordered, &sheet, index.is_multiple_of(2))),
        })
        .collect()
}
