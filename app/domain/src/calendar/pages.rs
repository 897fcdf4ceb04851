//! A calendar's pages: from photos and what the member decided to a document, and from a document back.
//!
//! The inner pages are the year at a glance, the months, and at the end the next year at a glance wherever that makes
//! the number of pages even. On a calendar with facing pages each month is a photo page and the page with its days.

mod frames;

use super::block::{MonthBlock, MonthPart, WeekStart};
use super::{Anniversary, DaysOff, YearMonth};
use crate::document::{Common, Document, Element, Page, PhotoFrame, Rect, TextBlock, TextRole, Trim};
use crate::layout::{PhotoInput, dressed, guessed};
use crate::titles::words_on;
use frames::Frames;

/// What a calendar is made as.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub trim: Trim,
    /// The name of a press theme.
    pub theme: String,
    /// 1 to 60 characters.
    pub title: String,
    pub start: YearMonth,
    /// 12 or 13.
    pub months: u8,
    pub week_start: WeekStart,
    pub anniversaries: Vec<Anniversary>,
    /// Whether each month's photo has a page of its own.
    pub is_facing: bool,
}

/// Why no calendar can be made. Each text can be shown to a member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalendarError {
    #[error("还没有照片：请先选择至少一张照片")]
    NoPhotos,
    /// More than one for each month and one for the cover.
    #[error("照片太多：选了 {photos} 张，最多放得下 {fits} 张（封面一张，每月一张）")]
    TooManyPhotos { photos: usize, fits: usize },
    /// A photo without width or height.
    #[error("有一张照片没有尺寸，请取消选择它")]
    EmptyPhoto,
}

/// Makes a calendar. Photos stand in the order of the seasons in which they were taken, those without a date last; where
/// there are fewer than months they come again in turn. The cover takes the one that suits it best, for itself alone
/// where there are enough.
///
/// # Errors
/// See [`CalendarError`].
pub fn make(plan: &Plan, photos: &[PhotoInput]) -> Result<Document, CalendarError> {
    if photos.is_empty() {
        return Err(CalendarError::NoPhotos);
    }
    let fits = usize::from(plan.months) + 1;
    if photos.len() > fits {
        return Err(CalendarError::TooManyPhotos { photos: photos.len(), fits });
    }
    if photos.iter().any(|photo| photo.width == 0 || photo.height == 0) {
        return Err(CalendarError::EmptyPhoto);
    }
    let frames = Frames::new(plan.trim);
    let best = (0..photos.len()).max_by(|one, other| {
        let score = |index: &usize| frames.cover_score(&photos[*index]);
        // of equals the first
        score(one).total_cmp(&score(other)).then(other.cmp(one))
    });
    let cover = best.map(|index| photos[index].clone());
    let is_spare = photos.len() > usize::from(plan.months);
    let mut ordered: Vec<&PhotoInput> = photos
        .iter()
        .enumerate()
        .filter(|(index, _)| !is_spare || Some(*index) != best)
        .map(|(_, photo)| photo)
        .collect();
    ordered.sort_by_key(|photo| match photo.taken_at {
        // December may stand before January
        Some(at) => (YearMonth::of(at).map_or(0, |month| month.since(plan.start).rem_euclid(12)), at),
        None => (12, 0),
    });
    let shown: Vec<Option<PhotoInput>> =
        (0..usize::from(plan.months)).map(|index| Some(ordered[index % ordered.len()].clone())).collect();
    Ok(laid_out(plan, cover.as_ref(), &shown))
}

/// Whether a document is a calendar: it has a month's days.
pub fn is_calendar(document: &Document) -> bool {
    grids(document).next().is_some()
}

/// What a calendar was made as; `None` for any other document.
pub fn plan_of(document: &Document) -> Option<Plan> {
    let first = grids(document).next()?;
    let is_month = |page: &&Page| page.months().any(|block| block.part == MonthPart::Grid);
    let months = document.pages.iter().filter(is_month).count();
    let is_facing = document.pages.iter().filter(is_month).all(|page| page.photos().next().is_none());
    Some(Plan {
        trim: document.trim,
        theme: document.theme.clone(),
        title: document.title.clone(),
        start: first.month,
        months: u8::try_from(months).unwrap_or(12),
        week_start: first.week_start,
        anniversaries: first.anniversaries.clone(),
        is_facing,
    })
}

