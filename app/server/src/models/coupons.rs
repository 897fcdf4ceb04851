//! One coupon and sixty-four orders at once: as many use it as may, whoever they are, and all of that comes back.

use base::db::{new_id, with_write};
use domain::coupon::{Priced, Refused};
use domain::ids::{CouponId, GoodsId, MemberId, OrderId};
use domain::money::Fen;
use web::app::App;

use super::orders_races::{at_once, books_hold};
use crate::testing;
use coupons::Offer;

const NOW: i64 = 1_700_000_000_000;

on_both_engines!(a_coupon_is_used_as_often_as_it_may_be, a_member_uses_it_once);

/// A coupon of 5 yuan with a word.
async fn coupon(app: &App, once: i64, most: i64) {
    let id: CouponId = new_id();
    with_write!(&app.db, |pool| sqlx::query(
        "insert into coupons (id, name, word, benefit, value, least, goods, valid_from, valid_until, once_a_member, most, codes,
                              made_by, created_at, agreed_at)
         values ($1, '开春', 'SPRING26', 'amount', 500, 0, '[]', 0, $2, $3, $4, 0, '站长', 0, 0)"
    )
    .bind(id.as_str())
    .bind(NOW + 1)
    .bind(once)
    .bind(most)
    .execute(pool)
    .await
    .map(drop))
    .unwrap();
}

async fn offered(app: &App, member: &MemberId) -> Offer {
    let goods: GoodsId = "album-210".parse().unwrap();
    let lines = [Priced { goods: &goods, price: Fen(9_000) }];
    coupons::offer(app, member, "spring26", &lines, NOW).await.unwrap().unwrap().expect("an offer")
}

async fn take(app: &App, offer: &Offer, order: &OrderId, member: &MemberId) -> Result<(), Refused> {
    let mut tx = app.db.begin().await.unwrap();
    let taken = coupons::take(&mut tx, offer, order, member, NOW).await.unwrap();
    if taken.is_ok() {
        tx.commit().await.unwrap();
    }
    taken
}

/// All take what they were offered at the same moment; how many did, and what the others were told.
async fn all_take(app: &App, members: &[MemberId]) -> (Vec<OrderId>, Vec<Refused>) {
    let mut offers = Vec::new();
    for member in members {
        offers.push(offered(app, member).await);
    }
    let outcomes = at_once(|index| {
        let at = index % members.len();
        let (app, member, offer) = (app.clone(), members[at].clone(), offers[at].clone());
        async move {
            let order: OrderId = new_id();
            take(&app, &offer, &order, &member).await.map(|()| order)
        }
    })
    .await;
    let (taken, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    (
        taken.into_iter().filter_map(Result::ok).collect(),
        refused.into_iter().filter_map(Result::err).collect(),
    )
}

async fn a_coupon_is_used_as_often_as_it_may_be(app: App) {
    coupon(&app, 0, 7).await;
    let members = [testing::member(&app).await, testing::member(&app).await];
    let (taken, refused) = all_take(&app, &members).await;
    assert_eq!((taken.len(), refused.len()), (7, 57));
    assert!(refused.iter().all(|refused| *refused == Refused::AllUsed), "{refused:?}");
    books_hold(&app).await;
    // given back twice at once, it is free once
    let order = taken[0].clone();
    at_once(|_| {
        let (app, order) = (app.clone(), order.clone());
        async move {
            let mut tx = app.db.begin().await.unwrap();
            coupons::give_back(&mut tx, &order, NOW).await.unwrap();
            tx.commit().await.unwrap();
        }
    })
    .await;
    assert_eq!(all_take(&app, &members).await.0.len(), 1);
    books_hold(&app).await;
}

async fn a_member_uses_it_once(app: App) {
    coupon(&app, 1, 1_000).await;
    let members = [testing::member(&app).await, testing::member(&app).await];
    let (taken, refused) = all_take(&app, &members).await;
    assert_eq!(taken.len(), 2);
    assert!(refused.iter().all(|refused| *refused == Refused::Before), "{refused:?}");
    books_hold(&app).await;
}
