//! The whole book in one small file: the proof, with the lines that the print file has only in its boxes, and the book as
//! readers take it away.

use std::borrow::Cow;

use domain::binding::CoverSheet;
use domain::document::{Document, SAFE_MM};
use typst_pdf::PdfStandards;

use crate::cover::{SheetCover, View, with_front};
use crate::error::PressError;
use crate::screen::{Darkroom, Proxies};
use crate::sheet::{Sheet, check};
use crate::world::{typeset, write_pdf};

/// Enough to see what is wrong, and too little to print from.
const DPI: f64 = 96.0;
/// The quality of its photos.
const QUALITY: u8 = 72;

/// Enough for a large screen.
const READING_DPI: f64 = 150.0;
/// Dots that all pages of a book to read may have together: a long one is a little coarser, and none of its photos is
/// left out.
const READING_PIXELS: f64 = 5e8;
/// The quality of its photos.
const READING_QUALITY: u8 = 82;

/// The cover's front and all inner pages, cut to the trim, without lines.
pub(crate) fn book(document: &Document, proxies: &dyn Proxies) -> Result<Vec<u8>, PressError> {
    check(document, document.all_pages())?;
    let square_mm = document.trim.width * document.trim.height * document.all_pages().count() as f64;
    let dots_per_mm = (READING_DPI / 25.4).min((READING_PIXELS / square_mm).sqrt());
    let mut darkroom = Darkroom::new(proxies, dots_per_mm);
    let mut sheet =
        Sheet::new(document, document.all_pages(), |shown| darkroom.develop_jpeg(shown, READING_QUALITY))?;
    sheet.bleed = 0.0;
    let typeset = typeset(&sheet, darkroom.pictures)?;
    write_pdf(&typeset, PdfStandards::default())
}

/// The cover and all inner pages, with bleed, trim and safe area.
pub(crate) fn proof(
    document: &Document,
    cover: Option<&CoverSheet>,
    proxies: &dyn Proxies,
) -> Result<Vec<u8>, PressError> {
    check(document, document.all_pages())?;
    let mut darkroom = Darkroom::new(proxies, DPI / 25.4);
    let wrapped = cover.map_or(Cow::Borrowed(document), |cover| with_front(document, cover));
    let mut sheet = Sheet::new(&wrapped, wrapped.all_pages(), |shown| darkroom.develop_jpeg(shown, QUALITY))?;
    sheet.guides = Some(SAFE_MM);
    sheet.cover = cover.map(|cover| SheetCover::of(document, cover, View::Proof));
    let typeset = typeset(&sheet, darkroom.pictures)?;
    write_pdf(&typeset, PdfStandards::default())
}
