//! Draws the sample books of the public pages: painted photos, laid out and typeset as a member's would be.
//!
//! `cargo run -p bindery-press --example samples -- islands/static`

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use domain::calendar::{self, Plan, WeekStart, YearMonth};
use domain::document::{
    Colour, Crop, Document, Element, Ground, Ink, Page, PhotoFrame, Rect, Shape, ShapeKind, TextBlock,
    TextRole, Trim,
};
use domain::ids::PhotoId;
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, Style, lay_out};
use domain::ornament::Ornament;
use image::codecs::jpeg::JpegEncoder;
use press::{PageRef, Press, Proxies, specimen, themes};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// A sample book: its file name, title, size, theme and the first of its photos.
const BOOKS: [(&str, &str, f64, f64, &str, u32); 4] = [
    ("square", "山海之间", 210.0, 210.0, "calm", 0),
    ("a4", "远山", 210.0, 297.0, "classic", 14),
    ("a5", "秋日徒步手记", 148.0, 210.0, "calm", 28),
    ("wide", "湖上三日", 280.0, 210.0, "classic", 41),
];
const PHOTOS: u32 = 24;
/// Covers are shown small; the open spread of the first book is looked at closely.
const COVER_WIDTH: u32 = 400;
const SPREAD: [(&str, usize); 2] = [("left", 13), ("right", 14)];
/// Themes are chosen from small pictures.
const THEME_WIDTH: u32 = 240;
const SPREAD_WIDTHS: [u32; 2] = [480, 960];
/// Of each ornament among all.
const ORNAMENT_WIDTH: u32 = 96;

fn main() -> Fallible<()> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("which folder?")?.into();
    let press = Press::new();
    let mut painted = Painted::default();
    for (index, (name, title, width, height, theme, first)) in BOOKS.into_iter().enumerate() {
        let photos =
            (first..first + PHOTOS).map(|number| painted.paint(number)).collect::<Fallible<Vec<_>>>()?;
        let options = LayoutOptions {
            trim: Trim { width, height },
            pages: PageRange { min: PHOTOS, max: PHOTOS, step: 2 },
            title: title.into(),
            author: "林知夏".into(),
            theme: theme.into(),
            captions: Captions::Empty,
            chapters: false,
            parts: Default::default(),
            density: Default::default(),
            style: Default::default(),
        };
        let options = LayoutOptions { style: style_of(theme), ..options };
        let mut book = lay_out(&photos, &options)?;
        book.cover.ground = cover_of(theme);
        let cover = press.page_picture(&book, PageRef::Cover, &painted, COVER_WIDTH)?;
        fs::write(folder.join(format!("sample-{name}.webp")), cover)?;
        for (side, page) in SPREAD.into_iter().filter(|_| index == 0) {
            for width in SPREAD_WIDTHS {
                let picture = press.page_picture(&book, PageRef::Inner(page), &painted, width)?;
                fs::write(folder.join(format!("sample-{side}-{width}.webp")), picture)?;
            }
        }
    }
    for theme in themes() {
        for (side, picture) in sides(press, &mut painted, theme.name)? {
            fs::write(folder.join(format!("theme-{}-{side}.webp", theme.name)), picture)?;
        }
        let month = month(press, &mut painted, theme.name)?;
        fs::write(folder.join(format!("theme-{}-month.webp", theme.name)), month)?;
    }
    fs::write(folder.join("sample-card.jpg"), card(press, &mut painted)?)?;
    fs::write(folder.join("ornaments.webp"), ornaments(press, &painted)?)?;
    Ok(())
}

/// How a theme composes its books.
fn style_of(theme: &str) -> Style {
    themes().iter().find(|known| known.name == theme).map(|known| known.style).unwrap_or_default()
}

/// The background of its covers.
fn cover_of(theme: &str) -> Ground {
    themes().iter().find(|known| known.name == theme).map(|known| known.cover).unwrap_or_default()
}

