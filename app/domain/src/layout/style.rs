//! How a theme composes its cover and its chapters. The theme itself, with its letters and colours, belongs to the press.

use serde::{Deserialize, Serialize};

use super::cover;
use super::reflow::{bare, carried, dressed, guessed};
use super::{Composition, LayoutOptions, PhotoInput};
use crate::document::{Document, Element, Ground, Page};

/// What a theme decides of a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub cover: CoverStyle,
    pub chapter: ChapterStyle,
    /// How its spreads are composed.
    pub composition: &'static Composition,
}

impl Default for Style {
    fn default() -> Self {
        Self { cover: CoverStyle::default(), chapter: ChapterStyle::default(), composition: &super::ALBUM }
    }
}

/// The composition of a front cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CoverStyle {
    /// The photo runs off three edges, the title stands on the paper that is left.
    #[default]
    Split,
    /// The photo over all, the title on a strip of paper along the lower edge.
    Strip,
    /// The photo over all, the title on a label.
    Label,
    /// The photo inside wide margins, the title below.
    Framed,
    /// Words alone.
    Words,
    /// Several photos in a block, the title below.
    Collage,
}

impl CoverStyle {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 6] =
        [Self::Split, Self::Strip, Self::Label, Self::Framed, Self::Collage, Self::Words];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::Strip => "strip",
            Self::Label => "label",
            Self::Framed => "framed",
            Self::Words => "words",
            Self::Collage => "collage",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Split => "一图一题",
            Self::Strip => "满版，题在下",
            Self::Label => "满版，题签",
            Self::Framed => "画框",
            Self::Words => "只有书名",
            Self::Collage => "拼图",
        }
    }
}

/// Where a chapter's name stands, and on what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChapterStyle {
    pub ground: Ground,
    /// Where its top edge lies, in percent of the page's height.
    pub top: u8,
}

impl Default for ChapterStyle {
    fn default() -> Self {
        Self { ground: Ground::Deep, top: 38 }
    }
}

/// The compositions that a book's cover can have with the photos that stand on it, or else with its first ones: each with
/// its page, title and author included. One that would print its photo too coarsely is left out.
pub fn cover_ways(document: &Document, library: &[PhotoInput]) -> Vec<(CoverStyle, Page)> {
    let known = |frame: &crate::document::PhotoFrame| {
        library.iter().find(|photo| photo.id == frame.photo).cloned().unwrap_or_else(|| guessed(frame))
    };
    let mut photos: Vec<PhotoInput> = document.cover.photos().map(known).collect();
    for frame in document.pages.iter().flat_map(Page::photos) {
        if photos.len() >= cover::MOST_ON_COVER {
            break;
        }
        if photos.iter().all(|photo| photo.id != frame.photo) {
            photos.push(known(frame));
        }
    }
    let photos: Vec<&PhotoInput> = photos.iter().collect();
    let options = super::reflow::options(document, document.trim);
    CoverStyle::ALL
        .into_iter()
        .filter_map(|style| {
            let front = cover::composed(style, &photos, &options)?;
            let front = carried(&bare(&document.cover), front, document.trim, document.trim);
            Some((style, dressed(front, &document.cover)))
        })
        .collect()
}

/// Gives chapters that stand as one theme's do the place and the background of another's.
pub fn restyle_chapters(document: &mut Document, before: Style, after: Style) {
    let named = |style| {
        let options = LayoutOptions { style, ..super::reflow::options(document, document.trim) };
        let chapter = super::order::Chapter { first: 0, heading: String::new(), subtitle: String::new() };
        cover::chapter_page(&chapter, &options)
    };
    let (before, after) = (named(before), named(after));
    for page in &mut document.pages {
        let frames = |page: &Page| page.elements.iter().map(Element::frame).collect::<Vec<_>>();
        if page.photos().next().is_some() || frames(page) != frames(&before) {
            continue;
        }
        if page.ground == before.ground {
            page.ground = after.ground;
        }
        for (element, like) in page.elements.iter_mut().zip(&after.elements) {
            if let (Element::Text(block), Element::Text(like)) = (element, like) {
                block.frame = like.frame;
            }
        }
    }
}

/// The composition that a cover has, as far as its frames say.
pub(super) fn style_of(page: &Page, photos: &[&PhotoInput], options: &LayoutOptions) -> CoverStyle {
    let frames = |page: &Page| page.photos().map(|frame| frame.frame).collect::<Vec<_>>();
    let is_like = |style: &CoverStyle| {
        cover::composed(*style, photos, options).is_some_and(|front| {
            frames(&front) == frames(page) && front.elements.len() == page.elements.len()
        })
    };
    CoverStyle::ALL.into_iter().find(is_like).unwrap_or_default()
}
