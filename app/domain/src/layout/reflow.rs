//! A finished book on another page size, and with another photo on its cover.
//!
//! Every page keeps its photos, in their order, and its texts; only where they stand is chosen anew, by the same
//! templates as a new book's pages. What a member wrote is never left out: a text that has no place in a template
//! stands where it stood, in proportion.

use super::choose::{self, Candidate, Candidates};
use super::cover::composed;
use super::fold::Half;
use super::style::style_of;
use super::{Captions, LayoutError, LayoutOptions, MAX_PER_PAGE, PhotoInput, check_trim, cover, fit, order};
use crate::calendar::MonthBlock;
use crate::document::{
    CodeBlock, Common, Crop, Document, Element, Ink, Page, PaletteColour, PhotoFrame, Rect, Shape, TextBlock,
    TextRole, Trim,
};

/// Pixels for a millimetre of a photo that nobody knows any more, so that it is placed as if it were sharp.
const SHARP: f64 = 12.0;

/// The document with this photo on its cover.
pub fn with_cover(document: &Document, photo: &PhotoInput) -> Document {
    let options = options(document, document.trim);
    let mut photos: Vec<PhotoInput> = document.cover.photos().map(guessed).collect();
    let style = style_of(&document.cover, &photos.iter().collect::<Vec<_>>(), &options);
    if photos.is_empty() {
        photos.push(photo.clone());
    } else {
        photos[0] = photo.clone();
    }
    let front = composed(style, &photos.iter().collect::<Vec<_>>(), &options)
        .unwrap_or_else(|| cover::cover_of(photo, &options));
    let front = carried(&bare(&document.cover), front, document.trim, document.trim);
    Document { cover: dressed(front, &document.cover), ..document.clone() }
}

/// The document on another page size. `library` holds the photos that are known. A book of fewer than `least` pages
/// gets empty ones before its last page; no page is ever left out.
///
/// # Errors
/// [`LayoutError::Trim`] where the page is no page.
pub fn reflow(
    document: &Document,
    library: &[PhotoInput],
    trim: Trim,
    least: usize,
) -> Result<Document, LayoutError> {
    check_trim(trim)?;
    if !document.files().is_empty() {
        return Ok(crate::manuscript::refitted(document, trim, least));
    }
    let old = document.trim;
    let options = options(document, trim);
    let known = |frame: &PhotoFrame| {
        library.iter().find(|photo| photo.id == frame.photo).cloned().unwrap_or_else(|| guessed(frame))
    };
    let length = document.pages.len();
    let count = length.max(least);
    let place = |index: usize| if index + 1 == length { count - 1 } else { index };

    // the templates are for pages of one to six photos
    let across = |index: usize| super::fold::is_half(document, index);
    let fits = |page: &Page| (1..=MAX_PER_PAGE).contains(&page.photos().count());
    let photos: Vec<PhotoInput> =
        document.pages.iter().filter(|page| fits(page)).flat_map(Page::photos).map(known).collect();
    let ordered: Vec<&PhotoInput> = photos.iter().collect();
    let sheet = fit::Sheet::new(trim, true);
    let most = document.pages.iter().filter(|page| fits(page)).map(|page| page.photos().count()).max();
    let shown: Vec<&PhotoInput> = photos.iter().collect();
    let opens = order::openers(&shown, &order::times(&photos), order::Parts::default());
    let candidates = Candidates::of(&ordered, &opens, &sheet, most.unwrap_or(1));
    let (sizes, slots): (Vec<usize>, Vec<usize>) = document
        .pages
        .iter()
        .enumerate()
        .filter(|(_, page)| fits(page))
        .map(|(index, page)| (page.photos().count(), place(index)))
        .unzip();
    let mut chosen = choose::choose(&candidates, &sizes, &slots).into_iter();

    let mut pages: Vec<Page> = (0..count).map(|index| cover::quiet_page(index, count, &options)).collect();
    let mut first = 0;
    for (index, page) in document.pages.iter().enumerate() {
        let place = place(index);
        let candidate = if fits(page) { chosen.next() } else { None };
        let new = match candidate {
            Some(_) if across(index) && place == index => {
                let (photo, is_left) = (ordered[first], super::fold::is_left_half(document, index));
                first += 1;
                let half = if is_left { Half::Left } else { Half::Right };
                let new = match super::fold::fold(photo, trim, true) {
                    Some(fold) => fold.page(photo, half),
                    // it stands whole on one of the two
                    None if is_left => cover::quiet_page(1, 3, &options),
                    None => with_one(photo, &sheet),
                };
                carried(page, new, old, trim)
            }
            Some(candidate) => {
                let size = page.photos().count();
                let candidate = readable(candidate, candidates.get(first, size), page);
                let new = candidate.page(&ordered[first..first + size], &sheet, place.is_multiple_of(2));
                first += size;
                carried(page, new, old, trim)
            }
            None if page.elements.is_empty() => Page::default(),
            None if page.photos().next().is_none() && !is_chapter(page) => {
                carried(page, cover::quiet_page(place, count, &options), old, trim)
            }
            None => scaled(page, old, trim),
        };
        pages[place] = dressed(new, page);
    }
    let shown: Vec<PhotoInput> = document.cover.photos().map(known).collect();
    let shown: Vec<&PhotoInput> = shown.iter().collect();
    let front = match shown.first() {
        Some(photo) => {
            let style = style_of(&document.cover, &shown, &self::options(document, old));
            let front = composed(style, &shown, &options).unwrap_or_else(|| cover::cover_of(photo, &options));
            carried(&bare(&document.cover), front, old, trim)
        }
        None => scaled(&document.cover, old, trim),
    };
    let cover = dressed(front, &document.cover);
    let variants = document.variants.clone().map(|mut variants| {
        for page in variants.copies.iter_mut().flat_map(|copy| &mut copy.pages) {
            *page = scaled(page, old, trim);
        }
        variants
    });
    Ok(Document { trim, cover, pages, variants, ..document.clone() })
}

