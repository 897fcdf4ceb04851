//! What was typed in a form whose session had ended. A hidden field carries it through the sign-in page; while somebody
//! is at weixin it waits in the session, on the server, and comes back on the page that it was typed on.

use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;

use crate::db::now_ms;
use crate::error::Error;
use crate::render::Form;
use crate::ui::forms::read_form;

/// The field in which the sign-in page carries it.
pub const FIELD: &str = "kept";
/// The largest form that is carried, in bytes.
pub const LARGEST: usize = 16 * 1024;

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

/// The form as it was sent, with a word about why it is here again.
pub fn form(typed: &str) -> Result<Form, Error> {
    let mut form = read_form(typed.as_bytes())?;
    form.refuse("", "您已重新登录。刚才填写的内容还在，请检查后再提交一次");
    Ok(form)
}

/// Lets it wait for whoever comes back to the page signed in. The session's id is renewed: one planted before reads
/// nothing.
pub async fn wait(session: &Session, place: &str, typed: &str) -> Result<(), Error> {
    session.cycle_id().await?;
    let waiting = Waiting { place: place.to_owned(), typed: typed.to_owned(), until: now_ms() + WAITING_MS };
    Ok(session.insert(WAITING, waiting).await?)
}

/// What waits for this page, once.
pub async fn take(parts: &Parts) -> Result<Option<Form>, Error> {
    let Some(session) = parts.extensions.get::<Session>() else { return Ok(None) };
    let place = parts.uri.path_and_query().map_or("", |place| place.as_str());
    match session.get::<Waiting>(WAITING).await? {
        Some(waiting) if now_ms() > waiting.until => {
            session.remove::<Waiting>(WAITING).await?;
            Ok(None)
        }
        Some(waiting) if waiting.place == place => {
            session.remove::<Waiting>(WAITING).await?;
            form(&waiting.typed).map(Some)
        }
        _ => Ok(None),
    }
}
