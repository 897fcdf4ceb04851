//! One code, many hands; one sale, many presses; and business in any order held against the books.

use std::collections::HashSet;

use base::db::{new_id, now_ms, with_db, with_write};
use domain::days::DAY_MS;
use domain::ids::{BatchId, MemberId, PackageId};
use domain::money::Fen;
use domain::package::{Term, Until};
use domain::redeem_code::RedeemCode;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use web::app::App;
use web::session::Member;

use crate::testing;
use selling::codes::{self, Made, Wanted};
use selling::redeem::{NotRedeemed, Redeemed, redeem};
use selling::refunds;
use selling::sales::{self, NotSold};
use selling::store::{Subject, batches, packages as rows, sales as sold};
use selling::{Content, NewPackage, entitled, keep_package};

pub(super) const AT_ONCE: usize = 64;
/// Beyond the end of the last term, however many were bought one after the other.
pub(super) const LONG: i64 = 1_000_000 * DAY_MS;
/// How often one code is redeemed by many at once; a thousand times in `make soak`.
fn rounds() -> usize {
    if std::env::var_os("BINDERY_SOAK").is_some() { 1_000 } else { 12 }
}

on_both_engines!(
    one_code_is_redeemed_by_one,
    codes_of_one_reader_add_up,
    one_sale_is_paid_once,
    a_refund_moves_later_terms_up,
    packages_that_hold_the_same_add_up,
    what_is_taken_out_stays_with_those_who_had_it,
    what_is_for_ever_goes_back_without_a_day,
    what_is_put_back_counts_once,
    nothing_goes_back_to_who_has_gone,
    a_withdrawn_thing_is_not_paid_any_more,
    only_codes_that_somebody_may_use_are_open,
    any_business_leaves_books_that_hold,
    what_is_changed_behind_our_back_is_found,
);

pub(super) async fn books_hold(app: &App) {
    assert_eq!(ledger::check::check(app).await.unwrap().faults, Vec::<String>::new());
}

pub(super) async fn grant(app: &App, member: &MemberId, amount: i64) {
    ledger::grant(&app.db, member, Fen(amount), &format!("opening:{member}"), 1).await.unwrap();
}

pub(super) fn work(id: &str) -> Content {
    Content { kind: "work".into(), id: id.into(), title: id.into() }
}

pub(super) async fn package(app: &App, seller: &MemberId, term: Term, price: i64) -> PackageId {
    package_of(app, seller, &[work("one"), work("two")], term, price).await
}

pub(super) async fn package_of(
    app: &App,
    seller: &MemberId,
    contents: &[Content],
    term: Term,
    price: i64,
) -> PackageId {
    let id: PackageId = new_id();
    let new = NewPackage {
        id: id.clone(),
        seller,
        seller_name: "卖家",
        title: "一套书",
        description: "",
        term,
        price: Fen(price),
        trial_pages: 0,
        trial_days: 0,
        on_sale_from: 0,
        on_sale_until: None,
    };
    keep_package(app, new, contents, 1).await.unwrap();
    id
}

pub(super) async fn codes(app: &App, seller: &MemberId, package: &PackageId, count: u32) -> Vec<RedeemCode> {
    let id: BatchId = new_id();
    let wanted = Wanted {
        id: id.clone(),
        package: package.clone(),
        note: String::new(),
        codes: count,
        active: true,
        expires_at: None,
    };
    assert_eq!(codes::make(app, seller, wanted, now_ms()).await.unwrap(), Made::Now);
    let batch = batches::find(&app.db, &id).await.unwrap();
    codes::some(&app.key, &batch.salt.unwrap(), 1, i64::from(count))
}

/// A member as requests have it.
pub(super) fn signed_in(id: &MemberId) -> Member {
    Member::bare(id.clone(), "", "读者", domain::tier::Tier::Basic)
}

