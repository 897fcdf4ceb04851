//! What leaves with an order's parcels, and what is printed once more. Each is one transaction over the order's locked row, and
//! does nothing when it was done before: a parcel is known by its waybill.

use base::audit;
use base::db::Tx;
use base::error::Error;
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_state::{Actor, NotMoved, OrderState};
use domain::parcel::{self, ContentsProblem, Copies, Reason, tracking_number};
use serde_json::{Value, json};
use web::app::App;

use crate::progress::{Done, enter};
use crate::store::parcels::{self, Parcel, Reprint, Sending, sending};
use crate::store::{self, Order, Title, Waybill};

/// The copies in a few words: `《海边》2 本，《山里》1 本`.
pub fn in_words(titles: &[Title], copies: &Copies) -> String {
    let words: Vec<String> =
        copies.iter().map(|(line, copies)| format!("《{}》{copies} 本", title_of(titles, *line))).collect();
    words.join("，")
}

/// The title of a line; empty where there is no such line.
pub fn title_of(titles: &[Title], line: i64) -> &str {
    titles.iter().find(|title| title.position == line).map_or("", |title| title.title.as_str())
}

/// A problem of copies with the title that it is about.
fn with_title(titles: &[Title], problem: &ContentsProblem) -> Error {
    Error::Conflict(match problem {
        ContentsProblem::TooMany { line, .. } => format!("《{}》{problem}", title_of(titles, *line)),
        ContentsProblem::Nothing => problem.to_string(),
    })
}

fn audited(number: i64, waybill: &Waybill, contents: &Copies) -> Value {
    let Waybill { carrier, tracking } = waybill;
    json!({ "parcel": number, "carrier": carrier, "tracking": tracking, "copies": contents })
}

/// Writes down what a program did that kept neither parcels nor what was printed again, before something is added to it.
pub async fn settle(tx: &mut Tx, order: &Order, sending: &mut Sending) -> Result<(), Error> {
    for parcel in sending.parcels.iter_mut().filter(|parcel| !parcel.is_kept) {
        parcels::delete(tx, &order.id, parcel.number).await?;
        parcels::insert(tx, &order.id, parcel, order.state_since).await?;
        parcel.is_kept = true;
    }
    if sending.is_untold(order.state) && !sending.ordered.is_empty() {
        let (number, copies) = (sending.next_reprint(), sending.kept());
        let reprint = Reprint { number, copies, reason: Reason::Other, note: String::new(), cost: Fen::ZERO };
        parcels::insert_reprint(tx, &order.id, &reprint, "", order.state_since).await?;
        sending.reprints.push(reprint);
    }
    Ok(())
}

/// Copies were handed to a carrier: those that are named, else all that is left. When nothing is left the order is sent.
///
/// Of an order that went as one parcel another waybill puts the first one right.
///
/// # Errors
/// [`Error::Conflict`] where it can't be sent, more is named than is left, or the waybill is another parcel's.
pub async fn send(
    app: &App,
    id: &OrderId,
    waybill: &Waybill,
    contents: Option<Copies>,
    now: i64,
) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    let mut sending = sending(&mut tx, &order).await?;
    let state = match order.state.advance(OrderState::Shipped, Actor::Staff, order.times(now)) {
        Ok(state) => Some(state),
        Err(NotMoved::AlreadyThere(_)) => None,
        Err(refused) => return Err(Error::Conflict(refused.to_string())),
    };
    let contents = contents.map(|mut contents| {
        contents.retain(|_, copies| *copies > 0);
        contents
    });
    let rest = sending.rest(order.state);
    if let Some(known) = sending.with(waybill) {
        let is_same = contents.as_ref().map_or(rest.is_empty(), |contents| *contents == known.contents);
        return if is_same && sending.round().iter().any(|parcel| parcel.number == known.number) {
            Ok(Done::Before)
        } else {
            let Waybill { carrier, tracking } = waybill;
            Err(Error::Conflict(format!("{carrier} {tracking} 已经是第 {} 个包裹的运单", known.number)))
        };
    }
    let Some(state) = state else {
        return match sending.parcels.as_slice() {
            [only] if contents.is_none() => {
                let number = only.number;
                settle(&mut tx, &order, &mut sending).await?;
                put_right(app, tx, &order, number, waybill, now).await
            }
            _ => Err(Error::Conflict("订单已经全部寄出；要更正运单，请在订单页上选是哪个包裹".into())),
        };
    };
    let titles = store::titles_in(&mut tx, id).await?;
    let contents = contents.unwrap_or_else(|| rest.clone());
    parcel::check(&contents, &rest).map_err(|problem| with_title(&titles, &problem))?;
    settle(&mut tx, &order, &mut sending).await?;
    let number = sending.next_number();
    let parcel = Parcel { number, waybill: waybill.clone(), contents, sent_at: Some(now), is_kept: true };
    parcels::insert(&mut tx, id, &parcel, now).await?;
    store::set_waybill(&mut tx, id, Some(waybill)).await?;
    let left = parcel::rest(&rest, [&parcel.contents]);
    // whether all of it goes at once
    let (Waybill { carrier, tracking }, is_whole) = (waybill, rest == sending.kept());
    let words = in_words(&titles, &parcel.contents);
    let text = if left.is_empty() {
        let note = if is_whole {
            format!("{carrier} {tracking}")
        } else {
            format!("第 {number} 个包裹：{carrier} {tracking}，{words}")
        };
        enter(&mut tx, &order, state, &note, now).await?;
        let what = match (is_whole, sending.round().is_empty()) {
            (true, _) => "",
            (false, true) => "重印的部分",
            (false, false) => "的其余部分",
        };
        format!("【书坊】订单 {id} {what}已由{carrier}发出，运单号 {tracking}。")
    } else {
        let gone: Vec<i64> =
            parcel.contents.keys().copied().filter(|line| !left.contains_key(line)).collect();
        let lines: Vec<i64> = parcel.contents.keys().copied().collect();
        production::send(&mut tx, id, &lines, &gone, now).await?;
        let note = format!("第 {number} 个包裹：{carrier} {tracking}，{words}");
        store::add_event(&mut tx, id, order.state, &note, now).await?;
        format!(
            "【书坊】订单 {id} 先寄出一部分：{words}，已由{carrier}发出，运单号 {tracking}。其余的做好再寄。"
        )
    };
    audit::note(&mut tx, "order ship", id.as_str(), &audited(number, waybill, &parcel.contents)).await?;
    accounts::tell_member(app, &mut tx, &order.member, "书坊订单已发货", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Done::Now)
}

