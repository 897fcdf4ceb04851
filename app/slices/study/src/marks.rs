//! What a reader puts into its study, marks, and how far it has read.

use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Redirect;
use base::db::now_ms;
use base::error::Error;
use web::app::App;
use web::session::Member;
use web::ui::forms::read_form;

use super::{MOST_MARKS, NOTES, STUDY, Thing, named, page_address, page_in, store};

/// POST /manager/book-study/items: a publication is put into the study, or taken out.
pub async fn put(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let form = read_form(&body)?;
    let thing = Thing { kind: form.get("kind"), id: form.get("id") };
    if form.get("act") == "remove" {
        // also what can't be read any more
        let mut tx = app.db.begin().await?;
        store::remove(&mut tx, &member.id, thing).await?;
        tx.commit().await?;
        if form.get("from") == "study" {
            return Ok(Redirect::to(&format!("{STUDY}?done=removed")));
        }
    }
    let readable = named(&app, &parts, &form).await?;
    if form.get("act") != "remove" {
        let mut tx = app.db.begin().await?;
        store::put(&mut tx, &member.id, thing, &readable.publication.title, now_ms()).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&readable.publication.address))
}

/// POST /manager/book-study/bookmarks: a page is marked, or a mark is taken away.
pub async fn bookmark(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let form = read_form(&body)?;
    let thing = Thing { kind: form.get("kind"), id: form.get("id") };
    let now = now_ms();
    if form.get("act") == "remove" {
        let page = form.get("page").parse().map_err(|_| Error::NotFound)?;
        let mut tx = app.db.begin().await?;
        store::unmark(&mut tx, &member.id, thing, page).await?;
        tx.commit().await?;
        if form.get("from") == "study" {
            return Ok(Redirect::to(&format!("{NOTES}?done=unmarked")));
        }
    }
    let readable = named(&app, &parts, &form).await?;
    let page = page_in(&readable, &form)?;
    if form.get("act") != "remove" {
        let mut tx = app.db.begin().await?;
        if store::count(&mut tx, &member.id).await? >= MOST_MARKS {
            return Err(Error::Conflict(format!("书签和笔记最多 {MOST_MARKS} 条，请先删掉一些。")));
        }
        store::mark(&mut tx, &member.id, thing, page, &readable.publication.title, now).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&page_address(&readable.publication.address, page)))
}

/// POST /manager/book-study/place: the page that a reader was on, so many ms ago by its own clock. What another device
/// said of a later moment stays.
pub async fn place(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<StatusCode, Error> {
    let form = read_form(&body)?;
    let readable = named(&app, &parts, &form).await?;
    let page = page_in(&readable, &form)?;
    let ago = form.get("ago").parse::<i64>().ok().filter(|ago| *ago >= 0);
    let at = now_ms() - ago.ok_or_else(|| Error::BadRequest("缺少时间".into()))?;
    let pages = i64::try_from(readable.pages).map_err(Error::internal)?;
    let thing = Thing { kind: form.get("kind"), id: form.get("id") };
    let mut tx = app.db.begin().await?;
    store::set_place(&mut tx, &member.id, thing, &readable.publication.title, (page, pages), at).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
