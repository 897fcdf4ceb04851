//! A finished book laid out anew as a whole: fuller or emptier pages, with or without chapters and days.
//!
//! Photos stay in the order in which they stand, and nothing that a member wrote is left out: words follow the first photo of
//! their page, and pages without photos stay as they are, before the photo that they stood before.

use std::collections::{BTreeMap, BTreeSet};

use super::dates::{Day, head, head_city, is_day};
use super::fold::{is_half, is_left_half};
use super::grid::is_head;
use super::order::Chapter;
use super::reflow::{dress_photo, guessed, is_beside, is_chapter, options, paper};
use super::style::Style;
use super::{
    Captions, Density, LayoutError, LayoutOptions, PageRange, Parts, PhotoInput, is_free, lay_out, order,
};
use crate::document::{Document, Element, Ground, Page, PhotoFrame, TextBlock, TextRole};
use crate::ids::PhotoId;
use crate::titles::closing_words;

/// How a whole book is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relay {
    pub density: Density,
    /// Where its parts begin, each with a page that names its days; nothing for a book without such pages.
    pub chapters: Option<Parts>,
    /// Whether captions without words tell the photos' days.
    pub dates: bool,
}

impl Relay {
    /// How a book is laid out now, as far as its pages say; `pages` and `style` as for [`relaid`]. It is laid out at every density
    /// for that.
    pub fn of(document: &Document, library: &[PhotoInput], pages: PageRange, style: Style) -> Self {
        let marked = Self::marked(document, library);
        let apart = |density: &Density| {
            let how = Self { density: *density, ..marked };
            let length = relaid(document, library, how, pages, style).map_or(0, |book| book.pages.len());
            length.abs_diff(document.pages.len())
        };
        let density = Density::ALL.into_iter().min_by_key(apart).unwrap_or_default();
        Self { density, ..marked }
    }

    /// The same at the usual density: what the words on its pages say.
    pub fn marked(document: &Document, library: &[PhotoInput]) -> Self {
        let photos = in_time(in_their_order(document, library));
        let named: Vec<BTreeSet<&str>> = document
            .pages
            .iter()
            .filter(|page| is_chapter(page))
            .map(|page| page.texts().map(|block| block.text.as_str()).collect())
            .collect();
        let alike = |parts: &Parts| {
            let known = |chapters: Vec<Chapter>| {
                let heads = |words: &BTreeSet<&str>, chapter: &Chapter| words.contains(&*chapter.heading);
                let whole = chapters
                    .iter()
                    .filter(|it| named.iter().any(|words| heads(words, it) && words.contains(&*it.subtitle)));
                let headings: BTreeSet<&str> = chapters
                    .iter()
                    .filter(|it| named.iter().any(|words| heads(words, it)))
                    .map(|it| it.heading.as_str())
                    .collect();
                // of two that name the same parts, the one that names no others
                (whole.count(), headings.len(), std::cmp::Reverse(chapters.len()))
            };
            chapters_of(&photos, *parts).into_iter().map(known).max()
        };
        let parts = [Parts::Cities, Parts::Days, Parts::Pauses].into_iter().max_by_key(alike);
        Self {
            density: Density::default(),
            chapters: parts.filter(|_| !named.is_empty()),
            dates: dated(document, library, false) != *document,
        }
    }
}

/// What a layout calls the parts of a book: now, and before it knew cities.
fn chapters_of(photos: &[PhotoInput], parts: Parts) -> [Vec<Chapter>; 2] {
    let times = order::times(photos);
    let nowhere: Vec<PhotoInput> =
        photos.iter().map(|photo| PhotoInput { city: None, ..photo.clone() }).collect();
    [photos, &nowhere].map(|photos| order::chapters(&photos.iter().collect::<Vec<_>>(), &times, parts))
}

/// Whether the photos of a book stand in the order in which they were taken, so that its parts can be named by their days.
pub fn is_by_time(document: &Document, library: &[PhotoInput]) -> bool {
    let photos = in_their_order(document, library);
    photos.iter().any(|photo| photo.taken_at.is_some()) && in_time(photos.clone()) == photos
}

/// The photos as they stand, without their times where these say another order.
fn in_time(photos: Vec<PhotoInput>) -> Vec<PhotoInput> {
    let ordered = order::in_order(&photos).0;
    if ordered.iter().zip(&photos).all(|(one, other)| one.id == other.id) {
        return photos;
    }
    photos.into_iter().map(|photo| PhotoInput { taken_at: None, ..photo }).collect()
}

