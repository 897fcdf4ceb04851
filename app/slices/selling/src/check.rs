//! Whether sales fit the ledger (`bindery ledger check`): what is owed to readers is computed again from every sale.

use std::collections::BTreeMap;

use base::db::{Sql, Tx, now_ms, sql, with_tx};
use base::error::Error;
use domain::money::Fen;

use super::store::sales;
use ledger::check::broken;

/// Each finds what breaks one rule; the first column names it.
const RULES: [(&str, Sql); 9] = [
    (
        "a sale is paid exactly when its amount was posted",
        sql!("select s.id from sales s where (s.state <> 'unpaid') <> exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'sale:' || s.id and e.account_id = 'member:' || s.buyer_id and e.amount = -s.amount)"),
    ),
    (
        "what a sale has earned is what was posted for it",
        sql!("select s.id from sales s left join (
             select substr(t.posting_key, 14, 26) as sale_id, -sum(e.amount) as earned
             from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key like 'sale-earning:%' and e.account_id like 'unearned:%'
             group by substr(t.posting_key, 14, 26)) p on p.sale_id = s.id
         where s.earned <> coalesce(p.earned, 0)"),
    ),
    (
        "what was given back of a sale was posted",
        sql!("select s.id from sales s where s.refunded <> (
             select coalesce(sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'sale-refund:' || s.id and e.account_id = 'member:' || s.buyer_id)
             or (s.state = 'refunded') <> (s.refunded > 0)"),
    ),
    (
        "a sale that nobody paid opened nothing",
        sql!("select s.id from sales s where s.state = 'unpaid'
             and exists (select 1 from entitlements e where e.source = 'sale' and e.source_id = s.id)"),
    ),
    (
        "a gift that nobody has taken has earned and opened nothing",
        sql!("select s.id from sales s left join gifts g on g.sale_id = s.id where s.is_gift = 1 and g.taken_at is null
             and (s.earned <> 0 or s.span_from is not null
                  or exists (select 1 from entitlements e where e.source = 'sale' and e.source_id = s.id))"),
    ),
    (
        "a gift that was taken has a time and one right, its taker's",
        // a taker that has closed its account has none
        sql!("select s.id from sales s join gifts g on g.sale_id = s.id where g.taken_at is not null
             and (s.span_from is null or exists (select 1 from entitlements e
                      where e.source = 'sale' and e.source_id = s.id and e.member_id <> g.taken_by)
                  or 1 <> (select count(*) from entitlements e where e.source = 'sale' and e.source_id = s.id)
                     and not exists (select 1 from members m where m.id = g.taken_by and m.closed_at is not null))"),
    ),
    (
        "sales of one thing to one reader follow one another",
        // those of a package out of which something was taken may hold different things
        sql!("select e.source_id from entitlements e join entitlements o on o.member_id = e.member_id and o.id <> e.id
             and coalesce(o.package_id, '') = coalesce(e.package_id, '') and coalesce(o.kind, '') = coalesce(e.kind, '')
             and coalesce(o.item_id, '') = coalesce(e.item_id, '')
             where e.source = 'sale' and o.source = 'sale' and e.starts_at >= o.starts_at
             and (e.ends_at is null or e.ends_at > e.starts_at) and (o.ends_at is null or o.ends_at > e.starts_at)
             and not exists (select 1 from package_contents c where c.package_id = e.package_id and c.removed_at is not null)"),
    ),
    (
        "what took the place of a term was paid",
        sql!("select s.id from sales s where s.replaced_by is not null and (s.state <> 'refunded' or not exists (
             select 1 from sales n where n.id = s.replaced_by and n.state <> 'unpaid' and n.credit > 0))"),
    ),
    (
        "a payout was posted",
        sql!("select p.id from payouts p where not exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'payout:' || p.id and e.account_id = 'income:' || p.seller_id
               and e.amount = -p.amount)"),
    ),
];

/// Sales that are read at once.
const ROWS: i64 = 1_000;

/// Adds a sentence for each sale, and for each seller, that does not fit the ledger.
pub async fn check_money(tx: &mut Tx, faults: &mut Vec<String>) -> Result<(), Error> {
    for (rule, sql) in RULES {
        broken(tx, rule, sql, faults).await?;
    }
    let mut owed: BTreeMap<String, Fen> = BTreeMap::new();
    let mut fees = Fen::ZERO;
    let now = now_ms();
    let mut after = String::new();
    loop {
        let sales = sales::paid_after(tx, &after, ROWS).await?;
        let Some(last) = sales.last() else { break };
        after = last.id.to_string();
        for sale in &sales {
            let Some(earning) = sale.earning() else { continue };
            if earning.span.is_none() && !sale.is_gift {
                faults
                    .push(format!("{}: not true that a paid sale has a time in which it is earned", sale.id));
            }
            if earning.earned > earning.due(now) && earning.refunded == Fen::ZERO {
                faults.push(format!("{}: not true that nothing is earned before its day", sale.id));
            }
            let seller = owed.entry(format!("unearned:{}", sale.seller)).or_default();
            *seller = seller.plus(earning.owed().map_err(Error::internal)?).map_err(Error::internal)?;
            fees = fees.plus(earning.fee().map_err(Error::internal)?).map_err(Error::internal)?;
        }
    }
    let accounts: Vec<(String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select id, balance from ledger_accounts where id like 'unearned:%' or id = 'fees' order by id"
    )
    .fetch_all(conn)
    .await)?;
    owed.insert("fees".to_owned(), fees);
    for (account, balance) in accounts {
        let expected = owed.remove(&account).unwrap_or_default();
        if expected != Fen(balance) {
            faults.push(format!("{account}: not true that it is what the sales come to, {expected}"));
        }
    }
    let missing = owed.into_iter().filter(|(_, amount)| *amount != Fen::ZERO);
    faults.extend(
        missing.map(|(account, amount)| format!("{account}: not true that its {amount} were posted")),
    );
    Ok(())
}
