//! One gift card and sixty-four hands at once: its money is somebody's exactly once, and the books hold.

use domain::gift::Way;
use domain::gift_card::{LIFE_MS, NotRedeemed};
use domain::ids::{GiftCardId, MemberId};
use domain::money::Fen;

use super::orders_races::{AT_ONCE, at_once, books_hold};
use crate::testing;
use giftcards::cards::{self, NotMoved, Wanted};
use giftcards::store;
use platform::app::App;
use platform::db::new_id;
use platform::error::Error;

const NOW: i64 = 1_700_000_000_000;

on_both_engines!(
    a_card_is_redeemed_once,
    a_card_is_redeemed_or_given_back,
    a_card_is_paid_once,
    a_card_over_is_no_loss
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
        async move { cards::redeem(&app, &member, &code, NOW).await }
    })
    .await;
    let redeemed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(redeemed, 1);
    for refused in outcomes.into_iter().filter_map(Result::err) {
        assert!(matches!(refused, NotMoved::Not(NotRedeemed::Used | NotRedeemed::Own)), "{refused}");
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
                0 => cards::redeem(&app, &member, &code, NOW).await.is_ok(),
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
    let late = cards::redeem(&app, &hand, &code, end).await;
    assert!(matches!(late, Err(NotMoved::Not(NotRedeemed::Over(_)))));
    books_hold(&app).await;
    assert!(!cards::activate(&app, &id, end - 1).await.unwrap(), "it is good");
    assert!(cards::activate(&app, &id, end).await.unwrap());
    assert_eq!(cards::redeem(&app, &hand, &code, end).await.unwrap(), Fen(8_800));
    assert!(cards::activate(&app, &id, end).await.is_err(), "it is used");
    books_hold(&app).await;
}
