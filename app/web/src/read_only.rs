//! Reading only 只读: while the host moves or mends something, pages are shown and readers read on, and nothing is written that
//! people send. `BINDERY_READ_ONLY` says so, or the back office, with a reason and when it is said to end.
//!
//! Jobs and what is done in the background wait; what is under way ends first. What it takes to show a page is written as always: sessions, pictures that
//! nobody looked at before. It does not end by itself: a move that takes longer than it was said to would lose what is written
//! meanwhile. Every instance knows within [`SOON`].

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base::db::{Db, Tx, now_ms, with_db, with_tx};
use base::error::Error;
use base::time;

use crate::access::{may_open, same_site_referer};
use crate::app::App;
use crate::background::Background;
use crate::render;
use crate::session::Visitor;
use crate::ui::forms::read_form;

/// How often an instance asks.
const SOON: Duration = Duration::from_secs(2);
/// After how many seconds a program tries again where nobody said when it ends.
const AGAIN_S: u64 = 600;
/// Bytes of a form that is shown again.
const MOST_FORM: usize = 1 << 20;
/// What is said where the environment says so.
const BY_HOST: &str = "本站正在维护";

/// Why nothing is written, as people are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOnly {
    pub reason: String,
    /// When it is said to end, epoch ms.
    pub until: Option<i64>,
}

impl ReadOnly {
    /// What stands above every page.
    pub fn sentence(&self, now: i64) -> String {
        let end = match self.until {
            Some(until) if until > now => {
                let day = time::day_near(time::date(until), time::date(now));
                format!("，预计 {day} {} 恢复", time::clock(until))
            }
            Some(_) => "，比预计的久一些".to_owned(),
            None => String::new(),
        };
        format!("{}：现在只能浏览，不能保存{end}。", self.reason)
    }

    /// How long a program waits before it tries again, in s.
    pub fn retry_after(&self, now: i64) -> u64 {
        let left = self.until.and_then(|until| u64::try_from(until - now).ok());
        left.map_or(AGAIN_S, |ms| ms.div_ceil(1000))
    }
}

/// What this instance knows of it.
#[derive(Debug)]
pub struct Known {
    now: RwLock<Option<ReadOnly>>,
    /// Held from the question to the answer: an older answer never comes after a newer one.
    asking: tokio::sync::Mutex<()>,
    by_host: bool,
}

impl Known {
    /// At the start; `by_host`: the environment says so.
    pub fn new(by_host: bool) -> Self {
        let now = by_host.then(|| ReadOnly { reason: BY_HOST.to_owned(), until: None });
        Self { now: RwLock::new(now), asking: Default::default(), by_host }
    }

    /// Why nothing is written now; nothing where all is as always.
    pub fn now(&self) -> Option<ReadOnly> {
        self.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until all is as always.
    pub async fn over(&self) {
        while self.now().is_some() {
            tokio::time::sleep(SOON).await;
        }
    }

    /// Whether the environment says so, which nobody in the back office can end.
    pub fn is_by_host(&self) -> bool {
        self.by_host
    }
}

/// Asks whether it began or ended.
pub(crate) const WATCH: Background =
    Background::every(SOON, "reading only", |app| Box::pin(async move { refresh(&app).await }))
        .in_read_only();

/// Asks the database, so that this instance knows at once.
pub async fn refresh(app: &App) -> Result<(), Error> {
    if !app.read_only.by_host {
        let _asking = app.read_only.asking.lock().await;
        let now = find(&app.db).await?;
        *app.read_only.now.write().unwrap_or_else(PoisonError::into_inner) = now;
    }
    Ok(())
}

async fn find(db: &Db) -> Result<Option<ReadOnly>, Error> {
    let row: Option<(String, Option<i64>)> =
        with_db!(db, |pool| sqlx::query_as("select reason, until_at from read_only where id = 1")
            .fetch_optional(pool)
            .await)?;
    Ok(row.map(|(reason, until)| ReadOnly { reason, until }))
}

/// Nothing is written any more, for this reason; or told anew.
pub async fn begin(tx: &mut Tx, read_only: &ReadOnly, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into read_only (id, reason, until_at, since) values (1, $1, $2, $3)
         on conflict (id) do update set reason = excluded.reason, until_at = excluded.until_at"
    )
    .bind(&read_only.reason)
    .bind(read_only.until)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// All is as always; false where it was.
pub async fn end(tx: &mut Tx) -> Result<bool, Error> {
    let ended = with_tx!(tx, |conn| sqlx::query("delete from read_only")
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended > 0)
}

/// Why a request is refused: it would write, and its address is none that is open all the same.
pub fn refusal(app: &App, request: &Request) -> Option<ReadOnly> {
    if request.method().is_safe() {
        return None;
    }
    let pattern = request.extensions().get::<MatchedPath>();
    let is_open =
        pattern.and_then(|pattern| app.routes.find(pattern.as_str())).is_some_and(|route| route.in_read_only);
    app.read_only.now().filter(|_| !is_open)
}

/// The answer to what would write: the page that a form stood on, with what was typed; or an error. Status 503.
pub async fn refuse(app: &App, read_only: ReadOnly, request: Request) -> Response {
    let wait = read_only.retry_after(now_ms());
    let sentence = read_only.sentence(now_ms());
    let shown = typed_again(app, &sentence, request).await;
    let mut response = shown.unwrap_or_else(|| Error::ReadOnly(sentence).into_response());
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait));
    response
}

/// That page, where whoever sent the form may open it: a request can name any page as the one that it comes from.
async fn typed_again(app: &App, sentence: &str, request: Request) -> Option<Response> {
    let page = same_site_referer(request.headers())?;
    let kind = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return None;
    }
    let route = app.routes.page_route(page.split('?').next()?)?;
    let member = request.extensions().get::<Visitor>()?.0.as_ref();
    // at a desk a page is another member's
    if !may_open(route.policy, member) || member.is_some_and(|member| member.works_as.is_some()) {
        return None;
    }
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, MOST_FORM).await.ok()?;
    let mut form = read_form(&body).ok()?;
    form.refuse("", sentence);
    let shown = render::again(app, parts, &page, form).await.ok();
    // else it is a page that says that there is none
    shown.filter(|shown| shown.status() == StatusCode::UNPROCESSABLE_ENTITY)
}

#[cfg(test)]
mod tests {
    use super::ReadOnly;

    #[test]
    fn people_are_told_until_when() {
        let told = |until| ReadOnly { reason: "机房搬家".into(), until };
        let noon = base::time::end_of_day("2026-11-27").unwrap_or(0) + 12 * 3_600_000;
        let sentence = |until, now| told(until).sentence(now);
        assert_eq!(sentence(None, noon), "机房搬家：现在只能浏览，不能保存。");
        assert_eq!(
            sentence(Some(noon), noon - 1),
            "机房搬家：现在只能浏览，不能保存，预计 11 月 28 日 12:00 恢复。"
        );
        assert_eq!(sentence(Some(noon), noon), "机房搬家：现在只能浏览，不能保存，比预计的久一些。");
        assert_eq!(told(Some(noon)).retry_after(noon - 1500), 2);
        assert_eq!([told(None), told(Some(noon))].map(|told| told.retry_after(noon + 1)), [600; 2]);
    }
}
