//! /epaper/{title}/follow and of magazines: how everybody hears of new issues. An address is followed once its owner pressed a
//! button behind a link that was sent to it; whether it follows already is told to nobody.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::delivery::{self, Message, NOTICE_LIFE_MS};
use base::error::{Error, Wait};
use domain::contact::{Contact, LONGEST};
use domain::newsletter::ASKED_APART_MS;
use leptos::prelude::*;
use web::app::App;
use web::client;
use web::origin::Origin;
use web::render::{self, Form, HeadSlot, loaded, parameter, use_member, use_path, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::shell::{Head, Mark};

use super::{store, token};
use publications::{Title, kind_of};

/// Why a title's issues can't be had by mail; `None` where they can.
pub async fn obstacle(app: &App, title: &Title) -> Result<Option<&'static str>, Error> {
    if !publications::letters_leave(app) {
        return Ok(Some("这个站点还没有配置发邮件，暂时不能用邮箱订阅。"));
    }
    let is_off = store::mailed(&app.db, &title.id).await?.is_off == 1;
    Ok(is_off.then_some("出版人没有开通用邮件发新一期。"))
}

/// POST /epaper/{title}/follow.
pub async fn ask(
    State(app): State<App>,
    Parameter(address): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let title = publications::title_at(&app, kind_of(parts.uri.path())?, &address).await?;
    let mut form = read_form(&body)?;
    let page = format!("{}/follow", title.path);
    if let Some(obstacle) = obstacle(&app, &title).await? {
        form.refuse("", obstacle);
        return render::again(&app, parts, &page, form).await;
    }
    let Some(contact @ Contact::Email(_)) = Contact::read(form.get("email")) else {
        form.refuse("email", "请填写邮箱地址，例如 name@example.com");
        return render::again(&app, parts, &page, form).await;
    };
    if !store::may_ask(&app.db, &title.id, now_ms()).await? {
        return later(&app, parts, &page, form, ASKED_MUCH).await;
    }
    match accounts::take_following(&app, contact.as_str(), &client::address(&app, &parts)).await {
        Ok(true) => send_link(&app, &title, &contact).await?,
        // its mailbox has had enough of these; who asks is told the same
        Ok(false) => {}
        Err(Error::TooMany(wait)) => return later(&app, parts, &page, form, wait).await,
        Err(error) => return Err(error),
    }
    Ok(Redirect::to(&format!("{page}?sent=1")).into_response())
}

/// The form again, for later.
async fn later(app: &App, parts: Parts, page: &str, mut form: Form, wait: Wait) -> Result<Response, Error> {
    form.refuse("", Error::TooMany(wait).message());
    let mut response = render::again(app, parts, page, form).await?;
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.seconds));
    Ok(response)
}

/// What is said of a title that asked too many addresses, whichever comes next.
const ASKED_MUCH: Wait =
    Wait {
        seconds: 60 * 60, why: "这份报刊刚才要确认信的邮箱太多", meanwhile: "可以先用阅读器订阅。"
    };

