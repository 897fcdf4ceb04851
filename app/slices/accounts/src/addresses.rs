//! The pages and forms of a member's shipping addresses.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::ids::AddressId;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, here, loaded, parameter, use_form, use_path, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Ask, ErrorSummary};
use web::ui::shell::Shell;

use super::address_form::{AddressFields, LOOK, read_address};
use super::store::addresses as store;
use super::{Address, add_address};

/// Addresses that a member may keep.
pub const MOST: i64 = 50;

const LIST: &str = "/manager/userInfo/addresses";

/// GET /manager/userInfo/addresses.
#[component]
pub fn AddressesPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let addresses = store::of_member(&here.app.db, &here.member.id).await?;
            Ok((here.member, addresses))
        },
        |(member, addresses)| {
            let done = match use_query("done").as_deref() {
                Some("added") => Some("地址已保存。"),
                Some("changed") => Some("地址已修改。"),
                Some("removed") => Some("地址已删除。"),
                Some("default") => Some("已设为默认地址。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let full = addresses.len() as i64 >= MOST;
            let add = if full {
                view! { <p class="quiet">{format!("已有 {MOST} 个地址，删除一个后可以再添加。")}</p> }
                    .into_any()
            } else {
                view! { <a class="button primary" href=format!("{LIST}/new")>"新增地址"</a> }.into_any()
            };
            let (add, list) = if addresses.is_empty() {
                let empty = view! {
                    <section class="trim empty">
                        <h2>"还没有收货地址"</h2>
                        <p class="quiet">"先存好地址，下单时选一下就行。"</p>
                        <a class="button primary" href=format!("{LIST}/new")>"新增地址"</a>
                    </section>
                };
                (None, empty.into_any())
            } else {
                // where none is marked, the first is the default
                let cards: Vec<_> = addresses
                    .into_iter()
                    .enumerate()
                    .map(|(index, address)| view! { <Card address first=index == 0/> })
                    .collect();
                (Some(add), view! { <ul class="cards">{cards}</ul> }.into_any())
            };
            view! {
                <Shell member title="收货地址".to_owned() assets=&["profile.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href="/manager/userInfo">"资料"</a></p>
                            <h1>"收货地址"</h1>
                        </div>
                        {add}
                    </header>
                    {done}
                    {list}
                </Shell>
            }
        },
    )
}

#[component]
fn Card(address: Address, first: bool) -> impl IntoView {
    let own = format!("{LIST}/{}", address.id);
    let about = format!("{}，{}", address.receiver, address.street);
    let default = if first {
        view! { <span class="badge">"默认"</span> }.into_any()
    } else {
        view! {
            <form method="post" action=format!("{own}/default")>
                <button class="link">"设为默认"<span class="sr">{format!("：{about}")}</span></button>
            </form>
        }
        .into_any()
    };
    view! {
        <li class="sheet">
            <p><strong>{address.receiver.clone()}</strong>" "<span class="num">{address.phone.clone()}</span></p>
            <p>{address.spaced()}</p>
            <div class="row">
                {default}
                <a class="link" href=own.clone()>"修改"<span class="sr">{format!("：{about}")}</span></a>
                <Ask
                    label="删除"
                    about=about
                    question=format!("删除 {} 的地址（{}）？", address.receiver, address.spaced())
                    confirm="删除这个地址"
                    action=format!("{own}/removal")
                />
            </div>
        </li>
    }
}

/// GET /manager/userInfo/addresses/new.
#[component]
pub fn NewAddressPage() -> impl IntoView {
    let member = here().map(|here| here.member);
    loaded(async move { member }, |member| view! { <Editor member known=None title="新增地址"/> })
}

/// GET /manager/userInfo/addresses/{id}.
#[component]
pub fn AddressPage() -> impl IntoView {
    let here = here();
    let id = parameter::<AddressId>("id");
    loaded(
        async move {
            let here = here?;
            let known = super::address(&here.app, &here.member.id, &id?).await?;
            Ok((here.member, known))
        },
        |(member, known)| view! { <Editor member known=Some(known) title="修改地址"/> },
    )
}

#[component]
fn Editor(member: Member, known: Option<Address>, title: &'static str) -> impl IntoView {
    let form = use_form();
    let default = match &known {
        // to take the mark away, another address is given it
        Some(known) if known.is_default => {
            view! { <p class="quiet">"这是默认地址，下单时会先选它。"</p> }.into_any()
        }
        _ => view! {
            <label class="check">
                <input
                    type="checkbox"
                    name="is_default"
                    value="Y"
                    checked=!form.get("is_default").is_empty()
                />
                "设为默认地址"
            </label>
        }
        .into_any(),
    };
    view! {
        <Shell member title=title.to_owned() assets=&["profile.css", "addresses.js"]>
            <header class="head">
                <div>
                    <p><a class="link" href=LIST>"收货地址"</a></p>
                    <h1>{title}</h1>
                </div>
            </header>
            <ErrorSummary title="地址还没有保存"/>
            <form class="sheet stack address" method="post" action=use_path()>
                {match known {
                    Some(known) => view! { <AddressFields known/> }.into_any(),
                    None => view! { <AddressFields/> }.into_any(),
                }}
                {default}
                <div class="row">
                    <button class="button primary">"保存地址"</button>
                    <a class="button" href=LIST>"取消"</a>
                </div>
            </form>
        </Shell>
    }
}

/// POST /manager/userInfo/addresses/new.
pub async fn add(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let page = format!("{LIST}/new");
    if form.get(LOOK).is_empty()
        && let Some(address) = read_address(&mut form)
    {
        if add_address(&app, &member.id, &address).await? {
            return Ok(Redirect::to(&format!("{LIST}?done=added")).into_response());
        }
        form.refuse("", format!("最多保存 {MOST} 个收货地址，请先删除不用的"));
    }
    render::again(&app, parts, &page, form).await
}

/// POST /manager/userInfo/addresses/{id}.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<AddressId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    // somebody else's looks like none, also when what was typed is refused
    super::address(&app, &member.id, &id).await?;
    let mut form = read_form(&body)?;
    if form.get(LOOK).is_empty()
        && let Some(address) = read_address(&mut form)
    {
        let changed = store::update(&app.db, &member.id, &Address { id, ..address }).await?;
        return answer(changed, "changed").map(IntoResponse::into_response);
    }
    render::again(&app, parts, &format!("{LIST}/{id}"), form).await
}

/// POST /manager/userInfo/addresses/{id}/removal.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<AddressId>,
) -> Result<Redirect, Error> {
    answer(store::delete(&app.db, &member.id, &id).await?, "removed")
}

/// POST /manager/userInfo/addresses/{id}/default.
pub async fn make_default(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<AddressId>,
) -> Result<Redirect, Error> {
    answer(store::set_default(&app.db, &member.id, &id).await?, "default")
}

fn answer(done: bool, what: &str) -> Result<Redirect, Error> {
    if done { Ok(Redirect::to(&format!("{LIST}?done={what}"))) } else { Err(Error::NotFound) }
}
