//! What the slice's islands are given.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use web::islands::Props;

/// Props of the island that sends photos.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct UploaderProps {
    /// Where photos are sent.
    pub address: String,
    /// Where a small picture of one is, with `*` in the place of a slash and what it is called.
    pub picture: String,
    /// Bytes of one request.
    #[ts(type = "number")]
    pub chunk: u64,
    /// Over the place where files are chosen.
    pub label: String,
    /// What may be chosen.
    pub hint: String,
    /// Bytes that one file may have.
    #[ts(type = "number")]
    pub most_bytes: u64,
    /// Bytes that there is room for.
    #[ts(type = "number")]
    pub left: u64,
    /// Why more does not fit.
    pub no_room: String,
    /// What to do with HEIC and AVIF, where they are not taken.
    pub heic: Option<String>,
    /// Whether the photos become fields of the form around the island; else the library is shown anew.
    pub in_form: bool,
    /// Whether somebody without an account sends them, with the form around the island.
    pub is_guests: bool,
}

impl Props for UploaderProps {
    const NAME: &'static str = "uploader";
}
