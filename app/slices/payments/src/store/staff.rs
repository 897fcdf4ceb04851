//! SQL of payments in the back office: lists in keyset pages, and what waits.

use base::db::{Db, Sql, sql, with_db};
use base::error::Error;
use base::lists::pattern;
use domain::ids::{OrderId, PaymentId};
use domain::money::Fen;
use domain::payment::{HANGS_AFTER_MS, HANGS_AFTER_TROUBLES, Method};

use super::refunds::Standing;
use super::{COLUMNS, Payment, Row};
use crate::operate::reference_in;

/// A place in a list, by the moment of a payment or a refund and its id.
pub type Position = base::lists::Position<String>;

/// A payment with its member's account.
#[derive(Debug, Clone)]
pub struct Listed {
    pub payment: Payment,
    pub account: String,
    /// Whether somebody says that it arrived, and another one has to agree.
    pub waits: bool,
}

impl Listed {
    /// Where a list goes on behind it.
    pub fn position(&self) -> Position {
        Position { at: self.payment.created_at, id: self.payment.id.to_string() }
    }
}

#[derive(sqlx::FromRow)]
struct ListedRow {
    #[sqlx(flatten)]
    payment: Row,
    account: String,
    waiting: i64,
}

impl TryFrom<ListedRow> for Listed {
    type Error = Error;
    fn try_from(row: ListedRow) -> Result<Self, Error> {
        Ok(Self { payment: row.payment.try_into()?, account: row.account, waits: row.waiting > 0 })
    }
}

/// Whose turn it is to end a refund that has not gone yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Somebody here makes a bank transfer.
    ByHand,
    /// A provider sends it, and it hangs there ([`domain::payment::hangs`]).
    Provider { now: i64 },
}

/// Money that is to go back and has not gone.
#[derive(Debug, Clone)]
pub struct ToSend {
    pub refund: String,
    pub method: Method,
    pub payment: PaymentId,
    pub account: String,
    pub amount: Fen,
    pub created_at: i64,
    /// What the transfer carried that is sent back, and the bank's or the provider's number of it.
    pub reference: Option<String>,
    pub provider_number: Option<String>,
    pub order: Option<OrderId>,
    pub bill: Option<String>,
    pub standing: Standing,
}

impl ToSend {
    /// Where a list goes on behind it.
    pub fn position(&self) -> Position {
        Position { at: self.created_at, id: self.refund.clone() }
    }
}

#[derive(sqlx::FromRow)]
struct ToSendRow {
    refund_id: String,
    method: String,
    payment_id: String,
    account: String,
    amount: i64,
    created_at: i64,
    reference: Option<String>,
    provider_number: Option<String>,
    order_id: Option<String>,
    bill_title: Option<String>,
    #[sqlx(flatten)]
    standing: Standing,
}

impl TryFrom<ToSendRow> for ToSend {
    type Error = Error;
    fn try_from(row: ToSendRow) -> Result<Self, Error> {
        Ok(Self {
            refund: row.refund_id,
            method: row.method.parse().map_err(Error::internal)?,
            payment: row.payment_id.try_into().map_err(Error::internal)?,
            account: row.account,
            amount: Fen(row.amount),
            created_at: row.created_at,
            reference: row.reference,
            provider_number: row.provider_number,
            order: row.order_id.map(OrderId::try_from).transpose().map_err(Error::internal)?,
            bill: row.bill_title,
            standing: row.standing,
        })
    }
}

/// The account of the member of a payment `p`.
const ACCOUNT: &str = "(select m.account from members m where m.id = p.member_id) as account";

/// How many wait for another one to agree that a payment `p` arrived.
const WAITING: &str = "(select count(*) from approvals a
     where a.kind = 'transfer' and a.about = p.id and a.decided_at is null) as waiting";

/// The payments `p` that are bank transfers and have not arrived. Those that wait for another one to agree are counted there.
const AWAITED: &str = "p.state = 'pending' and p.method = 'transfer'
     and not exists (select 1 from approvals a where a.kind = 'transfer' and a.about = p.id and a.decided_at is null)";

/// Whether a search finds a payment `p`: `$1` is its pattern, `$2` the reference that it may be.
const FOUND: &str = "($1 = '%%' or p.reference = $2 or lower(p.reference) like lower($1) escape '\\'
     or lower(p.provider_number) like lower($1) escape '\\' or p.id like lower($1) escape '\\'
     or p.order_id like lower($1) escape '\\'
     or exists (select 1 from members m
                where m.id = p.member_id and lower(m.account) like lower($1) escape '\\'))";

