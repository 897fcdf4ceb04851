//! What is done to payments in the back office. Every form may be sent again: it does nothing that was done before, and then
//! needs no other code.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::{Error, INCOMPLETE};
use domain::ids::PaymentId;
use domain::money::Fen;
use domain::payment::{AmountProblem, Method, PaymentState, RefundState, read_any_amount};
use domain::typed::typed;
use web::app::App;
use web::approvals::{self, By, Decision, Outcome, Request};
use web::render::{self, Form};
use web::router::Parameter;
use web::staff::{Staff, asks_code};
use web::ui::forms::read_form;
use web::ui::staff::said;

use super::address;
use crate::operate::{self, LONGEST_NUMBER, is_key};
use crate::refund::{self as refunds, NotSent};
use crate::settle::{Settled, Unsettled};
use crate::store::{self, refunds as rows};

/// POST /staff/payments/{id}/arrival: a bank transfer is here; `amount` and `number` as the bank's statement has them.
pub async fn arrival(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let payment = store::find(&app.db, &id).await?;
    if payment.method != Method::Transfer {
        // providers tell by themselves
        return Err(Error::NotFound);
    }
    let mut form = read_form(&body)?;
    let amount = amount_in(&mut form);
    let number = typed(form.get("number"));
    if number.chars().count() > LONGEST_NUMBER || number.chars().any(char::is_control) {
        form.refuse("number", format!("流水号要写成一行，最多 {LONGEST_NUMBER} 个字符"));
    }
    if payment.state == PaymentState::Paid {
        let same = number.is_empty() || Some(&number) == payment.provider_number.as_ref();
        if same && amount == Some(payment.amount) {
            return Ok(done(&id, false));
        }
        return again(&app, parts, &id, confirmed_otherwise()).await;
    }
    if amount.is_some_and(|amount| amount != payment.amount) {
        form.refuse("amount", other_amount(payment.amount));
    }
    let asked = approvals::of(&app.db, operate::arrival(&id)).await?;
    if let Some(waiting) = asked.iter().find(|request| request.decided_at.is_none())
        && !form.is_refused()
    {
        if number.is_empty() || number == operate::number_in(waiting) {
            return Ok(done(&id, Outcome::AskedBefore));
        }
        return again(&app, parts, &id, waits_otherwise()).await;
    }
    asks_code(&app, &parts, &staff, &mut form).await?;
    let Some(amount) = amount.filter(|_| !form.is_refused()) else {
        return again(&app, parts, &id, form).await;
    };
    match operate::confirm(&app, &payment, amount, Some(&number), By::OwnRight).await {
        Ok(settled) => Ok(done(&id, settled == Settled::Now)),
        Err(Unsettled::NeedsAnother) => {
            let is_new = operate::ask_arrival(&app, &payment, &number, staff.name, asked.len()).await?;
            Ok(done(&id, Outcome::asked(is_new)))
        }
        Err(failure) => again(&app, parts, &id, unsettled(form, failure, payment.amount)?).await,
    }
}

/// POST /staff/payments/{id}/arrival_second: somebody else says whether a transfer arrived; the fields `request` and `decision`
/// say which and how.
pub async fn decide_arrival(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let payment = store::find(&app.db, &id).await?;
    let mut form = read_form(&body)?;
    let decision = Decision::read(&app, &parts, staff, &mut form, operate::arrival(&id)).await?;
    if form.is_refused() {
        return again(&app, parts, &id, form).await;
    }
    match operate::decide_arrival(&app, &payment, &decision).await {
        Ok(is_new) => Ok(done(&id, decision.outcome(is_new))),
        Err(failure) => again(&app, parts, &id, unsettled(form, failure, payment.amount)?).await,
    }
}

/// Why a transfer is not credited, in the form.
fn unsettled(mut form: Form, failure: Unsettled, asked: Fen) -> Result<Form, Error> {
    match failure {
        Unsettled::Failed(error) => return Err(error),
        Unsettled::Unknown | Unsettled::OtherMethod => return Err(Error::NotFound),
        // somebody else was faster
        Unsettled::OtherNumber => form = confirmed_otherwise(),
        Unsettled::OtherAmount => form.refuse("amount", other_amount(asked)),
        Unsettled::NumberTaken => {
            form.refuse("number", "另一笔转账已经用这个流水号确认过，请核对是不是同一笔银行流水");
        }
        Unsettled::NeedsAnother => form.refuse("", "这笔转账要由另一位同事复核"),
    }
    Ok(form)
}

