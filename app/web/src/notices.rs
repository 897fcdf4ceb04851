//! What happened that the shop may want to hear of: whoever it happens to tells it in its own transaction, and a job passes it on
//! to the slice that knows who hears of what ([`Notified`]). What is told twice of the same thing counts once.

use async_trait::async_trait;
use base::db::{Db, Tx, new_id, now_ms, with_db, with_tx, with_write};
use base::error::Error;
use base::jobs::{self, Job, Lane};
pub use domain::notices::Kind;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::slice::Colleague;
use crate::staff;

/// Jobs whose kind begins so tell of others; that they failed is told nobody, or it would go round in circles.
pub const JOBS: &str = "notice_";

/// An event, as it is told.
#[derive(Debug, Clone, Copy)]
pub struct Notice<'a> {
    pub kind: Kind,
    /// What it is about. The same of the same kind is told once.
    pub about: &'a str,
    /// The same as people read it: an order's number. Nothing personal of members': webhooks carry it away.
    pub subject: &'a str,
    /// The page of the back office that it leads to.
    pub page: &'a str,
}

/// An event, as it was told.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Told {
    pub id: String,
    /// [`Kind::code`].
    pub kind: String,
    pub subject: String,
    pub page: String,
    /// Epoch ms.
    pub happened_at: i64,
}

/// The slice that knows who hears of what.
#[async_trait]
pub trait Notified: Sync + std::fmt::Debug {
    /// Writes down for each of the colleagues who hears of it what it is told, as part of the transaction that takes the event: once.
    async fn pass_on(
        &self,
        app: &App,
        tx: &mut Tx,
        colleagues: &[Colleague],
        told: &Told,
    ) -> Result<(), Error>;
}

/// Tells of an event as part of the transaction in which it happens; false where it was told before.
pub async fn tell(tx: &mut Tx, notice: Notice<'_>) -> Result<bool, Error> {
    let id: String = new_id();
    let inserted = with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "insert into notices (id, kind, about, subject, page, happened_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (kind, about) do nothing"
    )
    .bind(&id)
    .bind(notice.kind.code())
    .bind(notice.about)
    .bind(notice.subject)
    .bind(notice.page)
    .bind(now_ms())
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if inserted == 1 {
        jobs::enqueue(tx, &Spread { notice: id }).await?;
    }
    Ok(inserted == 1)
}

/// Whether an event was told before, for those who look again and again.
pub async fn is_told(db: &Db, kind: Kind, about: &str) -> Result<bool, Error> {
    let found: Option<String> =
        with_db!(db, |pool| sqlx::query_scalar("select id from notices where kind = $1 and about = $2")
            .bind(kind.code())
            .bind(about)
            .fetch_optional(pool)
            .await)?;
    Ok(found.is_some())
}

/// Passes an event on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Spread {
    pub notice: String,
}

impl Job for Spread {
    type App = App;
    const KIND: &'static str = "notice_spread";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        let Some(notified) = app.house.slices.iter().find_map(|slice| slice.notified) else { return Ok(()) };
        // before it holds a connection: where there are few, those who each wait for a second one wait for each other
        let colleagues = staff::accounts(&app)?.all(&app).await?;
        let mut tx = app.db.begin().await?;
        // one that was passed on before is nothing to do
        let told: Option<Told> = with_tx!(&mut tx, |conn| sqlx::query_as(
            "update notices set spread_at = $2 where id = $1 and spread_at is null
             returning id, kind, subject, page, happened_at"
        )
        .bind(&self.notice)
        .bind(now_ms())
        .fetch_optional(conn)
        .await)?;
        if let Some(told) = told {
            notified.pass_on(&app, &mut tx, &colleagues, &told).await?;
            tx.commit().await?;
            app.bell.ring();
        }
        Ok(())
    }
}

/// Forgets what happened before a moment.
pub async fn forget_before(app: &App, moment: i64) -> Result<(), Error> {
    with_write!(&app.db, |conn| sqlx::query("delete from notices where happened_at < $1")
        .bind(moment)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