async fn order(
    app: &App,
    buyer: &MemberId,
    package: &PackageId,
    now: i64,
) -> Result<domain::ids::SaleId, NotSold> {
    let package = rows::find(&app.db, package).await.unwrap();
    let wanted = sales::Wanted {
        subject: Subject::Package(package.id),
        title: package.title,
        seller: package.seller,
        term: package.term,
        amount: package.price,
    };
    sales::order(app, &signed_in(buyer), wanted, now).await
}

pub(super) async fn buy(app: &App, buyer: &MemberId, package: &PackageId, now: i64) -> domain::ids::SaleId {
    let sale = order(app, buyer, package, now).await.unwrap();
    sales::pay_from_balance(app, &sale, buyer, now).await.unwrap();
    sale
}

/// Starts everything at the same moment and answers what came of each.
pub(super) async fn at_once<T: Send + 'static, F>(make: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let barrier = std::sync::Arc::new(tokio::sync::Barrier::new(AT_ONCE));
    let tasks: Vec<_> = (0..AT_ONCE)
        .map(|index| {
            let (barrier, work) = (barrier.clone(), make(index));
            tokio::spawn(async move {
                barrier.wait().await;
                work.await
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

async fn one_code_is_redeemed_by_one(app: App) {
    let seller = testing::member(&app).await;
    let package = package(&app, &seller, Term::Days(30), 1_000).await;
    let mut readers = Vec::new();
    for _ in 0..AT_ONCE {
        readers.push(testing::member(&app).await);
    }
    let codes = codes(&app, &seller, &package, u32::try_from(rounds()).unwrap()).await;
    // of many the later ones come by a job
    let batch = batches::of_seller(&app.db, &seller, None, 1).await.unwrap().remove(0);
    codes::write_rest(&app, &batch.id).await.unwrap();
    for (round, code) in codes.into_iter().enumerate() {
        let outcomes = at_once(|index| {
            let (app, reader) = (app.clone(), readers[index].clone());
            async move { redeem(&app, &reader, &code, now_ms()).await }
        })
        .await;
        let opened = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let refused = outcomes.iter().filter(|outcome| matches!(outcome, Err(NotRedeemed::Refused))).count();
        assert_eq!((opened, refused), (1, AT_ONCE - 1), "round {round}");
    }
    let rights: i64 = with_db!(&app.db, |pool| sqlx::query_scalar("select count(*) from entitlements")
        .fetch_one(pool)
        .await)
    .unwrap();
    assert_eq!(usize::try_from(rights).unwrap(), rounds());
    books_hold(&app).await;
}

async fn codes_of_one_reader_add_up(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(1), 1_000).await;
    let codes = codes(&app, &seller, &package, u32::try_from(AT_ONCE).unwrap()).await;
    let now = now_ms();
    let outcomes = at_once(|index| {
        let (app, reader, code) = (app.clone(), reader.clone(), codes[index]);
        async move { redeem(&app, &reader, &code, now).await.unwrap() }
    })
    .await;
    let ends: HashSet<_> = outcomes.iter().map(|redeemed| redeemed.until.moment().unwrap()).collect();
    assert_eq!(ends.len(), AT_ONCE, "each came after another");
    let until = entitled(&app.db, &reader, "work", "one", now).await.unwrap();
    assert_eq!(until, Some(Until::At(now + AT_ONCE as i64 * DAY_MS)));
    assert_eq!(entitled(&app.db, &reader, "work", "three", now).await.unwrap(), None);
    assert_eq!(entitled(&app.db, &seller, "work", "one", now).await.unwrap(), None);
}

async fn one_sale_is_paid_once(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &reader, 10_000).await;
    let now = now_ms();
    let orders = at_once(|_| {
        let (app, reader, package) = (app.clone(), reader.clone(), package.clone());
        async move { order(&app, &reader, &package, now).await.unwrap() }
    })
    .await;
    assert!(orders.iter().all(|sale| *sale == orders[0]), "pressed often, begun once");
    at_once(|_| {
        let (app, reader, sale) = (app.clone(), reader.clone(), orders[0].clone());
        async move { sales::pay_from_balance(&app, &sale, &reader, now).await.unwrap() }
    })
    .await;
    assert_eq!(testing::balance(&app, &reader).await, Fen(7_000));
    let until = entitled(&app.db, &reader, "work", "two", now).await.unwrap();
    assert_eq!(until, Some(Until::At(now + 30 * DAY_MS)));
    books_hold(&app).await;
    // with too little nothing is bought
    let poor = testing::member(&app).await;
    let sale = order(&app, &poor, &package, now).await.unwrap();
    let refused = sales::pay_from_balance(&app, &sale, &poor, now).await;
    assert!(matches!(refused, Err(NotSold::InsufficientBalance)));
    assert_eq!(entitled(&app.db, &poor, "work", "two", now).await.unwrap(), None);
    // what is one's own is not bought, and nobody pays another's sale
    assert!(matches!(order(&app, &seller, &package, now).await, Err(NotSold::Own)));
    assert!(sales::pay_from_balance(&app, &sale, &reader, now).await.is_err());
    books_hold(&app).await;
}

async fn a_refund_moves_later_terms_up(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &reader, 10_000).await;
    let start = now_ms() - 10 * DAY_MS;
    let first = buy(&app, &reader, &package, start).await;
    let code = codes(&app, &seller, &package, 1).await[0];
    redeem(&app, &reader, &code, start).await.unwrap();
    let last = buy(&app, &reader, &package, start).await;
    let until = |days: i64| Some(Until::At(start + days * DAY_MS));
    assert_eq!(entitled(&app.db, &reader, "work", "one", start).await.unwrap(), until(90));
    let now = start + 10 * DAY_MS;
    let sale = sold::find_for_seller(&app.db, &first, &seller).await.unwrap();
    assert_eq!(refunds::refund(&app, &sale, now).await.unwrap(), Fen(2_000));
    assert!(refunds::refund(&app, &sale, now).await.is_err(), "once");
    assert_eq!(testing::balance(&app, &reader).await, Fen(6_000));
    // the code's thirty days begin now, and the second sale's after them, also where they are earned
    assert_eq!(entitled(&app.db, &reader, "work", "one", now).await.unwrap(), until(70));
    let later = sold::find_for_seller(&app.db, &last, &seller).await.unwrap();
    assert_eq!(
        later.span.map(|span| (span.from, span.until)),
        Some((start + 40 * DAY_MS, Some(start + 70 * DAY_MS)))
    );
    assert_eq!(later.next_earning_at, Some(start + 41 * DAY_MS));
    books_hold(&app).await;
    // one that has not begun goes back whole
    assert_eq!(refunds::refund(&app, &later, now).await.unwrap(), Fen(3_000));
    assert_eq!(entitled(&app.db, &reader, "work", "one", now).await.unwrap(), until(40));
    let again = buy(&app, &reader, &package, now).await;
    let again = sold::find_for_seller(&app.db, &again, &seller).await.unwrap();
    assert_eq!(again.span.map(|span| span.from), Some(start + 40 * DAY_MS), "no gap is left");
    books_hold(&app).await;
}

async fn packages_that_hold_the_same_add_up(app: App) {
    let (seller, reader, other) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    let year = package_of(&app, &seller, &[work("one")], Term::Days(365), 8_000).await;
    for member in [&reader, &other] {
        grant(&app, member, 100_000).await;
    }
    let start = now_ms() - 10 * DAY_MS;
    let until = |days: i64| Some(Until::At(start + days * DAY_MS));
    let ends = async |member: &MemberId, item: &str, at: i64| {
        entitled(&app.db, member, "work", item, at).await.unwrap()
    };
    // a year that is bought in the middle of a month begins after it
    let first = buy(&app, &reader, &month, start).await;
    let second = buy(&app, &reader, &year, start).await;
    assert_eq!(
        (ends(&reader, "one", start).await, ends(&reader, "two", start).await),
        (until(395), until(30))
    );
    let span = async |sale| sold::find_for_seller(&app.db, sale, &seller).await.unwrap().span.unwrap();
    assert_eq!(span(&second).await.from, start + 30 * DAY_MS, "and is earned from then on");
    // a month inside a year begins at once for what is new, and is read after the year for what is not; codes likewise
    buy(&app, &other, &year, start).await;
    let month_of_other = buy(&app, &other, &month, start).await;
    assert_eq!((ends(&other, "one", start).await, ends(&other, "two", start).await), (until(395), until(30)));
    let code = codes(&app, &seller, &month, 1).await[0];
    redeem(&app, &other, &code, start).await.unwrap();
    assert_eq!((ends(&other, "one", start).await, ends(&other, "two", start).await), (until(425), until(60)));
    let readers = async |item: &str, day: i64| {
        selling::readers_of(&app.db, "work", item, start + day * DAY_MS).await.unwrap().len()
    };
    assert_eq!((readers("one", 394).await, readers("one", 424).await, readers("two", 59).await), (2, 1, 1));
    books_hold(&app).await;
    // what goes back moves the others up, whatever package they are of
    let now = start + 10 * DAY_MS;
    let sale = sold::find_for_seller(&app.db, &first, &seller).await.unwrap();
    assert_eq!(refunds::refund(&app, &sale, now).await.unwrap(), Fen(2_000));
    assert_eq!((ends(&reader, "one", now).await, ends(&reader, "two", now).await), (until(375), None));
    assert_eq!(span(&second).await.from, now);
    let sale = sold::find_for_seller(&app.db, &month_of_other, &seller).await.unwrap();
    refunds::refund(&app, &sale, now).await.unwrap();
    assert_eq!((ends(&other, "one", now).await, ends(&other, "two", now).await), (until(405), until(40)));
    books_hold(&app).await;
}

async fn what_is_taken_out_stays_with_those_who_had_it(app: App) {
    let (seller, reader, late) =
        (testing::member(&app).await, testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Forever, 1_000).await;
    for member in [&reader, &late] {
        grant(&app, member, 10_000).await;
    }
    let now = now_ms();
    buy(&app, &reader, &package, now).await;
    let mut tx = app.db.begin().await.unwrap();
    rows::set_contents(&mut tx, &package, &[work("two"), work("three")], now + 1).await.unwrap();
    tx.commit().await.unwrap();
    buy(&app, &late, &package, now + 2).await;
    for (member, item, expected) in [
        (&reader, "one", Some(Until::Forever)),
        (&reader, "three", Some(Until::Forever)),
        (&late, "one", None),
        (&late, "two", Some(Until::Forever)),
    ] {
        assert_eq!(entitled(&app.db, member, "work", item, now + 3).await.unwrap(), expected, "{item}");
    }
    // nothing can be added to what is for ever, and a code for it is not used up
    assert!(matches!(order(&app, &reader, &package, now + 3).await, Err(NotSold::ForEver)));
    let code = codes(&app, &seller, &package, 1).await[0];
    assert!(matches!(redeem(&app, &reader, &code, now + 3).await, Err(NotRedeemed::ForEver(_))));
    let other = testing::member(&app).await;
    let opened = redeem(&app, &other, &code, now + 3).await.unwrap();
    assert_eq!(opened, Redeemed { title: "一套书".into(), until: Until::Forever });
    books_hold(&app).await;
}

async fn what_is_for_ever_goes_back_without_a_day(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let ever = package(&app, &seller, Term::Forever, 1_000).await;
    let month = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &reader, 10_000).await;
    let start = now_ms() - 40 * DAY_MS;
    let sale = buy(&app, &reader, &ever, start).await;
    let sale = sold::find_for_seller(&app.db, &sale, &seller).await.unwrap();
    let now = start + 40 * DAY_MS;
    assert_eq!(refunds::refund(&app, &sale, now).await.unwrap(), Fen(1_000), "all of it");
    assert_eq!(entitled(&app.db, &reader, "work", "one", now).await.unwrap(), None);
    // also of the days before, in which it counted as read: a month of then begins then
    buy(&app, &reader, &month, start).await;
    let until = Some(Until::At(start + 30 * DAY_MS));
    assert_eq!(entitled(&app.db, &reader, "work", "one", start).await.unwrap(), until);
    books_hold(&app).await;
}

