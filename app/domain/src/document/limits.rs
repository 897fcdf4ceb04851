//! What a document may hold: everybody's pictures are drawn by the same machine.

use super::{Border, Crop, Document, Element, Page, Rect, TextBlock, Trim, shared_area};
use crate::layout::MAX_PAGES;

/// Things that a work may have on all of its pages.
pub const MOST_ELEMENTS: usize = 20_000;
/// Things that one page may have.
pub const MOST_ON_PAGE: usize = 200;
/// Characters that all texts of a work may have together: what is typeset in a few seconds. A long text is a manuscript,
/// not blocks on pages.
pub const MOST_CHARACTERS: usize = 200_000;
/// Characters that one text may have.
pub const TEXT_LENGTH: usize = 500;
/// The shortest side that a frame may have, in mm: nobody sees less, and no press prints it.
pub const LEAST_SIDE_MM: f64 = 1.0;
/// The widest border, in mm.
pub const MOST_BORDER_MM: f64 = 20.0;
/// The roundest corner, in mm.
pub const MOST_RADIUS_MM: f64 = 200.0;
/// How far something may be turned either way, in degrees.
pub const MOST_ROTATION: f64 = 360.0;
/// Steps by which a text may be smaller or larger than its theme sets it.
pub const SIZE_STEPS: std::ops::RangeInclusive<i8> = -4..=8;
/// Bytes that the address of a code may have: more makes squares that no telephone tells apart at the size of a stamp.
pub const CODE_LENGTH: usize = 200;
/// How often photos and PDF pages may cover a page.
const MOST_LAYERS: f64 = 6.0;

/// Why a work is more than one may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    #[error("作品的页数超过了 {} 页", MAX_PAGES)]
    Pages,
    #[error("作品里放的东西超过了 {MOST_ELEMENTS} 件，请分成几本")]
    Elements,
    #[error("作品里的文字超过了 {} 万字，请分成几本，或改用“文档”来排长文", MOST_CHARACTERS / 10_000)]
    Characters,
}

/// Why something can't stand on a page as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("位置和大小须是数字，边长不小于 {LEAST_SIDE_MM} 毫米")]
    Frame,
    #[error("放得离页面太远，或比页面大得太多")]
    FarAway,
    #[error("旋转角度须在 −{MOST_ROTATION} 到 {MOST_ROTATION} 度之间")]
    Rotation,
    #[error("裁切须在照片之内")]
    Crop,
    #[error("边框宽度须在 0 到 {MOST_BORDER_MM} 毫米之间")]
    Border,
    #[error("圆角须在 0 到 {MOST_RADIUS_MM} 毫米之间")]
    Radius,
    #[error("一段文字最多 {TEXT_LENGTH} 个字")]
    TextLength,
    #[error("文字里有不能印刷的控制字符")]
    Control,
    #[error("字号只能调 {} 到 {} 级", SIZE_STEPS.start(), SIZE_STEPS.end())]
    Size,
    #[error("二维码要有网址，以 http:// 或 https:// 开头，最多 {CODE_LENGTH} 个字节")]
    Address,
    #[error("一页最多放 {MOST_ON_PAGE} 件东西")]
    Crowded,
    #[error("照片在一页上叠得太多")]
    Layers,
}

impl Document {
    /// Whether it is no more than a work may be.
    ///
    /// # Errors
    /// What there is too much of.
    pub fn check_size(&self) -> Result<(), TooMuch> {
        if self.pages.len() > MAX_PAGES {
            return Err(TooMuch::Pages);
        }
        if self.printed_pages().map(|page| page.elements.len()).sum::<usize>() > MOST_ELEMENTS {
            return Err(TooMuch::Elements);
        }
        let texts = self.printed_pages().flat_map(Page::texts);
        if texts.map(|block| block.text.chars().count()).sum::<usize>() > MOST_CHARACTERS {
            return Err(TooMuch::Characters);
        }
        Ok(())
    }
}

