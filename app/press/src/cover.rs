//! The whole cover as the binding makes it: what the front has beside its page, words that can be read on the spine, and
//! the picture that a member sees of it.

use std::borrow::Cow;

use domain::binding::{CoverSheet, CoverSides, Embellishment};
use domain::document::{BLEED_MM, Colour, Crop, Document, Element, Page, Rect, Shape, ShapeKind};
use domain::ornament::Ornament;
use photo::{Pixels, Resizer, encode, resize};
use serde::Serialize;

use crate::error::PressError;
use crate::screen::{Darkroom, Proxies, rendered};
use crate::sheet::{Sheet, check};
use crate::world::typeset;

/// A spine from this width on carries words, in mm.
pub(crate) const SPINE_WORDS_FROM_MM: f64 = 6.0;
/// The share of the spine's height that the title may fill.
pub(crate) const SPINE_WORDS_SHARE: f64 = 0.58;
/// The least height of words that are read on a shelf, in mm: 6 pt.
const READABLE_MM: f64 = 6.0 * 25.4 / 72.0;
/// The most, in mm: 15 pt.
const LARGEST_MM: f64 = 15.0 * 25.4 / 72.0;
/// The share of the title's height that the author's name has on the spine.
const AUTHOR_SHARE: f64 = 0.72;
/// How near to the edge of the bleed something ends that is meant to run off, in mm.
const NEAR_MM: f64 = 0.5;
/// The quality of a picture of the cover.
const WEBP_QUALITY: f32 = 82.0;

/// A cover as the themes draw it, in mm.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SheetCover {
    pub face_width: f64,
    pub face_height: f64,
    /// Where the page that the front was made of begins on the face.
    pub page_x: f64,
    pub page_y: f64,
    pub groove: f64,
    pub spine: f64,
    /// Around the faces: bleed or turn-in.
    pub around: f64,
    /// Where the front begins.
    pub front: f64,
    /// How much of what is around is part of the page itself: all of it in a picture, nothing in print, where it is bleed.
    pub inset: f64,
    /// Front and back are leaves of their own.
    pub leaves: bool,
    /// The sheet has a second side.
    pub inside: bool,
    /// How many of the sheet's pages are drawn on it, from the first.
    pub sides: usize,
    /// How many covers follow one another, each of as many pages.
    #[serde(skip_serializing_if = "is_one")]
    pub copies: usize,
    pub words: Option<SpineWords>,
    pub guides: Option<CoverGuides>,
    /// Drawn for the shop: what is put on besides ink stands on a page of its own, the last one.
    pub is_print: bool,
    /// Which of the front's elements are put on besides ink.
    pub plated: Vec<usize>,
    /// Whether these stand in the place of ink.
    pub foil: bool,
    /// Whether they are raised. What is left out where it says nothing keeps the bytes of files that were made before: a file's
    /// identity is taken from all that it is drawn from.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub raised: bool,
    /// What is put on besides ink and words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ornament: Option<SheetOrnament>,
    /// The colour of a material that takes no print.
    pub cloth: Option<Colour>,
}

/// An ornament on the front's face, in mm.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct SheetOrnament {
    pub name: Ornament,
    #[serde(flatten)]
    pub place: Rect,
}

/// The words on the spine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SpineWords {
    /// The height of the title's characters, in mm.
    pub size: f64,
    /// The share of the book's height that it may fill; a longer one is set smaller.
    pub share: f64,
    /// The height of the author's characters; nothing where they could not be read.
    pub author: Option<f64>,
}

/// The lines that a member sees over its cover, from the corner of what is seen.
#[derive(Debug, Serialize)]
pub(crate) struct CoverGuides {
    pub folds: Vec<f64>,
    pub safe: Vec<Rect>,
    /// How thick they are, in mm: a picture is small.
    pub thickness: f64,
}

/// What a cover is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// The shop: both sides, no lines.
    Print,
    /// The member: the outside with lines.
    Proof,
    /// The same as a picture, with what is around it.
    Picture,
    /// What is seen of the finished book, without lines.
    Seen,
}

