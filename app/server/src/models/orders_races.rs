//! Sixty-four at once: one succeeds, the others get a clear answer, and the books hold.

use base::error::Error;
use domain::money::Fen;
use web::app::App;

use super::orders::place;
use super::transfers as payments;
use crate::testing;
use ledger::{self, Refusal};
use orders::progress::{self, Done, Part};
use orders::store;

pub const AT_ONCE: usize = 64;
const NOW: i64 = 1_700_000_000_000;

on_both_engines!(
    one_balance_pays_one_of_many_orders,
    one_order_is_paid_once,
    one_order_is_given_back_once,
    parts_are_never_more_than_the_whole,
    one_order_is_cancelled_or_given_back,
    one_posting_key_posts_once,
    one_notification_credits_once,
    two_payments_of_one_order_pay_it_once,
);

/// Starts everything at the same moment and answers what came of each.
pub async fn at_once<T: Send + 'static, F>(make: impl Fn(usize) -> F) -> Vec<T>
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

pub async fn books_hold(app: &App) {
    assert_eq!(ledger::check::check(app).await.unwrap().faults, Vec::<String>::new());
}

async fn grant(app: &App, member: &domain::ids::MemberId, amount: i64) {
    ledger::grant(&app.db, member, Fen(amount), &format!("opening:{member}"), NOW).await.unwrap();
}

async fn one_balance_pays_one_of_many_orders(app: App) {
    let member = testing::member(&app).await;
    grant(&app, &member, 1_500).await;
    let mut orders = Vec::new();
    for _ in 0..AT_ONCE {
        orders.push(place(&app, &member, 900, 100, NOW).await);
    }
    let outcomes = at_once(|index| {
        let (app, member, order) = (app.clone(), member.clone(), orders[index].clone());
        async move {
            let mut tx = app.db.begin().await.unwrap();
            match progress::pay(&mut tx, &order, &member, NOW).await {
                Ok(paid) => {
                    assert!(paid.is_some());
                    tx.commit().await.unwrap();
                    true
                }
                Err(Refusal::InsufficientBalance) => false,
                Err(refusal) => panic!("{refusal}"),
            }
        }
    })
    .await;
    assert_eq!(outcomes.into_iter().filter(|paid| *paid).count(), 1);
    assert_eq!(testing::balance(&app, &member).await, Fen(500));
    books_hold(&app).await;
}

async fn one_order_is_paid_once(app: App) {
    let member = testing::member(&app).await;
    grant(&app, &member, 100_000).await;
    let order = place(&app, &member, 900, 100, NOW).await;
    let outcomes = at_once(|_| {
        let (app, member, order) = (app.clone(), member.clone(), order.clone());
        async move {
            let mut tx = app.db.begin().await.unwrap();
            let paid = progress::pay(&mut tx, &order, &member, NOW).await.unwrap();
            tx.commit().await.unwrap();
            paid.is_some()
        }
    })
    .await;
    assert_eq!(outcomes.into_iter().filter(|paid| *paid).count(), 1);
    assert_eq!(testing::balance(&app, &member).await, Fen(99_000));
    books_hold(&app).await;
}

async fn paid(app: &App) -> (domain::ids::MemberId, domain::ids::OrderId) {
    let member = testing::member(app).await;
    grant(app, &member, 1_000).await;
    let order = place(app, &member, 900, 100, NOW).await;
    let mut tx = app.db.begin().await.unwrap();
    progress::pay(&mut tx, &order, &member, NOW).await.unwrap();
    tx.commit().await.unwrap();
    (member, order)
}

