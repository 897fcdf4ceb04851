//! What is done with a whole work: copying it, the trash and the way back. Each may be sent twice.

use axum::extract::{RawForm, State};
use axum::response::Redirect;
use base::db::{id_from, now_ms};
use base::error::Error;
use base::jobs;
use domain::ids::WorkId;
use domain::titles::{TITLE_LENGTH, retitle};
use web::app::App;
use web::render::Form;
use web::router::Parameter;
use web::session::Member;
use web::slice::Readers;
use web::ui::forms::read_form;

use super::store::{self, Cause};
use super::{KIND, TRASH_MS};
use crate::jobs::ForgetWork;

/// Where shelves are.
pub const SHELVES: &str = "/manager/opus_list/";
/// What a copy's title ends with.
const COPY: &str = "（副本）";

/// POST /manager/opus/{id}/copy. The form's `copy` is another one each time that it is shown.
pub async fn copy(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let form = read_form(&body)?;
    let shown: WorkId = form.get("copy").parse().map_err(|_| Error::Incomplete)?;
    let copy: WorkId = id_from(shown.as_str(), id.as_str());
    let mut document = work.document;
    let room = TITLE_LENGTH - COPY.chars().count();
    // a copy's copy is called like the copy
    let title = document.title.strip_suffix(COPY).unwrap_or(&document.title);
    let title: String = title.chars().take(room).collect();
    let author = document.author.clone();
    retitle(&mut document, format!("{title}{COPY}"), author);
    let (db, member) = (&app.db, &member.id);
    let copy = store::insert(db, &copy, member, &work.kind, &document, Cause::Copied, now_ms()).await?;
    Ok(Redirect::to(&format!("{SHELVES}all?copied={copy}")))
}

/// POST /manager/opus/{id}/trash. The work is deleted for ever when its time there is over.
pub async fn trash(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    if store::trash(&mut tx, &id, &member.id, now).await? {
        jobs::enqueue_for(&mut tx, &ForgetWork { work: id }, &member.id, now + TRASH_MS).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&shelf(&read_form(&body)?)))
}

/// POST /manager/opus/{id}/restoration: out of the trash.
pub async fn restore(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    store::restore(&app.db, &id, &member.id).await?;
    let shelf = shelf(&read_form(&body)?);
    let joint = if shelf.contains('?') { '&' } else { '?' };
    Ok(Redirect::to(&format!("{shelf}{joint}restored={id}")))
}

/// POST /manager/opus/{id}/deletion: out of the trash for ever, before its time.
pub async fn delete(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
) -> Result<Redirect, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?;
    if work.trashed_at.is_none() {
        return Err(Error::Conflict("只有回收站里的作品才能彻底删除。".into()));
    }
    let readers = app.house.readers_of(&app, KIND, id.as_str()).await?;
    if !readers.is_none() {
        return Err(Error::Conflict(why_it_stays(readers, &work.document.title)));
    }
    store::forget(&app, &id, now_ms()).await?;
    Ok(Redirect::to(&format!("{SHELVES}trash")))
}

/// Why a work is not deleted for ever.
fn why_it_stays(Readers { entitled, gifts }: Readers, title: &str) -> String {
    match (entitled, gifts) {
        (_, 0) => format!(
            "还有 {entitled} 位读者买了《{title}》可以读，现在不能彻底删除。先退款，或等他们的期限结束。"
        ),
        (0, _) => format!(
            "还有 {gifts} 份付了款的《{title}》礼物没有人领取，现在不能彻底删除。先在销售订单里退款。"
        ),
        _ => format!(
            "还有 {entitled} 位读者买了《{title}》可以读，{gifts} 份付了款的礼物没有人领取，现在不能彻底删除。\
             先退款，或等他们的期限结束。"
        ),
    }
}

/// The shelf that a form stood on; any other address is none.
pub fn shelf(form: &Form) -> String {
    let asked = form.get("shelf");
    let is_shelf = asked.strip_prefix(SHELVES).is_some_and(|rest| !rest.contains('/'));
    // what a browser sent as an address is one, what can't be a header's value is not
    let fits = is_shelf && asked.parse::<axum::http::Uri>().is_ok();
    if fits { asked.to_owned() } else { format!("{SHELVES}all") }
}
