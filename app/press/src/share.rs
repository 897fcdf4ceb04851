//! Pictures with which a work is shared: a card beside a link, a small picture, a poster with a QR code.

use domain::document::Document;
use photo::{Resizer, progressive_jpeg, resize};
use serde::Serialize;
use typst::foundations::Bytes;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::screen::{PageRef, Proxies, draw, not_encoded, rendered};
use crate::sheet::{Pixels, breakable};
use crate::themes;
use crate::world::{compile, picture_path};

/// The quality of cards and posters.
const QUALITY: u8 = 86;
/// What the small picture may have, and the qualities that are tried for it.
const ICON_BYTES: usize = 20_000;
const ICON_QUALITIES: [u8; 6] = [84, 76, 68, 58, 46, 34];
/// How wide a cover is drawn, in pixels.
const COVER_WIDTH: u32 = 900;
/// Characters of a title and of an author that are shown.
const MOST_TITLE: usize = 60;
const MOST_AUTHOR: usize = 30;

/// The cover of what is shared.
#[derive(Clone, Copy)]
pub enum ShareCover<'a> {
    /// A work's own.
    Document(&'a Document, &'a dyn Proxies),
    /// A picture: JPEG, PNG or WebP of this house.
    Picture(&'a [u8]),
}

/// What stands on a poster beside the cover.
#[derive(Debug, Clone, Copy)]
pub struct Poster<'a> {
    pub title: &'a str,
    /// May be empty.
    pub author: &'a str,
    /// Where the QR code leads.
    pub address: &'a str,
    /// The same to read, short.
    pub short_address: &'a str,
    /// What is said beside the code: `扫码阅读`.
    pub invitation: &'a str,
    /// Who made it possible: the house's name; may be empty.
    pub house: &'a str,
}

/// What `share.typ` reads.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Sheet<'a> {
    kind: &'static str,
    /// In mm.
    width: f64,
    height: f64,
    title: String,
    author: String,
    cover: Cover,
    /// The rows of a QR code, dark where it says so.
    code: Rows,
    short_address: &'a str,
    invitation: &'a str,
    house: &'a str,
}

#[derive(Serialize)]
struct Cover {
    path: String,
    pixels: Pixels,
}

/// A picture's name in the theme, its pixels, and its size there in mm.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    width: u32,
    height: u32,
    per_mm: f64,
}

const CARD: Kind = Kind { name: "card", width: 1200, height: 630, per_mm: 5.0 };
const ICON: Kind = Kind { name: "icon", width: 300, height: 300, per_mm: 5.0 };
const POSTER: Kind = Kind { name: "poster", width: 1080, height: 1920, per_mm: 10.0 };

pub(crate) fn card(cover: ShareCover, title: &str, author: &str) -> Result<Vec<u8>, PressError> {
    let words = Poster { title, author, address: "", short_address: "", invitation: "", house: "" };
    let pixels = set(CARD, cover, &words, Vec::new())?;
    progressive_jpeg(&pixels, QUALITY).ok_or_else(not_encoded)
}

pub(crate) fn icon(cover: ShareCover) -> Result<Vec<u8>, PressError> {
    let words = Poster { title: "", author: "", address: "", short_address: "", invitation: "", house: "" };
    let pixels = set(ICON, cover, &words, Vec::new())?;
    let mut files = ICON_QUALITIES.iter().filter_map(|quality| progressive_jpeg(&pixels, *quality));
    files.find(|file| file.len() <= ICON_BYTES).ok_or_else(not_encoded)
}

pub(crate) fn poster(cover: ShareCover, poster: &Poster) -> Result<Vec<u8>, PressError> {
    let pixels = set(POSTER, cover, poster, code::rows(poster.address)?)?;
    progressive_jpeg(&pixels, QUALITY).ok_or_else(not_encoded)
}

fn set(kind: Kind, cover: ShareCover, words: &Poster, code: Rows) -> Result<photo::Pixels, PressError> {
    let photo::Pixels { width, height, data, .. } = pixels_of(cover)?;
    let sheet = Sheet {
        kind: kind.name,
        width: f64::from(kind.width) / kind.per_mm,
        height: f64::from(kind.height) / kind.per_mm,
        title: shown(words.title, MOST_TITLE),
        author: shown(words.author, MOST_AUTHOR),
        cover: Cover { path: picture_path(0), pixels: Pixels { width, height } },
        code,
        short_address: words.short_address,
        invitation: words.invitation,
        house: words.house,
    };
    let typeset = compile(themes::SHARE, &sheet, vec![Bytes::new(data)])?;
    rendered(&typeset, kind.width)
}

/// The cover's pixels, sRGB, no more than are shown.
fn pixels_of(cover: ShareCover) -> Result<photo::Pixels, PressError> {
    let picture = match cover {
        ShareCover::Document(document, proxies) => {
            return draw(document, PageRef::Cover, proxies, COVER_WIDTH);
        }
        ShareCover::Picture(bytes) => photo::read_derivative(bytes),
    };
    let unreadable = || PressError::Document("the cover's picture can't be read".to_owned());
    let picture = photo::to_srgb(picture.ok_or_else(unreadable)?);
    let (width, height) = (picture.width, picture.height);
    if width <= COVER_WIDTH {
        return Ok(picture);
    }
    let height = (f64::from(height) * f64::from(COVER_WIDTH) / f64::from(width)).round().max(1.0);
    resize(&mut Resizer::new(), &picture, None, COVER_WIDTH, height as u32).map_err(|_| unreadable())
}

/// A line of words, shortened.
fn shown(words: &str, most: usize) -> String {
    let line = breakable(&words.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most - 1).chain(['…']).collect()
}