async fn one_order_is_given_back_once(app: App) {
    let (member, order) = paid(&app).await;
    let outcomes = at_once(|_| {
        let (app, order) = (app.clone(), order.clone());
        async move { progress::refund(&app, &order, Part::Whole, "印坏了", NOW).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.into_iter().filter(|done| *done == Done::Now).count(), 1);
    assert_eq!(testing::balance(&app, &member).await, Fen(1_000));
    books_hold(&app).await;
}

async fn parts_are_never_more_than_the_whole(app: App) {
    let (member, order) = paid(&app).await;
    let outcomes = at_once(|index| {
        let (app, order) = (app.clone(), order.clone());
        let part = Part::Some { amount: Fen(300), key: format!("complaint-{index}") };
        async move { progress::refund(&app, &order, part, "补偿", NOW).await }
    })
    .await;
    let (done, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 3, "three times 3.00 of 10.00");
    for refusal in refused {
        let Err(Error::Conflict(sentence)) = refusal else { panic!("{refusal:?}") };
        assert_eq!(sentence, "最多还能退 ¥1.00，不能退 ¥3.00");
    }
    assert_eq!(testing::balance(&app, &member).await, Fen(900));
    books_hold(&app).await;
}

/// The member cancels while the operator gives back: the money comes once.
async fn one_order_is_cancelled_or_given_back(app: App) {
    let (member, order) = paid(&app).await;
    let outcomes = at_once(|index| {
        let (app, order, member) = (app.clone(), order.clone(), member.clone());
        async move {
            if index % 2 == 0 {
                progress::cancel(&app, &order, &member, NOW).await
            } else {
                progress::refund(&app, &order, Part::Whole, "印坏了", NOW).await
            }
        }
    })
    .await;
    let now = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Done::Now))).count();
    assert_eq!(now, 1);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(_) | Err(Error::Conflict(_)))));
    assert_eq!(testing::balance(&app, &member).await, Fen(1_000));
    let order = store::find(&app.db, &order).await.unwrap();
    assert_eq!(order.refunded, Fen(1_000));
    books_hold(&app).await;
}

async fn one_posting_key_posts_once(app: App) {
    let member = testing::member(&app).await;
    let outcomes = at_once(|index| {
        let (app, member) = (app.clone(), member.clone());
        // one in four asks for another amount under the same key
        let amount = if index % 4 == 3 { 200 } else { 100 };
        async move { ledger::grant(&app.db, &member, Fen(amount), "opening:same", NOW).await }
    })
    .await;
    let now = outcomes.iter().filter(|outcome| matches!(outcome, Ok(ledger::Posted::Now))).count();
    assert_eq!(now, 1);
    let balance = testing::balance(&app, &member).await;
    let reused = outcomes.iter().filter(|outcome| matches!(outcome, Err(Refusal::KeyReused))).count();
    assert_eq!((balance, reused), if balance == Fen(100) { (Fen(100), 16) } else { (Fen(200), 48) });
    books_hold(&app).await;
}

/// Sixty-four times the same money is told of, once with another amount.
async fn one_notification_credits_once(app: App) {
    let member = testing::member(&app).await;
    let payment = payments::begin(&app, &member, None, 5_000, NOW).await;
    let outcomes = at_once(|index| {
        let (app, payment) = (app.clone(), payment.clone());
        let amount = if index == 7 { 50_000 } else { 5_000 };
        async move { payments::arrive(&app, &payment, amount, "42000", NOW).await }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Some(true)).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_none()).count(), 1);
    assert_eq!(testing::balance(&app, &member).await, Fen(5_000));
    books_hold(&app).await;
}

/// Two payments from outside and the balance, for one order: it is paid once, the rest is in the balance.
async fn two_payments_of_one_order_pay_it_once(app: App) {
    let member = testing::member(&app).await;
    grant(&app, &member, 1_000).await;
    let order = place(&app, &member, 900, 100, NOW).await;
    let mut begun = Vec::new();
    for _ in 0..2 {
        begun.push(payments::begin(&app, &member, Some(order.clone()), 1_000, NOW).await);
    }
    at_once(|index| {
        let (app, member, order) = (app.clone(), member.clone(), order.clone());
        let payment = begun[index % 2].clone();
        async move {
            if index % 4 == 3 {
                let mut tx = app.db.begin().await.unwrap();
                if progress::pay(&mut tx, &order, &member, NOW).await.is_ok() {
                    tx.commit().await.unwrap();
                }
            } else {
                payments::arrive(&app, &payment, 1_000, payment.as_str(), NOW).await;
            }
        }
    })
    .await;
    assert_eq!(testing::balance(&app, &member).await, Fen(2_000));
    books_hold(&app).await;
}
