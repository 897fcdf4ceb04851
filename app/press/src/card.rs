//! A business card on paper: 90 × 54 mm, front and back, with the bleed that the shop cuts away.

use serde::Serialize;
use typst::foundations::Bytes;
use typst_pdf::PdfStandards;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::screen::not_encoded;
use crate::sheet::breakable;
use crate::themes;
use crate::world::{compile, picture_path, write_pdf};

/// Width, height and bleed, in mm.
const WIDTH: f64 = 90.0;
const HEIGHT: f64 = 54.0;
const BLEED: f64 = 3.0;
/// The quality of a face.
const QUALITY: u8 = 90;
/// Characters of each thing that there is room for.
const MOST_NAME: usize = 30;
const MOST_LINE: usize = 70;

/// What stands on a card.
#[derive(Debug, Clone, Copy)]
pub struct BusinessCard<'a> {
    /// `plain`, `ink` or `cloth`.
    pub look: &'a str,
    pub name: &'a str,
    /// This and what follows may be empty.
    pub title: &'a str,
    pub company: &'a str,
    /// What is said before each line, and the line: `电话`, `13800138000`.
    pub lines: &'a [(&'a str, &'a str)],
    /// A face: a derivative of this house.
    pub picture: Option<&'a [u8]>,
    /// Where the QR code leads.
    pub address: &'a str,
    /// The same to read, short.
    pub short_address: &'a str,
    /// What is said beside the code.
    pub invitation: &'a str,
}

/// What `card.typ` reads.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Sheet<'a> {
    look: &'a str,
    width: f64,
    height: f64,
    bleed: f64,
    name: String,
    title: String,
    company: String,
    lines: Vec<(&'a str, String)>,
    picture: Option<String>,
    code: Rows,
    short_address: String,
    invitation: &'a str,
}

pub(crate) fn pdf(card: &BusinessCard) -> Result<Vec<u8>, PressError> {
    let face = card.picture.map(face).transpose()?;
    let sheet = Sheet {
        look: card.look,
        width: WIDTH,
        height: HEIGHT,
        bleed: BLEED,
        name: shown(card.name, MOST_NAME),
        title: shown(card.title, MOST_LINE),
        company: shown(card.company, MOST_LINE),
        lines: card.lines.iter().map(|(label, words)| (*label, shown(words, MOST_LINE))).collect(),
        picture: face.is_some().then(|| picture_path(0)),
        code: code::rows(card.address)?,
        short_address: breakable(card.short_address),
        invitation: card.invitation,
    };
    let typeset = compile(themes::CARD, &sheet, face.into_iter().map(Bytes::new).collect())?;
    write_pdf(&typeset, PdfStandards::default())
}

/// A face as a JPEG, which phones and print shops read.
pub(crate) fn face(picture: &[u8]) -> Result<Vec<u8>, PressError> {
    let pixels = photo::read_derivative(picture)
        .ok_or_else(|| PressError::Document("the picture can't be read".to_owned()))?;
    photo::progressive_jpeg(&photo::to_srgb(pixels), QUALITY).ok_or_else(not_encoded)
}

/// A line of words, shortened.
fn shown(words: &str, most: usize) -> String {
    let line = breakable(&words.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most - 1).chain(['…']).collect()
}
