//! /newsletter/confirm/{token} and /newsletter/leave/{token}: what the links of messages lead to. A page with a button: many mail
//! systems open every link to look what it is. Mail programs end letters by one POST without anything of a page (RFC 8058).

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use leptos::prelude::*;
use web::app::App;
use web::render::{HeadSlot, loaded, parameter, use_path, use_query};
use web::router::Parameter;
use web::ui::shell::{Head, Mark};

use super::store::{self, letters};
use super::{sending, token};
use publications::Title;

fn over() -> Error {
    Error::Gone("这个链接已经过期，或者已经用它退订了。想订阅的话，请在报刊的“订阅更新”里再要一次。".into())
}

/// POST /newsletter/confirm/{token}.
pub async fn confirm(State(app): State<App>, Parameter(token): Parameter<String>) -> Result<Redirect, Error> {
    let id = token::confirmed(&app.key, &token).ok_or(Error::NotFound)?;
    let mut tx = app.db.begin().await?;
    if !store::confirm(&mut tx, &id, now_ms()).await? {
        return Err(over());
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("/newsletter/confirm/{token}")))
}

/// GET /newsletter/confirm/{token}.
#[component]
pub fn ConfirmPage() -> impl IntoView {
    let (app, token) = (use_context::<App>(), parameter::<String>("token"));
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let id = token::confirmed(&app.key, &token?).ok_or(Error::NotFound)?;
            let row = store::find(&app.db, &id, now_ms()).await?.ok_or_else(over)?;
            let title = row.publication_id.clone().try_into().map_err(Error::internal)?;
            Ok((publications::title(&app, &title).await?, row))
        },
        |(title, row)| {
            let name = title.name.clone();
            let body = if row.confirmed_at.is_some() {
                view! {
                    <h1>{format!("订好了《{name}》")}</h1>
                    <p class="notice good" role="status">{format!("出了新一期，会发到 {}。", row.address)}</p>
                }
                .into_any()
            } else {
                view! {
                    <h1>{format!("订阅《{name}》")}</h1>
                    <p>"新一期的要目和开头会发到"<strong class="mail">{row.address}</strong>"，每封信里都可以退订。"</p>
                    <form method="post" action=use_path()>
                        <button class="button primary wide">"确认订阅"</button>
                    </form>
                }
                .into_any()
            };
            view! { <Small title body/> }
        },
    )
}

/// What the button of the page sends.
const BY_HAND: &[u8] = b"by=hand";

/// POST /newsletter/leave/{token}: from the page's button, or from a mail program, which has neither cookie nor page and wants
/// no redirect (RFC 8058, section 3.2). Sent twice it is done once.
pub async fn leave(
    State(app): State<App>,
    Parameter(token): Parameter<String>,
    body: Bytes,
) -> Result<Response, Error> {
    let (title, reader) = token::left(&app.key, &token).ok_or(Error::NotFound)?;
    let same = sending::same_address(&app, &title, &reader).await?;
    let mut tx = app.db.begin().await?;
    if sending::stop(&mut tx, &title, &same).await? {
        store::add(&mut tx, &title, [0, 0, 1]).await?;
    }
    // of who gave nothing but an address nothing is kept
    for reader in same.iter().filter(|reader| !reader.is_member()) {
        letters::forget_reader(&mut tx, reader.id()).await?;
    }
    tx.commit().await?;
    if body.as_ref() == BY_HAND {
        return Ok(Redirect::to(&format!("/newsletter/leave/{token}?done=1")).into_response());
    }
    Ok("已经退订。\n".into_response())
}

/// GET /newsletter/leave/{token}.
#[component]
pub fn LeavePage() -> impl IntoView {
    let (app, token) = (use_context::<App>(), parameter::<String>("token"));
    let is_done = use_query("done").is_some();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let (title, _) = token::left(&app.key, &token?).ok_or(Error::NotFound)?;
            publications::title(&app, &title).await
        },
        move |title| {
            let name = title.name.clone();
            let body = if is_done {
                view! {
                    <h1>"已经退订"</h1>
                    <p class="notice good" role="status">{format!("不会再把《{name}》发到您的邮箱。")}</p>
                }
                .into_any()
            } else {
                view! {
                    <h1>{format!("不再收《{name}》？")}</h1>
                    <p>"新一期不再发到您的邮箱。没有账号的，我们随即删除这个邮箱。"</p>
                    <form method="post" action=use_path()>
                        <button class="button primary wide" name="by" value="hand">"退订"</button>
                    </form>
                }
                .into_any()
            };
            view! { <Small title body/> }
        },
    )
}

/// A page for one button.
#[component]
fn Small(title: Title, body: AnyView) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    view! {
        <Head title=format!("《{}》的邮件", title.name) assets=&["reader.css", "newsletter.css"]/>
        <main id="main" class="reader locked">
            <a class="brand" href="/about"><Mark/>"书坊"</a>
            {body}
            <p><a class="link" href=title.path.clone()>{format!("去看《{}》", title.name)}</a></p>
        </main>
    }
}
