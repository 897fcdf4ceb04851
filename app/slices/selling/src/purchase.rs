//! /manager/purchase/{id}: what a reader is about to buy, paid here; afterwards what it bought.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::gift::Way;
use domain::ids::SaleId;
use domain::money::Fen;
use domain::payment::{Method, way_name};
use domain::sale::SaleState;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Here, here, loaded, parameter};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Moment, Money};
use web::ui::shell::Shell;

use super::gifts::own_address;
use super::sales::{self, KIND, NotSold};
use super::store::gifts::{self, Gift};
use super::store::sales::{self as store, Sale};
use super::{GIFTS, STUDY, item_address};
use payments::{self, Bill, WaysToPay};

/// The page of a sale for its buyer.
pub fn address(id: &SaleId) -> String {
    format!("/manager/purchase/{id}")
}

/// POST /manager/purchase/{id}: the whole sale, from the balance, or from outside where `method` names a way. The sale is the
/// key, so pressing twice pays once.
pub async fn pay(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SaleId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let sale = store::find_for_buyer(&app.db, &id, &member.id).await?;
    let page = address(&id);
    let mut form = read_form(&body)?;
    if sale.state != SaleState::Unpaid {
        return Ok(Redirect::to(&page).into_response());
    }
    if !matches!(form.get("method"), "" | "balance") {
        // nobody is led to a provider for what is not to be had any more
        if sales::is_withdrawn(&app, &mut app.db.begin_snapshot().await?, &sale).await? {
            form.refuse("", NotSold::Withdrawn.to_string());
            return render::again(&app, parts, &page, form).await;
        }
        let title = format!("书坊 {}", sale.title);
        let bill = Bill { kind: KIND.to_owned(), id: id.to_string(), title, page };
        return payments::pay_bill(&app, &member, parts, form, bill, sale.due()).await;
    }
    if accounts::asks_again(&app, &member).await?
        && let Err(refusal) = accounts::knows_password(&app, &parts, &page, &mut form, &member).await?
    {
        return Ok(refusal);
    }
    match sales::pay_from_balance(&app, &id, &member.id, now_ms()).await {
        Ok(_) => Ok(Redirect::to(&page).into_response()),
        Err(NotSold::Failed(error)) => Err(error),
        Err(reason) => {
            form.refuse("", reason.to_string());
            render::again(&app, parts, &page, form).await
        }
    }
}

