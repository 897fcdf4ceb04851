//! Paying an order, and recharging.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::Error;
use domain::ids::{OrderId, PaymentId};
use domain::money::Fen;
use domain::order_state::OrderState;
use domain::payment::{Method, read_amount};
use web::app::App;
use web::prepaid::{self, Chosen};
use web::render::{self, Form};
use web::session::Member;
use web::ui::forms::read_form;

use super::begin::{self, Obstacle, Wanted};
use super::cards;
use super::operate::is_key;
use super::store::Bill;
use ledger::Refusal;

/// POST /manager/shopping/pay: what is due of the order, from the balance, or from outside where `method` names a way; or a gift card
/// is put on it, or taken off.
pub async fn pay(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    let id: OrderId = form.get("order").parse().map_err(|_| Error::NotFound)?;
    match form.get("method") {
        "" | "balance" => pay_from_balance(&app, member, parts, form, id, None).await,
        purse if purse.starts_with(PURSE) => {
            let purse = purse.trim_start_matches(PURSE).to_owned();
            pay_from_balance(&app, member, parts, form, id, Some(purse)).await
        }
        card if card == TYPED || card.starts_with(CARD) || card.starts_with(OFF) => {
            put_card(&app, &member, parts, form, &id).await
        }
        _ => pay_from_outside(&app, member, parts, form, id).await,
    }
}

/// How the name of a purse begins where a form names a way.
pub const PURSE: &str = "purse:";
/// The same of one of the member's gift cards that is put on the order, and of one that is taken off.
pub const CARD: &str = "card:";
pub const OFF: &str = "off:";
/// A gift card whose code is typed is put on it.
pub const TYPED: &str = "card";

/// Puts a gift card on an unpaid order, or takes it off, and shows what is due then.
async fn put_card(
    app: &App,
    member: &Member,
    parts: Parts,
    mut form: Form,
    id: &OrderId,
) -> Result<Response, Error> {
    let page = format!("/manager/shopping/pay?order={id}");
    let prepaid = prepaid::of_house(app).ok_or(Error::NotFound)?;
    let way = form.get("method").to_owned();
    let done = if let Some(card) = way.strip_prefix(OFF) {
        prepaid.take_off(app, &member.id, id, card).await.map(Ok)?
    } else {
        let card = way.strip_prefix(CARD).map_or(Chosen::Typed(form.get("card")), Chosen::Own);
        prepaid.put(app, &parts, &member.id, id, card).await?
    };
    match done {
        Ok(()) => Ok(Redirect::to(&page).into_response()),
        Err(sentence) => {
            form.refuse(if way == TYPED { "card" } else { "" }, sentence);
            render::again(app, parts, &page, form).await
        }
    }
}

/// The order's own id is the key, so pressing twice pays once. A purse puts the money into the balance first.
async fn pay_from_balance(
    app: &App,
    member: Member,
    parts: Parts,
    mut form: Form,
    id: OrderId,
    purse: Option<String>,
) -> Result<Response, Error> {
    let success = format!("/manager/shopping/success?order={id}");
    let page = format!("/manager/shopping/pay?order={id}");
    if accounts::asks_again(app, &member).await? {
        // another's order is missing whatever the password is
        orders::find_for_owner(&app.db, &id, &member.id).await?;
        if let Err(refusal) = accounts::knows_password(app, &parts, &page, &mut form, &member).await? {
            return Ok(refusal);
        }
    }
    let mut tx = app.db.begin().await?;
    if let Some(purse) = purse
        && !draw(app, &mut tx, &purse, &member, &id).await?
    {
        drop(tx);
        form.refuse("", "额度不够，或者现在不能用。订单已保留，可以换一种付款方式。");
        return render::again(app, parts, &page, form).await;
    }
    match cards::pay(app, &mut tx, &id, &member.id, now_ms()).await {
        Ok(_) => {
            tx.commit().await?;
            app.bell.ring();
            Ok(Redirect::to(&success).into_response())
        }
        Err(Refusal::InsufficientBalance) => {
            // dropped, the transaction leaves the order unpaid
            drop(tx);
            form.refuse("", "余额不足，订单已保留，充值后可以继续付款。");
            render::again(app, parts, &page, form).await
        }
        Err(Refusal::KeyReused) => Err(Error::internal("an order's payment key was used for something else")),
        Err(Refusal::Failed(error)) => Err(error),
    }
}