/// The pages that are drawn on a cover: the front, and what stands inside it.
pub(crate) fn sides<'d>(document: &'d Document, cover: &CoverSheet) -> Vec<&'d Page> {
    let mut sides = vec![&document.cover];
    if cover.sides == CoverSides::OutsideAndPages
        && let [first, .., last] = document.pages.as_slice()
    {
        sides.extend([first, last]);
    }
    sides
}

fn is_one(copies: &usize) -> bool {
    *copies == 1
}

impl SheetCover {
    /// Whether anything is put on besides ink.
    pub fn has_plate(&self) -> bool {
        !self.plated.is_empty() || self.ornament.is_some()
    }

    /// Of a document whose front is drawn as it lies on this cover ([`with_front`]).
    pub fn of(document: &Document, cover: &CoverSheet, view: View) -> Self {
        let (page_x, page_y) = cover.page_on_face();
        let guides = matches!(view, View::Proof | View::Picture).then(|| CoverGuides {
            folds: cover.folds(),
            safe: cover.safe_areas(),
            thickness: if view == View::Picture { cover.sheet().width / 900.0 } else { 0.14 },
        });
        let has_inside = matches!(cover.sides, CoverSides::OutsideAndPages | CoverSides::OutsideAndBlank);
        Self {
            face_width: cover.face.width,
            face_height: cover.face.height,
            page_x,
            page_y,
            groove: cover.groove_mm,
            spine: cover.spine_mm,
            around: cover.around_mm,
            front: cover.front_mm(),
            inset: if view == View::Picture { cover.around_mm } else { 0.0 },
            leaves: matches!(cover.sides, CoverSides::Leaves(_)),
            inside: view == View::Print && has_inside,
            sides: if view == View::Print { sides(document, cover).len() } else { 1 },
            copies: 1,
            words: spine_words(document, cover).ok(),
            guides,
            is_print: view == View::Print,
            plated: cover.plated(&document.cover),
            foil: cover.embellishment.is_some_and(Embellishment::replaces_ink),
            raised: cover.embellishment == Some(Embellishment::Emboss),
            ornament: cover.ornament(&document.cover).map(|(name, place)| SheetOrnament { name, place }),
            cloth: cover.cloth,
        }
    }
}

/// Why a spine carries no words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wordless {
    /// There is none.
    NoSpine,
    /// It is too narrow.
    Narrow,
    /// The title is so long that nobody could read it.
    Long,
}

/// How the words on the spine are set, where they can be read.
pub(crate) fn spine_words(document: &Document, cover: &CoverSheet) -> Result<SpineWords, Wordless> {
    if cover.spine_mm <= 0.0 {
        return Err(Wordless::NoSpine);
    }
    let size = (cover.spine_mm / 2.0).min(cover.spine_room_mm()).min(LARGEST_MM);
    // on cloth they are pressed on by a die
    let die = cover.embellishment.filter(|_| cover.cloth.is_some());
    let least = die.map_or(READABLE_MM, |die| die.least_size_pt() * 25.4 / 72.0);
    if cover.spine_mm < SPINE_WORDS_FROM_MM || size < least {
        return Err(Wordless::Narrow);
    }
    let room = cover.page.height * SPINE_WORDS_SHARE;
    let length: f64 = document.title.chars().map(|character| advance(character) * size).sum();
    if size * (room / length).min(1.0) < least {
        return Err(Wordless::Long);
    }
    let author = Some(size * AUTHOR_SHARE).filter(|size| *size >= least);
    Ok(SpineWords { size, share: SPINE_WORDS_SHARE, author })
}

/// Why the title does not stand on a book's spine, for the shop; `None` where it does.
pub fn spine_refusal(document: &Document, cover: &CoverSheet) -> Option<&'static str> {
    spine_words(document, cover).err().map(|reason| match reason {
        Wordless::NoSpine => "没有书脊",
        Wordless::Narrow => "书脊太窄",
        Wordless::Long => "书名太长，字会小到看不清",
    })
}

