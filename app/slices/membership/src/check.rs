//! Whether memberships fit the ledger (`bindery ledger check`): what members paid for their tiers, what was given back, and
//! that their tiers are those of their terms.

use domain::money::Fen;

use base::db::{Sql, Tx, now_ms, sql, with_tx};
use base::error::Error;
use ledger::check::broken;

/// Each finds what breaks one rule; the first column names it.
const RULES: [(&str, Sql); 9] = [
    (
        "a term is paid exactly when its amount was posted",
        sql!("select m.id from membership_terms m where m.amount > 0 and (m.state <> 'unpaid') <> exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'membership:' || m.id and e.account_id = 'memberships' and e.amount = m.amount)"),
    ),
    (
        "what was given back of a term was posted",
        sql!("select m.id from membership_terms m
         where (case when m.state = 'refunded' then m.rest else 0 end) <> (
             select coalesce(sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'membership-refund:' || m.id and e.account_id = 'member:' || m.member_id)"),
    ),
    (
        "a term's value is what was paid for it and what was left of those whose place it took",
        sql!("select m.id from membership_terms m where m.state <> 'unpaid' and m.value <> m.amount + (
             select coalesce(sum(o.rest), 0) from membership_terms o
             where o.successor_id = m.id and o.state = 'replaced' and o.member_id = m.member_id)"),
    ),
    (
        "no more of a term is left than was paid for it",
        sql!("select id from membership_terms where rest < 0 or rest > value or amount < 0
             or (state = 'replaced') <> (successor_id is not null)"),
    ),
    (
        "what was given back of what a member paid for its terms is what it got",
        sql!("select member_id from membership_terms group by member_id
         having sum(given_back) <> sum(case when state = 'refunded' then rest else 0 end)
             or min(amount - given_back) < 0 or min(given_back) < 0"),
    ),
    (
        "a term that nobody paid opened nothing",
        sql!("select id from membership_terms where (state = 'unpaid') <> (paid_at is null)
             or (state = 'unpaid') <> (ends_at is null)"),
    ),
    (
        "whoever works for a house no more has no allowance",
        sql!("select s.id from sub_members s join ledger_accounts a on a.id = 'allowance:' || s.id
         where s.removed_at is not null and a.balance <> 0"),
    ),
    (
        "an order that an allowance paid is paid, and its total came from there",
        sql!("select a.order_id from allowance_orders a join orders o on o.id = a.order_id
         where o.paid_at is null or o.total <> a.amount or not exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'allowance-order:' || a.order_id and e.account_id = 'allowance:' || a.sub_member_id
               and e.amount = -a.amount)"),
    ),
    (
        "what was given back of such an order went where it came from",
        sql!("select a.order_id from allowance_orders a join orders o on o.id = a.order_id
         where o.refunded <> (
             select coalesce(-sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key like 'allow-back:' || a.order_id || ':%' and e.account_id = 'member:' || o.member_id)"),
    ),
];

/// Adds a sentence for each term and each member that does not fit.
pub async fn check_money(tx: &mut Tx, faults: &mut Vec<String>) -> Result<(), Error> {
    for (rule, sql) in RULES {
        broken(tx, rule, sql, faults).await?;
    }
    let (kept, posted): (i64, i64) = with_tx!(tx, |conn| sqlx::query_as(
        "select cast(coalesce((select sum(amount - case when state = 'refunded' then rest else 0 end)
                               from membership_terms where state <> 'unpaid'), 0) as bigint),
                cast(coalesce((select balance from ledger_accounts where id = 'memberships'), 0) as bigint)",
    )
    .fetch_one(conn)
    .await)?;
    if kept != posted {
        let kept = Fen(kept);
        faults.push(format!("memberships: not true that it is what the terms come to, {kept}"));
    }
    let wrong: Vec<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select m.id from members m join (
             select member_id, max(ends_at) as until, min(tier) as tier, max(tier) as other
             from membership_terms where state = 'paid' and ends_at > $1 group by member_id) t on t.member_id = m.id
         where m.closed_at is null
           and (m.tier_until is null or m.tier_until <> t.until or m.tier <> t.tier or t.tier <> t.other)",
    )
    .bind(now_ms())
    .fetch_all(conn)
    .await
    })?;
    faults.extend(
        wrong
            .into_iter()
            .map(|member| format!("{member}: not true that its tier and its end are those of its terms")),
    );
    Ok(())
}
