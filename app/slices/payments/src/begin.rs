//! Beginning a payment from outside: one for each rendered form, however often it is sent.

use base::db::{Tx, new_id};
use base::error::Error;
use base::jobs;
use domain::ids::{OrderId, PaymentId};
use domain::money::Fen;
use domain::payment::{MOST_OPEN, Method, PaymentState, next_question};
use rand::RngExt;
use web::app::App;
use web::session::Member;

use super::providers;
use super::store::{self, Bill, Payment};
use crate::jobs::FollowPayment;

/// How long a payment of the same order must be good for to be shown in the place of a new one, in ms.
const LEFT_MS: i64 = 2 * 60_000;
/// How many references are drawn for a transfer before it is given up; they are taken once in a trillion.
const ROUNDS: usize = 8;

/// What a form asks for.
pub struct Wanted {
    pub method: Method,
    /// Without an order and a bill it is a recharge.
    pub order: Option<OrderId>,
    pub bill: Option<Bill>,
    pub amount: Fen,
    pub request_key: String,
}

/// Why nothing was begun, as a sentence for the member.
#[derive(Debug, thiserror::Error)]
pub enum Obstacle {
    #[error("这种付款方式现在不可用，请换一种")]
    NotOffered,
    #[error("金额或付款方式变了，请核对后再提交一次")]
    FormChanged,
    #[error("您有 {MOST_OPEN} 笔付款还没有完成，请先完成或等它们过期")]
    TooMany,
    #[error("{0}现在没有回应，还没有扣款。请稍后再试，或换一种付款方式")]
    Silent(Method),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for Obstacle {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Begins a payment, or finds the one that the same form began. The amount is ours: what is due of the order, or what the
/// member typed for a recharge, already checked.
pub async fn begin(app: &App, member: &Member, wanted: Wanted, now: i64) -> Result<PaymentId, Obstacle> {
    let ways = super::ways(app)?;
    if !ways.has(wanted.method) {
        return Err(Obstacle::NotOffered);
    }
    let mut tx = app.db.begin().await?;
    let payment = match store::begun_by(&mut tx, &member.id, &wanted.request_key).await? {
        Some(payment) => {
            let same = (payment.method, &payment.order, &payment.bill, payment.amount)
                == (wanted.method, &wanted.order, &wanted.bill, wanted.amount);
            if !same {
                return Err(Obstacle::FormChanged);
            }
            payment
        }
        None => {
            if let Some(order) = &wanted.order
                && let Some(id) =
                    store::open_of_order(&mut tx, order, wanted.method, wanted.amount, now + LEFT_MS).await?
            {
                return Ok(id);
            }
            if let Some(bill) = &wanted.bill {
                let until = now + LEFT_MS;
                if let Some(id) = store::open_of_bill(&mut tx, bill, &member.id, wanted.method, until).await?
                {
                    return Ok(id);
                }
            }
            if store::count_open(&mut tx, &member.id, now).await? >= MOST_OPEN {
                return Err(Obstacle::TooMany);
            }
            insert(&mut tx, member, wanted, now).await?
        }
    };
    tx.commit().await?;
    let waits = payment.state == PaymentState::Pending && payment.pay_url.is_none();
    if waits && let Some(provider) = ways.provider(payment.method) {
        // the row is there first: a notification may overtake this answer
        let bill = providers::Bill {
            id: &payment.id,
            amount: payment.amount,
            title: &payment.title(),
            expires_at: payment.expires_at,
        };
        match provider.begin(&bill, now).await {
            Ok(pay_url) => store::set_pay_url(&app.db, &payment.id, &pay_url).await?,
            Err(failure) => {
                tracing::warn!(payment = %payment.id, method = payment.method.code(), %failure, "A payment could not be begun");
                return Err(Obstacle::Silent(payment.method));
            }
        }
    }
    Ok(payment.id)
}

async fn insert(tx: &mut Tx, member: &Member, wanted: Wanted, now: i64) -> Result<Payment, Obstacle> {
    let mut payment = Payment {
        id: new_id(),
        member: member.id.clone(),
        method: wanted.method,
        order: wanted.order,
        bill: wanted.bill,
        amount: wanted.amount,
        state: PaymentState::Pending,
        provider_number: None,
        pay_url: None,
        reference: None,
        paid_order: false,
        created_at: now,
        expires_at: now + wanted.method.life_ms(),
        paid_at: None,
    };
    for _ in 0..ROUNDS {
        payment.reference = (wanted.method == Method::Transfer).then(new_reference);
        if store::insert(tx, &payment, &wanted.request_key).await? {
            let ask_at = match wanted.method {
                Method::Transfer => payment.expires_at,
                _ => next_question(now, payment.expires_at, now),
            };
            jobs::enqueue_at(tx, &FollowPayment { payment: payment.id.clone() }, ask_at).await?;
            return Ok(payment);
        }
        // the same form, sent twice at once
        if let Some(before) = store::begun_by(tx, &member.id, &wanted.request_key).await? {
            return Ok(before);
        }
    }
    Err(Error::internal("no free reference was found").into())
}

/// Eight characters that nobody confuses when they are written on a transfer.
fn new_reference() -> String {
    const LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    let mut random = rand::rng();
    (0..8).map(|_| char::from(LETTERS[random.random_range(0..LETTERS.len())])).collect()
}
