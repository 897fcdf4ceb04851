//! What is done to orders in the back office. Every form may be sent again: it does nothing that was done before.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::{Error, INCOMPLETE};
use domain::ids::OrderId;
use domain::money::Fen;
use domain::parcel::{Copies, Reason, carrier_name, is_odd, tracking_number};
use domain::payment::read_any_amount;
use domain::typed::{is_blank, typed, words};
use web::app::App;
use web::approvals::{By, Decision, Outcome};
use web::render::{self, Form};
use web::router::Parameter;
use web::staff::{Staff, asks_code};
use web::ui::files;
use web::ui::forms::{check_length, read_form};
use web::ui::staff::said;

use super::second;
use super::{LIST, address};
use crate::giving_back::OfCopies;
use crate::print_files;
use crate::progress::{self, Done, Part, Step};
use crate::sending::{self, Again};
use crate::store::{self, Waybill};

/// Characters of a reason.
const REASON: usize = 200;
/// Characters of a carrier's name, and of a parcel's number.
const PARCEL: usize = 40;
/// The most that printing once more is said to cost.
const MOST_COST: Fen = Fen(100_000_000);
/// What the fields begin with that say how many copies of a line are in a parcel, or printed once more.
pub const SENT: &str = "copies";
pub const AGAIN: &str = "again";
/// The same of copies whose money goes back.
pub const BACK: &str = "back";

/// A waybill as it was typed.
///
/// # Errors
/// The field, `carrier` or `tracking`, and what is wrong with it. A number that does not look like its carrier's is refused,
/// unless the clerk says that it is right.
pub fn read_waybill(carrier: &str, tracking: &str, is_sure: bool) -> Result<Waybill, (&'static str, String)> {
    let (carrier, tracking) = (words(carrier), tracking_number(tracking));
    let carrier = carrier_name(&carrier).to_owned();
    let fits = |text: &str| {
        (1..=PARCEL).contains(&text.chars().count()) && !is_blank(text) && !text.chars().any(char::is_control)
    };
    if !fits(&carrier) {
        return Err(("carrier", "承运人要有 1 到 40 个字".to_owned()));
    }
    if !fits(&tracking) {
        return Err(("tracking", "运单号要有 1 到 40 个字".to_owned()));
    }
    if !is_sure && is_odd(&carrier, &tracking) {
        return Err(("tracking", format!("{tracking} 不像{carrier}的运单号，请核对")));
    }
    Ok(Waybill { carrier, tracking })
}

/// The waybill of a form, with what is wrong said there; `mark` stands behind the names of fields where one page has several
/// such forms.
fn waybill(form: &mut Form, mark: &str) -> Option<Waybill> {
    let is_sure = !form.get("sure").is_empty();
    read_waybill(form.get("carrier"), form.get("tracking"), is_sure)
        .map_err(|(field, reason)| form.refuse(&format!("{field}{mark}"), reason))
        .ok()
}

/// How many copies of which lines a form names in the fields that begin so; none where it names none.
fn named_copies(form: &mut Form, prefix: &str) -> Option<Copies> {
    let sent: Vec<(String, String)> = form
        .starting_with(prefix)
        .map(|(line, copies)| (line.to_owned(), typed(copies)))
        .filter(|(_, copies)| !copies.is_empty())
        .collect();
    let mut named = Copies::new();
    for (line, copies) in sent {
        match (line.parse(), copies.parse::<u32>()) {
            (Ok(line), Ok(copies)) => drop(named.insert(line, copies)),
            _ => form.refuse(&format!("{prefix}{line}"), "请写几本"),
        }
    }
    (!named.is_empty()).then_some(named)
}

/// What a form says of printing once more.
fn read_again(form: &mut Form) -> Option<Again> {
    check_length(form, "why", "重印的原因", 1, REASON);
    let reason = match form.get("kind") {
        // a form that knows no kinds of reasons
        "" => Some(Reason::Other),
        code => code.parse().ok(),
    };
    if reason.is_none() {
        form.refuse("kind", "请选择原因");
    }
    let cost = match Fen::read(form.get("cost")) {
        Ok(cost) if cost.is_none_or(|cost| (Fen::ZERO..=MOST_COST).contains(&cost)) => cost,
        _ => {
            form.refuse("cost", "请写多少元，例如 35.50");
            None
        }
    };
    let copies = named_copies(form, AGAIN);
    let note = form.get("why").to_owned();
    Some(Again { copies, reason: reason?, note, cost }).filter(|_| !form.is_refused())
}

