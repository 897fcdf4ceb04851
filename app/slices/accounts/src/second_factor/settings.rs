//! /manager/userInfo/second_factor: a member switches it on, makes new recovery codes, switches it off.
//!
//! On: the password, then a code of the device that has read the secret. Off, or other recovery codes: the password and a
//! code. Every contact of the member is told.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::Error;
use leptos::prelude::*;
use web::app::App;
use web::render::{Form, here, loaded, unkept, use_form, use_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, Moment};
use web::ui::shell::Shell;

use super::{RECOVERY_CODES, check, new_recovery_codes, new_secret, open, recovery_digest, seal, step_of};
use super::{enrolment, is_on, store};
use crate::change_password::knows_password;
use crate::sign_in_form::{self, STEP};
use crate::{notices, passkeys, store as accounts_store};

const PATH: &str = "/manager/userInfo/second_factor";
/// How long a secret waits to be confirmed, in ms.
const WAITS_MS: i64 = 30 * 60_000;
/// The recovery codes that this answer shows, in the form that it is rendered from; nobody's form brings them.
const SHOWN: &str = "recovery_codes";

/// POST /manager/userInfo/second_factor; the field `step` says which of its buttons was pressed.
pub async fn answer(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    form.forget(SHOWN);
    match form.get(STEP) {
        "confirm" => confirm(&app, parts, form, &member).await,
        "off" | "codes" => change(&app, parts, form, &member).await,
        _ => begin(&app, parts, form, &member).await,
    }
}

async fn begin(app: &App, parts: Parts, mut form: Form, member: &Member) -> Result<Response, Error> {
    if let Err(refusal) = knows_password(app, &parts, PATH, &mut form, member).await? {
        return Ok(refusal);
    }
    let sealed = seal(app.key.as_bytes(), member.id.as_str(), new_secret())?;
    // one that is on stays as it is, and the page says so
    store::begin(&app.db, &member.id, &sealed, now_ms()).await?;
    Ok(Redirect::to(PATH).into_response())
}

async fn confirm(app: &App, parts: Parts, mut form: Form, member: &Member) -> Result<Response, Error> {
    let waiting = store::find(&app.db, &member.id).await?.filter(|kept| kept.on_since.is_none());
    let Some(waiting) = waiting.filter(|kept| now_ms() - kept.began_at < WAITS_MS) else {
        form.refuse("", "这个二维码已过期，请重新开始");
        return sign_in_form::show(app, parts, PATH, form).await;
    };
    let code = sign_in_form::code_in(&mut form);
    form.forget("code");
    if form.is_refused() {
        return sign_in_form::show(app, parts, PATH, form).await;
    }
    let Some(step) = step_of(app, member.id.as_str(), &waiting.sealed, &code)? else {
        form.refuse("code", "验证码不正确。请核对验证器里书坊那一项，手机的时间也要准");
        return sign_in_form::show(app, parts, PATH, form).await;
    };
    let mut tx = app.db.begin().await?;
    if !store::confirm(&mut tx, &member.id, &waiting.sealed, step, now_ms()).await? {
        drop(tx);
        form.refuse("", "这个二维码已过期，请重新开始");
        return sign_in_form::show(app, parts, PATH, form).await;
    }
    let codes = give_codes(app, &mut tx, member).await?;
    let text = "【书坊】您的账号已开启两步验证，以后用密码登录还要输入动态验证码。若不是您本人操作，请立即联系我们。";
    tell(app, &mut tx, member, "书坊两步验证已开启", text).await?;
    tx.commit().await?;
    app.bell.ring();
    show_codes(app, parts, &codes).await
}

/// Off, or new recovery codes.
async fn change(app: &App, parts: Parts, mut form: Form, member: &Member) -> Result<Response, Error> {
    if !is_on(app, &member.id).await? {
        return Ok(Redirect::to(PATH).into_response());
    }
    let code = form.get("code").to_owned();
    form.forget("code");
    if code.is_empty() {
        form.refuse("code", "请输入动态验证码");
    }
    if let Err(refusal) = knows_password(app, &parts, PATH, &mut form, member).await? {
        return Ok(refusal);
    }
    if let Err(refusal) = shows_code(app, &parts, PATH, &mut form, member, &code).await? {
        return Ok(refusal);
    }
    let mut tx = app.db.begin().await?;
    if form.get(STEP) == "codes" {
        let codes = give_codes(app, &mut tx, member).await?;
        tx.commit().await?;
        return show_codes(app, parts, &codes).await;
    }
    store::remove(&mut tx, &member.id).await?;
    let text = "【书坊】您账号的两步验证刚刚关闭，以后用密码登录不再要动态验证码。若不是您本人操作，请立即修改密码并联系我们。";
    tell(app, &mut tx, member, "书坊两步验证已关闭", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&format!("{PATH}?off=1")).into_response())
}

