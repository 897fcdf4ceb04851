//! One gift, many hands; changes to a longer term and trials; and all of it in any order held against the books.

use std::time::Instant;

use base::db::{new_id, now_ms, with_write};
use domain::contact::Contact;
use domain::days::DAY_MS;
use domain::gift::Way;
use domain::ids::{MemberId, PackageId, SaleId};
use domain::ledger::Account;
use domain::money::Fen;
use domain::package::{Term, Until};
use domain::redeem_code::RedeemCode;
use domain::sale::SaleState;
use domain::trial::NotTried;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use web::app::App;
use web::session::Member;

use super::selling::{
    AT_ONCE, LONG, at_once, books_hold, buy, codes, grant, package, package_of, signed_in, work,
};
use crate::testing;
use selling::entitled;
use selling::gifts::{self, Words};
use selling::redeem::{NotRedeemed, redeem};
use selling::refunds::{self, Kept};
use selling::sales::{self, NotSold};
use selling::store::{Subject, gifts as given, packages as rows, sales as sold};
use selling::{switching, trials};

on_both_engines!(
    one_gift_is_taken_by_one,
    a_gift_is_owed_until_somebody_takes_it,
    a_gift_holds_what_was_paid_for,
    a_gift_that_was_taken_keeps_its_turn,
    a_gift_is_what_was_typed_last,
    taken_or_taken_back_and_never_both,
    a_change_counts_what_is_not_used,
    a_change_that_was_confirmed_holds_its_price,
    a_change_is_made_once,
    a_change_is_what_was_shown,
    a_change_lasts_longer_than_what_it_counts,
    gifts_go_back_before_what_was_paid_out,
    a_mailbox_gets_a_few_gifts_a_day,
    what_is_wrong_with_a_taken_gift_is_found,
    a_trial_is_once_for_a_reader,
    giving_and_changing_leave_books_that_hold,
);

fn card() -> Words {
    Words {
        way: Way::Card,
        address: None,
        receiver: "爷爷".into(),
        giver: "小雨".into(),
        words: "慢慢看".into(),
        send_at: None,
    }
}

async fn wanted(app: &App, package: &PackageId) -> sales::Wanted {
    let package = rows::find(&app.db, package).await.unwrap();
    sales::Wanted {
        subject: Subject::Package(package.id),
        title: format!("《{}》", package.title),
        seller: package.seller,
        term: package.term,
        amount: package.price,
    }
}

/// A gift that is paid: its sale and its code.
async fn give(app: &App, giver: &MemberId, package: &PackageId, now: i64) -> (SaleId, RedeemCode) {
    let (shown, wanted): (String, _) = (new_id(), wanted(app, package).await);
    let giver = signed_in(giver);
    let sale = gifts::order(app, &giver, &shown, wanted.clone(), card(), now).await.unwrap();
    let again = gifts::order(app, &giver, &shown, wanted, card(), now).await.unwrap();
    assert_eq!(again, sale, "pressed twice, begun once");
    sales::pay_from_balance(app, &sale, &giver.id, now).await.unwrap();
    let mut tx = app.db.begin_snapshot().await.unwrap();
    let gift = given::find(&mut tx, &sale).await.unwrap();
    (sale, gifts::code(app, &gift).unwrap())
}

async fn on(app: &App, account: Account) -> Fen {
    let mut tx = app.db.begin_snapshot().await.unwrap();
    ledger::balance_of(&mut tx, &account).await.unwrap()
}

async fn find(app: &App, id: &SaleId, seller: &MemberId) -> sold::Sale {
    sold::find_for_seller(&app.db, id, seller).await.unwrap()
}

async fn reads(app: &App, reader: &MemberId, item: &str, now: i64) -> Option<Until> {
    entitled(&app.db, reader, "work", item, now).await.unwrap()
}

