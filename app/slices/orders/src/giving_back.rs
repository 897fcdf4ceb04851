//! What goes back of a paid order: all that is left, an amount, or what copies of its lines cost. Each is one transaction over
//! the order's locked row and the ledger, and does nothing when it was done before.

use base::audit;
use base::db::Tx;
use base::error::Error;
use domain::ids::OrderId;
use domain::ledger::{Posting, Source};
use domain::money::Fen;
use domain::order_refund::{self, Back, Problem, reckon, share, unsent_of};
use domain::order_state::{Actor, OrderState};
use domain::parcel::{self, Copies};
use serde_json::json;
use web::app::App;
use web::approvals::{self, By};
use web::slice::Event;

use crate::progress::{Done, enter};
use crate::sending::{in_words, settle, title_of};
use crate::staff::second;
use crate::store::parcels::sending;
use crate::store::{self, Order, Royalty, refunded};
use ledger::{self, Refusal};

/// The keys of refunds that are nobody's word: the sign is in no word that an operator may give.
/// The whole order is given back at once.
const WHOLE: &str = "=whole";
/// A cancelled order's payment goes back.
pub const CANCELLATION: &str = "=cancellation";

/// How much an operator gives back.
#[derive(Debug, Clone)]
pub enum Part {
    /// All that is left: the order ends.
    Whole,
    /// A part, under a key by which a repeat is known; the order goes on.
    Some { amount: Fen, key: String },
    /// What copies of its lines cost, under such a key. They are not made and not sent any more.
    Copies(OfCopies),
}

/// Copies whose money goes back.
#[derive(Debug, Clone)]
pub struct OfCopies {
    pub copies: Copies,
    /// What was paid for sending goes back, too.
    pub with_shipping: bool,
    pub key: String,
    /// What somebody else agreed to.
    pub agreed: Option<Fen>,
    /// What a page has seen of the order ([`seen`]).
    pub seen: Option<String>,
}

/// What a page has seen of an order's money and parcels: what is refunded then is another thing once one of them changed.
pub fn seen(order: &Order, sending: &store::parcels::Sending) -> String {
    let unsent: u32 = sending.rest(order.state).values().sum();
    format!("{}-{unsent}-{}", order.refunded.0, sending.parcels.len())
}

/// What is about to go back.
#[derive(Debug)]
pub struct Returning<'a> {
    /// Tells it from what is given back of the order besides.
    key: &'a str,
    amount: Fen,
    reason: &'a str,
    /// What of the maker's part may stay.
    markup: Fen,
}

impl<'a> Returning<'a> {
    /// All that is left of an order.
    pub fn all(key: &'a str, order: &Order, reason: &'a str) -> Self {
        Self { key, amount: order.kept(), reason, markup: Fen::ZERO }
    }
}

/// Copies whose money goes back, with what that means for the order.
struct Struck {
    copies: Copies,
    /// Those of them that were not sent.
    unmade: Copies,
    /// What is still to be sent afterwards.
    left: Copies,
    back: Back,
    round: i64,
    /// What of the maker's part is of the copies that stay.
    markup: Fen,
}

/// The operator gives back a paid order's money, to the member's balance. Never more than was paid.
pub async fn refund(app: &App, id: &OrderId, part: Part, reason: &str, now: i64) -> Result<Done, Error> {
    let done = refund_by(app, id, part, reason, By::OwnRight, now).await?;
    done.ok_or_else(|| Error::internal("the host needs nobody else"))
}

