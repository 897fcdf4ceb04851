//! Books balance whatever is posted.

use std::collections::BTreeMap;

use domain::ids::MemberId;
use domain::ledger::{Account, Entry, LedgerError, Posting, PostingKey, Source, balances, check_books};
use domain::money::Fen;
use proptest::prelude::*;

fn member(id: &str) -> MemberId {
    id.parse().expect("an id")
}

fn key(text: &str) -> PostingKey {
    text.parse().expect("a key")
}

fn amounts(posting: &Posting) -> Vec<(String, i64)> {
    posting.entries().iter().map(|entry| (entry.account.to_string(), entry.amount.0)).collect()
}

fn named(entries: &[(&str, i64)]) -> Vec<(String, i64)> {
    entries.iter().map(|(account, amount)| ((*account).to_owned(), *amount)).collect()
}

#[test]
fn money_comes_in_from_clearing_or_opening() {
    let top_up = Posting::top_up(key("top-up:1"), &member("m"), Fen(500)).expect("a posting");
    assert_eq!(amounts(&top_up), named(&[("clearing", -500), ("member:m", 500)]));
    let grant = Posting::opening_grant(key("grant:m"), &member("m"), Fen(500)).expect("a posting");
    assert_eq!(amounts(&grant), named(&[("opening", -500), ("member:m", 500)]));
    assert_eq!(grant.key().as_str(), "grant:m");
}

#[test]
fn an_order_is_paid_in_goods_and_shipping() {
    let pay = |source, goods, shipping| {
        Posting::order_payment(key("order-payment:1"), &member("m"), source, Fen(goods), Fen(shipping))
    };
    assert_eq!(
        amounts(&pay(Source::Balance, 900, 100).expect("a posting")),
        named(&[("member:m", -1000), ("revenue", 900), ("shipping", 100)])
    );
    assert_eq!(
        amounts(&pay(Source::Outside, 900, 0).expect("a posting")),
        named(&[("clearing", -900), ("revenue", 900)])
    );
    assert_eq!(pay(Source::Balance, 0, 0), Err(LedgerError::NotPositive));
    assert_eq!(pay(Source::Balance, -1, 100), Err(LedgerError::NotPositive));
    assert!(matches!(pay(Source::Balance, i64::MAX, 1), Err(LedgerError::Money(_))));
}

#[test]
fn only_balanced_entries_are_a_posting() {
    let entry = |account: Account, amount| Entry { account, amount: Fen(amount) };
    let of = |entries| Posting::new(key("k"), entries);
    assert_eq!(
        of(vec![entry(Account::Revenue, 5), entry(Account::Clearing, -4)]),
        Err(LedgerError::Unbalanced(Fen(1)))
    );
    assert_eq!(of(vec![]), Err(LedgerError::Empty));
    assert_eq!(of(vec![entry(Account::Revenue, 0)]), Err(LedgerError::Empty));
    for amount in [0, -1] {
        let nothing = Posting::top_up(key("k"), &member("m"), Fen(amount));
        assert_eq!(nothing, Err(LedgerError::NotPositive));
    }
}

#[test]
fn a_members_balance_never_falls_below_zero() {
    let own = Account::Member(member("m"));
    let pay = Posting::order_payment(key("p"), &member("m"), Source::Balance, Fen(900), Fen(100));
    let pay = pay.expect("a posting");
    assert_eq!(pay.balance_after(&own, Fen(1000)), Ok(Fen(0)));
    assert_eq!(pay.balance_after(&own, Fen(999)), Err(LedgerError::InsufficientBalance));
    assert_eq!(pay.balance_after(&Account::Revenue, Fen(0)), Ok(Fen(900)));
    let other = Account::Member(member("other"));
    assert_eq!(pay.balance_after(&other, Fen(7)), Ok(Fen(7)));
    let top_up = Posting::top_up(key("t"), &member("m"), Fen(1)).expect("a posting");
    assert_eq!(top_up.balance_after(&Account::Clearing, Fen(0)), Ok(Fen(-1)));
}

