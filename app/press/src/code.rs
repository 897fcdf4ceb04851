//! QR codes as the themes draw them.

use qrcode::{Color, EcLevel, QrCode};

use crate::error::PressError;

/// The rows of a code, dark where it says so.
pub(crate) type Rows = Vec<Vec<bool>>;

/// The code of a text, or of an address. (ISO/IEC 18004, error correction M)
pub(crate) fn rows(text: &str) -> Result<Rows, PressError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)
        .map_err(|error| PressError::Document(format!("{text} makes no QR code: {error}")))?;
    let dark: Vec<bool> = code.to_colors().into_iter().map(|colour| colour == Color::Dark).collect();
    Ok(dark.chunks(code.width()).map(<[bool]>::to_vec).collect())
}