/// About how far a character reaches along the spine, in its own height: Chinese ones are square and have air between
/// them, others are turned.
fn advance(character: char) -> f64 {
    if character < '\u{2e80}' { 0.6 } else { 1.12 }
}

/// The front as it is drawn on its cover. On cloth there is nothing but what is put on besides ink. Over boards what runs off
/// the page runs to the fold at the spine and around the board's edges.
pub(crate) fn wrapped<'p>(front: &'p Page, cover: &CoverSheet) -> Cow<'p, Page> {
    if cover.cloth.is_some() {
        return cover.front_as_made(front);
    }
    if !cover.is_case() {
        return Cow::Borrowed(front);
    }
    let (x, y) = cover.page_on_face();
    let page = cover.page;
    let (left, top) = (-(x + cover.groove_mm), -(y + cover.around_mm));
    let (right, bottom) = (page.width + x + cover.around_mm, page.height + y + cover.around_mm);
    let mut front = front.clone();
    for element in &mut front.elements {
        let rotation = element.common().rotation;
        let frame = element.frame();
        if rotation != 0.0 {
            continue;
        }
        let mut edges = [frame.x, frame.y, frame.x + frame.width, frame.y + frame.height];
        let near = BLEED_MM - NEAR_MM;
        if edges[0] <= -near {
            edges[0] = edges[0].min(left);
        }
        if edges[1] <= -near {
            edges[1] = edges[1].min(top);
        }
        if edges[2] >= page.width + near {
            edges[2] = edges[2].max(right);
        }
        if edges[3] >= page.height + near {
            edges[3] = edges[3].max(bottom);
        }
        let wide = Rect { x: edges[0], y: edges[1], width: edges[2] - edges[0], height: edges[3] - edges[1] };
        match element {
            Element::Photo(photo) => {
                photo.crop = widened(&photo.crop, &frame, &wide);
                photo.frame = wide;
            }
            Element::Pdf(pdf) => {
                pdf.crop = widened(&pdf.crop, &frame, &wide);
                pdf.frame = wide;
            }
            // it would be larger, or run off the cover
            Element::Shape(Shape { shape: ShapeKind::Ornament(_), .. }) => {}
            Element::Shape(shape) => shape.frame = wide,
            Element::Text(_) | Element::Month(_) | Element::Code(_) => {}
        }
    }
    Cow::Owned(front)
}

/// The part of a picture that fills a wider frame: at the same scale where there is more of it, else a little larger; what
/// was in the middle of the frame stays as near to its place as it can.
fn widened(crop: &Crop, frame: &Rect, wide: &Rect) -> Crop {
    if frame == wide {
        return *crop;
    }
    let (across, down) = (crop.width / frame.width, crop.height / frame.height);
    let scale = (1.0 / (wide.width * across)).min(1.0 / (wide.height * down)).min(1.0);
    let part = |start: f64, share: f64, from: f64, size: f64, to: f64, wider: f64| {
        let length = (wider * share * scale).min(1.0);
        let middle = (to + wider / 2.0) - (from + size / 2.0);
        let at = start + size * share / 2.0 + middle * share * scale - length / 2.0;
        (at.clamp(0.0, 1.0 - length), length)
    };
    let (x, width) = part(crop.x, across, frame.x, frame.width, wide.x, wide.width);
    let (y, height) = part(crop.y, down, frame.y, frame.height, wide.y, wide.height);
    Crop { x, y, width, height }
}

/// A document whose front is drawn over the boards of its cover.
pub(crate) fn with_front<'d>(document: &'d Document, cover: &CoverSheet) -> Cow<'d, Document> {
    match wrapped(&document.cover, cover) {
        Cow::Borrowed(_) => Cow::Borrowed(document),
        Cow::Owned(front) => Cow::Owned(Document { cover: front, ..document.clone() }),
    }
}

