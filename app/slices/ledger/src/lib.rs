//! The ledger: balanced postings, each once, never below an account's floor; and whether the books hold.
//!
//! Not here: the rules of postings (domain), and why money moves: whoever moves some posts it with its own rows, and says
//! how those have to fit the ledger ([`Slice::books`]).

pub mod check;
mod commands;
mod month;
mod statement;

use base::audit;
use base::db::{Db, Tx, now_ms, sql, with_db, with_tx};
use base::error::Error;
use domain::days::DAY_MS;
use domain::ids::MemberId;
use domain::ledger::{Account, LedgerError, Posting};
use domain::money::Fen;
use sha2::{Digest, Sha256};
use web::app::App;
use web::demo::Demo;
use web::slice::Slice;

pub use statement::{Statement, StatementTable};

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    commands: &[web::command!("ledger", "Look at the books.", commands::Command, commands::run)],
    demo: Some(|app, demo| Box::pin(grant_demo(app, demo))),
    tables: &["ledger_accounts", "ledger_transactions", "ledger_entries"],
    monthly: Some(|tx, time, figures| Box::pin(month::add(tx, time, figures))),
    audited: &[("ledger reverse", "冲正")],
    ..Slice::new("ledger")
};

/// What became of a posting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posted {
    Now,
    /// The same posting was made before; nothing moved.
    Before,
}

/// Why a posting was refused; whoever called drops the transaction.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("余额不足")]
    InsufficientBalance,
    /// The key was used for another movement.
    #[error("the posting key was used for something else")]
    KeyReused,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Writes a posting as part of a transaction. Each entry adds to its account only while the floor holds, so
/// two payments at once can't both spend the same money. What a clerk's request posts before [`web::approvals`] was asked
/// is refused: no way around the limit is left open because somebody forgot it.
pub async fn post(tx: &mut Tx, posting: &Posting, memo: &str, now: i64) -> Result<Posted, Refusal> {
    if !audit::may_move() {
        let key = posting.key().as_str();
        return Err(
            Error::internal(format!("{key} moves money in the back office, and nobody was asked")).into()
        );
    }
    let id = ulid::Ulid::new().to_string().to_ascii_lowercase();
    let digest = digest(posting);
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into ledger_transactions (id, posting_key, digest, memo, created_at) values ($1, $2, $3, $4, $5)
         on conflict (posting_key) do nothing",
    )
    .bind(&id)
    .bind(posting.key().as_str())
    .bind(&digest)
    .bind(memo)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if inserted == 0 {
        let (before,): (String,) = with_tx!(tx, |conn| sqlx::query_as(
            "select digest from ledger_transactions where posting_key = $1"
        )
        .bind(posting.key().as_str())
        .fetch_one(conn)
        .await)?;
        return if before == digest { Ok(Posted::Before) } else { Err(Refusal::KeyReused) };
    }
    let mut entries: Vec<_> = posting.entries().iter().zip(0i64..).collect();
    // always in the same order of accounts: two postings never wait for each other in a circle. Members come before
    // the house, whose accounts everybody waits for
    entries.sort_by(|(one, _), (other, _)| one.account.cmp(&other.account));
    let mut moved = Vec::with_capacity(entries.len());
    for (entry, position) in entries {
        let account = entry.account.to_string();
        let mut after = add(tx, &account, entry.amount).await?;
        if after.is_none() {
            open(tx, &entry.account).await?;
            after = add(tx, &account, entry.amount).await?;
        }
        let (balance, sequence) = after.ok_or(Refusal::InsufficientBalance)?;
        moved.push((position, account, entry.amount, balance, sequence));
    }
    let sql = sql!(
        "insert into ledger_entries (transaction_id, position, account_id, amount, balance_after, sequence)
         values [($1, ?, ?, ?, ?, ?)]"
    );
    let sql = sql.repeated(moved.len());
    with_tx!(tx, |conn| {
        let query = moved.iter().fold(sqlx::query(sql.text()).bind(&id), |query, entry| {
            let (position, account, amount, balance, sequence) = entry;
            query.bind(position).bind(account).bind(amount.0).bind(balance).bind(sequence)
        });
        query.execute(conn).await.map(drop)
    })?;
    Ok(Posted::Now)
}

/// Adds to an account while its floor holds: its balance and how many entries it has, or `None` when the floor does
/// not hold or there is no such account.
async fn add(tx: &mut Tx, account: &str, amount: Fen) -> Result<Option<(i64, i64)>, sqlx::Error> {
    with_tx!(tx, |conn| sqlx::query_as(
        "update ledger_accounts set balance = balance + $2, entries = entries + 1
         where id = $1 and (floor is null or balance + $2 >= floor) returning balance, entries",
    )
    .bind(account)
    .bind(amount.0)
    .fetch_optional(conn)
    .await)
}

/// Opens an account that is not open yet.
async fn open(tx: &mut Tx, account: &Account) -> Result<(), sqlx::Error> {
    let floor = if account.may_be_negative() { None } else { Some(0i64) };
    with_tx!(tx, |conn| sqlx::query(
        "insert into ledger_accounts (id, balance, floor) values ($1, 0, $2) on conflict (id) do nothing",
    )
    .bind(account.to_string())
    .bind(floor)
    .execute(conn)
    .await
    .map(drop))
}

fn digest(posting: &Posting) -> String {
    let mut digest = Sha256::new();
    for entry in posting.entries() {
        digest_entry(&mut digest, &entry.account.to_string(), entry.amount);
    }
    hex::encode(digest.finalize())
}

