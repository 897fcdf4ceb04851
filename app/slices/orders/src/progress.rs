//! What moves an order: paying, cancelling, sending, receiving; giving back is in [`crate::giving_back`]. Each is one
//! transaction over the order's locked row and the ledger, and does nothing when it was done before.

use base::audit;
use base::db::Tx;
use base::error::Error;
use base::jobs;
use domain::ids::{MemberId, OrderId};
use domain::ledger::{Posting, Source};
use domain::money::Fen;
use domain::order_state::{Actor, NotMoved, OrderState, SELF_CANCEL_MS};
use serde_json::json;
use web::app::App;
use web::approvals::{self, Outcome};
use web::notices::{self, Kind, Notice};

use super::print_files;
use super::store::{self, Order, Royalty};
use crate::giving_back::{CANCELLATION, Returning, give_back};
use crate::jobs::{MakePrintFiles, OrderDeadline};
use ledger::{self, Refusal};

pub use crate::giving_back::{Part, refund, refund_by};

/// Whether something was done now, or had been done before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Now,
    Before,
}

impl From<Done> for Outcome {
    fn from(done: Done) -> Self {
        (done == Done::Now).into()
    }
}

/// Moves an order, tells the floor, and lets it move on by itself when its time in the new state is over.
pub async fn enter(tx: &mut Tx, order: &Order, state: OrderState, note: &str, now: i64) -> Result<(), Error> {
    store::set_state(tx, &order.id, state, note, now).await?;
    match state {
        OrderState::Paid | OrderState::Reprint => {
            let told = store::to_make(tx, order, state).await?;
            production::announce(tx, &order.id, &told, now).await?;
        }
        OrderState::InProduction => production::begin(tx, &order.id, now).await?,
        OrderState::Shipped => production::ship(tx, &order.id, now).await?,
        OrderState::Cancelled | OrderState::Refunding => {
            production::drop(tx, &order.id, now).await?;
            // nothing of it was sold
            coupons::give_back(tx, &order.id, now).await?;
            if order.paid_at.is_none() && order.by_cards > Fen::ZERO {
                // what was set aside on them is free again, as the order waits for nothing any more
                store::set_by_cards(tx, &order.id, Fen::ZERO).await?;
            }
        }
        OrderState::Received => earn_markup(tx, order, now).await?,
        OrderState::Unpaid | OrderState::Completed | OrderState::Refunded => {}
    }
    wait_in(tx, &order.id, state, now).await
}

/// What was paid for somebody's work beside its printing is its maker's when the copies are there.
async fn earn_markup(tx: &mut Tx, order: &Order, now: i64) -> Result<(), Error> {
    let Some(Royalty { maker, held, .. }) = order.royalty.as_ref().filter(|royalty| royalty.held > Fen::ZERO)
    else {
        return Ok(());
    };
    store::set_markup(tx, &order.id, Fen::ZERO, *held).await?;
    let key = format!("order-markup:{}", order.id).parse().map_err(Error::internal)?;
    // a clerk may say that the parcel arrived
    approvals::gives_nothing("the buyer has paid it for the maker, and it can go to nobody else");
    let posting = Posting::markup_earning(key, maker, *held).map_err(Error::internal)?;
    ledger::post(tx, &posting, &format!("印刷本加价 {}", order.id), now).await.map_err(Error::internal)?;
    Ok(())
}

/// Queues what ends an order's time in a state.
pub async fn wait_in(tx: &mut Tx, id: &OrderId, state: OrderState, now: i64) -> Result<(), Error> {
    match state.deadline() {
        Some((ms, _)) => jobs::enqueue_at(tx, &OrderDeadline { order: id.clone() }, now + ms).await,
        None => Ok(()),
    }
}

/// Pays an order from its member's balance as part of a transaction, where what gift cards pay of it has been put before; `None`
/// when it was paid before. Its posting has one key, so it is paid once whoever asks. After a refusal the transaction must be dropped.
pub async fn pay(tx: &mut Tx, id: &OrderId, member: &MemberId, now: i64) -> Result<Option<Order>, Refusal> {
    let paid = pay_alone(tx, id, member, now).await?;
    if paid.is_some() {
        // what the member may still cancel is not made ready yet
        jobs::enqueue_for(tx, &MakePrintFiles { order: id.clone() }, member, now + SELF_CANCEL_MS + 1)
            .await?;
    }
    Ok(paid)
}

