//! Whether payments and what was sent back of them fit the ledger (`bindery ledger check`).

use base::db::{Sql, sql};

/// Each finds what breaks one rule; the first column names it.
pub const BOOKS: &[(&str, Sql)] = &[
    (
        "a payment is paid exactly when its amount was credited to its member",
        sql!("select p.id from payments p
         where (p.state = 'paid') <> exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'payment:' || p.id and e.account_id = 'member:' || p.member_id
                   and e.amount = p.amount)"),
    ),
    (
        "an order that a payment paid was paid once, and is that payment's",
        sql!("select p.id from payments p
         where p.paid_order = 1 and p.bill_id is null and (p.state <> 'paid' or not exists (
             select 1 from ledger_transactions t where t.posting_key = 'order-payment:' || p.order_id)
             or exists (select 1 from payments o where o.order_id = p.order_id and o.paid_order = 1 and o.id <> p.id))"),
    ),
    (
        "no more of a payment is sent back than was paid",
        sql!("select p.id from payments p join payment_refunds r on r.payment_id = p.id and r.state <> 'failed'
         group by p.id, p.amount, p.state having sum(r.amount) > p.amount or p.state <> 'paid'"),
    ),
    (
        "money sent back was set aside, and left or returned as its state says",
        sql!("select r.id from payment_refunds r
         where not exists (select 1 from ledger_transactions t
                           where t.posting_key = 'payment-refund:' || r.id || ':frozen')
            or (r.state = 'done') <> exists (select 1 from ledger_transactions t
                                             where t.posting_key = 'payment-refund:' || r.id || ':sent')
            or (r.state = 'failed') <> exists (select 1 from ledger_transactions t
                                               where t.posting_key = 'payment-refund:' || r.id || ':back')"),
    ),
];
