//! What differs between two versions of a work, page by page.
//!
//! Pages are matched by what stands on them: those that begin and end both versions alike face each other, and what
//! lies between is matched by its place. So one page that was put in is one page that was put in.

use crate::calendar::MonthBlock;
use crate::document::{Colour, Common, Document, Ground, Page, PhotoFrame, Rect};
use crate::ids::{FileDigest, PhotoId};

/// A crop that moved by less than this part of the photo looks the same.
const SAME_CROP: f64 = 0.01;

/// What differs between two versions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// What is said of the whole work, in the order of a form.
    pub facts: Vec<Fact>,
    /// Cover and pages that differ, in the order of the book.
    pub pages: Vec<PageChange>,
}

/// Something about the whole work that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    Trim,
    PageCount,
    Theme,
    Emoji,
    Title,
    Author,
    Description,
    Category,
    /// What single copies of a run have of their own.
    Variants,
}

/// A page that differs. `None` where one of the versions has no such page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageChange {
    pub before: Option<Place>,
    pub after: Option<Place>,
    /// Photos that came, went, and are cropped in another way.
    pub photos_added: usize,
    pub photos_removed: usize,
    pub cropped: Vec<PhotoId>,
    /// Whether other pages of PDF files stand on it.
    pub pdfs_differ: bool,
    /// Texts that differ, as they were and as they are; empty where there was or is none.
    pub texts: Vec<(String, String)>,
    /// Whether a calendar's months differ: another month, other weeks, anniversaries or days off.
    pub months: bool,
    /// Whether its own theme or its background differs.
    pub look: bool,
    /// Whether the same things stand on it in other places or sizes.
    pub moved: bool,
}

/// A page of a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Cover,
    /// From 0.
    Inner(usize),
}

impl Comparison {
    /// Whether the versions show the same.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.pages.is_empty()
    }

    /// How many photos are cropped in another way.
    pub fn cropped(&self) -> usize {
        self.pages.iter().map(|page| page.cropped.len()).sum()
    }
}

impl PageChange {
    /// Whether the page looks the same but for where things stand on it.
    pub fn is_arrangement(&self) -> bool {
        self.moved && !self.look
    }

    fn has_same_content(&self) -> bool {
        self.before.is_some()
            && self.after.is_some()
            && self.photos_added + self.photos_removed == 0
            && self.cropped.is_empty()
            && !self.pdfs_differ
            && self.texts.is_empty()
            && !self.months
    }
}

/// Compares two versions of a work.
pub fn compare(before: &Document, after: &Document) -> Comparison {
    let facts = [
        (Fact::Trim, before.trim != after.trim),
        (Fact::PageCount, before.pages.len() != after.pages.len()),
        (Fact::Theme, before.theme != after.theme),
        (Fact::Emoji, before.emoji != after.emoji),
        (Fact::Title, before.title != after.title),
        (Fact::Author, before.author != after.author),
        (Fact::Description, before.description != after.description),
        (Fact::Category, before.category != after.category),
        (Fact::Variants, before.variants != after.variants),
    ];
    let facts = facts.into_iter().filter(|(_, differs)| *differs).map(|(fact, _)| fact).collect();
    let empty = Page::default();
    // who is who says nothing of what is seen
    let (one, other) = (before.cover.without_ids(), after.cover.without_ids());
    let cover = change((Some(Place::Cover), &one), (Some(Place::Cover), &other));
    let mut pages: Vec<PageChange> = cover.into_iter().collect();
    for (one, other) in matched(&before.pages, &after.pages) {
        let page = |of: &'_ Document, index: Option<usize>| {
            index.and_then(|index| of.pages.get(index)).unwrap_or(&empty).without_ids()
        };
        let (one_page, other_page) = (page(before, one), page(after, other));
        pages.extend(change((one.map(Place::Inner), &one_page), (other.map(Place::Inner), &other_page)));
    }
    Comparison { facts, pages }
}

