//! What the ways through the door share: where they lead, and the two steps of those that send a code.

use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use base::error::{Error, Wait};
use domain::contact::Contact;
use domain::return_path;
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::render::{self, Form, use_form, use_path, use_query};
use web::ui::parts::{ErrorSummary, Field};

use super::asker::Asker;
use super::codes::{self, Claim, Proof};
use super::interrupted;
use super::logins::{self, BeganBy};
use domain::ids::MemberId;

/// The field that says which button of which step was pressed.
pub const STEP: &str = "step";
/// Steps: coming from another way with what is carried, sending a code, and finishing with it. Anything else is the
/// first sight of the form.
pub const BEGIN: &str = "begin";
pub const SEND: &str = "send";
pub const FINISH: &str = "finish";
/// A field that is set when a code has just been sent.
const SENT: &str = "sent";

/// The address of a form, with its query, and the page that it leads to.
pub struct SignIn {
    pub place: String,
    pub asked: String,
}

impl SignIn {
    /// The door that a request stands at.
    pub fn of(parts: &Parts) -> Self {
        let path = parts.uri.path();
        let asked = path.strip_prefix("/manager/login/").and_then(return_path::decode);
        Self {
            place: parts.uri.path_and_query().map_or(path, |place| place.as_str()).to_owned(),
            asked: asked.unwrap_or_else(|| return_path::DEFAULT.to_owned()),
        }
    }

    /// Signs a member in and leads on.
    pub async fn enter(
        &self,
        app: &App,
        session: &Session,
        parts: &Parts,
        member: &MemberId,
        by: BeganBy,
    ) -> Result<Response, Error> {
        logins::enter(app, session, member, by, parts).await?;
        Ok(Redirect::to(&self.asked).into_response())
    }
}

/// The page once more: 422 where the form is refused, 200 where it goes on.
pub async fn show(app: &App, parts: Parts, place: &str, form: Form) -> Result<Response, Error> {
    let refused = form.is_refused();
    let mut response = render::again(app, parts, place, form).await?;
    if !refused && response.status() == StatusCode::UNPROCESSABLE_ENTITY {
        *response.status_mut() = StatusCode::OK;
    }
    Ok(response)
}

/// The page once more, with when to try again: 429.
pub async fn show_later(
    app: &App,
    parts: Parts,
    place: &str,
    form: Form,
    seconds: u64,
) -> Result<Response, Error> {
    let mut response = render::again(app, parts, place, form).await?;
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    Ok(response)
}

/// The first step: sends a code, or the text that takes its place, and goes on to the second step. `known` is the member
/// whose contact it is, where there is one.
pub async fn send_code(
    app: &App,
    parts: Parts,
    place: &str,
    mut form: Form,
    claim: Claim<'_>,
    known: Option<&MemberId>,
    instead: Option<&str>,
) -> Result<Response, Error> {
    let asker = Asker::of(app, &parts, known);
    match codes::send(app, claim, &asker, instead).await {
        Ok(()) => {
            // a code is for the browser that asked, wherever it goes meanwhile
            asker.remember(&parts);
            form.set(STEP, FINISH);
            form.set(SENT, "1");
            form.forget("code");
            show(app, parts, place, form).await
        }
        Err(Error::TooMany(wait)) => {
            // whoever has a code goes on; a page that was left is found again
            let open = codes::was_sent(app, claim, &asker).await?;
            form.set(STEP, if open { FINISH } else { "" });
            form.refuse("", too_soon(wait, open));
            show_later(app, parts, place, form, wait.seconds).await
        }
        Err(error) => Err(error),
    }
}

fn too_soon(wait: Wait, open: bool) -> String {
    let known = if open { "上一个验证码仍然有效。" } else { "" };
    format!("{}，请 {}后再发。{known}{}", wait.why, wait.span(), wait.meanwhile)
}

/// The contact in a form; refused beside its field where it is none.
pub fn contact_in(form: &mut Form) -> Option<Contact> {
    let typed = form.get("contact").to_owned();
    let contact = Contact::read(&typed);
    if contact.is_none() {
        let words = if typed.is_empty() {
            "请输入手机号或邮箱"
        } else {
            "手机号或邮箱的格式不正确"
        };
        form.refuse("contact", words);
        // the contact is a field of the first step
        form.set(STEP, "");
    }
    contact
}

/// The code in a form; refused beside its field where it can't be one.
pub fn code_in(form: &mut Form) -> String {
    let code = domain::typed::code(form.get("code"));
    if code.is_empty() {
        form.refuse("code", "请输入验证码");
    } else if code.len() != 6 || !code.bytes().all(|b| b.is_ascii_digit()) {
        form.refuse("code", "验证码是 6 位数字");
    }
    code
}

/// The new password in a form, which never comes back; refused beside its field where it is not taken.
pub fn new_password_in(form: &mut Form, names: &[&str]) -> String {
    let typed = form.all("password").next().unwrap_or("").to_owned();
    form.forget("password");
    if typed.is_empty() {
        form.refuse("password", "请输入密码");
        return typed;
    }
    match domain::password::check(&typed, names) {
        Ok(password) => password,
        Err(reason) => {
            form.refuse("password", reason.to_string());
            typed
        }
    }
}

