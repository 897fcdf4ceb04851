//! Asking for an invoice.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::contact::Contact;
use domain::ids::InvoiceId;
use domain::invoice::{InvoiceState, Title};
use domain::money::Fen;
use leptos::prelude::*;
use web::app::App;
use web::notices::{self, Kind, Notice};
use web::render::{self, Form, here, loaded, use_form, use_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, FieldError, Money};
use web::ui::shell::Shell;

use super::LIST;
use super::bill::{Bill, Billed};
use super::store::titles::Kept;
use super::store::{self, Invoice, titles};
use super::title_form::{TitleFields, read_title};

/// The value of the choice that writes a title of its own.
const NEW: &str = "new";

/// What a member asks for.
struct Wish {
    id: InvoiceId,
    of: Billed,
    title: Title,
    email: Option<String>,
    /// The title is kept for later.
    keep: bool,
}

/// POST /manager/invoice/new: sent again, it answers with the invoice that there is.
pub async fn request(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let of = Billed::of(&form)?;
    // somebody else's looks like none, also when what was typed is refused
    Bill::find(&app.db, &of, &member.id).await?;
    let kept = titles::of_member(&app.db, &member.id).await?;
    if let Some(wish) = read(&mut form, &of, &kept)
        && let Some((id, new)) = place(&app, &member, &wish, &mut form).await?
    {
        let done = if new { "requested" } else { "already" };
        return Ok(Redirect::to(&format!("{LIST}/{id}?done={done}")).into_response());
    }
    render::again(&app, parts, &of.form(), form).await
}

fn read(form: &mut Form, of: &Billed, kept: &[Kept]) -> Option<Wish> {
    let id: Option<InvoiceId> = form.own("invoice");
    let chosen = form.get("title").to_owned();
    let new = chosen == NEW;
    let title = if new {
        read_title(form)
    } else {
        let known = kept.iter().find(|kept| kept.id.as_str() == chosen);
        if known.is_none() {
            form.refuse("title", "请选择发票抬头");
        }
        known.map(|kept| kept.title.clone())
    };
    let email = match (form.get("email"), Contact::read(form.get("email"))) {
        ("", _) => None,
        (_, Some(Contact::Email(address))) => Some(address),
        _ => {
            form.refuse("email", "请输入正确的邮箱地址，或者不填");
            None
        }
    };
    let keep = new && !form.get("keep").is_empty();
    if form.is_refused() {
        return None;
    }
    Some(Wish { id: id?, of: of.clone(), title: title?, email, keep })
}

/// Writes the request; the invoice that counts for the same, and whether it is this one. `None` when it is refused,
/// with the reason in the form. The row of what it is of is held, so neither another request nor a refund comes between.
async fn place(
    app: &App,
    member: &Member,
    wish: &Wish,
    form: &mut Form,
) -> Result<Option<(InvoiceId, bool)>, Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let (bill, content) = Bill::hold(&mut tx, &wish.of, &member.id).await?;
    if let Some(live) = store::lock_live(&mut tx, &bill.of).await? {
        let same = live.id == wish.id;
        return Ok(Some((live.id, same)));
    }
    if let Some(reason) = bill.obstacle {
        form.refuse("", reason);
        return Ok(None);
    }
    // the amount is ours; the form only says which one the member has seen
    let amount = bill.rest();
    let seen = form.get("amount");
    if !seen.is_empty() && seen != amount.to_string() {
        form.refuse("", format!("开票金额已变为 ¥{}，请核对后再提交", amount.grouped()));
        form.forget("amount");
        return Ok(None);
    }
    let invoice = Invoice {
        id: wish.id.clone(),
        member: member.id.clone(),
        of: bill.of,
        state: InvoiceState::Requested,
        title: wish.title.clone(),
        email: wish.email.clone(),
        content,
        amount,
        rest: amount,
        reason: None,
        number: None,
        file: None,
        requested_at: now,
        issued_at: None,
        ended_at: None,
        corrected: Fen::ZERO,
        corrected_at: None,
    };
    if !store::insert(&mut tx, &invoice).await? {
        // an old page's form, whose invoice has ended since
        store::lock_for_owner(&mut tx, &wish.id, &member.id).await?;
        return Ok(Some((wish.id.clone(), false)));
    }
    if wish.keep {
        // with a full list the invoice is asked for all the same
        let kept = Kept { id: new_id(), title: wish.title.clone() };
        titles::insert(&mut tx, &member.id, &kept, super::titles::MOST, now).await?;
    }
    let (id, page) = (wish.id.as_str(), format!("/staff/invoices/{}", wish.id));
    notices::tell(&mut tx, Notice { kind: Kind::InvoiceAsked, about: id, subject: id, page: &page }).await?;
    tx.commit().await?;
    Ok(Some((wish.id.clone(), true)))
}

