//! 注册: a contact, the code sent to it, a password.
//!
//! Whether the contact has an account already is told to the contact alone: every answer to the visitor is the same,
//! and so is the work behind it.

use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use domain::contact::{Contact, LONGEST};
use domain::ids::MemberId;
use domain::tier::Tier;
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::render::{Form, use_form, use_query};
use web::ui::parts::Field;

use super::codes::{Claim, Purpose};
use super::forms::arrive;
use super::logins::BeganBy;
use super::profile::{MOST_NAME, complaint};
use super::sign_in_form::{self, CodeField, FINISH, Resend, SEND, STEP, SignIn, StepForm, WaysOn};
use super::third_party::{self, PendingChoice};
use super::{NewAccount, attempts, password, store};

/// The value of `way`, in the address and in the form.
pub const WAY: &str = "registration";

/// POST with `way=registration`.
pub async fn answer(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    let finishes = form.get(STEP) == FINISH;
    let Some(contact) = sign_in_form::contact_in(&mut form) else {
        form.forget("password");
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    };
    let invited_by = match inviter(app, &parts, &mut form).await {
        Ok(invited_by) => invited_by,
        Err(error @ Error::TooMany(wait)) => {
            form.forget("password");
            form.refuse("", error.message());
            return sign_in_form::show_later(app, parts, &sign_in.place, form, wait.seconds).await;
        }
        Err(error) => return Err(error),
    };
    if form.is_refused() {
        form.forget("password");
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    }
    let claim = Claim { purpose: Purpose::Registration, contact: &contact, member: None };
    if finishes {
        return finish(app, session, parts, form, &sign_in, claim, invited_by).await;
    }
    form.forget("password");
    let known = store::contacts::holder(&app.db, contact.as_str()).await?;
    let instead = known.as_ref().map(|_| exists(&contact));
    let known = known.as_ref().map(|known| &known.id);
    sign_in_form::send_code(app, parts, &sign_in.place, form, claim, known, instead.as_deref()).await
}

fn exists(contact: &Contact) -> String {
    format!(
        "【书坊】有人用这个{}注册书坊，而它已经有账号了。若是您本人，请直接登录，忘记密码可在登录页选“找回密码”；若不是，请忽略。",
        contact.kind()
    )
}

/// Who invited, where an invite code was given. Guessing at codes gets slower like guessing at passwords; a code says
/// nothing of whose it is.
async fn inviter(app: &App, parts: &Parts, form: &mut Form) -> Result<Option<MemberId>, Error> {
    let code = domain::typed::code(form.get("yaoqingma")).to_uppercase();
    if code.is_empty() {
        return Ok(None);
    }
    let attempt = attempts::start_anywhere(app, &client::address(app, parts)).await?;
    let inviter = store::contacts::by_invite_code(&app.db, &code).await?;
    match inviter {
        Some(_) => attempt.succeeded(app).await?,
        None => {
            form.refuse("yaoqingma", "没有这个邀请码，请检查，或留空");
            // the invite code is a field of the first step
            form.set(STEP, "");
        }
    }
    Ok(inviter)
}

async fn finish(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    sign_in: &SignIn,
    claim: Claim<'_>,
    invited_by: Option<MemberId>,
) -> Result<Response, Error> {
    let code = sign_in_form::code_in(&mut form);
    let name = form.get("name").to_owned();
    // without one the account's begin takes its place
    if let Some(complaint) = complaint(&name).filter(|_| !name.is_empty()) {
        form.refuse("name", complaint);
    }
    let secret = sign_in_form::new_password_in(&mut form, &[claim.contact.as_str(), &name]);
    if form.is_refused() {
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    }
    let proof = match sign_in_form::proven(app, &parts, &sign_in.place, &mut form, claim, None, &code).await?
    {
        Ok(proof) => proof,
        Err(refusal) => return Ok(refusal),
    };
    let hash = password::hash(app, secret).await?;
    let new = NewAccount {
        contact: claim.contact,
        name: &name,
        hash: &hash,
        tier: Tier::default(),
        invited_by: invited_by.as_ref(),
    };
    let mut tx = app.db.begin().await?;
    if !proof.spend(&mut tx).await? {
        drop(tx);
        sign_in_form::refuse_code(&mut form);
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    }
    let Some(member) = new.insert(&mut tx).await? else {
        drop(tx);
        // made meanwhile, and whoever has the right code holds the contact
        form.refuse("", "这个账号刚刚已经注册，请直接登录");
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    };
    attempts::forgive(&mut tx, claim.contact.as_str(), Some(claim.contact.as_str())).await?;
    tx.commit().await?;
    if !form.get(third_party::BINDING).is_empty() {
        // one that somebody else has bound meanwhile is told in the profile, and stops nobody here
        third_party::bind_pending(app, session, &member).await?;
    }
    arrive(app, session, parts, sign_in, &member, BeganBy::Code, &form).await
}

/// The page's part.
#[component]
pub fn Registration() -> impl IntoView {
    let invite = use_form().or("yaoqingma", &use_query("yaoqingma").unwrap_or_default());
    let step = if sign_in_form::is_second() {
        view! {
            <CodeField/>
            <Field name="password" label="设置密码" kind="password" most=128 autocomplete="new-password" required=true/>
            <p class="hint">"至少 8 个字符，长一点比复杂更安全。"</p>
            <Field name="name" label="名字（选填）" most=MOST_NAME autocomplete="nickname"/>
            <input type="hidden" name="yaoqingma" value=invite/>
            <PendingChoice/>
            <button class="button primary wide" name=STEP value=FINISH>"注册并登录"</button>
            <Resend/>
        }
        .into_any()
    } else {
        view! {
            <Field name="contact" label="手机号或邮箱" most=LONGEST as u32 autocomplete="username" inputmode="email" required=true/>
            <Field name="yaoqingma" label="邀请码（选填）" value=invite most=20 autocomplete="off"/>
            <button class="button primary wide" name=STEP value=SEND>"发送验证码"</button>
        }
        .into_any()
    };
    view! {
        <StepForm way=WAY>{step}</StepForm>
        <WaysOn from=WAY/>
    }
}