/// A picture of the open cover from outside with everything around it, and the lines of folds, edges and safe areas; WebP,
/// `width_px` pixels wide.
pub(crate) fn picture(
    document: &Document,
    cover: &CoverSheet,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    let sheet_mm = cover.sheet();
    let drawn = drawn(document, cover, proxies, View::Picture, (sheet_mm.width, width_px))?;
    // the sheet's edges lie between pixels
    let height = (f64::from(width_px) * sheet_mm.height / sheet_mm.width).round().max(1.0) as u32;
    let drawn = if drawn.height == height {
        drawn
    } else {
        resize(&mut Resizer::new(), &drawn, None, width_px, height)
            .map_err(|refusal| PressError::Typesetting(refusal.to_string()))?
    };
    encode(&drawn.data, drawn.width, drawn.height, WEBP_QUALITY, 1).ok_or_else(crate::screen::not_encoded)
}

/// A picture of what is seen of a standing book, its spine and its front side by side without any lines; WebP, about
/// `width_px` pixels wide. Leaves have no spine.
pub(crate) fn standing(
    document: &Document,
    cover: &CoverSheet,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    // the back lies on the left
    let left = cover.seen().width - cover.standing_mm();
    part(document, cover, proxies, (left, cover.standing_mm()), width_px)
}

/// A picture of the front as it will be bound, without lines, with what is put on it besides ink; WebP, about `width_px`
/// pixels wide.
pub(crate) fn front(
    document: &Document,
    cover: &CoverSheet,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    let left = cover.seen().width - cover.face.width;
    part(document, cover, proxies, (left, cover.face.width), width_px)
}

/// The same of the back.
pub(crate) fn back(
    document: &Document,
    cover: &CoverSheet,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    part(document, cover, proxies, (0.0, cover.face.width), width_px)
}

/// A part of what is seen of a finished book: from how many mm of its left edge on, and how many of them.
fn part(
    document: &Document,
    cover: &CoverSheet,
    proxies: &dyn Proxies,
    (left_mm, wide_mm): (f64, f64),
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    let seen_mm = cover.seen().width;
    let whole_px = (f64::from(width_px) * seen_mm / wide_mm).round().max(1.0) as u32;
    let drawn = drawn(document, cover, proxies, View::Seen, (seen_mm, whole_px))?;
    let px = |mm: f64| (f64::from(drawn.width) * mm / seen_mm).round() as usize;
    let (left, right) = (px(left_mm), px(left_mm + wide_mm).min(drawn.width as usize));
    let rows = drawn.data.chunks_exact(drawn.width as usize * 3);
    let data: Vec<u8> = rows.flat_map(|row| &row[left * 3..right * 3]).copied().collect();
    encode(&data, (right - left) as u32, drawn.height, WEBP_QUALITY, 1).ok_or_else(crate::screen::not_encoded)
}

/// A view of a cover that is so many mm wide in so many pixels.
fn drawn(
    document: &Document,
    cover: &CoverSheet,
    proxies: &dyn Proxies,
    view: View,
    (width_mm, width_px): (f64, u32),
) -> Result<Pixels, PressError> {
    let document = with_front(document, cover);
    check(&document, [&document.cover])?;
    let mut darkroom = Darkroom::new(proxies, f64::from(width_px) / width_mm);
    let mut sheet = Sheet::new(&document, [&document.cover], |shown| darkroom.develop(shown))?;
    sheet.cover = Some(SheetCover::of(&document, cover, view));
    rendered(&typeset(&sheet, darkroom.pictures)?, width_px)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_frame_shows_more_of_the_picture_or_the_same_a_little_larger() {
        let frame = Rect { x: 0.0, y: 0.0, width: 100.0, height: 100.0 };
        let wide = Rect { x: -10.0, y: 0.0, width: 120.0, height: 100.0 };
        let slack = Crop { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
        let same = widened(&slack, &frame, &wide);
        assert!((same.x - 0.2).abs() < 1e-9 && (same.width - 0.6).abs() < 1e-9);
        assert!((same.y - 0.25).abs() < 1e-9 && (same.height - 0.5).abs() < 1e-9);
        let larger = widened(&Crop::WHOLE, &frame, &wide);
        assert!((larger.width - 1.0).abs() < 1e-9 && (larger.height - 1.0 / 1.2).abs() < 1e-9);
        assert!(larger.is_inside());
    }
}