/// The proof that a code in a form is right; otherwise the form's page again, with the reason.
pub async fn proven<'a>(
    app: &App,
    parts: &Parts,
    place: &str,
    form: &mut Form,
    claim: Claim<'a>,
    known: Option<&MemberId>,
    code: &str,
) -> Result<Result<Proof<'a>, Response>, Error> {
    match codes::check(app, claim, &Asker::of(app, parts, known), code).await {
        Ok(Some(proof)) => return Ok(Ok(proof)),
        Ok(None) => refuse_code(form),
        Err(error @ Error::TooMany(wait)) => {
            form.refuse("", error.message());
            return show_later(app, parts.clone(), place, form.clone(), wait.seconds).await.map(Err);
        }
        Err(error) => return Err(error),
    }
    show(app, parts.clone(), place, form.clone()).await.map(Err)
}

/// The same words for a wrong code, an old one, and one that was never sent.
pub fn refuse_code(form: &mut Form) {
    form.refuse(
        "code",
        "验证码不正确，或已失效。每个验证码只能试 5 次，并且只在要它的那个浏览器或网络里有效",
    );
}

/// Whether the form is at its second step.
pub fn is_second() -> bool {
    use_form().get(STEP) == FINISH
}

/// What proves an account: its name and its password.
#[component]
pub fn Credentials() -> impl IntoView {
    view! {
        <Field name="account" label="账号" most=254 autocomplete="username webauthn" inputmode="email" required=true/>
        <Field name="password" label="密码" kind="password" most=128 autocomplete="current-password" required=true/>
    }
}

/// What the second step begins with: where the code went, and its field.
#[component]
pub fn CodeField() -> impl IntoView {
    let form = use_form();
    let contact = form.get("contact").to_owned();
    let sent = form.get(SENT) == "1";
    let class = if sent { "notice good" } else { "quiet" };
    view! {
        <p class=class role=sent.then_some("status")>
            "验证码已发到 "<strong>{contact.clone()}</strong>"，10 分钟内有效。 "
            <Anew/>
        </p>
        <input type="hidden" name="contact" value=contact.clone()/>
        // what password managers keep the new password under
        <input class="sr" type="text" name="username" value=contact autocomplete="username" tabindex="-1" aria-hidden="true" readonly/>
        <Field
            name="code"
            label="6 位验证码"
            most=12
            inputmode="numeric"
            autocomplete="one-time-code"
            required=true
        />
    }
}

/// Leads back to the first step.
#[component]
fn Anew() -> impl IntoView {
    let way = use_query("way").unwrap_or_default();
    if use_form().get(interrupted::FIELD).is_empty() {
        // this page's own address, which begins anew
        return view! { <a href="">"换一个"</a> }.into_any();
    }
    view! { <button class="link" form=WAYS formaction=format!("{}?way={way}", use_path())>"换一个"</button> }
        .into_any()
}

/// What was typed in a form whose session had ended; it goes through the door with the member.
#[component]
pub fn CarriedForm() -> impl IntoView {
    let typed = use_form().or(interrupted::FIELD, "");
    (!typed.is_empty()).then(|| view! { <input type="hidden" name=interrupted::FIELD value=typed/> })
}

/// The button that sends another code; it stands after the one that finishes, which Enter presses.
#[component]
pub fn Resend() -> impl IntoView {
    view! {
        <p class="quiet">
            "没有收到？请看看垃圾邮件；一分钟后可以 "
            <button class="link" name=STEP value=SEND formnovalidate>"重新发送"</button>
        </p>
    }
}

/// A form of two steps at this door.
#[component]
pub fn StepForm(way: &'static str, children: Children) -> impl IntoView {
    view! {
        <ErrorSummary title="还差一点"/>
        <form class="fields" method="post" action=format!("{}?way={way}", use_path())>
            <input type="hidden" name="way" value=way/>
            <CarriedForm/>
            {children()}
        </form>
    }
}

/// The form of the ways where something is carried.
const WAYS: &str = "ways";

/// The ways from here, in one quiet line: links, or buttons where what was typed goes along.
#[component]
pub fn WaysOn(#[prop(default = "")] from: &'static str) -> impl IntoView {
    let path = use_path();
    let ways = [("", "返回登录"), (super::registration::WAY, "注册"), (super::recovery::WAY, "找回密码")];
    let carries = !use_form().get(interrupted::FIELD).is_empty();
    let links: Vec<_> = ways
        .into_iter()
        .filter(|(way, _)| *way != from)
        .map(|(way, name)| {
            let href = if way.is_empty() { path.clone() } else { format!("{path}?way={way}") };
            if carries {
                view! { <button class="link" formaction=href>{name}</button> }.into_any()
            } else {
                view! { <a class="link" href=href data-way=way>{name}</a> }.into_any()
            }
        })
        .collect();
    if carries {
        view! {
            <form id=WAYS class="ways-on" method="post" action=path aria-label="其他方式">
                <input type="hidden" name=STEP value=BEGIN/>
                <CarriedForm/>
                {links}
            </form>
        }
        .into_any()
    } else {
        view! { <nav class="ways-on" aria-label="其他方式">{links}</nav> }.into_any()
    }
}
