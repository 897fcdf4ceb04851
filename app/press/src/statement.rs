//! A month's statement 对账单 of what a seller earned: sums, and each reason with what it came to.

use serde::Serialize;
use typst_pdf::PdfStandards;

use crate::error::PressError;
use crate::themes::STATEMENT;
use crate::world::{compile, write_pdf};

/// What a statement says; amounts in words.
#[derive(Debug, Clone, Serialize)]
pub struct Statement {
    pub title: String,
    /// Labels and values: whose it is, of which time.
    pub head: Vec<(String, String)>,
    /// Labels and amounts, from what there was to what is left; the last is the sum.
    pub sums: Vec<(String, String)>,
    /// What the month's movements were for: a reason, how many, what they came to.
    pub rows: Vec<(String, String, String)>,
    /// Sentences.
    pub notes: Vec<String>,
}

pub(crate) fn pdf(statement: &Statement) -> Result<Vec<u8>, PressError> {
    write_pdf(&compile(STATEMENT, statement, Vec::new())?, PdfStandards::default())
}
