//! POST /count and GET /count/{ticket}: what pages tell of their readers. Anybody can send anything, so the answer is
//! always the same, and only what this program said of its own page counts.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base::db::now_ms;
use domain::statistics::Device;
use serde::Deserialize;
use web::app::App;
use web::client;
use web::counting::Ticket;
use web::session::Visitor;

use super::bots::is_bot;
use super::counter::{self, Told, Who};

/// The longest telling, in bytes.
const LONGEST: usize = 4 * 1024;

/// What a page's script tells.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Telling {
    /// The page's ticket.
    ticket: String,
    /// Pages, and how long each was in sight since it was last told, ms.
    pages: Vec<(u32, u32)>,
    /// Areas that were pressed.
    areas: Vec<String>,
    /// Whether the screen is touched.
    touches: bool,
}

/// POST /count: JSON as plain text, which is what `sendBeacon` sends without asking first.
pub async fn take(State(app): State<App>, parts: Parts, body: Bytes) -> StatusCode {
    if body.len() > LONGEST {
        return StatusCode::PAYLOAD_TOO_LARGE;
    }
    if let Ok(telling) = serde_json::from_slice::<Telling>(&body) {
        let Telling { ticket, pages, areas, touches } = telling;
        note(&app, &parts, &ticket, pages, areas, touches).await;
    }
    StatusCode::NO_CONTENT
}

/// GET /count/{ticket}: the picture in pages for readers without a script. They opened the page; nobody knows how long they
/// stayed.
pub async fn seen(State(app): State<App>, Path(ticket): Path<String>, parts: Parts) -> Response {
    note(&app, &parts, &ticket, Vec::new(), Vec::new(), false).await;
    let headers = [(header::CONTENT_TYPE, "image/gif"), (header::CACHE_CONTROL, "private, no-store")];
    (headers, PIXEL).into_response()
}

/// One transparent pixel.
const PIXEL: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\0\0\0\x21\xf9\x04\x01\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b";

async fn note(
    app: &App,
    parts: &Parts,
    ticket: &str,
    pages: Vec<(u32, u32)>,
    areas: Vec<String>,
    touches: bool,
) {
    let now = now_ms();
    let Some(ticket) = Ticket::opened(&app.key, ticket, now) else { return };
    let user_agent = text(&parts.headers, header::USER_AGENT.as_str());
    if is_bot(user_agent) || is_prefetch(&parts.headers) {
        return;
    }
    let member = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    let who = Who {
        member: member.map(|member| member.id.clone()),
        address: client::address(app, parts),
        agent: user_agent.to_owned(),
        device: Device::of(user_agent, touches),
        region: region(app, parts),
    };
    if let Err(error) = counter::count(app, Told { ticket, pages, areas }, who, now).await {
        tracing::warn!(%error, "A reading could not be counted");
    }
}

/// In which province the reader is, where the operator supplied the data. Of the address nothing else is kept.
fn region(app: &App, parts: &Parts) -> Option<String> {
    app.config.regions.as_ref()?.name_of(client::ip(app, parts)?)
}

/// Whether a browser asks ahead for what nobody may ever see.
fn is_prefetch(headers: &HeaderMap) -> bool {
    ["sec-purpose", "purpose", "x-moz"].iter().any(|name| text(headers, name).contains("prefetch"))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
