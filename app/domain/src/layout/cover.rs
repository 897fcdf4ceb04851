//! The cover, and the pages without photos.

use super::faces::{crop, keeps_faces};
use super::fit::{self, rounded, rounded_photo};
use super::order::Chapter;
use super::style::CoverStyle;
use super::{Captions, LayoutOptions, MIN_VISIBLE, PhotoInput};
use crate::document::{
    BLEED_MM, Common, Element, Ink, Page, PaletteColour, PhotoFrame, Rect, SAFE_MM, Shape, ShapeKind,
    TextBlock, TextRole, Trim,
};
use crate::resolution::{LEAST_DPI, is_coarse};
use crate::titles::closing_words;

/// Room for a title of two lines, and for the author's name below it, in mm, on a page of 200 mm; smaller
/// pages get less.
const TITLE_MM: f64 = 30.0;
const SUBTITLE_MM: f64 = 10.0;

/// The cover: one photo and, on paper below or beside it, the title and the author.
///
/// Of all photos the one is taken that comes nearest to filling the upper two thirds at its own shape; larger
/// ones, those with people and those that have a page to themselves are preferred, and earlier ones among equals.
pub(super) fn cover(photos: &[(&PhotoInput, bool)], options: &LayoutOptions) -> Page {
    let largest = photos.iter().map(|(photo, _)| photo.pixels()).fold(1.0, f64::max);
    let score = |(photo, alone): &(&PhotoInput, bool)| {
        let (frame, _) = cover_frames(photo, options.trim);
        let Trim { width, height } = options.trim;
        let share = (frame.width * frame.height / (width * height)).min(0.75);
        let shown = crop(photo, frame, options.trim);
        let cut = 1.0 - shown.area();
        let people = match photo.shows_people() {
            true if keeps_faces(photo, frame, &shown, options.trim, None) => PEOPLE,
            true => -PEOPLE,
            false => 0.0,
        };
        let dpi = f64::from(photo.width) / (frame.width / 25.4);
        share - cut
            + people
            + 0.3 * (photo.pixels() / largest).sqrt()
            + if *alone { 0.1 } else { 0.0 }
            + (dpi / 200.0).min(1.0)
    };
    let mut scored: Vec<(&PhotoInput, f64)> = photos.iter().map(|pair| (pair.0, score(pair))).collect();
    // the earlier of equals first
    scored.sort_by(|one, other| other.1.total_cmp(&one.1));
    let Some((best, _)) = scored.first() else { return Page::default() };
    // those that have a page to themselves say most of what a book is about
    let (first, rest): (Vec<_>, Vec<_>) = photos.iter().partition(|(_, alone)| *alone);
    let others: Vec<&PhotoInput> = first.into_iter().chain(rest).map(|(photo, _)| photo).collect();
    let with = |photo: &PhotoInput| -> Option<Page> {
        let others = others.iter().filter(|other| other.id != photo.id).copied();
        let photos: Vec<&PhotoInput> = std::iter::once(photo).chain(others).take(MOST_ON_COVER).collect();
        composed(options.style.cover, &photos, options)
    };
    // another one where the best can't stand so
    let tried = scored.iter().take(TRIED).find_map(|(photo, _)| with(photo));
    tried.unwrap_or_else(|| cover_of(best, options))
}

/// What speaks for people on a cover, and against cutting through them.
const PEOPLE: f64 = 0.35;

/// Photos that are tried for a composition before another one is taken.
const TRIED: usize = 60;

/// The most photos on a cover.
pub(super) const MOST_ON_COVER: usize = 5;

