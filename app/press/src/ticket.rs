//! The job ticket as a page that a human reads.

use serde::Serialize;
use typst::foundations::Bytes;
use typst_pdf::PdfStandards;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::themes::TICKET;
use crate::world::{compile, picture_path, write_pdf};

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
    /// What its own QR code says.
    pub code: String,
    /// The number that stands below it, for who has to type it.
    pub number: String,
    /// How many copies, in words.
    pub copies: String,
    /// What is unusual about it, a word each.
    pub special: Vec<String>,
    /// Labels and values.
    pub rows: Vec<(String, String)>,
    /// Sentences.
    pub notes: Vec<String>,
    /// The copies of a run that differ, in its order.
    pub sequence: Vec<String>,
    /// Its cover as a WebP picture, so that nobody mistakes the pile.
    #[serde(skip)]
    pub picture: Option<Vec<u8>>,
}

/// What `ticket.typ` reads of a ticket.
#[derive(Serialize)]
struct Sheet<'a> {
    #[serde(flatten)]
    ticket: &'a Ticket,
    rows: Rows,
    /// What stands beside each section.
    beside: Vec<Beside>,
}

#[derive(Serialize)]
struct Beside {
    rows: Rows,
    /// Where the picture lies.
    picture: Option<String>,
}

pub(crate) fn pdf(tickets: &[Ticket]) -> Result<Vec<u8>, PressError> {
    let mut pictures = Vec::new();
    let mut sheets = Vec::new();
    for ticket in tickets {
        let mut beside = Vec::new();
        for section in &ticket.sections {
            let picture = section.picture.as_ref().map(|picture| {
                pictures.push(Bytes::new(picture.clone()));
                picture_path(pictures.len() - 1)
            });
            beside.push(Beside { rows: code::rows(&section.code)?, picture });
        }
        sheets.push(Sheet { ticket, rows: code::rows(&ticket.code)?, beside });
    }
    write_pdf(&compile(TICKET, &sheets, pictures)?, PdfStandards::default())
}