/// The same in the back office; `None`, and nothing is done, where whoever acts may not give that much alone, or the request
/// was decided before.
///
/// # Errors
/// [`Error::Conflict`]: more than is left, copies that are not there, an order that changed since the page was read.
pub async fn refund_by(
    app: &App,
    id: &OrderId,
    part: Part,
    reason: &str,
    by: By<'_>,
    now: i64,
) -> Result<Option<Done>, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    if was_done(&mut tx, &order, &part).await? {
        return Ok(Some(Done::Before));
    }
    if let (OrderState::Refunded, Part::Some { amount, .. }) = (order.state, &part) {
        return Err(too_much(&order, *amount));
    }
    if !order.state.is_paid_for() {
        return Err(Error::Conflict(format!("订单{}，没有可退的款项", order.state)));
    }
    let (key, amount, struck) = match part {
        Part::Whole => (WHOLE.to_owned(), order.kept(), None),
        Part::Some { amount, key } => (key, amount, None),
        Part::Copies(of) => {
            let struck = strike(&mut tx, &order, &of).await?;
            (of.key, struck.back.amount().map_err(Error::internal)?, Some(struck))
        }
    };
    if amount > order.kept() || amount <= Fen::ZERO {
        return Err(too_much(&order, amount));
    }
    if !approvals::gives(app, &mut tx, by, second::thing(id), amount, now).await? {
        return Ok(None);
    }
    let markup = struck.as_ref().map_or(order.kept(), |struck| struck.markup);
    give_back(app, &mut tx, &order, &Returning { key: &key, amount, reason, markup }, now).await?;
    let titles = store::titles_in(&mut tx, id).await?;
    let what = struck.as_ref().map(|struck| in_words(&titles, &struck.copies));
    let said = what.as_ref().map(|what| format!("{what}，")).unwrap_or_default();
    let way_back = order.way_back(amount);
    let sentence = format!("{said}退回{way_back}：{reason}");
    let is_whole = struck.as_ref().map_or(amount == order.kept(), |struck| struck.back.is_last);
    if let Some(struck) = &struck {
        let Struck { copies, unmade, left, back, round, .. } = struck;
        refunded::insert(&mut tx, id, &key, copies, unmade, *round, back).await?;
        if !is_whole {
            production::make_fewer(&mut tx, id, unmade, left, now).await?;
        }
    }
    if is_whole {
        let times = order.times(now);
        let refunding = order
            .state
            .advance(OrderState::Refunding, Actor::Staff, times)
            .map_err(|refused| Error::Conflict(refused.to_string()))?;
        enter(&mut tx, &order, refunding, &sentence, now).await?;
        let refunded =
            refunding.advance(OrderState::Refunded, Actor::Staff, times).map_err(Error::internal)?;
        enter(&mut tx, &order, refunded, "", now).await?;
        store::decide_request(&mut tx, id, true, "", now).await?;
    } else if let Some(state) = struck.as_ref().and_then(|struck| sent_by_now(&order, struck, now)) {
        // what was asked for of it is done: the rest has left
        enter(&mut tx, &order, state, &format!("{sentence}。其余的都已经寄出"), now).await?;
        store::decide_request(&mut tx, id, true, "", now).await?;
    } else {
        store::add_event(&mut tx, id, order.state, &format!("部分退款：{sentence}"), now).await?;
    }
    let mut detail = json!({ "amount": amount, "key": key, "reason": reason });
    if let Some(struck) = &struck {
        detail["copies"] = json!(struck.copies);
        detail["shipping"] = json!(struck.back.shipping);
    }
    audit::note(&mut tx, "order refund", id.as_str(), &detail).await?;
    let of = what.map(|what| format!("里{what}退款，")).unwrap_or_else(|| " 的 ".to_owned());
    let whither = match order.to_cards(amount) {
        Fen::ZERO => "您的账户余额".to_owned(),
        _ => way_back,
    };
    let text = format!("【书坊】订单 {id}{of}¥{} 已退回{whither}。原因：{reason}", amount.grouped());
    accounts::tell_member(app, &mut tx, &order.member, "书坊订单已退款", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Some(Done::Now))
}

/// What goes back for copies of an order as it is now.
///
/// # Errors
/// As [`refund_by`].
pub async fn price(app: &App, id: &OrderId, of: &OfCopies) -> Result<Fen, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    strike(&mut tx, &order, of).await?.back.amount().map_err(Error::internal)
}

