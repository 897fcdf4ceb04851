//! The frame of every page: head, rail, top bar, tabs; and the pages that say what went wrong.

use std::iter;
use std::sync::Arc;

use axum::extract::MatchedPath;
use axum::http::StatusCode;
use axum::http::request::Parts;
use base::db::now_ms;
use base::time;
use domain::sub_member::Role;
use leptos::prelude::*;

use super::parts::{Avatar, Money};
use crate::access::{Policy, same_site_referer};
use crate::app::App;
use crate::assets;
use crate::render::{self, HEAD_PLACE, HeadSlot, use_form, use_member, use_path};
use crate::security::RequestId;
use crate::session::{Acting, Member, Visitor};
use crate::slice::{self, AtDesk, Group};
use crate::staff::use_staff;

/// Where a login's work for a house is ended.
const END_DESK: &str = "/manager/desk/end";

/// A document with nothing but an error in it.
#[component]
pub fn ErrorDocument(status: StatusCode, message: String) -> impl IntoView {
    view! { <Document><ErrorBody status message/></Document> }
}

/// The frame of every document.
#[component]
pub fn Document(children: Children) -> impl IntoView {
    let path = use_path();
    let member = use_member();
    // whose page it is: site.js shows one that the browser kept to nobody else
    let here = (!is_everybodys()).then(|| member.as_ref().map(Member::mark).unwrap_or_default());
    // what everybody may read has no rail, whoever looks at it
    let in_office = use_staff().is_some() && crate::staff::is_own(&path);
    let at_door = path.starts_with(domain::return_path::LOGIN);
    let framed = in_office || member.is_some() && path.starts_with("/manager") && !at_door;
    // the frame and the door have it in their own places
    let note = (!framed && !at_door).then(|| view! { <FormNote/> });
    // who works for a house is shown nothing that is shut there (shell.css)
    let acting = member.and_then(|member| member.acting).filter(|_| !in_office);
    let class = match acting {
        None if in_office => "shell staff",
        None => "shell",
        Some(acting) if acting.role < Role::Editor => "shell at-desk looking",
        Some(_) => "shell at-desk",
    };
    // what is the same for everybody is kept, and has nothing to send
    let read_only =
        if is_everybodys() { None } else { use_context::<App>().and_then(|app| app.read_only.now()) };
    let read_only = read_only
        .map(|read_only| view! { <p class="read-only" role="status">{read_only.sentence(now_ms())}</p> });
    view! {
        <!DOCTYPE html>
        <html lang="zh-CN">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                <meta name="theme-color" content="#203864"/>
                <link rel="icon" href=assets::address("favicon.svg") type="image/svg+xml"/>
                <meta name=HEAD_PLACE/>
                <script type="module" src=assets::address("site.js")></script>
            </head>
            <body class=framed.then_some(class) data-here=here>{read_only}{note}{children()}</body>
        </html>
    }
}

/// Whether a page is the same for everybody: it is made without a request, or at an address that asks nobody who it is.
fn is_everybodys() -> bool {
    let Some(parts) = use_context::<Parts>() else { return true };
    let pattern = parts.extensions.get::<MatchedPath>();
    let policy = pattern.and_then(|pattern| use_context::<App>()?.policy(pattern.as_str()));
    policy == Some(Policy::Everybody) || parts.extensions.get::<Visitor>().is_none()
}

/// The page's name in the browser's tab, and the styles and scripts that only this page needs. They are known when the
/// page's data is loaded, after the head was made, so they wait in the [`HeadSlot`].
#[component]
pub fn Head(title: String, #[prop(optional)] assets: &'static [&'static str]) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.set(title, assets);
    }
}

/// Why a form is here again that nothing is wrong with.
#[component]
pub fn FormNote() -> impl IntoView {
    use_form().note().map(|note| view! { <p class="notice" role="status">{note}</p> })
}