/// Takes what an unpaid order costs from a purse; an order that was paid before needs nothing.
async fn draw(app: &App, tx: &mut Tx, purse: &str, member: &Member, id: &OrderId) -> Result<bool, Error> {
    let order = orders::lock_for_owner(tx, id, &member.id).await?;
    if order.state != OrderState::Unpaid {
        return Ok(true);
    }
    // what goes back of it would have to be told apart
    if order.by_cards > Fen::ZERO {
        return Ok(false);
    }
    let Some(purses) = app.house.slices.iter().find_map(|slice| slice.purses) else { return Ok(false) };
    purses.draw(tx, purse, &member.id, id, order.total, now_ms()).await
}

/// The amount is what is due of the order; the form only chooses the way.
async fn pay_from_outside(
    app: &App,
    member: Member,
    parts: Parts,
    mut form: Form,
    id: OrderId,
) -> Result<Response, Error> {
    let order = orders::find_for_owner(&app.db, &id, &member.id).await?;
    let page = format!("/manager/shopping/pay?order={id}");
    if order.state != OrderState::Unpaid || order.due() == Fen::ZERO {
        // paid in another window, or cancelled, or gift cards pay it whole: the page says so
        return Ok(Redirect::to(&page).into_response());
    }
    let key = request_key(&mut form);
    match form.get("method").parse::<Method>().map(|method| (method, key)) {
        // the form says so
        Ok((_, None)) => {}
        Ok((method, Some(request_key))) => {
            let wanted = Wanted { method, order: Some(id), bill: None, amount: order.due(), request_key };
            match begun(begin::begin(app, &member, wanted, now_ms()).await, &mut form)? {
                Some(id) => return Ok(to_payment(&id)),
                None => form.forget("request_key"),
            }
        }
        Err(_) => form.refuse("", "请选择付款方式"),
    }
    render::again(app, parts, &page, form).await
}

/// POST /manager/recharge: `amount` as it was typed, or the one of `preset`; `method`.
pub async fn recharge(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let key = request_key(&mut form);
    let method = form.get("method").parse::<Method>().ok();
    let amount = amount_in(&mut form, method);
    if method.is_none() {
        form.refuse("method", "请选择付款方式");
    }
    if let (Some(request_key), Some(method), Some(amount)) = (key, method, amount) {
        let wanted = Wanted { method, order: None, bill: None, amount, request_key };
        match begun(begin::begin(&app, &member, wanted, now_ms()).await, &mut form)? {
            Some(id) => return Ok(to_payment(&id)),
            None => form.forget("request_key"),
        }
    }
    render::again(&app, parts, "/manager/recharge", form).await
}

fn amount_in(form: &mut Form, method: Option<Method>) -> Option<Fen> {
    // what was typed counts more than what was clicked
    let typed = form.get("amount");
    let text = if typed.is_empty() { form.get("preset") } else { typed };
    let checked = read_amount(text).and_then(|amount| match method {
        Some(method) => method.check(amount),
        None => Ok(amount),
    });
    checked.map_err(|problem| form.refuse("amount", problem.to_string())).ok()
}

/// The payment that was begun; `None` when the form says why there is none.
fn begun(outcome: Result<PaymentId, Obstacle>, form: &mut Form) -> Result<Option<PaymentId>, Error> {
    match outcome {
        Ok(id) => Ok(Some(id)),
        Err(Obstacle::Failed(error)) => Err(error),
        Err(obstacle) => {
            form.refuse("", obstacle.to_string());
            Ok(None)
        }
    }
}

/// Begins to pay a bill of another slice's in the way that a form on the bill's page names: leads to the payment, or shows the
/// page again with why there is none.
pub async fn pay_bill(
    app: &App,
    member: &Member,
    parts: Parts,
    mut form: Form,
    bill: Bill,
    amount: Fen,
) -> Result<Response, Error> {
    let key = request_key(&mut form);
    let page = bill.page.clone();
    match form.get("method").parse::<Method>().map(|method| (method, key)) {
        // the form says so
        Ok((_, None)) => {}
        Ok((method, Some(request_key))) => {
            let wanted = Wanted { method, order: None, bill: Some(bill), amount, request_key };
            match begun(begin::begin(app, member, wanted, now_ms()).await, &mut form)? {
                Some(id) => return Ok(to_payment(&id)),
                None => form.forget("request_key"),
            }
        }
        Err(_) => form.refuse("", "请选择付款方式"),
    }
    render::again(app, parts, &page, form).await
}

fn request_key(form: &mut Form) -> Option<String> {
    form.own_key("request_key", is_key)
}

fn to_payment(id: &PaymentId) -> Response {
    Redirect::to(&format!("/manager/payment/{id}")).into_response()
}
