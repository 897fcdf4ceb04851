//! 找回密码: the code sent to a contact, a new password; every other login of the member ends.
//!
//! Whether the contact has an account is told to the contact alone, as in the registration.

use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use domain::contact::{Contact, LONGEST};
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::render::Form;
use web::ui::parts::Field;

use super::codes::{Claim, Purpose};
use super::forms::arrive;
use super::logins::BeganBy;
use super::sign_in_form::{self, CodeField, FINISH, Resend, SEND, STEP, SignIn, StepForm, WaysOn};
use super::store::contacts::Holder;
use super::{attempts, notices, password, store};

/// The value of `way`, in the address and in the form.
pub const WAY: &str = "recovery";

/// POST with `way=recovery`.
pub async fn answer(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    let finishes = form.get(STEP) == FINISH;
    let Some(contact) = sign_in_form::contact_in(&mut form) else {
        form.forget("password");
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    };
    let claim = Claim { purpose: Purpose::Recovery, contact: &contact, member: None };
    let known = store::contacts::holder(&app.db, contact.as_str()).await?;
    if finishes {
        return finish(app, session, parts, form, &sign_in, claim, known).await;
    }
    form.forget("password");
    let instead = known.is_none().then(|| unknown(&contact));
    let known = known.as_ref().map(|known| &known.id);
    sign_in_form::send_code(app, parts, &sign_in.place, form, claim, known, instead.as_deref()).await
}

fn unknown(contact: &Contact) -> String {
    format!(
        "【书坊】有人想用这个{}找回书坊的密码，而它还没有账号。若是您本人，请在登录页注册；若不是，请忽略。",
        contact.kind()
    )
}

async fn finish(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    sign_in: &SignIn,
    claim: Claim<'_>,
    known: Option<Holder>,
) -> Result<Response, Error> {
    let code = sign_in_form::code_in(&mut form);
    // the member's name is held against the password only when the code was right: it is not for visitors
    let secret = sign_in_form::new_password_in(&mut form, &[claim.contact.as_str()]);
    if form.is_refused() {
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    }
    let id = known.as_ref().map(|known| &known.id);
    let proof = match sign_in_form::proven(app, &parts, &sign_in.place, &mut form, claim, id, &code).await? {
        Ok(proof) => proof,
        Err(refusal) => return Ok(refusal),
    };
    let Some(member) = known else {
        sign_in_form::refuse_code(&mut form);
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    };
    if let Err(reason) = domain::password::check(&secret, &[&member.account, &member.name]) {
        form.refuse("password", reason.to_string());
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    }
    let hash = password::hash(app, secret).await?;
    let mut tx = app.db.begin().await?;
    if !proof.spend(&mut tx).await? {
        drop(tx);
        sign_in_form::refuse_code(&mut form);
        return sign_in_form::show(app, parts, &sign_in.place, form).await;
    }
    store::contacts::set_password(&mut tx, &member.id, &hash, None).await?;
    attempts::forgive(&mut tx, claim.contact.as_str(), Some(&member.account)).await?;
    notices::password_changed(app, &mut tx, &member).await?;
    tx.commit().await?;
    app.bell.ring();
    arrive(app, session, parts, sign_in, &member.id, BeganBy::Code, &form).await
}

/// The page's part.
#[component]
pub fn Recovery() -> impl IntoView {
    let step = if sign_in_form::is_second() {
        view! {
            <CodeField/>
            <Field name="password" label="新密码" kind="password" most=128 autocomplete="new-password" required=true/>
            <p class="hint">"至少 8 个字符。设好后，其他设备上的登录都会退出。"</p>
            <button class="button primary wide" name=STEP value=FINISH>"设置新密码并登录"</button>
            <Resend/>
        }
        .into_any()
    } else {
        view! {
            <Field name="contact" label="账号的手机号或邮箱" most=LONGEST as u32 autocomplete="username" inputmode="email" required=true/>
            <button class="button primary wide" name=STEP value=SEND>"发送验证码"</button>
        }
        .into_any()
    };
    view! {
        <StepForm way=WAY>{step}</StepForm>
        <WaysOn from=WAY/>
    }
}