fn digest_entry(digest: &mut Sha256, account: &str, amount: Fen) {
    digest.update(format!("{account} {amount}\n"));
}

/// An entry of an account, as people read it.
#[derive(Debug, sqlx::FromRow)]
pub struct Listed {
    pub created_at: i64,
    pub posting_key: String,
    pub memo: String,
    /// In 分, as is what the account had after it.
    pub amount: i64,
    pub balance_after: i64,
    /// Which one of its account's it is, from 1; 0 for one of before they were counted.
    pub sequence: i64,
    pub transaction_id: String,
}

/// A place in a list of an account's entries.
pub type Position = base::lists::Position<String>;

impl Listed {
    /// Where a list goes on behind this one.
    pub fn position(&self) -> Position {
        Position { at: self.sequence, id: self.transaction_id.clone() }
    }
}

/// An account's entries, the newest first.
pub async fn entries(db: &Db, account: &Account, most: i64) -> Result<Vec<Listed>, Error> {
    entries_after(db, account, None, most).await
}

/// A page of an account's entries, the newest first, behind a place in that list.
async fn entries_after(
    db: &Db,
    account: &Account,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Listed>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select t.created_at, t.posting_key, t.memo, e.amount, e.balance_after,
                coalesce(e.sequence, 0) as sequence, e.transaction_id
         from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
         where e.account_id = $1
           and coalesce(e.sequence, 0) <= $2 and (coalesce(e.sequence, 0) < $2 or e.transaction_id < $3)
         order by coalesce(e.sequence, 0) desc, e.transaction_id desc limit $4",
    )
    .bind(account.to_string())
    .bind(after.map_or(i64::MAX, |after| after.at))
    .bind(after.map_or("", |after| after.id.as_str()))
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// What moved on an account in a day: postings whose key begins so, others that added, others that took.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct DaySums {
    /// From 1970-01-01, in China's time zone.
    pub day: i64,
    /// In 分, as are the others.
    pub named: i64,
    pub added: i64,
    pub taken: i64,
}

/// What moved on an account, day by day; postings whose keys begin with a word are summed by themselves.
pub async fn by_day(db: &Db, account: &Account, named: &str) -> Result<Vec<DaySums>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select day, cast(sum(case when is_named = 1 then amount else 0 end) as bigint) as named,
                cast(sum(case when is_named = 0 and amount > 0 then amount else 0 end) as bigint) as added,
                cast(sum(case when is_named = 0 and amount < 0 then amount else 0 end) as bigint) as taken
         from (select (t.created_at + 28800000) / 86400000 as day, e.amount,
                      case when t.posting_key like $2 || '%' then 1 else 0 end as is_named
               from ledger_entries e join ledger_transactions t on t.id = e.transaction_id where e.account_id = $1) moved
         group by day order by day",
    )
    .bind(account.to_string())
    .bind(named)
    .fetch_all(pool)
    .await
    })?)
}

/// An account's entries from one moment to another, the oldest first, behind one of them.
pub async fn entries_between(
    db: &Db,
    account: &Account,
    (from, until): (i64, i64),
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Listed>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select t.created_at, t.posting_key, t.memo, e.amount, e.balance_after,
                coalesce(e.sequence, 0) as sequence, e.transaction_id
         from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
         where e.account_id = $1 and t.created_at >= $2 and t.created_at < $3
           and (coalesce(e.sequence, 0) > $4 or coalesce(e.sequence, 0) = $4 and e.transaction_id > $5)
         order by coalesce(e.sequence, 0), e.transaction_id limit $6",
    )
    .bind(account.to_string())
    .bind(from)
    .bind(until)
    .bind(after.map_or(-1, |after| after.at))
    .bind(after.map_or("", |after| after.id.as_str()))
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// What a member can spend.
pub async fn balance(tx: &mut Tx, member: &MemberId) -> Result<Fen, Error> {
    balance_of(tx, &Account::Member(member.clone())).await
}

/// What is on an account; nothing on one that was never opened.
pub async fn balance_of(tx: &mut Tx, account: &Account) -> Result<Fen, Error> {
    let balance: Option<i64> =
        with_tx!(tx, |conn| sqlx::query_scalar("select balance from ledger_accounts where id = $1")
            .bind(account.to_string())
            .fetch_optional(conn)
            .await)?;
    Ok(Fen(balance.unwrap_or_default()))
}

/// Gives a member a balance, once for each key.
pub async fn grant(db: &Db, member: &MemberId, amount: Fen, key: &str, now: i64) -> Result<Posted, Refusal> {
    let failed = |error: LedgerError| Refusal::Failed(Error::internal(error));
    let key = key.parse().map_err(failed)?;
    let posting = Posting::opening_grant(key, member, amount).map_err(failed)?;
    let mut tx = db.begin().await?;
    let posted = post(&mut tx, &posting, "开户余额", now).await?;
    tx.commit().await?;
    Ok(posted)
}

/// What the demo's members have to spend, from before the first thing that they bought.
async fn grant_demo(app: &App, demo: &mut Demo) -> Result<(), Error> {
    const MONTH_MS: i64 = 30 * DAY_MS;
    let at = now_ms() - MONTH_MS;
    for (member, amount, word) in
        [(&demo.member, Fen(1_064_800), "demo:opening"), (&demo.buyer, Fen(2_000_000), "demo:buyer")]
    {
        grant(&app.db, member, amount, word, at).await.map_err(Error::internal)?;
    }
    Ok(())
}
