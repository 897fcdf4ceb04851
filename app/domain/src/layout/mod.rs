//! The automatic layout: photos in, a designed book out.
//!
//! It puts photos in order, proposes a page count that the goods can bind, shares the photos out over the
//! pages and chooses a template for each page. The same photos and options always give the same document.
//! Drawing the pages belongs to the press; reading photo files belongs to whoever calls this.
//!
//! What it keeps to:
//! - photos stand in the order of their capture time; those without one follow, in the order they were given;
//! - at least [`MIN_VISIBLE`] of every photo's area is shown, and panoramas are shown whole;
//! - a frame's edge runs through the bleed or stays inside the safe area, never between; frames don't overlap;
//! - the first page and the pages after long pauses open with one large photo;
//! - a template stands at most twice in a row.

mod arrange;
mod choose;
mod cover;
mod dates;
mod fit;
mod order;
mod plan;
mod reflow;
mod spreads;
mod template;

use crate::document::{Crop, Document, Element, Page, Trim};
use crate::ids::PhotoId;

pub use arrange::{Arrangement, arrangements, takes_photos, with_photos};
pub(crate) use reflow::{dressed, guessed, scaled};
pub use reflow::{reflow, with_cover};
pub use spreads::{add_pair, left_pages, remove_pair, swap_with_next};
pub use template::{Placing, Template, Tree, templates};

/// The least part of a photo's area that an automatic layout shows.
pub const MIN_VISIBLE: f64 = 0.80;
/// The most photos on one page.
pub const MAX_PER_PAGE: usize = 6;
/// The most inner pages of a work.
pub const MAX_PAGES: usize = 2_000;
/// The most photos on one page of a book that may still grow.
pub const COMFORTABLE_PER_PAGE: usize = 4;
/// The resolution below which a photo is given a smaller frame, in dots per inch: under it the preflight
/// warns strongly (product page, section 3, "Editor").
pub const MIN_DPI: f64 = 150.0;
/// The smallest page the templates are drawn for, in mm.
pub const MIN_TRIM_MM: f64 = 50.0;

/// A photo as the layout sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoInput {
    pub id: PhotoId,
    /// The upright photo's width in pixels, at least 1.
    pub width: u32,
    /// The upright photo's height in pixels, at least 1.
    pub height: u32,
    /// When it was taken, in epoch milliseconds; absent when the file doesn't say.
    pub taken_at: Option<i64>,
    /// The part that it is about, as fractions of the upright photo; absent where nothing stands out.
    pub subject: Option<Crop>,
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
    let ordered = order::in_order(photos);
    let opens = order::openers(&ordered);
    let mut chapters = if options.chapters { order::chapters(&ordered, &opens) } else { Vec::new() };
    let count = match plan::page_count(photos.len(), chapters.len(), options.pages) {
        // the photos come first
        Err(LayoutError::TooManyPhotos { .. }) if !chapters.is_empty() => {
            chapters.clear();
            plan::page_count(photos.len(), 0, options.pages)?
        }
        count => count?,
    };
    let sheet = fit::Sheet::new(options.trim, options.captions != Captions::None);

    let photo_pages = (count - chapters.len()).min(photos.len());
    let is_dense = photos.len() * 2 > photo_pages * (2 * COMFORTABLE_PER_PAGE - 1);
    let most = if is_dense { MAX_PER_PAGE } else { COMFORTABLE_PER_PAGE };
    let candidates = choose::Candidates::of(&ordered, &opens, &sheet, most);
    let sizes = plan::share_out(&candidates, &opens, photo_pages, !chapters.is_empty());

    // Every page that is not paper: its first photo, and the chapter that it opens where it holds none.
    let mut sides: Vec<(usize, Option<&order::Chapter>)> = Vec::with_capacity(count);
    let mut first = 0;
    for size in &sizes {
        sides.extend(chapters.iter().filter(|chapter| chapter.first == first).map(|one| (first, Some(one))));
        sides.push((first, None));
        first += size;
    }
    let slots = plan::slots(sides.len(), count);
    let photo_slots: Vec<usize> =
        sides.iter().zip(&slots).filter(|(side, _)| side.1.is_none()).map(|(_, slot)| *slot).collect();
    let mut chosen = sizes.iter().zip(choose::choose(&candidates, &sizes, &photo_slots));

    let mut pages: Vec<_> = (0..count).map(|index| cover::quiet_page(index, count, options)).collect();
    let mut said = None;
    for ((first, chapter), slot) in sides.into_iter().zip(slots) {
        if let Some(chapter) = chapter {
            pages[slot] = cover::chapter_page(chapter, options);
        } else if let Some((size, candidate)) = chosen.next() {
            let photos = &ordered[first..first + size];
            // The first page is a right-hand page, so even indexes are.
            pages[slot] = candidate.page(photos, &sheet, slot.is_multiple_of(2));
            if options.captions == Captions::Dates {
                date(&mut pages[slot], photos, &mut said);
            }
        }
    }

    Ok(bound(options, cover::cover(&ordered, &opens, options), pages))
}

/// A book without photos, for the member to fill: as short as the goods can bind, with a title page, a closing page, and
/// between them paper with a place for words.
///
/// # Errors
/// [`LayoutError::Trim`] and [`LayoutError::NoPageCount`].
pub fn blank(options: &LayoutOptions) -> Result<Document, LayoutError> {
    check_trim(options.trim)?;
    let count = plan::page_count(0, 0, options.pages)?;
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
