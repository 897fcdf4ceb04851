//! One term, many presses; business in any order, held against the books.

use base::db::{now_ms, with_db, with_write};
use domain::days::DAY_MS;
use domain::ids::{MemberId, TermId};
use domain::membership::{MONTHS, PRICE_HOLDS_MS, SOLD, TermState};
use domain::money::Fen;
use domain::payment::Method;
use domain::tier::Tier;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use web::app::App;
use web::slice::Payable;

use crate::testing;
use membership::jobs::TellEnd;
use membership::store::terms as rows;
use membership::terms::{self, NotPaid, Owned, Terms, Wanted};
use membership::{notices, prices};

const AT_ONCE: usize = 32;

on_both_engines!(
    one_term_is_paid_once,
    what_was_confirmed_holds_for_a_week_and_no_credit_counts_twice,
    any_business_leaves_books_that_hold,
    an_end_is_told_once_each_time,
    what_is_changed_behind_our_back_is_found,
);

async fn faults(app: &App) -> Vec<String> {
    ledger::check::check(app).await.unwrap().faults
}

async fn rich(app: &App) -> MemberId {
    prices::fill(app).await.unwrap();
    let member = testing::member(app).await;
    let grant = ledger::grant(&app.db, &member, Fen(100_000_000), &format!("opening:{member}"), 1).await;
    grant.unwrap();
    member
}

async fn confirm(app: &App, member: &MemberId, tier: Tier, months: u32, now: i64) -> Result<TermId, NotPaid> {
    let price = prices::price(app, tier, months, now).await?;
    let quote = Owned::of(&app.db, member, now).await?.quote(tier, months, price, now)?;
    let wanted = Wanted { tier, months, amount: quote.amount, credit: quote.credit };
    terms::confirm(app, member, wanted, now).await
}

async fn buy(app: &App, member: &MemberId, tier: Tier, months: u32, now: i64) -> Result<TermId, NotPaid> {
    let id = confirm(app, member, tier, months, now).await?;
    terms::pay_from_balance(app, &id, member, now).await?;
    Ok(id)
}

async fn one_term_is_paid_once(app: App) {
    let member = rich(&app).await;
    let now = now_ms();
    // pressed by many at once it is confirmed once, and paid once
    let confirming = (0..AT_ONCE).map(|_| {
        let (app, member) = (app.clone(), member.clone());
        tokio::spawn(async move { confirm(&app, &member, Tier::Vip, 12, now).await.unwrap() })
    });
    let mut ids: Vec<TermId> =
        futures::future::join_all(confirming).await.into_iter().map(Result::unwrap).collect();
    ids.dedup();
    assert_eq!(ids.len(), 1);
    let paying = (0..AT_ONCE).map(|_| {
        let (app, member, id) = (app.clone(), member.clone(), ids[0].clone());
        tokio::spawn(async move { terms::pay_from_balance(&app, &id, &member, now).await.unwrap() })
    });
    let paid = futures::future::join_all(paying).await;
    let now_paid = paid.into_iter().filter(|paid| matches!(paid, Ok(ledger::Posted::Now))).count();
    assert_eq!(now_paid, 1);
    assert_eq!(testing::balance(&app, &member).await, Fen(100_000_000 - 16_800));
    // another's can't be paid or seen
    let stranger = rich(&app).await;
    let other = confirm(&app, &member, Tier::Vip, 1, now).await.unwrap();
    assert!(terms::pay_from_balance(&app, &other, &stranger, now).await.is_err());
    assert!(rows::find_for_owner(&app.db, &other, &stranger).await.is_err());
    assert_eq!(faults(&app).await, Vec::<String>::new());
}

async fn what_was_confirmed_holds_for_a_week_and_no_credit_counts_twice(app: App) {
    let member = rich(&app).await;
    let now = now_ms();
    buy(&app, &member, Tier::Vip, 12, now).await.unwrap();
    // two upgrades are confirmed with the same credit; the second one can't be paid any more
    let (one, two) = (
        confirm(&app, &member, Tier::Super, 12, now).await.unwrap(),
        confirm(&app, &member, Tier::Enterprise, 12, now).await.unwrap(),
    );
    let begun = testing::balance(&app, &member).await;
    let later = now + 3 * DAY_MS;
    let (mut tx, id) = (app.db.begin().await.unwrap(), one.to_string());
    assert_eq!(Terms.hold(&app, &mut tx, &id, &member, later).await.unwrap(), Some(Fen(44_800 - 16_800)));
    Terms.pay(&mut tx, &id, &member, Method::Wechat, later).await.unwrap();
    assert_eq!(Terms.hold(&app, &mut tx, &id, &member, later).await.unwrap(), None, "paid");
    assert_eq!(Terms.hold(&app, &mut tx, two.as_str(), &member, later).await.unwrap(), None);
    tx.commit().await.unwrap();
    assert_eq!(testing::balance(&app, &member).await, Fen(begun.0 - 28_000));
    let refused = terms::pay_from_balance(&app, &two, &member, later).await;
    assert!(matches!(refused, Err(NotPaid::Changed)), "{refused:?}");
    let paid = rows::find_for_owner(&app.db, &one, &member).await.unwrap();
    // the price was kept; what was used up meanwhile is in no value
    assert_eq!(paid.value, Fen(28_000 + 16_800 * 362 / 365));
    assert_eq!(paid.span.unwrap().0, later);
    // a higher tier that was bought meanwhile shuts a lower one out, also when its price was confirmed
    let low = rich(&app).await;
    let vip = confirm(&app, &low, Tier::Vip, 1, now).await.unwrap();
    buy(&app, &low, Tier::Super, 1, now).await.unwrap();
    assert!(matches!(terms::pay_from_balance(&app, &vip, &low, now).await, Err(NotPaid::Not(_))));
    // and nothing holds longer than a week
    let old = rich(&app).await;
    let id = confirm(&app, &old, Tier::Vip, 1, now).await.unwrap();
    let over = terms::pay_from_balance(&app, &id, &old, now + PRICE_HOLDS_MS).await;
    assert!(matches!(over, Err(NotPaid::Over)), "{over:?}");
    assert_ne!(confirm(&app, &old, Tier::Vip, 1, now + PRICE_HOLDS_MS + 1).await.unwrap(), id);
    assert_eq!(faults(&app).await, Vec::<String>::new());
}