async fn what_is_put_back_counts_once(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 1_000).await;
    grant(&app, &reader, 10_000).await;
    let start = now_ms();
    buy(&app, &reader, &package, start).await;
    for (later, contents) in
        [vec![work("two")], vec![work("one"), work("two")], vec![work("two")], vec![work("one")]]
            .into_iter()
            .enumerate()
    {
        let mut tx = app.db.begin().await.unwrap();
        rows::set_contents(&mut tx, &package, &contents, start + 1 + later as i64).await.unwrap();
        tx.commit().await.unwrap();
    }
    let until = |days: i64| Some(Until::At(start + days * DAY_MS));
    assert_eq!(entitled(&app.db, &reader, "work", "one", start + 10).await.unwrap(), until(30));
    assert_eq!(entitled(&app.db, &reader, "work", "two", start + 10).await.unwrap(), until(30), "it had it");
    buy(&app, &reader, &package, start + 10).await;
    assert_eq!(entitled(&app.db, &reader, "work", "one", start + 10).await.unwrap(), until(60));
    let readers = selling::readers_of(&app.db, "work", "one", start + 10).await.unwrap();
    assert_eq!(readers, [reader]);
    books_hold(&app).await;
}

async fn nothing_goes_back_to_who_has_gone(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &reader, 3_000).await;
    let sale = buy(&app, &reader, &package, now_ms()).await;
    let sale = sold::find_for_seller(&app.db, &sale, &seller).await.unwrap();
    with_write!(&app.db, |pool| sqlx::query("update members set closed_at = 1 where id = $1")
        .bind(reader.as_str())
        .execute(pool)
        .await
        .map(drop))
    .unwrap();
    assert!(matches!(refunds::refund(&app, &sale, now_ms()).await, Err(refunds::Kept::Closed)));
    assert_eq!(testing::balance(&app, &reader).await, Fen::ZERO);
    books_hold(&app).await;
}