/// The photos in the order in which they stand; one across the fold is one.
fn in_their_order(document: &Document, library: &[PhotoInput]) -> Vec<PhotoInput> {
    let known: BTreeMap<&PhotoId, &PhotoInput> = library.iter().map(|photo| (&photo.id, photo)).collect();
    let is_rest = |index: &usize| is_half(document, *index) && !is_left_half(document, *index);
    let pages = (0..document.pages.len()).filter(|index| !is_rest(index));
    let shown = pages.flat_map(|index| document.pages[index].photos());
    shown.map(|frame| known.get(&frame.photo).map_or_else(|| guessed(frame), |it| (*it).clone())).collect()
}

/// The book laid out so; `style` is its theme's, `pages` what can be bound. The cover stays.
///
/// # Errors
/// Those of [`lay_out`]; [`LayoutError::NoPhotos`] for a book whose pages follow from something else, too.
pub fn relaid(
    document: &Document,
    library: &[PhotoInput],
    how: Relay,
    pages: PageRange,
    style: Style,
) -> Result<Document, LayoutError> {
    if !is_free(document) {
        return Err(LayoutError::NoPhotos);
    }
    let photos = in_time(in_their_order(document, library));
    let options = LayoutOptions {
        pages,
        captions: if how.dates { Captions::Dates } else { Captions::Empty },
        chapters: how.chapters.is_some(),
        parts: how.chapters.unwrap_or_default(),
        density: how.density,
        style,
        ..options(document, document.trim)
    };
    let mut book = lay_out(&photos, &options)?;
    let own = Own::of(document, &photos, style);

    let was: BTreeMap<&PhotoId, &PhotoFrame> =
        document.pages.iter().flat_map(Page::photos).map(|frame| (&frame.photo, frame)).collect();
    for element in book.pages.iter_mut().flat_map(|page| &mut page.elements) {
        if let Element::Photo(frame) = element
            && let Some(known) = was.get(&frame.photo)
        {
            dress_photo(frame, known);
        }
    }
    let mut places: BTreeMap<PhotoId, usize> = BTreeMap::new();
    for (index, page) in book.pages.iter().enumerate() {
        for frame in page.photos() {
            places.entry(frame.photo.clone()).or_insert(index);
        }
    }
    let last = book.pages.len() - 1;
    let mut kept: BTreeMap<usize, Vec<Page>> = BTreeMap::new();
    for (index, page) in document.pages.iter().enumerate() {
        if page.photos().next().is_some() {
            let Some(place) = first_place(document, index, &places) else { continue };
            own.words(page).for_each(|block| put(&mut book.pages[place], block));
            continue;
        }
        if !own.is_made(page) {
            continue;
        }
        let is_free_for = |place: usize| book.pages[place].photos().next().is_none();
        let at_an_end = match index {
            0 => Some(0),
            _ if index + 1 == document.pages.len() => Some(last),
            _ => None,
        };
        let next = (index + 1..document.pages.len()).find_map(|index| first_place(document, index, &places));
        let chapter =
            next.and_then(|next| next.checked_sub(1)).filter(|before| is_chapter(&book.pages[*before]));
        match at_an_end.filter(|place| is_free_for(*place)).or(chapter.filter(|_| is_chapter(page))) {
            Some(place) => book.pages[place] = page.clone(),
            None => kept.entry(left_of(next.unwrap_or(last), last)).or_default().push(page.clone()),
        }
    }
    for (place, mut pages) in kept.into_iter().rev() {
        // photos across the fold begin on left-hand pages, as they did
        if !pages.len().is_multiple_of(2) {
            pages.push(paper(document));
        }
        book.pages.splice(place..place, pages);
    }
    let step = pages.step.max(1) as usize;
    while !book.pages.len().is_multiple_of(step) && book.pages.len() < pages.max as usize {
        let place = left_of(book.pages.len() - 1, book.pages.len() - 1);
        book.pages.splice(place..place, [paper(document), paper(document)]);
    }
    Ok(Document { pages: book.pages, ..document.clone() })
}

/// The left-hand page (counted from 0) of those that are seen with a page, where others can stand before it.
fn left_of(index: usize, last: usize) -> usize {
    let left = if index.is_multiple_of(2) { index.saturating_sub(1) } else { index };
    left.clamp(1, last.max(1))
}

