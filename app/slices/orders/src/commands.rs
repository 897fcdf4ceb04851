//! What the operator does with orders. Every command may be given again: it says what was done before.

use std::path::PathBuf;

use base::audit;
use base::db::now_ms;
use base::error::{Error, Failure};
use base::time;
use clap::{ArgGroup, Subcommand};
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_state::OrderState;
use domain::parcel::{Copies, Reason, carrier_name, is_odd, tracking_number};
use domain::typed::words;
use serde_json::{Value, json};
use web::app::App;

use super::giving_back::OfCopies;
use super::print_files;
use super::progress::{self, Done, Part, Step};
use super::sending::{self, Again};
use super::store::{self, Filter, Order, Waybill};

/// Commands about orders.
#[derive(Subcommand)]
pub enum Command {
    /// Print orders, the newest first.
    List {
        /// Only these states, such as paid or in_production; may be given more than once.
        #[arg(long)]
        state: Vec<OrderState>,
        /// Part of a number or a title.
        #[arg(long, default_value = "")]
        search: String,
        /// How many.
        #[arg(long, default_value_t = 50)]
        most: i64,
        /// Begin after this order, for the next page.
        #[arg(long)]
        after: Option<OrderId>,
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Print one order: lines, address, timeline, refunds, what operators did.
    Show {
        id: OrderId,
        /// As one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Write an order's print files: inner pages, cover, preflight report, job ticket.
    Export { id: OrderId, folder: PathBuf },
    /// Printing begins; the member can't cancel any more.
    Start { id: OrderId },
    /// A parcel was handed to the carrier, with all that is left to send. Of an order that went as one parcel, another number
    /// puts the first one right.
    Ship {
        id: OrderId,
        /// A name, or a code such as SF.
        #[arg(long)]
        carrier: String,
        #[arg(long)]
        tracking: String,
        /// Only so many copies of a line, as 1:2; may be given more than once.
        #[arg(long)]
        copies: Vec<String>,
    },
    /// The carrier says that the parcel arrived.
    Deliver { id: OrderId },
    /// Give back money to the member's balance: all that is left, which ends the order, or a part of it.
    #[command(group = ArgGroup::new("part").args(["amount", "copies"]))]
    Refund {
        id: OrderId,
        /// A part, in yuan.
        #[arg(long, requires = "key")]
        amount: Option<Fen>,
        /// What so many copies of a line cost, as 1:2; they are not made and not sent. May be given more than once.
        #[arg(long, requires = "key", conflicts_with = "amount")]
        copies: Vec<String>,
        /// What was paid for sending goes back with the copies.
        #[arg(long, requires = "copies")]
        shipping: bool,
        /// A word for this part, such as the number of a complaint: the same word gives back only once.
        #[arg(long, requires = "part")]
        key: Option<String>,
        /// The member reads it.
        #[arg(long)]
        reason: String,
    },
    /// Say no to a member who asks to cancel.
    Decline {
        id: OrderId,
        /// The member reads it.
        #[arg(long)]
        reason: String,
    },
    /// Print it once more at the shop's cost; `start` and `ship` follow.
    Reprint {
        id: OrderId,
        /// The member reads it.
        #[arg(long)]
        reason: String,
        /// What kind of reason it is, for the report: printing, binding, wrong, damaged, lost, file, other.
        #[arg(long, default_value = "other")]
        kind: Reason,
        /// Only so many copies of a line, as 1:2; may be given more than once.
        #[arg(long)]
        copies: Vec<String>,
        /// What it costs, in yuan; else what the copies were sold for.
        #[arg(long)]
        cost: Option<Fen>,
    },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    let now = now_ms();
    match command {
        Command::List { state, search, most, after, json } => {
            list(app, &Filter { states: state, search, ..Filter::default() }, after, most, json).await
        }
        Command::Show { id, json } => show(app, &id, json).await,
        Command::Export { id, folder } => {
            let order = known(&id, store::find(&app.db, &id).await)?;
            if let Some(until) = print_files::cancellable_until(&order, now) {
                eprintln!(
                    "The member may cancel this order until {}: don't print it yet.",
                    time::stamp(until)
                );
            }
            for file in known(&id, print_files::export(app, &id, &folder).await)? {
                println!("{}", file.display());
            }
            Ok(())
        }
        Command::Start { id } => moved(app, &id, progress::take_step(app, &id, Step::Start, now).await).await,
        Command::Ship { id, carrier, tracking, copies } => {
            let carrier = carrier_name(&text("carrier", &carrier, 40)?).to_owned();
            let tracking = tracking_number(&text("tracking", &tracking, 40)?);
            if is_odd(&carrier, &tracking) {
                eprintln!("{tracking} does not look like a number of {carrier}.");
            }
            let (waybill, copies) = (Waybill { carrier, tracking }, copies_of(&copies)?);
            moved(app, &id, sending::send(app, &id, &waybill, copies, now).await).await
        }
        Command::Deliver { id } => {
            moved(app, &id, progress::take_step(app, &id, Step::Deliver, now).await).await
        }
        Command::Reprint { id, reason, kind, copies, cost } => {
            let note = text("reason", &reason, 200)?;
            let again = Again { copies: copies_of(&copies)?, reason: kind, note, cost };
            if cost.is_some_and(Fen::is_negative) {
                return Err("--cost takes no amount below zero".into());
            }
            moved(app, &id, sending::print_again(app, &id, &again, now).await).await
        }
        Command::Refund { id, amount, copies, shipping, key, reason } => {
            let reason = text("reason", &reason, 200)?;
            let key = key.map(word).transpose()?;
            let part = match (key, amount, copies_of(&copies)?) {
                (Some(key), Some(amount), _) => Part::Some { amount, key },
                (Some(key), None, Some(copies)) => {
                    let with_shipping = shipping;
                    Part::Copies(OfCopies { copies, with_shipping, key, agreed: None, seen: None })
                }
                _ => Part::Whole,
            };
            let done = known(&id, progress::refund(app, &id, part, &reason, now).await)?;
            let order = store::find(&app.db, &id).await?;
            let again = if done == Done::Before { " It was given back before." } else { "" };
            println!("{id}: {} of {} are given back ({}).{again}", order.refunded, order.total, order.state);
            Ok(())
        }
        Command::Decline { id, reason } => {
            let reason = text("reason", &reason, 200)?;
            match known(&id, progress::decline_cancellation(app, &id, &reason, now).await)? {
                Done::Now => println!("{id}: the member is told."),
                Done::Before => println!("{id}: no request is open."),
            }
            Ok(())
        }
    }
}

/// Reads `1:2`: two copies of the first line. None where nothing is named.
fn copies_of(words: &[String]) -> Result<Option<Copies>, Failure> {
    let mut copies = Copies::new();
    for word in words {
        let parts =
            word.split_once(':').and_then(|(line, count)| Some((line.parse().ok()?, count.parse().ok()?)));
        let (line, count) =
            parts.ok_or_else(|| format!("--copies takes a line and a count, as 1:2: {word}"))?;
        copies.insert(line, count);
    }
    Ok((!copies.is_empty()).then_some(copies))
}

async fn moved(app: &App, id: &OrderId, outcome: Result<Done, Error>) -> Result<(), Failure> {
    let done = known(id, outcome)?;
    let order = store::find(&app.db, id).await?;
    match done {
        Done::Now => println!("{id}: {}.", order.state),
        Done::Before => println!("{id}: {} before.", order.state),
    }
    Ok(())
}

/// A refusal in the words of the command line.
fn known<T>(id: &OrderId, outcome: Result<T, Error>) -> Result<T, Failure> {
    outcome.map_err(|error| match error {
        Error::NotFound => format!("there is no order {id}").into(),
        Error::Conflict(reason) => format!("{id}: {reason}").into(),
        other => other.into(),
    })
}

/// Copies as [`copies_of`] reads them.
fn counted(copies: &Copies) -> String {
    let words: Vec<String> = copies.iter().map(|(line, count)| format!("{line}:{count}")).collect();
    words.join(" ")
}

fn text(name: &str, value: &str, most: usize) -> Result<String, Failure> {
    let value = words(value);
    if value.is_empty() || value.chars().count() > most || value.chars().any(char::is_control) {
        return Err(format!("--{name} takes 1 to {most} characters").into());
    }
    Ok(value)
}

/// A refund's key stands in the ledger's.
fn word(key: String) -> Result<String, Failure> {
    let fits = (1..=40).contains(&key.len())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if fits { Ok(key) } else { Err("--key takes 1 to 40 of the characters 0-9 a-z A-Z - _ .".into()) }
}

async fn list(
    app: &App,
    filter: &Filter,
    after: Option<OrderId>,
    most: i64,
    as_json: bool,
) -> Result<(), Failure> {
    let after = match after {
        None => None,
        Some(id) => Some(known(&id, store::find(&app.db, &id).await)?.position()),
    };
    let orders = store::staff_page(&app.db, filter, after.as_ref(), most).await?;
    if orders.is_empty() && !as_json {
        println!("There are no such orders.");
    }
    for order in orders {
        if as_json {
            println!("{}", summary(&order));
        } else {
            let (created, name) = (time::stamp(order.created_at), &order.address.receiver);
            println!("{} {} {created} {} {name}", order.id, order.state, order.total);
        }
    }
    Ok(())
}

fn summary(order: &Order) -> Value {
    json!({
        "order": order.id,
        "member": order.member,
        "state": order.state.code(),
        "created_at": time::stamp(order.created_at),
        "paid_at": order.paid_at.map(time::stamp),
        "goods_total": order.goods_total,
        "coupon": order.coupon.as_ref().map(|taken| json!({ "code": taken.code, "rule": taken.rule, "amount": taken.amount })),
        "shipping": order.shipping,
        "total": order.total,
        "refunded": order.refunded,
        "maker": order.royalty.as_ref().map(|royalty| &royalty.maker),
        "markup": order.royalty.as_ref().map(|royalty| royalty.markup),
        "receiver": order.address.receiver,
        "phone": order.address.phone,
        "address": order.address.place(),
        "carrier": order.waybill.as_ref().map(|waybill| &waybill.carrier),
        "tracking": order.waybill.as_ref().map(|waybill| &waybill.tracking),
    })
}

async fn show(app: &App, id: &OrderId, as_json: bool) -> Result<(), Failure> {
    let order = known(id, store::find(&app.db, id).await)?;
    let lines = store::lines(&app.db, id).await?;
    let events = store::events(&app.db, id).await?;
    let request = store::request(&app.db, id).await?.filter(store::CancellationRequest::is_open);
    let noted = audit::newest(&app.db, Some(id.as_str()), 100).await?;
    let closed_at = accounts::closed_at(app, &order.member).await?;
    let mut tx = app.db.begin_snapshot().await?;
    let sending = store::parcels::sending(&mut tx, &order).await?;
    if as_json {
        let mut whole = summary(&order);
        whole["lines"] = lines
            .iter()
            .map(|line| {
                let (copies, pages) = (line.quote.count.get(), line.quote.pages);
                json!({
                    "title": line.title, "goods": line.goods.id, "copies": copies, "pages": pages,
                    "choices": line.choices().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
                    "remark": line.remark, "total": line.quote.total,
                    "refunded_copies": sending.refunded_of(line.position),
                })
            })
            .collect();
        whole["parcels"] = sending
            .parcels
            .iter()
            .map(|parcel| {
                let Waybill { carrier, tracking } = &parcel.waybill;
                let sent_at = parcel.sent_at.map(time::stamp);
                json!({
                    "number": parcel.number, "carrier": carrier, "tracking": tracking, "copies": parcel.contents,
                    "sent_at": sent_at,
                })
            })
            .collect();
        whole["reprints"] = sending
            .reprints
            .iter()
            .map(|again| {
                json!({
                    "kind": again.reason.code(), "reason": again.note, "copies": again.copies, "cost": again.cost,
                })
            })
            .collect();
        whole["timeline"] = events
            .iter()
            .map(|event| json!({ "state": event.state.code(), "at": time::stamp(event.at), "note": event.note }))
            .collect();
        whole["account_closed_at"] = json!(closed_at.map(time::stamp));
        whole["cancellation_request"] = json!(request.map(|request| request.reason));
        println!("{}", serde_json::to_string_pretty(&whole)?);
        return Ok(());
    }
    println!("{} {}, total {} ({} for shipping)", order.id, order.state, order.total, order.shipping);
    if order.refunded > Fen::ZERO {
        println!("given back: {}", order.refunded);
    }
    println!("to {}, {}, {}", order.address.receiver, order.address.phone, order.address.place());
    if let Some(at) = closed_at {
        println!("THE MEMBER CLOSED ITS ACCOUNT {}; nothing tells it any more", time::stamp(at));
    }
    for line in lines {
        let (copies, pages, items) = (line.quote.count.get(), line.quote.pages, line.choices());
        let items: Vec<String> = items.into_iter().map(|(_, item)| item).collect();
        println!("  {copies} × 《{}》 {} {pages} P: {}", line.title, line.goods.name, items.join(", "));
        let refunded = sending.refunded_of(line.position);
        if refunded > 0 {
            println!("    {refunded} of them refunded");
        }
        if !line.remark.is_empty() {
            println!("    remark: {}", line.remark);
        }
    }
    for parcel in &sending.parcels {
        let Waybill { carrier, tracking } = &parcel.waybill;
        println!("  parcel {}: {carrier} {tracking}, {}", parcel.number, counted(&parcel.contents));
    }
    for again in &sending.reprints {
        println!(
            "  printed again ({}): {}, at a cost of {}",
            again.reason.code(),
            counted(&again.copies),
            again.cost
        );
    }
    if let Some(request) = request {
        println!("THE MEMBER ASKS TO CANCEL since {}: {}", time::stamp(request.requested_at), request.reason);
    }
    println!("timeline:");
    for event in events {
        println!("  {} {} {}", time::stamp(event.at), event.state, event.note);
    }
    for noted in noted {
        let (at, detail) = (time::stamp(noted.happened_at), &noted.detail);
        println!("  {at} {} by {}: {detail}", noted.action, noted.actor);
    }
    Ok(())
}