/// A page with this photo alone, as well as it stands.
fn with_one(photo: &PhotoInput, sheet: &fit::Sheet) -> Page {
    let candidates = Candidates::of(&[photo], &[false], sheet, 1);
    let best = candidates.get(0, 1).iter().min_by(|one, other| one.fitted.cost.total_cmp(&other.fitted.cost));
    best.map_or_else(Page::default, |best| best.page(&[photo], sheet, true))
}

/// A cover without what a composition lays under its title.
pub(super) fn bare(cover: &Page) -> Page {
    let is_label = |element: &Element| matches!(element, Element::Shape(shape) if shape.fill == Some(Ink::Theme(PaletteColour::Paper)));
    let mut cover = cover.clone();
    cover.elements.retain(|element| !is_label(element));
    cover
}

/// Whether a page names a part of its book.
pub(super) fn is_chapter(page: &Page) -> bool {
    page.photos().next().is_none() && page.texts().any(|block| block.role == TextRole::Heading)
}

/// A page of paper with a place for words, as it stands between the first and the last.
pub(super) fn paper(document: &Document) -> Page {
    cover::quiet_page(1, 3, &options(document, document.trim))
}

pub(super) fn options(document: &Document, trim: Trim) -> LayoutOptions {
    LayoutOptions {
        trim,
        pages: super::PageRange { min: 0, max: 0, step: 0 },
        title: document.title.clone(),
        author: document.author.clone(),
        theme: document.theme.clone(),
        captions: Captions::Empty,
        chapters: false,
        parts: Default::default(),
        density: Default::default(),
        style: Default::default(),
    }
}

/// A photo that nobody knows any more, as its frame shows it.
pub(crate) fn guessed(frame: &PhotoFrame) -> PhotoInput {
    let pixels = |length: f64, part: f64| (length / part.max(0.01) * SHARP).clamp(1.0, 30_000.0) as u32;
    PhotoInput::new(
        frame.photo.clone(),
        pixels(frame.frame.width, frame.crop.width),
        pixels(frame.frame.height, frame.crop.height),
    )
}

/// The chosen template, or the best one with room for a caption where the page has one.
fn readable<'a>(chosen: &'a Candidate, fitting: &'a [Candidate], page: &Page) -> &'a Candidate {
    if chosen.fitted.has_caption() || page.texts().all(|block| block.text.is_empty()) {
        return chosen;
    }
    let roomy = fitting.iter().filter(|candidate| candidate.fitted.has_caption());
    roomy.min_by(|one, other| one.fitted.cost.total_cmp(&other.fitted.cost)).unwrap_or(chosen)
}

/// A page with the name, the theme and the background of another, in whose place it stands.
pub(crate) fn dressed(page: Page, like: &Page) -> Page {
    let (id, theme) = (like.id.clone(), like.theme.clone());
    Page { id, theme, ground: like.ground, background: like.background, ..page }
}