async fn one_gift_is_taken_by_one(app: App) {
    let (seller, giver) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &giver, 100_000).await;
    let mut readers = Vec::new();
    for _ in 0..AT_ONCE {
        readers.push(testing::member(&app).await);
    }
    for round in 0..3 {
        let (sale, code) = give(&app, &giver, &package, now_ms()).await;
        let outcomes = at_once(|index| {
            let (app, reader) = (app.clone(), readers[index].clone());
            async move { redeem(&app, &reader, &code, now_ms()).await }
        })
        .await;
        let opened = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let refused = outcomes.iter().filter(|outcome| matches!(outcome, Err(NotRedeemed::Refused))).count();
        assert_eq!((opened, refused), (1, AT_ONCE - 1), "round {round}");
        let sale = find(&app, &sale, &seller).await;
        assert_eq!((sale.state, sale.span.is_some()), (SaleState::Paid, true));
    }
    books_hold(&app).await;
}

async fn a_gift_is_owed_until_somebody_takes_it(app: App) {
    let (seller, giver, reader) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &giver, 10_000).await;
    let start = now_ms() - 400 * DAY_MS;
    let (sale, code) = give(&app, &giver, &package, start).await;
    let unearned = Account::Unearned(seller.clone());
    assert_eq!(
        (on(&app, unearned.clone()).await, testing::balance(&app, &giver).await),
        (Fen(3_000), Fen(7_000))
    );
    // a year later nothing of it is earned, and its giver reads nothing
    let taken = start + 365 * DAY_MS;
    sales::earn(&app, &sale, taken).await.unwrap();
    assert_eq!(on(&app, unearned.clone()).await, Fen(3_000));
    assert_eq!(reads(&app, &giver, "one", taken).await, None);
    books_hold(&app).await;
    redeem(&app, &reader, &code, taken).await.unwrap();
    let until = Some(Until::At(taken + 30 * DAY_MS));
    assert_eq!(reads(&app, &reader, "one", taken).await, until);
    sales::earn(&app, &sale, taken + 10 * DAY_MS).await.unwrap();
    assert_eq!(on(&app, unearned.clone()).await, Fen(2_000));
    assert_eq!(on(&app, Account::Income(seller.clone())).await, Fen(900), "a tenth is the house's");
    books_hold(&app).await;
    // the rest goes back to who paid it, and its reader reads no more
    let sale = find(&app, &sale, &seller).await;
    assert_eq!(refunds::refund(&app, &sale, taken + 10 * DAY_MS).await.unwrap(), Fen(2_000));
    assert_eq!(testing::balance(&app, &giver).await, Fen(9_000));
    assert_eq!(reads(&app, &reader, "one", taken + 10 * DAY_MS).await, None);
    books_hold(&app).await;
    // its own giver may take one, and what is for ever is not taken by who has it
    let ever = package_of(&app, &seller, &[work("one")], Term::Forever, 1_000).await;
    let (_, code) = give(&app, &giver, &ever, taken).await;
    redeem(&app, &giver, &code, taken).await.unwrap();
    assert_eq!(reads(&app, &giver, "one", taken).await, Some(Until::Forever));
    let (_, code) = give(&app, &giver, &ever, taken).await;
    assert!(matches!(redeem(&app, &giver, &code, taken).await, Err(NotRedeemed::ForEver(_))));
    redeem(&app, &reader, &code, taken).await.unwrap();
    assert_eq!(reads(&app, &reader, "one", taken).await, Some(Until::Forever));
    assert!(matches!(
        gifts::order(&app, &signed_in(&seller), "x", wanted(&app, &ever).await, card(), taken).await,
        Err(NotSold::Own)
    ));
    books_hold(&app).await;
}

async fn a_gift_holds_what_was_paid_for(app: App) {
    let (seller, giver, reader) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &giver, 10_000).await;
    let now = now_ms();
    let (sale, code) = give(&app, &giver, &package, now).await;
    let mut tx = app.db.begin().await.unwrap();
    rows::set_contents(&mut tx, &package, &[work("three")], now + 1).await.unwrap();
    tx.commit().await.unwrap();
    redeem(&app, &reader, &code, now + DAY_MS).await.unwrap();
    let until = Some(Until::At(now + 31 * DAY_MS));
    for item in ["one", "two", "three"] {
        assert_eq!(reads(&app, &reader, item, now + DAY_MS).await, until, "{item}");
    }
    // who took it has gone: the rest goes to who paid
    with_write!(&app.db, |pool| sqlx::query("update members set closed_at = 1 where id = $1")
        .bind(reader.as_str())
        .execute(pool)
        .await
        .map(drop))
    .unwrap();
    let sale = find(&app, &sale, &seller).await;
    assert_eq!(refunds::refund(&app, &sale, now + 11 * DAY_MS).await.unwrap(), Fen(2_000));
    books_hold(&app).await;
}