/// Rail, top bar and tabs around a member's page.
#[component]
pub fn Shell(
    member: Member,
    title: String,
    #[prop(optional)] assets: &'static [&'static str],
    children: Children,
) -> impl IntoView {
    let path = use_path();
    let cart = member.cart_lines;
    let tab_cart = (cart > 0).then(|| view! { <Count lines=cart/> });
    if let Some(acting) = member.acting.clone() {
        return view! { <DeskShell member acting title assets>{children()}</DeskShell> }.into_any();
    }
    // its bar has the styles of a desk's
    if let (Some(_), Some(slot)) = (member.looked_at_until, use_context::<HeadSlot>()) {
        slot.at_desk();
    }
    view! {
        <Head title assets/>
        <a class="skip" href="#main">"跳到正文"</a>
        <nav class="rail groups" aria-label="栏目" inner_html=rail(&path)></nav>
        <TopBar member path=path.clone()/>
        <main id="main" class="page" tabindex="-1"><FormNote/>{children()}</main>
        <nav class="tabs" aria-label="常用">
            <Entry href="/manager/make_ebook" name="做书" path=path.clone()/>
            <Entry href="/manager/opus_list/all" name="作品" path=path.clone()/>
            <a href="/manager/shopping/cart" aria-current=current("/manager/shopping/cart", &path, &[])>
                "购物车 "{tab_cart}
            </a>
            <a href="/manager/userInfo" aria-current=mine(&path)>"我的"</a>
        </nav>
    }
    .into_any()
}

/// The frame at a house's desk: for whom one works, a way to end it, and nothing that is not open there.
#[component]
fn DeskShell(
    member: Member,
    acting: Acting,
    title: String,
    assets: &'static [&'static str],
    children: Children,
) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.at_desk();
    }
    let path = use_path();
    let makes = acting.role == Role::Editor;
    let make = makes.then(|| view! { <Entry href="/manager/make_ebook" name="做书" path=path.clone()/> });
    view! {
        <Head title assets/>
        <a class="skip" href="#main">"跳到正文"</a>
        <nav class="rail groups" aria-label="栏目" inner_html=rail(&path)></nav>
        <header class="topbar">
            <details class="menu nav" name="menu">
                <summary>
                    <svg viewBox="0 0 20 20" aria-hidden="true">
                        <path fill="none" stroke="currentColor" stroke-width="1.6" d="M2 5h16M2 10h16M2 15h16"/>
                    </svg>
                    <span class="sr">"栏目"</span>
                </summary>
                <nav class="drop groups" aria-label="栏目" inner_html=groups(&path, "menu")></nav>
            </details>
            <Brand/>
            <div class="desk" role="status">
                <p>
                    <span class="quiet">{acting.name}" 正在为 "</span><strong>{member.name}</strong>
                    <span class="quiet">" 工作"</span>" "<span class="badge">{acting.role.name()}</span>
                </p>
                <EndDesk/>
            </div>
        </header>
        <main id="main" class="page" tabindex="-1"><FormNote/>{children()}</main>
        <nav class="tabs" aria-label="常用">
            {make}
            <Entry href="/manager/opus_list/all" name="作品" path=path.clone()/>
            <Entry href="/manager/photos" name="素材" path/>
        </nav>
    }
}

/// One's own pages again.
#[component]
fn EndDesk() -> impl IntoView {
    view! { <form method="post" action=END_DESK><button class="button small">"结束"</button></form> }
}

#[component]
fn TopBar(member: Member, path: String) -> impl IntoView {
    let count = (member.cart_lines > 0).then(|| view! { <Count lines=member.cart_lines/> });
    let own = match member.looked_at_until {
        Some(until) => view! { <LookedAt member=member.clone() until/> }.into_any(),
        None => view! { <Own member=member.clone()/> }.into_any(),
    };
    view! {
        <header class="topbar">
            <details class="menu nav" name="menu">
                <summary>
                    <svg viewBox="0 0 20 20" aria-hidden="true">
                        <path fill="none" stroke="currentColor" stroke-width="1.6" d="M2 5h16M2 10h16M2 15h16"/>
                    </svg>
                    <span class="sr">"栏目"</span>
                </summary>
                <nav class="drop groups" aria-label="栏目" inner_html=groups(&path, "menu")></nav>
            </details>
            <Brand/>
            <p class="balance"><span class="quiet">"余额"</span>" "<Money amount=member.balance/></p>
            <a class="cart-link" href="/manager/shopping/cart">"购物车 "{count}</a>
            {own}
        </header>
    }
}

/// Who is signed in, and the way out.
#[component]
fn Own(member: Member) -> impl IntoView {
    view! {
        <details class="menu member" name="menu">
            <summary>
                <Avatar member=member.clone()/>
                <span class="who">{member.name.clone()}</span>
            </summary>
            <div class="drop">
                <p><strong>{member.name}</strong>" "<span class="badge">{member.tier.name()}</span></p>
                <p class="quiet">{member.account}</p>
                <p class="balance"><span class="quiet">"余额"</span>" "<Money amount=member.balance/></p>
                <hr/>
                <p><a class="link" href="/manager/userInfo">"资料"</a></p>
                <p><a class="link" href="/manager/order">"我的订单"</a></p>
                <form method="post" action="/manager/logout">
                    <button class="button wide">"退出登录"</button>
                </form>
            </div>
        </details>
    }
}

