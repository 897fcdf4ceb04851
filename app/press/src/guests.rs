//! A card for a table: its code leads guests to where they send their photos. A6, for whoever prints at home.

use serde::Serialize;
use typst_pdf::PdfStandards;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::sheet::breakable;
use crate::themes::GUESTS;
use crate::world::{compile, write_pdf};

/// What stands on it.
#[derive(Debug, Clone, Copy)]
pub struct GuestCard<'a> {
    pub title: &'a str,
    /// What is asked of whoever sees it.
    pub line: &'a str,
    /// Where its QR code leads.
    pub address: &'a str,
    /// The same to be typed.
    pub short_address: &'a str,
}

/// What `guests.typ` reads.
#[derive(Serialize)]
struct Sheet<'a> {
    title: String,
    line: String,
    rows: Rows,
    short_address: &'a str,
}

pub(crate) fn pdf(card: &GuestCard) -> Result<Vec<u8>, PressError> {
    let sheet = Sheet {
        title: breakable(card.title),
        line: breakable(card.line),
        rows: code::rows(card.address)?,
        short_address: card.short_address,
    };
    write_pdf(&compile(GUESTS, &sheet, Vec::new())?, PdfStandards::default())
}
