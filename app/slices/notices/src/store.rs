//! SQL of what clerks want to hear of, and of mails that are gathered.

pub mod summaries;
pub mod webhooks;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::notices::{Kind, read_kinds};
use web::notices::Told;

/// What a clerk wants to hear of.
#[derive(Debug, Clone, Default, sqlx::FromRow)]
pub struct Wish {
    pub clerk: String,
    /// The address that was confirmed; empty while there is none.
    pub address: String,
    /// One that waits for its code.
    pub asked: String,
    /// Its code, keyed; empty when there is none.
    pub code: String,
    pub code_sent_at: i64,
    pub code_tries: i64,
    pub kinds: String,
    /// 1 where the day's summary is wanted.
    pub summary: i64,
    pub mailed_at: i64,
}

impl Wish {
    pub fn kinds(&self) -> Vec<Kind> {
        read_kinds(&self.kinds)
    }
}

const COLUMNS: &str = "clerk, address, asked, code, code_sent_at, code_tries, kinds, summary, mailed_at";

/// What a clerk wants; nothing where it never said so.
pub async fn of_clerk(db: &Db, clerk: &str) -> Result<Option<Wish>, Error> {
    let sql = sql!("select {COLUMNS} from notice_clerks where clerk = $1");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(clerk).fetch_optional(pool).await)?)
}

/// The same, held until the transaction ends; empty where it never said so.
pub async fn lock(tx: &mut Tx, clerk: &str) -> Result<Wish, Error> {
    let sql = sql!(
        "insert into notice_clerks (clerk, address, asked, code, code_sent_at, code_tries, kinds, summary, mailed_at)
         values ($1, '', '', '', 0, 0, '', 0, 0)
         on conflict (clerk) do update set mailed_at = notice_clerks.mailed_at returning {COLUMNS}"
    );
    Ok(with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(clerk).fetch_one(conn).await)?)
}

/// Writes what a clerk wants, whose row is held.
pub async fn update(tx: &mut Tx, wish: &Wish) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update notice_clerks set address = $2, asked = $3, code = $4, code_sent_at = $5, code_tries = $6, kinds = $7,
                                  summary = $8, mailed_at = $9
         where clerk = $1"
    )
    .bind(&wish.clerk)
    .bind(&wish.address)
    .bind(&wish.asked)
    .bind(&wish.code)
    .bind(wish.code_sent_at)
    .bind(wish.code_tries)
    .bind(&wish.kinds)
    .bind(wish.summary)
    .bind(wish.mailed_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Those with an address, always in the same order, in which their rows are held.
pub async fn listening(tx: &mut Tx) -> Result<Vec<Wish>, Error> {
    let sql = sql!("select {COLUMNS} from notice_clerks where address <> '' order by clerk");
    Ok(with_tx!(tx, |conn| sqlx::query_as(sql.text()).fetch_all(conn).await)?)
}

/// Adds an event to a clerk's next mail; how many are in it now.
pub async fn insert_mail(tx: &mut Tx, clerk: &str, told: &Told) -> Result<i64, Error> {
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "insert into notice_mails (clerk, notice, kind, subject, page, happened_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (clerk, notice) do nothing"
    )
    .bind(clerk)
    .bind(&told.id)
    .bind(&told.kind)
    .bind(&told.subject)
    .bind(&told.page)
    .bind(told.happened_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from notice_mails where clerk = $1")
        .bind(clerk)
        .fetch_one(conn)
        .await)?)
}

/// Takes what a clerk's next mail tells, the oldest first.
pub async fn take_mail(tx: &mut Tx, clerk: &str) -> Result<Vec<Told>, Error> {
    let mut told: Vec<Told> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "delete from notice_mails where clerk = $1 returning notice as id, kind, subject, page, happened_at"
    )
    .bind(clerk)
    .fetch_all(conn)
    .await
    })?;
    told.sort_by(|one, other| (one.happened_at, &one.id).cmp(&(other.happened_at, &other.id)));
    Ok(told)
}

/// Clerks with something in their next mail that happened before a moment.
pub async fn waiting_since(tx: &mut Tx, moment: i64) -> Result<Vec<String>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select distinct clerk from notice_mails where happened_at < $1"
    )
    .bind(moment)
    .fetch_all(conn)
    .await)?)
}
