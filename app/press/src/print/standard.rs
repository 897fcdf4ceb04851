//! What the files of a standard are written as.

use domain::print_settings::PrintStandard;
use typst_pdf::PdfStandard;

/// The version that a file's first line says.
pub(super) fn version(standard: PrintStandard) -> &'static str {
    match standard {
        PrintStandard::X4 => "1.6",
        PrintStandard::X1a => "1.4",
    }
}

/// What its pages are typeset as.
pub(super) fn typeset_as(standard: PrintStandard) -> PdfStandard {
    match standard {
        PrintStandard::X4 => PdfStandard::V_1_6,
        PrintStandard::X1a => PdfStandard::V_1_4,
    }
}
