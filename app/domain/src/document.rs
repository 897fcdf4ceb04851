//! A work's pages as data: what stands where, in millimetres.
//!
//! Positions count from the top left corner of the trimmed page, right and down. What is to run off the
//! page reaches [`BLEED_MM`] past its edges. The press turns a document into pictures and print files;
//! nothing here knows how.

mod geometry;
mod identity;
mod limits;
mod style;
mod variants;

use serde::{Deserialize, Serialize};

use crate::calendar::MonthBlock;
use crate::ids::{ElementId, FileDigest, PageId, PhotoId};
use crate::ornament::Ornament;

pub use geometry::{bounds, seen_from, shared_area, turned_with};
pub use identity::VERSION;
pub use limits::{
    CODE_LENGTH, LEAST_SIDE_MM, MOST_BORDER_MM, MOST_CHARACTERS, MOST_ELEMENTS, MOST_ON_PAGE, MOST_RADIUS_MM,
    MOST_ROTATION, SIZE_STEPS, TEXT_LENGTH, TooMuch, Unfit,
};
pub use style::{Align, Border, Colour, Ink, Mask, PaletteColour, Typeface, Weight};
pub use variants::{CopyName, MOST_VARIANTS, Variant, Variants, first_names};

/// What is printed past the trim and cut away, in mm (product page, section 2).
pub const BLEED_MM: f64 = 3.0;
/// The inner border that nothing important may cross, in mm (product page, section 2).
pub const SAFE_MM: f64 = 5.0;

/// A whole work. It is written with the number of its format, and read from every format there was ([`VERSION`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Document {
    /// The size of a page after cutting.
    pub trim: Trim,
    /// The name of a press theme.
    pub theme: String,
    /// The work's title, 1 to 60 characters.
    pub title: String,
    /// Who made it; may be empty.
    #[serde(default)]
    pub author: String,
    /// What it is about, for its maker; never printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What kind of occasion it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// How its emoji are shown.
    #[serde(default, skip_serializing_if = "Emoji::is_plain")]
    pub emoji: Emoji,
    /// The front cover. The press adds spine and back.
    pub cover: Page,
    /// The inner pages in reading order; the first is a right-hand page.
    pub pages: Vec<Page>,
    /// How the copies of a print run differ, where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Variants>,
}

/// What kind of occasion a work is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    Travel,
    Family,
    Baby,
    Wedding,
    Graduation,
    Portfolio,
    Company,
    Other,
}

impl Category {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 8] = [
        Self::Travel,
        Self::Family,
        Self::Baby,
        Self::Wedding,
        Self::Graduation,
        Self::Portfolio,
        Self::Company,
        Self::Other,
    ];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Travel => "travel",
            Self::Family => "family",
            Self::Baby => "baby",
            Self::Wedding => "wedding",
            Self::Graduation => "graduation",
            Self::Portfolio => "portfolio",
            Self::Company => "company",
            Self::Other => "other",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Travel => "旅行",
            Self::Family => "家庭",
            Self::Baby => "宝宝成长",
            Self::Wedding => "婚礼",
            Self::Graduation => "毕业",
            Self::Portfolio => "作品集",
            Self::Company => "企业",
            Self::Other => "其他",
        }
    }
}

/// How emoji are shown, on the screen as in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Emoji {
    /// In the colour of the words around them.
    #[default]
    Plain,
    /// In their own colours.
    Colour,
}

impl Emoji {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Colour];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Colour => "colour",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "单色",
            Self::Colour => "彩色",
        }
    }

    /// The one that a form says.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    /// What is plain says nothing of it, so that a document from before the choice is what it always was.
    pub fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

/// The size of a page after cutting, in mm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trim {
    pub width: f64,
    pub height: f64,
}

/// One side of a sheet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Page {
    /// Which page it is, wherever it stands. A document that was stored has one for every page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<PageId>,
    /// The name of this page's own theme; the document's where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Which of the theme's backgrounds lies under everything.
    #[serde(default, skip_serializing_if = "Ground::is_paper")]
    pub ground: Ground,
    /// A background of one colour, in the place of the theme's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<Colour>,
    /// What stands on the page, the lowest first.
    pub elements: Vec<Element>,
}

/// The backgrounds that every theme has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// The theme's paper.
    #[default]
    Paper,
    /// A little stronger than the paper, for a page that should be noticed.
    Tint,
    /// The theme's strong colour, with words in a light one: chapter pages, covers.
    Deep,
}

impl Ground {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 3] = [Self::Paper, Self::Tint, Self::Deep];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Tint => "tint",
            Self::Deep => "deep",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "纸色",
            Self::Tint => "淡彩",
            Self::Deep => "深色",
        }
    }

    fn is_paper(&self) -> bool {
        *self == Self::Paper
    }
}

/// Something on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Element {
    Photo(PhotoFrame),
    Text(TextBlock),
    Pdf(PdfPage),
    /// A month of a calendar, or what belongs to one.
    Month(MonthBlock),
    Shape(Shape),
    /// A QR code.
    Code(CodeBlock),
}