/// The same of an order whose files are made when somebody asks for them.
pub async fn pay_alone(
    tx: &mut Tx,
    id: &OrderId,
    member: &MemberId,
    now: i64,
) -> Result<Option<Order>, Refusal> {
    let order = store::lock_for_owner(tx, id, member).await?;
    match order.state.advance(OrderState::Paid, Actor::Member, order.times(now)) {
        Ok(state) => enter(tx, &order, state, "", now).await?,
        Err(NotMoved::AlreadyThere(_)) => return Ok(None),
        // it was paid before, and has moved on
        Err(_) if order.paid_at.is_some() && order.state.is_paid_for() => return Ok(None),
        Err(refused) => return Err(Error::Conflict(refused.to_string()).into()),
    }
    let key = format!("order-payment:{id}").parse().map_err(Error::internal)?;
    let mut posting = Posting::order_payment(key, member, Source::Balance, order.goods_total, order.shipping)
        .map_err(Error::internal)?;
    if let Some(Royalty { maker, markup, .. }) =
        order.royalty.as_ref().filter(|royalty| royalty.markup > Fen::ZERO)
    {
        posting = posting.with_markup(maker, *markup).map_err(Error::internal)?;
        store::set_markup(tx, id, *markup, Fen::ZERO).await?;
    }
    tell_staff(tx, Kind::OrderPaid, id, id.as_str()).await?;
    // last: it holds the accounts of the house until the commit
    ledger::post(tx, &posting, &format!("支付订单 {id}"), now).await?;
    Ok(Some(order))
}

/// Tells the shop what happens to an order.
async fn tell_staff(tx: &mut Tx, kind: Kind, id: &OrderId, about: &str) -> Result<(), Error> {
    let page = format!("/staff/orders/{id}");
    notices::tell(tx, Notice { kind, about, subject: id.as_str(), page: &page }).await?;
    Ok(())
}

/// The member cancels: while unpaid, or within 60 minutes after paying. What was paid goes back to the balance.
pub async fn cancel(app: &App, id: &OrderId, member: &MemberId, now: i64) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock_for_owner(&mut tx, id, member).await?;
    let state = match order.state.advance(OrderState::Cancelled, Actor::Member, order.times(now)) {
        Ok(state) => state,
        Err(NotMoved::AlreadyThere(_)) => return Ok(Done::Before),
        Err(refused) => return Err(Error::Conflict(refused.to_string())),
    };
    if order.paid_at.is_some() && order.kept() > Fen::ZERO {
        give_back(app, &mut tx, &order, &Returning::all(CANCELLATION, &order, "取消订单"), now).await?;
    }
    enter(&mut tx, &order, state, "", now).await?;
    tx.commit().await?;
    Ok(Done::Now)
}

/// The member asks the operator to cancel what it can't cancel by itself any more.
pub async fn request_cancellation(
    app: &App,
    id: &OrderId,
    member: &MemberId,
    reason: &str,
    now: i64,
) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock_for_owner(&mut tx, id, member).await?;
    if !may_request(&order, now) {
        return Err(Error::Conflict(format!("订单{}，不能申请取消", order.state)));
    }
    if !store::insert_request(&mut tx, id, reason, now).await? {
        return Ok(Done::Before);
    }
    store::add_event(&mut tx, id, order.state, &format!("申请取消：{reason}"), now).await?;
    // one that was declined may be asked once more
    tell_staff(&mut tx, Kind::RefundAsked, id, &format!("{id} {now}")).await?;
    tx.commit().await?;
    Ok(Done::Now)
}

/// Whether a member may ask for an order's cancellation: paid, not sent yet, and no longer its own to cancel.
pub fn may_request(order: &Order, now: i64) -> bool {
    let itself = order.state.advance(OrderState::Cancelled, Actor::Member, order.times(now));
    matches!(order.state, OrderState::Paid | OrderState::InProduction) && itself.is_err()
}