async fn a_withdrawn_thing_is_not_paid_any_more(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    grant(&app, &reader, 10_000).await;
    let wanted = sales::Wanted {
        subject: Subject::Item { kind: "work".into(), id: "one".into() },
        title: "一本书".into(),
        seller: seller.clone(),
        term: Term::Forever,
        amount: Fen(2_800),
    };
    let sale = sales::order(&app, &signed_in(&reader), wanted, now_ms()).await.unwrap();
    let mut tx = app.db.begin().await.unwrap();
    selling::end_offer(&mut tx, &seller, "work", "one").await.unwrap();
    tx.commit().await.unwrap();
    assert!(sales::pay_from_balance(&app, &sale, &reader, now_ms()).await.is_err());
    assert_eq!(testing::balance(&app, &reader).await, Fen(10_000));
    books_hold(&app).await;
}

async fn only_codes_that_somebody_may_use_are_open(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 1_000).await;
    let open = async || {
        let mut tx = app.db.begin().await.unwrap();
        batches::open_codes(&mut tx, &seller, now_ms()).await.unwrap()
    };
    let code = codes(&app, &seller, &package, 3).await[0];
    assert_eq!(open().await, 3);
    redeem(&app, &reader, &code, now_ms()).await.unwrap();
    assert_eq!(open().await, 2, "one was used");
    // a batch that is voided while it is being written gets no further codes, and none of it is open
    codes(&app, &seller, &package, 1_200).await;
    assert_eq!(open().await, 1_202);
    let batch = batches::of_seller(&app.db, &seller, None, 1).await.unwrap().remove(0);
    let mut tx = app.db.begin().await.unwrap();
    let times = domain::redeem_code::BatchTimes { voided_at: Some(now_ms()), ..batch.times };
    batches::set_times(&mut tx, &batch.id, &times).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(open().await, 2);
    codes::write_rest(&app, &batch.id).await.unwrap();
    assert_eq!(batches::find(&app.db, &batch.id).await.unwrap().unwritten, 0);
    let written: i64 =
        with_db!(&app.db, |pool| sqlx::query_scalar("select count(*) from redeem_codes where batch_id = $1")
            .bind(batch.id.as_str())
            .fetch_one(pool)
            .await)
        .unwrap();
    assert_eq!(written, 500);
    books_hold(&app).await;
}

