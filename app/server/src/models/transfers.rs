//! Payments without a provider, for tests of what they do to money: bank transfers, which only the operator knows of.

use domain::ids::{MemberId, OrderId, PaymentId};
use domain::money::Fen;
use domain::payment::{Method, PaymentState, RefundState};

use base::db::new_id;
use payments::providers::Receipt;
use payments::refund::{self, NotSent};
use payments::settle::{Settled, Unsettled, settle_now};
use payments::store::{self, Payment};
use web::app::App;
use web::approvals::By;

/// A member begins a transfer, for an order or to recharge.
pub async fn begin(app: &App, member: &MemberId, order: Option<OrderId>, amount: i64, now: i64) -> PaymentId {
    let id: PaymentId = new_id();
    let payment = Payment {
        id: id.clone(),
        member: member.clone(),
        method: Method::Transfer,
        order,
        bill: None,
        amount: Fen(amount),
        state: PaymentState::Pending,
        provider_number: None,
        pay_url: None,
        reference: Some(id.to_string()),
        paid_order: false,
        created_at: now,
        expires_at: now + 1_000,
        paid_at: None,
    };
    let mut tx = app.db.begin().await.unwrap();
    assert!(store::insert(&mut tx, &payment, id.as_str()).await.unwrap());
    tx.commit().await.unwrap();
    id
}

/// Its time is over.
pub async fn close(app: &App, payment: &PaymentId) {
    store::close(&app.db, payment).await.unwrap();
}

/// Somebody tells that money arrived: whether it counted now, or before; `None` when it is refused.
pub async fn arrive(app: &App, payment: &PaymentId, amount: i64, number: &str, now: i64) -> Option<bool> {
    let receipt = Receipt { payment: payment.clone(), number: Some(number.to_owned()), amount: Fen(amount) };
    match settle_now(app, Method::Transfer, &receipt, now).await {
        Ok(settled) => Some(settled == Settled::Now),
        Err(Unsettled::Failed(error)) => panic!("{error}"),
        Err(_) => None,
    }
}

/// The operator asks for a part of it to be sent back, answered likewise.
pub async fn send_back(app: &App, payment: &PaymentId, amount: i64, key: &str) -> Option<bool> {
    match refund::ask(app, payment, Some(Fen(amount)), key, By::OwnRight).await {
        Ok((_, now)) => Some(now),
        Err(NotSent::Failed(error)) => panic!("{error}"),
        Err(_) => None,
    }
}

/// The bank sent it, or did not; false when it had come to its other end, or nobody asked for it.
pub async fn end(app: &App, payment: &PaymentId, key: &str, sent: bool) -> bool {
    let end = if sent { RefundState::Done } else { RefundState::Failed };
    match refund::end_by_hand(app, payment, key, end, By::OwnRight).await {
        Ok(_) => true,
        Err(NotSent::Failed(error)) => panic!("{error}"),
        Err(_) => false,
    }
}
