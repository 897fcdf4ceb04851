//! What somebody in the back office gives, and what of it waits until another one agrees ([`domain::approval`]).
//!
//! Slices give in their own transactions and ask here first. The host's command line has no limit: whoever has the machine has
//! the database.

use domain::approval::{Alone, WINDOW_MS};
use domain::money::Fen;

use crate::app::App;
use crate::audit;
use crate::db::{Db, Tx, new_id, sql, with_db, with_tx};
use crate::error::Error;

/// By what right something is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By<'a> {
    /// Whoever acts gives it alone.
    OwnRight,
    /// Somebody else agrees to a request, which is decided in the same transaction.
    Agreement { request: &'a str, name: &'a str },
}

/// What is given of: the word for its kind, and its id.
#[derive(Debug, Clone, Copy)]
pub struct Thing<'a> {
    pub kind: &'static str,
    pub id: &'a str,
}

/// What somebody wants to give, until another one decides.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Request {
    pub id: String,
    /// The id of the thing that it is given of.
    pub about: String,
    /// 分; all that is left where there is none.
    pub amount: Option<i64>,
    pub reason: String,
    pub asked_by: String,
    pub asked_at: i64,
    pub decided_at: Option<i64>,
}

const COLUMNS: &str = "id, about, amount, reason, asked_by, asked_at, decided_at";

/// Notes what is about to be given in this transaction; false, and nothing may be given, where whoever acts may not give that
/// much alone, or the request was decided before. Whoever acts is held to the end of the transaction, so that two presses at once add up, too.
pub async fn gives(
    app: &App,
    tx: &mut Tx,
    by: By<'_>,
    thing: Thing<'_>,
    amount: Fen,
    now: i64,
) -> Result<bool, Error> {
    if let By::Agreement { request, name } = by {
        return decide(tx, request, name, true, now).await;
    }
    let Some(name) = audit::clerk() else { return Ok(true) };
    with_tx!(&mut *tx, |conn| sqlx::query(
        "insert into givers (name) values ($1) on conflict (name) do update set name = excluded.name"
    )
    .bind(&name)
    .execute(conn)
    .await
    .map(drop))?;
    let (lately, of_this): (i64, i64) = with_tx!(&mut *tx, |conn| {
        sqlx::query_as(
        "select (select cast(coalesce(sum(amount), 0) as bigint) from given_alone
                 where given_by = $1 and given_at > $2),
                (select cast(coalesce(sum(amount), 0) as bigint) from given_alone where kind = $3 and about = $4)"
    )
    .bind(&name)
    .bind(now - WINDOW_MS)
    .bind(thing.kind)
    .bind(thing.id)
    .fetch_one(conn)
    .await
    })?;
    let alone = Alone { lately: Fen(lately), of_this: Fen(of_this) };
    if !alone.may_give(amount, app.config.staff_limit) {
        return Ok(false);
    }
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into given_alone (id, given_by, kind, about, amount, given_at) values ($1, $2, $3, $4, $5, $6)"
    )
    .bind(new_id::<String>())
    .bind(&name)
    .bind(thing.kind)
    .bind(thing.id)
    .bind(amount.0)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(true)
}

/// Keeps a request; false where the same one was kept before.
pub async fn ask(tx: &mut Tx, kind: &'static str, request: &Request) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into approvals (id, kind, about, amount, reason, asked_by, asked_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing",
    )
    .bind(&request.id)
    .bind(kind)
    .bind(&request.about)
    .bind(request.amount)
    .bind(&request.reason)
    .bind(&request.asked_by)
    .bind(request.asked_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// What was asked for of a thing, the newest first.
pub async fn of(db: &Db, thing: Thing<'_>) -> Result<Vec<Request>, Error> {
    let sql = sql!(
        "select {COLUMNS} from approvals where kind = $1 and about = $2 order by asked_at desc, id desc"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(thing.kind).bind(thing.id).fetch_all(pool).await)?)
}

/// How many of a kind wait, and since when the first does.
pub async fn count(db: &Db, kind: &'static str) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(asked_at) from approvals where kind = $1 and decided_at is null"
    )
    .bind(kind)
    .fetch_one(pool)
    .await)?)
}

/// Writes what was decided; false where somebody had decided before.
pub async fn decide(tx: &mut Tx, id: &str, by: &str, grants: bool, now: i64) -> Result<bool, Error> {
    let decided = with_tx!(tx, |conn| {
        sqlx::query(
        "update approvals set decided_by = $2, decided_at = $3, outcome = $4 where id = $1 and decided_at is null"
    )
    .bind(id)
    .bind(by)
    .bind(now)
    .bind(if grants { "granted" } else { "declined" })
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(decided == 1)
}