/// A number is used again once its parcel was withdrawn: what a page has seen of it tells which one is meant.
fn check_seen(parcel: &Parcel, seen: &str) -> Result<(), Error> {
    let known = &parcel.waybill.tracking;
    if seen.is_empty() || tracking_number(seen) == tracking_number(known) {
        return Ok(());
    }
    Err(Error::Conflict(format!("第 {} 个包裹刚刚有变化，现在是 {known}，请核对后再办", parcel.number)))
}

/// A waybill was wrong: the parcel has another one; `seen` is the number that the page showed.
///
/// # Errors
/// [`Error::NotFound`] where there is no such parcel, [`Error::Conflict`] where another one has the waybill.
pub async fn correct(
    app: &App,
    id: &OrderId,
    (number, seen): (i64, &str),
    waybill: &Waybill,
    now: i64,
) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    let mut sending = sending(&mut tx, &order).await?;
    if let Some(known) = sending.with(waybill) {
        if known.number == number {
            return Ok(Done::Before);
        }
        return Err(Error::Conflict(format!("这是第 {} 个包裹的运单号", known.number)));
    }
    let known = sending.parcels.iter().find(|parcel| parcel.number == number).ok_or(Error::NotFound)?;
    check_seen(known, seen)?;
    settle(&mut tx, &order, &mut sending).await?;
    put_right(app, tx, &order, number, waybill, now).await
}

async fn put_right(
    app: &App,
    mut tx: Tx,
    order: &Order,
    number: i64,
    waybill: &Waybill,
    now: i64,
) -> Result<Done, Error> {
    let Waybill { carrier, tracking } = waybill;
    parcels::correct(&mut tx, &order.id, number, waybill).await?;
    let sending = sending(&mut tx, &Order { waybill: None, ..order.clone() }).await?;
    if sending.parcels.last().is_some_and(|last| last.number == number) {
        store::set_waybill(&mut tx, &order.id, Some(waybill)).await?;
    }
    let note = format!("运单更正：{carrier} {tracking}");
    store::add_event(&mut tx, &order.id, order.state, &note, now).await?;
    let detail = json!({ "parcel": number, "carrier": carrier, "tracking": tracking, "corrected": true });
    audit::note(&mut tx, "order ship", order.id.as_str(), &detail).await?;
    let text = format!("【书坊】订单 {} 的运单号更正：{carrier} {tracking}。", order.id);
    accounts::tell_member(app, &mut tx, &order.member, "书坊订单的运单号更正", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Done::Now)
}