async fn any_business_leaves_books_that_hold(app: App) {
    let mut chance = StdRng::seed_from_u64(20_261_123);
    let sellers = [testing::member(&app).await, testing::member(&app).await];
    let mut readers = Vec::new();
    for _ in 0..4 {
        let reader = testing::member(&app).await;
        grant(&app, &reader, 100_000_000).await;
        readers.push(reader);
    }
    let mut packages = Vec::new();
    for (seller, term, price) in [
        (0, Term::Days(30), 2_999),
        (0, Term::Months(1), 101),
        (1, Term::Days(7), 1_000),
        (1, Term::Months(12), 8_888),
    ] {
        packages.push(package(&app, &sellers[seller], term, price).await);
    }
    let days = 400;
    let mut now = now_ms() - days * DAY_MS;
    let events = if std::env::var_os("BINDERY_SOAK").is_some() { 10_000 } else { 250 };
    let mut made = Vec::new();
    for _ in 0..events {
        match chance.random_range(0..8) {
            0..3 => {
                let (reader, package) =
                    (&readers[chance.random_range(0..4)], &packages[chance.random_range(0..4)]);
                made.push(buy(&app, reader, package, now).await);
            }
            3 if !made.is_empty() => {
                let id = made[chance.random_range(0..made.len())].clone();
                for seller in &sellers {
                    if let Ok(sale) = sold::find_for_seller(&app.db, &id, seller).await {
                        // what is used up, or went back before, is refused
                        let _ = refunds::refund(&app, &sale, now).await;
                    }
                }
            }
            4 if !made.is_empty() => {
                let id = made[chance.random_range(0..made.len())].clone();
                sales::earn(&app, &id, now).await.unwrap();
            }
            _ => now += chance.random_range(0..2 * days * DAY_MS / events),
        }
    }
    books_hold(&app).await;
    // long afterwards everything is earned; nobody looked meanwhile
    for id in &made {
        sales::earn(&app, id, now + LONG).await.unwrap();
    }
    for seller in &sellers {
        let mut tx = app.db.begin_snapshot().await.unwrap();
        let account = domain::ledger::Account::Unearned(seller.clone());
        assert_eq!(ledger::balance_of(&mut tx, &account).await.unwrap(), Fen::ZERO);
        assert!(selling::income(&mut tx, seller).await.unwrap() > Fen::ZERO);
    }
}