/// The page on which the first photo of an old page stands now.
fn first_place(document: &Document, index: usize, places: &BTreeMap<PhotoId, usize>) -> Option<usize> {
    document.pages[index].photos().find_map(|frame| places.get(&frame.photo)).copied()
}

/// Puts words where a page has a place for them; below those that stand there, or where they stood.
fn put(page: &mut Page, block: &TextBlock) {
    match caption_of(page).filter(|_| is_beside(block)) {
        None => page.elements.push(Element::Text(block.clone())),
        Some(place) if place.text.is_empty() || is_day(&place.text) => place.take(block),
        Some(place) => place.text = format!("{}\n{}", place.text, block.text),
    }
}

/// The first place for words beside a page's photos.
fn caption_of(page: &mut Page) -> Option<&mut TextBlock> {
    page.elements.iter_mut().find_map(|element| match element {
        Element::Text(block) if is_beside(block) => Some(block),
        _ => None,
    })
}

/// What is a member's own, and not what a layout wrote.
struct Own {
    /// What layouts of this book write.
    said: BTreeSet<String>,
    /// What they call its chapters; a member may write the same below a photo.
    chapters: BTreeSet<String>,
    /// Where its photos were taken, which they write over pages.
    cities: BTreeSet<String>,
    /// The backgrounds that they give.
    grounds: [Ground; 2],
}

impl Own {
    fn of(document: &Document, photos: &[PhotoInput], style: Style) -> Self {
        let closing = closing_words(&document.title, &document.author);
        let said = BTreeSet::from([document.title.clone(), document.author.clone(), closing]);
        let chapters = Parts::ALL.into_iter().flat_map(|parts| chapters_of(photos, parts)).flatten();
        let chapters = chapters.flat_map(|chapter| [chapter.heading, chapter.subtitle]).collect();
        let cities = photos.iter().filter_map(|photo| photo.city.clone()).collect();
        Self { said, chapters, cities, grounds: [Ground::default(), style.chapter.ground] }
    }

    fn words<'a>(&'a self, page: &'a Page) -> impl Iterator<Item = &'a TextBlock> {
        let is_over = |block: &TextBlock| {
            is_head(block) && head_city(&block.text, |city| self.cities.contains(city)).is_some()
        };
        let names = |block: &TextBlock| {
            matches!(block.role, TextRole::Heading | TextRole::Subtitle)
                && self.chapters.contains(&block.text)
        };
        page.texts().filter(move |block| {
            let is_said =
                self.said.contains(&block.text) || is_day(&block.text) || is_over(block) || names(block);
            !block.text.trim().is_empty() && !is_said
        })
    }

    /// Whether somebody made something of a page without photos.
    fn is_made(&self, page: &Page) -> bool {
        self.words(page).next().is_some()
            || page.elements.iter().any(|element| !matches!(element, Element::Text(_)))
            || page.background.is_some()
            || !self.grounds.contains(&page.ground)
    }
}

/// The book with the days of its photos in captions that have no words, and beside the cities over its pages, or without those days:
/// everything stays where it stands.
pub fn dated(document: &Document, library: &[PhotoInput], with: bool) -> Document {
    let known: BTreeMap<&PhotoId, &PhotoInput> = library.iter().map(|photo| (&photo.id, photo)).collect();
    let mut document = document.clone();
    let mut said = None;
    for page in &mut document.pages {
        let shown = || page.photos().filter_map(|frame| known.get(&frame.photo));
        let Some(day) = shown().find_map(|photo| photo.taken_at).and_then(Day::of) else { continue };
        let city = shown().find_map(|photo| photo.city.as_deref());
        for element in &mut page.elements {
            if let Element::Text(block) = element
                && is_head(block)
                && says_where(&block.text, city)
            {
                block.text = head(city, with.then_some(day));
            }
        }
        if !with {
            for element in &mut page.elements {
                match element {
                    Element::Text(block) if is_beside(block) && is_day(&block.text) => block.text.clear(),
                    _ => {}
                }
            }
            continue;
        }
        let Some(caption) = caption_of(page) else { continue };
        let words = if said == Some(day) { String::new() } else { day.after(said) };
        said = Some(day);
        if caption.text.is_empty() {
            caption.text = words;
        }
    }
    document
}

/// Whether words over a page are those of a layout: the city of its photos, their day, both or nothing.
fn says_where(words: &str, city: Option<&str>) -> bool {
    words.is_empty() || is_day(words) || head_city(words, |word| Some(word) == city).is_some()
}