async fn a_gift_is_what_was_typed_last(app: App) {
    let (seller, giver) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &giver, 10_000).await;
    let now = now_ms();
    let order = async |email: &str| {
        let words = Words { way: Way::Mail, address: Contact::read(email), ..card() };
        gifts::order(&app, &signed_in(&giver), "form", wanted(&app, &package).await, words, now).await
    };
    let sale = order("wrong@example.com").await.unwrap();
    assert_eq!(order("right@example.com").await.unwrap(), sale, "one gift");
    sales::pay_from_balance(&app, &sale, &giver, now).await.unwrap();
    let mut tx = app.db.begin_snapshot().await.unwrap();
    assert_eq!(given::find(&mut tx, &sale).await.unwrap().address, "right@example.com");
    drop(tx);
    assert_eq!(order("right@example.com").await.unwrap(), sale, "pressed once more");
    assert!(matches!(order("wrong@example.com").await, Err(NotSold::Given)));
    assert_eq!(testing::balance(&app, &giver).await, Fen(7_000));
}

/// A gift that was paid before something and taken after it follows it, whatever goes back.
async fn a_gift_that_was_taken_keeps_its_turn(app: App) {
    let (seller, giver, reader) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let other = package_of(&app, &seller, &[work("three")], Term::Days(30), 3_000).await;
    for member in [&giver, &reader] {
        grant(&app, member, 100_000).await;
    }
    let start = now_ms() - 40 * DAY_MS;
    let (gift, code) = give(&app, &giver, &month, start).await;
    let first = buy(&app, &reader, &month, start + DAY_MS).await;
    redeem(&app, &reader, &code, start + 2 * DAY_MS).await.unwrap();
    let unrelated = buy(&app, &reader, &other, start + 2 * DAY_MS).await;
    let spans = async || {
        (find(&app, &first, &seller).await.span.unwrap(), find(&app, &gift, &seller).await.span.unwrap())
    };
    let before = spans().await;
    assert_eq!(before.1.from, before.0.until.unwrap(), "it follows");
    let unrelated = find(&app, &unrelated, &seller).await;
    refunds::refund(&app, &unrelated, start + 3 * DAY_MS).await.unwrap();
    assert_eq!(spans().await, before);
    let until = Some(Until::At(start + 61 * DAY_MS));
    assert_eq!(reads(&app, &reader, "one", start + 3 * DAY_MS).await, until);
    books_hold(&app).await;
}

async fn taken_or_taken_back_and_never_both(app: App) {
    let (seller, giver, reader) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(1), 1_000).await;
    grant(&app, &giver, 1_000_000).await;
    for round in 0..4 {
        let before = testing::balance(&app, &giver).await;
        let (sale, code) = give(&app, &giver, &package, now_ms()).await;
        let outcomes = at_once(|index| {
            let (app, reader, giver, sale) = (app.clone(), reader.clone(), giver.clone(), sale.clone());
            async move {
                match index % 2 {
                    0 => redeem(&app, &reader, &code, now_ms()).await.is_ok(),
                    _ => gifts::take_back(&app, &sale, &giver, now_ms()).await.is_ok(),
                }
            }
        })
        .await;
        let taken = outcomes.iter().step_by(2).filter(|done| **done).count();
        let sale = find(&app, &sale, &seller).await;
        let back = testing::balance(&app, &giver).await == before;
        assert_eq!(
            (taken == 1, sale.state),
            (!back, if back { SaleState::Refunded } else { SaleState::Paid })
        );
        assert!(taken <= 1, "round {round}");
        if back {
            assert!(matches!(redeem(&app, &reader, &code, now_ms()).await, Err(NotRedeemed::Refused)));
            gifts::take_back(&app, &sale.id, &giver, now_ms()).await.unwrap();
            assert_eq!(testing::balance(&app, &giver).await, before, "once");
        } else {
            let refused = gifts::take_back(&app, &sale.id, &giver, now_ms()).await;
            assert!(matches!(refused, Err(Kept::Taken)));
        }
        assert!(gifts::take_back(&app, &sale.id, &reader, now_ms()).await.is_err(), "another's");
    }
    books_hold(&app).await;
}