/// The cover, a chapter page and the page with photos that shows a theme best.
fn sides(press: Press, painted: &mut Painted, theme: &str) -> Fallible<[(&'static str, Vec<u8>); 3]> {
    let photos = (60..60 + PHOTOS).map(|number| painted.paint(number)).collect::<Fallible<Vec<_>>>()?;
    let options = LayoutOptions {
        trim: Trim { width: 210.0, height: 210.0 },
        pages: PageRange { min: 8, max: 2 * PHOTOS, step: 2 },
        title: "山海之间".into(),
        author: "林知夏".into(),
        theme: theme.into(),
        captions: Captions::Dates,
        chapters: true,
        parts: Default::default(),
        density: Default::default(),
        style: style_of(theme),
    };
    let mut book = lay_out(&photos, &options)?;
    book.cover.ground = cover_of(theme);
    let inside = |page: &Page| page.photos().all(|photo| photo.frame.x > 0.0 && photo.frame.y > 0.0);
    let page = |wanted: &dyn Fn(&Page) -> bool| book.pages.iter().position(wanted).ok_or("no such page");
    let chapter = page(&|page| page.texts().any(|block| block.role == TextRole::Heading))?;
    // in some every photo runs off the page
    let shared = |page: &Page| page.photos().count() > 1;
    let shown = page(&|page| shared(page) && inside(page)).or_else(|_| page(&shared))?;
    let draw = |page| press.page_picture(&book, page, painted, THEME_WIDTH);
    Ok([
        ("cover", draw(PageRef::Cover)?),
        ("chapter", draw(PageRef::Inner(chapter))?),
        ("page", draw(PageRef::Inner(shown))?),
    ])
}

/// A month of a desk calendar.
fn month(press: Press, painted: &mut Painted, theme: &str) -> Fallible<Vec<u8>> {
    // the cover's, and one for each month
    let photos = (60..73).map(|number| painted.paint(number)).collect::<Fallible<Vec<_>>>()?;
    let plan = Plan {
        trim: Trim { width: 254.0, height: 180.0 },
        theme: theme.into(),
        title: "山海之间".into(),
        start: YearMonth::new(2026, 1).ok_or("no such month")?,
        months: 12,
        week_start: WeekStart::Monday,
        anniversaries: Vec::new(),
        is_facing: false,
    };
    let calendar = calendar::make(&plan, &photos)?;
    Ok(press.page_picture(&calendar, PageRef::Inner(4), painted, 2 * THEME_WIDTH)?)
}

/// All ornaments side by side, each in a square of its own.
fn ornaments(press: Press, painted: &Painted) -> Fallible<Vec<u8>> {
    let (side, inset) = (100.0, 12.0);
    let drawn = Ornament::ALL.into_iter().zip(0..).map(|(ornament, at)| {
        let frame = Rect {
            x: side * f64::from(at) + inset,
            y: inset,
            width: side - 2.0 * inset,
            height: side - 2.0 * inset,
        };
        Element::Shape(Shape {
            common: Default::default(),
            shape: ShapeKind::Ornament(ornament),
            frame,
            fill: Some(Ink::Free(Colour([0x20, 0x38, 0x64]))),
            border: None,
            radius: None,
        })
    });
    let page = Page { background: Some(Colour([0xff; 3])), elements: drawn.collect(), ..Page::default() };
    let count = u32::try_from(Ornament::ALL.len())?;
    let trim = Trim { width: side * f64::from(count), height: side };
    Ok(press.page_picture(&sheet(trim, page), PageRef::Inner(0), painted, ORNAMENT_WIDTH * count)?)
}

/// A document of one page.
fn sheet(trim: Trim, page: Page) -> Document {
    Document {
        trim,
        theme: "calm".into(),
        title: "书坊".into(),
        author: String::new(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover: Page::default(),
        pages: vec![page],
    }
}

/// What a messenger shows beside a link: 1200 × 630, as JPEG, which all of them read.
fn card(press: Press, painted: &mut Painted) -> Fallible<Vec<u8>> {
    let photo = painted.paint(41)?;
    let frame = Rect { x: 96.0, y: -3.0, width: 147.0, height: 132.0 };
    let crop = Crop::fill(f64::from(photo.width) / f64::from(photo.height), frame.aspect());
    let text = |role, y, text: &str| {
        let frame = Rect { x: 12.0, y, width: 76.0, height: 24.0 };
        Element::Text(TextBlock::new(frame, role, text))
    };
    let page = Page {
        elements: vec![
            Element::Photo(PhotoFrame::new(photo.id, frame, crop)),
            text(TextRole::Title, 44.0, "书坊"),
            text(TextRole::Subtitle, 57.0, "把照片做成一本书"),
        ],
        ..Page::default()
    };
    let document = sheet(Trim { width: 240.0, height: 126.0 }, page);
    let picture = press.page_picture(&document, PageRef::Inner(0), painted, 1200)?;
    let mut jpeg = Vec::new();
    let pixels = image::load_from_memory(&picture)?.to_rgb8();
    JpegEncoder::new_with_quality(&mut jpeg, 82).encode_image(&pixels)?;
    Ok(jpeg)
}

/// The photos of all sample books.
#[derive(Default)]
struct Painted(HashMap<PhotoId, Vec<u8>>);

impl Painted {
    fn paint(&mut self, number: u32) -> Fallible<PhotoInput> {
        let painted = specimen::paint(number);
        let id: PhotoId = format!("sample-{number}").parse()?;
        self.0.insert(id.clone(), painted.jpeg);
        let (width, height) = (painted.width, painted.height);
        Ok(PhotoInput { taken_at: Some(painted.taken_at), ..PhotoInput::new(id, width, height) })
    }
}

impl Proxies for Painted {
    fn proxy(&self, photo: &PhotoId, _: u32) -> Option<Vec<u8>> {
        self.0.get(photo).cloned()
    }
}
