//! QR codes, drawn on the server.

use base::error::Error;
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

/// A text as a QR code, an SVG that says what it is.
pub fn picture(text: &str, label: &'static str) -> Result<String, Error> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(Error::internal)?;
    let drawn = code
        .render::<svg::Color>()
        .min_dimensions(220, 220)
        .dark_color(svg::Color("#1d2430"))
        .light_color(svg::Color("#fff"))
        .build();
    // inline, the drawing needs no head of its own
    let body = drawn.split_once("?>").map_or(drawn.as_str(), |(_, body)| body);
    Ok(body.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1))
}