async fn change(app: &App, reader: &MemberId, to: &PackageId, due: i64, now: i64) -> Result<SaleId, NotSold> {
    let shown = shown(app, reader, to, now).await.filter(|(known, _)| *known == Fen(due));
    confirm(app, reader, to, &shown.map(|(_, shown)| shown).unwrap_or_default(), now).await
}

async fn confirm(
    app: &App,
    reader: &MemberId,
    to: &PackageId,
    shown: &str,
    now: i64,
) -> Result<SaleId, NotSold> {
    let package = rows::find(&app.db, to).await.unwrap();
    switching::order(app, &signed_in(reader), package, shown, now).await
}

/// What is to be paid for changing to a package, and what its form sends.
async fn shown(app: &App, reader: &MemberId, to: &PackageId, now: i64) -> Option<(Fen, String)> {
    let package = rows::find(&app.db, to).await.unwrap();
    let mut tx = app.db.begin_snapshot().await.unwrap();
    let change = switching::offered(&mut tx, reader, &package, now).await.unwrap()?;
    Some((change.quote.due, change.shown()))
}

/// What changing to a package would cost, with what is counted.
async fn quoted(app: &App, reader: &MemberId, to: &PackageId, now: i64) -> Option<(Fen, Fen)> {
    let package = rows::find(&app.db, to).await.unwrap();
    let mut tx = app.db.begin_snapshot().await.unwrap();
    let change = switching::offered(&mut tx, reader, &package, now).await.unwrap()?;
    Some((change.quote.due, change.quote.credit))
}

async fn a_change_counts_what_is_not_used(app: App) {
    let (seller, other, reader) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let year = package(&app, &seller, Term::Days(365), 20_000).await;
    let part = package_of(&app, &seller, &[work("one")], Term::Days(365), 8_000).await;
    let others = package(&app, &other, Term::Days(365), 20_000).await;
    grant(&app, &reader, 100_000).await;
    let start = now_ms() - 40 * DAY_MS;
    assert_eq!(quoted(&app, &reader, &year, start).await, None, "nothing runs");
    let first = buy(&app, &reader, &month, start).await;
    let second = buy(&app, &reader, &month, start).await;
    let code = codes(&app, &seller, &month, 1).await[0];
    redeem(&app, &reader, &code, start).await.unwrap();
    let now = start + 10 * DAY_MS + 5;
    // twenty days of the first and all of the second
    assert_eq!(quoted(&app, &reader, &year, now).await, Some((Fen(15_000), Fen(5_000))));
    for not in [&month, &part, &others] {
        assert_eq!(quoted(&app, &reader, not, now).await, None, "no longer, less, or another's");
    }
    assert!(matches!(change(&app, &reader, &year, 14_999, now).await, Err(NotSold::Changed)));
    let sale = change(&app, &reader, &year, 15_000, now).await.unwrap();
    assert_eq!(testing::balance(&app, &reader).await, Fen(94_000), "nothing yet");
    sales::pay_from_balance(&app, &sale, &reader, now).await.unwrap();
    assert_eq!(testing::balance(&app, &reader).await, Fen(79_000));
    let new = find(&app, &sale, &seller).await;
    assert_eq!((new.amount, new.credit, new.state), (Fen(20_000), Fen(5_000), SaleState::Paid));
    for (old, rest) in [(&first, 2_000), (&second, 3_000)] {
        let old = find(&app, old, &seller).await;
        assert_eq!(
            (old.state, old.refunded, old.replaced_by),
            (SaleState::Refunded, Fen(rest), Some(sale.clone()))
        );
    }
    // the code's thirty days are still there: they begin now, and the year after them
    let until = Some(Until::At(now + 395 * DAY_MS));
    assert_eq!(
        (reads(&app, &reader, "one", now).await, reads(&app, &reader, "two", now).await),
        (until, until)
    );
    assert_eq!(quoted(&app, &reader, &year, now).await, None, "once");
    books_hold(&app).await;
    // what is given back of the new one is what was counted and paid
    assert_eq!(refunds::refund(&app, &new, now).await.unwrap(), Fen(20_000));
    assert_eq!(testing::balance(&app, &reader).await, Fen(99_000), "ten days were read");
    books_hold(&app).await;
}

