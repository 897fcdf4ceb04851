//! 登录设备: where a member is signed in, and ending it there.

use axum::extract::State;
use axum::response::Redirect;
use base::error::Error;
use base::time;
use domain::ids::LoginId;
use leptos::prelude::*;
use web::app::App;
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{Ask, Moment};

use super::logins::{BeganBy, ends_at};
use super::store;
use super::store::profile::Login;

/// Every login of a member, the one that asks first.
#[component]
pub fn Devices(mut logins: Vec<Login>, this: LoginId) -> impl IntoView {
    logins.sort_by_key(|login| login.id != this.as_str());
    let others = logins.len() > 1;
    let items: Vec<_> = logins
        .into_iter()
        .map(|login| {
            let is_this = login.id == this.as_str();
            view! { <Device login is_this/> }
        })
        .collect();
    let end_others = others.then(|| {
        view! {
            <Ask
                label="退出其他所有设备"
                question="除了正在用的这一个，其他浏览器和程序都要重新登录。".to_owned()
                confirm="全部退出"
                action="/manager/userInfo/logins/others/removal".to_owned()
            />
        }
    });
    view! {
        <ul class="devices">{items}</ul>
        {end_others}
    }
}

#[component]
fn Device(login: Login, is_this: bool) -> impl IntoView {
    let ends = time::day(ends_at(&login));
    let Login { id, is_program, began_by, device, address, created_at, seen_at } = login;
    let way = if is_program { "程序令牌".to_owned() } else { BeganBy::described(&began_by) };
    let mark = is_this.then(|| view! { " "<span class="badge good">"正在使用"</span> });
    let end = (!is_this).then(|| {
        view! {
            <Ask
                label="退出"
                about=device.clone()
                question=format!("退出 {device}（{address}）？那里要重新登录才能使用您的账号。")
                confirm="退出这个设备"
                action=format!("/manager/userInfo/logins/{id}/removal")
            />
        }
    });
    view! {
        <li>
            <div>
                <strong>{device}</strong>{mark}
                <p class="hint">
                    {way}" · "<span class="num">{address}</span>" · "<Moment at=created_at/>" 登录 · "
                    <Moment at=seen_at/>" 用过 · "<span class="num">{ends}</span>" 到期"
                </p>
            </div>
            {end}
        </li>
    }
}

/// POST /manager/userInfo/logins/{id}/removal: the row is gone, so the next request from there is signed out.
pub async fn end(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<LoginId>,
) -> Result<Redirect, Error> {
    if store::delete_login(&app.db, &id, &member.id).await? {
        Ok(Redirect::to("/manager/userInfo?done=login#logins"))
    } else {
        Err(Error::NotFound)
    }
}

/// POST /manager/userInfo/logins/others/removal.
pub async fn end_others(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    store::profile::end_other_logins(&app.db, &member.id, &member.login).await?;
    Ok(Redirect::to("/manager/userInfo?done=logins#logins"))
}
