//! What a print shop asks of a file: which part of PDF/X, and for which press.

use std::str::FromStr;

use lopdf::{Dictionary, Object, Stream, dictionary};
use moxcms::CmsError;
use serde::{Deserialize, Serialize};
use typst_pdf::PdfStandard;

use crate::print::profile::{coated_profile, srgb_condition};

/// A standard for print files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrintStandard {
    /// PDF/X-4 (ISO 15930-7): photos as they were taken, each with its colour profile; the shop's own software makes
    /// inks of them.
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
    pub(super) fn name(self) -> &'static str {
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

impl PrintStandard {
    /// The output intent of a file, with its profile as an object. With PDF/X-4 the shop's press is not known: the colours
    /// are the screen's, and programs show them so.
    pub(super) fn output_intent(self, profile: Object) -> Dictionary {
        let (identifier, condition) = match self {
            Self::X4 => ("sRGB IEC61966-2.1", "sRGB; the print shop converts to its press"),
            Self::X1a => ("FOGRA39", "Offset, ISO 12647-2:2004/Amd 1, coated paper"),
        };
        dictionary! {
            "Type" => "OutputIntent",
            "S" => "GTS_PDFX",
            "OutputConditionIdentifier" => Object::string_literal(identifier),
            "OutputCondition" => Object::string_literal(condition),
            "RegistryName" => Object::string_literal("http://www.color.org"),
            "Info" => Object::string_literal(identifier),
            "DestOutputProfile" => profile,
        }
    }

    pub(super) fn output_profile(self) -> Result<Stream, CmsError> {
        match self {
            Self::X4 => srgb_condition(),
            Self::X1a => Ok(coated_profile()),
        }
    }
}