/// Whether days off were published, or corrected, since the calendar was made.
pub fn is_outdated(document: &Document) -> bool {
    document
        .pages
        .iter()
        .flat_map(Page::months)
        .any(|block| shows_days(block.part) && block.days_off != DaysOff::of(block.month))
}

/// The calendar from another month on, with weeks that begin otherwise or other anniversaries, and with the days off
/// that are published now. Photos, texts and everything else stay where they are.
pub fn restarted(
    document: &Document,
    start: YearMonth,
    week_start: WeekStart,
    anniversaries: &[Anniversary],
) -> Document {
    let mut document = document.clone();
    let Some(before) = plan_of(&document).map(|plan| plan.start) else { return document };
    let (months, years) = (start.since(before), overview_year(start) - overview_year(before));
    let pages = std::iter::once(&mut document.cover).chain(&mut document.pages);
    for element in pages.flat_map(|page| &mut page.elements) {
        let Element::Month(block) = element else { continue };
        let shift =
            if matches!(block.part, MonthPart::Grid | MonthPart::Title) { months } else { years * 12 };
        block.month = block.month.plus(shift);
        block.week_start = week_start;
        if block.part == MonthPart::Grid {
            block.anniversaries = anniversaries.to_vec();
        }
        if shows_days(block.part) {
            block.days_off = DaysOff::of(block.month);
        }
    }
    document
}

/// The calendar on another page size: photos and captions stay with their months. `library` holds the photos that are
/// known. Texts that have no place of their own stand where they stood, in proportion.
pub fn resized(document: &Document, library: &[PhotoInput], trim: Trim) -> Document {
    let Some(plan) = plan_of(document) else { return document.clone() };
    let known = |frame: &PhotoFrame| -> PhotoInput {
        library.iter().find(|photo| photo.id == frame.photo).cloned().unwrap_or_else(|| guessed(frame))
    };
    let (mut shown, mut before): (Vec<Option<PhotoInput>>, Option<PhotoInput>) = (Vec::new(), None);
    for page in &document.pages {
        let photo = page.photos().next().map(known);
        if page.months().any(|block| block.part == MonthPart::Grid) {
            shown.push(photo.or_else(|| before.take()));
        } else if photo.is_some() {
            before = photo;
        }
    }
    let cover = document.cover.photos().next().map(known);
    let mut after = laid_out(&Plan { trim, ..plan }, cover.as_ref(), &shown);
    keep_days_off(document, &mut after);
    let pairs = std::iter::once((&document.cover, &mut after.cover))
        .chain(document.pages.iter().zip(&mut after.pages));
    for (old, new) in pairs {
        *new = dressed(std::mem::take(new), old);
        keep_texts(old, new, (document.trim, trim));
    }
    Document {
        author: document.author.clone(),
        description: document.description.clone(),
        category: document.category,
        emoji: document.emoji,
        ..after
    }
}

/// Every text of a page in the place for its role on the new one, or where it stood, in proportion.
fn keep_texts(old: &Page, new: &mut Page, (from, to): (Trim, Trim)) {
    let mut taken: Vec<usize> = Vec::new();
    for block in old.texts() {
        let place = new.elements.iter_mut().enumerate().find_map(|(index, element)| match element {
            Element::Text(place) if place.role == block.role && !taken.contains(&index) => {
                Some((index, place))
            }
            _ => None,
        });
        match place {
            Some((index, place)) => {
                place.take(block);
                taken.push(index);
            }
            None => {
                taken.push(new.elements.len());
                let frame = frames::in_proportion(block.frame, from, to);
                new.elements.push(Element::Text(TextBlock { frame, ..block.clone() }));
            }
        }
    }
}

/// The calendar with this photo on its cover.
pub fn with_cover(document: &Document, photo: &PhotoInput) -> Document {
    let mut document = document.clone();
    let element = Frames::new(document.trim).cover_photo(photo);
    match document.cover.elements.iter_mut().find(|element| matches!(element, Element::Photo(_))) {
        Some(place) => *place = element,
        None => document.cover.elements.insert(0, element),
    }
    document
}

