//! What the sign-in page and /staff/me show of company accounts, and the page between them and the provider.

use axum::http::request::Parts;
use base::error::Error;
use leptos::prelude::*;
use openid::{Onward, leaving};
use web::app::App;
use web::render::{loaded, unkept, use_form, use_query};
use web::staff::LOGIN;
use web::ui::parts::{ErrorSummary, Moment};

use super::{Account, BEGIN, OWN, STEP, is_sent};
use crate::clerks::Code;
use crate::me;
use crate::sign_in::{Door, next, with_next};

/// Somebody comes back where an account was to be connected.
#[derive(Debug, Clone, Copy)]
pub struct Connecting;

/// What the host calls the accounts; nothing where it configured no provider.
fn name() -> Option<String> {
    let provider = use_context::<App>().and_then(|app| openid::of(&app).ok()?)?;
    Some(provider.config.name.clone())
}

/// The door's button.
#[component]
pub fn AtTheDoor(next: String) -> impl IntoView {
    name().map(|name| {
        view! {
            <form class="company" method="post" action=with_next(BEGIN, &next)>
                <button class="button wide">{format!("用{name}登录")}</button>
            </form>
        }
    })
}

/// GET /staff/login/oidc: between the sign-in page and the provider, on the way there and where nothing came of it.
#[component]
pub fn OidcPage() -> impl IntoView {
    unkept();
    let connects = use_context::<Parts>().is_some_and(|parts| parts.extensions.get::<Connecting>().is_some());
    let (name, next, leaving) = (name(), next(use_query("next")), leaving());
    loaded(async move { name.ok_or(Error::NotFound) }, move |name| match leaving {
        Some(address) => view! {
            <Door title=format!("正在前往{name}")>
                <Onward address/>
            </Door>
        }
        .into_any(),
        None if connects => view! {
            <Door title=format!("连接{name}")>
                <ErrorSummary title="还没有连接"/>
                <p><a class="button primary" href=me::PATH>"回到我的账号"</a></p>
            </Door>
        }
        .into_any(),
        None => view! {
            <Door title=format!("用{name}登录")>
                <ErrorSummary title="还没有登录"/>
                <form method="post" action=with_next(BEGIN, &next)>
                    <button class="button primary wide">{format!("用{name}登录")}</button>
                </form>
                <p class="hint"><a class="link" href=with_next(LOGIN, &next)>"用别的方式登录"</a></p>
            </Door>
        }
        .into_any(),
    })
}

/// The part of /staff/me about a clerk's own.
#[component]
pub fn CompanyAccount(account: Account) -> impl IntoView {
    let Account { name, connected } = account;
    let is_sent = is_sent(&use_form());
    let (step, button, told) = match connected {
        Some(connected) => {
            let used = match connected.used_at {
                Some(at) => view! { "，上次使用 "<Moment at/> }.into_any(),
                None => "，还没有用过".into_any(),
            };
            let told = view! { <p>"已连接，连接于 "<Moment at=connected.created_at/>{used}"。"</p> };
            ("unlink", format!("断开{name}"), told.into_any())
        }
        None => {
            let told = format!("连接以后，可以用{name}登录后台，不再要密码。");
            ("link", format!("连接{name}"), view! { <p>{told}</p> }.into_any())
        }
    };
    view! {
        <form class="sheet fields narrow" id="oidc" method="post" action=OWN>
            <h2>{name}</h2>
            {told}
            <input type="hidden" name=STEP value=step/>
            <Code place="oidc".to_owned() is_sent/>
            <button class="button">{button}</button>
        </form>
    }
}
