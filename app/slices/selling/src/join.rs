//! Taking a seat: /join/{code} for who has the licence's code, and the package's page for who belongs to its organisation.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::PackageId;
use domain::licence::{LicenceState, NotSeated};
use domain::redeem_code::RedeemCode;
use domain::return_path::login_address;
use leptos::prelude::*;
use web::app::App;
use web::client;
use web::render::{self, Form, HeadSlot, loaded, parameter, use_member};
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{Cloth, ErrorSummary};
use web::ui::shell::{Head, Mark};

use super::STUDY;
use super::licences::{self, Refused, address};
use super::redeem::{self, NotRedeemed};
use super::store::licences::Licence;
use super::store::packages;

/// The one answer for a code that opens nothing: nobody is told whether it ever did.
fn gone() -> Error {
    Error::Gone("这个席位码已经换掉或停用，或者链接不完整。请向您的单位或老师要新的。".into())
}

/// POST /join/{code}/seat. Tries are counted as those of all codes.
pub async fn by_code(
    State(app): State<App>,
    member: Member,
    Parameter(typed): Parameter<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let code: RedeemCode = typed.parse().map_err(|_| gone())?;
    let reason = match redeem::attempt(&app, &parts, &member, &typed, now_ms()).await {
        Ok(_) => return Ok(Redirect::to(&format!("{STUDY}?done=seated")).into_response()),
        Err(NotRedeemed::NotSeated(reason)) => reason,
        Err(NotRedeemed::Failed(error)) => return Err(error),
        Err(_) => return Err(gone()),
    };
    let mut form = Form::default();
    form.refuse("", reason.to_string());
    render::again(&app, parts, &address(&code), form).await
}

/// POST /manager/package/{id}/seat: for who belongs there by its mailbox or its network.
pub async fn by_belonging(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
    parts: Parts,
) -> Result<Response, Error> {
    packages::find(&app.db, &id).await?;
    let now = now_ms();
    // pressed twice, or sitting for another organisation
    if licences::reads(&app, &member, &id, now).await? {
        return Ok(Redirect::to(&format!("{STUDY}?done=seated")).into_response());
    }
    let found = licences::belonging(&app, &member, &id, client::ip(&app, &parts), now).await?;
    let refused = match found {
        Some((licence, way)) => {
            let mut tx = app.db.begin().await?;
            match licences::sit(&mut tx, &licence.id, &member, way, now).await {
                Ok(_) => {
                    tx.commit().await?;
                    return Ok(Redirect::to(&format!("{STUDY}?done=seated")).into_response());
                }
                Err(Refused::Not(reason)) => reason,
                Err(Refused::Failed(error)) => return Err(error),
            }
        }
        None => NotSeated::NotThere,
    };
    let mut form = Form::default();
    form.refuse("", refused.to_string());
    render::again(&app, parts, &format!("/manager/package/{id}"), form).await
}

/// GET /join/{code}.
#[component]
pub fn JoinPage() -> impl IntoView {
    let (app, typed) = (use_context::<App>(), parameter::<String>("code"));
    let member = use_member();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let code: RedeemCode = typed?.parse().map_err(|_| gone())?;
            let mut tx = app.db.begin_snapshot().await?;
            let licence = licences::by_code(&app, &mut tx, &code).await?.ok_or_else(gone)?;
            Ok((code, licence))
        },
        move |(code, licence)| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            view! { <Invitation code licence member/> }
        },
    )
}

#[component]
fn Invitation(code: RedeemCode, licence: Licence, member: Option<Member>) -> impl IntoView {
    let own = address(&code);
    let is_own = member.as_ref().is_some_and(|member| member.id == licence.seller);
    let is_open = licence.state(now_ms()) == LicenceState::Running;
    let action = match member {
        _ if !is_open => view! { <p class="notice warn">{NotSeated::Over.to_string()}</p> }.into_any(),
        _ if is_own => view! {
            <p class="notice">"这是您自己开的席位。把这一页的地址发给单位里的人。"</p>
        }
        .into_any(),
        Some(_) => view! {
            <form method="post" action=format!("{own}/seat")>
                <button class="button primary wide">"入座"</button>
            </form>
        }
        .into_any(),
        None => view! {
            <a class="button primary wide" href=login_address(&own)>"登录后入座"</a>
            <p class="hint">{format!("还没有账号，在登录页可以免费注册。也可以以后在“书房”里输入席位码 {code}。")}</p>
        }
        .into_any(),
    };
    view! {
        <Head title=format!("{}的阅读席位", licence.name) assets=&["reader.css", "selling.css"]/>
        <main id="main" class="reader locked">
            <a class="brand" href="/about"><Mark/>"书坊"</a>
            <h1>{format!("{}的阅读席位", licence.name)}</h1>
            <ErrorSummary title="没有入座"/>
            <div class="trim stack">
                <Cloth title=licence.title.clone()/>
                <p class="quiet">{format!("入座以后免费读到 {}，共 {} 个席位。", time::day(licence.until - 1), licence.seats)}</p>
                {action}
            </div>
        </main>
    }
}
