//! The document as the themes read it: plain data in mm, the text cut into paragraphs, every photo turned into a
//! numbered picture with the place where its edges fall.

use domain::document::{
    Align, BLEED_MM, Border, Colour, Crop, Document, Element, Emoji, Ground, Ink, Mask, Page, PdfPage,
    PhotoFrame, Rect, Shape, ShapeKind, TextRole, Typeface, Weight,
};
use domain::ornament::{Drawn, Ornament};
use domain::typed::is_line_end;
use serde::Serialize;

use crate::code::{self, Rows};
use crate::cover::SheetCover;
use crate::error::PressError;
use crate::month::SheetMonth;
use crate::world::picture_path;

/// Everything a theme is given.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Sheet<'a> {
    pub width: f64,
    pub height: f64,
    pub bleed: f64,
    pub title: &'a str,
    pub author: &'a str,
    #[serde(skip_serializing_if = "Emoji::is_plain")]
    pub emoji: Emoji,
    /// The cover when the sheet is a whole one: its first page is the front.
    pub cover: Option<SheetCover>,
    /// The border inside of which everything is safe, in mm, when the trim and this border are to be drawn.
    pub guides: Option<f64>,
    /// The part of the page that is the paper, where one thing is set by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Rect>,
    pub pages: Vec<SheetPage<'a>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SheetPage<'a> {
    pub theme: &'a str,
    pub ground: Ground,
    pub background: Option<Colour>,
    pub elements: Vec<SheetElement<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum SheetElement<'a> {
    Photo {
        frame: Rect,
        /// Whether it gets what the theme has around photos.
        framed: bool,
        picture: Option<Picture>,
        #[serde(skip_serializing_if = "is_upright")]
        rotation: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        border: Option<Border>,
        #[serde(skip_serializing_if = "Option::is_none")]
        radius: Option<f64>,
        /// Which corners a mask makes round, clockwise from the upper left.
        #[serde(skip_serializing_if = "Option::is_none")]
        mask: Option<[bool; 4]>,
    },
    Text {
        frame: Rect,
        role: TextRole,
        paragraphs: Vec<String>,
        longest: String,
        page: usize,
        element: usize,
        text: &'a str,
        #[serde(skip_serializing_if = "is_upright")]
        rotation: f64,
        /// How much larger than its role it is set.
        #[serde(skip_serializing_if = "Option::is_none")]
        scale: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        align: Option<Align>,
        #[serde(skip_serializing_if = "Option::is_none")]
        colour: Option<Ink>,
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Weight>,
        #[serde(skip_serializing_if = "Option::is_none")]
        font: Option<Typeface>,
    },
    Month(Box<SheetMonth>),
    Shape {
        shape: ShapeKind,
        frame: Rect,
        #[serde(skip_serializing_if = "is_upright")]
        rotation: f64,
        fill: Option<Ink>,
        border: Option<Border>,
        radius: Option<f64>,
    },
    Ornament {
        name: Ornament,
        frame: Rect,
        drawn: Drawn,
        #[serde(skip_serializing_if = "is_upright")]
        rotation: f64,
        fill: Option<Ink>,
    },
    Code {
        frame: Rect,
        /// Dark where they say so.
        rows: Rows,
        #[serde(skip_serializing_if = "is_upright")]
        rotation: f64,
    },
}

/// What is not turned says nothing of it, so that a sheet without anything turned is what it always was.
pub(crate) fn is_upright(rotation: &f64) -> bool {
    *rotation == 0.0
}

/// A picture inside a frame, which clips it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Picture {
    pub path: String,
    /// Where the whole picture lies, counted from the frame's top left corner.
    pub place: Rect,
    /// Set when the file is bare RGB pixels.
    pub pixels: Option<Pixels>,
    /// Set when the file is a PDF: which of its pages, from 1.
    pub page: Option<u32>,
}