async fn a_change_that_was_confirmed_holds_its_price(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let year = package(&app, &seller, Term::Days(365), 20_000).await;
    let cheap = package(&app, &seller, Term::Days(60), 1_000).await;
    grant(&app, &reader, 100_000).await;
    let start = now_ms() - 40 * DAY_MS;
    let old = buy(&app, &reader, &month, start).await;
    let sale = change(&app, &reader, &year, 17_000, start).await.unwrap();
    // three days are read before it is paid: they stay the seller's, and what was shown is paid
    let now = start + 3 * DAY_MS;
    sales::pay_from_balance(&app, &sale, &reader, now).await.unwrap();
    assert_eq!(testing::balance(&app, &reader).await, Fen(80_000));
    let new = find(&app, &sale, &seller).await;
    assert_eq!((new.amount, new.credit), (Fen(19_700), Fen(2_700)));
    assert_eq!(find(&app, &old, &seller).await.earned, Fen(300));
    books_hold(&app).await;
    // what was confirmed and is another thing now is not paid
    let other = testing::member(&app).await;
    grant(&app, &other, 100_000).await;
    let old = buy(&app, &other, &month, start).await;
    let sale = change(&app, &other, &year, 17_000, start).await.unwrap();
    let late = sales::pay_from_balance(&app, &sale, &other, start + 7 * DAY_MS).await;
    assert!(matches!(late, Err(NotSold::Changed)), "a week is over");
    refunds::refund(&app, &find(&app, &old, &seller).await, now).await.unwrap();
    let gone = sales::pay_from_balance(&app, &sale, &other, now).await;
    assert!(matches!(gone, Err(NotSold::Changed)), "it was given back");
    assert_eq!(testing::balance(&app, &other).await, Fen(99_700));
    books_hold(&app).await;
    // a credit above the price: nothing is due, it runs at once, and the rest is in the balance
    let third = testing::member(&app).await;
    grant(&app, &third, 10_000).await;
    buy(&app, &third, &month, start).await;
    assert_eq!(quoted(&app, &third, &cheap, start + DAY_MS).await, Some((Fen::ZERO, Fen(2_900))));
    let sale = change(&app, &third, &cheap, 0, start + DAY_MS).await.unwrap();
    assert_eq!(find(&app, &sale, &seller).await.state, SaleState::Paid);
    assert_eq!(testing::balance(&app, &third).await, Fen(8_900));
    assert_eq!(confirm(&app, &third, &cheap, "x", start + DAY_MS).await.unwrap(), sale, "pressed once more");
    books_hold(&app).await;
}

/// Also where nothing is to be paid, nothing is done but what was shown.
async fn a_change_is_what_was_shown(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let cheap = package(&app, &seller, Term::Days(60), 1_000).await;
    grant(&app, &reader, 100_000).await;
    let now = now_ms();
    let old = buy(&app, &reader, &month, now).await;
    let (due, before) = shown(&app, &reader, &cheap, now).await.unwrap();
    assert_eq!(due, Fen::ZERO);
    let refused = async |at: i64| {
        let refused = confirm(&app, &reader, &cheap, &before, at).await;
        assert!(matches!(refused, Err(NotSold::Changed)), "{refused:?}");
    };
    refused(now + 3 * DAY_MS).await;
    for changed in ["price = 1100", "price = 1000, term_count = 61"] {
        let sql = format!("update packages set {changed} where id = $1");
        with_write!(&app.db, |pool| sqlx::query(sqlx::AssertSqlSafe(sql.as_str()))
            .bind(cheap.as_str())
            .execute(pool)
            .await
            .map(drop))
        .unwrap();
        refused(now).await;
    }
    assert_eq!(find(&app, &old, &seller).await.state, SaleState::Paid);
    let (_, current) = shown(&app, &reader, &cheap, now).await.unwrap();
    confirm(&app, &reader, &cheap, &current, now).await.unwrap();
    assert_eq!(reads(&app, &reader, "one", now).await, Some(Until::At(now + 61 * DAY_MS)));
    books_hold(&app).await;
}