/// The new page with the old one's texts, each in the place for its role, with its shapes, and with what was said of its
/// photos.
pub(super) fn carried(old: &Page, mut new: Page, from: Trim, to: Trim) -> Page {
    carry_photos(old, &mut new);
    let mut free: Vec<usize> = new
        .elements
        .iter()
        .enumerate()
        .filter_map(|(index, element)| matches!(element, Element::Text(_)).then_some(index))
        .collect();
    let mut homeless = Vec::new();
    for block in old.texts() {
        let role =
            |index: &usize| matches!(&new.elements[*index], Element::Text(place) if suits(place, block));
        match free.iter().position(role) {
            Some(at) => {
                if let Element::Text(place) = &mut new.elements[free.remove(at)] {
                    place.take(block);
                }
            }
            None if block.text.is_empty() => {}
            None => homeless
                .push(Element::Text(TextBlock { frame: moved(block.frame, from, to), ..block.clone() })),
        }
    }
    // a title that the old page did not have
    let mut index = 0;
    new.elements.retain(|element| {
        let is_new =
            free.contains(&index) && matches!(element, Element::Text(block) if !block.text.is_empty());
        index += 1;
        !is_new
    });
    new.elements.extend(homeless);
    carry_shapes(old, &mut new, from, to);
    new
}

/// What was said of a photo stays with it; only where it stands is new.
fn carry_photos(old: &Page, new: &mut Page) {
    let mut left: Vec<&PhotoFrame> = old.photos().collect();
    for element in &mut new.elements {
        if let Element::Photo(frame) = element
            && let Some(at) = left.iter().position(|known| known.photo == frame.photo)
        {
            dress_photo(frame, left.remove(at));
        }
    }
}

/// Gives a photo what was said of it where it stood.
pub(super) fn dress_photo(frame: &mut PhotoFrame, known: &PhotoFrame) {
    frame.common = Common { rotation: 0.0, ..known.common.clone() };
    (frame.border, frame.radius, frame.mask) = (known.border, known.radius, known.mask);
}

/// Shapes stand where they stood, in proportion: under everything, or over everything. So do codes, over everything.
fn carry_shapes(old: &Page, new: &mut Page, from: Trim, to: Trim) {
    let is_shape = |element: &&Element| matches!(element, Element::Shape(_));
    let first = old.elements.iter().take_while(is_shape).count();
    for (place, element) in old.elements.iter().enumerate() {
        let carried = match element {
            Element::Shape(shape) => {
                Element::Shape(Shape { frame: moved(shape.frame, from, to), ..shape.clone() })
            }
            Element::Code(code) => Element::Code(moved_code(code, from, to)),
            _ => continue,
        };
        new.elements.insert(if place < first { place } else { new.elements.len() }, carried);
    }
}

/// Whether a text is said beside photos: a caption or a column of text.
pub(super) fn is_beside(block: &TextBlock) -> bool {
    matches!(block.role, TextRole::Caption | TextRole::Body)
}

/// Whether a text may stand in a place.
fn suits(place: &TextBlock, block: &TextBlock) -> bool {
    place.role == block.role || (is_beside(place) && is_beside(block))
}

/// The page in proportion; photos fill their frames anew.
pub(crate) fn scaled(page: &Page, from: Trim, to: Trim) -> Page {
    let element = |element: &Element| match element {
        Element::Photo(shown) => {
            let frame = moved(shown.frame, from, to);
            let crop = Crop::fill(guessed(shown).aspect(), frame.aspect());
            Element::Photo(PhotoFrame { frame, crop, ..shown.clone() })
        }
        Element::Text(block) => {
            Element::Text(TextBlock { frame: moved(block.frame, from, to), ..block.clone() })
        }
        Element::Pdf(pdf) => Element::Pdf(crate::manuscript::moved(pdf, from, to)),
        Element::Month(block) => {
            Element::Month(MonthBlock { frame: moved(block.frame, from, to), ..block.clone() })
        }
        Element::Shape(shape) => {
            Element::Shape(Shape { frame: moved(shape.frame, from, to), ..shape.clone() })
        }
        Element::Code(code) => Element::Code(moved_code(code, from, to)),
    };
    dressed(Page { elements: page.elements.iter().map(element).collect(), ..Page::default() }, page)
}

/// A code where it stood in proportion, as large as it was: a smaller one may not be read.
fn moved_code(code: &CodeBlock, from: Trim, to: Trim) -> CodeBlock {
    let (size, there) = (code.frame, moved(code.frame, from, to));
    let middle = |from: f64, wide: f64, size: f64| from + (wide - size) / 2.0;
    let frame = fit::rounded(Rect {
        x: middle(there.x, there.width, size.width),
        y: middle(there.y, there.height, size.height),
        ..size
    });
    CodeBlock { frame, ..code.clone() }
}

/// A frame in proportion to the page with its bleed, so that what ran off the page still does.
fn moved(frame: Rect, from: Trim, to: Trim) -> Rect {
    let (from, to) = (from.with_bleed(), to.with_bleed());
    let (across, down) = (to.width / from.width, to.height / from.height);
    fit::rounded(Rect {
        x: (frame.x - from.x) * across + to.x,
        y: (frame.y - from.y) * down + to.y,
        width: frame.width * across,
        height: frame.height * down,
    })
}
