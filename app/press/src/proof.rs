//! The whole book in one small file: the proof, with the lines that the print file has only in its boxes, and the book as
//! readers take it away.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use domain::binding::CoverSheet;
use domain::document::{Document, Page, SAFE_MM};
use domain::ids::FileDigest;
use typst::foundations::Bytes;
use typst_pdf::{PdfStandard, PdfStandards};

use crate::cover::{SheetCover, View, with_front};
use crate::drawn::readable;
use crate::error::PressError;
use crate::pdf::{Allowed, Mended, mend};
use crate::screen::{Darkroom, Proxies};
use crate::sheet::{Picture, Sheet, Shown, check};
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
/// Bytes that all PDFs of a book may have together to stand in it; the others are read as pictures of their pages.
const READING_FILES_BYTES: usize = 64 << 20;

/// The cover's front and all inner pages, cut to the trim, without lines. Pages of a PDF stay what they are, so that their
/// words can be searched, copied and made larger.
pub(crate) fn book(document: &Document, proxies: &dyn Proxies) -> Result<Vec<u8>, PressError> {
    check(document, document.all_pages())?;
    let square_mm = document.trim.width * document.trim.height * document.all_pages().count() as f64;
    let dots_per_mm = (READING_DPI / 25.4).min((READING_PIXELS / square_mm).sqrt());
    let mut darkroom = Darkroom::new(proxies, dots_per_mm);
    let files = files(document, proxies);
    let places: BTreeMap<&FileDigest, usize> = files.keys().copied().zip(0..).collect();
    darkroom.pictures.extend(files.values().map(|file| Bytes::new(file.bytes.clone())));
    let mut sheet = Sheet::new(document, document.all_pages(), |shown| match shown {
        Shown::Pdf(pdf) if files.get(&pdf.file).is_some_and(|file| !file.draws(pdf.page)) => {
            Ok(places.get(&pdf.file).map(|index| Picture::whole(*index, shown)))
        }
        _ => darkroom.develop_jpeg(shown, READING_QUALITY),
    })?;
    sheet.bleed = 0.0;
    let typeset = typeset(&sheet, darkroom.pictures)?;
    // pages of a PDF 2.0 may only stand in another one
    let version = if files.is_empty() { PdfStandard::V_1_7 } else { PdfStandard::V_2_0 };
    let standards = PdfStandards::new(&[version])
        .map_err(|error| PressError::Typesetting(error.message().to_string()))?;
    readable(write_pdf(&typeset, standards)?, document.emoji)
}

/// The PDFs that a document shows and that are here.
fn files<'d>(document: &'d Document, proxies: &dyn Proxies) -> BTreeMap<&'d FileDigest, Mended> {
    let names: BTreeSet<&FileDigest> =
        document.all_pages().flat_map(Page::pdfs).map(|pdf| &pdf.file).collect();
    let mut left = READING_FILES_BYTES;
    let whole = |name| {
        // of others readers get pictures: nobody takes words out of those, or prints them finely
        let bytes = proxies.pdf(name).filter(|file| Allowed::of_file(file) == Allowed::ALL)?;
        left = left.checked_sub(bytes.len())?;
        Some((name, mend(&bytes, None)))
    };
    names.into_iter().filter_map(whole).collect()
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
    sheet.cover = cover.map(|cover| SheetCover::of(&wrapped, cover, View::Proof));
    let typeset = typeset(&sheet, darkroom.pictures)?;
    readable(write_pdf(&typeset, PdfStandards::default())?, document.emoji)
}