/// Something in a frame that a picture fills.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shown<'a> {
    Photo(&'a PhotoFrame),
    Pdf(&'a PdfPage),
}

impl Shown<'_> {
    pub fn frame(&self) -> &Rect {
        match self {
            Self::Photo(photo) => &photo.frame,
            Self::Pdf(pdf) => &pdf.frame,
        }
    }

    /// By how many degrees its frame is turned, clockwise.
    pub fn rotation(&self) -> f64 {
        match self {
            Self::Photo(photo) => photo.common.rotation,
            Self::Pdf(pdf) => pdf.common.rotation,
        }
    }

    pub fn crop(&self) -> &Crop {
        match self {
            Self::Photo(photo) => &photo.crop,
            Self::Pdf(pdf) => &pdf.crop,
        }
    }

    /// It is there and cannot be used.
    pub fn unreadable(&self, reason: &dyn std::fmt::Display) -> PressError {
        match self {
            Self::Photo(photo) => PressError::Unreadable(photo.photo.clone(), reason.to_string()),
            Self::Pdf(pdf) => PressError::UnreadableFile(pdf.file.clone(), reason.to_string()),
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Pixels {
    pub width: u32,
    pub height: u32,
}

/// Where a whole photo lies, seen from its frame, when its crop fills the frame.
pub(crate) fn whole_photo(frame: &Rect, crop: &Crop) -> Rect {
    let (width, height) = (frame.width / crop.width, frame.height / crop.height);
    Rect { x: -crop.x * width, y: -crop.y * height, width, height }
}

impl Picture {
    /// A file as it is; the frame cuts the crop out of it.
    pub fn whole(index: usize, shown: Shown) -> Self {
        let page = match shown {
            Shown::Photo(_) => None,
            Shown::Pdf(pdf) => Some(pdf.page),
        };
        let place = whole_photo(shown.frame(), shown.crop());
        Self { path: picture_path(index), place, pixels: None, page }
    }

    /// A picture that was cut and scaled for this frame.
    pub fn cut(index: usize, frame: &Rect, pixels: Option<Pixels>) -> Self {
        let place = Rect { x: 0.0, y: 0.0, width: frame.width, height: frame.height };
        Self { path: picture_path(index), place, pixels, page: None }
    }
}

impl<'a> Sheet<'a> {
    /// A sheet of the given pages. `picture` says what fills a frame; nothing leaves it empty.
    pub fn new<E>(
        document: &'a Document,
        pages: impl IntoIterator<Item = &'a Page>,
        mut picture: impl FnMut(Shown) -> Result<Option<Picture>, E>,
    ) -> Result<Self, E> {
        let pages = pages
            .into_iter()
            .enumerate()
            .map(|(number, page)| {
                let elements = page.elements.iter().enumerate();
                let elements = elements
                    .map(|(index, element)| {
                        Ok(match element {
                            Element::Photo(photo) => {
                                let picture = picture(Shown::Photo(photo))?;
                                SheetElement::Photo {
                                    frame: photo.frame,
                                    framed: true,
                                    picture,
                                    rotation: photo.common.rotation,
                                    border: photo.border,
                                    radius: photo.radius,
                                    mask: photo.mask.map(Mask::corners),
                                }
                            }
                            Element::Pdf(pdf) => {
                                let picture = picture(Shown::Pdf(pdf))?;
                                SheetElement::Photo {
                                    frame: pdf.frame,
                                    framed: false,
                                    picture,
                                    rotation: pdf.common.rotation,
                                    border: None,
                                    radius: None,
                                    mask: None,
                                }
                            }
                            Element::Text(block) => {
                                let paragraphs = paragraphs(&block.text);
                                SheetElement::Text {
                                    rotation: block.common.rotation,
                                    scale: Some(block.scale()).filter(|_| block.size != 0),
                                    align: block.align,
                                    colour: block.colour,
                                    weight: block.weight,
                                    font: block.font,
                                    frame: block.frame,
                                    role: block.role,
                                    longest: longest_word(&paragraphs),
                                    paragraphs,
                                    page: number,
                                    element: index,
                                    text: &block.text,
                                }
                            }
                            Element::Month(block) => {
                                SheetElement::Month(Box::new(SheetMonth::of(block, number, index)))
                            }
                            Element::Shape(Shape {
                                shape: ShapeKind::Ornament(name),
                                frame,
                                fill,
                                common,
                                ..
                            }) => SheetElement::Ornament {
                                name: *name,
                                frame: *frame,
                                drawn: name.drawn_in(frame),
                                rotation: common.rotation,
                                fill: *fill,
                            },
                            Element::Shape(shape) => SheetElement::Shape {
                                shape: shape.shape,
                                frame: shape.frame,
                                rotation: shape.common.rotation,
                                fill: shape.fill,
                                border: shape.border,
                                radius: shape.radius,
                            },
                            Element::Code(code) => SheetElement::Code {
                                frame: code.frame,
                                rows: code::rows_of(code),
                                rotation: code.common.rotation,
                            },
                        })
                    })
                    .collect::<Result<_, E>>()?;
                Ok(SheetPage {
                    theme: document.theme_of(page),
                    ground: page.ground,
                    background: page.background,
                    elements,
                })
            })
            .collect::<Result<_, E>>()?;
        Ok(Self {
            width: document.trim.width,
            height: document.trim.height,
            bleed: BLEED_MM,
            title: &document.title,
            author: &document.author,
            emoji: document.emoji,
            cover: None,
            guides: None,
            layer: None,
            pages,
        })
    }
}

/// The paragraphs of a text, without what cannot be printed. A text of nothing but white space has none.
fn paragraphs(text: &str) -> Vec<String> {
    let text = text.trim_end();
    if text.is_empty() {
        return Vec::new();
    }
    text.split(|c| c == '\n' || is_line_end(c)).map(breakable).collect()
}

/// Latin letters in a row that no language has; they are addresses, and may break anywhere.
const LONG_WORD: usize = 30;

/// The characters of a text that are printed, and its line feeds.
pub(crate) fn printable(text: &str) -> impl Iterator<Item = char> {
    let plain = |c: char| match c {
        '\t' => ' ',
        c if is_line_end(c) => '\n',
        c => c,
    };
    text.chars().map(plain).filter(|c| *c == '\n' || !c.is_control())
}

pub(crate) fn breakable(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut run = 0;
    for character in printable(line).filter(|c| *c != '\n') {
        run = if joins(character) { run + 1 } else { 0 };
        if run >= LONG_WORD {
            out.push('\u{200b}');
        }
        out.push(character);
    }
    out
}

/// Whether a line cannot break after the character; everything up to the CJK blocks, roughly.
fn joins(character: char) -> bool {
    !character.is_whitespace() && character != '\u{200b}' && character < '\u{2e80}'
}

/// The longest run of letters without a place to break, for the theme to measure against the frame's width.
fn longest_word(paragraphs: &[String]) -> String {
    let words = paragraphs.iter().flat_map(|line| line.split(|c| !joins(c)));
    words.max_by_key(|word| word.chars().count()).unwrap_or_default().to_owned()
}

/// The longest side that a page may have, in mm.
pub(crate) const MAX_TRIM_MM: f64 = 1500.0;

/// Refuses sizes that no sheet of paper has and crops that lie outside their photo, before Typst sees them.
pub(crate) fn check<'a>(
    document: &Document,
    pages: impl IntoIterator<Item = &'a Page>,
) -> Result<(), PressError> {
    let wrong = |what: &str| Err(PressError::Document(what.to_owned()));
    let side = 20.0..=MAX_TRIM_MM;
    if !side.contains(&document.trim.width) || !side.contains(&document.trim.height) {
        return wrong("the trim is not between 20 and 1500 mm");
    }
    for page in pages {
        for element in &page.elements {
            let frame = element.frame();
            let sizes = [frame.width, frame.height].iter().all(|size| *size > 0.0 && *size < 10_000.0);
            if !(sizes && frame.x.abs() < 10_000.0 && frame.y.abs() < 10_000.0) {
                return wrong("a frame has no size or lies nowhere");
            }
            if !element.common().rotation.is_finite() {
                return wrong("something is turned by no angle");
            }
        }
        let mut crops = page.photos().map(|photo| photo.crop).chain(page.pdfs().map(|pdf| pdf.crop));
        if !crops.all(|crop| crop.is_inside()) {
            return wrong("a crop lies outside its photo");
        }
    }
    Ok(())
}