/// The operator says no to a member's request, and why.
pub async fn decline_cancellation(app: &App, id: &OrderId, answer: &str, now: i64) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    if !store::decide_request(&mut tx, id, false, answer, now).await? {
        return Ok(Done::Before);
    }
    store::add_event(&mut tx, id, order.state, &format!("取消申请未通过：{answer}"), now).await?;
    audit::note(&mut tx, "order decline", id.as_str(), &json!({ "answer": answer })).await?;
    let text = format!("【书坊】订单 {id} 的取消申请没有通过：{answer}");
    accounts::tell_member(app, &mut tx, &order.member, "书坊订单取消申请", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Done::Now)
}

/// What an operator moves an order to, besides refunds and what leaves with parcels ([`crate::sending`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Printing begins.
    Start,
    /// The carrier says that it arrived.
    Deliver,
}

impl Step {
    fn state(self) -> OrderState {
        match self {
            Self::Start => OrderState::InProduction,
            Self::Deliver => OrderState::Received,
        }
    }

    fn action(self) -> &'static str {
        match self {
            Self::Start => "order start",
            Self::Deliver => "order deliver",
        }
    }
}

/// The operator moves an order one step.
pub async fn take_step(app: &App, id: &OrderId, step: Step, now: i64) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let done = take_step_in(&mut tx, id, step, now).await?;
    if done == Done::Now {
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(done)
}

/// The same as part of a transaction.
async fn take_step_in(tx: &mut Tx, id: &OrderId, step: Step, now: i64) -> Result<Done, Error> {
    let order = store::lock(tx, id).await?;
    let state = match order.state.advance(step.state(), Actor::Staff, order.times(now)) {
        Ok(state) => state,
        Err(NotMoved::AlreadyThere(_)) => return Ok(Done::Before),
        Err(refused) => return Err(Error::Conflict(refused.to_string())),
    };
    if step == Step::Start && store::open_request(tx, id).await? {
        return Err(Error::Conflict("会员申请了取消，请先退款或答复".into()));
    }
    enter(tx, &order, state, "", now).await?;
    audit::note(tx, step.action(), id.as_str(), &json!({})).await?;
    Ok(Done::Now)
}

/// Printing of an order begins, as part of a transaction, unless it has begun.
///
/// # Errors
/// [`Error::Conflict`] where it may not: its member may still cancel it, or asks for that, or a line is on hold.
pub async fn start_in(tx: &mut Tx, id: &OrderId, now: i64) -> Result<(), Error> {
    take_step_in(tx, id, Step::Start, now).await.map(drop)
}

/// The member confirms that the parcel arrived.
pub async fn receive(app: &App, id: &OrderId, member: &MemberId, now: i64) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock_for_owner(&mut tx, id, member).await?;
    match order.state.advance(OrderState::Received, Actor::Member, order.times(now)) {
        Ok(state) => enter(&mut tx, &order, state, "", now).await?,
        Err(NotMoved::AlreadyThere(_)) => return Ok(Done::Before),
        Err(_) if order.state == OrderState::Completed => return Ok(Done::Before),
        Err(refused) => return Err(Error::Conflict(refused.to_string())),
    }
    tx.commit().await?;
    Ok(Done::Now)
}

/// The job: moves an order whose time in its state is over. One that moved meanwhile has a deadline of its own.
pub async fn meet_deadline(app: &App, id: &OrderId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    let Some((ms, to)) = order.state.deadline() else { return Ok(()) };
    if now < order.state_since + ms {
        return Ok(());
    }
    let state = order.state.advance(to, Actor::System, order.times(now)).map_err(Error::internal)?;
    let note = match state {
        OrderState::Cancelled => "超过 7 天没有付款，自动关闭",
        OrderState::Received => "发货 15 天，自动确认收货",
        _ => "",
    };
    enter(&mut tx, &order, state, note, now).await?;
    tx.commit().await?;
    if state == OrderState::Completed {
        print_files::forget(app, id).await?;
    }
    Ok(())
}
