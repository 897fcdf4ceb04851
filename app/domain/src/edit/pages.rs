//! Pages that come, go and change places, two facing ones at a time.

use std::collections::BTreeSet;

use super::{Change, Refused};
use crate::document::{Document, MOST_ON_PAGE, Page, TooMuch, Unfit};
use crate::ids::PageId;
use crate::layout::{MAX_PAGES, is_free, left_pages, remove_pair, swap_with_next};

pub(super) fn insert(document: &mut Document, behind: &PageId, pages: &[Page]) -> Result<Change, Refused> {
    let at = 1 + place(document, behind)?;
    let [left, _] = pages else { return Err(Refused::NoPair) };
    if at.is_multiple_of(2) {
        return Err(Refused::NoPair);
    }
    if document.pages.len() + pages.len() > MAX_PAGES {
        return Err(TooMuch::Pages.into());
    }
    check_new(document, pages)?;
    let page = left.id.clone().ok_or(Refused::NoId)?;
    document.pages.splice(at..at, pages.iter().cloned());
    Ok(Change::Discard { page })
}

/// Whether everything on new pages has an id that nothing else has, and can stand there.
fn check_new(document: &Document, pages: &[Page]) -> Result<(), Refused> {
    let mut known: BTreeSet<&PageId> = document.all_pages().filter_map(|page| page.id.as_ref()).collect();
    let on_pages = document.all_pages().flat_map(|page| &page.elements);
    let mut elements: BTreeSet<_> = on_pages.filter_map(|element| element.common().id.as_ref()).collect();
    for page in pages {
        let id = page.id.as_ref().ok_or(Refused::NoId)?;
        if !known.insert(id) {
            return Err(Refused::TakenPage(id.clone()));
        }
        if page.elements.len() > MOST_ON_PAGE {
            return Err(Unfit::Crowded.into());
        }
        for element in &page.elements {
            let id = element.common().id.as_ref().ok_or(Refused::NoId)?;
            element.check(document.trim)?;
            if !elements.insert(id) {
                return Err(Refused::TakenId(id.clone()));
            }
        }
    }
    Ok(())
}

pub(super) fn discard(document: &mut Document, left: &PageId) -> Result<Change, Refused> {
    let at = place(document, left)?;
    let behind = at.checked_sub(1).and_then(|before| document.pages.get(before)?.id.clone());
    let pages = pair(document, left).to_vec();
    let page = behind.filter(|_| remove_pair(document, at)).ok_or(Refused::NoPair)?;
    Ok(Change::Insert { page, pages })
}

pub(super) fn swap(document: &mut Document, left: &PageId) -> Result<Change, Refused> {
    let at = place(document, left)?;
    if !swap_with_next(document, at) {
        return Err(Refused::NoPair);
    }
    let page = document.pages.get(at).and_then(|page| page.id.clone()).ok_or(Refused::NoId)?;
    Ok(Change::Swap { page })
}

/// The place of an inner page, where pages may come and go.
fn place(document: &Document, id: &PageId) -> Result<usize, Refused> {
    if !is_free(document) {
        return Err(Refused::FixedPages);
    }
    index(document, id).ok_or(Refused::UnknownPage)
}

fn index(document: &Document, id: &PageId) -> Option<usize> {
    document.pages.iter().position(|page| page.id.as_ref() == Some(id))
}

/// A left page and the one that it faces; nothing where it is none.
pub(super) fn pair<'d>(document: &'d Document, left: &PageId) -> &'d [Page] {
    let at = index(document, left).filter(|at| left_pages(document).any(|left| left == *at));
    at.and_then(|at| document.pages.get(at..at + 2)).unwrap_or_default()
}

/// The left one of the two pages behind a pair.
pub(super) fn next<'d>(document: &'d Document, left: &PageId) -> Option<&'d PageId> {
    let at = index(document, left)? + 2;
    left_pages(document).find(|left| *left == at).and_then(|at| document.pages.get(at)?.id.as_ref())
}
