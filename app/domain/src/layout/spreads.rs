//! Facing pages: adding, leaving out and moving them. It is always two at once, a left page and the right one that faces
//! it, so that what stands outside stays outside and the book stays even. Pages are counted from 0: the first is a
//! right-hand page, and left-hand ones have odd numbers.

use super::MAX_PAGES;
use super::reflow::paper;
use crate::calendar::is_calendar;
use crate::document::Document;

/// Whether a work's pages follow from nothing else: a calendar's follow from its months, those of a text or a PDF from
/// the manuscript.
pub fn is_free(document: &Document) -> bool {
    !is_calendar(document) && document.files().is_empty()
}

/// The left pages of all pairs. The first page, and the last of an even count, stand alone.
pub fn left_pages(document: &Document) -> impl Iterator<Item = usize> + use<> {
    (1..document.pages.len().saturating_sub(1)).step_by(2)
}

/// Puts two pages of paper after the first page (0) or after the pair of this left page. False where there is no such
/// page, or no room for more.
pub fn add_pair(document: &mut Document, after: usize) -> bool {
    let is_there = after == 0 || left_pages(document).any(|left| left == after);
    if !is_there || document.pages.len() + 2 > MAX_PAGES {
        return false;
    }
    let at = if after == 0 { 1 } else { after + 2 };
    let paper = paper(document);
    document.pages.splice(at..at, [paper.clone(), paper]);
    true
}

/// Puts another pair like that of this left page behind it. False where there is none, or no room for more.
pub fn copy_pair(document: &mut Document, left: usize) -> bool {
    let is_there = left_pages(document).any(|known| known == left);
    if !is_there || document.pages.len() + 2 > MAX_PAGES {
        return false;
    }
    let mut copies = document.pages[left..left + 2].to_vec();
    for page in &mut copies {
        page.id = None;
        page.elements.iter_mut().for_each(|element| element.common_mut().id = None);
    }
    document.pages.splice(left + 2..left + 2, copies);
    true
}

/// Leaves out the pair of this left page. False where there is none.
pub fn remove_pair(document: &mut Document, left: usize) -> bool {
    let is_there = left_pages(document).any(|known| known == left);
    if is_there {
        document.pages.drain(left..left + 2);
    }
    is_there
}

/// Exchanges the pair of this left page with the next one. False where one of them is missing.
pub fn swap_with_next(document: &mut Document, left: usize) -> bool {
    let mut lefts = left_pages(document).skip_while(|known| *known != left);
    let is_there = lefts.next().is_some() && lefts.next().is_some();
    if is_there {
        document.pages[left..left + 4].rotate_left(2);
    }
    is_there
}
