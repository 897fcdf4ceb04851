//! What the slice's islands are given.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use web::islands::Props;

/// Props of the island that follows a QR login.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct QrLoginProps {
    /// The signed question.
    pub ask: String,
    /// How long the code is good for, in ms from now.
    pub left: u32,
    /// What both screens show.
    pub number: u32,
}

impl Props for QrLoginProps {
    const NAME: &'static str = "qr-login";
}
