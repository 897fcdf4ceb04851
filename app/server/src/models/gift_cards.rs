//! One gift card and sixty-four hands at once: its money is somebody's exactly once, and the books hold.

use base::db::new_id;
use base::error::Error;
use domain::gift::Way;
use domain::gift_card::{LIFE_MS, Refused};
use domain::ids::{GiftCardId, MemberId, OrderId};
use domain::money::Fen;
use web::app::App;

use super::orders::place;
use super::orders_races::{AT_ONCE, at_once, books_hold};
use super::transfers;
use crate::testing;
use giftcards::cards::{self, Wanted};
use giftcards::store;
use giftcards::using::{self, NotUsed, Which};
use ledger::Refusal;
use orders::progress::{self, Part};

const NOW: i64 = 1_700_000_000_000;

on_both_engines!(
    a_card_is_redeemed_once,
    a_card_is_redeemed_or_given_back,
    a_card_is_paid_once,
    a_card_over_is_no_loss,
    many_orders_at_once_get_no_more_than_a_card_holds,
    using_cancelling_and_redeeming_at_once_loses_nothing,
    what_a_card_paid_comes_back_to_it_first,
);

/// A card of 88 yuan that its buyer has paid, and its buyer.
async fn bought(app: &App) -> (MemberId, GiftCardId) {
    let buyer = testing::member(app).await;
    ledger::grant(&app.db, &buyer, Fen(10_000), &format!("opening:{buyer}"), NOW).await.unwrap();
    let id = begun(app, &buyer).await;
    let mut tx = app.db.begin().await.unwrap();
    assert!(cards::pay(&mut tx, &id, &buyer, "balance", NOW).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(testing::balance(app, &buyer).await, Fen(1_200));
    (buyer, id)
}

async fn begun(app: &App, buyer: &MemberId) -> GiftCardId {
    let wanted = Wanted {
        amount: Fen(8_800),
        way: Way::Card,
        address: String::new(),
        receiver: "爷爷".into(),
        giver: "小雨".into(),
        words: String::new(),
    };
    cards::begin(app, buyer, &new_id::<String>(), wanted, NOW).await.unwrap()
}

async fn code(app: &App, id: &GiftCardId) -> domain::redeem_code::RedeemCode {
    cards::code(app, &store::find(&app.db, id).await.unwrap()).expect("a code")
}

async fn a_card_is_redeemed_once(app: App) {
    let (_, id) = bought(&app).await;
    let code = code(&app, &id).await;
    let hands = [testing::member(&app).await, testing::member(&app).await];
    let outcomes = at_once(|index| {
        let (app, member) = (app.clone(), hands[index % 2].clone());
        async move { using::redeem(&app, &member, Which::Code(&code), NOW).await }
    })
    .await;
    let redeemed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(redeemed, 1);
    for refused in outcomes.into_iter().filter_map(Result::err) {
        assert!(matches!(refused, NotUsed::Refused(Refused::Anothers | Refused::Empty)), "{refused}");
    }
    let theirs = [testing::balance(&app, &hands[0]).await, testing::balance(&app, &hands[1]).await];
    assert_eq!(Fen::sum(theirs).unwrap(), Fen(8_800));
    books_hold(&app).await;
}

async fn a_card_is_redeemed_or_given_back(app: App) {
    let (buyer, id) = bought(&app).await;
    let code = code(&app, &id).await;
    let hand = testing::member(&app).await;
    let outcomes = at_once(|index| {
        let (app, member, id) = (app.clone(), hand.clone(), id.clone());
        async move {
            match index % 2 {
                0 => using::redeem(&app, &member, Which::Code(&code), NOW).await.is_ok(),
                _ => match cards::refund(&app, &id, "没有送出去", NOW).await {
                    Ok(is_now) => is_now,
                    Err(Error::Conflict(_)) => false,
                    Err(error) => panic!("{error}"),
                },
            }
        }
    })
    .await;
    assert_eq!(outcomes.into_iter().filter(|moved| *moved).count(), 1);
    let both = [testing::balance(&app, &buyer).await, testing::balance(&app, &hand).await];
    assert_eq!(Fen::sum(both).unwrap(), Fen(10_000));
    books_hold(&app).await;
}

async fn a_card_is_paid_once(app: App) {
    let buyer = testing::member(&app).await;
    ledger::grant(&app.db, &buyer, Fen(20_000), &format!("opening:{buyer}"), NOW).await.unwrap();
    let id = begun(&app, &buyer).await;
    let outcomes = at_once(|_| {
        let (app, buyer, id) = (app.clone(), buyer.clone(), id.clone());
        async move {
            let mut tx = app.db.begin().await.unwrap();
            let is_now = cards::pay(&mut tx, &id, &buyer, "balance", NOW).await.unwrap();
            tx.commit().await.unwrap();
            is_now
        }
    })
    .await;
    assert_eq!((outcomes.len(), outcomes.into_iter().filter(|now| *now).count()), (AT_ONCE, 1));
    assert_eq!(testing::balance(&app, &buyer).await, Fen(11_200));
    books_hold(&app).await;
}

/// What is over keeps its money, until the shop makes it good again.
async fn a_card_over_is_no_loss(app: App) {
    let (_, id) = bought(&app).await;
    let code = code(&app, &id).await;
    let hand = testing::member(&app).await;
    let end = NOW + LIFE_MS;
    let late = using::keep(&app, &hand, &code, end).await;
    assert!(matches!(late, Err(NotUsed::Refused(Refused::Over(_)))));
    books_hold(&app).await;
    assert!(!cards::activate(&app, &id, end - 1).await.unwrap(), "it is good");
    assert!(cards::activate(&app, &id, end).await.unwrap());
    assert_eq!(using::redeem(&app, &hand, Which::Code(&code), end).await.unwrap(), Fen(8_800));
    assert!(cards::activate(&app, &id, end).await.is_err(), "it is used");
    books_hold(&app).await;
}

/// Pays an order from the balance and the cards on it: whether it was paid now.
async fn pay(app: &App, member: &MemberId, order: &OrderId) -> bool {
    let mut tx = app.db.begin().await.unwrap();
    match payments::cards::pay(app, &mut tx, order, member, NOW).await {
        Ok(paid) => {
            tx.commit().await.unwrap();
            paid.is_some()
        }
        Err(Refusal::InsufficientBalance | Refusal::Failed(Error::Conflict(_))) => false,
        Err(refusal) => panic!("{refusal}"),
    }
}

fn is_refused<T>(outcome: &Result<T, NotUsed>) -> bool {
    match outcome {
        Ok(_) => false,
        Err(NotUsed::Refused(_) | NotUsed::Failed(Error::Conflict(_))) => true,
        Err(error) => panic!("{error}"),
    }
}

async fn rest(app: &App, id: &GiftCardId) -> Fen {
    store::find(&app.db, id).await.unwrap().rest()
}

/// Sixty-four orders of 10 yuan, and a card of 88: eight are paid, what is left waits for the ninth.
async fn many_orders_at_once_get_no_more_than_a_card_holds(app: App) {
    let (_, id) = bought(&app).await;
    let code = code(&app, &id).await;
    let hand = testing::member(&app).await;
    let mut waiting = Vec::new();
    for _ in 0..AT_ONCE {
        waiting.push(place(&app, &hand, 900, 100, NOW).await);
    }
    let outcomes = at_once(|index| {
        let (app, hand, order) = (app.clone(), hand.clone(), waiting[index].clone());
        async move {
            is_refused(&using::put(&app, &hand, &order, Which::Code(&code), NOW).await);
            pay(&app, &hand, &order).await
        }
    })
    .await;
    assert_eq!(outcomes.into_iter().filter(|paid| *paid).count(), 8);
    assert_eq!((rest(&app, &id).await, testing::balance(&app, &hand).await), (Fen(800), Fen::ZERO));
    let left = using::redeem(&app, &hand, Which::Own(&id), NOW).await;
    assert!(matches!(left, Err(NotUsed::Refused(Refused::SetAside(Fen(800))))), "it is the ninth order's");
    books_hold(&app).await;
}

async fn using_cancelling_and_redeeming_at_once_loses_nothing(app: App) {
    let (_, id) = bought(&app).await;
    let code = code(&app, &id).await;
    let hand = testing::member(&app).await;
    ledger::grant(&app.db, &hand, Fen(5_000), &format!("opening:{hand}"), NOW).await.unwrap();
    using::keep(&app, &hand, &code, NOW).await.unwrap();
    let mut waiting = Vec::new();
    for _ in 0..8 {
        waiting.push(place(&app, &hand, 2_900, 100, NOW).await);
    }
    at_once(|index| {
        let (app, hand, id) = (app.clone(), hand.clone(), id.clone());
        let order = waiting[index / 8].clone();
        async move {
            match index % 8 {
                0..4 => {
                    is_refused(&using::put(&app, &hand, &order, Which::Own(&id), NOW).await);
                    pay(&app, &hand, &order).await;
                }
                4 => using::take_off(&app, &hand, &order, &id).await.unwrap(),
                5 => {
                    is_refused(&using::redeem(&app, &hand, Which::Own(&id), NOW).await);
                }
                _ => drop(progress::cancel(&app, &order, &hand, NOW).await),
            }
        }
    })
    .await;
    books_hold(&app).await;
    // what was paid is the order's, what was cancelled came back
    let mut paid = Fen::ZERO;
    for order in &waiting {
        let order = orders::store::find(&app.db, order).await.unwrap();
        if order.paid_at.is_some() {
            paid = paid.plus(order.kept()).unwrap();
        }
    }
    let theirs = [rest(&app, &id).await, testing::balance(&app, &hand).await, paid];
    assert_eq!(Fen::sum(theirs).unwrap(), Fen(13_800));
}

async fn what_a_card_paid_comes_back_to_it_first(app: App) {
    let (_, id) = bought(&app).await;
    let code = code(&app, &id).await;
    let hand = testing::member(&app).await;
    let whole = place(&app, &hand, 5_900, 100, NOW).await;
    using::put(&app, &hand, &whole, Which::Code(&code), NOW).await.unwrap();
    books_hold(&app).await;
    assert!(pay(&app, &hand, &whole).await);
    assert_eq!(rest(&app, &id).await, Fen(2_800));
    books_hold(&app).await;

    // the rest of it, and 22 yuan from outside; a transfer of what was due before is no payment of it
    let part = place(&app, &hand, 4_900, 100, NOW).await;
    let before = transfers::begin(&app, &hand, Some(part.clone()), 5_000, NOW).await;
    using::put(&app, &hand, &part, Which::Own(&id), NOW).await.unwrap();
    let due = transfers::begin(&app, &hand, Some(part.clone()), 2_200, NOW).await;
    assert_eq!(transfers::arrive(&app, &before, 5_000, "1", NOW).await, Some(true));
    assert_eq!(testing::balance(&app, &hand).await, Fen(5_000));
    assert_eq!(transfers::arrive(&app, &due, 2_200, "2", NOW).await, Some(true));
    assert_eq!((rest(&app, &id).await, testing::balance(&app, &hand).await), (Fen::ZERO, Fen(5_000)));
    books_hold(&app).await;

    let some = Part::Some { amount: Fen(3_000), key: "dent".into() };
    for _ in 0..2 {
        progress::refund(&app, &part, some.clone(), "封面有划痕", NOW).await.unwrap();
    }
    assert_eq!((rest(&app, &id).await, testing::balance(&app, &hand).await), (Fen(2_800), Fen(5_200)));
    books_hold(&app).await;
    progress::cancel(&app, &whole, &hand, NOW).await.unwrap();
    assert_eq!((rest(&app, &id).await, testing::balance(&app, &hand).await), (Fen(8_800), Fen(5_200)));
    books_hold(&app).await;
    assert_eq!(using::redeem(&app, &hand, Which::Own(&id), NOW).await.unwrap(), Fen(8_800));
    progress::refund(&app, &part, Part::Whole, "印坏了", NOW).await.unwrap();
    assert_eq!(testing::balance(&app, &hand).await, Fen(16_000));
    books_hold(&app).await;
}