/// What would end before all that is counted is no longer term, and what others follow begins behind them.
async fn a_change_lasts_longer_than_what_it_counts(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let longer = package(&app, &seller, Term::Days(60), 5_000).await;
    grant(&app, &reader, 100_000).await;
    let now = now_ms();
    buy(&app, &reader, &month, now).await;
    assert!(shown(&app, &reader, &longer, now).await.is_some());
    buy(&app, &reader, &month, now).await;
    assert_eq!(shown(&app, &reader, &longer, now).await, None, "sixty days are there already");
    let code = codes(&app, &seller, &month, 1).await[0];
    redeem(&app, &reader, &code, now).await.unwrap();
    let package = rows::find(&app.db, &longer).await.unwrap();
    let mut tx = app.db.begin_snapshot().await.unwrap();
    let change = switching::offered(&mut tx, &reader, &package, now).await.unwrap().unwrap();
    assert_eq!((change.span.from, change.span.until), (now + 30 * DAY_MS, Some(now + 90 * DAY_MS)));
    assert_eq!(change.old_end, Some(now + 60 * DAY_MS));
    drop(tx);
    let sale = change_now(&app, &reader, &longer, now).await;
    assert_eq!(find(&app, &sale, &seller).await.span.unwrap(), change.span, "as it was shown");
    books_hold(&app).await;
}

async fn change_now(app: &App, reader: &MemberId, to: &PackageId, now: i64) -> SaleId {
    let (_, shown) = shown(app, reader, to, now).await.unwrap();
    let sale = confirm(app, reader, to, &shown, now).await.unwrap();
    sales::pay_from_balance(app, &sale, reader, now).await.unwrap();
    sale
}

/// A seller that was paid out gives back what it can, gifts that nobody has taken first.
async fn gifts_go_back_before_what_was_paid_out(app: App) {
    let (seller, buyer, giver) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let wanted = || sales::Wanted {
        subject: Subject::Item { kind: "work".into(), id: "one".into() },
        title: "《一本书》".into(),
        seller: seller.clone(),
        term: Term::Forever,
        amount: Fen(1_000),
    };
    for member in [&buyer, &giver] {
        grant(&app, member, 10_000).await;
    }
    let now = now_ms();
    let bought = sales::order(&app, &signed_in(&buyer), wanted(), now).await.unwrap();
    sales::pay_from_balance(&app, &bought, &buyer, now).await.unwrap();
    let gift = gifts::order(&app, &signed_in(&giver), "gift", wanted(), card(), now).await.unwrap();
    sales::pay_from_balance(&app, &gift, &giver, now).await.unwrap();
    assert_eq!(selling::store::gifts::count_open(&app.db, "work", "one").await.unwrap(), 1);
    // its income is gone
    let income = on(&app, Account::Income(seller.clone())).await;
    let key = "payout-of-a-test".parse().unwrap();
    let posting = domain::ledger::Posting::payout(key, &seller, income).unwrap();
    let mut tx = app.db.begin().await.unwrap();
    ledger::post(&mut tx, &posting, "结算", now).await.unwrap();
    tx.commit().await.unwrap();
    // one at a time, as where each takes as long as a job may
    let (mut after, mut slices) = (None, 0);
    while slices == 0 || after.is_some() {
        let all = (&seller, "work", "one");
        after = refunds::refund_some(&app, all, after, now, Instant::now()).await.unwrap();
        slices += 1;
    }
    assert_eq!(slices, 2);
    assert_eq!(find(&app, &gift, &seller).await.state, SaleState::Refunded);
    assert_eq!(find(&app, &bought, &seller).await.state, SaleState::Paid, "until it has income again");
    assert_eq!(testing::balance(&app, &giver).await, Fen(10_000));
    assert_eq!(selling::store::gifts::count_open(&app.db, "work", "one").await.unwrap(), 0);
}

/// A mailbox is one however it is written, and what is too much for today waits.
async fn a_mailbox_gets_a_few_gifts_a_day(app: App) {
    let (seller, giver) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 1_000).await;
    grant(&app, &giver, 10_000).await;
    let now = now_ms();
    let mut sent = Vec::new();
    for number in 0..6 {
        let words =
            Words { way: Way::Mail, address: Contact::read(&format!("a.b+{number}@gmail.com")), ..card() };
        let form = format!("form {number}");
        let wanted = wanted(&app, &package).await;
        let sale = gifts::order(&app, &signed_in(&giver), &form, wanted, words, now).await.unwrap();
        sales::pay_from_balance(&app, &sale, &giver, now).await.unwrap();
        gifts::send_first(&app, &sale, now).await.unwrap();
        let mut tx = app.db.begin_snapshot().await.unwrap();
        sent.push(given::find(&mut tx, &sale).await.unwrap().sent);
    }
    assert_eq!(sent, [1, 1, 1, 1, 1, 0]);
}

