//! The job ticket as a page that a human reads.

use serde::Serialize;
use typst_pdf::PdfStandards;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::themes::TICKET;
use crate::world::{compile, write_pdf};

/// What a ticket says.
#[derive(Debug, Clone, Serialize)]
pub struct Ticket {
    pub title: String,
    /// What its QR code says.
    pub code: String,
    /// The last day on which it leaves.
    pub due: Option<String>,
    /// Labels and values.
    pub head: Vec<(String, String)>,
    pub sections: Vec<TicketSection>,
}

/// What it says of one book.
#[derive(Debug, Clone, Serialize)]
pub struct TicketSection {
    pub title: String,
    /// How many copies, in words.
    pub copies: String,
    /// What is unusual about it, a word each.
    pub special: Vec<String>,
    /// Labels and values.
    pub rows: Vec<(String, String)>,
    /// Sentences.
    pub notes: Vec<String>,
}

/// What `ticket.typ` reads.
#[derive(Serialize)]
struct Sheet<'a> {
    #[serde(flatten)]
    ticket: &'a Ticket,
    rows: Rows,
}

pub(crate) fn pdf(ticket: &Ticket) -> Result<Vec<u8>, PressError> {
    let sheet = Sheet { ticket, rows: code::rows(&ticket.code)? };
    write_pdf(&compile(TICKET, &sheet, Vec::new())?, PdfStandards::default())
}
