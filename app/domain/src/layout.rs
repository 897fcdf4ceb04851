//! The automatic layout: photos in, a designed book out.
//!
//! It puts photos in order, proposes a page count that the goods can bind, and chooses for each spread what stands on
//! both of its pages. The same photos and options always give the same document.
//! Drawing the pages belongs to the press; reading photo files belongs to whoever calls this.
//!
//! What it keeps to:
//! - photos stand in the order of their capture time; those without one beside those that they came with;
//! - faces stay whole, out of the fold and clear of the trim, wherever their photo can be shown so;
//! - at least [`MIN_VISIBLE`] of every photo's area is shown, and panoramas are shown whole;
//! - a frame's edge runs through the bleed or stays inside the safe area, never between; frames don't overlap;
//! - a title page comes first and a closing page last; after long pauses a photo or a name opens;
//! - no four spreads of a kind follow one another (`rules/art`).

mod arrange;
mod choose;
mod compose;
mod composition;
mod cover;
mod dates;
mod density;
mod faces;
mod filling;
mod fit;
mod fold;
mod grid;
mod guest_book;
mod order;
mod plan;
mod reflow;
mod relay;
mod rhythm;
mod small;
mod spreads;
mod style;
mod template;
mod ways;
mod yearbook;

use crate::document::{Crop, Document, Element, Page, Trim};
use crate::faces::Face;
use crate::ids::PhotoId;
use crate::tone::Tone;

pub use arrange::{Arrangement, arrangements, takes_photos, with_photos};
pub use composition::{
    ALBUM, BLEED, Beat, CINEMA, COMPOSITIONS, Composition, GALLERY, Grain, MAGAZINE, MOSAIC, Place, QUIET,
    SCRAPS,
};
pub use dates::title_of;
pub use density::Density;
pub use faces::{FaceLoss, crop, lost_faces};
pub use filling::{Filling, Unfilled, filled};
pub use fit::margin_of;
pub use fold::{is_across, is_half, is_half_frame};
pub(crate) use grid::is_head;
pub use guest_book::{NoRoom, Sender, Wish, captioned, with_guest_book};
pub use order::{Parts, cities_of};
pub(crate) use reflow::{dressed, guessed, scaled};
pub use reflow::{reflow, with_cover};
pub use relay::{Relay, dated, is_by_time, relaid};
pub use spreads::{add_pair, copy_pair, is_free, left_pages, remove_pair, swap_with_next};
pub use style::{ChapterStyle, CoverStyle, Style, cover_ways, restyle_chapters};
pub use template::{Placing, Template, Tree, templates};
pub use ways::{SpreadWay, spread_ways};
pub use yearbook::{
    ALONE_FRONT, ALONE_PLACE, HEAD_MIDDLE, HEAD_SHARE, NoYearBook, PORTRAIT_ASPECT, Portrayed, alone,
    portrait_crop, year_book,
};

/// The least part of a photo's area that an automatic layout shows.
pub const MIN_VISIBLE: f64 = 0.80;
/// The most photos on one page.
pub const MAX_PER_PAGE: usize = 9;
/// The most inner pages of a work.
pub const MAX_PAGES: usize = 2_000;
/// The most photos on one page of a book that may still grow.
pub const COMFORTABLE_PER_PAGE: usize = 4;
/// The same of a book that is to be full.
pub const CROWDED_PER_PAGE: usize = 6;
/// The smallest page the templates are drawn for, in mm.
pub const MIN_TRIM_MM: f64 = 50.0;

/// A photo as the layout sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoInput {
    pub id: PhotoId,
    /// The upright photo's width in pixels, at least 1: as many as may be used of it ([`PhotoInput::kept_small`]).
    pub width: u32,
    /// The upright photo's height in pixels, at least 1.
    pub height: u32,
    /// What the clock on the wall showed when it was taken, in epoch milliseconds as if it were China's; absent when the file
    /// doesn't say.
    pub taken_at: Option<i64>,
    /// The part that it is about, as fractions of the upright photo; absent where nothing stands out.
    pub subject: Option<Crop>,
    /// The faces in it, as far as they were looked for.
    pub faces: Vec<Face>,
    /// Its colour as a whole; absent where nobody measured it.
    pub tone: Option<Tone>,
    /// The city that it was taken in or near; absent where the file doesn't say.
    pub city: Option<String>,
    /// Whether words come with it, which its page needs a place for.
    pub has_words: bool,
}

/// The page counts that goods can bind: multiples of `step` from `min` to `max`, in sides (P).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRange {
    pub min: u32,
    pub max: u32,
    /// 0 counts as 1.
    pub step: u32,
}

