//! Files that members save.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What RFC 8187 section 3.2.1 does not let stand as it is.
const NOT_ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A PDF to save under a name, as [`file`] says.
pub fn pdf_file(plain: &str, name: &str, bytes: Vec<u8>) -> Response {
    file("application/pdf", plain, name, bytes)
}

/// A file to save under a name; `plain` is for whoever can't read it (RFC 6266), and has only letters, digits, `-`, `_`
/// and `.`.
pub fn file(kind: &'static str, plain: &str, name: &str, bytes: Vec<u8>) -> Response {
    let name = utf8_percent_encode(name, NOT_ATTR_CHAR);
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{name}")),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}