/// Whether just this was given back before.
///
/// # Errors
/// [`Error::Conflict`] where something else was, under the same key.
async fn was_done(tx: &mut Tx, order: &Order, part: &Part) -> Result<bool, Error> {
    let (key, asked) = match part {
        Part::Whole => return Ok(order.state == OrderState::Refunded),
        Part::Some { amount, key } => (key, Some(*amount)),
        Part::Copies(of) => (&of.key, None),
    };
    let Some(before) = store::refund_amount(tx, &order.id, key).await? else { return Ok(false) };
    let copies = refunded::of_refund(tx, &order.id, key).await?.map(|(copies, _)| copies);
    let is_same = match part {
        Part::Copies(of) => copies.as_ref() == Some(&without_none(&of.copies)),
        _ => copies.is_none() && asked == Some(before),
    };
    match (is_same, asked) {
        (true, _) => Ok(true),
        (false, Some(asked)) => Err(Error::Conflict(format!(
            "以 {key} 为名退过 ¥{}，不是 ¥{}",
            before.grouped(),
            asked.grouped()
        ))),
        (false, None) => {
            Err(Error::Conflict(format!("以 {key} 为名退过 ¥{}，退的不是这几本", before.grouped())))
        }
    }
}

fn without_none(copies: &Copies) -> Copies {
    copies.iter().filter(|(_, copies)| **copies > 0).map(|(line, copies)| (*line, *copies)).collect()
}

/// Reckons what goes back for copies of a locked order, and what is left to send. Nothing of it is written down yet.
async fn strike(tx: &mut Tx, order: &Order, of: &OfCopies) -> Result<Struck, Error> {
    let mut sending = sending(tx, order).await?;
    if of.seen.as_ref().is_some_and(|known| *known != seen(order, &sending)) {
        return Err(Error::Conflict("这个订单刚刚有变化（退过款或寄过包裹），请看清现在的样子再退".into()));
    }
    settle(tx, order, &mut sending).await?;
    let paid = refunded::paid(tx, order).await?;
    let back = match reckon(&paid, &of.copies, of.with_shipping) {
        Ok(back) => back,
        Err(Problem::TooMany { line, left }) => {
            let titles = store::titles_in(tx, &order.id).await?;
            let sentence = match title_of(&titles, line) {
                "" => format!("订单里没有第 {line} 行"),
                title => format!("《{title}》{}", Problem::TooMany { line, left }),
            };
            return Err(Error::Conflict(sentence));
        }
        Err(Problem::Money(error)) => return Err(Error::internal(error)),
        Err(problem) => return Err(Error::Conflict(problem.to_string())),
    };
    let amount = back.amount().map_err(Error::internal)?;
    if of.agreed.is_some_and(|agreed| agreed != amount) {
        let sentence = format!("这几本现在该退 ¥{}，与提出时不同了，请撤回再提", amount.grouped());
        return Err(Error::Conflict(sentence));
    }
    let copies = without_none(&of.copies);
    let rest = sending.rest(order.state);
    let unmade = unsent_of(&copies, &rest);
    let left = parcel::rest(&rest, [&unmade]);
    if amount == order.kept() && !back.is_last && !left.is_empty() {
        let sentence = "退了这几本，付的钱就全退完了，可还有书没有寄。要么全部退款，要么少退几本";
        return Err(Error::Conflict(sentence.into()));
    }
    let gone = |line: &order_refund::Line, number: &i64| {
        line.refunded.saturating_add(copies.get(number).copied().unwrap_or(0))
    };
    let (all, refunded) = paid.lines.iter().fold((0u32, 0u32), |(all, refunded), (number, line)| {
        (all.saturating_add(line.copies), refunded.saturating_add(gone(line, number)))
    });
    let markup = order.royalty.as_ref().map_or(Fen::ZERO, |royalty| royalty.markup);
    let markup = share(markup, refunded, all).and_then(|gone| markup.minus(gone)).map_err(Error::internal)?;
    Ok(Struck { copies, unmade, left, back, round: sending.times_again(), markup })
}

