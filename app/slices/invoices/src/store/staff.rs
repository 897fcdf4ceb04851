//! SQL of invoices in the back office: lists in keyset pages, and what waits.

use base::db::{Db, formatcp, sql, with_db};
use base::error::Error;
use domain::ids::InvoiceId;

use super::{COLUMNS, Invoice, Row};

/// What a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Requests, the oldest first.
    Requested,
    /// 需红冲, the oldest first.
    ToCorrect,
    /// All, the newest first.
    All,
}

/// An invoice with its member's account.
#[derive(Debug, Clone)]
pub struct Listed {
    pub invoice: Invoice,
    pub account: String,
    /// Since when it waits for the shop, where it does: for its file, or for being corrected.
    pub since: i64,
}

#[derive(sqlx::FromRow)]
struct ListedRow {
    #[sqlx(flatten)]
    invoice: Row,
    account: String,
    since: i64,
}

impl TryFrom<ListedRow> for Listed {
    type Error = Error;
    fn try_from(row: ListedRow) -> Result<Self, Error> {
        Ok(Self { invoice: row.invoice.try_into()?, account: row.account, since: row.since })
    }
}

/// Money was given back after it was issued, of which no red invoice says yet.
const TO_CORRECT: &str = "state = 'issued' and amount - corrected <> order_rest";

/// The first moment at which money was given back of an issued invoice `i` since it was right. A term's invoice follows what is given back of
/// the terms that counted it, too, so any of the member's will do.
const CORRECT_SINCE: &str = "coalesce(
         (select min(r.created_at) from order_refunds r
          where r.order_id = i.order_id and r.created_at >= coalesce(i.corrected_at, i.issued_at)),
         (select min(m.ended_at) from membership_terms m
          where i.term_id is not null and m.member_id = i.member_id and m.state = 'refunded'
            and m.ended_at >= coalesce(i.corrected_at, i.issued_at)),
         i.issued_at, i.requested_at)";

const LISTED: &str = formatcp!(
    "select {COLUMNS}, (select m.account from members m where m.id = i.member_id) as account,
            case when {TO_CORRECT} then {CORRECT_SINCE} else requested_at end as since
     from invoices i"
);

/// A page of a list, from the one behind `after` on.
pub async fn page(db: &Db, view: View, after: Option<&InvoiceId>, most: i64) -> Result<Vec<Listed>, Error> {
    let sql = match view {
        View::Requested => sql!("{LISTED} where state = 'requested' and id > $1 order by id limit $2"),
        View::ToCorrect => sql!("{LISTED} where {TO_CORRECT} and id > $1 order by id limit $2"),
        View::All => sql!("{LISTED} where ($1 = '' or id < $1) order by id desc limit $2"),
    };
    let rows: Vec<ListedRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(after.map_or("", InvoiceId::as_str))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Listed::try_from).collect()
}

/// One invoice.
pub async fn find(db: &Db, id: &InvoiceId) -> Result<Listed, Error> {
    let sql = sql!("{LISTED} where id = $1");
    let row: Option<ListedRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// How many requests wait, and since when the oldest does.
pub async fn count_requested(db: &Db) -> Result<(i64, Option<i64>), Error> {
    let found: (i64, Option<i64>) = with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(requested_at) from invoices where state = 'requested'"
    )
    .fetch_one(pool)
    .await)?;
    Ok(found)
}

/// How many invoices have to be corrected, and since when the oldest has.
pub async fn count_to_correct(db: &Db) -> Result<(i64, Option<i64>), Error> {
    let sql = sql!(
        "select count(*), min(since)
         from (select {CORRECT_SINCE} as since from invoices i where {TO_CORRECT}) waiting"
    );
    let found: (i64, Option<i64>) = with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_one(pool).await)?;
    Ok(found)
}
