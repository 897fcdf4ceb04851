//! The proof: the whole book in one small file, with the lines that the print file has only in its boxes.

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
