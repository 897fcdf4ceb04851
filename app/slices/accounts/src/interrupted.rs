//! What was typed in a form whose session had ended. A hidden field carries it through the sign-in page; while somebody
//! is at weixin it waits in the session, on the server, and comes back on the page that it was typed on.

use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use axum::http::header;
use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use mime::Mime;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::multipart::{Budget, bounded};
use web::render::Form;
use web::ui::forms::read_form;

/// The field in which the sign-in page carries it.
pub const FIELD: &str = "kept";
/// The largest form that is carried, in bytes: all words of a long book, which are nine bytes a character in a form.
pub const LARGEST: usize = 256 * 1024;
/// Of a form with files, how much is read for its words: they may come after small files, not after gigabytes.
const MOST_READ: usize = 16 << 20;

/// Where it waits in a session.
const WAITING: &str = "typed";
/// How long it waits, in ms.
const WAITING_MS: i64 = 60 * 60_000;

#[derive(Serialize, Deserialize)]
struct Waiting {
    /// The page, with its query.
    place: String,
    typed: String,
    /// Epoch ms.
    until: i64,
}

/// What was typed in a form that nobody who is signed in sent, as a form without files; nothing where it is none, or too
/// long. Files are not kept: their names would promise it.
pub async fn typed(request: Request) -> Option<String> {
    let kind: Mime = request.headers().get(header::CONTENT_TYPE)?.to_str().ok()?.parse().ok()?;
    let typed = match kind.essence_str() {
        "application/x-www-form-urlencoded" => {
            let body = axum::body::to_bytes(request.into_body(), LARGEST).await.ok()?;
            String::from_utf8(body.to_vec()).ok()?
        }
        "multipart/form-data" => words(request).await?,
        _ => return None,
    };
    (!typed.is_empty()).then_some(typed)
}

/// The words of a form with files.
async fn words(mut request: Request) -> Option<String> {
    DefaultBodyLimit::max(MOST_READ).apply(&mut request);
    let mut multipart = Multipart::from_request(request, &()).await.ok()?;
    let mut pairs = Vec::new();
    let mut budget = Budget::of(LARGEST);
    // what comes after the end of patience, or of the line, is lost
    while let Ok(Some(field)) = multipart.next_field().await {
        if field.file_name().is_some() {
            continue;
        }
        let name = field.name().unwrap_or("").to_owned();
        let Ok(value) = bounded(field, LARGEST).await else { break };
        let value = String::from_utf8(value.ok()?).ok()?;
        if !budget.pay(name.len() + value.len()) {
            return None;
        }
        pairs.push((name, value));
    }
    let words = serde_urlencoded::to_string(pairs).ok()?;
    (words.len() <= LARGEST).then_some(words)
}

/// The form as it was sent, with a word about why it is here again.
pub fn form(typed: &str) -> Result<Form, Error> {
    let mut form = read_form(typed.as_bytes())?;
    form.set_note("您已重新登录。刚才填写的内容还在，请检查后再提交一次。");
    Ok(form)
}

/// Lets it wait for whoever comes back to the page signed in. The session's id is renewed: one planted before reads
/// nothing.
pub async fn wait(session: &Session, place: &str, typed: &str) -> Result<(), Error> {
    session.cycle_id().await.map_err(Error::internal)?;
    let waiting = Waiting { place: place.to_owned(), typed: typed.to_owned(), until: now_ms() + WAITING_MS };
    session.insert(WAITING, waiting).await.map_err(Error::internal)
}

/// What waits for this page, once.
pub async fn take(parts: &Parts) -> Result<Option<Form>, Error> {
    let Some(session) = parts.extensions.get::<Session>() else { return Ok(None) };
    let place = parts.uri.path_and_query().map_or("", |place| place.as_str());
    match session.get::<Waiting>(WAITING).await.map_err(Error::internal)? {
        Some(waiting) if now_ms() > waiting.until => {
            session.remove::<Waiting>(WAITING).await.map_err(Error::internal)?;
            Ok(None)
        }
        Some(waiting) if waiting.place == place => {
            session.remove::<Waiting>(WAITING).await.map_err(Error::internal)?;
            form(&waiting.typed).map(Some)
        }
        _ => Ok(None),
    }
}