/// Bank transfers that have not arrived, the oldest first.
pub async fn awaited(
    db: &Db,
    search: &str,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Listed>, Error> {
    let sql = sql!(
        "select {COLUMNS}, {ACCOUNT}, {WAITING} from payments p
         where {FOUND} and {AWAITED}
           and (p.created_at > $3 or p.created_at = $3 and p.id > $4) order by p.created_at, p.id limit $5"
    );
    list(db, sql, search, after.map_or((i64::MIN, ""), |after| (after.at, after.id.as_str())), most).await
}

/// All payments, the newest first.
pub async fn newest(
    db: &Db,
    search: &str,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Listed>, Error> {
    let sql = sql!(
        "select {COLUMNS}, {ACCOUNT}, {WAITING} from payments p
         where {FOUND} and (p.created_at < $3 or p.created_at = $3 and p.id < $4)
         order by p.created_at desc, p.id desc limit $5"
    );
    list(db, sql, search, after.map_or((i64::MAX, ""), |after| (after.at, after.id.as_str())), most).await
}

/// Payments of which somebody wants to send something back, or says that they arrived or that it was not sent, and another one
/// has to agree: the newest first.
pub async fn to_decide(
    db: &Db,
    search: &str,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Listed>, Error> {
    let sql = sql!(
        "select {COLUMNS}, {ACCOUNT}, {WAITING} from payments p
         where {FOUND} and (p.created_at < $3 or p.created_at = $3 and p.id < $4)
           and exists (select 1 from approvals a where a.kind in ('payment', 'transfer', 'withdrawal') and a.about = p.id and a.decided_at is null)
         order by p.created_at desc, p.id desc limit $5"
    );
    list(db, sql, search, after.map_or((i64::MAX, ""), |after| (after.at, after.id.as_str())), most).await
}

async fn list(
    db: &Db,
    sql: Sql,
    search: &str,
    (at, id): (i64, &str),
    most: i64,
) -> Result<Vec<Listed>, Error> {
    let rows: Vec<ListedRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(pattern(search))
        .bind(reference_in(search))
        .bind(at)
        .bind(id)
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Listed::try_from).collect()
}

/// The refunds that have not gone, with their payments.
const TO_END: &str =
    "from payment_refunds r join payments p on p.id = r.payment_id where r.state = 'pending'";
/// Those that somebody ends by hand, and those that a provider ends.
const BY_HAND: &str = "and p.method = 'transfer'";
const BY_PROVIDER: &str = "and p.method <> 'transfer'";
/// What is read of them.
const TO_SEND: &str =
    "r.id as refund_id, p.method, r.payment_id, r.amount, r.created_at, p.reference, p.provider_number,
     p.order_id, p.bill_title, r.asked_at, r.trouble, r.troubles";
/// Asked for before `$3`, or tried in vain at least `$4` times, behind the place `$5` and `$6`, the oldest first.
const IN_ORDER: &str = "and (r.created_at < $3 or r.troubles >= $4)
     and (r.created_at > $5 or r.created_at = $5 and r.id > $6) order by r.created_at, r.id limit $7";

impl Ends {
    /// The two statements' own; before when a refund was asked for, or how often it was tried in vain.
    fn choose(self, by_hand: Sql, by_provider: Sql) -> (Sql, i64, i64) {
        match self {
            Self::ByHand => (by_hand, i64::MAX, 0),
            Self::Provider { now } => (by_provider, now - HANGS_AFTER_MS, HANGS_AFTER_TROUBLES),
        }
    }
}

/// Refunds that have not gone yet, the oldest first.
pub async fn to_send(
    db: &Db,
    ends: Ends,
    search: &str,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<ToSend>, Error> {
    let (sql, before, troubles) = ends.choose(
        sql!("select {TO_SEND}, {ACCOUNT} {TO_END} {BY_HAND} and {FOUND} {IN_ORDER}"),
        sql!("select {TO_SEND}, {ACCOUNT} {TO_END} {BY_PROVIDER} and {FOUND} {IN_ORDER}"),
    );
    let rows: Vec<ToSendRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(pattern(search))
        .bind(reference_in(search))
        .bind(before)
        .bind(troubles)
        .bind(after.map_or(i64::MIN, |after| after.at))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(ToSend::try_from).collect()
}

/// One payment.
pub async fn find(db: &Db, id: &PaymentId) -> Result<Listed, Error> {
    let sql = sql!("select {COLUMNS}, {ACCOUNT}, {WAITING} from payments p where p.id = $1");
    let row: Option<ListedRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// How many bank transfers have not arrived, and since when the oldest is awaited.
pub async fn count_awaited(db: &Db) -> Result<(i64, Option<i64>), Error> {
    let sql = sql!("select count(*), min(p.created_at) from payments p where {AWAITED}");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_one(pool).await)?)
}

/// How many refunds have not gone yet, and since when the oldest waits.
pub async fn count_to_send(db: &Db, ends: Ends) -> Result<(i64, Option<i64>), Error> {
    const WAIT: &str = "and (r.created_at < $1 or r.troubles >= $2)";
    let (sql, before, troubles) = ends.choose(
        sql!("select count(*), min(r.created_at) {TO_END} {BY_HAND} {WAIT}"),
        sql!("select count(*), min(r.created_at) {TO_END} {BY_PROVIDER} {WAIT}"),
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(before).bind(troubles).fetch_one(pool).await)?)
}
