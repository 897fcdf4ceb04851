//! Orders held against the ledger.

use base::db::{Sql, sql};

/// Each finds orders that break one rule. `order-cancellation:` is how refunds of cancellations were keyed first.
pub const BOOKS: &[(&str, Sql)] = &[
    (
        "it is paid exactly when its total was posted",
        sql!("select o.id from orders o where (o.paid_at is not null) <> exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'order-payment:' || o.id
               and e.account_id = 'member:' || o.member_id and e.amount = -o.total)"),
    ),
    (
        "its state says whether it was paid",
        sql!("select id from orders where (state = 'unpaid' and paid_at is not null)
             or (state not in ('unpaid', 'cancelled') and paid_at is null)"),
    ),
    (
        "what was given back is the sum of its refunds, and no more than was paid",
        sql!("select o.id from orders o where o.refunded > o.total or o.refunded > 0 and o.paid_at is null
             or o.refunded <> (select coalesce(sum(r.amount), 0) from order_refunds r where r.order_id = o.id)
             or o.paid_at is not null and o.state in ('cancelled', 'refunded') and o.refunded <> o.total"),
    ),
    (
        "no more of its copies were refunded than there are, for no more than the refund",
        sql!("select r.order_id from refunded_copies r left join order_lines l
                 on l.order_id = r.order_id and l.position = r.line
             where r.line > 0 group by r.order_id, r.line, l.quantity
             having l.quantity is null or sum(r.copies) > l.quantity or sum(r.unmade) > sum(r.copies)
             union select o.order_id from order_refunds o
             where o.amount < (select coalesce(sum(r.amount), 0) from refunded_copies r
                               where r.order_id = o.order_id and r.refund_key = o.refund_key)"),
    ),
    (
        "what a coupon took off it is what its lines bear",
        sql!("select o.id from orders o where (o.coupon_id is null) <> (o.discount = 0) or o.discount <>
             (select coalesce(sum(l.discount), 0) from order_lines l where l.order_id = o.id)"),
    ),
    (
        "each of its refunds was posted",
        sql!("select o.id from orders o join order_refunds r on r.order_id = o.id where not exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key in
                   ('order-refund:' || o.id || ':' || r.refund_key, 'order-cancellation:' || o.id)
               and e.account_id = 'member:' || o.member_id and e.amount = r.amount)"),
    ),
    (
        "every posting for an order has its order and its refund",
        sql!("select t.posting_key from ledger_transactions t
         where t.posting_key like 'order-payment:%'
               and not exists (select 1 from orders o where t.posting_key = 'order-payment:' || o.id)
            or t.posting_key like 'order-refund:%'
               and not exists (select 1 from order_refunds r
                               where t.posting_key = 'order-refund:' || r.order_id || ':' || r.refund_key)"),
    ),
    (
        "what waits for a maker is what its orders say",
        sql!("select a.id from ledger_accounts a where a.id like 'royalty:%' and a.balance <> (
             select coalesce(sum(o.markup_held), 0) from orders o where 'royalty:' || o.maker_id = a.id)"),
    ),
    (
        "what its maker has of it was posted",
        sql!("select o.id from orders o where o.maker_id is not null and o.markup_earned <> (
             select coalesce(sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'order-markup:' || o.id and e.account_id = 'income:' || o.maker_id)"),
    ),
];