async fn any_business_leaves_books_that_hold(app: App) {
    let member = rich(&app).await;
    let mut random = StdRng::seed_from_u64(20_261_124);
    let operations = if std::env::var_os("BINDERY_SOAK").is_some() { 2_000 } else { 60 };
    // the books are looked at now, so that everything has to have happened by then
    let (mut now, days) = (now_ms() - 4_000 * DAY_MS, 4_000);
    let mut refunds = 0;
    for _ in 0..operations {
        now += random.random_range(0..2 * days * DAY_MS / operations * 9 / 10);
        let before = testing::balance(&app, &member).await;
        if random.random_range(0..6) == 0 {
            let mut tx = app.db.begin().await.unwrap();
            if let Ok(sum) = terms::refund(&app, &mut tx, &member, "测试", now).await {
                tx.commit().await.unwrap();
                refunds += 1;
                assert_eq!(testing::balance(&app, &member).await, Fen(before.0 + sum.0));
                assert!(Owned::of(&app.db, &member, now).await.unwrap().terms.is_empty());
            }
            continue;
        }
        let tier = SOLD[random.random_range(0..SOLD.len())];
        let months = MONTHS[random.random_range(0..MONTHS.len())];
        match buy(&app, &member, tier, months, now).await {
            Ok(id) => {
                let term = rows::find_for_owner(&app.db, &id, &member).await.unwrap();
                assert_eq!(term.state, TermState::Paid);
                assert_eq!(testing::balance(&app, &member).await, Fen(before.0 - term.amount.0));
                let owned = Owned::of(&app.db, &member, now).await.unwrap();
                assert_eq!(owned.standing.at(now).0, tier);
                assert_eq!(owned.standing.until, term.span.map(|(_, until)| until));
            }
            Err(NotPaid::Not(_)) => {}
            Err(reason) => panic!("{reason}"),
        }
    }
    assert!(refunds > 2);
    assert_eq!(faults(&app).await, Vec::<String>::new());
    // nobody gets back more than it paid
    assert!(testing::balance(&app, &member).await <= Fen(100_000_000));
}

async fn messages(app: &App) -> i64 {
    with_db!(&app.db, |pool| sqlx::query_scalar("select count(*) from outbox").fetch_one(pool).await).unwrap()
}

async fn an_end_is_told_once_each_time(app: App) {
    let member = rich(&app).await;
    let now = now_ms();
    buy(&app, &member, Tier::Vip, 3, now).await.unwrap();
    let until = Owned::of(&app.db, &member, now).await.unwrap().standing.until.unwrap();
    let tell = |until: i64, days: i64| TellEnd { member: member.clone(), until, days };
    let at = |days: i64| until - days * DAY_MS;
    for _ in 0..2 {
        notices::tell_end(&app, &tell(until, 30), at(30)).await.unwrap();
    }
    assert_eq!(messages(&app).await, 1);
    // late by so much that the next one is due: that one tells
    notices::tell_end(&app, &tell(until, 7), at(1)).await.unwrap();
    notices::tell_end(&app, &tell(until, 1), at(1)).await.unwrap();
    assert_eq!(messages(&app).await, 2);
    // put off, the earlier end is told no more
    buy(&app, &member, Tier::Vip, 1, at(2)).await.unwrap();
    notices::tell_end(&app, &tell(until, 1), at(1)).await.unwrap();
    assert_eq!(messages(&app).await, 2);
}

async fn what_is_changed_behind_our_back_is_found(app: App) {
    let member = rich(&app).await;
    let now = now_ms();
    buy(&app, &member, Tier::Vip, 12, now - 20 * DAY_MS).await.unwrap();
    buy(&app, &member, Tier::Super, 12, now - 10 * DAY_MS).await.unwrap();
    assert_eq!(faults(&app).await, Vec::<String>::new());
    for (change, back) in [
        (
            "update membership_terms set amount = amount + 1",
            "update membership_terms set amount = amount - 1",
        ),
        (
            "update membership_terms set rest = rest + 1 where state = 'replaced'",
            "update membership_terms set rest = rest - 1 where state = 'replaced'",
        ),
        (
            "update membership_terms set ends_at = ends_at + 1 where state = 'paid'",
            "update membership_terms set ends_at = ends_at - 1 where state = 'paid'",
        ),
        ("update members set tier = 'VIP'", "update members set tier = '超级会员'"),
        (
            "update membership_terms set state = 'unpaid' where tier = 'VIP'",
            "update membership_terms set state = 'replaced' where tier = 'VIP'",
        ),
    ] {
        for (sql, found) in [(change, true), (back, false)] {
            with_write!(&app.db, |pool| sqlx::query(sql).execute(pool).await.map(drop)).unwrap();
            assert_eq!(faults(&app).await.is_empty(), !found, "{sql}");
        }
    }
}