async fn what_is_wrong_with_a_taken_gift_is_found(app: App) {
    let (seller, giver, reader) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &giver, 10_000).await;
    let now = now_ms();
    let (sale, code) = give(&app, &giver, &package, now).await;
    redeem(&app, &reader, &code, now).await.unwrap();
    buy(&app, &giver, &package, now).await;
    books_hold(&app).await;
    let faults = async |sql: &'static str, id: &str| {
        with_write!(&app.db, |pool| sqlx::query(sql).bind(id).execute(pool).await.map(drop)).unwrap();
        ledger::check::check(&app).await.unwrap().faults
    };
    let found = faults(
        "update entitlements set member_id = (select buyer_id from sales where id = $1) where source_id = $1",
        sale.as_str(),
    )
    .await;
    assert!(found.iter().any(|fault| fault.contains("its taker's")), "{found:?}");
    assert!(found.iter().any(|fault| fault.contains("follow one another")), "{found:?}");
    let found = faults("delete from entitlements where source_id = $1", sale.as_str()).await;
    assert!(found.iter().any(|fault| fault.contains("its taker's")), "{found:?}");
}

async fn a_change_is_made_once(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let year = package(&app, &seller, Term::Days(365), 20_000).await;
    grant(&app, &reader, 100_000).await;
    let now = now_ms();
    buy(&app, &reader, &month, now).await;
    let orders = at_once(|_| {
        let (app, reader, year) = (app.clone(), reader.clone(), year.clone());
        async move { change(&app, &reader, &year, 17_000, now).await.unwrap() }
    })
    .await;
    assert!(orders.iter().all(|sale| *sale == orders[0]), "pressed often, begun once");
    at_once(|_| {
        let (app, reader, sale) = (app.clone(), reader.clone(), orders[0].clone());
        async move { sales::pay_from_balance(&app, &sale, &reader, now).await.unwrap() }
    })
    .await;
    assert_eq!(testing::balance(&app, &reader).await, Fen(80_000));
    assert_eq!(reads(&app, &reader, "one", now).await, Some(Until::At(now + 365 * DAY_MS)));
    books_hold(&app).await;
}

async fn a_trial_is_once_for_a_reader(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let id = package(&app, &seller, Term::Days(30), 3_000).await;
    let plain = package(&app, &seller, Term::Days(30), 3_000).await;
    with_write!(&app.db, |pool| sqlx::query("update packages set trial_days = 7 where id = $1")
        .bind(id.as_str())
        .execute(pool)
        .await
        .map(drop))
    .unwrap();
    let (tried, plain) =
        (rows::find(&app.db, &id).await.unwrap(), rows::find(&app.db, &plain).await.unwrap());
    let with = |id: &MemberId, email: &str| Member { email: Some(email.to_owned()), ..signed_in(id) };
    let now = now_ms();
    let first = with(&reader, "reader@example.com");
    assert_eq!(trials::begin(&app, &first, &plain, now).await.unwrap(), Err(NotTried::None));
    assert_eq!(trials::begin(&app, &signed_in(&seller), &tried, now).await.unwrap(), Err(NotTried::Own));
    let outcomes = at_once(|_| {
        let (app, reader, tried) = (app.clone(), first.clone(), tried.clone());
        async move { trials::begin(&app, &reader, &tried, now).await.unwrap() }
    })
    .await;
    let until = now + 7 * DAY_MS;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Ok(until)).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Err(NotTried::Before)).count(), AT_ONCE - 1);
    assert_eq!(reads(&app, &reader, "one", now).await, Some(Until::At(until)));
    assert_eq!(reads(&app, &reader, "one", until).await, None, "it ends by itself");
    // what came out within it is not read afterwards, as what came out within a bought time is
    assert!(!selling::was_entitled(&app.db, &reader, "work", "one", now).await.unwrap());
    for (at, runs) in [(now, true), (until, false)] {
        let opened = selling::opened(&app.db, &reader, at).await.unwrap();
        assert!(opened.iter().all(|thing| thing.runs == runs && thing.bought.is_empty()), "{opened:?}");
    }
    // another account with the same mailbox
    let again = with(&testing::member(&app).await, "reader+again@example.com");
    assert_eq!(trials::begin(&app, &again, &tried, until).await.unwrap(), Err(NotTried::Before));
    // whoever has bought it before
    let buyer = testing::member(&app).await;
    grant(&app, &buyer, 10_000).await;
    buy(&app, &buyer, &plain.id, now).await;
    assert_eq!(trials::begin(&app, &signed_in(&buyer), &tried, now).await.unwrap(), Err(NotTried::Before));
    // what is bought while it runs begins behind it
    grant(&app, &reader, 10_000).await;
    buy(&app, &reader, &plain.id, now).await;
    assert_eq!(reads(&app, &reader, "one", now).await, Some(Until::At(until + 30 * DAY_MS)));
    let days = selling::sold_by_day(&app.db, &seller, None, (now - DAY_MS, now + DAY_MS)).await.unwrap();
    assert_eq!(days.iter().map(|day| (day.count, day.trials)).collect::<Vec<_>>(), [(2, 1)]);
    books_hold(&app).await;
}

