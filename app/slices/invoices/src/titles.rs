//! The pages and forms of a member's kept titles.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::TitleId;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, here, loaded, parameter, use_path, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Ask, ErrorSummary};
use web::ui::shell::Shell;

use super::LIST as INVOICES;
use super::store::titles::{self as store, Kept};
use super::title_form::{TitleFields, read_title};

/// Titles that a member may keep.
pub const MOST: i64 = 20;

const LIST: &str = "/manager/invoice/titles";

/// GET /manager/invoice/titles.
#[component]
pub fn TitlesPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let kept = store::of_member(&here.app.db, &here.member.id).await?;
            Ok((here.member, kept))
        },
        |(member, kept)| {
            let done = match use_query("done").as_deref() {
                Some("added") => Some("抬头已保存。"),
                Some("changed") => Some("抬头已修改；已经申请的发票不变。"),
                Some("removed") => Some("抬头已删除；已经申请的发票不变。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let new = format!("{LIST}/new");
            let add = if kept.len() as i64 >= MOST {
                view! { <p class="quiet">{format!("已有 {MOST} 个抬头，删除一个后可以再添加。")}</p> }
                    .into_any()
            } else {
                view! { <a class="button primary" href=new.clone()>"新增抬头"</a> }.into_any()
            };
            let (add, list) = if kept.is_empty() {
                let empty = view! {
                    <section class="trim empty">
                        <h2>"还没有常用抬头"</h2>
                        <p class="quiet">"存好抬头，申请发票时选一下就行。"</p>
                        <a class="button primary" href=new>"新增抬头"</a>
                    </section>
                };
                (None, empty.into_any())
            } else {
                let cards: Vec<_> = kept.into_iter().map(|kept| view! { <Card kept/> }).collect();
                (Some(add), view! { <ul class="titles">{cards}</ul> }.into_any())
            };
            view! {
                <Shell member title="发票抬头".to_owned() assets=&["invoices.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=INVOICES>"发票"</a></p>
                            <h1>"发票抬头"</h1>
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
fn Card(kept: Kept) -> impl IntoView {
    let own = format!("{LIST}/{}", kept.id);
    let name = kept.title.name().to_owned();
    let code = kept.title.code().map(|code| view! { <p class="num">{code.to_string()}</p> });
    view! {
        <li class="sheet">
            <p><strong>{name.clone()}</strong>" "<span class="badge">{kept.title.kind()}</span></p>
            {code}
            <div class="row">
                <a class="link" href=own.clone()>"修改"<span class="sr">{format!("：{name}")}</span></a>
                <Ask
                    label="删除"
                    about=name.clone()
                    question=format!("删除抬头“{name}”？已经申请的发票不变。")
                    confirm="删除这个抬头"
                    action=format!("{own}/removal")
                />
            </div>
        </li>
    }
}

/// GET /manager/invoice/titles/new.
#[component]
pub fn NewTitlePage() -> impl IntoView {
    let member = here().map(|here| here.member);
    loaded(async move { member }, |member| view! { <Editor member known=None title="新增抬头"/> })
}

/// GET /manager/invoice/titles/{id}.
#[component]
pub fn TitlePage() -> impl IntoView {
    let here = here();
    let id = parameter::<TitleId>("id");
    loaded(
        async move {
            let here = here?;
            let known = store::find_for_owner(&here.app.db, &id?, &here.member.id).await?;
            Ok((here.member, known))
        },
        |(member, known)| view! { <Editor member known=Some(known) title="修改抬头"/> },
    )
}

#[component]
fn Editor(member: Member, known: Option<Kept>, title: &'static str) -> impl IntoView {
    view! {
        <Shell member title=title.to_owned() assets=&["invoices.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=LIST>"发票抬头"</a></p>
                    <h1>{title}</h1>
                </div>
            </header>
            <ErrorSummary title="抬头还没有保存"/>
            <form class="sheet stack request" method="post" action=use_path()>
                <TitleFields known=known.map(|known| known.title)/>
                <div class="row">
                    <button class="button primary">"保存抬头"</button>
                    <a class="button" href=LIST>"取消"</a>
                </div>
            </form>
        </Shell>
    }
}

/// POST /manager/invoice/titles/new.
pub async fn add(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if let Some(title) = read_title(&mut form) {
        let mut tx = app.db.begin().await?;
        let kept = Kept { id: new_id(), title };
        if store::insert(&mut tx, &member.id, &kept, MOST, now_ms()).await? {
            tx.commit().await?;
            return Ok(Redirect::to(&format!("{LIST}?done=added")).into_response());
        }
        form.refuse("", format!("最多保存 {MOST} 个抬头，请先删除不用的"));
    }
    render::again(&app, parts, &format!("{LIST}/new"), form).await
}

/// POST /manager/invoice/titles/{id}.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<TitleId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    // somebody else's looks like none, also when what was typed is refused
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    if let Some(title) = read_title(&mut form) {
        let changed = store::update(&app.db, &member.id, &Kept { id, title }).await?;
        return answer(changed, "changed").map(IntoResponse::into_response);
    }
    render::again(&app, parts, &format!("{LIST}/{id}"), form).await
}

/// POST /manager/invoice/titles/{id}/removal.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<TitleId>,
) -> Result<Redirect, Error> {
    answer(store::delete(&app.db, &member.id, &id).await?, "removed")
}

fn answer(done: bool, what: &str) -> Result<Redirect, Error> {
    if done { Ok(Redirect::to(&format!("{LIST}?done={what}"))) } else { Err(Error::NotFound) }
}
