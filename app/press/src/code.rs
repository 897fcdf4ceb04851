//! QR codes as the themes draw them.

use domain::document::CodeBlock;
use qrcode::{Color, EcLevel, QrCode};

use crate::error::PressError;

/// The rows of a code, dark where it says so.
pub(crate) type Rows = Vec<Vec<bool>>;

/// Light squares that a code needs around it (ISO/IEC 18004, section 6.3.8).
pub(crate) const QUIET: usize = 4;

/// The code of a text, or of an address. (ISO/IEC 18004, error correction M)
pub(crate) fn rows(text: &str) -> Result<Rows, PressError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)
        .map_err(|error| PressError::Document(format!("{text} makes no QR code: {error}")))?;
    let dark: Vec<bool> = code.to_colors().into_iter().map(|colour| colour == Color::Dark).collect();
    Ok(dark.chunks(code.width()).map(<[bool]>::to_vec).collect())
}

/// What stands on a page. An address that is none (`Element::check`) is an empty square, as a photo that is missing is.
pub(crate) fn rows_of(code: &CodeBlock) -> Rows {
    rows(&code.address).unwrap_or_default()
}

/// How wide one of its squares is printed, in mm.
pub(crate) fn square_mm(code: &CodeBlock) -> f64 {
    let squares = u32::try_from(rows_of(code).len() + 2 * QUIET).unwrap_or(u32::MAX);
    code.frame.width.min(code.frame.height) / f64::from(squares)
}
