//! The card of a gift: half a sheet of A4, for whoever prints at home.

use serde::Serialize;
use typst_pdf::PdfStandards;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::sheet::breakable;
use crate::themes::GIFT;
use crate::world::{compile, write_pdf};

/// What stands on it.
#[derive(Debug, Clone, Copy)]
pub struct GiftCard<'a> {
    /// What is given, as people read it.
    pub title: &'a str,
    /// For how long.
    pub term: &'a str,
    /// Whom it is for; may be empty, as may the words.
    pub receiver: &'a str,
    pub giver: &'a str,
    pub words: &'a str,
    /// `XXXX-XXXX-XXXX-XXXX`.
    pub code: &'a str,
    /// Where its QR code leads.
    pub address: &'a str,
    /// What is said beside the code.
    pub invitation: &'a str,
}

/// What `gift.typ` reads.
#[derive(Serialize)]
struct Sheet<'a> {
    title: String,
    term: &'a str,
    receiver: String,
    giver: String,
    /// Paragraphs.
    words: Vec<String>,
    code: &'a str,
    rows: Rows,
    invitation: String,
}

pub(crate) fn pdf(card: &GiftCard) -> Result<Vec<u8>, PressError> {
    let sheet = Sheet {
        title: breakable(card.title),
        term: card.term,
        receiver: breakable(card.receiver),
        giver: breakable(card.giver),
        words: card.words.lines().map(breakable).collect(),
        code: card.code,
        rows: code::rows(card.address)?,
        invitation: breakable(card.invitation),
    };
    write_pdf(&compile(GIFT, &sheet, Vec::new())?, PdfStandards::default())
}