/// Which page faces which.
fn matched(before: &[Page], after: &[Page]) -> Vec<(Option<usize>, Option<usize>)> {
    let same = |(one, other): &(&Page, &Page)| content(one) == content(other);
    let start = before.iter().zip(after).take_while(same).count();
    let (rest_before, rest_after) = (&before[start..], &after[start..]);
    let end = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(same).count();
    let middle = rest_before.len().max(rest_after.len()) - end;
    let mut pairs: Vec<_> = (0..start).map(|index| (Some(index), Some(index))).collect();
    for index in 0..middle {
        let at = |rest: &[Page]| (index < rest.len() - end).then_some(start + index);
        pairs.push((at(rest_before), at(rest_after)));
    }
    pairs.extend((0..end).map(|index| (Some(before.len() - end + index), Some(after.len() - end + index))));
    pairs
}

/// What stands on a page, wherever it stands.
fn content(page: &Page) -> (Vec<&PhotoId>, Vec<(&FileDigest, u32)>, Vec<&str>) {
    let mut photos: Vec<_> = page.photos().map(|frame| &frame.photo).collect();
    photos.sort();
    (photos, pdfs(page), texts(page))
}

fn pdfs(page: &Page) -> Vec<(&FileDigest, u32)> {
    page.pdfs().map(|pdf| (&pdf.file, pdf.page)).collect()
}

fn texts(page: &Page) -> Vec<&str> {
    page.texts().map(|block| block.text.as_str()).filter(|text| !text.is_empty()).collect()
}

fn change(
    (before, one): (Option<Place>, &Page),
    (after, other): (Option<Place>, &Page),
) -> Option<PageChange> {
    if one == other && before.is_some() == after.is_some() {
        return None;
    }
    let mut left: Vec<&PhotoFrame> = one.photos().collect();
    let (mut photos_added, mut cropped) = (0, Vec::new());
    for frame in other.photos() {
        match left.iter().position(|known| known.photo == frame.photo) {
            None => photos_added += 1,
            Some(index) => {
                if crops_differ(left.swap_remove(index), frame) {
                    cropped.push(frame.photo.clone());
                }
            }
        }
    }
    let mut change = PageChange {
        before,
        after,
        photos_added,
        photos_removed: left.len(),
        cropped,
        pdfs_differ: pdfs(one) != pdfs(other),
        texts: differing(&texts(one), &texts(other)),
        months: months(one) != months(other),
        look: look(one) != look(other),
        moved: false,
    };
    change.moved = one.elements != other.elements && change.has_same_content();
    Some(change)
}

/// A page's own theme, and what lies under everything on it.
fn look(page: &Page) -> (Option<&str>, Ground, Option<Colour>) {
    (page.theme.as_deref(), page.ground, page.background)
}

/// What of a calendar stands on a page, wherever it stands.
fn months(page: &Page) -> Vec<MonthBlock> {
    let nowhere = Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 };
    page.months()
        .map(|block| MonthBlock { frame: nowhere, common: Common::default(), ..block.clone() })
        .collect()
}

fn crops_differ(one: &PhotoFrame, other: &PhotoFrame) -> bool {
    let (one, other) = (one.crop, other.crop);
    [one.x - other.x, one.y - other.y, one.width - other.width, one.height - other.height]
        .into_iter()
        .any(|difference| difference.abs() > SAME_CROP)
}

/// Texts that only one of the pages has, each beside the one in its place.
fn differing(before: &[&str], after: &[&str]) -> Vec<(String, String)> {
    let only = |these: &[&str], those: &[&str]| -> Vec<String> {
        let mut those = those.to_vec();
        let mut is_new = |text: &&&str| match those.iter().position(|known| known == *text) {
            Some(index) => {
                those.swap_remove(index);
                false
            }
            None => true,
        };
        these.iter().filter(|text| is_new(text)).map(|text| (*text).to_owned()).collect()
    };
    let (gone, new) = (only(before, after), only(after, before));
    let count = gone.len().max(new.len());
    let at = |texts: &[String], index: usize| texts.get(index).cloned().unwrap_or_default();
    (0..count).map(|index| (at(&gone, index), at(&new, index))).collect()
}