/// POST /staff/payments/{id}/refund: sets all that is left, or a part, aside and sends it back; `key` tells one press of the
/// button from another.
pub async fn refund(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let payment = store::find(&app.db, &id).await?;
    let before = rows::of_payment(&app.db, &id).await?;
    let mut form = read_form(&body)?;
    let key = form.own_key("key", is_key).unwrap_or_default();
    let part = form.get("part").to_owned();
    let amount = match part.as_str() {
        "whole" => None,
        "some" => amount_in(&mut form),
        _ => {
            form.refuse("part", "请选择全部退回，还是退一部分");
            None
        }
    };
    if before.iter().all(|refund| refund.request_key != key) {
        let left = operate::left(&payment, &before);
        if amount.is_some_and(|amount| amount > left) {
            form.refuse("amount", too_much(left));
        }
        asks_code(&app, &parts, &staff, &mut form).await?;
    }
    if form.is_refused() {
        return again(&app, parts, &id, form).await;
    }
    match refunds::ask(&app, &id, amount, &key, By::OwnRight).await {
        Ok((_, is_new)) => Ok(done(&id, is_new)),
        Err(NotSent::NeedsAnother(amount)) => {
            let request = Request {
                id: key,
                about: id.to_string(),
                amount: Some(amount.0),
                reason: format!("退回{}", payment.method),
                asked_by: staff.name,
                asked_at: now_ms(),
                decided_at: None,
            };
            let is_new = approvals::ask(&app, refunds::KIND, &request).await?;
            Ok(done(&id, Outcome::asked(is_new)))
        }
        Err(failure) => {
            refuse(&mut form, failure)?;
            again(&app, parts, &id, form).await
        }
    }
}

/// POST /staff/payments/{id}/second: somebody else decides on what is to be sent back; the fields `request` and `decision` say
/// which and how.
pub async fn decide(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let decision = Decision::read(&app, &parts, staff, &mut form, refunds::thing(&id)).await?;
    if form.is_refused() {
        return again(&app, parts, &id, form).await;
    }
    match refunds::decide(&app, &id, &decision).await {
        Ok(is_new) => Ok(done(&id, decision.outcome(is_new))),
        Err(failure) => {
            refuse(&mut form, failure)?;
            again(&app, parts, &id, form).await
        }
    }
}

/// POST /staff/payments/{id}/refund_again: has the provider asked now about the refund of this `key`. Asking sends nothing twice
/// and tells nothing, so it needs no code.
pub async fn ask_again(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    match refunds::ask_again(&app, &id, form.get("key")).await {
        Ok(is_asked) => Ok(done(&id, is_asked)),
        Err(NotSent::Unknown) if form.get("key").is_empty() => {
            form.refuse("", INCOMPLETE);
            again(&app, parts, &id, form).await
        }
        Err(failure) => {
            refuse(&mut form, failure)?;
            again(&app, parts, &id, form).await
        }
    }
}

/// POST /staff/payments/{id}/refund_end: how the refund of this `key` ended, `sent` or `withdrawn`.
pub async fn end_refund(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let key = form.get("key").to_owned();
    let known = rows::of_payment(&app.db, &id).await?;
    if key.is_empty() {
        form.refuse("", INCOMPLETE);
        return again(&app, parts, &id, form).await;
    }
    let known = known.into_iter().find(|refund| refund.request_key == key).ok_or(Error::NotFound)?;
    let end = match form.get("end") {
        "sent" => Some(RefundState::Done),
        "withdrawn" => Some(RefundState::Failed),
        _ => None,
    };
    if end.is_none() {
        form.refuse("end", "请选择结果");
    }
    let asked = approvals::of(&app.db, refunds::back(&id)).await?;
    let waits =
        asked.iter().any(|request| request.decided_at.is_none() && refunds::is_about(request, &known));
    if known.state == RefundState::Pending && end == Some(RefundState::Failed) && waits {
        return Ok(done(&id, Outcome::AskedBefore));
    }
    if known.state == RefundState::Pending {
        asks_code(&app, &parts, &staff, &mut form).await?;
    }
    let Some(end) = end.filter(|_| !form.is_refused()) else {
        return again(&app, parts, &id, form).await;
    };
    match refunds::end_by_hand(&app, &id, &key, end, By::OwnRight).await {
        Ok((_, is_new)) => Ok(done(&id, is_new)),
        Err(NotSent::NeedsAnother(_)) => {
            let is_new = refunds::ask_back(&app, &known, staff.name, asked.len()).await?;
            Ok(done(&id, Outcome::asked(is_new)))
        }
        Err(failure) => {
            refuse(&mut form, failure)?;
            again(&app, parts, &id, form).await
        }
    }
}

