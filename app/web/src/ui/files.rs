//! Files that members save.

use std::io::Seek;
use std::path::Path;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use futures::{Stream, StreamExt};
use mime::Mime;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tokio_util::io::ReaderStream;
use tower_http::services::ServeFile;

use super::ranges;

/// What RFC 8187 section 3.2.1 does not let stand as it is.
const NOT_ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A PDF to save under a name, as [`file`] says.
pub fn pdf_file(plain: &str, name: &str, bytes: Vec<u8>) -> Response {
    file("application/pdf", plain, name, bytes)
}

/// A file to save under a name; `plain` is for whoever can't read it (RFC 6266), and has only letters, digits, `-`, `_`
/// and `.`.
pub fn file(kind: &'static str, plain: &str, name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, attached(plain, name)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}

/// A table to save under a name of letters, digits, `-`, `_` and `.`. The text, or [`pieces`] of it.
pub fn csv_file(name: &str, text: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    (headers, text.into()).into_response()
}

/// An archive to save under a name, as [`file`] says: it is whole, and read from the disk from its beginning while it is sent.
pub fn archive(mut packed: std::fs::File, plain: &str, name: &str) -> Result<Response, Error> {
    packed.rewind().map_err(Error::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_LENGTH, packed.metadata().map_err(Error::internal)?.len().to_string()),
        (header::CONTENT_DISPOSITION, attached(plain, name)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    let body = Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(packed)));
    Ok((headers, body).into_response())
}

/// What is made while it is sent.
pub fn pieces<E>(made: impl Stream<Item = Result<Bytes, E>> + Send + 'static) -> Body
where
    E: Into<axum::BoxError> + 'static,
{
    // compression asks once more after the end
    Body::from_stream(made.fuse())
}

/// A file to be saved under a name, as [`file`] says.
pub fn attached(plain: &str, name: &str) -> String {
    let name = utf8_percent_encode(name, NOT_ATTR_CHAR);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{name}")
}

/// A stored file of a type, whole or the part that the request asks for ([`ranges`]).
pub async fn stored(path: &Path, parts: &Parts, kind: &Mime) -> Result<Response, Error> {
    let mut service = ServeFile::new_with_mime(path, kind);
    let mut request = Request::new(Body::empty());
    *request.method_mut() = parts.method.clone();
    request.headers_mut().clone_from(&parts.headers);
    // ranges are of GET alone (RFC 9110, section 14.2)
    if request.headers_mut().remove(header::RANGE).is_some() && parts.method == Method::GET {
        let mut look = Request::new(Body::empty());
        *look.method_mut() = Method::HEAD;
        let whole = service.try_call(look).await.map_err(Error::internal)?;
        if let Some(range) = ranges::plain_range(&parts.headers, whole.headers()) {
            request.headers_mut().insert(header::RANGE, range);
        }
    }
    let mut response = service.try_call(request).await.map_err(Error::internal)?.map(Body::new);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}