async fn what_is_changed_behind_our_back_is_found(app: App) {
    let (seller, reader) = (testing::member(&app).await, testing::member(&app).await);
    let package = package(&app, &seller, Term::Days(30), 3_000).await;
    grant(&app, &reader, 10_000).await;
    let sale = buy(&app, &reader, &package, now_ms() - 10 * DAY_MS).await;
    sales::earn(&app, &sale, now_ms()).await.unwrap();
    books_hold(&app).await;
    for (change, back) in [
        ("update sales set earned = earned + 100", "update sales set earned = earned - 100"),
        ("update sales set amount = amount + 100", "update sales set amount = amount - 100"),
        ("update sales set state = 'unpaid'", "update sales set state = 'paid'"),
        ("update sales set refunded = 5", "update sales set refunded = 0"),
        (
            "update sales set span_from = span_from + 800000000",
            "update sales set span_from = span_from - 800000000",
        ),
    ] {
        with_write!(&app.db, |pool| sqlx::query(change).execute(pool).await.map(drop)).unwrap();
        let faults = ledger::check::check(&app).await.unwrap().faults;
        assert!(!faults.is_empty(), "{change}");
        with_write!(&app.db, |pool| sqlx::query(back).execute(pool).await.map(drop)).unwrap();
        books_hold(&app).await;
    }
}
