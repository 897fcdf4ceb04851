//! The automatic layout: photos in, a designed book out.
//!
//! It puts photos in order, proposes a page count that the goods can bind, shares the photos out over the
//! pages and chooses a template for each page. The same photos and options always give the same document.
//! Drawing the pages belongs to the press; reading photo files belongs to whoever calls this.
//!
//! What it keeps to:
//! - photos stand in the order of their capture time; those without one follow, in the order they were given;
//! - faces stay whole, out of the fold and clear of the trim, wherever their photo can be shown so;
//! - at least [`MIN_VISIBLE`] of every photo's area is shown, and panoramas are shown whole;
//! - a frame's edge runs through the bleed or stays inside the safe area, never between; frames don't overlap;
//! - the first page and the pages after long pauses open with one large photo;
//! - a template stands at most twice in a row.

mod arrange;
mod choose;
mod cover;
mod dates;
mod density;
mod faces;
mod fit;
mod fold;
mod order;
mod plan;
mod reflow;
mod relay;
mod small;
mod spreads;
mod style;
mod template;
mod ways;

use crate::document::{Crop, Document, Element, Page, Trim};
use crate::faces::Face;
use crate::ids::PhotoId;

pub use arrange::{Arrangement, arrangements, takes_photos, with_photos};
pub use dates::title_of;
pub use density::Density;
pub(crate) use faces::crop;
pub use faces::{FaceLoss, lost_faces};
pub use fit::margin_of;
pub use fold::{is_across, is_half};
pub use order::Parts;
pub(crate) use reflow::{dressed, guessed, scaled};
pub use reflow::{reflow, with_cover};
pub use relay::{Relay, dated, is_by_time, relaid};
pub use spreads::{add_pair, copy_pair, is_free, left_pages, remove_pair, swap_with_next};
pub use style::{ChapterStyle, CoverStyle, Style, cover_ways, restyle_chapters};
pub use template::{Placing, Template, Tree, templates};
pub use ways::{SpreadWay, spread_ways};

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
/// The resolution below which a photo is given a smaller frame, in dots per inch: under it the preflight
/// warns strongly (product page, section 3, "Editor").
pub const MIN_DPI: f64 = 150.0;
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
/// the nearest to about two photos a page. Only where there are fewer photos than pages does a book get pages
/// without photos: a title page first, a closing page last, then quiet pages facing the photos. Chapter pages come on
/// top, and are left out where the goods' longest book has no room for them.
///
/// # Errors
/// See [`LayoutError`].
pub fn lay_out(photos: &[PhotoInput], options: &LayoutOptions) -> Result<Document, LayoutError> {
    check(photos, options)?;
    let (ordered, times) = order::in_order(photos);
    let opens = order::openers(&times, options.parts);
    let mut chapters = if options.chapters { order::chapters(&times, &opens) } else { Vec::new() };
    let page_count = |photos, chapters| plan::page_count(photos, chapters, options.pages, options.density);
    if let Err(LayoutError::TooManyPhotos { .. }) = page_count(photos.len(), chapters.len()) {
        // the photos come first
        chapters.clear();
    }
    let mut across = across(&ordered, &opens, options);
    let pages = loop {
        match laid(&ordered, &opens, &chapters, &across, options)? {
            Some(pages) => break pages,
            None if across.is_empty() => break Vec::new(),
            // where not all of them can begin on the left, the first half may
            None => across.truncate(across.len() / 2),
        }
    };
    Ok(bound(options, cover::cover(&ordered, &opens, options), pages))
}

