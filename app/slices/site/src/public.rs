//! Pages that are the same for everybody, rendered seldom and sent often.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use sha2::{Digest, Sha256};
use web::app::App;
use web::origin::Origin;
use web::render::{self, Inside};

use super::about::{PLACES, place};

/// How long a page is sent as it is: a changed price shows after a minute, without anybody having to tell.
const FRESH: Duration = Duration::from_secs(60);
/// Without a configured address every host name has pages of its own; a caller may invent names.
const MOST_KEPT: usize = 64;
/// What browsers and proxies may do: five minutes as it is, a day while they ask again.
const CACHING: &str = "public, max-age=300, stale-while-revalidate=86400";

/// The pages as they were last rendered.
#[derive(Default)]
struct PublicPages(Mutex<HashMap<(Origin, &'static str), Arc<Kept>>>);

struct Kept {
    rendered: Instant,
    /// Weak: the same page is sent in several encodings.
    etag: String,
    html: Bytes,
    brotli: Bytes,
}

/// Handler of every public GET page.
pub async fn public_page(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Error> {
    let place = place(uri.path()).ok_or(Error::NotFound)?;
    let base = Origin::of(&app.config, &headers);
    let pages = app.own(|_| Ok(PublicPages::default()))?;
    let kept = match pages.find(&base, place.path) {
        Some(kept) => kept,
        None => {
            let html = render::for_everybody(&app, place.path, base.clone()).await?;
            pages.keep(base, place.path, Kept::new(html)?)
        }
    };
    Ok(kept.answer(&headers))
}

impl PublicPages {
    fn find(&self, base: &Origin, path: &'static str) -> Option<Arc<Kept>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.get(&(base.clone(), path)).filter(|kept| kept.rendered.elapsed() < FRESH).cloned()
    }

    fn keep(&self, base: Origin, path: &'static str, kept: Kept) -> Arc<Kept> {
        let kept = Arc::new(kept);
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MOST_KEPT {
            pages.retain(|_, kept| kept.rendered.elapsed() < FRESH);
        }
        if pages.len() < MOST_KEPT + PLACES.len() {
            pages.insert((base, path), kept.clone());
        }
        kept
    }
}

impl Kept {
    fn new(html: String) -> Result<Self, Error> {
        let digest = Sha256::digest(html.as_bytes());
        let digest = hex::encode(&digest[..12]);
        let mut brotli = brotli::CompressorWriter::new(Vec::new(), 4096, 9, 22);
        brotli.write_all(html.as_bytes()).map_err(Error::internal)?;
        Ok(Self {
            rendered: Instant::now(),
            etag: format!("W/\"{digest}\""),
            html: html.into(),
            brotli: brotli.into_inner().into(),
        })
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let text = |name| asked.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
        let known = text(header::IF_NONE_MATCH).split(',').any(|tag| ["*", &self.etag].contains(&tag.trim()));
        let takes_brotli = text(header::ACCEPT_ENCODING).split(',').any(|encoding| encoding.trim() == "br");
        let mut response = match (known, takes_brotli) {
            (true, _) => StatusCode::NOT_MODIFIED.into_response(),
            (false, true) => ([(header::CONTENT_ENCODING, "br")], self.brotli.clone()).into_response(),
            (false, false) => self.html.clone().into_response(),
        };
        response.extensions_mut().insert(Inside::of_everybody());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHING));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(etag) = HeaderValue::from_str(&self.etag) {
            headers.insert(header::ETAG, etag);
        }
        response
    }
}
