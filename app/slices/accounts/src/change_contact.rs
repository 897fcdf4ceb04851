//! /manager/userInfo/contact: another mobile number or e-mail address, for a member who knows its password and holds
//! the new contact.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::contact::{Contact, LONGEST};
use leptos::prelude::*;
use web::app::App;
use web::render::{Form, here, loaded, unkept, use_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::shell::Shell;

use super::asker::Asker;
use super::change_password::knows_password;
use super::codes::{self, Claim, Purpose};
use super::sign_in_form::{self, CodeField, FINISH, Resend, SEND, STEP};
use super::{attempts, notices, store};

const PATH: &str = "/manager/userInfo/contact";

/// POST /manager/userInfo/contact
pub async fn answer(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let finishes = form.get(STEP) == FINISH;
    let contact = sign_in_form::contact_in(&mut form);
    if let Some(contact) = &contact
        && [&member.phone, &member.email].into_iter().flatten().any(|known| known == contact.as_str())
    {
        form.refuse("contact", format!("这就是您现在的{}", contact.kind()));
        form.set(STEP, "");
    }
    let claim = contact.as_ref().map(|contact| Claim {
        purpose: Purpose::Contact,
        contact,
        member: Some(&member.id),
    });
    let Some(claim) = claim.filter(|_| finishes && !form.is_refused()) else {
        return begin(&app, parts, form, &member, claim).await;
    };
    finish(&app, parts, form, &member, claim).await
}

/// The first step asks for the password, always; sending again does not, since nobody gets to the second step without.
async fn begin(
    app: &App,
    parts: Parts,
    mut form: Form,
    member: &Member,
    claim: Option<Claim<'_>>,
) -> Result<Response, Error> {
    let again = match claim {
        Some(claim) if form.all("current").next().is_none() => {
            codes::was_sent(app, claim, &Asker::of(app, &parts, None)).await?
        }
        _ => false,
    };
    if !again {
        // refused, the page is at its first step
        form.set(STEP, "");
        if let Err(refusal) = knows_password(app, &parts, PATH, &mut form, member).await? {
            return Ok(refusal);
        }
    }
    let Some(claim) = claim.filter(|_| !form.is_refused()) else {
        return sign_in_form::show(app, parts, PATH, form).await;
    };
    let taken = store::contacts::holder(&app.db, claim.contact.as_str()).await?;
    let instead = taken.map(|_| belongs(claim.contact));
    sign_in_form::send_code(app, parts, PATH, form, claim, None, instead.as_deref()).await
}

fn belongs(contact: &Contact) -> String {
    format!(
        "【书坊】有人想把这个{}加到自己的书坊账号，而它已经属于另一个账号。若是您本人，请先在那个账号里更换；若不是，请忽略。",
        contact.kind()
    )
}

async fn finish(
    app: &App,
    parts: Parts,
    mut form: Form,
    member: &Member,
    claim: Claim<'_>,
) -> Result<Response, Error> {
    let code = sign_in_form::code_in(&mut form);
    if form.is_refused() {
        return sign_in_form::show(app, parts, PATH, form).await;
    }
    let proof = match sign_in_form::proven(app, &parts, PATH, &mut form, claim, None, &code).await? {
        Ok(proof) => proof,
        Err(refusal) => return Ok(refusal),
    };
    let before = store::contacts::holder_by_id(&app.db, &member.id).await?;
    let mut tx = app.db.begin().await?;
    if !proof.spend(&mut tx).await? {
        drop(tx);
        sign_in_form::refuse_code(&mut form);
        return sign_in_form::show(app, parts, PATH, form).await;
    }
    if !store::contacts::set_contact(&mut tx, &member.id, claim.contact).await? {
        drop(tx);
        form.refuse("", format!("这个{}刚刚成了另一个账号的", claim.contact.kind()));
        return sign_in_form::show(app, parts, PATH, form).await;
    }
    attempts::forgive(&mut tx, claim.contact.as_str(), None).await?;
    notices::contact_changed(app, &mut tx, &before, claim.contact).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to("/manager/userInfo/contact?changed=1").into_response())
}

/// GET /manager/userInfo/contact
#[component]
pub fn ContactPage() -> impl IntoView {
    unkept();
    let here = here();
    let changed = use_query("changed").is_some();
    loaded(async move { here }, move |here| {
        let member = here.member;
        let known = |contact: &Option<String>| contact.clone().unwrap_or_else(|| "未填写".to_owned());
        let (phone, email) = (known(&member.phone), known(&member.email));
        let done = changed.then(|| {
            view! { <p class="notice good" role="status">"已更改。下次可以用它登录。"</p> }
        });
        let step = if sign_in_form::is_second() {
            view! {
                <CodeField/>
                <button class="button primary" name=STEP value=FINISH>"确认更改"</button>
                <Resend/>
            }
            .into_any()
        } else {
            view! {
                <Field name="contact" label="新的手机号或邮箱" most=LONGEST as u32 autocomplete="off" inputmode="email" required=true/>
                <Field
                    name="current"
                    label="当前密码"
                    kind="password"
                    most=128
                    autocomplete="current-password"
                    required=true
                />
                <p class="hint">"我们会向新的手机号或邮箱发一个验证码；原来的会收到通知。"</p>
                <button class="button primary" name=STEP value=SEND>"发送验证码"</button>
            }
            .into_any()
        };
        view! {
            <Shell member title="更改手机号或邮箱".to_owned() assets=&["accounts.css"]>
                <section class="account-form">
                    <h1>"更改手机号或邮箱"</h1>
                    {done}
                    <ErrorSummary title="还没有更改"/>
                    <form class="fields trim" method="post" action=PATH>
                        <dl class="facts">
                            <dt>"手机号"</dt><dd class="num">{phone}</dd>
                            <dt>"邮箱"</dt><dd>{email}</dd>
                        </dl>
                        {step}
                    </form>
                    <p><a class="link" href="/manager/userInfo">"返回资料"</a></p>
                </section>
            </Shell>
        }
    })
}