/// A page size alone changes nothing else that was decided: days off stay as they were noted.
fn keep_days_off(before: &Document, after: &mut Document) {
    let noted: Vec<MonthBlock> = before.pages.iter().flat_map(Page::months).cloned().collect();
    for element in after.pages.iter_mut().flat_map(|page| &mut page.elements) {
        if let Element::Month(block) = element
            && let Some(old) = noted.iter().find(|old| (old.part, old.month) == (block.part, block.month))
        {
            block.days_off = old.days_off.clone();
        }
    }
}

/// The blocks with days, in the order of the pages.
fn grids(document: &Document) -> impl Iterator<Item = &MonthBlock> {
    document.pages.iter().flat_map(Page::months).filter(|block| block.part == MonthPart::Grid)
}

fn shows_days(part: MonthPart) -> bool {
    matches!(part, MonthPart::Grid | MonthPart::Small)
}

/// The year that a calendar is of: the one of its seventh month.
fn overview_year(start: YearMonth) -> i32 {
    start.plus(6).year()
}

/// A calendar with one photo for each month.
fn laid_out(plan: &Plan, cover: Option<&PhotoInput>, shown: &[Option<PhotoInput>]) -> Document {
    let frames = Frames::new(plan.trim);
    let year = overview_year(plan.start);
    let mut pages = vec![year_page(plan, &frames, year)];
    for (offset, photo) in (0..).zip(shown) {
        if plan.is_facing {
            let elements = photo.iter().map(|photo| frames.photo_page(photo)).collect();
            pages.push(Page { elements, ..Page::default() });
        }
        pages.push(month_page(plan, &frames, plan.start.plus(offset), photo.as_ref()));
    }
    if pages.len() % 2 == 1 {
        pages.push(year_page(plan, &frames, year + 1));
    }
    let (year_frame, title_frame) = frames.cover_words();
    let mut elements: Vec<Element> = cover.map(|photo| frames.cover_photo(photo)).into_iter().collect();
    elements.extend(block(plan, year_frame, MonthPart::Year, YearMonth::new(year, 1)));
    let mut cover = Page { elements, ..Page::default() };
    let title = text(title_frame, TextRole::Title, words_on(&cover, &plan.title));
    cover.elements.push(title);
    Document {
        trim: plan.trim,
        theme: plan.theme.clone(),
        title: plan.title.clone(),
        author: String::new(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover,
        pages,
    }
}

/// A month; with an empty caption for the member to fill.
fn month_page(plan: &Plan, frames: &Frames, month: YearMonth, photo: Option<&PhotoInput>) -> Page {
    let places = frames.month(photo.filter(|_| !plan.is_facing), plan.is_facing);
    let mut elements: Vec<Element> = places.photo.into_iter().collect();
    elements.extend(block(plan, places.title, MonthPart::Title, Some(month)));
    elements.extend(block(plan, places.grid, MonthPart::Grid, Some(month)));
    elements.push(text(places.caption, TextRole::Caption, ""));
    Page { elements, ..Page::default() }
}

/// Twelve months at a glance.
fn year_page(plan: &Plan, frames: &Frames, year: i32) -> Page {
    let (head, months) = frames.year();
    let mut elements: Vec<Element> =
        block(plan, head, MonthPart::Year, YearMonth::new(year, 1)).into_iter().collect();
    for (month, frame) in (1..).zip(months) {
        elements.extend(block(plan, frame, MonthPart::Small, YearMonth::new(year, month)));
    }
    Page { elements, ..Page::default() }
}

fn text(frame: Rect, role: TextRole, text: &str) -> Element {
    Element::Text(TextBlock::new(frame, role, text))
}

fn block(plan: &Plan, frame: Rect, part: MonthPart, month: Option<YearMonth>) -> Option<Element> {
    let month = month?;
    Some(Element::Month(MonthBlock {
        common: Common::default(),
        frame,
        part,
        month,
        week_start: plan.week_start,
        anniversaries: if part == MonthPart::Grid { plan.anniversaries.clone() } else { Vec::new() },
        days_off: if shows_days(part) { DaysOff::of(month) } else { DaysOff::default() },
    }))
}