/// What a book is made for.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutOptions {
    /// The page after cutting; both sides at least [`MIN_TRIM_MM`].
    pub trim: Trim,
    /// What the goods can bind.
    pub pages: PageRange,
    /// The work's title, 1 to 60 characters.
    pub title: String,
    /// Who made it; may be empty.
    pub author: String,
    /// The name of a press theme.
    pub theme: String,
    /// What stands in the places for captions.
    pub captions: Captions,
    /// Whether the parts of the book begin with a page that names their days.
    pub chapters: bool,
    /// Where its parts begin.
    pub parts: Parts,
    /// How many photos share a page.
    pub density: Density,
    /// How the theme composes its cover and its chapters.
    pub style: Style,
}

/// What stands in the places for captions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captions {
    /// There are no such places.
    None,
    /// Nothing yet: they are for the member to fill.
    Empty,
    /// The day on which the photos were taken, where it is another one than on the page before.
    Dates,
}

/// Why photos can't be laid out. Each text can be shown to a member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    #[error("还没有照片：请先选择至少一张照片")]
    NoPhotos,
    /// More photos than the goods' longest book holds with [`MAX_PER_PAGE`] on every page.
    #[error("照片太多：选了 {photos} 张，这种商品最多放得下 {fits} 张")]
    TooManyPhotos { photos: usize, fits: usize },
    /// No even multiple of the step lies in the range.
    #[error("这种商品的页数范围里没有可以装订的页数")]
    NoPageCount,
    /// A side of the page is under [`MIN_TRIM_MM`], over 2,000 mm, or no number.
    #[error("页面尺寸不合适：每边应为 50 至 2000 毫米")]
    Trim,
    /// A photo without width or height.
    #[error("有一张照片没有尺寸：{0}")]
    EmptyPhoto(PhotoId),
}

/// Lays photos out as a book.
///
/// `photos` come in the order they were uploaded or chosen. Every photo stands on exactly one inner page; the
/// cover repeats the one that suits it best. The page count is an even multiple of the step in the goods'
/// range, a multiple of four (saddle stitch) wherever the range has one that holds the photos, and otherwise
/// the nearest to about two photos a page. A title page comes first and a closing page last, but where the goods' longest book
/// has no other place for the photos; where there are fewer photos than pages, quiet pages face them. Chapters begin a spread,
/// for which the book grows, and are left out where the longest has no room for them.
///
/// # Errors
/// See [`LayoutError`].
pub fn lay_out(photos: &[PhotoInput], options: &LayoutOptions) -> Result<Document, LayoutError> {
    check(photos, options)?;
    let (ordered, times) = order::in_order(photos);
    let opens = order::openers(&ordered, &times, options.parts);
    let mut chapters =
        if options.chapters { order::chapters(&ordered, &times, options.parts) } else { Vec::new() };
    let page_count = |photos, chapters| plan::page_count(photos, chapters, options.pages, options.density);
    if let Err(LayoutError::TooManyPhotos { .. }) = page_count(photos.len(), chapters.len()) {
        // the photos come first
        chapters.clear();
    }
    let across = across(&ordered, &opens, options);
    let count = length(ordered.len(), chapters.len(), across.len(), options)?;
    // the title and the closing page have pages of their own, unless the longest book has no other place for photos
    let has_ends = |count: usize| count > 2 && ordered.len() <= (count - 2) * MAX_PER_PAGE;
    if !has_ends(count) {
        chapters.clear();
    }
    let bursts = order::bursts(&ordered);
    let made = |chapters: &[order::Chapter], count: usize| {
        let ends = has_ends(count);
        let book = compose::Book {
            ordered: &ordered,
            opens: &opens,
            chapters,
            across: &across,
            bursts: &bursts,
            options,
        };
        let (room, is_sparse) = (book.room(count, ends), book.is_sparse(count, ends));
        let comfortable = options.density.comfortable();
        let is_enough = |most: usize| is_sparse || ordered.len() * 2 <= room * (2 * most - 1);
        // where pages stay empty, each photo has one to itself
        let alone = if is_sparse { 1 } else { comfortable };
        let steps = [alone, comfortable, CROWDED_PER_PAGE.max(comfortable), MAX_PER_PAGE];
        let first = steps.iter().position(|most| is_enough(*most)).unwrap_or(steps.len() - 1);
        let mut tried = steps[first..].iter().flat_map(|most| [(*most, false), (*most, true)]);
        tried.find_map(|(most, is_loose)| book.pages(count, ends, most, is_loose))
    };
    let named =
        || longer(count, ordered.len(), chapters.len(), options).find_map(|count| made(&chapters, count));
    let pages = made(&chapters, count).or_else(named).or_else(|| made(&[], count));
    let mut pages = pages.ok_or(LayoutError::NoPageCount)?;
    finished(&mut pages, &ordered, options);
    let front = cover::cover(&far(&pages, &ordered), options);
    Ok(bound(options, front, pages))
}