/// Sends the link that confirms an address, unless it follows already or was sent one a moment ago.
async fn send_link(app: &App, title: &Title, contact: &Contact) -> Result<(), Error> {
    let Some(base) = Origin::configured(&app.config) else { return Ok(()) };
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let row = store::ask(&mut tx, &title.id, contact.as_str()).await?;
    if row.confirmed_at.is_none() && now - row.asked_at >= ASKED_APART_MS {
        let id = row.id.clone().try_into().map_err(Error::internal)?;
        let link = base.join(&format!("/newsletter/confirm/{}", token::confirming(&app.key, &id)));
        let text = format!(
            "【书坊】有人想用这个邮箱收《{}》的新一期。是您的话，请打开下面的链接，再按“确认订阅”（两天内有效）：\n{link}\n\
             不是您的话，不用理会：不确认就什么也不会发，这个地址两天后删除。",
            title.name
        );
        let subject = format!("确认订阅《{}》", title.name);
        let expires_at = now + NOTICE_LIFE_MS;
        let message =
            Message { to: contact, subject: &subject, text, expires_at, on_behalf_of: Some(&title.maker) };
        store::set_asked(&mut tx, &row.id, now).await?;
        delivery::queue(app, &mut tx, message).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

struct Shown {
    title: Title,
    obstacle: Option<&'static str>,
    /// Whether the member who looks has the issues by message.
    hears: bool,
}

/// GET /epaper/{title}/follow.
#[component]
pub fn FollowPage() -> impl IntoView {
    let (app, address) = (use_context::<App>(), parameter::<String>("title"));
    let kind = kind_of(&use_path());
    let member = use_member();
    let own = member.clone();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let title = publications::title_at(&app, kind?, &address?).await?;
            let hears = match &own {
                Some(member) => publications::hears_by_message(&app, &title.id, &member.id).await?,
                None => false,
            };
            Ok(Shown { obstacle: obstacle(&app, &title).await?, title, hears })
        },
        |shown| view! { <Ways shown member/> },
    )
}

#[component]
fn Ways(shown: Shown, member: Option<Member>) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    let Shown { title, obstacle, hears } = shown;
    let name = title.name.clone();
    let is_sent = use_query("sent").is_some();
    let email = member.as_ref().and_then(|member| member.email.clone());
    let by_mail = match (obstacle, email) {
        (Some(obstacle), _) => view! { <p class="notice">{obstacle}</p> }.into_any(),
        (None, Some(email)) if hears => view! {
            <p class="notice good">{format!("新一期会发到 {email}。")}</p>
            <p><a class="link" href=title.following.clone()>"改提醒设置"</a></p>
        }
        .into_any(),
        (None, Some(email)) => view! {
            <form method="post" action=title.following.clone()>
                <input type="hidden" name="by_message" value="1"/>
                <p>"出了新一期，把要目和开头发到您的邮箱："<strong class="mail">{email}</strong></p>
                <button class="button primary" name="act" value="follow">"订阅"</button>
            </form>
        }
        .into_any(),
        (None, None) if is_sent => view! {
            <div class="notice good" role="status">
                "如果这个邮箱还没有订阅，我们给它发了一封信。请打开信里的链接，再按“确认订阅”；两天内有效。"
            </div>
            <p class="hint">"没有收到？看看垃圾邮件；刚要过的，十分钟以后可以再要一次。"</p>
            <p><a class="link" href=use_path()>"换一个邮箱"</a></p>
        }
        .into_any(),
        (None, None) => view! {
            <form method="post" action=use_path()>
                <p>"出了新一期，把要目和开头发到您的邮箱。不用注册，每封信里都可以退订。"</p>
                <Field name="email" label="邮箱" kind="email" most=LONGEST as u32 autocomplete="email" inputmode="email" required=true/>
                <button class="button primary wide">"发确认信给我"</button>
                <p class="hint">"邮箱只用来发这一份，出版人看不到；退订就删除。"</p>
            </form>
        }
        .into_any(),
    };
    let study = match member {
        Some(_) => "只在书房里看新一期",
        None => "登录，在书房里看新一期",
    };
    view! {
        <Head title=format!("订阅《{name}》的更新") assets=&["reader.css", "newsletter.css"]/>
        <main id="main" class="reader locked">
            <a class="brand" href="/about"><Mark/>"书坊"</a>
            <h1>{format!("订阅《{name}》的更新")}</h1>
            <ErrorSummary title="还没有订阅"/>
            {by_mail}
            <ul class="others">
                <li><a class="link" href=title.following.clone() rel="nofollow">{study}</a></li>
                <li><a class="link" href=format!("{}/feed.atom", title.path)>"用阅读器订阅（Atom）"</a></li>
                <li><a class="link" href=title.path.clone()>{format!("回到《{name}》")}</a></li>
            </ul>
        </main>
    }
}
