//! SQL of webhooks and of what is sent to them.

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::notices::{Kind, read_kinds};

/// An address of one of the shop's other programs.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Webhook {
    pub id: String,
    pub address: String,
    pub kinds: String,
    pub made_by: String,
    pub made_at: i64,
    /// Since when nothing was taken there; none while all is well.
    pub failing_since: Option<i64>,
    pub ended_at: Option<i64>,
    pub ended_why: Option<String>,
}

impl Webhook {
    pub fn kinds(&self) -> Vec<Kind> {
        read_kinds(&self.kinds)
    }
}

/// Something that is or was sent to one.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Delivery {
    pub notice: String,
    pub kind: String,
    pub body: String,
    pub made_at: i64,
    pub tries: i64,
    /// Tries before it was last begun anew.
    pub tries_before: i64,
    /// None when it arrived or was given up.
    pub next_at: Option<i64>,
    pub tried_at: Option<i64>,
    pub arrived_at: Option<i64>,
    pub status: Option<i64>,
    pub reason: Option<String>,
}

const COLUMNS: &str = "id, address, kinds, made_by, made_at, failing_since, ended_at, ended_why";
const DELIVERY: &str =
    "notice, kind, body, made_at, tries, tries_before, next_at, tried_at, arrived_at, status, reason";
/// Deliveries that a page shows.
const SHOWN: i64 = 100;

pub async fn all(db: &Db) -> Result<Vec<Webhook>, Error> {
    let sql = sql!("select {COLUMNS} from webhooks order by made_at desc, id desc");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_all(pool).await)?)
}

/// Those that are told what happens.
pub async fn open(tx: &mut Tx) -> Result<Vec<Webhook>, Error> {
    let sql = sql!("select {COLUMNS} from webhooks where ended_at is null order by id");
    Ok(with_tx!(tx, |conn| sqlx::query_as(sql.text()).fetch_all(conn).await)?)
}

pub async fn find(db: &Db, id: &str) -> Result<Option<Webhook>, Error> {
    let sql = sql!("select {COLUMNS} from webhooks where id = $1");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id).fetch_optional(pool).await)?)
}

/// One, held until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &str) -> Result<Option<Webhook>, Error> {
    let sql = sql!("update webhooks set made_at = made_at where id = $1 returning {COLUMNS}");
    Ok(with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id).fetch_optional(conn).await)?)
}

/// Adds one; false where its form was sent before.
pub async fn insert(tx: &mut Tx, webhook: &Webhook) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into webhooks (id, address, kinds, made_by, made_at) values ($1, $2, $3, $4, $5)
         on conflict (id) do nothing"
    )
    .bind(&webhook.id)
    .bind(&webhook.address)
    .bind(&webhook.kinds)
    .bind(&webhook.made_by)
    .bind(webhook.made_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Writes how one stands, whose row is held.
pub async fn set_standing(tx: &mut Tx, webhook: &Webhook) -> Result<(), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "update webhooks set failing_since = $2, ended_at = $3, ended_why = $4 where id = $1"
    )
    .bind(&webhook.id)
    .bind(webhook.failing_since)
    .bind(webhook.ended_at)
    .bind(&webhook.ended_why)
    .execute(conn)
    .await
    .map(drop))?)
}

/// Something that is to be sent now.
pub async fn insert_delivery(
    tx: &mut Tx,
    webhook: &str,
    notice: &str,
    kind: &str,
    body: &str,
    now: i64,
) -> Result<(), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "insert into webhook_deliveries (webhook, notice, kind, body, made_at, tries, tries_before, next_at)
         values ($1, $2, $3, $4, $5, 0, 0, $5)"
    )
    .bind(webhook)
    .bind(notice)
    .bind(kind)
    .bind(body)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?)
}

pub async fn delivery(db: &Db, webhook: &str, notice: &str) -> Result<Option<Delivery>, Error> {
    let sql = sql!("select {DELIVERY} from webhook_deliveries where webhook = $1 and notice = $2");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(webhook).bind(notice).fetch_optional(pool).await)?)
}

/// The newest of one, the newest first.
pub async fn newest(db: &Db, webhook: &str) -> Result<Vec<Delivery>, Error> {
    let sql = sql!(
        "select {DELIVERY} from webhook_deliveries where webhook = $1 order by made_at desc, notice desc limit $2"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(webhook).bind(SHOWN).fetch_all(pool).await)?)
}

/// Notes a try; false where another worker has noted the same one.
pub async fn note_try(tx: &mut Tx, webhook: &str, seen: i64, tried: &Delivery) -> Result<bool, Error> {
    let noted = with_tx!(tx, |conn| {
        sqlx::query(
        "update webhook_deliveries set tries = $4, next_at = $5, tried_at = $6, arrived_at = $7, status = $8, reason = $9
         where webhook = $1 and notice = $2 and tries = $3 and next_at is not null"
    )
    .bind(webhook)
    .bind(&tried.notice)
    .bind(seen)
    .bind(tried.tries)
    .bind(tried.next_at)
    .bind(tried.tried_at)
    .bind(tried.arrived_at)
    .bind(tried.status)
    .bind(&tried.reason)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(noted == 1)
}

/// Begins anew what arrived or was given up, under the same id; the number of its tries, or none where it is on its way.
pub async fn again(tx: &mut Tx, webhook: &str, notice: &str, now: i64) -> Result<Option<i64>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "update webhook_deliveries set tries_before = tries, next_at = $3
         where webhook = $1 and notice = $2 and next_at is null returning tries"
    )
    .bind(webhook)
    .bind(notice)
    .bind(now)
    .fetch_optional(conn)
    .await)?)
}

/// Forgets what was made before a moment.
pub async fn forget_before(db: &Db, moment: i64) -> Result<(), Error> {
    with_write!(db, |conn| sqlx::query("delete from webhook_deliveries where made_at < $1")
        .bind(moment)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
