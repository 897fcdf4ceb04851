//! What a reader's browser saves of a whole volume to show it without a connection, and the worker that does. A volume may only
//! be saved, and stays saved, while all of it may be read.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use serde_json::json;
use web::assets;
use web::ui::forms::read_form;

use super::SCREENS;

/// Bytes of a page without its picture, about.
const PAGE_BYTES: u64 = 12_000;

/// The width of pictures that a query asks for.
pub fn saved_width(query: Option<String>) -> Result<u32, Error> {
    let asked = read_form(query.unwrap_or_default().as_bytes())?;
    Ok(asked.get("width").parse().ok().filter(|width| SCREENS.contains(width)).unwrap_or(1080))
}

/// All that belongs to a volume.
#[derive(Debug)]
pub struct Saved {
    /// What was saved under another one may not be read any more.
    key: String,
    bytes: u64,
    /// Whether everything is there to be saved.
    is_ready: bool,
    addresses: Vec<String>,
}

impl Saved {
    /// Nothing yet of the volume at `home`, with this list among what is saved.
    pub fn new(home: &str, width: u32, key: String) -> Self {
        Self { key, bytes: 0, is_ready: true, addresses: vec![format!("{home}/offline?width={width}")] }
    }

    /// A page of its own.
    pub fn page(&mut self, address: String) {
        self.addresses.push(address);
        self.bytes += PAGE_BYTES;
    }

    /// A picture with its bytes; none while it is not made.
    pub fn picture(&mut self, address: String, bytes: Option<u64>) {
        self.addresses.push(address);
        self.bytes += bytes.unwrap_or(0);
        self.is_ready &= bytes.is_some();
    }
}

impl IntoResponse for Saved {
    fn into_response(self) -> Response {
        let Self { key, bytes, is_ready, addresses } = self;
        let list = json!({ "key": key, "ready": is_ready, "bytes": bytes, "addresses": addresses });
        ([(header::CACHE_CONTROL, "private, no-store")], Json(list)).into_response()
    }
}

/// GET /read/worker.js: one worker for all places where something is read, each of which registers it for itself.
pub async fn worker() -> Result<Response, Error> {
    let script = assets::text("read_worker.js").ok_or(Error::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
        // a browser asks for a new one now and then
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        // newspapers and magazines lie beside the worker, not below it
        (HeaderName::from_static("service-worker-allowed"), HeaderValue::from_static("/")),
    ];
    Ok((headers, script).into_response())
}
