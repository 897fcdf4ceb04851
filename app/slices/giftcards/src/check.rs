//! Gift cards held against the ledger.

use platform::db::{Sql, sql};

/// Each finds what breaks one rule.
pub const BOOKS: &[(&str, Sql)] = &[
    (
        "what is owed for gift cards is what the open ones are worth",
        sql!(
            "select 'gift-cards' where
             (select coalesce(sum(balance), 0) from ledger_accounts where id = 'gift-cards')
             <> (select coalesce(sum(amount), 0) from gift_cards where state = 'open')"
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
        "a gift card is redeemed exactly when that was posted",
        sql!(
            "select c.id from gift_cards c where (c.state = 'redeemed') <> exists (
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
];