/// In the place of that, for somebody of the back office: whose pages these are, until when, and the way back.
#[component]
fn LookedAt(member: Member, until: i64) -> impl IntoView {
    let action = format!("/staff/members/{}/look/end", member.id);
    view! {
        <div class="desk" role="status">
            <p>
                <span class="badge">"后台查看，到 "<span class="num">{time::clock(until)}</span></span>" "
                <strong>{member.name}</strong>
            </p>
            <form method="post" action=action><button class="button small">"结束"</button></form>
        </div>
    }
}

#[component]
fn Count(lines: i64) -> impl IntoView {
    view! { <span class="count" aria-label=format!("{lines} 件")>{lines}</span> }
}

/// The mark and the name.
#[component]
fn Brand() -> impl IntoView {
    view! { <Home role=role()/> }
}

/// What a sub-member may do here, where one works for a house.
fn role() -> Option<Role> {
    use_member().and_then(|member| member.acting).map(|acting| acting.role)
}

#[component]
fn Home(role: Option<Role>) -> impl IntoView {
    let only_looks = role.is_some_and(|role| role < Role::Editor);
    let href = if only_looks { "/manager/opus_list/all" } else { "/manager/make_ebook" };
    view! { <a class="brand" href=href><Mark/>"书坊"</a> }
}

/// A bound book, seen from the front.
#[component]
pub fn Mark() -> impl IntoView {
    view! {
        <svg viewBox="0 0 20 26" aria-hidden="true">
            <path fill="currentColor" d="M2 0h16a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H2z"/>
            <path
                fill="none"
                stroke="var(--paper)"
                stroke-width="1.2"
                d="M5 0v26M2 4h3M2 10h3M2 16h3M2 22h3"
            />
        </svg>
    }
}

/// The rail of the page at a path.
fn rail(path: &str) -> String {
    let home = render::kept("home", role(), || view! { <Home role=role()/> }.into_any());
    format!("{home}{}", groups(path, "rail"))
}

/// The pages of the rail as one finds them on the page at a path; `prefix` begins the ids.
fn groups(path: &str, prefix: &'static str) -> Arc<str> {
    let (entries, path) = (entries(), path.to_owned());
    render::kept("groups", (role(), path.clone(), prefix), || {
        view! { <Groups entries path prefix/> }.into_any()
    })
}

/// The entries of the rail. One stands there when its page works, and at a desk where it is open there.
fn entries() -> Vec<&'static slice::Entry> {
    let Some(app) = use_context::<App>() else { return Vec::new() };
    let role = role();
    let is_open = |entry: &&slice::Entry| match (role, app.at_desk(entry.pattern())) {
        (None, _) => true,
        (Some(role), Some(AtDesk::House(least))) => role >= least,
        (Some(_), _) => false,
    };
    app.house.each(|slice| slice.navigation).filter(is_open).collect()
}

#[component]
fn Groups(entries: Vec<&'static slice::Entry>, path: String, prefix: &'static str) -> impl IntoView {
    Group::ALL
        .iter()
        .filter_map(|group| {
            let id = format!("{prefix}-{}", group.key());
            let mut own: Vec<_> = entries.iter().filter(|entry| entry.group == *group).collect();
            if own.is_empty() {
                return None;
            }
            own.sort_by_key(|entry| entry.rank);
            let own: Vec<_> = own
                .into_iter()
                .map(|entry| {
                    let current = current(entry.href, &path, entry.below);
                    view! { <li><a href=entry.href aria-current=current>{entry.name}</a></li> }
                })
                .collect();
            Some(view! {
                <div>
                    <p id=id.clone()>{group.name()}</p>
                    <ul aria-labelledby=id>{own}</ul>
                </div>
            })
        })
        .collect::<Vec<_>>()
}

#[component]
fn Entry(href: &'static str, name: &'static str, path: String) -> impl IntoView {
    let below = entries().into_iter().find(|entry| entry.href == href).map_or(&[][..], |entry| entry.below);
    view! { <a href=href aria-current=current(href, &path, below)>{name}</a> }
}

