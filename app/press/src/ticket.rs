//! The job ticket as a page that a human reads.

use serde::Serialize;
use typst_pdf::PdfStandards;

use crate::error::PressError;
use crate::themes::TICKET;
use crate::world::{compile, write_pdf};

/// What a ticket says.
#[derive(Debug, Clone, Serialize)]
pub struct Ticket {
    pub title: String,
    /// Labels and values.
    pub head: Vec<(String, String)>,
    pub sections: Vec<TicketSection>,
}

/// What it says of one book.
#[derive(Debug, Clone, Serialize)]
pub struct TicketSection {
    pub title: String,
    /// Labels and values.
    pub rows: Vec<(String, String)>,
    /// Sentences.
    pub notes: Vec<String>,
}

pub(crate) fn pdf(ticket: &Ticket) -> Result<Vec<u8>, PressError> {
    write_pdf(&compile(TICKET, ticket, Vec::new())?, PdfStandards::default())
}