impl Page {
    /// Whether a page of this size can be drawn in little memory.
    ///
    /// # Errors
    /// What there is too much of.
    pub fn check_room(&self, trim: Trim) -> Result<(), Unfit> {
        if self.elements.len() > MOST_ON_PAGE {
            return Err(Unfit::Crowded);
        }
        let paper = trim.with_bleed();
        let pictures = self.elements.iter().filter(|it| matches!(it, Element::Photo(_) | Element::Pdf(_)));
        let on_paper = |it: &Element| shared_area((&it.frame(), it.common().rotation), (&paper, 0.0));
        let covered: f64 = pictures.map(on_paper).sum();
        if covered > MOST_LAYERS * paper.width * paper.height { Err(Unfit::Layers) } else { Ok(()) }
    }
}

impl Element {
    /// Whether it can stand on a page of this size.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, trim: Trim) -> Result<(), Unfit> {
        let rotation = self.common().rotation;
        if !(-MOST_ROTATION..=MOST_ROTATION).contains(&rotation) {
            return Err(Unfit::Rotation);
        }
        if !self.frame().is_printable() {
            return Err(Unfit::Frame);
        }
        if !is_near(&self.bounds(), trim) {
            return Err(Unfit::FarAway);
        }
        match self {
            Self::Photo(photo) => {
                check_crop(&photo.crop)?;
                check_edge(photo.border, photo.radius)
            }
            Self::Pdf(pdf) => check_crop(&pdf.crop),
            Self::Text(block) => check_text(block),
            Self::Shape(shape) => check_edge(shape.border, shape.radius),
            Self::Code(code) => check_address(&code.address),
            Self::Month(_) => Ok(()),
        }
    }
}

impl Rect {
    /// Whether it is a place on paper: finite, and no narrower than [`LEAST_SIDE_MM`].
    pub fn is_printable(&self) -> bool {
        [self.x, self.y, self.width, self.height].iter().all(|number| number.is_finite())
            && self.width.min(self.height) >= LEAST_SIDE_MM
    }
}

impl Crop {
    /// Whether it is a part of its photo. One made of fractions may miss the edge by a rounding.
    pub fn is_inside(&self) -> bool {
        let inside = |from: f64, size: f64| from >= -1e-6 && size > 1e-4 && from + size <= 1.0 + 1e-6;
        inside(self.x, self.width) && inside(self.y, self.height)
    }
}

/// Whether something lies on the page or at most half of one beside it: from there hands can fetch it.
fn is_near(bounds: &Rect, trim: Trim) -> bool {
    let near = |from: f64, size: f64, page: f64| from >= -page / 2.0 && from + size <= page * 1.5;
    near(bounds.x, bounds.width, trim.width) && near(bounds.y, bounds.height, trim.height)
}

fn check_crop(crop: &Crop) -> Result<(), Unfit> {
    if crop.is_inside() { Ok(()) } else { Err(Unfit::Crop) }
}

fn check_edge(border: Option<Border>, radius: Option<f64>) -> Result<(), Unfit> {
    if border.is_some_and(|border| !(0.0..=MOST_BORDER_MM).contains(&border.width)) {
        return Err(Unfit::Border);
    }
    match radius {
        Some(radius) if !(0.0..=MOST_RADIUS_MM).contains(&radius) => Err(Unfit::Radius),
        _ => Ok(()),
    }
}

fn check_text(block: &TextBlock) -> Result<(), Unfit> {
    if block.text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
    {
        return Err(Unfit::Control);
    }
    if block.text.chars().count() > TEXT_LENGTH {
        return Err(Unfit::TextLength);
    }
    if SIZE_STEPS.contains(&block.size) { Ok(()) } else { Err(Unfit::Size) }
}

/// Schemes are read in either case: in capitals an address makes a smaller code.
fn check_address(address: &str) -> Result<(), Unfit> {
    let is_web = ["http://", "https://"].iter().any(|scheme| {
        address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && address.len() > scheme.len()
    });
    let is_plain = address.chars().all(|character| !character.is_control() && !character.is_whitespace());
    if is_web && is_plain && address.len() <= CODE_LENGTH { Ok(()) } else { Err(Unfit::Address) }
}