/// A parcel was noted that did not leave: its copies are to be sent again; `seen` is the number that the page showed.
///
/// # Errors
/// [`Error::Conflict`] where the order is wholly sent, or ended.
pub async fn withdraw(app: &App, id: &OrderId, (number, seen): (i64, &str), now: i64) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    let sending = sending(&mut tx, &order).await?;
    let Some(parcel) = sending.parcels.iter().find(|parcel| parcel.number == number) else {
        return Ok(Done::Before);
    };
    check_seen(parcel, seen)?;
    if order.state.advance(OrderState::Shipped, Actor::Staff, order.times(now)).is_err() {
        return Err(Error::Conflict(format!("订单{}，包裹不能撤回；运单号可以更正", order.state)));
    }
    let is_of_this_round = sending.round().iter().any(|known| known.number == number);
    if !parcel.is_kept || !is_of_this_round || sending.is_untold(order.state) {
        return Err(Error::Conflict("这个包裹是重印以前寄的，不能撤回".into()));
    }
    if sending.is_refunded_after(parcel) {
        let sentence = format!("第 {number} 个包裹里的书，有的寄出以后退了款，不能撤回；运单号可以更正");
        return Err(Error::Conflict(sentence));
    }
    parcels::delete(&mut tx, id, number).await?;
    let last = sending.parcels.iter().rev().find(|known| known.number != number);
    store::set_waybill(&mut tx, id, last.map(|last| &last.waybill)).await?;
    let lines: Vec<i64> = parcel.contents.keys().copied().collect();
    production::take_back(&mut tx, id, &lines, now).await?;
    let Waybill { carrier, tracking } = &parcel.waybill;
    let note = format!("撤回第 {number} 个包裹：{carrier} {tracking}");
    store::add_event(&mut tx, id, order.state, &note, now).await?;
    let detail = audited(number, &parcel.waybill, &parcel.contents);
    audit::note(&mut tx, "order unship", id.as_str(), &detail).await?;
    let text =
        format!("【书坊】订单 {id} 的包裹 {carrier} {tracking} 还没有寄出，此前的通知有误，寄出时再通知您。");
    accounts::tell_member(app, &mut tx, &order.member, "书坊订单的包裹", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Done::Now)
}

/// What is printed once more.
#[derive(Debug, Clone)]
pub struct Again {
    /// None for all that was ordered.
    pub copies: Option<Copies>,
    pub reason: Reason,
    /// The member reads it.
    pub note: String,
    /// What it costs the shop; none for what the copies were sold for.
    pub cost: Option<Fen>,
}

/// What copies of an order's lines were sold for.
async fn sold_for(tx: &mut Tx, id: &OrderId, copies: &Copies) -> Result<Fen, Error> {
    let mut cost = Fen::ZERO;
    for (line, total, quantity) in store::totals(tx, id).await? {
        let again = u64::from(copies.get(&line).copied().unwrap_or(0));
        let share = total.times(again).map_err(Error::internal)?.divided_down(quantity).unwrap_or_default();
        cost = cost.plus(share).map_err(Error::internal)?;
    }
    Ok(cost)
}

/// An order is printed once more, wholly or some copies of it, at the shop's cost.
///
/// # Errors
/// [`Error::Conflict`] where it was not sent, or more is named than was ordered.
pub async fn print_again(app: &App, id: &OrderId, again: &Again, now: i64) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    let state = match order.state.advance(OrderState::Reprint, Actor::Staff, order.times(now)) {
        Ok(state) => state,
        Err(NotMoved::AlreadyThere(_)) => {
            let sending = sending(&mut tx, &order).await?;
            let kept = sending.kept();
            let copies = again.copies.as_ref().unwrap_or(&kept);
            let is_same = sending.again(order.state).is_none_or(|known| {
                (known.copies == *copies) && (known.reason, &known.note) == (again.reason, &again.note)
            });
            return match is_same {
                true => Ok(Done::Before),
                false => Err(Error::Conflict("订单已经在重印，寄出以后才能再安排另一次".into())),
            };
        }
        Err(refused) => return Err(Error::Conflict(refused.to_string())),
    };
    let mut sending = sending(&mut tx, &order).await?;
    let titles = store::titles_in(&mut tx, id).await?;
    let kept = sending.kept();
    let mut copies = again.copies.clone().unwrap_or_else(|| kept.clone());
    copies.retain(|_, copies| *copies > 0);
    parcel::check(&copies, &kept).map_err(|problem| {
        Error::Conflict(match problem {
            ContentsProblem::Nothing => "请写要重印几本".to_owned(),
            ContentsProblem::TooMany { line, left } => {
                let (title, refunded) = (title_of(&titles, line), sending.refunded_of(line));
                match refunded {
                    0 => format!("《{title}》一共订了 {left} 本"),
                    _ => format!("《{title}》有 {refunded} 本退了款，不再重印，还剩 {left} 本"),
                }
            }
        })
    })?;
    settle(&mut tx, &order, &mut sending).await?;
    let cost = match again.cost {
        Some(cost) => cost,
        None => sold_for(&mut tx, id, &copies).await?,
    };
    let number = sending.next_reprint();
    let reprint = Reprint { number, copies, reason: again.reason, note: again.note.clone(), cost };
    let actor = audit::clerk().unwrap_or_default();
    parcels::insert_reprint(&mut tx, id, &reprint, &actor, now).await?;
    let note = if reprint.copies == kept {
        again.note.clone()
    } else {
        format!("{}（{}）", again.note, in_words(&titles, &reprint.copies))
    };
    enter(&mut tx, &order, state, &note, now).await?;
    let detail = json!({
        "reason": again.reason.code(), "note": again.note, "copies": reprint.copies, "cost": cost,
    });
    audit::note(&mut tx, "order reprint", id.as_str(), &detail).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Done::Now)
}