/// By how many pages more than its chapters need a book grows for them.
const LONGER: usize = 16;

/// How far a picture lies at least from the cover that it is on, in pages.
const APART: usize = 12;

/// The photos that may stand on the cover, each with whether it opens a spread alone: those that are seen again only after a while,
/// where there are any.
fn far<'a>(pages: &[Page], ordered: &[&'a PhotoInput]) -> Vec<(&'a PhotoInput, bool)> {
    // a short book can't keep them apart
    let reach = if pages.len() > APART + 2 { APART - 1 } else { 0 };
    let near: std::collections::BTreeSet<&PhotoId> =
        pages.iter().take(reach).flat_map(Page::photos).map(|frame| &frame.photo).collect();
    let alone: std::collections::BTreeSet<&PhotoId> = pages
        .iter()
        .filter(|page| page.photos().count() == 1)
        .flat_map(Page::photos)
        .map(|frame| &frame.photo)
        .collect();
    let with = |photo: &&'a PhotoInput| (*photo, alone.contains(&photo.id));
    let far: Vec<_> = ordered.iter().filter(|photo| !near.contains(&photo.id)).map(with).collect();
    match ordered.last() {
        // of a few the last comes latest
        Some(last) if far.is_empty() => vec![with(last)],
        _ => far,
    }
}

/// How many pages the book gets, with so many photos over the fold where that can be bound as well.
fn length(
    photos: usize,
    chapters: usize,
    across: usize,
    options: &LayoutOptions,
) -> Result<usize, LayoutError> {
    let without = plan::page_count(photos, chapters, options.pages, options.density)?;
    if across == 0 {
        return Ok(without);
    }
    let wished =
        ((photos - across) as f64 / options.density.per_page()).round() as usize + 2 * across + chapters;
    let near = plan::page_count_near(wished, photos + across, chapters, options.pages, options.density);
    Ok(match near {
        // signatures of four come before photos across the fold
        Ok(count) if count.is_multiple_of(4) || !without.is_multiple_of(4) => count,
        _ => without,
    })
}

/// Longer books, in which each chapter can begin a spread of its own, the shortest first.
fn longer(
    count: usize,
    photos: usize,
    chapters: usize,
    options: &LayoutOptions,
) -> impl Iterator<Item = usize> {
    // the ends and a spread for each; and what signatures of four round away
    let least = (2 * chapters + 2).max(count + 2).next_multiple_of(4);
    let most = if chapters == 0 { 0 } else { least + LONGER };
    let near =
        move |wished| plan::page_count_near(wished, photos, chapters, options.pages, options.density).ok();
    (least..=most).step_by(4).filter_map(near).filter(move |near| *near > count)
}

/// Writes what the layout says by itself: days into captions, and the words over the pages.
fn finished(pages: &mut [Page], ordered: &[&PhotoInput], options: &LayoutOptions) {
    let known: std::collections::BTreeMap<&PhotoId, &PhotoInput> =
        ordered.iter().map(|photo| (&photo.id, *photo)).collect();
    let grid = grid::Grid::new(options.trim, options.style.composition, true);
    let last = pages.len() - 1;
    let mut said = None;
    for (index, page) in pages.iter_mut().enumerate().filter(|(index, _)| (1..last).contains(index)) {
        let shown = || page.photos().filter_map(|frame| known.get(&frame.photo));
        let day = shown().find_map(|photo| photo.taken_at).and_then(dates::Day::of);
        let city = shown().find_map(|photo| photo.city.as_deref());
        if options.captions == Captions::Dates
            && let Some(day) = day
        {
            date(page, day, &mut said);
        }
        let inside = page.photos().next().is_some() && page.photos().all(|frame| frame.frame.y > 0.0);
        if !options.style.composition.heads || options.captions == Captions::None || !inside {
            continue;
        }
        let is_right = index.is_multiple_of(2);
        let words = match is_right {
            true => dates::head(city, day.filter(|_| options.captions == Captions::Dates)),
            false => options.title.clone(),
        };
        if !words.is_empty() {
            page.elements.push(grid.head(&words, is_right));
        }
    }
}

