//! /manager/epaper_order/{id}: one sale for its seller, who may give back what is not used.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::SaleId;
use domain::money::Fen;
use domain::payment::way_name;
use domain::sale::SaleState;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{Ask, ErrorSummary, Moment, Money};
use web::ui::shell::Shell;

use super::ORDERS;
use super::orders::{buyer_name, kind_name, mark, shares};
use super::refunds::{self, Kept};
use super::store::sales::{self as store, Sale};

/// POST /manager/epaper_order/{id}/refund.
pub async fn refund(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SaleId>,
    parts: Parts,
) -> Result<Response, Error> {
    let sale = store::find_for_seller(&app.db, &id, &member.id).await?;
    let page = format!("{ORDERS}/{id}");
    match refunds::refund(&app, &sale, now_ms()).await {
        Ok(_) | Err(Kept::Not(domain::sale::NotRefunded::Before)) => {
            Ok(Redirect::to(&format!("{page}?done=refunded")).into_response())
        }
        Err(Kept::Failed(error)) => Err(error),
        Err(reason) => {
            let mut form = Form::default();
            form.refuse("", reason.to_string());
            render::again(&app, parts, &page, form).await
        }
    }
}

/// GET /manager/epaper_order/{id}.
#[component]
pub fn SoldPage() -> impl IntoView {
    let here = here();
    let id = parameter::<SaleId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let sale = store::find_for_seller(&app.db, &id?, &member.id).await?;
            Ok((member, sale))
        },
        |(member, sale)| {
            let done = (use_query("done").is_some() && sale.state == SaleState::Refunded).then(|| {
                view! { <div class="notice good" role="status">"款项已退到读者的账户余额，阅读权限已结束。"</div> }
            });
            let (fee, income) = shares(&sale);
            let until = sale.span.and_then(|span| span.until);
            let span = sale.span.map(|span| {
                let until = until.map_or_else(|| "长期".to_owned(), time::day);
                view! { <dt>"期限"</dt><dd>{format!("{} 至 {until}", time::day(span.from))}</dd> }
            });
            let not_taken = (sale.is_gift && sale.span.is_none() && sale.state == SaleState::Paid)
                .then_some("，还没有人领取");
            let counted = (sale.credit > Fen::ZERO)
                .then(|| view! { <dt>"其中原期限折抵"</dt><dd><Money amount=sale.credit/></dd> });
            let refunded = (sale.state == SaleState::Refunded)
                .then(|| view! { <dt>{if sale.replaced_by.is_some() { "转入新的期限" } else { "已退还" }}</dt><dd><Money amount=sale.refunded/></dd> });
            view! {
                <Shell member title="销售订单".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=ORDERS>"销售订单"</a></p>
                            <h1>{sale.title.clone()}</h1>
                            <p><span class=mark(sale.state)>{sale.standing()}</span></p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="没有退款"/>
                    <div class="parts">
                        <section class="sheet">
                            <h2>"订单"</h2>
                            <dl class="facts">
                                <dt>"编号"</dt><dd class="num long">{sale.id.to_string()}</dd>
                                <dt>"种类"</dt><dd>{kind_name(&sale)}{not_taken}</dd>
                                <dt>{if sale.is_gift { "送礼的读者" } else { "读者" }}</dt><dd>{buyer_name(&sale)}</dd>
                                <dt>"付款时间"</dt><dd><Moment at=sale.paid_at.unwrap_or_default()/></dd>
                                <dt>"方式"</dt><dd>{way_name(sale.way.as_deref())}</dd>
                                {span}
                            </dl>
                        </section>
                        <aside class="stack" aria-label="金额与操作">
                            <section class="sheet">
                                <h2>"金额"</h2>
                                <dl class="facts sums">
                                    <dt>"实付"</dt><dd><Money amount=sale.amount/></dd>
                                    {counted}
                                    {refunded}
                                    <dt>{format!("服务费（{}）", percent(&sale))}</dt><dd><Money amount=fee/></dd>
                                    <dt class="sum">"收入"</dt><dd class="sum"><Money amount=income/></dd>
                                    <dt>"其中已到账"</dt>
                                    <dd><Money amount=sale.earning().and_then(|own| own.income().ok()).unwrap_or_default()/></dd>
                                </dl>
                            </section>
                            <Refund sale/>
                        </aside>
                    </div>
                </Shell>
            }
        },
    )
}

/// The fee's rate as people say it.
fn percent(sale: &Sale) -> String {
    format!("{}%", (sale.rate.value() * rust_decimal::Decimal::ONE_HUNDRED).normalize())
}

/// The rest that would go back now, and the question whether it shall.
#[component]
fn Refund(sale: Sale) -> impl IntoView {
    let rest = sale.earning().and_then(|mut earning| earning.refund(now_ms()).ok());
    let rest = rest.filter(|_| sale.state == SaleState::Paid)?.rest.grouped();
    let (label, question) = if sale.span.is_some_and(|span| span.until.is_none()) {
        let question = format!(
            "把全款 ¥{rest} 退给{}？它的阅读权限马上结束，这一单到账的收入和服务费都退回。",
            buyer_name(&sale)
        );
        ("退还全款", question)
    } else if sale.is_gift && sale.span.is_none() {
        let question =
            format!("把全款 ¥{rest} 退给{}？礼物还没有人领取，兑换码马上作废。", buyer_name(&sale));
        ("退还全款", question)
    } else {
        let question =
            format!("把未用的 ¥{rest} 退给{}？它的阅读权限马上结束，已经到账的收入不变。", buyer_name(&sale));
        ("退还未用的部分", question)
    };
    Some(view! {
        <Ask
            label
            question
            confirm="退款"
            action=format!("{ORDERS}/{}/refund", sale.id)
        />
    })
}
