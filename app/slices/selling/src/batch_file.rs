//! The file of a batch: made while it is sent, from the salt, so that it lies nowhere and takes no memory.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use base::db::now_ms;
use base::error::Error;
use domain::csv;
use domain::ids::BatchId;
use futures::stream;
use web::app::App;
use web::client;
use web::router::Parameter;
use web::session::Member;
use web::ui::files::{csv_file, pieces};

use super::batches::last_day;
use super::codes::{AT_ONCE, some};
use super::store::batches::{self as store, Batch};

/// POST /manager/epaper_code/{id}/codes.csv: noted before its first byte leaves.
pub async fn download(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<BatchId>,
    parts: Parts,
) -> Result<Response, Error> {
    let batch = store::find_for_owner(&app.db, &id, &member.id).await?;
    let now = now_ms();
    let Some(salt) = batch.salt.clone().filter(|_| now < batch.file_until) else {
        return Err(Error::Conflict("文件已过了 7 天的下载期，不能再下载。".into()));
    };
    if batch.unwritten > 0 {
        return Err(Error::Conflict("兑换码还在生成，请过一会儿再下载。".into()));
    }
    let mut tx = app.db.begin().await?;
    let address = client::address(&app, &parts);
    store::note_download(&mut tx, &id, &member.name, &address, now).await?;
    tx.commit().await?;
    let rows = stream::unfold(0, move |done| {
        let part = part(&app.key, &salt, &batch, done);
        async move { part.map(|text| (Ok::<_, Infallible>(Bytes::from(text)), done + AT_ONCE)) }
    });
    Ok(csv_file(&format!("codes-{id}.csv"), pieces(rows)))
}

/// Some rows, after the first `done` ones; the heading comes before the very first.
pub fn part(key: &str, salt: &str, batch: &Batch, done: i64) -> Option<String> {
    if done >= batch.codes {
        return None;
    }
    let mut text = String::new();
    if done == 0 {
        text.push_str(csv::BOM);
        text.push_str(&csv::row(["code", "number", "package", "last_day"]));
    }
    let last_day = last_day(batch);
    for (code, number) in some(key, salt, done + 1, batch.codes).iter().zip(done + 1..) {
        text.push_str(&csv::row([
            code.to_string(),
            number.to_string(),
            batch.title.clone(),
            last_day.clone(),
        ]));
    }
    Some(text)
}