/// The order's page again, or the answer to what was done.
async fn answer(
    app: &App,
    parts: Parts,
    id: &OrderId,
    mut form: Form,
    outcome: Result<impl Into<Outcome>, Error>,
) -> Result<Response, Error> {
    match outcome {
        Ok(outcome) => {
            let outcome = outcome.into();
            if outcome.is_unchanged() {
                audit::unchanged();
            }
            Ok(Redirect::to(&said(&address(id), outcome)).into_response())
        }
        Err(Error::Conflict(reason)) => {
            form.refuse("", reason);
            render::again(app, parts, &address(id), form).await
        }
        Err(error) => Err(error),
    }
}

/// POST /staff/orders/{id}/step: the field `step` says which.
pub async fn step(
    State(app): State<App>,
    Parameter(id): Parameter<OrderId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let now = now_ms();
    let outcome = match form.get("step") {
        "start" => progress::take_step(&app, &id, Step::Start, now).await,
        "deliver" => progress::take_step(&app, &id, Step::Deliver, now).await,
        "ship" => {
            let (waybill, copies) = (waybill(&mut form, ""), named_copies(&mut form, SENT));
            match waybill.filter(|_| !form.is_refused()) {
                Some(waybill) => sending::send(&app, &id, &waybill, copies, now).await,
                None => return render::again(&app, parts, &address(&id), form).await,
            }
        }
        "reprint" => match read_again(&mut form) {
            Some(again) => sending::print_again(&app, &id, &again, now).await,
            None => return render::again(&app, parts, &address(&id), form).await,
        },
        "" => {
            form.refuse("", "请选择下一步");
            return render::again(&app, parts, &address(&id), form).await;
        }
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    answer(&app, parts, &id, form, outcome).await
}

/// POST /staff/orders/{id}/parcel/{number}: `step` is `correct`, with `carrier` and `tracking`, or `withdraw`; `seen` is the
/// number that the page showed.
pub async fn parcel(
    State(app): State<App>,
    Path((id, number)): Path<(String, i64)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound)?;
    let mut form = read_form(&body)?;
    store::find(&app.db, &id).await?;
    form.set("parcel", &number.to_string());
    let seen = form.get("seen").to_owned();
    let outcome = match form.get("step") {
        "correct" => match waybill(&mut form, &format!("-{number}")) {
            Some(waybill) => sending::correct(&app, &id, (number, &seen), &waybill, now_ms()).await,
            None => return render::again(&app, parts, &address(&id), form).await,
        },
        "withdraw" => sending::withdraw(&app, &id, (number, &seen), now_ms()).await,
        _ => {
            form.refuse("", "请选择更正还是撤回");
            return render::again(&app, parts, &address(&id), form).await;
        }
    };
    answer(&app, parts, &id, form, outcome).await
}

/// POST /staff/orders/start: printing begins of all that are chosen. Those that can't be are named.
pub async fn start_many(
    State(app): State<App>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let page = format!("{LIST}?view=paid");
    let chosen: Vec<String> = form.all("order").map(str::to_owned).collect();
    if chosen.is_empty() {
        form.refuse("", "请先勾选订单");
        return render::again(&app, parts, &page, form).await;
    }
    let mut done = 0;
    for number in chosen {
        let outcome = match number.parse::<OrderId>() {
            Ok(id) => progress::take_step(&app, &id, Step::Start, now_ms()).await,
            Err(_) => Err(Error::NotFound),
        };
        match outcome {
            Ok(Done::Now) => done += 1,
            Ok(Done::Before) => {}
            Err(Error::NotFound) => form.refuse("", format!("{number}：没有这个订单")),
            Err(Error::Conflict(reason)) => form.refuse("", format!("{number}：{reason}")),
            Err(error) => return Err(error),
        }
    }
    if done == 0 {
        audit::unchanged();
    }
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&said(&page, done > 0)).into_response())
}

