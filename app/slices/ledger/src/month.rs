//! What moved on the accounts within a time.

use std::collections::BTreeMap;

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::close::{Figures, Income, Kind, Movement};
use domain::money::Fen;

/// Adds the movements to a month's figures, and what the house kept of what sellers earned.
pub async fn add(tx: &mut Tx, (from, until): (i64, i64), figures: &mut Figures) -> Result<(), Error> {
    let moved: Vec<(String, i64, i64, i64)> = with_tx!(&mut *tx, |conn| {
        sqlx::query_as(
        "select account,
                cast(sum(case when created_at < $1 then amount else 0 end) as bigint) as opening,
                cast(sum(case when created_at >= $1 and amount > 0 then amount else 0 end) as bigint) as added,
                cast(sum(case when created_at >= $1 and amount < 0 then amount else 0 end) as bigint) as taken
         from (select case when e.account_id like 'member:%' then 'member'
                           when e.account_id like 'frozen:%' then 'frozen'
                           when e.account_id like 'allowance:%' then 'allowance'
                           when e.account_id like 'unearned:%' then 'unearned'
                           when e.account_id like 'royalty:%' then 'royalty'
                           when e.account_id like 'income:%' then 'income'
                           else e.account_id end as account, e.amount, t.created_at
               from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
               where t.created_at < $2) moved
         group by account order by account"
    )
    .bind(from)
    .bind(until)
    .fetch_all(conn)
    .await
    })?;
    // what the accounts have now, less what came after: kept apart from the sums above, which it is held against
    let closing: Vec<(String, i64)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select account, cast(sum(balance) as bigint) as closing
         from (select case when a.id like 'member:%' then 'member'
                           when a.id like 'frozen:%' then 'frozen'
                           when a.id like 'allowance:%' then 'allowance'
                           when a.id like 'unearned:%' then 'unearned'
                           when a.id like 'royalty:%' then 'royalty'
                           when a.id like 'income:%' then 'income'
                           else a.id end as account,
                      a.balance - coalesce((select sum(e.amount) from ledger_entries e
                                            join ledger_transactions t on t.id = e.transaction_id
                                            where e.account_id = a.id and t.created_at >= $1), 0) as balance
               from ledger_accounts a) ended
         group by account"
    )
    .bind(until)
    .fetch_all(conn)
    .await)?;
    let closing: BTreeMap<String, i64> = closing.into_iter().collect();
    for (account, opening, added, taken) in moved {
        if account == "fees" {
            figures.income.push(Income {
                kind: Kind::Fees,
                name: Kind::Fees.name().to_owned(),
                count: 0,
                came: Fen(added),
                back: Fen(-taken),
            });
        }
        let closing = Fen(closing.get(&account).copied().unwrap_or_default());
        let (opening, added, taken) = (Fen(opening), Fen(added), Fen(taken));
        figures.accounts.push(Movement { account, opening, added, taken, closing });
    }
    Ok(())
}
