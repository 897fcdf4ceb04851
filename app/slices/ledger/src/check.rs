//! Whether the books hold: everything that is kept twice is computed again from the journal, and all slices' rows are held
//! against it.

use base::db::{Sql, Tx, sql, with_tx};
use base::error::Error;
use futures::TryStreamExt;
use sha2::{Digest, Sha256};
use web::app::App;

/// What was looked at, and what is wrong.
#[derive(Debug, Default)]
pub struct Report {
    pub transactions: i64,
    pub accounts: i64,
    /// Sentences.
    pub faults: Vec<String>,
}

/// Each finds what breaks one rule; the first column names it.
const RULES: [(&str, Sql); 5] = [
    (
        "the entries of a transaction sum to zero, and there are two or more",
        sql!("select t.id from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
         group by t.id having count(e.amount) < 2 or sum(e.amount) <> 0"),
    ),
    (
        "an account's balance is the sum of its entries",
        sql!("select a.id from ledger_accounts a
         where a.balance <> (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id)"),
    ),
    (
        "a member's account is not below zero",
        sql!("select id from ledger_accounts where balance < 0
             and (id like 'member:%' or id like 'frozen:%' or id like 'allowance:%' or id like 'unearned:%'
                  or id like 'royalty:%' or id like 'income:%')"),
    ),
    (
        "an account's entries are numbered without a gap",
        sql!("select a.id from ledger_accounts a
         where a.entries <> (select count(e.sequence) from ledger_entries e where e.account_id = a.id)
            or a.entries <> (select coalesce(max(e.sequence), 0) from ledger_entries e where e.account_id = a.id)"),
    ),
    (
        "each running balance is the one before and the entry's amount",
        sql!("select account_id || ' entry ' || sequence from (
             select account_id, sequence, amount, balance_after,
                    lag(balance_after) over (partition by account_id order by sequence) as before
             from ledger_entries where sequence is not null) as running
         where before is not null and balance_after <> before + amount"),
    ),
];

/// Reads one state of the whole database, while others go on writing.
pub async fn check(app: &App) -> Result<Report, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let mut report = Report {
        transactions: count(&mut tx, sql!("select count(*) from ledger_transactions")).await?,
        accounts: count(&mut tx, sql!("select count(*) from ledger_accounts")).await?,
        faults: Vec::new(),
    };
    for (rule, sql) in RULES {
        broken(&mut tx, rule, sql, &mut report.faults).await?;
    }
    digests(&mut tx, &mut report.faults).await?;
    for (rule, sql) in app.house.each(|slice| slice.books) {
        broken(&mut tx, rule, *sql, &mut report.faults).await?;
    }
    for check in app.house.slices.iter().filter_map(|slice| slice.recount) {
        check(&mut tx, &mut report.faults).await?;
    }
    Ok(report)
}

async fn count(tx: &mut Tx, sql: Sql) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(sql.text()).fetch_one(conn).await)?)
}

/// Adds a sentence for each thing that breaks a rule.
pub async fn broken(tx: &mut Tx, rule: &str, sql: Sql, faults: &mut Vec<String>) -> Result<(), Error> {
    let names: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(sql.text()).fetch_all(conn).await)?;
    faults.extend(names.into_iter().map(|name| format!("{name}: not true that {rule}")));
    Ok(())
}

/// A transaction's digest was made of its entries when it was posted; entries that were changed don't fit it.
async fn digests(tx: &mut Tx, faults: &mut Vec<String>) -> Result<(), Error> {
    type Entry = (String, String, String, i64);
    let mut open: Option<(String, String, Sha256)> = None;
    let mut close = |open: Option<(String, String, Sha256)>| {
        if let Some((id, digest, entries)) = open
            && hex::encode(entries.finalize()) != digest
        {
            faults.push(format!("{id}: not true that its entries are those that were posted"));
        }
    };
    let sql = sql!(
        "select t.id, t.digest, e.account_id, e.amount from ledger_transactions t
         join ledger_entries e on e.transaction_id = t.id order by t.id, e.position"
    );
    with_tx!(tx, |conn| {
        let mut rows = sqlx::query_as::<_, Entry>(sql.text()).fetch(conn);
        while let Some((id, digest, account, amount)) = rows.try_next().await? {
            if open.as_ref().is_none_or(|(known, ..)| *known != id) {
                close(open.replace((id, digest, Sha256::new())));
            }
            if let Some((_, _, entries)) = &mut open {
                super::digest_entry(entries, &account, domain::money::Fen(amount));
            }
        }
    });
    close(open);
    Ok(())
}
