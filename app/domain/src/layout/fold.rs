//! One photo across two facing pages.
//!
//! It stands on both as a frame of its own, which runs on past the fold by the bleed, so that each page's print file has
//! its half and a hair more. Seen together the two show one picture.

use super::faces::{crop, is_clear_of_fold, keeps_faces};
use super::fit::{margin_of, rounded, rounded_photo};
use super::{MIN_VISIBLE, PhotoInput};
use crate::document::{
    BLEED_MM, Crop, Document, Element, Page, PhotoFrame, Rect, SAFE_MM, TextBlock, TextRole, Trim,
};
use crate::resolution::is_coarse;

/// A half of a photo that stands across the fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Left,
    Right,
}

/// The least part of the right-hand page that a photo covers.
const LEAST_OF_RIGHT: f64 = 0.5;
/// The paper beside a photo that does not cover the right-hand page, in parts of its width.
const LEAST_BESIDE: f64 = 0.2;
/// A band lower than this is no picture across two pages, in parts of their height.
const LEAST_BAND: f64 = 0.28;
/// The height of a caption, and its distance from the photo, in mm.
const CAPTION_HEIGHT: f64 = 9.0;
const CAPTION_GAP: f64 = 2.5;
/// Where frames of two pages meet, in mm.
const TOLERANCE_MM: f64 = 0.02;

/// A photo across the fold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fold {
    left: (Rect, Crop),
    right: (Rect, Crop),
    /// For words: on which half, and where.
    caption: Option<(Half, Rect)>,
}

/// How a photo can stand across the fold: over all of both pages, over one and a part of the other, or as a band. Nothing
/// where it is too coarse, where too much of it would be cut off, or a face would lie in the fold.
pub(super) fn fold(photo: &PhotoInput, trim: Trim, captions: bool) -> Option<Fold> {
    let Trim { width, height } = trim;
    let margin = margin_of(trim);
    let whole =
        Rect { x: -BLEED_MM, y: -BLEED_MM, width: 2.0 * (width + BLEED_MM), height: height + 2.0 * BLEED_MM };
    let (aspect, full) = (photo.aspect(), whole.aspect());
    let seen = (aspect / full).min(full / aspect);
    let may_cut = !photo.is_panorama() && seen >= MIN_VISIBLE + 0.01;
    let (frame, caption) = if may_cut || seen > 0.997 {
        (whole, None)
    } else if aspect > full {
        let tall = whole.width / aspect;
        let y = (height - tall) * 0.42;
        if y < SAFE_MM || tall < height * LEAST_BAND {
            return None;
        }
        let frame = Rect { y, height: tall, ..whole };
        let below = y + tall + CAPTION_GAP;
        let room = below + CAPTION_HEIGHT <= height - SAFE_MM;
        let caption = Rect { x: margin, y: below, width: width - 2.0 * margin, height: CAPTION_HEIGHT };
        (frame, room.then_some((Half::Right, caption)))
    } else {
        // as much of the right-hand page as looks meant
        let wide = (whole.height * aspect).max(width + BLEED_MM + width * LEAST_OF_RIGHT);
        let end = wide - BLEED_MM - width;
        let kept = whole.height * aspect / wide;
        if photo.is_panorama() || kept < MIN_VISIBLE + 0.01 || width - end < width * LEAST_BESIDE {
            return None;
        }
        let beside = Rect {
            x: end + margin * 0.6,
            y: height - margin - 2.0 * CAPTION_HEIGHT,
            width: width - end - margin * 0.6 - SAFE_MM - 1.0,
            height: 2.0 * CAPTION_HEIGHT,
        };
        (Rect { width: wide, ..whole }, (beside.width >= 25.0).then_some((Half::Right, beside)))
    };
    let both = Trim { width: 2.0 * width, height };
    let shown = crop(photo, frame, both);
    let at = shown.x + shown.width * (width - frame.x) / frame.width;
    if !is_clear_of_fold(photo, at, frame.width / shown.width)
        || !keeps_faces(photo, frame, &shown, both, None)
    {
        return None;
    }
    let across = f64::from(photo.width) * shown.width / frame.width;
    let down = f64::from(photo.height) * shown.height / frame.height;
    if is_coarse(across.min(down) * 25.4) {
        return None;
    }
    // from here to there, counted from the left page's left edge
    let part = |from: f64, to: f64, page: f64| {
        let at = rounded_photo(Rect { x: from - page, width: to - from, ..frame });
        let of = |x: f64| (x - frame.x) / frame.width;
        let crop =
            Crop { x: shown.x + shown.width * of(from), width: shown.width * (of(to) - of(from)), ..shown };
        (at, Crop { width: crop.width.min(1.0 - crop.x), ..crop })
    };
    Some(Fold {
        left: part(-BLEED_MM, width + BLEED_MM, 0.0),
        right: part(width - BLEED_MM, frame.x + frame.width, width),
        caption: caption.filter(|_| captions).map(|(half, frame)| (half, rounded(frame))),
    })
}

