//! The cover, and the pages without photos.

use super::fit::{crop, rounded, rounded_photo};
use super::order::Chapter;
use super::{Captions, LayoutOptions, MIN_VISIBLE, PhotoInput};
use crate::document::{
    BLEED_MM, Element, Ground, Page, PhotoFrame, Rect, SAFE_MM, TextBlock, TextRole, Trim,
};
use crate::titles::closing_words;

/// Room for a title of two lines, and for the author's name below it, in mm, on a page of 200 mm; smaller
/// pages get less.
const TITLE_MM: f64 = 30.0;
const SUBTITLE_MM: f64 = 10.0;

/// The cover: one photo and, on paper below or beside it, the title and the author.
///
/// Of all photos the one is taken that comes nearest to filling the upper two thirds at its own shape; larger
/// ones and those that open a part of the book are preferred, and earlier ones among equals.
pub(super) fn cover(ordered: &[&PhotoInput], opens: &[bool], options: &LayoutOptions) -> Page {
    let largest = ordered.iter().map(|photo| photo.pixels()).fold(1.0, f64::max);
    let score = |(photo, opens): (&&PhotoInput, &bool)| {
        let (frame, _) = cover_frames(photo, options.trim);
        let Trim { width, height } = options.trim;
        let share = (frame.width * frame.height / (width * height)).min(0.75);
        let cut = 1.0 - crop(photo, frame).area();
        let dpi = f64::from(photo.width) / (frame.width / 25.4);
        share - cut
            + 0.3 * (photo.pixels() / largest).sqrt()
            + if *opens { 0.1 } else { 0.0 }
            + (dpi / 200.0).min(1.0)
    };
    let best = ordered
        .iter()
        .zip(opens)
        .map(|pair| (pair.0, score(pair)))
        .reduce(|best, next| if next.1 > best.1 + 1e-9 { next } else { best });
    best.map_or_else(Page::default, |(photo, _)| cover_of(photo, options))
}

/// The cover with this photo.
pub(super) fn cover_of(photo: &PhotoInput, options: &LayoutOptions) -> Page {
    let (frame, text) = cover_frames(photo, options.trim);
    let mut elements = vec![Element::Photo(PhotoFrame::new(photo.id.clone(), frame, crop(photo, frame)))];
    elements.extend(title_block(text, options));
    Page { elements, ..Page::default() }
}

/// Where a photo stands on the cover, and the space left for the title.
fn cover_frames(photo: &PhotoInput, trim: Trim) -> (Rect, Rect) {
    let Trim { width, height } = trim;
    let full = trim.with_bleed();
    let margin = (width.min(height) * 0.08).clamp(SAFE_MM + 1.0, 20.0);
    let title = title_height(trim) + margin * 1.5;

    // Off three edges, the title on the paper below.
    let lowest = height - title;
    let own = full.width / photo.aspect();
    let tall = own.min(lowest + BLEED_MM);
    if !photo.is_panorama() && tall >= height * 0.5 && tall / own >= MIN_VISIBLE + 0.02 {
        let frame = rounded_photo(Rect { height: tall, ..full });
        let top = frame.y + frame.height;
        let rest = height - top;
        // The title stands a little above the middle of the paper.
        let y = top + ((rest - title_height(trim)) * 0.42).max(margin * 0.5);
        return (frame, Rect { x: margin, y, width: width - 2.0 * margin, height: height - SAFE_MM - y });
    }

    // Off the right, top and bottom, the title on the paper beside it.
    let own = full.height * photo.aspect();
    let wide = own.min(width * 0.62);
    let beside = width + BLEED_MM - wide;
    if !photo.is_panorama() && beside >= 70.0 && wide >= width * 0.4 && wide / own >= MIN_VISIBLE + 0.02 {
        let frame = rounded_photo(Rect { x: beside, width: wide, ..full });
        let y = height * 0.36;
        return (frame, Rect { x: margin, y, width: frame.x - 2.0 * margin, height: height - margin - y });
    }

    // Whole, inside margins, above the title.
    let space = Rect { x: margin, y: margin, width: width - 2.0 * margin, height: lowest - margin };
    let framed_width = space.width.min(space.height * photo.aspect());
    let framed_height = framed_width / photo.aspect();
    let frame = rounded_photo(Rect {
        x: (width - framed_width) / 2.0,
        y: space.y + (space.height - framed_height) * 0.6,
        width: framed_width,
        height: framed_height,
    });
    let y = frame.y + frame.height + margin * 0.5;
    (frame, Rect { x: margin, y, width: space.width, height: height - SAFE_MM - y })
}

fn scale(trim: Trim) -> f64 {
    (trim.width.min(trim.height) / 200.0).clamp(0.4, 1.4)
}

fn title_height(trim: Trim) -> f64 {
    (TITLE_MM + SUBTITLE_MM) * scale(trim)
}

/// The title with the author's name under it, at the top of a space.
fn title_block(space: Rect, options: &LayoutOptions) -> Vec<Element> {
    let title = Rect { height: TITLE_MM * scale(options.trim), ..space };
    let subtitle = Rect { y: title.y + title.height, height: SUBTITLE_MM * scale(options.trim), ..space };
    let mut blocks = vec![text(title, TextRole::Title, &options.title)];
    if !options.author.is_empty() {
        blocks.push(text(subtitle, TextRole::Subtitle, &options.author));
    }
    blocks
}

fn text(frame: Rect, role: TextRole, text: &str) -> Element {
    Element::Text(TextBlock::new(rounded(frame), role, text))
}

/// A page without photos: the title page when it is the first of the book's `count`, the closing page when it is
/// the last, otherwise paper with an empty text for the member to fill.
pub(super) fn quiet_page(index: usize, count: usize, options: &LayoutOptions) -> Page {
    let Trim { width, height } = options.trim;
    let margin = (width * 0.15).max(SAFE_MM + 3.0);
    let space = |top: f64| Rect { x: margin, y: top, width: width - 2.0 * margin, height: height * 0.3 };
    let elements = if index == 0 {
        title_block(space(height * 0.34), options)
    } else if index + 1 == count {
        let words = closing_words(&options.title, &options.author);
        let frame = Rect { height: height * 0.12, ..space(height * 0.74) };
        vec![text(frame, TextRole::Caption, &words)]
    } else if options.captions != Captions::None {
        vec![text(space(height * 0.3), TextRole::Body, "")]
    } else {
        Vec::new()
    };
    Page { elements, ..Page::default() }
}

/// The page before a part of the book.
pub(super) fn chapter_page(chapter: &Chapter, options: &LayoutOptions) -> Page {
    let Trim { width, height } = options.trim;
    let margin = (width * 0.12).max(SAFE_MM + 3.0);
    let scale = scale(options.trim);
    let heading = Rect { x: margin, y: height * 0.38, width: width - 2.0 * margin, height: 22.0 * scale };
    let subtitle = Rect { y: heading.y + heading.height, height: SUBTITLE_MM * scale, ..heading };
    let elements = vec![
        text(heading, TextRole::Heading, &chapter.heading),
        text(subtitle, TextRole::Subtitle, &chapter.subtitle),
    ];
    Page { ground: Ground::Deep, elements, ..Page::default() }
}