/// Which photos are to stand across the fold, by their places in the order: panoramas, then those that open a part and, in
/// an airy book, the sharpest of every few.
fn across(ordered: &[&PhotoInput], opens: &[bool], options: &LayoutOptions) -> Vec<usize> {
    let bears = |index: &usize| {
        let fold = fold::fold(ordered[*index], options.trim, options.captions != Captions::None);
        fold.is_some_and(|fold| ordered[*index].is_panorama() || fold.fills(options.trim))
    };
    let mut chosen: Vec<usize> = (0..ordered.len())
        .filter(|&index| ordered[index].is_panorama() && ordered[index].aspect() > 1.0)
        .filter(bears)
        .collect();
    let room = ordered.len() / 8;
    if options.density != Density::Dense {
        let parts = opens.iter().filter(|opens| **opens).count();
        let openers =
            (1..ordered.len()).filter(|&index| opens[index] && parts > 1 && !chosen.contains(&index));
        let mut more: Vec<usize> = openers.filter(bears).take(room).collect();
        if options.density == Density::Airy {
            // the middle of every few that has the most pixels
            let every = (1..ordered.len()).collect::<Vec<_>>();
            let largest = every.chunks(7).filter_map(|some| {
                some.iter().copied().filter(bears).max_by(|one, other| {
                    ordered[*one].pixels().total_cmp(&ordered[*other].pixels()).then(other.cmp(one))
                })
            });
            more.extend(largest);
        }
        chosen.extend(more);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The pages on which nothing stands yet: paper without photos that neither names the book or a chapter nor closes it.
pub fn empty_pages(document: &Document) -> impl Iterator<Item = usize> + '_ {
    let is_empty = |page: &Page| {
        page.elements
            .iter()
            .all(|element| matches!(element, Element::Text(block) if block.text.trim().is_empty()))
    };
    document.pages.iter().enumerate().filter(move |(_, page)| is_empty(page)).map(|(index, _)| index)
}

/// A book without photos, for the member to fill: as short as the goods can bind, with a title page, a closing page, and
/// between them paper with a place for words.
///
/// # Errors
/// [`LayoutError::Trim`] and [`LayoutError::NoPageCount`].
pub fn blank(options: &LayoutOptions) -> Result<Document, LayoutError> {
    check_trim(options.trim)?;
    let count = plan::page_count(0, 0, options.pages, options.density)?;
    let pages = (0..count).map(|index| cover::quiet_page(index, count, options)).collect();
    Ok(bound(options, cover::quiet_page(0, count, options), pages))
}

fn bound(options: &LayoutOptions, cover: Page, pages: Vec<Page>) -> Document {
    Document {
        trim: options.trim,
        theme: options.theme.clone(),
        title: options.title.clone(),
        author: options.author.clone(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover,
        pages,
    }
}

/// Writes the day of a page's photos into its caption, where the reader doesn't know it from the page before.
fn date(page: &mut Page, day: dates::Day, said: &mut Option<dates::Day>) {
    let caption = page.elements.iter_mut().find_map(|element| match element {
        Element::Text(block) => Some(block),
        _ => None,
    });
    if let Some(caption) = caption
        && *said != Some(day)
    {
        caption.text = day.after(*said);
        *said = Some(day);
    }
}

fn check(photos: &[PhotoInput], options: &LayoutOptions) -> Result<(), LayoutError> {
    if photos.is_empty() {
        return Err(LayoutError::NoPhotos);
    }
    check_trim(options.trim)?;
    match photos.iter().find(|photo| photo.width == 0 || photo.height == 0) {
        Some(photo) => Err(LayoutError::EmptyPhoto(photo.id.clone())),
        None => Ok(()),
    }
}

fn check_trim(trim: Trim) -> Result<(), LayoutError> {
    let sides = MIN_TRIM_MM..=2000.0;
    let is_page = sides.contains(&trim.width) && sides.contains(&trim.height);
    if is_page { Ok(()) } else { Err(LayoutError::Trim) }
}

impl PhotoInput {
    /// A photo of so many pixels of which nothing else is known.
    pub fn new(id: PhotoId, width: u32, height: u32) -> Self {
        Self {
            id,
            width,
            height,
            taken_at: None,
            subject: None,
            faces: Vec::new(),
            tone: None,
            city: None,
            has_words: false,
        }
    }

    /// Width ÷ height of the upright photo.
    pub(crate) fn aspect(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }

    /// Width × height in pixels.
    pub fn pixels(&self) -> f64 {
        f64::from(self.width) * f64::from(self.height)
    }

    /// Much wider or taller than cameras make them: a panorama, a screenshot. Cutting into it would lose
    /// what it is about.
    pub(crate) fn is_panorama(&self) -> bool {
        let aspect = self.aspect();
        aspect.max(1.0 / aspect) > 2.1
    }
}