/// What every element has beside its frame.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Common {
    /// Which element it is; no other one of the document has it. A document that was stored has one for every element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<ElementId>,
    /// How far it is turned about the centre of its frame, in degrees, clockwise.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rotation: f64,
    /// Whether the editor keeps hands from moving it. A guard against slips, no permission.
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Element {
    /// Where it stands on its page before it is turned, in mm.
    pub fn frame(&self) -> Rect {
        match self {
            Self::Photo(photo) => photo.frame,
            Self::Text(block) => block.frame,
            Self::Pdf(pdf) => pdf.frame,
            Self::Month(block) => block.frame,
            Self::Shape(shape) => shape.frame,
            Self::Code(code) => code.frame,
        }
    }

    /// The rectangle around it as it is turned, in mm.
    pub fn bounds(&self) -> Rect {
        bounds(&self.frame(), self.common().rotation)
    }

    /// What it has in common with all others.
    pub fn common(&self) -> &Common {
        match self {
            Self::Photo(photo) => &photo.common,
            Self::Text(block) => &block.common,
            Self::Pdf(pdf) => &pdf.common,
            Self::Month(block) => &block.common,
            Self::Shape(shape) => &shape.common,
            Self::Code(code) => &code.common,
        }
    }

    /// The same, to be changed.
    pub fn common_mut(&mut self) -> &mut Common {
        match self {
            Self::Photo(photo) => &mut photo.common,
            Self::Text(block) => &mut block.common,
            Self::Pdf(pdf) => &mut pdf.common,
            Self::Month(block) => &mut block.common,
            Self::Shape(shape) => &mut shape.common,
            Self::Code(code) => &mut code.common,
        }
    }
}

/// A page of a PDF file. The part named by `crop` fills the frame exactly; it is printed as it is in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PdfPage {
    #[serde(flatten)]
    pub common: Common,
    pub file: FileDigest,
    /// From 1.
    pub page: u32,
    pub frame: Rect,
    /// Of the page as viewers show it: turned, and cut to its CropBox.
    pub crop: Crop,
}

/// A photo in a frame. The part named by `crop` fills the frame exactly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhotoFrame {
    #[serde(flatten)]
    pub common: Common,
    pub photo: PhotoId,
    pub frame: Rect,
    pub crop: Crop,
    /// In the place of what the theme has around photos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub border: Option<Border>,
    /// Of its corners, in mm; the theme's where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// In the place of such corners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
}

/// A block of text that is set inside its frame by the theme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextBlock {
    #[serde(flatten)]
    pub common: Common,
    pub frame: Rect,
    pub role: TextRole,
    /// Plain text; a line feed starts a new paragraph. Empty blocks print nothing.
    pub text: String,
    /// Steps above or below the size that the theme gives its role ([`TextBlock::scale`]).
    #[serde(default, skip_serializing_if = "is_usual")]
    pub size: i8,
    /// The role's where absent, as all that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<Align>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Ink>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Weight>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<Typeface>,
}

fn is_usual(size: &i8) -> bool {
    *size == 0
}

/// A rectangle, an ellipse, a line or an ornament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    #[serde(flatten)]
    pub common: Common,
    pub shape: ShapeKind,
    pub frame: Rect,
    /// What an area is filled with, and an ornament drawn in; a line has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Ink>,
    /// Its outline, inside the frame; of a line it is all there is, and an ornament has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub border: Option<Border>,
    /// Of a rectangle's corners, in mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
}

/// What a shape is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeKind {
    Rect,
    Ellipse,
    /// From the left to the right of its frame, half-way down; turning the frame gives it any direction.
    Line,
    /// One of the house's, by its code.
    #[serde(untagged)]
    Ornament(Ornament),
}

impl ShapeKind {
    /// Whether all of its frame is filled, or nearly: neither lines nor ornaments hide what lies below them.
    pub fn is_area(self) -> bool {
        matches!(self, Self::Rect | Self::Ellipse)
    }
}

/// A QR code (ISO/IEC 18004, error correction M): the largest square in the middle of its frame, with the quiet zone that it
/// needs. It is dark on light whatever lies below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CodeBlock {
    #[serde(flatten)]
    pub common: Common,
    pub frame: Rect,
    /// What opens for whoever scans it: a web address.
    pub address: String,
}

/// What a text is for: the theme gives each its typography.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextRole {
    Title,
    Subtitle,
    /// The name of a chapter.
    Heading,
    Caption,
    Body,
}