/// The cover in a composition, with the first of these photos or as many as it takes. Nothing where they can't stand so.
pub(super) fn composed(style: CoverStyle, photos: &[&PhotoInput], options: &LayoutOptions) -> Option<Page> {
    let Trim { width, height } = options.trim;
    let short = width.min(height);
    let margin = (short * 0.08).clamp(SAFE_MM + 1.0, 20.0);
    let title = title_height(options.trim);
    match style {
        CoverStyle::Split => photos.first().map(|photo| cover_of(photo, options)),
        CoverStyle::Words => {
            let space = Rect { x: margin * 1.6, y: height * 0.3, width: width - 3.2 * margin, height: title };
            Some(Page { elements: title_block(space, options), ..Page::default() })
        }
        CoverStyle::Strip | CoverStyle::Label => {
            let photo = photos.first()?;
            let whole = options.trim.with_bleed();
            // the strip or the label lies on what is no part of the photo's subject as far as it can
            let frame = if style == CoverStyle::Strip {
                let top = height - title - margin * 0.9;
                Rect { height: top + BLEED_MM, ..whole }
            } else {
                whole
            };
            let shown = crop(photo, frame, options.trim);
            let (wide, tall) = (width * 0.64, title + margin * 0.5);
            let label =
                rounded(Rect { x: (width - wide) / 2.0, y: height * 0.58, width: wide, height: tall });
            let covered = (style == CoverStyle::Label).then_some(label);
            let dpi =
                PhotoFrame::new(photo.id.clone(), frame, shown).effective_dpi(photo.width, photo.height);
            let keeps = keeps_faces(photo, frame, &shown, options.trim, covered);
            if photo.is_panorama() || shown.area() < MIN_VISIBLE - 0.18 || is_coarse(dpi) || !keeps {
                return None;
            }
            let mut elements = vec![Element::Photo(PhotoFrame::new(photo.id.clone(), frame, shown))];
            let space = if style == CoverStyle::Strip {
                let y = frame.y + frame.height + margin * 0.35;
                Rect { x: margin, y, width: width - 2.0 * margin, height: height - y }
            } else {
                elements.push(Element::Shape(Shape {
                    common: Common::default(),
                    shape: ShapeKind::Rect,
                    frame: label,
                    fill: Some(Ink::Theme(PaletteColour::Paper)),
                    border: None,
                    radius: None,
                }));
                let inset = margin * 0.3;
                Rect { x: label.x + inset, y: label.y + inset, width: wide - 2.0 * inset, height: title }
            };
            elements.extend(title_block(space, options));
            Some(Page { elements, ..Page::default() })
        }
        CoverStyle::Framed => {
            let photo = photos.first()?;
            let inset = (short * 0.14).clamp(SAFE_MM + 3.0, 40.0);
            let space = Rect {
                x: inset,
                y: inset,
                width: width - 2.0 * inset,
                height: height - 1.6 * inset - title - margin * 0.4,
            };
            // as large as it may be, and no larger than it prints well
            let wide = space.width.min(space.height * photo.aspect()).min(sharp_mm(photo));
            let tall = wide / photo.aspect();
            let frame = rounded_photo(Rect {
                x: (width - wide) / 2.0,
                y: space.y + (space.height - tall) * 0.5,
                width: wide,
                height: tall,
            });
            let y = height - inset * 0.6 - title;
            let words = below(frame, Rect { x: margin, y, width: width - 2.0 * margin, height: title });
            let mut elements = vec![Element::Photo(PhotoFrame::new(
                photo.id.clone(),
                frame,
                crop(photo, frame, options.trim),
            ))];
            elements.extend(title_block(words, options));
            Some(Page { elements, ..Page::default() })
        }
        CoverStyle::Collage => {
            let count = if photos.len() >= 5 { 5 } else { photos.len().min(4) };
            if count < 3 {
                return None;
            }
            let foot = title + margin * 0.6;
            let gap = options.style.composition.gap_on(options.trim);
            let sheet = fit::Sheet::new(Trim { width, height: height - foot }, false).with_gap(gap);
            let mut elements = fit::best_block(&photos[..count], &sheet)?;
            elements.extend(title_block(
                Rect { x: margin, y: height - foot, width: width - 2.0 * margin, height: title },
                options,
            ));
            Some(Page { elements, ..Page::default() })
        }
    }
}

/// How wide a photo may be on a cover without being coarse, in mm; a tiny one is still to be seen.
fn sharp_mm(photo: &PhotoInput) -> f64 {
    (f64::from(photo.width) / LEAST_DPI * 25.4).max(20.0)
}

/// The cover with this photo.
pub(super) fn cover_of(photo: &PhotoInput, options: &LayoutOptions) -> Page {
    let (frame, text) = cover_frames(photo, options.trim);
    let mut elements =
        vec![Element::Photo(PhotoFrame::new(photo.id.clone(), frame, crop(photo, frame, options.trim)))];
    elements.extend(title_block(text, options));
    Page { elements, ..Page::default() }
}

/// Where a photo stands on the cover, and the space left for the title.
fn cover_frames(photo: &PhotoInput, trim: Trim) -> (Rect, Rect) {
    let Trim { width, height } = trim;
    let full = trim.with_bleed();
    let margin = (width.min(height) * 0.08).clamp(SAFE_MM + 1.0, 20.0);
    let title = title_height(trim) + margin * 1.5;

    // One that would be coarse so large stands whole on the paper instead.
    let may_bleed = |frame: Rect| !photo.is_panorama() && !is_coarse(fit::dpi(photo, frame));

    // Off three edges, the title on the paper below.
    let lowest = height - title;
    let own = full.width / photo.aspect();
    let tall = own.min(lowest + BLEED_MM);
    let frame = rounded_photo(Rect { height: tall, ..full });
    if tall >= height * 0.5 && tall / own >= MIN_VISIBLE + 0.02 && may_bleed(frame) {
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
    let frame = rounded_photo(Rect { x: beside, width: wide, ..full });
    let is_wide = beside >= 70.0 && wide >= width * 0.4 && wide / own >= MIN_VISIBLE + 0.02;
    if is_wide && may_bleed(frame) {
        let y = height * 0.36;
        return (frame, Rect { x: margin, y, width: frame.x - 2.0 * margin, height: height - margin - y });
    }

    // Whole, inside margins, above the title, and no larger than it prints well.
    let space = Rect { x: margin, y: margin, width: width - 2.0 * margin, height: lowest - margin };
    let framed_width = space.width.min(space.height * photo.aspect()).min(sharp_mm(photo));
    let framed_height = framed_width / photo.aspect();
    let frame = rounded_photo(Rect {
        x: (width - framed_width) / 2.0,
        y: space.y + (space.height - framed_height) * 0.6,
        width: framed_width,
        height: framed_height,
    });
    let y = frame.y + frame.height + margin * 0.5;
    (frame, below(frame, Rect { x: margin, y, width: space.width, height: height - SAFE_MM - y }))
}

/// Where a title stands below a photo inside the paper: on the photo's edges, if it is not much narrower than the place.
fn below(photo: Rect, place: Rect) -> Rect {
    if photo.width >= place.width * 0.6 { Rect { x: photo.x, width: photo.width, ..place } } else { place }
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
    let heading = Rect {
        x: margin,
        y: height * f64::from(options.style.chapter.top) / 100.0,
        width: width - 2.0 * margin,
        height: 22.0 * scale,
    };
    let subtitle = Rect { y: heading.y + heading.height, height: SUBTITLE_MM * scale, ..heading };
    let elements = vec![
        text(heading, TextRole::Heading, &chapter.heading),
        text(subtitle, TextRole::Subtitle, &chapter.subtitle),
    ];
    Page { ground: options.style.chapter.ground, elements, ..Page::default() }
}
