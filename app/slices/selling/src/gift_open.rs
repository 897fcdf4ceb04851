//! /gift/{code}: a gift for whoever has its code, before and after signing in.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::redeem_code::RedeemCode;
use domain::return_path::login_address;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, HeadSlot, loaded, parameter, use_member};
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{Cloth, ErrorSummary};
use web::ui::shell::{Head, Mark};

use super::STUDY;
use super::gifts::{self, Shown, address};
use super::redeem::{self, NotRedeemed, REFUSAL};

/// The one answer for a code that nothing can be taken by: nobody is told whether it ever was one.
fn gone() -> Error {
    Error::Gone("这份礼物已经被领取或收回，或者链接不完整。自己收下的在“书房”里。".into())
}

/// POST /gift/{code}/acceptance.
pub async fn accept(
    State(app): State<App>,
    member: Member,
    Parameter(typed): Parameter<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let code: RedeemCode = typed.parse().map_err(|_| gone())?;
    let reason = match redeem::attempt(&app, &parts, &member, &typed, now_ms()).await {
        Ok(_) => return Ok(Redirect::to(&format!("{STUDY}?done=redeemed")).into_response()),
        // pressed twice
        Err(NotRedeemed::Refused) if redeem::is_own(&app, &member.id, &typed).await? => {
            return Ok(Redirect::to(&format!("{STUDY}?done=own")).into_response());
        }
        Err(NotRedeemed::Refused) if gifts::of_code(&app, &code).await?.is_none() => return Err(gone()),
        Err(NotRedeemed::Failed(error)) => return Err(error),
        Err(NotRedeemed::Refused) => REFUSAL.to_owned(),
        Err(reason) => reason.to_string(),
    };
    let mut form = Form::default();
    form.refuse("", reason);
    render::again(&app, parts, &address(&code), form).await
}

/// GET /gift/{code}.
#[component]
pub fn OpenGiftPage() -> impl IntoView {
    let (app, typed) = (use_context::<App>(), parameter::<String>("code"));
    let member = use_member();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let code: RedeemCode = typed?.parse().map_err(|_| gone())?;
            Ok((code, gifts::of_code(&app, &code).await?.ok_or_else(gone)?))
        },
        move |(code, Shown { sale, gift })| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            let own = address(&code);
            let to = (!gift.receiver.is_empty()).then(|| view! { <p>{format!("{}：", gift.receiver)}</p> });
            let words = (!gift.words.is_empty())
                .then(|| view! { <blockquote class="gift-words">{gift.words.clone()}</blockquote> });
            let note = member.as_ref().filter(|member| member.id == sale.buyer).map(|_| {
                view! { <p class="hint">"这是您自己送出的礼物。把这一页的地址发给要送的人；自己收下也可以，就像给自己买的。"</p> }
            });
            let action = match member {
                Some(_) => view! {
                    <form method="post" action=format!("{own}/acceptance")>
                        <button class="button primary wide">"收下"</button>
                    </form>
                }
                .into_any(),
                None => view! {
                    <a class="button primary wide" href=login_address(&own)>"登录后收下"</a>
                    <p class="hint">{format!("还没有账号，在登录页可以免费注册。也可以以后在“书房”里输入兑换码 {code}。")}</p>
                }
                .into_any(),
            };
            let title = sale.title.trim_matches(['《', '》']).to_owned();
            view! {
                <Head title=format!("{}送给您一份礼物", gift.giver) assets=&["reader.css", "selling.css"]/>
                <main id="main" class="reader locked">
                    <a class="brand" href="/about"><Mark/>"书坊"</a>
                    <h1>{format!("{}送给您一份礼物", gift.giver)}</h1>
                    <ErrorSummary title="没有收下"/>
                    <div class="trim stack">
                        {to}
                        {words}
                        <Cloth title/>
                        <p class="quiet">{format!("{}，从收下的那天起算", sale.term)}</p>
                        {action}
                        {note}
                    </div>
                </main>
            }
        },
    )
}
