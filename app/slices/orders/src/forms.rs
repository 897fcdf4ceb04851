//! Placing, cancelling and receiving an order; pictures of ordered books.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::{AddressId, OrderId};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use web::app::App;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};

use super::place::{self, NotPlaced, Proposal, Source};
use super::shown::{findings, undecided};
use super::{progress, store};
use accounts::{self, LOOK_AT_REGIONS, MOST_ADDRESSES};

/// The cart's page.
const CART: &str = "/manager/shopping/cart";

/// The boxes with which a member says that it prints what was found as it is; each has its findings' mark as its value.
pub const DECIDED: &str = "decided";

/// The field of what is typed as a coupon, and the button beside it.
pub const COUPON: &str = "coupon";
pub const USE_COUPON: &str = "use_coupon";

/// Says that the form was asked which address is meant.
pub const ASKED_WHERE: &str = "asked_where";
const TORN: &str = "填了新地址，选中的却是已有的地址。寄到新地址，请再按一次；寄到已有的地址，请选中它再按。";

/// Where the box of a line is, and what was wrong with it; counted from 0.
pub fn decision_field(index: usize) -> String {
    format!("decided-{}", index + 1)
}

/// POST /manager/shopping/order/{ids}.
pub async fn place(
    State(app): State<App>,
    member: Member,
    Path(ids): Path<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    place_from(app, member, Source::Cart(ids), parts, &body).await
}

/// POST /manager/order/{id}/reorder: the same from an order's frozen lines.
pub async fn reorder(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<OrderId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    place_from(app, member, Source::Again(id), parts, &body).await
}

/// `use_coupon` shows what the coupon takes off, and orders nothing. `address=new` keeps the address in the form; where the sum with
/// shipping to its province was not seen yet, the page comes back to show it. Anything else places the order.
pub async fn place_from(
    app: App,
    member: Member,
    source: Source,
    parts: Parts,
    body: &[u8],
) -> Result<Response, Error> {
    let mut form = read_form(body)?;
    let page = source.page();
    if !form.get(LOOK_AT_REGIONS).is_empty() {
        // whoever looks at the new address's regions is not done with it
        form.forget("address");
        return render::again(&app, parts, &source.page_with("address", "new"), form).await;
    }
    if !form.get(USE_COUPON).is_empty() {
        let mut proposal = match place::propose(&app, &member, &source).await {
            Err(Error::TooLarge(sentence)) => return too_large(&app, parts, &source, sentence).await,
            proposed => proposed?,
        };
        try_coupon(&app, &member, &mut proposal, &mut form).await?;
        // the sum that was seen is that of the page before
        form.forget("total");
        return render::again(&app, parts, &page, form).await;
    }
    if is_torn(&form) {
        form.set("address", "new");
        form.set(ASKED_WHERE, "Y");
        // the sum that was seen is that of the other address
        form.forget("total");
        form.refuse("address", TORN);
        return render::again(&app, parts, &source.page_with("address", "new"), form).await;
    }
    if form.get("address") == "new" {
        // the page comes back by its address, so what was ticked is kept now
        if !form.get(DECIDED).is_empty()
            // what can't be ordered any more is no reason to lose an address
            && let Ok(proposal) = place::propose(&app, &member, &source).await
        {
            left_undecided(&app, &member, &proposal, &form).await?;
        }
        let Some(address) = kept_address(&app, &member, &mut form).await? else {
            return render::again(&app, parts, &page, form).await;
        };
        if form.get("total").is_empty() {
            let mut there = source.page_with("address", address.as_str());
            if !form.get(COUPON).is_empty() {
                there.push_str(&format!("&{COUPON}={}", encoded(form.get(COUPON))));
            }
            return Ok(Redirect::to(&there).into_response());
        }
        form.set("address", address.as_str());
    }
    let Some(request_key) = form.own_key("request_key", |key| (1..=64).contains(&key.len())) else {
        return render::again(&app, parts, &page, form).await;
    };
    match place_once(&app, &member, &source, &request_key, &mut form).await {
        Ok(Some(order)) => Ok(to_pay(&order)),
        Ok(None) => {
            // pressed twice: its own order is what uses the coupon
            if let Some(order) = store::placed_by(&app.db, &member.id, &request_key).await? {
                return Ok(to_pay(&order));
            }
            let there = source.page_with("address", form.get("address"));
            render::again(&app, parts, &there, form).await
        }
        // pressed twice: the cart lines are gone, because the order is there
        Err(error) => match store::placed_by(&app.db, &member.id, &request_key).await? {
            Some(order) => Ok(to_pay(&order)),
            None => match error {
                Error::TooLarge(sentence) => too_large(&app, parts, &source, sentence).await,
                error => Err(error),
            },
        },
    }
}