/// The phone's tab 我的: the profile and all else of the account, the orders, gifts, and payments from outside.
fn mine(path: &str) -> Option<&'static str> {
    let account = entries().into_iter().filter(|entry| entry.group == Group::Account);
    let account = account.flat_map(|entry| iter::once(entry.href).chain(entry.below.iter().copied()));
    let below: Vec<&str> = account.chain(["/manager/order", "/manager/gift", "/manager/payment/"]).collect();
    current("/manager/userInfo", path, &below)
}

/// `page` on the entry's own page, `true` on pages below it, whose addresses begin like its own or in one of these ways.
fn current(href: &str, path: &str, below: &[&str]) -> Option<&'static str> {
    if href == path {
        return Some("page");
    }
    let is_below = path.strip_prefix(href).is_some_and(|rest| rest.starts_with('/'));
    (is_below || below.iter().any(|place| path.starts_with(place))).then_some("true")
}

/// Where what failed is tried again: at the same address, unless something was sent there; of what failed elsewhere, on the page
/// that one comes from.
fn again_at(parts: &Parts, elsewhere: bool) -> Option<String> {
    if elsewhere {
        return same_site_referer(&parts.headers).filter(|place| !place.starts_with(parts.uri.path()));
    }
    let place = parts.uri.path_and_query().filter(|_| parts.method.is_safe())?;
    Some(place.as_str().to_owned())
}

/// What went wrong, and a way on; without the status where the page itself is not the failure.
#[component]
pub fn ErrorBody(status: StatusCode, message: String, #[prop(optional)] nameless: bool) -> impl IntoView {
    let answer = use_context::<leptos_axum::ResponseOptions>();
    if let Some(answer) = answer {
        answer.set_status(status);
    }
    let id = use_context::<axum::http::request::Parts>()
        .and_then(|parts| parts.extensions.get::<RequestId>().cloned())
        .unwrap_or_default()
        .0;
    let title = match status {
        StatusCode::NOT_FOUND => "没有找到这一页",
        StatusCode::FORBIDDEN => "您不能打开这一页",
        StatusCode::GONE => "这一页已经不在了",
        StatusCode::INTERNAL_SERVER_ERROR => "请求失败，请重试",
        _ => "没有办成",
    };
    let text = match status {
        StatusCode::NOT_FOUND => "地址可能写错了，或者内容已被移走。".to_owned(),
        StatusCode::INTERNAL_SERVER_ERROR => "我们这边出了差错，您已保存的内容都在。".to_owned(),
        _ => message,
    };
    let again = use_context::<Parts>().filter(|_| status == StatusCode::INTERNAL_SERVER_ERROR);
    let again = again.and_then(|parts| again_at(&parts, nameless));
    let usual = if again.is_some() { "button" } else { "button primary" };
    let again = again.map(|place| view! { <a class="button primary" href=place>"再试一次"</a> });
    let kept = (status == StatusCode::PAYLOAD_TOO_LARGE).then(|| {
        view! { <p class="quiet">"按浏览器的“后退”，可以回到刚才那一页，填的内容还在。"</p> }
    });
    let report = (status == StatusCode::INTERNAL_SERVER_ERROR).then(|| {
        view! { <p class="quiet">"若反复出现，请把编号告诉我们："<span class="num">{id}</span></p> }
    });
    let ways = if crate::staff::is_own(&use_path()) {
        [(crate::staff::HOME, "回到待办"), ("/about", "关于书坊")]
    } else if use_member().is_some() {
        [("/manager/make_ebook", "去做书"), ("/manager/opus_list/all", "我的作品")]
    } else {
        [("/about", "关于书坊"), (domain::return_path::LOGIN, "登录")]
    };
    let [(first, first_name), (second, second_name)] = ways;
    // who works for a house finds the way back from whatever is shut there
    let desk = use_member().is_some_and(|member| member.works_as.is_some()).then(|| {
        view! {
            <form class="row" method="post" action=END_DESK><button class="button primary">"结束，回到自己的"</button></form>
        }
    });
    view! {
        <Head title=title.to_owned()/>
        <main id="main" class="lost">
            <a class="brand" href=first><Mark/>"书坊"</a>
            {(!nameless).then(|| view! { <p class="code">{status.as_u16()}</p> })}
            <h1>{title}</h1>
            <p class="quiet">{text}</p>
            {kept}
            {report}
            {desk}
            <div class="row">
                {again}
                <a class=usual href=first>{first_name}</a>
                <a class="button" href=second>{second_name}</a>
            </div>
        </main>
    }
}