/// POST /staff/orders/{id}/refund: all that is left, an amount, or copies (fields `back1`, …, with `shipping` where that goes
/// back, too); `key` tells one press of the button from another.
pub async fn refund(
    State(app): State<App>,
    staff: Staff,
    Parameter(id): Parameter<OrderId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let order = store::find(&app.db, &id).await?;
    let key = form.get("key").to_owned();
    let part = match form.get("part") {
        "whole" => Some(Part::Whole),
        "some" => match read_any_amount(form.get("amount")) {
            Ok(amount) if amount > Fen::ZERO => Some(Part::Some { amount, key: format!("web-{key}") }),
            _ => {
                form.refuse("amount", "请写退多少元，例如 12.50");
                None
            }
        },
        "copies" => {
            let copies = named_copies(&mut form, BACK);
            if copies.is_none() && !form.is_refused() {
                form.refuse("part", "请写要退几本");
            }
            copies.map(|copies| {
                let with_shipping = !form.get("shipping").is_empty();
                let seen = Some(form.get("seen").to_owned());
                Part::Copies(OfCopies {
                    copies,
                    with_shipping,
                    key: format!("web-{key}"),
                    agreed: None,
                    seen,
                })
            })
        }
        _ => {
            form.refuse("part", "请选择全部退款、退几本或退一部分");
            None
        }
    };
    if !(1..=40).contains(&key.len()) || !key.bytes().all(|b| b.is_ascii_alphanumeric()) {
        // nothing tells this press of the button from another: the form comes back with a new key
        form.forget("key");
        form.refuse("", INCOMPLETE);
        return render::again(&app, parts, &address(&id), form).await;
    }
    // a code is good once: what no press could give back is not to cost one
    if let Some(Part::Some { amount, .. }) = &part
        && *amount > order.total
    {
        form.refuse("amount", format!("最多还能退 {} 元", order.kept()));
    }
    check_length(&mut form, "reason", "退款的原因", 1, REASON);
    asks_code(&app, &parts, &staff, &mut form).await?;
    let Some(part) = part.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &address(&id), form).await;
    };
    let reason = form.get("reason").to_owned();
    let outcome = match progress::refund_by(&app, &id, part.clone(), &reason, By::OwnRight, now_ms()).await {
        Ok(Some(done)) => Ok(Outcome::from(done)),
        Ok(None) => second::ask(&app, &id, (&key, &staff.name), &part, &reason).await,
        Err(error) => Err(error),
    };
    if outcome.is_err() {
        // what is shown now is what the next press has seen
        form.forget("seen");
    }
    answer(&app, parts, &id, form, outcome).await
}

/// POST /staff/orders/{id}/second: somebody else decides on a refund; the fields `request` and `decision` say which and how.
pub async fn decide(
    State(app): State<App>,
    staff: Staff,
    Parameter(id): Parameter<OrderId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let decision = Decision::read(&app, &parts, staff, &mut form, second::thing(&id)).await?;
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    let outcome = second::decide(&app, &id, &decision).await;
    answer(&app, parts, &id, form, outcome).await
}

/// POST /staff/orders/{id}/decline: no to a member who asked to cancel.
pub async fn decline(
    State(app): State<App>,
    Parameter(id): Parameter<OrderId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    store::find(&app.db, &id).await?;
    check_length(&mut form, "answer", "给会员的答复", 1, REASON);
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    let outcome = progress::decline_cancellation(&app, &id, form.get("answer"), now_ms()).await;
    answer(&app, parts, &id, form, outcome).await
}

/// GET /staff/orders/{id}/file/{name}: one of the files for printing, made where it is missing.
pub async fn file(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound)?;
    let place = print_files::file(&app, &id, &name).await?;
    let kind = if name.ends_with(".pdf") { mime::APPLICATION_PDF } else { mime::APPLICATION_JSON };
    match place {
        print_files::Place::Disk(path) => {
            let mut response = files::stored(&path, &parts, &kind).await?;
            let disposition = files::attached(&format!("{id}-{name}"), &format!("{id}-{name}"));
            response.headers_mut().insert(
                axum::http::header::CONTENT_DISPOSITION,
                disposition.parse().map_err(Error::internal)?,
            );
            Ok(response)
        }
        print_files::Place::Bytes(bytes) => {
            let name = format!("{id}-{name}");
            let kind = if kind == mime::APPLICATION_PDF { "application/pdf" } else { "application/json" };
            Ok(files::file(kind, &name, &name, bytes))
        }
    }
}

/// GET /staff/orders/{id}/line/{line}/page/{page}/{width}: a page as it was ordered.
pub async fn picture(
    State(app): State<App>,
    Path((id, position, page, width)): Path<(String, i64, String, u32)>,
) -> Result<Response, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound)?;
    let order = store::find(&app.db, &id).await?;
    let (document, maker) = store::document(&app.db, &id, position, &order.member).await?;
    let page = works::page_named(&document, &page, width)?;
    Ok(photos::webp(works::page_picture(&app, &maker, document, page, width).await?))
}