async fn giving_and_changing_leave_books_that_hold(app: App) {
    let mut chance = StdRng::seed_from_u64(20_261_128);
    let seller = testing::member(&app).await;
    let mut readers = Vec::new();
    for _ in 0..4 {
        let reader = testing::member(&app).await;
        grant(&app, &reader, 100_000_000).await;
        readers.push(reader);
    }
    let mut packages = Vec::new();
    for (term, price) in [
        (Term::Days(7), 1_001),
        (Term::Months(1), 2_999),
        (Term::Months(12), 19_997),
        (Term::Days(900), 5_000),
    ] {
        packages.push(package(&app, &seller, term, price).await);
    }
    let days = 400;
    let mut now = now_ms() - days * DAY_MS;
    let events = if std::env::var_os("BINDERY_SOAK").is_some() { 5_000 } else { 200 };
    let (mut open, mut made, mut changed) = (Vec::new(), Vec::new(), 0);
    for _ in 0..events {
        let (reader, package) = (&readers[chance.random_range(0..4)], &packages[chance.random_range(0..4)]);
        match chance.random_range(0..8) {
            0..2 => made.push(buy(&app, reader, package, now).await),
            2 => open.push((reader, give(&app, reader, package, now).await)),
            3 if !open.is_empty() => {
                let (_, (sale, code)) = open.swap_remove(chance.random_range(0..open.len()));
                redeem(&app, reader, &code, now).await.unwrap();
                made.push(sale);
            }
            4 if !open.is_empty() => {
                let (giver, (sale, _)) = open.swap_remove(chance.random_range(0..open.len()));
                gifts::take_back(&app, &sale, giver, now).await.unwrap();
            }
            5 => {
                if let Some((due, _)) = quoted(&app, reader, package, now).await {
                    let before = testing::balance(&app, reader).await;
                    let sale = change(&app, reader, package, due.0, now).await.unwrap();
                    sales::pay_from_balance(&app, &sale, reader, now).await.unwrap();
                    let paid = before.minus(testing::balance(&app, reader).await).unwrap();
                    assert!(paid <= due);
                    changed += 1;
                    made.push(sale);
                }
            }
            6 if !made.is_empty() => {
                let sale = find(&app, &made[chance.random_range(0..made.len())], &seller).await;
                let _ = refunds::refund(&app, &sale, now).await;
            }
            _ => now += chance.random_range(0..2 * days * DAY_MS / events),
        }
    }
    assert!(changed > 3, "{changed}");
    books_hold(&app).await;
    for id in &made {
        sales::earn(&app, id, now + LONG).await.unwrap();
    }
    // what nobody has taken is all that is still owed
    let mut owed = Fen::ZERO;
    for (_, (sale, _)) in &open {
        owed = owed.plus(find(&app, sale, &seller).await.amount).unwrap();
    }
    assert_eq!(on(&app, Account::Unearned(seller.clone())).await, owed);
}
