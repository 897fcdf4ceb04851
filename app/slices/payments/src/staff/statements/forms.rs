//! What is done with statements. Every form may be sent again: it does nothing that was done before.

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::error::Error;
use base::time;
use domain::typed;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;
use web::app::App;
use web::multipart::{Multipart, bounded};
use web::render::{self, Form};
use web::router::Parameter;
use web::ui::forms::{has_control, read_form, unreadable};
use web::ui::staff::said;

use super::{LIST, address, days_of};
use crate::statements::file::{self, Unread};
use crate::statements::{self, Arrived, LONGEST_NOTE, MOST_BYTES, Refused};
use crate::ways;

/// Bytes of a request: so much of a file that is too large is read, so that its sender hears why.
pub const MOST_REQUEST: usize = 2 * MOST_BYTES as usize;
/// Bytes that a word of the form may have.
const MOST_WORD: usize = 1024;

/// POST /staff/statements: `file`, and the `day` that it is of where it does not say so.
pub async fn take(State(app): State<App>, parts: Parts, mut multipart: Multipart) -> Result<Response, Error> {
    let (mut pairs, mut arrived) = (Vec::new(), None);
    while let Some(field) = multipart.next_field().await.map_err(|error| broken(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        if name == "file" {
            arrived = Some(receive(&app, field).await?);
            continue;
        }
        let value = bounded(field, MOST_WORD).await.map_err(|error| broken(&error))?;
        let value = value.ok().and_then(|value| String::from_utf8(value).ok());
        let value = value.filter(|value| !has_control(value) && pairs.len() < 10);
        pairs.push((name, value.ok_or_else(unreadable)?));
    }
    let mut form = Form::sent(pairs);
    let day = typed::day(form.get("day"));
    let date = typed::date(&day);
    if !day.is_empty() && date.is_none() {
        form.refuse("day", "日期要像 2026-11-20");
    }
    let arrived = match arrived {
        Some(Ok(mut arrived)) => {
            arrived.day = date;
            Some(arrived)
        }
        Some(Err(sentence)) => {
            form.refuse("file", sentence);
            None
        }
        None => {
            form.refuse("file", NO_FILE);
            None
        }
    };
    let Some(arrived) = arrived.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, LIST, form).await;
    };
    let merchant = ways(&app)?.merchant();
    let path = arrived.file.path().to_owned();
    let read = tokio::task::spawn_blocking(move || file::read(&path, merchant, date, &mut |_| true));
    let taken = match read.await.map_err(Error::internal)? {
        Ok(totals) => statements::take(&app, arrived, totals).await,
        Err(Unread::NoBill(problem)) => Err(Refused::NoBill(problem)),
        Err(Unread::Failed(error)) => return Err(error),
    };
    match taken {
        Ok(id) => return Ok(Redirect::to(&said(&address(&id), true)).into_response()),
        Err(Refused::Failed(error)) => return Err(error),
        Err(Refused::NoBill(problem)) => form.refuse("file", problem.to_string()),
        Err(Refused::Before(before)) => form.refuse(
            "file",
            format!(
                "{} 的{}已经在 {} 上传过，没有再记一次",
                days_of(&before),
                before.format.name(),
                time::stamp(before.created_at)
            ),
        ),
    }
    render::again(&app, parts, LIST, form).await
}

const NO_FILE: &str = "请选择账单文件";

/// A file as it comes; the inner error is the sentence for a clerk.
async fn receive(app: &App, mut field: Field<'_>) -> Result<Result<Arrived, String>, Error> {
    app.room_for(MOST_BYTES)?;
    let name = field.file_name().unwrap_or("").to_owned();
    let temporary = app.storage.incoming().map_err(Error::internal)?;
    let mut to = tokio::fs::File::from_std(temporary.reopen().map_err(Error::internal)?);
    let (mut digest, mut bytes) = (Sha256::new(), 0u64);
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        bytes += chunk.len() as u64;
        if bytes <= MOST_BYTES {
            digest.update(&chunk);
            to.write_all(&chunk).await.map_err(Error::internal)?;
        }
    }
    to.flush().await.map_err(Error::internal)?;
    Ok(if bytes > MOST_BYTES {
        Err(too_large())
    } else if bytes == 0 {
        // browsers send a nameless empty one where none was chosen
        Err(if name.is_empty() { NO_FILE } else { "文件是空的" }.to_owned())
    } else {
        Ok(Arrived { file: temporary, sha256: hex::encode(digest.finalize()), name, day: None })
    })
}

fn too_large() -> String {
    format!("文件太大，账单最大 {} MB", MOST_BYTES >> 20)
}

/// A body that ends early, is far too large, or is no form.
fn broken(error: &MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge(too_large())
    } else {
        Error::BadRequest("上传没有完成，请再试一次".into())
    }
}

/// POST /staff/statements/{id}/again: holds it against what is known here once more.
pub async fn again(State(app): State<App>, Parameter(id): Parameter<String>) -> Result<Response, Error> {
    statements::store::find(&app.db, &id).await?;
    let begun = statements::again(&app, &id).await?;
    if !begun {
        audit::unchanged();
    }
    Ok(Redirect::to(&said(&address(&id), begun)).into_response())
}

/// POST /staff/statements/{id}/settle: a `difference` is settled, with a `note` that says how.
pub async fn settle(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<String>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let difference = form.get("difference").to_owned();
    let note = typed::words(form.get("note"));
    if note.is_empty() {
        form.refuse("note", "请写明是怎么处理的，以后查账要看");
    } else if note.chars().count() > LONGEST_NOTE {
        form.refuse("note", format!("最多 {LONGEST_NOTE} 个字"));
    }
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    let settled = statements::settle(&app, &id, &difference, &note).await?;
    if !settled {
        audit::unchanged();
    }
    Ok(Redirect::to(&said(&address(&id), settled)).into_response())
}