/// The state of an order that has nothing left to send once copies are struck, where that ends its making.
fn sent_by_now(order: &Order, struck: &Struck, now: i64) -> Option<OrderState> {
    let is_made = matches!(order.state, OrderState::Paid | OrderState::InProduction | OrderState::Reprint);
    let ends = is_made && struck.left.is_empty();
    ends.then(|| order.state.advance(OrderState::Shipped, Actor::Staff, order.times(now)).ok()).flatten()
}

fn too_much(order: &Order, amount: Fen) -> Error {
    Error::Conflict(format!("最多还能退 ¥{}，不能退 ¥{}", order.kept().grouped(), amount.grouped()))
}

/// Money of an order was given back. Told in the transaction that gives it back and holds the order's row.
#[derive(Debug)]
pub struct GivenBack {
    pub order: OrderId,
    /// What is left of the order to be invoiced ([`Order::invoiced`]).
    pub rest: Fen,
}

impl Event for GivenBack {}

/// The same money is in the member's balance now. Told at the end of that transaction.
#[derive(Debug)]
pub struct Returned {
    pub order: OrderId,
    pub amount: Fen,
    /// Tells what is given back of an order from what was given back before.
    pub key: String,
}

impl Event for Returned {}

/// Puts an order's money back on the member's balance, notes it on the order and tells whoever follows: what gift cards paid goes on
/// to them.
pub async fn give_back(
    app: &App,
    tx: &mut Tx,
    order: &Order,
    returning: &Returning<'_>,
    now: i64,
) -> Result<(), Error> {
    let Returning { key, amount, reason, markup } = *returning;
    let to_cards = order.to_cards(amount);
    store::insert_refund(tx, &order.id, key, (amount, to_cards), reason, now).await?;
    let refunded = order.refunded.plus(amount).map_err(Error::internal)?;
    let back_to_cards = order.back_to_cards.plus(to_cards).map_err(Error::internal)?;
    let after = Order { refunded, back_to_cards, ..order.clone() };
    app.house.tell(tx, &GivenBack { order: order.id.clone(), rest: after.invoiced() }).await?;
    return_markup(tx, order, after.kept().min(markup), key, now).await?;
    let returned = Returned { order: order.id.clone(), amount, key: key.to_owned() };
    let key = format!("order-refund:{}:{key}", order.id).parse().map_err(Error::internal)?;
    let posting = Posting::refund(key, &order.member, Source::Balance, amount).map_err(Error::internal)?;
    let memo = format!("退款 {}：{reason}", order.id);
    match ledger::post(tx, &posting, &memo, now).await {
        Ok(_) => app.house.tell(tx, &returned).await,
        Err(Refusal::Failed(error)) => Err(error),
        Err(refusal) => Err(Error::internal(refusal)),
    }
}

/// Of an order whose money goes back, what is left pays for the printing first: of the maker's part no more than `most` stays.
async fn return_markup(tx: &mut Tx, order: &Order, most: Fen, key: &str, now: i64) -> Result<(), Error> {
    let Some(Royalty { maker, held, .. }) = order.royalty.as_ref().filter(|royalty| royalty.held > most)
    else {
        return Ok(());
    };
    let back = held.minus(most).map_err(Error::internal)?;
    store::set_markup(tx, &order.id, most, Fen::ZERO).await?;
    let key = format!("order-markup-return:{}:{key}", order.id).parse().map_err(Error::internal)?;
    let posting = Posting::markup_return(key, maker, back).map_err(Error::internal)?;
    ledger::post(tx, &posting, &format!("退回印刷本加价 {}", order.id), now)
        .await
        .map_err(Error::internal)?;
    Ok(())
}
