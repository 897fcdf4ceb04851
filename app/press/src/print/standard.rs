//! What a print shop asks of a file: which part of PDF/X, and for which press.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use typst_pdf::PdfStandard;

/// A standard for print files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrintStandard {
    /// PDF/X-4 (ISO 15930-7): photos as they were taken, each with its colour profile, of which the shop's own software makes
    /// inks; black words and greys are black ink already.
    #[default]
    X4,
    /// PDF/X-1a:2003 (ISO 15930-4), for shops that insist: everything is four inks already, nothing is transparent.
    X1a,
}

impl FromStr for PrintStandard {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "pdfx-4" => Ok(Self::X4),
            "pdfx-1a" => Ok(Self::X1a),
            _ => Err(format!("{name:?} is neither pdfx-4 nor pdfx-1a")),
        }
    }
}

impl PrintStandard {
    /// As files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::X4 => "PDF/X-4",
            Self::X1a => "PDF/X-1a:2003",
        }
    }

    /// The version that a file's first line says.
    pub(super) fn version(self) -> &'static str {
        match self {
            Self::X4 => "1.6",
            Self::X1a => "1.4",
        }
    }

    pub(super) fn typeset_as(self) -> PdfStandard {
        match self {
            Self::X4 => PdfStandard::V_1_6,
            Self::X1a => PdfStandard::V_1_4,
        }
    }
}
