//! One thing of a page by itself, on nothing: what an editor moves about before the page is set again. It comes from the
//! same typesetting as the page, so that nobody sees when the page's picture takes its place.

use domain::document::{Document, Element, Page, Rect, Trim};
use domain::ids::ElementId;
use domain::reading::Line;
use serde::{Deserialize, Serialize};
use typst_render::RenderOptions;

use super::{Darkroom, MAX_WIDTH, MIN_WIDTH, not_encoded};
use crate::error::PressError;

use crate::preflight::queried;
use crate::reading::side_text;
use crate::sheet::{Sheet, check};
use crate::themes::{FACTS, LAYER, is_known};
use crate::world::compile;

/// How far a layer reaches past its element's frame, in mm: what stands a little outside belongs to it, too.
pub const LAYER_MARGIN_MM: f64 = 6.0;
/// Of whatever is coded with losses.
const QUALITY: f32 = 90.0;
const EFFORT: u8 = 1;

/// The part of the page that a layer shows, for an element that stands upright. A text may be longer than its frame, and
/// goes on below it.
pub(crate) fn layer_area(element: &Element, trim: Trim) -> Rect {
    let frame = element.frame();
    let tail = if matches!(element, Element::Text(_)) { trim.height } else { 0.0 };
    Rect {
        x: frame.x - LAYER_MARGIN_MM,
        y: frame.y - LAYER_MARGIN_MM,
        width: frame.width + 2.0 * LAYER_MARGIN_MM,
        height: frame.height + 2.0 * LAYER_MARGIN_MM + tail,
    }
}

/// The element as if it stood upright, with its own page's look.
fn alone(document: &Document, id: &ElementId) -> Option<(Page, Rect)> {
    let (page, place) = document.all_pages().find_map(|page| Some((page, page.place_of(id)?)))?;
    let mut element = page.elements.get(place)?.clone();
    element.common_mut().rotation = 0.0;
    let area = layer_area(&element, document.trim);
    Some((Page { elements: vec![element], ..page.clone() }, area))
}

/// A picture of an element with transparency, WebP, as fine as a picture of the page that is `page_width` pixels wide;
/// nothing where the document has no such element.
pub(crate) fn element_picture(
    document: &Document,
    id: &ElementId,
    proxies: &dyn super::Proxies,
    page_width: u32,
) -> Result<Option<Vec<u8>>, PressError> {
    let Some((side, area)) = alone(document, id) else { return Ok(None) };
    check(document, [&side])?;
    let theme = document.theme_of(&side);
    if !is_known(theme) {
        return Err(PressError::Theme(theme.to_owned()));
    }
    let most = f64::from(MAX_WIDTH) / area.width.max(area.height);
    let pixels_per_mm = (f64::from(page_width.clamp(MIN_WIDTH, MAX_WIDTH)) / document.trim.width).min(most);
    let mut darkroom = Darkroom::new(proxies, pixels_per_mm);
    let mut sheet = Sheet::new(document, [&side], |shown| darkroom.develop(shown))?;
    sheet.layer = Some(area);
    let typeset = compile(LAYER, &sheet, darkroom.pictures)?;
    let page =
        typeset.pages().first().ok_or_else(|| PressError::Typesetting("no layer came out".to_owned()))?;
    let pixel_per_pt = area.width * pixels_per_mm / page.frame.width().to_pt();
    let options = RenderOptions { pixel_per_pt: pixel_per_pt.into(), render_bleed: false };
    let pixmap = typst_render::render(page, &options);
    let rgba: Vec<u8> = pixmap
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let pixel = pixel.demultiply();
            [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
        })
        .collect();
    let is_drawn = side.photos().next().is_some() || side.pdfs().next().is_some();
    let quality = if is_drawn { Some(QUALITY) } else { None };
    photo::encode_layer(&rgba, pixmap.width(), pixmap.height(), quality, EFFORT)
        .map(Some)
        .ok_or_else(not_encoded)
}

/// The lines of a text as they are set, as if it stood upright; nothing where the document has no such element.
pub(crate) fn element_lines(document: &Document, id: &ElementId) -> Result<Option<Vec<Line>>, PressError> {
    let Some((side, _)) = alone(document, id) else { return Ok(None) };
    let text = side_text(document, &side)?;
    Ok(Some(text.blocks.into_iter().flat_map(|block| block.lines).collect()))
}

/// What a theme says, for drafts that a browser draws until the press has set them. Colours are `#rrggbb`, lengths mm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// The theme's.
    pub name: String,
    pub grounds: Grounds,
    /// Words on the deep ground.
    pub light: String,
    pub accent: String,
    /// The same on the deep ground, where all words are light.
    #[serde(rename = "accent-on-deep")]
    pub accent_on_deep: String,
    /// A frame without its photo.
    pub empty: String,
    pub photo: Dress,
    pub roles: Vec<Role>,
}

/// The three backgrounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grounds {
    pub paper: String,
    pub tint: String,
    pub deep: String,
}

/// What surrounds photos.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dress {
    pub mat: f64,
    pub line: Option<Stroke>,
    pub radius: f64,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    pub width: f64,
    pub colour: String,
}

/// The typography of a text's role. What is said of the size is a share of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Role {
    pub name: String,
    pub font: String,
    /// On a page of 200 mm.
    pub size: f64,
    pub weight: String,
    pub colour: String,
    pub tracking: f64,
    pub indent: f64,
    /// How much of the page's own size counts.
    pub stretch: f64,
    pub pitch: f64,
    pub gap: f64,
    pub justify: bool,
    pub align: String,
}

/// What all themes say.
pub(crate) fn looks() -> Result<Vec<Look>, PressError> {
    queried(&compile(FACTS, &(), Vec::new())?, "look")
}
