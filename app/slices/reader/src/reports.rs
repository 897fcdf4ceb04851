//! 举报: what readers say of works that should not be here. It needs no account; an operator reads it.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Db, Tx, new_id, now_ms, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::WorkId;
use domain::sharing::Access;
use web::app::App;
use web::client;
use web::notices::{self, Kind, Notice};
use web::render::{self, Form};
use web::router::Parameter;
use web::ui::forms::{check_length, read_form};

use super::open;

/// What a report may be about, with the word for forms (网络信息内容生态治理规定 第六条 names what must go).
pub const REASONS: [(&str, &str); 6] = [
    ("illegal", "违法违规的内容"),
    ("porn", "色情低俗"),
    ("violence", "暴力、恐怖或骚扰"),
    ("privacy", "泄露我的隐私，或用了我的肖像"),
    ("copyright", "侵犯我的著作权"),
    ("other", "其他"),
];
/// Characters of a report, and of a way to reach whoever wrote it.
pub const WORDS_LENGTH: usize = 1000;
pub const CONTACT_LENGTH: usize = 100;

/// POST /read/{work}/report.
pub async fn send(
    State(app): State<App>,
    Parameter(work): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let opened = open::open_for(&app, &parts, &work).await?;
    let mut form = read_form(&body)?;
    let page = format!("/read/{work}/report");
    // of what is locked not even the title is known here
    let title = match opened.access {
        Access::Locked => "",
        _ => &opened.share.settings.title,
    };
    let reported = Reported { id: work.as_str(), title, address: "" };
    if !report(&app, &parts, &mut form, &reported).await? {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&format!("{page}?sent=1")).into_response())
}

/// What somebody reports.
pub struct Reported<'a> {
    pub id: &'a str,
    pub title: &'a str,
    /// The path of its page; empty for works, whose id says it.
    pub address: &'a str,
}

/// Takes a report as a form says it; false where something in the form is refused.
pub async fn report(
    app: &App,
    parts: &Parts,
    form: &mut Form,
    reported: &Reported<'_>,
) -> Result<bool, Error> {
    let reason = REASONS.iter().find(|(code, _)| *code == form.get("reason"));
    if reason.is_none() {
        form.refuse("reason", "请选择原因");
    }
    check_length(form, "words", "说明", 0, WORDS_LENGTH);
    check_length(form, "contact", "联系方式", 0, CONTACT_LENGTH);
    let Some((code, _)) = reason.filter(|_| !form.is_refused()) else { return Ok(false) };
    let mut tx = app.db.begin().await?;
    accounts::take_report(&mut tx, &client::address(app, parts)).await?;
    insert(&mut tx, reported, code, form.get("words"), form.get("contact")).await?;
    tx.commit().await?;
    Ok(true)
}

async fn insert(
    tx: &mut Tx,
    reported: &Reported<'_>,
    reason: &str,
    words: &str,
    contact: &str,
) -> Result<(), Error> {
    let id: String = new_id();
    with_tx!(&mut *tx, |conn| sqlx::query(
        "insert into reports (id, work_id, title, address, reason, words, contact, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&id)
    .bind(reported.id)
    .bind(reported.title)
    .bind(reported.address)
    .bind(reason)
    .bind(words)
    .bind(contact)
    .bind(now_ms())
    .execute(conn)
    .await
    .map(drop))?;
    let told = Notice { kind: Kind::Reported, about: &id, subject: reported.id, page: "/staff/reports" };
    notices::tell(tx, told).await?;
    Ok(())
}

/// A report as an operator reads it.
#[derive(Debug, sqlx::FromRow)]
pub struct Report {
    pub id: String,
    /// The id of what is reported: of a work where there is no address.
    pub work_id: String,
    pub title: String,
    pub address: String,
    pub reason: String,
    pub words: String,
    pub contact: String,
    pub created_at: i64,
    /// When it was closed, and what came of it.
    pub closed_at: Option<i64>,
    pub outcome: Option<String>,
}

impl Report {
    /// Whether it is about a shared work.
    pub fn is_of_work(&self) -> bool {
        self.address.is_empty()
    }

    /// Where readers open what is reported.
    pub fn path(&self) -> String {
        if self.is_of_work() { format!("/read/{}", self.work_id) } else { self.address.clone() }
    }
}

/// What a reason is called, by its word.
pub fn reason_named(code: &str) -> &'static str {
    REASONS.into_iter().find(|(known, _)| *known == code).map_or("", |(_, name)| name)
}

/// The columns of a [`Report`].
const COLUMNS: &str = "id, work_id, title, address, reason, words, contact, created_at, closed_at, outcome";

/// Reports that nobody has closed, the oldest first.
pub async fn open_ones(db: &Db) -> Result<Vec<Report>, Error> {
    let sql =
        sql!("select {COLUMNS} from reports where closed_at is null order by created_at, id limit 1000");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_all(pool).await)?)
}

/// How many nobody has closed, and when the oldest of them came.
pub async fn waiting(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(created_at) from reports where closed_at is null"
    )
    .fetch_one(pool)
    .await)?)
}

/// A place in the list of those that were closed.
pub type Position = base::lists::Position<String>;

/// A page of the reports that were closed since a moment, those closed last first, behind a place in that list.
pub async fn closed_ones(
    db: &Db,
    since: i64,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Report>, Error> {
    let sql = sql!(
        "select {COLUMNS} from reports
         where closed_at > $1 and (closed_at < $2 or closed_at = $2 and id < $3)
         order by closed_at desc, id desc limit $4"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(since)
        .bind(after.map_or(i64::MAX, |after| after.at))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(most)
        .fetch_all(pool)
        .await)?)
}

/// Notes what came of a report; false where there is no open one of this id.
pub async fn close(tx: &mut Tx, id: &str, outcome: &str) -> Result<bool, Error> {
    let closed = with_tx!(tx, |conn| sqlx::query(
        "update reports set closed_at = $2, outcome = $3 where id = $1 and closed_at is null"
    )
    .bind(id)
    .bind(now_ms())
    .bind(outcome)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(closed == 1)
}

/// Notes what came of all open reports of a work, and answers their ids.
pub async fn close_all_of(tx: &mut Tx, work: &WorkId, outcome: &str, now: i64) -> Result<Vec<String>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "update reports set closed_at = $2, outcome = $3
         where work_id = $1 and address = '' and closed_at is null returning id",
    )
    .bind(work.as_str())
    .bind(now)
    .bind(outcome)
    .fetch_all(conn)
    .await)?)
}

/// Whether there is a report of this id, open or closed.
pub async fn is_known(tx: &mut Tx, id: &str) -> Result<bool, Error> {
    let known: i64 = with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from reports where id = $1")
        .bind(id)
        .fetch_one(conn)
        .await)?;
    Ok(known > 0)
}