/// Whether a code is the member's; otherwise the form's page again, with the reason beside the field `code`.
pub async fn shows_code(
    app: &App,
    parts: &Parts,
    place: &str,
    form: &mut Form,
    member: &Member,
    code: &str,
) -> Result<Result<(), Response>, Error> {
    match check(app, parts, &member.id, code).await {
        Ok(true) => return Ok(Ok(())),
        Ok(false) => form.refuse("code", "验证码不正确，或已经用过，请输入新的"),
        Err(error @ Error::TooMany(wait)) => {
            form.refuse("", error.message());
            return sign_in_form::show_later(app, parts.clone(), place, form.clone(), wait.seconds)
                .await
                .map(Err);
        }
        Err(error) => return Err(error),
    }
    sign_in_form::show(app, parts.clone(), place, form.clone()).await.map(Err)
}

async fn give_codes(app: &App, tx: &mut Tx, member: &Member) -> Result<Vec<String>, Error> {
    let codes = new_recovery_codes();
    let digests: Vec<String> = codes.iter().map(|code| recovery_digest(app, &member.id, code)).collect();
    store::set_recovery_codes(tx, &member.id, &digests).await?;
    Ok(codes)
}

async fn tell(app: &App, tx: &mut Tx, member: &Member, subject: &str, text: &str) -> Result<(), Error> {
    let holder = accounts_store::contacts::holder_within(tx, &member.id).await?;
    notices::tell_everywhere(app, tx, &holder, subject, text).await
}

/// The one answer that has the codes: no address leads to them.
async fn show_codes(app: &App, parts: Parts, codes: &[String]) -> Result<Response, Error> {
    let mut form = Form::default();
    form.set(SHOWN, &codes.join(" "));
    sign_in_form::show(app, parts, PATH, form).await
}

/// What the page shows.
enum Standing {
    Off,
    /// The address for the QR code, and the secret in words.
    Waiting(String, String),
    /// Since when, and recovery codes left.
    On(i64, i64),
}

async fn standing(app: &App, member: &Member) -> Result<Standing, Error> {
    let Some(kept) = store::find(&app.db, &member.id).await? else { return Ok(Standing::Off) };
    match kept.on_since {
        Some(since) => Ok(Standing::On(since, store::recovery_codes_left(&app.db, &member.id).await?)),
        None if now_ms() - kept.began_at >= WAITS_MS => Ok(Standing::Off),
        None => {
            let secret = open(app.key.as_bytes(), member.id.as_str(), &kept.sealed)?;
            let (address, secret) = enrolment(&member.account, secret);
            Ok(Standing::Waiting(address, secret))
        }
    }
}

/// GET /manager/userInfo/second_factor
#[component]
pub fn SecondFactorPage() -> impl IntoView {
    unkept();
    let here = here();
    loaded(
        async move {
            let here = here?;
            let standing = standing(&here.app, &here.member).await?;
            let passkeys = passkeys::count(&here.app, &here.member.id).await?;
            Ok((here.member, standing, passkeys))
        },
        |(member, standing, passkeys)| {
            let off = use_query("off").filter(|_| !use_form().is_sent());
            let done = off.map(|_| {
                view! { <p class="notice good" role="status">"两步验证已关闭。"</p> }
            });
            let body = match standing {
                Standing::Off => view! { <Off/> }.into_any(),
                Standing::Waiting(address, secret) => view! { <Waiting address secret/> }.into_any(),
                Standing::On(since, left) => view! { <On since left/> }.into_any(),
            };
            view! {
                <Shell member title="两步验证".to_owned() assets=&["accounts.css", "profile.css"]>
                    <section class="account-form">
                        <h1>"两步验证"</h1>
                        {done}
                        <ErrorSummary title="还差一点"/>
                        {body}
                        <Passkeys count=passkeys/>
                        <p><a class="link" href="/manager/userInfo">"返回资料"</a></p>
                    </section>
                </Shell>
            }
        },
    )
}

