//! /staff/clerks 同事: who works here, and what is done to accounts ([`domain::clerk`] says what needs a second person).

pub mod acts;
mod clerk;
mod forms;
mod list;
pub mod store;

use base::db::now_ms;
use base::time;
use domain::staff::Role;
use leptos::prelude::*;
use web::render::{use_form, use_query};
use web::ui::parts::{Field, FieldError, Moment};
use web::ui::staff::CodeField;

use crate::store::Listed;

pub use clerk::ClerkPage;
pub use forms::{add, change, decide};
pub use list::ClerksPage;

/// Where all of them stand.
pub const LIST: &str = "/staff/clerks";

/// Where one stands.
fn address(id: &str) -> String {
    format!("{LIST}/{id}")
}

/// A link that lets somebody in, for the one page that shows it.
#[derive(Debug, Clone)]
struct NewLink {
    address: String,
    /// Whether it was sent by e-mail, too.
    sent: bool,
}

/// The link, on the page that answers what made it.
#[component]
fn LinkOnce() -> impl IntoView {
    let link = use_context::<axum::http::request::Parts>()
        .and_then(|parts| parts.extensions.get::<NewLink>().cloned());
    let asked = use_query("asked").filter(|_| !use_form().is_sent());
    let asked = asked.map(|_| {
        view! { <p class="notice good" role="status">"已提出，等另一位站长复核。"</p> }
    });
    let link = link.map(|NewLink { address, sent }| {
        let sent = if sent { "也发到了对方的邮箱。" } else { "请亲手交给对方，不要发在群里。" };
        view! {
            <section class="sheet invited" role="status">
                <h2>"邀请链接，只在这里显示一次"</h2>
                <p><label class="sr" for="invitation">"邀请链接"</label>
                    <input id="invitation" class="num" type="text" value=address readonly/></p>
                <p class="hint">"对方打开它，设好密码、绑定验证器就能进来。48 小时内有效，只能用一次。"{sent}</p>
            </section>
        }
    });
    view! { {asked}{link} }
}

/// The roles to tick; those that handle money say so.
#[component]
fn Roles(
    known: Vec<Role>,
    /// Whether these were ticked in the form that was sent.
    is_sent: bool,
) -> impl IntoView {
    let form = use_form();
    let choices: Vec<_> = Role::ALL
        .into_iter()
        .map(|role| {
            let checked = if is_sent {
                form.all("role").any(|code| code == role.code())
            } else {
                known.contains(&role)
            };
            let money = role.handles_money().then(|| view! { <span class="quiet">"（经手款项）"</span> });
            view! {
                <li><label class="check">
                    <input type="checkbox" name="role" value=role.code() checked=checked/>{role.name()}{money}
                </label></li>
            }
        })
        .collect();
    view! {
        <fieldset id="role">
            <legend class="label">"角色"</legend>
            <ul class="roles">{choices}</ul>
            <FieldError name="role".to_owned()/>
        </fieldset>
    }
}

/// The field for the code of one's own device, of which a page has several: what is wrong stands beside the one that was sent.
#[component]
pub fn Code(place: String, is_sent: bool) -> impl IntoView {
    if is_sent {
        return view! { <CodeField/> }.into_any();
    }
    let id = format!("code-{place}");
    view! {
        <div class="field short">
            <label for=id.clone()>"动态验证码"</label>
            <input id=id name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="8"/>
        </div>
    }
    .into_any()
}

/// Where the link is sent.
#[component]
fn Email() -> impl IntoView {
    view! {
        <Field name="email" label="把链接发到邮箱（可以不填）" kind="email" most=100 inputmode="email" autocomplete="off"/>
    }
}

/// What somebody is called, and by what it signs in.
fn called(full_name: &str, name: &str) -> String {
    if full_name.is_empty() { name.to_owned() } else { full_name.to_owned() }
}

/// Whether somebody works here, and since when or until when.
#[component]
fn State(listed: Listed) -> impl IntoView {
    let account = &listed.account;
    match (account.ended_at, listed.invited_until, account.on_since) {
        (Some(at), ..) => view! { <span class="badge">"已停用"</span>" "<span class="quiet">{time::day(at)}</span> }.into_any(),
        (None, Some(until), _) if until <= now_ms() => {
            view! { <span class="badge bad">"邀请已过期"</span> }.into_any()
        }
        (None, Some(until), _) => {
            view! { <span class="badge">"已邀请"</span>" "<span class="quiet">"有效到 "<Moment at=until/></span> }.into_any()
        }
        (None, None, None) => view! { <span class="badge">"还没有登录过"</span> }.into_any(),
        (None, None, Some(_)) => view! { <span class="badge good">"在职"</span> }.into_any(),
    }
}

/// What somebody shows beside the password.
fn second(listed: &Listed) -> String {
    let codes = if listed.account.on_since.is_some() { "验证器" } else { "还没有" };
    match listed.passkeys {
        0 => codes.to_owned(),
        some => format!("{codes}、{some} 个通行密钥"),
    }
}