/// POST /staff/payments/{id}/refund_end_second: somebody else says whether a refund was not sent; the fields `request` and
/// `decision` say which and how.
pub async fn decide_back(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<PaymentId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let decision = Decision::read(&app, &parts, staff, &mut form, refunds::back(&id)).await?;
    if form.is_refused() {
        return again(&app, parts, &id, form).await;
    }
    match refunds::decide_back(&app, &id, &decision).await {
        Ok(is_new) => Ok(done(&id, decision.outcome(is_new))),
        Err(failure) => {
            refuse(&mut form, failure)?;
            again(&app, parts, &id, form).await
        }
    }
}

/// The payment's page, after something was done now, had been done before, or waits.
fn done(id: &PaymentId, outcome: impl Into<Outcome>) -> Response {
    let outcome = outcome.into();
    if outcome.is_unchanged() {
        audit::unchanged();
    }
    Redirect::to(&said(&address(id), outcome)).into_response()
}

/// The payment's page with a form that was refused. A code is good for one try.
async fn again(app: &App, parts: Parts, id: &PaymentId, mut form: Form) -> Result<Response, Error> {
    form.forget("code");
    render::again(app, parts, &address(id), form).await
}

/// An amount as a statement has it: `¥1,234.50`.
fn amount_in(form: &mut Form) -> Option<Fen> {
    let amount = read_any_amount(form.get("amount"));
    let amount = amount.and_then(|amount| {
        Some(amount).filter(|amount| *amount > Fen::ZERO).ok_or(AmountProblem::NotAnAmount)
    });
    amount.map_err(|problem| form.refuse("amount", problem.to_string())).ok()
}

fn other_amount(asked: Fen) -> String {
    format!("会员该付的是 ¥{}：金额不一致的不能确认，请与会员联系", asked.grouped())
}

fn too_much(left: Fen) -> String {
    format!("最多还能退 ¥{}", left.grouped())
}

/// The arrival's form has gone from the page: it says why alone.
fn confirmed_otherwise() -> Form {
    let mut form = Form::default();
    form.refuse("", "这笔转账已经确认到账，和这次填的金额或流水号不一样，没有改动");
    form
}

/// The same of one that waits for another clerk.
fn waits_otherwise() -> Form {
    let mut form = Form::default();
    form.refuse("", "这笔转账正在等另一位同事复核，和这次填的流水号不一样，没有改动");
    form
}

/// Why nothing is sent back, in the form.
fn refuse(form: &mut Form, failure: NotSent) -> Result<(), Error> {
    let (field, sentence) = match failure {
        NotSent::Failed(error) => return Err(error),
        NotSent::Unknown => return Err(Error::NotFound),
        NotSent::NotPaid => ("", "这笔付款还没有到账，没有可退的钱".to_owned()),
        NotSent::TooMuch(left) => ("amount", too_much(left)),
        NotSent::NothingLeft => ("", "这笔付款已经全部退回，或正在退回".to_owned()),
        NotSent::Spent(balance) => {
            ("amount", format!("会员余额只有 ¥{}，花掉的钱退不回去", balance.grouped()))
        }
        NotSent::OtherAmount(_, amount) => {
            ("", format!("这张表单已经退过一笔 ¥{}，要再退一笔，请重新填写", amount.grouped()))
        }
        NotSent::Ended(_, state) => ("", format!("这笔退款{state}，结果不能再改")),
        NotSent::ByItself => ("end", "支付平台会自动退回，不用记汇出".to_owned()),
        NotSent::NeedsAnother(_) => ("", "这笔退款要由另一位同事复核".to_owned()),
        NotSent::Underway(_) => ("end", "支付平台已经受理这笔退款，不能再退回余额".to_owned()),
    };
    form.refuse(field, sentence);
    Ok(())
}