/// Keeps the address that a form brings; one that is kept already stays one. Nothing where it was refused, with what is wrong in it.
async fn kept_address(app: &App, member: &Member, form: &mut Form) -> Result<Option<AddressId>, Error> {
    let Some(address) = accounts::read_address(form) else { return Ok(None) };
    let known = accounts::addresses(app, &member.id).await?;
    let id = match known.into_iter().find(|known| known.is_same_place(&address)) {
        Some(known) => known.id,
        None if accounts::add_address(app, &member.id, &address).await? => address.id,
        None => {
            form.refuse("", format!("最多保存 {MOST_ADDRESSES} 个收货地址，请先到“收货地址”里删除不用的"));
            return Ok(None);
        }
    };
    accounts::forget_written_address(form);
    Ok(Some(id))
}

/// Whether a new address was written and another one is chosen, and nobody was asked yet which of them is meant.
fn is_torn(form: &Form) -> bool {
    let chosen = form.get("address");
    accounts::is_address_written(form) && !["", "new"].contains(&chosen) && form.get(ASKED_WHERE).is_empty()
}

/// What is more than one order may hold has no page that confirms it: it goes back to where less is chosen.
async fn too_large(app: &App, parts: Parts, source: &Source, sentence: String) -> Result<Response, Error> {
    let page = match source {
        Source::Cart(_) => CART.to_owned(),
        Source::Again(order) => format!("/manager/order/{order}"),
        Source::Shared(copy) => copy.page.clone(),
    };
    let mut form = Form::default();
    form.refuse("", sentence);
    render::again(app, parts, &page, form).await
}

fn to_pay(order: &OrderId) -> Response {
    Redirect::to(&format!("/manager/shopping/pay?order={order}")).into_response()
}

/// Places an order; `None` when the form was refused, with what is wrong in it.
async fn place_once(
    app: &App,
    member: &Member,
    source: &Source,
    request_key: &str,
    form: &mut Form,
) -> Result<Option<OrderId>, Error> {
    let mut proposal = place::propose(app, member, source).await?;
    try_coupon(app, member, &mut proposal, form).await?;
    let mut seen = HashSet::new();
    for line in &proposal.lines {
        let maker = proposal.maker(&member.id);
        if seen.insert(Arc::as_ptr(&line.document) as usize) {
            works::look_at_photos(app, maker, &line.document).await?;
        }
        if let Some(reason) = place::obstacle(app, maker, line).await? {
            form.refuse("", format!("《{}》还不能下单：{reason}", line.document.title));
        }
    }
    decide(app, member, &proposal, form).await?;
    let address = match form.get("address").parse::<AddressId>() {
        Ok(id) => accounts::address(app, &member.id, &id).await.ok(),
        Err(_) => None,
    };
    let Some(address) = address else {
        form.refuse("address", "请选择收货地址");
        return Ok(None);
    };
    match proposal.shipping(&address.province) {
        Err(error) => form.refuse("address", error.to_string()),
        Ok(shipping) => {
            // the amount is ours; the form only says which one the member has seen
            let total = proposal.goods_total.plus(shipping).map_err(Error::internal)?;
            let seen = form.get("total");
            if seen.is_empty() {
                form.refuse("", format!("应付 ¥{}，请核对金额后再提交", total.grouped()));
            } else if seen != total.to_string() {
                form.refuse("", format!("金额已变为 ¥{}，请核对后再提交", total.grouped()));
            }
        }
    }
    if form.is_refused() {
        return Ok(None);
    }
    match place::place(app, member, proposal, address, request_key).await? {
        Ok(order) => Ok(Some(order)),
        Err(refused) => {
            // of a coupon: somebody else was faster, or the shop ended it
            let field = if matches!(refused, NotPlaced::Coupon(_)) { COUPON } else { "" };
            form.refuse(field, refused.sentence());
            Ok(None)
        }
    }
}

