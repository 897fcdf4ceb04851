//! A work's pages as data: what stands where, in millimetres.
//!
//! Positions count from the top left corner of the trimmed page, right and down. What is to run off the
//! page reaches [`BLEED_MM`] past its edges. The press turns a document into pictures and print files;
//! nothing here knows how.

use serde::{Deserialize, Serialize};

use crate::calendar::MonthBlock;
use crate::ids::{FileDigest, PhotoId};
use crate::layout::MAX_PAGES;

/// What is printed past the trim and cut away, in mm (product page, section 2).
pub const BLEED_MM: f64 = 3.0;
/// The inner border that nothing important may cross, in mm (product page, section 2).
pub const SAFE_MM: f64 = 5.0;

/// A whole work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The front cover. The press adds spine and back.
    pub cover: Page,
    /// The inner pages in reading order; the first is a right-hand page.
    pub pages: Vec<Page>,
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

/// The size of a page after cutting, in mm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trim {
    pub width: f64,
    pub height: f64,
}

/// One side of a sheet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Page {
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
}

impl Element {
    /// Where it stands on its page, in mm.
    pub fn frame(&self) -> Rect {
        match self {
            Self::Photo(photo) => photo.frame,
            Self::Text(block) => block.frame,
            Self::Pdf(pdf) => pdf.frame,
            Self::Month(block) => block.frame,
        }
    }
}

/// A page of a PDF file. The part named by `crop` fills the frame exactly; it is printed as it is in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PdfPage {
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
    pub photo: PhotoId,
    pub frame: Rect,
    pub crop: Crop,
}

/// A block of text that is set inside its frame by the theme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextBlock {
    pub frame: Rect,
    pub role: TextRole,
    /// Plain text; a line feed starts a new paragraph. Empty blocks print nothing.
    pub text: String,
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

/// An sRGB colour, `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour(pub [u8; 3]);

impl TryFrom<String> for Colour {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii());
        let value = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let [_, red, green, blue] = value.ok_or_else(|| format!("not a colour: {text}"))?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl From<Colour> for String {
    fn from(Colour([red, green, blue]): Colour) -> String {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
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
    /// Whether it is a place on paper: finite, and no narrower than [`LEAST_SIDE_MM`].
    pub fn is_printable(&self) -> bool {
        [self.x, self.y, self.width, self.height].iter().all(|number| number.is_finite())
            && self.width.min(self.height) >= LEAST_SIDE_MM
    }

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

impl PhotoFrame {
    /// The resolution the photo prints at: cropped source pixels ÷ (frame mm ÷ 25.4), the smaller of the two
    /// directions (product page, section 3, "Editor"). `width` and `height` are the upright photo's pixels.
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

    /// What of a calendar stands on the page.
    pub fn months(&self) -> impl Iterator<Item = &MonthBlock> {
        self.elements.iter().filter_map(|element| match element {
            Element::Month(block) => Some(block),
            _ => None,
        })
    }
}

/// Things that a work may have on all of its pages.
pub const MOST_ELEMENTS: usize = 20_000;
/// Characters that all texts of a work may have together: what is typeset in a few seconds. A long text is a manuscript,
/// not blocks on pages.
pub const MOST_CHARACTERS: usize = 200_000;
/// The shortest side that a frame may have, in mm: nobody sees less, and no press prints it.
pub const LEAST_SIDE_MM: f64 = 1.0;

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

impl Document {
    /// Whether it is no more than a work may be: everybody's pictures are drawn by the same machine.
    ///
    /// # Errors
    /// What there is too much of.
    pub fn check_size(&self) -> Result<(), TooMuch> {
        if self.pages.len() > MAX_PAGES {
            return Err(TooMuch::Pages);
        }
        if self.all_pages().map(|page| page.elements.len()).sum::<usize>() > MOST_ELEMENTS {
            return Err(TooMuch::Elements);
        }
        let texts = self.all_pages().flat_map(Page::texts);
        if texts.map(|block| block.text.chars().count()).sum::<usize>() > MOST_CHARACTERS {
            return Err(TooMuch::Characters);
        }
        Ok(())
    }

    /// The theme that a page is set in.
    pub fn theme_of<'a>(&'a self, page: &'a Page) -> &'a str {
        page.theme.as_deref().unwrap_or(&self.theme)
    }

    /// Cover and inner pages, the cover first.
    pub fn all_pages(&self) -> impl Iterator<Item = &Page> {
        std::iter::once(&self.cover).chain(&self.pages)
    }

    /// The PDF files whose pages it shows, each once.
    pub fn files(&self) -> std::collections::BTreeSet<&FileDigest> {
        self.all_pages().flat_map(Page::pdfs).map(|pdf| &pdf.file).collect()
    }
}
