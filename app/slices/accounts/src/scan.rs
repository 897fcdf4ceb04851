//! The two screens of a QR login: the browser that follows its question, the phone that answers it.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query, RawForm, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::MemberId;
use futures::stream;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use web::app::App;
use web::render::{here, loaded, parameter, unkept};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::Moment;
use web::ui::shell::Shell;

use super::qr::{self, Ask, Browser};

/// The value of the sign-in form's field `way` that claims a confirmation.
pub const WAY: &str = "qr";

/// How often the database is asked what a phone has answered.
const LOOK: Duration = Duration::from_secs(1);

/// Where a question stands, as scripts read it.
#[derive(Serialize)]
struct Standing {
    state: &'static str,
}

/// The query of the follower.
#[derive(Deserialize)]
pub struct Watched {
    #[serde(default)]
    ask: String,
}

/// GET /manager/login_state?ask=…: server-sent events `state` until something was answered or time is up; one JSON
/// object for a caller that polls.
pub async fn watch(
    State(app): State<App>,
    headers: HeaderMap,
    Query(Watched { ask }): Query<Watched>,
) -> Result<Response, Error> {
    let ask = Ask::read(app.key.as_bytes(), &ask).ok_or(Error::NotFound)?;
    let browser = Browser::known(&headers, app.config.secure_cookies);
    let streams =
        headers.get(header::ACCEPT).is_some_and(|kinds| kinds.as_bytes().starts_with(b"text/event-stream"));
    if !streams {
        let state = qr::state(&app, browser.as_ref(), &ask, now_ms()).await?;
        return Ok(
            ([(header::CACHE_CONTROL, "no-store")], Json(Standing { state: state.name() })).into_response()
        );
    }
    let events = stream::unfold(Some((app, browser, ask)), |following| async move {
        let (app, browser, ask) = following?;
        loop {
            match qr::state(&app, browser.as_ref(), &ask, now_ms()).await {
                Ok(qr::State::Waiting) => tokio::time::sleep(LOOK).await,
                Ok(state) => {
                    return Some((
                        Ok::<_, Infallible>(Event::default().event("state").data(state.name())),
                        None,
                    ));
                }
                // the browser asks again by itself
                Err(_) => return None,
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// The member who confirmed on a phone, or why there is none, for the member.
pub async fn claim(app: &App, parts: &Parts, ask: &str) -> Result<Result<MemberId, &'static str>, Error> {
    let Some(ask) = Ask::read(app.key.as_bytes(), ask) else {
        return Ok(Err("二维码已过期，请刷新"));
    };
    let browser = Browser::known(&parts.headers, app.config.secure_cookies);
    Ok(qr::claim(app, browser.as_ref(), &ask, now_ms()).await?.map_err(|state| match state {
        qr::State::Waiting => "手机上还没有确认，请用手机扫码并确认后再试",
        qr::State::Declined => "手机上拒绝了这次登录",
        qr::State::Confirmed | qr::State::Expired => "二维码已过期，请刷新",
    }))
}

/// POST /manager/scan/{ask}: what the member answers on the phone.
pub async fn answer(
    State(app): State<App>,
    member: Member,
    Path(text): Path<String>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let ask = Ask::read(app.key.as_bytes(), &text).ok_or(Error::NotFound)?;
    let confirmed = match read_form(&body)?.get("answer") {
        "confirm" => true,
        "decline" => false,
        "" => return Err(Error::Incomplete),
        _ => return Err(Error::BadRequest("请选择确认或拒绝".into())),
    };
    qr::answer(&app, &ask, &member.id, confirmed, now_ms()).await?;
    Ok(Redirect::to(&format!("/manager/scan/{text}")))
}

/// GET /manager/scan/{ask}: which browser asks, and both answers.
#[component]
pub fn ScanPage() -> impl IntoView {
    unkept();
    let here = here();
    let text = parameter::<String>("ask");
    loaded(
        async move {
            let (here, text) = (here?, text?);
            let ask = Ask::read(here.app.key.as_bytes(), &text).ok_or(Error::NotFound)?;
            let answered = qr::answered(&here.app, &ask, &here.member.id).await?;
            Ok((here.member, text, ask, answered))
        },
        |(member, text, ask, answered)| {
            let body = match answered {
                Some(qr::State::Declined) => {
                    notice("已拒绝", "那个浏览器没有登录。若您没有在登录，可以修改密码。")
                }
                Some(_) => notice("已确认", "那个浏览器已登录您的账号，可以继续在那边操作。"),
                None if now_ms() > ask.expires_at => {
                    notice("二维码已过期", "请在电脑上刷新二维码，再扫一次。")
                }
                None => view! { <Question text ask/> }.into_any(),
            };
            view! {
                <Shell member title="确认登录".to_owned() assets=&["accounts.css"]>
                    <section class="trim scan">{body}</section>
                </Shell>
            }
        },
    )
}

fn notice(title: &'static str, text: &'static str) -> AnyView {
    view! { <h1>{title}</h1><p class="quiet">{text}</p> }.into_any()
}

#[component]
fn Question(text: String, ask: Ask) -> impl IntoView {
    view! {
        <h1>"有一个浏览器要登录您的账号"</h1>
        <dl class="facts">
            <dt>"浏览器"</dt><dd>{ask.device.clone()}</dd>
            <dt>"网络地址"</dt><dd class="num">{ask.address.clone()}</dd>
            <dt>"时间"</dt><dd><Moment at=ask.began_at()/></dd>
        </dl>
        <p>"那边的屏幕上显示的是这个数字吗？"</p>
        <p class="number num"><strong>{ask.number()}</strong></p>
        <p class="quiet">"别人发来的二维码不要确认：确认后，对方就能使用您的账号。"</p>
        <form class="answers" method="post" action=format!("/manager/scan/{text}")>
            <button class="button" name="answer" value="decline">"不是我，拒绝"</button>
            <button class="button" name="answer" value="confirm">"数字一致，确认登录"</button>
        </form>
    }
}
