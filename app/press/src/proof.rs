//! The proof: the whole book in one small file, with the lines that the print file has only in its boxes.

use domain::document::{Document, SAFE_MM};
use typst_pdf::PdfStandards;

use crate::error::PressError;
use crate::screen::{Darkroom, Proxies};
use crate::sheet::{Sheet, check};
use crate::world::{typeset, write_pdf};

/// Enough to see what is wrong, and too little to print from.
const DPI: f64 = 96.0;
/// The quality of its photos.
const QUALITY: u8 = 72;

/// The cover's front and all inner pages, with bleed, trim and safe area.
pub(crate) fn proof(document: &Document, proxies: &dyn Proxies) -> Result<Vec<u8>, PressError> {
    check(document, document.all_pages())?;
    let mut darkroom = Darkroom::new(proxies, DPI / 25.4);
    let mut sheet =
        Sheet::new(document, document.all_pages(), |shown| darkroom.develop_jpeg(shown, QUALITY))?;
    sheet.guides = Some(SAFE_MM);
    let typeset = typeset(&sheet, darkroom.pictures)?;
    write_pdf(&typeset, PdfStandards::default())
}
