//! Placing and cancelling an order; the picture of an ordered book.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::ids::{AddressId, OrderId};
use domain::ledger::{Posting, Source};
use domain::order_state::{Actor, NotMoved, OrderState, Times};

use super::{place, store};
use crate::accounts::{self, LOOK_AT_REGIONS, MOST_ADDRESSES};
use crate::app::App;
use crate::db::now_ms;
use crate::error::Error;
use crate::payments::ledger::{self, Refusal};
use crate::render::{self, Form};
use crate::router::Parameter;
use crate::session::Member;
use crate::ui::forms::read_form;
use crate::{photos, works};

/// POST /manager/shopping/order/{ids}: `address=new` keeps the address in the form and comes back to show what
/// shipping there costs; anything else places the order.
pub async fn place(
    State(app): State<App>,
    member: Member,
    Path(ids): Path<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let page = format!("/manager/shopping/order/{ids}");
    if !form.get(LOOK_AT_REGIONS).is_empty() {
        // whoever looks at the new address's regions is not done with it
        form.forget("address");
        return render::again(&app, parts, &format!("{page}?address=new"), form).await;
    }
    if form.get("address") == "new" {
        if let Some(address) = accounts::read_address(&mut form) {
            if accounts::add_address(&app, &member.id, &address).await? {
                return Ok(Redirect::to(&format!("{page}?address={}", address.id)).into_response());
            }
            form.refuse("", format!("最多保存 {MOST_ADDRESSES} 个收货地址，请先到“收货地址”里删除不用的"));
        }
        return render::again(&app, parts, &page, form).await;
    }
    let request_key = form.get("request_key").to_owned();
    if request_key.is_empty() || request_key.len() > 64 {
        return Err(Error::BadRequest("表单不完整，请刷新页面再试".into()));
    }
    match place_once(&app, &member, &ids, &request_key, &mut form).await {
        Ok(Some(order)) => Ok(to_pay(&order)),
        Ok(None) => {
            let address = form.get("address").to_owned();
            render::again(&app, parts, &format!("{page}?address={address}"), form).await
        }
        // pressed twice: the cart lines are gone, because the order is there
        Err(error) => match store::placed_by(&app.db, &member.id, &request_key).await? {
            Some(order) => Ok(to_pay(&order)),
            None => Err(error),
        },
    }
}

fn to_pay(order: &OrderId) -> Response {
    Redirect::to(&format!("/manager/shopping/pay?order={order}")).into_response()
}

/// Places an order; `None` when the form was refused, with what is wrong in it.
async fn place_once(
    app: &App,
    member: &Member,
    ids: &str,
    request_key: &str,
    form: &mut Form,
) -> Result<Option<OrderId>, Error> {
    let proposal = place::propose(app, member, ids).await?;
    for line in &proposal.lines {
        if let Some(reason) = place::obstacle(app, member, line).await? {
            form.refuse("", format!("《{}》还不能下单：{reason}", line.work.document.title));
        }
    }
    let address = match form.get("address").parse::<AddressId>() {
        Ok(id) => accounts::address(app, &member.id, &id).await.ok(),
        Err(_) => None,
    };
    let Some(address) = address else {
        form.refuse("address", "请选择收货地址");
        return Ok(None);
    };
    match proposal.shipping(&address) {
        Err(error) => form.refuse("address", error.to_string()),
        Ok(shipping) => {
            // the amount is ours; the form only says which one the member has seen
            let total = proposal.goods_total.plus(shipping).map_err(Error::internal)?;
            let seen = form.get("total");
            if !seen.is_empty() && seen != total.to_string() {
                form.refuse("", format!("金额已变为 ¥{}，请核对后再提交", total.grouped()));
            }
        }
    }
    if form.is_refused() {
        return Ok(None);
    }
    place::place(app, member, proposal, address, request_key).await.map(Some)
}

/// POST /manager/order/{id}/cancellation: within 60 minutes after paying, or while unpaid. What was paid goes
/// back to the balance in the same transaction.
pub async fn cancel(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<OrderId>,
) -> Result<Redirect, Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let order = store::lock_for_owner(&mut tx, &id, &member.id).await?;
    let times = Times { paid_at: order.paid_at, now };
    match order.state.advance(OrderState::Cancelled, Actor::Member, times) {
        Ok(state) => {
            store::set_state(&mut tx, &id, state, None, now).await?;
            if order.paid_at.is_some() {
                let key = format!("order-cancellation:{id}").parse().map_err(Error::internal)?;
                let refund = Posting::refund(key, &member.id, Source::Balance, order.total)
                    .map_err(Error::internal)?;
                ledger::post(&mut tx, &refund, &format!("取消订单 {id}"), now).await.map_err(|refusal| {
                    match refusal {
                        Refusal::Failed(error) => error,
                        other => Error::internal(other),
                    }
                })?;
            }
            tx.commit().await?;
        }
        Err(NotMoved::AlreadyThere(_)) => {}
        Err(refused) => return Err(Error::Conflict(refused.to_string())),
    }
    Ok(Redirect::to(&format!("/manager/order/{id}")))
}

/// GET /manager/order/{id}/line/{line}/cover: the cover as it was ordered.
pub async fn cover(
    State(app): State<App>,
    member: Member,
    Path((id, position)): Path<(String, i64)>,
) -> Result<Response, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound)?;
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let line = store::lines(&app.db, &id).await?.into_iter().find(|line| line.position == position);
    let document = line.ok_or(Error::NotFound)?.document;
    Ok(photos::webp(works::page_picture(&app, &member.id, document, press::PageRef::Cover, 320).await?))
}