#[test]
fn frozen_money_is_the_members_still() {
    let freeze = Posting::freeze(key("f"), &member("m"), Fen(300)).expect("a posting");
    assert_eq!(amounts(&freeze), named(&[("member:m", -300), ("frozen:m", 300)]));
    let back = Posting::unfreeze(key("u"), &member("m"), Fen(300)).expect("a posting");
    let frozen = Account::Frozen(member("m"));
    assert_eq!(back.balance_after(&frozen, Fen(299)), Err(LedgerError::InsufficientBalance));
}

#[test]
fn refunds_and_reversals_give_back() {
    let refund = Posting::refund(key("r"), &member("m"), Source::Balance, Fen(50)).expect("a posting");
    assert_eq!(amounts(&refund), named(&[("refunds", -50), ("member:m", 50)]));
    let pay = Posting::order_payment(key("p"), &member("m"), Source::Balance, Fen(9), Fen(1)).expect("it");
    let undone = pay.reversal(key("p:undone")).expect("a posting");
    let all = balances(pay.entries().iter().chain(undone.entries())).expect("balances");
    assert!(all.values().all(|balance| *balance == Fen::ZERO));
}

#[test]
fn books_that_do_not_hold_are_found() {
    let books = BTreeMap::from([(Account::Revenue, Fen(1))]);
    assert_eq!(check_books(&books), Err(LedgerError::Unbalanced(Fen(1))));
    let books = BTreeMap::from([(Account::Revenue, Fen(1)), (Account::Member(member("m")), Fen(-1))]);
    assert_eq!(check_books(&books), Err(LedgerError::InsufficientBalance));
}

#[test]
fn accounts_and_keys_survive_text() {
    for text in ["member:a_1", "frozen:a_1", "revenue", "shipping", "clearing", "refunds", "opening"] {
        assert_eq!(text.parse::<Account>().expect("an account").to_string(), text);
    }
    for text in ["", "member", "member:", "nobody:a", "revenue:a", "member:a b"] {
        assert!(text.parse::<Account>().is_err(), "{text:?}");
    }
    for text in ["", "a b", "键"] {
        assert!(text.parse::<PostingKey>().is_err(), "{text:?}");
    }
    assert!("k".repeat(101).parse::<PostingKey>().is_err());
}

/// One movement: what, who, how much, and how much of it is shipping.
type Movement = (u8, u8, i64, i64);

fn posting((what, who, amount, part): Movement) -> Result<Posting, LedgerError> {
    let (key, member, amount) = (key("k"), member(&format!("m{who}")), Fen(amount));
    match what {
        0 => Posting::top_up(key, &member, amount),
        1 => Posting::opening_grant(key, &member, amount),
        2 => Posting::order_payment(key, &member, Source::Balance, amount, Fen(part)),
        3 => Posting::order_payment(key, &member, Source::Outside, amount, Fen(part)),
        4 => Posting::refund(key, &member, Source::Balance, amount),
        5 => Posting::freeze(key, &member, amount),
        _ => Posting::unfreeze(key, &member, amount),
    }
}

proptest! {
    /// Movements whose members can pay are booked, the others are not; then the books hold.
    #[test]
    fn books_hold_after_any_movements(
        movements in prop::collection::vec((0u8..7, 0u8..3, -5i64..1000, -5i64..100), 0..60)
    ) {
        let mut books: BTreeMap<Account, Fen> = BTreeMap::new();
        let mut entries: Vec<Entry> = Vec::new();
        for movement in movements {
            let Ok(posting) = posting(movement) else { continue };
            prop_assert_eq!(Fen::sum(posting.entries().iter().map(|entry| entry.amount)), Ok(Fen::ZERO));
            let after: Result<Vec<_>, _> = posting.entries().iter().map(|entry| {
                let before = books.get(&entry.account).copied().unwrap_or_default();
                Ok::<_, LedgerError>((entry.account.clone(), posting.balance_after(&entry.account, before)?))
            }).collect();
            if let Ok(after) = after {
                books.extend(after);
                entries.extend_from_slice(posting.entries());
            }
            prop_assert_eq!(check_books(&books), Ok(()));
        }
        prop_assert_eq!(balances(&entries).expect("balances"), books);
    }
}