impl Fold {
    /// Whether it covers both pages whole.
    pub fn fills(&self, trim: Trim) -> bool {
        let full = trim.with_bleed();
        [self.left.0, self.right.0]
            .iter()
            .all(|frame| frame.width * frame.height > full.width * full.height * 0.99)
    }

    /// Whether there is a place for words.
    pub fn has_caption(&self) -> bool {
        self.caption.is_some()
    }

    /// One of its two pages.
    pub fn page(&self, photo: &PhotoInput, half: Half) -> Page {
        let (frame, crop) = if half == Half::Left { self.left } else { self.right };
        let mut elements = vec![Element::Photo(PhotoFrame::new(photo.id.clone(), frame, crop))];
        if let Some((on, place)) = self.caption
            && on == half
        {
            elements.push(Element::Text(TextBlock::new(place, TextRole::Caption, "")));
        }
        Page { elements, ..Page::default() }
    }
}

/// Whether the right frame shows what follows on the left one's part, and not the same photo once more.
fn goes_on(one: &PhotoFrame, other: &PhotoFrame, trim: Trim) -> bool {
    let at = (trim.width - BLEED_MM - one.frame.x) / one.frame.width;
    let follows = one.crop.x + one.crop.width * at;
    (follows - other.crop.x).abs() < 0.01 && (one.crop.y - other.crop.y).abs() < 0.01
}

/// The frames of a photo that stands across the fold of two facing pages.
fn halves<'a>(left: &'a Page, right: &'a Page, trim: Trim) -> Option<(&'a PhotoFrame, &'a PhotoFrame)> {
    let near = |one: f64, other: f64| (one - other).abs() < TOLERANCE_MM;
    left.photos().find_map(|one| {
        let meets = |other: &&PhotoFrame| {
            one.photo == other.photo
                && one.common.rotation == 0.0
                && other.common.rotation == 0.0
                && near(one.frame.x + one.frame.width, trim.width + BLEED_MM)
                && near(other.frame.x, -BLEED_MM)
                && near(one.frame.y, other.frame.y)
                && near(one.frame.height, other.frame.height)
                && goes_on(one, other, trim)
        };
        right.photos().find(meets).map(|other| (one, other))
    })
}

/// Whether one photo stands across the fold of two facing pages, the left one counted from 0.
pub fn is_across(document: &Document, left: usize) -> bool {
    let (Some(one), Some(other)) = (document.pages.get(left), document.pages.get(left + 1)) else {
        return false;
    };
    !left.is_multiple_of(2) && halves(one, other, document.trim).is_some()
}

/// Whether a page (counted from 0) holds a half of a photo across the fold.
pub fn is_half(document: &Document, index: usize) -> bool {
    is_across(document, index) || index.checked_sub(1).is_some_and(|left| is_across(document, left))
}

/// Whether a frame on a page (counted from 0) is a half of a photo across the fold.
pub fn is_half_frame(document: &Document, index: usize, frame: &PhotoFrame) -> bool {
    // the left page of two has an odd place
    let Some(left) = index.checked_sub(usize::from(index.is_multiple_of(2))) else { return false };
    let (Some(one), Some(other)) = (document.pages.get(left), document.pages.get(left + 1)) else {
        return false;
    };
    halves(one, other, document.trim)
        .is_some_and(|(one, other)| *frame == *if index == left { one } else { other })
}

/// Whether it is the left one.
pub(super) fn is_left_half(document: &Document, index: usize) -> bool {
    is_across(document, index)
}