/// Takes off what was typed as a coupon; a reason why not stands beside it. Words that are no code are counted, so that nobody
/// goes on guessing.
async fn try_coupon(
    app: &App,
    member: &Member,
    proposal: &mut Proposal,
    form: &mut Form,
) -> Result<(), Error> {
    let Some(refused) = proposal.take_off(app, &member.id, form.get(COUPON)).await? else { return Ok(()) };
    let sentence = match refused.is_a_guess() {
        true => match accounts::start_typing(app, &member.id).await {
            Err(error @ Error::TooMany(_)) => error.message(),
            tried => tried.map(|()| refused.to_string())?,
        },
        false => refused.to_string(),
    };
    form.refuse(COUPON, sentence);
    Ok(())
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Notes in the form what the member has not decided of what was found: it pays for nothing that it has not seen.
async fn decide(app: &App, member: &Member, proposal: &Proposal, form: &mut Form) -> Result<(), Error> {
    for (field, reason) in left_undecided(app, member, proposal, form).await? {
        form.refuse(&field, reason);
    }
    Ok(())
}

/// Keeps what the member decided of what was found, and answers what it has not: the boxes, and what is to be said there.
async fn left_undecided(
    app: &App,
    member: &Member,
    proposal: &Proposal,
    form: &Form,
) -> Result<Vec<(String, String)>, Error> {
    let mut left = Vec::new();
    for (index, line) in proposal.lines.iter().enumerate() {
        if line.revision.is_none() || line.proofed_at.is_some() {
            continue;
        }
        let findings = findings(app, &member.id, line).await?;
        let Some(undecided) = undecided(app, line, &findings).await? else { continue };
        if form.all(DECIDED).any(|mark| mark == undecided.mark) {
            undecided.decide(app).await?;
            continue;
        }
        let (title, count) = (&line.document.title, undecided.findings.len());
        let reason = format!("《{title}》有 {count} 处需要您决定：请先修改，或看过后勾选“就这样印”");
        left.push((decision_field(index), reason));
    }
    Ok(left)
}

fn to_order(id: &OrderId) -> Response {
    Redirect::to(&format!("/manager/order/{id}")).into_response()
}

/// POST /manager/order/{id}/cancellation: within 60 minutes after paying, or while unpaid. What was paid goes
/// back to the balance in the same transaction.
pub async fn cancel(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<OrderId>,
) -> Result<Response, Error> {
    progress::cancel(&app, &id, &member.id, now_ms()).await?;
    Ok(to_order(&id))
}

/// POST /manager/order/{id}/cancellation_request: afterwards, with a reason that the operator reads.
pub async fn request_cancellation(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<OrderId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    store::find_for_owner(&app.db, &id, &member.id).await?;
    check_length(&mut form, "reason", "取消的原因", 1, 200);
    if form.is_refused() {
        return render::again(&app, parts, &format!("/manager/order/{id}"), form).await;
    }
    progress::request_cancellation(&app, &id, &member.id, form.get("reason"), now_ms()).await?;
    Ok(to_order(&id))
}

/// POST /manager/order/{id}/receipt: the parcel is there.
pub async fn receive(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<OrderId>,
) -> Result<Response, Error> {
    progress::receive(&app, &id, &member.id, now_ms()).await?;
    Ok(to_order(&id))
}

/// GET /manager/order/{id}/line/{line}/page/{page}/{width}: a page as it was ordered; `cover` or a number from 1.
pub async fn picture(
    State(app): State<App>,
    member: Member,
    Path((id, position, page, width)): Path<(String, i64, String, u32)>,
) -> Result<Response, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound)?;
    let (document, maker) = store::document(&app.db, &id, position, &member.id).await?;
    let page = works::page_named(&document, &page, width)?;
    Ok(photos::webp(works::page_picture(&app, &maker, document, page, width).await?))
}
