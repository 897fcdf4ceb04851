//! Going back to an earlier version, taking a refused save after all, and forgetting one.

use axum::extract::{Path, RawForm, State};
use axum::response::Redirect;
use base::db::now_ms;
use base::error::Error;
use domain::ids::WorkId;
use web::app::App;
use web::session::Member;
use web::ui::forms::read_form;

use super::store::{self, Cause, Saved};

/// POST /manager/opus/{id}/revisions/{revision}/restoration: the version becomes the newest one, over the newest that
/// the member saw. A refused save that is taken so leaves its place beside the line.
pub async fn restore(
    State(app): State<App>,
    member: Member,
    Path((id, number)): Path<(String, i64)>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let back = Redirect::to(&format!("/manager/opus/{id}?saved=restored"));
    let (_, document) = match store::revision(&app.db, &id, &member.id, number).await {
        // taken a moment ago
        Err(Error::NotFound) if number < 0 => return Ok(back),
        found => found?,
    };
    let form = read_form(&body)?;
    let base: i64 = form.get("revision").parse().map_err(|_| Error::Incomplete)?;
    let cause = (Cause::Restored, Some(number));
    match store::save(&app, &id, &member.id, base, &document, cause, now_ms()).await? {
        Saved::As(_) => {
            store::drop_kept(&app.db, &id, number).await?;
            Ok(back)
        }
        Saved::Stale => Err(Error::Conflict(format!(
            "《{}》刚刚又有了新的版本。请回到版本列表，看过最新的版本再还原。",
            work.document.title
        ))),
    }
}

/// POST /manager/opus/{id}/revisions/{revision}/removal: forgets a refused save. The work's line loses nothing.
pub async fn drop_kept(
    State(app): State<App>,
    member: Member,
    Path((id, number)): Path<(String, i64)>,
) -> Result<Redirect, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    if number >= 0 {
        return Err(Error::Conflict("作品自己的版本都会保留，不能删除。".into()));
    }
    store::drop_kept(&app.db, &id, number).await?;
    Ok(Redirect::to(&format!("/manager/opus/{id}/revisions")))
}