/// Which photos are to stand across the fold, by their places in the order: panoramas, then those that open a part and, in
/// an airy book, the sharpest of every few.
fn across(ordered: &[&PhotoInput], opens: &[bool], options: &LayoutOptions) -> Vec<usize> {
    let bears = |index: &usize| {
        let fold = fold::fold(ordered[*index], options.trim, options.captions != Captions::None);
        fold.is_some_and(|fold| ordered[*index].is_panorama() || fold.fills(options.trim))
    };
    let mut chosen: Vec<usize> = (0..ordered.len())
        // the very first page faces nothing
        .filter(|&index| index > 0 && (ordered[index].is_panorama() && ordered[index].aspect() > 1.0))
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

/// The pages with these photos across the fold. Nothing where those can't all begin on a left-hand page; there always are
/// pages without any.
fn laid(
    ordered: &[&PhotoInput],
    opens: &[bool],
    chapters: &[order::Chapter],
    across: &[usize],
    options: &LayoutOptions,
) -> Result<Option<Vec<Page>>, LayoutError> {
    let begins: Vec<usize> = chapters.iter().map(|chapter| chapter.first).collect();
    let (across, wished) = plan::on_left_pages(across, ordered.len(), &begins, options.density);
    let (photos, others) = (ordered.len() + across.len(), chapters.len());
    let near = if across.is_empty() {
        plan::page_count(photos, others, options.pages, options.density)
    } else {
        plan::page_count_near(wished, photos, others, options.pages, options.density)
    };
    let count = match near {
        Err(LayoutError::TooManyPhotos { .. }) if !across.is_empty() => return Ok(None),
        count => count?,
    };
    // signatures of four come before photos across the fold
    let without = plan::page_count(ordered.len(), chapters.len(), options.pages, options.density)?;
    if without.is_multiple_of(4) && !count.is_multiple_of(4) {
        return Ok(None);
    }
    let sheet = fit::Sheet::new(options.trim, options.captions != Captions::None);
    let room = count - chapters.len();
    // quiet pages stand anywhere: then photos reach over to those that they face instead
    let reach = ordered.len() < room;
    let across = if reach { Vec::new() } else { across };

    // a photo across the fold counts as two, each with a page of its own
    let mut items: Vec<(usize, Option<plan::Half>)> = Vec::with_capacity(ordered.len() + across.len());
    for index in 0..ordered.len() {
        if across.contains(&index) {
            items.extend([(index, Some(plan::Half::Left)), (index, Some(plan::Half::Right))]);
        } else {
            items.push((index, None));
        }
    }
    let halves: Vec<Option<plan::Half>> = items.iter().map(|item| item.1).collect();
    let begins = |item: &(usize, Option<plan::Half>)| item.1 != Some(plan::Half::Right) && opens[item.0];
    let opens: Vec<bool> = items.iter().map(begins).collect();
    let before: Vec<usize> =
        items.iter().map(|item| chapters.iter().filter(|chapter| chapter.first <= item.0).count()).collect();
    let photos: Vec<&PhotoInput> = items.iter().map(|item| ordered[item.0]).collect();

    let photo_pages = room.min(photos.len());
    let comfortable = options.density.comfortable();
    let is_over = |most: usize| photos.len() * 2 > photo_pages * (2 * most - 1);
    let most = [comfortable, CROWDED_PER_PAGE.max(comfortable), MAX_PER_PAGE]
        .into_iter()
        .find(|most| !is_over(*most))
        .unwrap_or(MAX_PER_PAGE);
    let candidates = choose::Candidates::of(&photos, &opens, &sheet, most);
    let parted = !chapters.is_empty();
    let Some(sizes) = plan::share_out(&candidates, &opens, photo_pages, parted, &halves, &before) else {
        return Ok(None);
    };

    // Every page that is not paper: its first photo, and the chapter that it opens where it holds none.
    let mut sides: Vec<(usize, Option<&order::Chapter>)> = Vec::with_capacity(count);
    let mut first = 0;
    for size in &sizes {
        let is_here = |chapter: &&order::Chapter| chapter.first == items[first].0 && opens[first];
        sides.extend(chapters.iter().filter(is_here).map(|one| (first, Some(one))));
        sides.push((first, None));
        first += size;
    }
    let slots = plan::slots(sides.len(), count);
    let photo_slots: Vec<usize> =
        sides.iter().zip(&slots).filter(|(side, _)| side.1.is_none()).map(|(_, slot)| *slot).collect();
    let mut chosen = sizes.iter().zip(choose::choose(&candidates, &sizes, &photo_slots));

    let mut pages: Vec<_> = (0..count).map(|index| cover::quiet_page(index, count, options)).collect();
    let mut said = None;
    let captions = options.captions != Captions::None;
    for ((first, chapter), slot) in sides.into_iter().zip(slots) {
        if let Some(chapter) = chapter {
            pages[slot] = cover::chapter_page(chapter, options);
        } else if let Some((size, candidate)) = chosen.next() {
            let on_page = &photos[first..first + size];
            let fold =
                halves[first].and_then(|half| Some((half, fold::fold(on_page[0], options.trim, captions)?)));
            // The first page is a right-hand page, so even indexes are.
            pages[slot] = match fold {
                Some((half, fold)) => fold.page(on_page[0], half),
                None => candidate.page(on_page, &sheet, slot.is_multiple_of(2)),
            };
            if reach && *size == 1 {
                reach_over(&mut pages, slot, on_page[0], opens[first], options);
            }
            if options.captions == Captions::Dates {
                date(&mut pages[slot], on_page, &mut said);
            }
        }
    }
    Ok(Some(pages))
}

/// Lets the photo of a right-hand page reach over a quiet page that it faces: a panorama always, in an airy book whatever
/// can bear it.
fn reach_over(pages: &mut [Page], slot: usize, photo: &PhotoInput, opens: bool, options: &LayoutOptions) {
    let is_quiet =
        |page: &Page| page.texts().all(|block| block.text.is_empty()) && page.photos().next().is_none();
    let left = slot.wrapping_sub(1);
    // the very first pages are the title's
    if slot < 2 || !slot.is_multiple_of(2) || !is_quiet(&pages[left]) {
        return;
    }
    let Some(fold) = fold::fold(photo, options.trim, options.captions != Captions::None) else { return };
    let wants =
        photo.is_panorama() || options.density == Density::Airy || (opens && fold.fills(options.trim));
    if wants {
        pages[left] = fold.page(photo, plan::Half::Left);
        pages[slot] = fold.page(photo, plan::Half::Right);
    }
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
        cover,
        pages,
    }
}

/// Writes the day of a page's photos into its caption, where the reader doesn't know it from the page before.
fn date(page: &mut Page, photos: &[&PhotoInput], said: &mut Option<dates::Day>) {
    let Some(day) = photos.iter().find_map(|photo| photo.taken_at).and_then(dates::Day::of) else { return };
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
    /// Width ÷ height of the upright photo.
    pub(crate) fn aspect(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }

    /// Width × height in pixels.
    pub(crate) fn pixels(&self) -> f64 {
        f64::from(self.width) * f64::from(self.height)
    }

    /// Much wider or taller than cameras make them: a panorama, a screenshot. Cutting into it would lose
    /// what it is about.
    pub(crate) fn is_panorama(&self) -> bool {
        let aspect = self.aspect();
        aspect.max(1.0 / aspect) > 2.1
    }
}
