//! Gift cards held against the ledger, and against the orders that they pay.

use base::db::{Sql, sql};

/// Each finds what breaks one rule.
pub const BOOKS: &[(&str, Sql)] = &[
    (
        "what is owed for gift cards is what is left on them",
        sql!(
            "select 'gift-cards' where
             (select coalesce(sum(balance), 0) from ledger_accounts where id = 'gift-cards')
             <> (select coalesce(sum(amount - spent), 0) from gift_cards where state in ('open', 'held'))"
        ),
    ),
    (
        "what is gone of a gift card is what its moves took off it",
        sql!(
            "select c.id from gift_cards c where c.spent < 0 or c.spent > c.amount or c.spent <>
             (select coalesce(-sum(m.amount), 0) from gift_card_moves m where m.card_id = c.id)"
        ),
    ),
    (
        "no more of a gift card is set aside than is left on it",
        sql!(
            "select c.id from gift_cards c join gift_card_uses u on u.card_id = c.id join orders o on o.id = u.order_id
             where o.state = 'unpaid' group by c.id, c.amount, c.spent having sum(u.amount) > c.amount - c.spent"
        ),
    ),
    (
        "what gift cards pay of an order is what it says",
        sql!(
            "select o.id from orders o left join gift_card_uses u on u.order_id = o.id
             where o.paid_at is not null or o.state = 'unpaid'
             group by o.id, o.by_cards, o.back_to_cards
             having coalesce(sum(u.amount), 0) <> o.by_cards or coalesce(sum(u.given_back), 0) <> o.back_to_cards
             union select id from orders where by_cards > total or back_to_cards > by_cards or back_to_cards > refunded"
        ),
    ),
    (
        "a gift card paid what it was put on an order for, once that was paid, and got back what it says",
        sql!(
            "select u.order_id from gift_card_uses u join orders o on o.id = u.order_id
             where (select coalesce(sum(m.amount), 0) from gift_card_moves m
                    where m.card_id = u.card_id and m.order_id = u.order_id)
                   <> case when o.paid_at is null then 0 else u.given_back - u.amount end"
        ),
    ),
    (
        "what gift cards paid of an order was posted",
        sql!(
            "select p.order_id from (select order_id, sum(amount) as amount from gift_card_moves where kind = 'payment'
                                     group by order_id) p
             where not exists (
                 select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
                 where t.posting_key = 'gift-card-payment:' || p.order_id
                   and e.account_id = 'gift-cards' and e.amount = p.amount)"
        ),
    ),
    (
        "what went back to gift cards was posted",
        sql!(
            "select r.order_id from (select order_id, refund_key, sum(amount) as amount from gift_card_moves
                                     where kind = 'return' group by order_id, refund_key) r
             where not exists (
                 select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
                 where t.posting_key = 'card-back:' || r.order_id || ':' || r.refund_key
                   and e.account_id = 'gift-cards' and e.amount = r.amount)"
        ),
    ),
    (
        "what a gift card put into its holder's balance was posted",
        sql!(
            "select m.card_id from gift_card_moves m join gift_cards c on c.id = m.card_id
             where m.kind = 'redemption' and not exists (
                 select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
                 where t.posting_key = 'gift-card-redemption:' || c.id || case when m.number = 1 then '' else ':' || m.number end
                   and e.account_id = 'member:' || c.holder_id and e.amount = -m.amount)"
        ),
    ),
    (
        "a gift card is paid exactly when that was posted",
        sql!(
            "select c.id from gift_cards c where (c.state <> 'unpaid') <> exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'gift-card-sale:' || c.id
               and e.account_id = 'member:' || c.buyer_id and e.amount = -c.amount)"
        ),
    ),
    (
        "a gift card that went into a balance as a whole did so",
        sql!(
            "select c.id from gift_cards c where c.state = 'redeemed' and not exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'gift-card-redemption:' || c.id
               and e.account_id = 'member:' || c.redeemed_by and e.amount = c.amount)"
        ),
    ),
    (
        "a gift card went back exactly when that was posted",
        sql!(
            "select c.id from gift_cards c where (c.state = 'refunded') <> exists (
             select 1 from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where t.posting_key = 'gift-card-refund:' || c.id
               and e.account_id = 'member:' || c.buyer_id and e.amount = c.amount)"
        ),
    ),
    (
        "every posting for gift cards has its card or its order",
        sql!(
            "select t.posting_key from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
             where e.account_id = 'gift-cards'
               and not exists (select 1 from gift_cards c where t.posting_key in
                   ('gift-card-sale:' || c.id, 'gift-card-refund:' || c.id))
               and not exists (select 1 from gift_card_moves m where t.posting_key in
                   ('gift-card-redemption:' || m.card_id, 'gift-card-redemption:' || m.card_id || ':' || m.number,
                    'gift-card-payment:' || m.order_id, 'card-back:' || m.order_id || ':' || m.refund_key))
               and not exists (select 1 from gift_cards c where c.state = 'redeemed'
                   and t.posting_key = 'gift-card-redemption:' || c.id)"
        ),
    ),
];