/// A rectangle on the page, in mm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The part of an upright photo that is shown, as fractions of its width and height (0 to 1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crop {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Crop {
    /// The whole photo.
    pub const WHOLE: Self = Self { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };

    /// The largest centred part of a photo with the given aspect ratio (width ÷ height) that fills a frame
    /// of another.
    pub fn fill(photo_aspect: f64, frame_aspect: f64) -> Self {
        if photo_aspect > frame_aspect {
            let width = frame_aspect / photo_aspect;
            Self { x: (1.0 - width) / 2.0, y: 0.0, width, height: 1.0 }
        } else {
            let height = photo_aspect / frame_aspect;
            Self { x: 0.0, y: (1.0 - height) / 2.0, width: 1.0, height }
        }
    }

    /// How much of the photo is shown, 0 to 1.
    pub fn area(&self) -> f64 {
        self.width * self.height
    }
}

impl Rect {
    /// Width ÷ height.
    pub fn aspect(&self) -> f64 {
        self.width / self.height
    }
}

impl Trim {
    /// The whole page with its bleed on all four sides.
    pub fn with_bleed(&self) -> Rect {
        Rect {
            x: -BLEED_MM,
            y: -BLEED_MM,
            width: self.width + 2.0 * BLEED_MM,
            height: self.height + 2.0 * BLEED_MM,
        }
    }
}

impl TextBlock {
    /// A text as the theme sets its role.
    pub fn new(frame: Rect, role: TextRole, text: impl Into<String>) -> Self {
        let common = Common::default();
        let text = text.into();
        Self { common, frame, role, text, size: 0, align: None, colour: None, weight: None, font: None }
    }

    /// Takes over another text with all that was said of it, in this one's place and role.
    pub(crate) fn take(&mut self, other: &Self) {
        let common = Common { rotation: 0.0, ..other.common.clone() };
        *self = Self { common, frame: self.frame, role: self.role, ..other.clone() };
    }

    /// How much larger than the theme's size it is set: a step is a sixth, so that four of them nearly double it.
    pub fn scale(&self) -> f64 {
        const STEP: f64 = 7.0 / 6.0;
        STEP.powi(self.size.into())
    }
}

impl PdfPage {
    /// A part of a PDF's page that stands upright.
    pub fn new(file: FileDigest, page: u32, frame: Rect, crop: Crop) -> Self {
        Self { common: Common::default(), file, page, frame, crop }
    }
}

impl PhotoFrame {
    /// A photo that stands upright, with what the theme has around photos.
    pub fn new(photo: PhotoId, frame: Rect, crop: Crop) -> Self {
        Self { common: Common::default(), photo, frame, crop, border: None, radius: None, mask: None }
    }

    /// The resolution the photo prints at: cropped source pixels ÷ (frame mm ÷ 25.4), the smaller of the two
    /// directions (product page, section 3, "Editor"). `width` and `height` are the upright photo's pixels. Turning the
    /// frame turns the pixels with it, so it changes nothing.
    pub fn effective_dpi(&self, width: u32, height: u32) -> f64 {
        let across = f64::from(width) * self.crop.width / (self.frame.width / 25.4);
        let down = f64::from(height) * self.crop.height / (self.frame.height / 25.4);
        across.min(down)
    }
}

impl Page {
    /// The photo frames on the page.
    pub fn photos(&self) -> impl Iterator<Item = &PhotoFrame> {
        self.elements.iter().filter_map(|element| match element {
            Element::Photo(frame) => Some(frame),
            _ => None,
        })
    }

    /// The text blocks on the page.
    pub fn texts(&self) -> impl Iterator<Item = &TextBlock> {
        self.elements.iter().filter_map(|element| match element {
            Element::Text(block) => Some(block),
            _ => None,
        })
    }

    /// The pages of PDF files on the page.
    pub fn pdfs(&self) -> impl Iterator<Item = &PdfPage> {
        self.elements.iter().filter_map(|element| match element {
            Element::Pdf(pdf) => Some(pdf),
            _ => None,
        })
    }

    /// The page that this is, as it is seen: the same one without any ids.
    pub fn without_ids(&self) -> Self {
        let mut page = Self { id: None, ..self.clone() };
        page.elements.iter_mut().for_each(|element| element.common_mut().id = None);
        page
    }

    /// What of a calendar stands on the page.
    pub fn months(&self) -> impl Iterator<Item = &MonthBlock> {
        self.elements.iter().filter_map(|element| match element {
            Element::Month(block) => Some(block),
            _ => None,
        })
    }
}

impl Document {
    /// The theme that a page is set in.
    pub fn theme_of<'a>(&'a self, page: &'a Page) -> &'a str {
        page.theme.as_deref().unwrap_or(&self.theme)
    }

    /// Cover and inner pages, the cover first.
    pub fn all_pages(&self) -> impl Iterator<Item = &Page> {
        std::iter::once(&self.cover).chain(&self.pages)
    }

    /// The same, to be changed.
    pub fn all_pages_mut(&mut self) -> impl Iterator<Item = &mut Page> {
        std::iter::once(&mut self.cover).chain(&mut self.pages)
    }

    /// The PDF files whose pages it shows, each once.
    pub fn files(&self) -> std::collections::BTreeSet<&FileDigest> {
        self.all_pages().flat_map(Page::pdfs).map(|pdf| &pdf.file).collect()
    }
}