/// The way to the passkeys.
#[component]
fn Passkeys(count: i64) -> impl IntoView {
    let standing = match count {
        0 => "还没有添加。".to_owned(),
        count => format!("已添加 {count} 个。"),
    };
    view! {
        <section class="trim passkeys">
            <h2>"通行密钥"</h2>
            <p>"用指纹、面容或锁屏密码登录，不用密码和验证码，也骗不走。"{standing}</p>
            <p><a class="button" href=passkeys::PATH>"管理通行密钥"</a></p>
        </section>
    }
}

#[component]
fn CurrentPassword() -> impl IntoView {
    view! {
        <Field
            name="current"
            label="当前密码"
            kind="password"
            most=128
            autocomplete="current-password"
            required=true
        />
    }
}

#[component]
fn Off() -> impl IntoView {
    view! {
        <form class="fields trim" method="post" action=PATH>
            <p>
                "开启后，用密码登录还要输入手机上验证器显示的 6 位数字：别人知道了密码，也进不来。"
                "任何一个支持 TOTP 的验证器应用都可以，手机自带的密码应用往往也行。"
            </p>
            <CurrentPassword/>
            <button class="button primary" name=STEP value="begin">"开启两步验证"</button>
        </form>
    }
}

#[component]
fn Waiting(address: String, secret: String) -> impl IntoView {
    let picture = web::ui::qr::picture(&address, "两步验证二维码").unwrap_or_default();
    let groups: Vec<String> =
        secret.as_bytes().chunks(4).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    view! {
        <form class="fields trim" method="post" action=PATH>
            <p>"用验证器扫一扫这个二维码，再输入它显示的 6 位数字。"</p>
            <div class="qr"><div class="code" inner_html=picture></div></div>
            <p class="hint">
                "扫不了？在验证器里手动输入密钥：" <br/>
                <code class="num">{groups.join(" ")}</code>
            </p>
            <Field
                name="code"
                label="6 位验证码"
                most=12
                inputmode="numeric"
                autocomplete="one-time-code"
                required=true
            />
            <button class="button primary" name=STEP value="confirm">"确认开启"</button>
            <p class="hint">"输入正确之后才会开启；半小时内没有确认，这个二维码就作废。"</p>
        </form>
    }
}

#[component]
fn On(since: i64, left: i64) -> impl IntoView {
    let shown = use_form().get(SHOWN).to_owned();
    if !shown.is_empty() {
        let codes: Vec<_> = shown
            .split(' ')
            .map(|code| view! { <li><code class="num">{code.to_owned()}</code></li> })
            .collect();
        return view! {
            <div class="notice good" role="status"><p>"两步验证已开启。下面是新的恢复码，以前的都已作废。"</p></div>
            <section class="trim">
                <h2>"请保存这些恢复码"</h2>
                <p>
                    "它们只显示这一次。手机丢了，用其中一个就能登录，每个只能用一次。"
                    "请抄在纸上，或放进密码管理器，不要和手机放在一起。"
                </p>
                <ol class="recovery-codes">{codes}</ol>
                <p><a class="button primary" href=PATH>"我已保存好"</a></p>
            </section>
        }
        .into_any();
    }
    view! {
        <form class="fields trim" method="post" action=PATH>
            <p>
                "已开启，自 "<Moment at=since/>" 起。恢复码还剩 "
                <strong class="num">{left}</strong>" 个，共 "{RECOVERY_CODES}" 个。"
            </p>
            <CurrentPassword/>
            <Field
                name="code"
                label="动态验证码，或一个恢复码"
                most=40
                autocomplete="one-time-code"
                required=true
            />
            <button class="button" name=STEP value="codes">"重新生成恢复码"</button>
            <button class="button" name=STEP value="off">"关闭两步验证"</button>
        </form>
        <p class="hint">
            "程序用密码要令牌时，把动态验证码放在字段 code 里；已经给出的令牌照常使用。用已登录的手机扫码登录不再要验证码。"
        </p>
    }
    .into_any()
}
