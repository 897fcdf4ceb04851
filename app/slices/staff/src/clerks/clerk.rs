//! /staff/clerks/{id}: one account, and what may be done to it.

use base::error::Error;
use base::time;
use domain::clerk::{Act, Actor, Target, Way, way};
use domain::ids::StaffId;
use domain::staff::Role;
use leptos::prelude::*;
use web::render::{loaded, once, parameter, unkept, use_form};
use web::staff::here;
use web::ui::parts::{ErrorSummary, Moment};
use web::ui::staff::StaffShell;

use super::acts::named;
use super::store::{self, Login};
use super::{Code, Email, LIST, LinkOnce, Roles, State, address, called, second};
use crate::store::{self as accounts_store, Listed};

/// GET /staff/clerks/{id}.
#[component]
pub fn ClerkPage() -> impl IntoView {
    unkept();
    let (here, id) = (here(), parameter::<StaffId>("id"));
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let mut tx = here.app.db.begin_snapshot().await?;
            let all = accounts_store::all(&mut tx).await?;
            let listed = all.into_iter().find(|listed| listed.account.id == id.as_str());
            let listed = listed.ok_or(Error::NotFound)?;
            let logins = store::logins(&mut tx, id.as_str()).await?;
            let roles = listed.account.roles()?;
            Ok((roles, listed, logins, here.staff))
        },
        |(roles, listed, logins, staff)| {
            let account = listed.account.clone();
            let title = called(&account.full_name, &account.name);
            let is_own = staff.id.as_str() == account.id;
            // who is behind the page may manage, so nobody here is the last one
            let target = Target { roles: &roles, works: account.ended_at.is_none(), others_manage: 1 };
            let actor = Actor::Clerk { roles: &staff.roles, is_target: is_own };
            let may = |act| way(actor, act, target).ok();
            let forms = if is_own {
                view! { <p class="notice">"这是您自己的账号：角色和停用要另一位站长来办，密码和通行密钥在"
                <a class="link" href="/staff/me">"我的账号"</a>"。"</p> }
                .into_any()
            } else {
                let reset =
                    may(Act::Reset).map(|way| view! { <Link act="reset" way listed=listed.clone()/> });
                let back =
                    may(Act::TakeBack).map(|way| view! { <Link act="back" way listed=listed.clone()/> });
                let change = (account.ended_at.is_none())
                    .then(|| view! { <ChangeRoles roles=roles.clone() listed=listed.clone()/> });
                let end = may(Act::End).map(|_| view! { <End listed=listed.clone()/> });
                view! { {change}{reset}{back}{end} }.into_any()
            };
            view! {
                <StaffShell title=title.clone() assets=&["staff.css"]>
                    <header class="head"><h1>{title}</h1><a class="link" href=LIST>"所有同事"</a></header>
                    <LinkOnce/>
                    <ErrorSummary title="没有办成"/>
                    <div class="stack">
                        <Facts roles listed=listed.clone()/>
                        <Logins logins listed/>
                        {forms}
                    </div>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Facts(roles: Vec<Role>, listed: Listed) -> impl IntoView {
    let account = listed.account.clone();
    let signed_in = match account.signed_in_at {
        Some(at) => view! { <Moment at/> }.into_any(),
        None => "没有记录".into_any(),
    };
    view! {
        <section class="sheet">
            <h2>"账号"</h2>
            <dl class="facts">
                <dt>"登录名"</dt><dd>{account.name.clone()}</dd>
                <dt>"角色"</dt><dd>{named(&roles)}</dd>
                <dt>"状态"</dt><dd><State listed=listed.clone()/></dd>
                <dt>"第二步"</dt><dd>{second(&listed)}</dd>
                <dt>"上次登录"</dt><dd>{signed_in}</dd>
                <dt>"开通"</dt><dd>{time::day(account.created_at)}</dd>
                <dt>"做过什么"</dt>
                <dd><a class="link" href=base::lists::address("/staff/audit", &[("q", &account.name)])>"看操作日志"</a></dd>
            </dl>
        </section>
    }
}

/// What every form here says beside its own fields.
#[component]
fn Common(act: &'static str, listed: Listed) -> impl IntoView {
    let key: StaffId = once();
    view! {
        <input type="hidden" name="act" value=act/>
        <input type="hidden" name="seen" value=listed.account.version.to_string()/>
        <input type="hidden" name="key" value=key.to_string()/>
    }
}

#[component]
fn Logins(logins: Vec<Login>, listed: Listed) -> impl IntoView {
    if logins.is_empty() {
        return view! { <section class="sheet"><h2>"登录"</h2><p class="quiet">"现在没有登录。"</p></section> }.into_any();
    }
    let rows: Vec<_> = logins
        .into_iter()
        .map(|login| {
            view! {
                <li>{login.device}" · "<span class="num">{login.address}</span>" · "<span class="quiet"><Moment at=login.created_at/></span></li>
            }
        })
        .collect();
    let action = address(&listed.account.id);
    view! {
        <section class="sheet">
            <h2>"登录"</h2>
            <ul class="log">{rows}</ul>
            <form method="post" action=action>
                <Common act="end-logins" listed/>
                <button class="button">"全部退出"</button>
            </form>
        </section>
    }
    .into_any()
}

#[component]
fn ChangeRoles(roles: Vec<Role>, listed: Listed) -> impl IntoView {
    // what was sent by another form of the page says nothing of roles
    let is_sent = use_form().get("act") == "roles";
    let action = address(&listed.account.id);
    view! {
        <form class="sheet fields narrow" method="post" action=action>
            <h2>"改角色"</h2>
            <Common act="roles" listed/>
            <Roles known=roles is_sent/>
            <p class="hint">"减少角色马上生效；加上经手款项的角色，要另一位站长同意。"</p>
            <Code place="roles".to_owned() is_sent/>
            <button class="button primary">"改角色"</button>
        </form>
    }
}

/// A new link: for somebody who has lost its ways in, or who comes back.
#[component]
fn Link(act: &'static str, way: Way, listed: Listed) -> impl IntoView {
    let (action, is_sent) = (address(&listed.account.id), use_form().get("act") == act);
    let (title, about) = if act == "back" {
        ("恢复账号", "角色和停用前一样。原来的密码、验证器和通行密钥都不再有用，凭新的邀请链接重新设置。")
    } else if listed.account.on_since.is_none() || listed.invited_until.is_some() {
        ("重发邀请", "做一个新的链接，以前的链接就不能用了。")
    } else {
        (
            "重设密码和验证器",
            "对方忘了密码或丢了手机时用：现在的登录马上退出，原来的密码、验证器和通行密钥都不再有用，凭新的邀请链接重新设置。",
        )
    };
    let second = (way == Way::WithAnother)
        .then(|| view! { <p class="hint">"这个账号经手款项，要另一位站长同意才有链接。"</p> });
    view! {
        <details class="sheet fold" open=is_sent>
            <summary>{title}</summary>
            <form class="fields narrow" method="post" action=action>
                <p class="hint">{about}</p>
                {second}
                <Common act listed/>
                <Email/>
                <Code place=act.to_owned() is_sent/>
                <button class="button">{title}</button>
            </form>
        </details>
    }
}

#[component]
fn End(listed: Listed) -> impl IntoView {
    let (action, is_sent) = (address(&listed.account.id), use_form().get("act") == "end");
    view! {
        <details class="sheet fold" open=is_sent>
            <summary>"停用账号"</summary>
            <form class="fields narrow" method="post" action=action>
                <p class="hint">"现在的登录马上退出，不能再进来。名字留在操作日志和办过的事里。以后可以恢复。"</p>
                <Common act="end" listed/>
                <Code place="end".to_owned() is_sent/>
                <button class="button danger">"停用"</button>
            </form>
        </details>
    }
}