/// GET /manager/invoice/new?order=…, or `term=…`: `from` names an earlier invoice whose title is offered again.
#[component]
pub fn NewInvoicePage() -> impl IntoView {
    let here = here();
    let of = Billed::read(&use_query("order").unwrap_or_default(), &use_query("term").unwrap_or_default());
    let from = use_query("from").and_then(|text| text.parse::<InvoiceId>().ok());
    loaded(
        async move {
            let here = here?;
            let bill = Bill::find(&here.app.db, &of?, &here.member.id).await?;
            let live = store::live(&here.app.db, &bill.of).await?;
            let kept = titles::of_member(&here.app.db, &here.member.id).await?;
            let earlier = match from {
                Some(id) => store::find_for_owner(&here.app.db, &id, &here.member.id).await.ok(),
                None => None,
            };
            Ok((here.member, bill, live, kept, earlier))
        },
        |(member, bill, live, kept, earlier)| {
            let noun = bill.of.noun();
            let body = match (live, bill.obstacle) {
                (Some(live), _) => view! {
                    <div class="notice">{format!("这个{noun}已经申请过发票。")}</div>
                    <p><a class="button primary" href=format!("{LIST}/{live}")>"查看发票"</a></p>
                }
                .into_any(),
                (None, Some(reason)) => view! {
                    <div class="notice">{reason}</div>
                    <p><a class="button primary" href=bill.of.page()>{format!("查看{noun}")}</a></p>
                }
                .into_any(),
                (None, None) => view! { <RequestForm bill kept earlier/> }.into_any(),
            };
            view! {
                <Shell member title="申请发票".to_owned() assets=&["invoices.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LIST>"发票"</a></p>
                            <h1>"申请发票"</h1>
                        </div>
                    </header>
                    <ErrorSummary title="申请还没有提交"/>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn RequestForm(bill: Bill, kept: Vec<Kept>, earlier: Option<Invoice>) -> impl IntoView {
    let form = use_form();
    let id: InvoiceId = render::once();
    let id = form.or("invoice", id.as_str());
    let amount = bill.rest();
    let of = bill.of;
    let seen = form.or("amount", &amount.to_string());
    let known = earlier.as_ref().map(|earlier| earlier.title.clone());
    let email = earlier.and_then(|earlier| earlier.email).unwrap_or_default();
    let less: Vec<_> = [("已退款", bill.given_back), ("礼品卡付的，不开发票", bill.by_cards)]
        .into_iter()
        .filter(|(_, amount)| *amount > Fen::ZERO)
        .map(|(label, amount)| view! { <dt>{label}</dt><dd><Money amount/></dd> })
        .collect();
    let paid = (!less.is_empty()).then(|| {
        view! { <dt>{format!("{}实付", of.noun())}</dt><dd><Money amount=bill.paid/></dd> }
    });
    view! {
        <form class="sheet stack request" method="post" action=of.form()>
            <input type="hidden" name="invoice" value=id/>
            <input type="hidden" name=of.field() value=of.id().to_owned()/>
            <input type="hidden" name="amount" value=seen/>
            <dl class="facts">
                <dt>{of.noun()}</dt>
                <dd><a class="link num" href=of.page()>{of.id().to_owned()}</a></dd>
                {paid}
                {less}
                <dt>"开票金额"</dt>
                <dd><Money amount class="price"/></dd>
            </dl>
            <TitleChoice kept known/>
            <Field
                name="email"
                label="接收邮箱（可不填，开好后把 PDF 也发到这里）"
                kind="email"
                value=email
                most=254
                autocomplete="email"
            />
            <div class="row">
                <button class="button primary">"提交申请"</button>
                <a class="button" href=LIST>"取消"</a>
            </div>
        </form>
    }
}

/// The kept titles and a new one. What is known from an earlier invoice is chosen, or written into the new one's fields.
#[component]
fn TitleChoice(kept: Vec<Kept>, known: Option<Title>) -> impl IntoView {
    let form = use_form();
    let same = kept.iter().find(|kept| Some(&kept.title) == known.as_ref());
    let first = match (same, &known) {
        (None, Some(_)) => None,
        (same, _) => same.or(kept.first()),
    };
    let chosen = form.or("title", first.map_or(NEW, |kept| kept.id.as_str()));
    let known = known.filter(|_| same.is_none());
    let full = kept.len() as i64 >= super::titles::MOST;
    let keep = (!full).then(|| {
        let checked = !form.is_sent() || !form.get("keep").is_empty();
        view! {
            <label class="check">
                <input type="checkbox" name="keep" value="Y" checked=checked/>
                "保存这个抬头，下次直接选"
            </label>
        }
    });
    let new = view! { <div class="stack new-title"><TitleFields known/>{keep}</div> };
    if kept.is_empty() {
        return view! { <input type="hidden" name="title" value=NEW/>{new} }.into_any();
    }
    let radios: Vec<_> = kept
        .into_iter()
        .map(|kept| {
            let code = kept.title.code().map(|code| view! { <br/><span class="num">{code.to_string()}</span> });
            view! {
                <label>
                    <input type="radio" name="title" value=kept.id.to_string() checked=kept.id.as_str() == chosen/>
                    <span>
                        <strong>{kept.title.name().to_owned()}</strong>" "
                        <span class="badge">{kept.title.kind()}</span>{code}
                    </span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="picks" id="title">
            <legend>"发票抬头"</legend>
            <FieldError name="title".to_owned()/>
            {radios}
            <label>
                <input type="radio" name="title" value=NEW checked=chosen == NEW/>
                <span>"用新的抬头"</span>
            </label>
        </fieldset>
        {new}
    }
    .into_any()
}