/// GET /manager/purchase/{id}.
#[component]
pub fn PurchasePage() -> impl IntoView {
    let here = here();
    let id = parameter::<SaleId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let sale = store::find_for_buyer(&app.db, &id?, &member.id).await?;
            let ways: Vec<Method> = payments::ways(&app)?.all().collect();
            let asks_again = accounts::asks_again(&app, &member).await?;
            let item = sale.subject.item();
            let opens = item.and_then(|(kind, id)| item_address(&app, kind, id));
            let gift = if sale.is_gift {
                Some(gifts::find(&mut app.db.begin_snapshot().await?, &sale.id).await?)
            } else {
                None
            };
            Ok((member, sale, gift, ways, asks_again, opens))
        },
        |(member, sale, gift, ways, asks_again, opens)| {
            let (title, body) = if sale.state == SaleState::Unpaid {
                ("付款", view! { <Due member=member.clone() sale gift ways asks_again/> }.into_any())
            } else {
                ("已购买", view! { <Bought sale opens/> }.into_any())
            };
            view! {
                <Shell member title=title.to_owned() assets=&["payments.css", "selling.css"]>
                    <div class="till">
                        <h1>{title}</h1>
                        <ErrorSummary title="没有付款"/>
                        <div class="trim stack">{body}</div>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Due(member: Member, sale: Sale, gift: Option<Gift>, ways: Vec<Method>, asks_again: bool) -> impl IntoView {
    let balance = member.balance;
    let due = sale.due();
    let counted = (sale.credit > Fen::ZERO).then(|| {
        view! {
            <dt>"价格"</dt><dd><Money amount=sale.amount/></dd>
            <dt>"原来未用的折抵"</dt><dd><Money amount=sale.credit.negated().unwrap_or_default()/></dd>
        }
    });
    let mark = sale.is_gift.then_some("（礼物）");
    let by_mail = |gift: &Gift| {
        let when = gift.send_at.map_or_else(|| "付款以后马上".to_owned(), time::stamp);
        view! {
            <dt>"邮箱"</dt><dd class="long">{gift.address.clone()}</dd>
            <dt>"寄出"</dt><dd>{when}</dd>
        }
    };
    let gift = gift.map(|gift| {
        let mail = (gift.way == Way::Mail).then(|| by_mail(&gift));
        view! { <dt>"怎么送"</dt><dd>{gift.way.name()}</dd>{mail} }
    });
    view! {
        <p class="due"><span class="quiet">"应付"</span>" "<strong><Money amount=due/></strong></p>
        <dl class="facts sums">
            <dt>"内容"</dt><dd>{sale.title.clone()}{mark}</dd>
            <dt>"期限"</dt><dd>{sale.term.to_string()}</dd>
            {gift}
            {counted}
            <dt>"账户余额"</dt><dd><Money amount=balance/></dd>
        </dl>
        <WaysToPay member amount=due page=address(&sale.id) ways asks_again/>
    }
}

#[component]
fn Bought(sale: Sale, opens: Option<String>) -> impl IntoView {
    let told = match (sale.state, sale.span.and_then(|span| span.until)) {
        (SaleState::Refunded, _) if sale.replaced_by.is_some() => view! {
            <div class="notice" role="status">
                "已经换订，未用的 "<Money amount=sale.refunded/>" 折抵了新的期限。"
            </div>
        }
        .into_any(),
        (SaleState::Refunded, _) => view! {
            <div class="notice" role="status">
                "未用的部分已经退还 "<Money amount=sale.refunded/>"，在您的账户余额里。"
            </div>
        }
        .into_any(),
        _ if sale.is_gift => view! {
            <p>{sale.title.clone()}"已经付款，可以送出了。对方收下的那天起算，没有截止日期。"</p>
        }
        .into_any(),
        (_, Some(until)) => {
            let until = time::day(until);
            view! { <p>{sale.title.clone()}"已经开通，可以读到 "<span class="num">{until}</span>"。"</p> }
                .into_any()
        }
        (_, None) => view! { <p>{sale.title.clone()}"已经开通，可以长期阅读。"</p> }.into_any(),
    };
    let opens = opens.filter(|_| sale.state == SaleState::Paid);
    let ways = match opens {
        _ if sale.is_gift => view! {
            <a class="button primary wide" href=own_address(&sale.id)>"看礼物"</a>
            <a class="button wide" href=GIFTS>"送出的礼物"</a>
        }
        .into_any(),
        Some(address) => view! {
            <a class="button primary wide" href=address>"现在就读"</a>
            <a class="button wide" href=STUDY>"去书房"</a>
        }
        .into_any(),
        None => view! { <a class="button primary wide" href=STUDY>"去书房阅读"</a> }.into_any(),
    };
    let counted =
        (sale.credit > Fen::ZERO).then(|| view! { <dt>"折抵"</dt><dd><Money amount=sale.credit/></dd> });
    let paid = sale.paid_at.map(|at| view! { <dt>"付款时间"</dt><dd><Moment at/></dd> });
    view! {
        {told}
        <dl class="facts sums">
            <dt>"金额"</dt><dd><Money amount=sale.due()/></dd>
            {counted}
            <dt>"方式"</dt><dd>{way_name(sale.way.as_deref())}</dd>
            {paid}
            <dt>"编号"</dt><dd class="num long">{sale.id.to_string()}</dd>
        </dl>
        {ways}
    }
}
