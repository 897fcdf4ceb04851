//! /manager/userInfo/closing 注销账户: a member takes itself out (个人信息保护法 第四十七条, 电子商务法 第二十四条: whoever asks is
//! closed at once, without conditions that nothing demands; records that a law wants kept are kept).
//!
//! - It is one transaction. What stands in its way is asked within it, after the row was taken, so nothing can come between.
//! - Each slice says what is unfinished, ends what is its own in that transaction and forgets it later ([`web::slice::Closing`]):
//!   a job asks all of them, part by part, so that nobody waits for the writer because somebody with many works leaves.
//! - The row stays, with nothing that says who it was: orders, invoices and ledger entries refer to it.
//! - Sent twice, also by a browser that is signed out by the first time, it has the same answer.

use std::time::{Duration, Instant};

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::config::Contact;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::signing::keyed;
use base::{audit, jobs};
use domain::ids::MemberId;
use domain::return_path;
use hmac::Mac;
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::files::ForgetAvatar;
use web::render::{here, loaded, unkept};
use web::session::{self, Member};
use web::slice::{Closing, Obstacle};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::shell::Shell;

use super::change_password::knows_password;
use super::jobs::ForgetClosed;
use super::store::{self, closing as rows};
use super::{attempts, notices, second_factor, sign_in_form};

/// Where accounts are closed.
pub const PATH: &str = "/manager/userInfo/closing";
/// What the sign-in page is asked with by a browser whose account was just closed.
pub const CLOSED: &str = "closed";
/// What a member types, so that nobody closes an account by a slip.
const WORD: &str = "注销";
/// The field that says whose page the form stood on.
const WHOSE: &str = "whose";
/// So many ms after the closing everything is forgotten once more.
const ONCE_MORE_MS: i64 = 60 * 60_000;
/// How long things are forgotten before other jobs have their turn.
const SLICE: Duration = Duration::from_secs(2);

/// What came of it.
enum Outcome {
    /// Now or before.
    Closed,
    Unfinished,
}

/// POST /manager/userInfo/closing
pub async fn answer(
    State(app): State<App>,
    session: Session,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let code = form.get("code").to_owned();
    form.forget("code");
    let unfinished = "现在还不能注销，请先把下面的事办完";
    if !obstacles(&app, &mut app.db.begin_snapshot().await?, &member.id).await?.is_empty() {
        form.forget("current");
        form.refuse("", unfinished);
        return sign_in_form::show(&app, parts, PATH, form).await;
    }
    if form.get("word") != WORD {
        form.refuse("word", "请输入“注销”两个字");
    }
    let has_second = second_factor::is_on(&app, &member.id).await?;
    if has_second && code.is_empty() {
        form.refuse("code", "请输入动态验证码");
    }
    if let Err(refusal) = knows_password(&app, &parts, PATH, &mut form, &member).await? {
        return Ok(refusal);
    }
    if has_second
        && let Err(refusal) = second_factor::shows_code(&app, &parts, PATH, &mut form, &member, &code).await?
    {
        return Ok(refusal);
    }
    if let Outcome::Unfinished = close(&app, &member.id).await? {
        form.refuse("", unfinished);
        return sign_in_form::show(&app, parts, PATH, form).await;
    }
    session::sign_out(&session).await?;
    Ok((session::forgets(&app), closed()).into_response())
}

fn closed() -> Response {
    Redirect::to(&format!("{}?{CLOSED}=1", return_path::LOGIN)).into_response()
}

/// Closes an account, whole or not at all.
async fn close(app: &App, member: &MemberId) -> Result<Outcome, Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let holder = store::contacts::holder_within(&mut tx, member).await?;
    if !rows::close(&mut tx, member, now).await? {
        return Ok(Outcome::Closed);
    }
    if !obstacles(app, &mut tx, member).await?.is_empty() {
        return Ok(Outcome::Unfinished);
    }
    end(app, &mut tx, member, now).await?;
    for contact in holder.contacts() {
        rows::forget_codes(&mut tx, &contact).await?;
        // whoever registers it anew begins anew
        attempts::forgive(&mut tx, contact.as_str(), Some(&holder.account)).await?;
    }
    jobs::enqueue(&mut tx, &ForgetClosed { member: member.clone(), is_first: true }).await?;
    audit::note(&mut tx, "member closed", member.as_str(), &serde_json::json!({ "by": "member" })).await?;
    let text = "【书坊】您的账户已按您的要求注销，照片、作品和个人资料正在删除；依法须保存的订单、发票和账目除外。若不是您本人操作，请立即联系我们。";
    notices::tell_everywhere(app, &mut tx, &holder, "书坊账户已注销", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Outcome::Closed)
}

/// What stands in the way, as each slice says.
async fn obstacles(app: &App, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
    let mut all = Vec::new();
    for closing in app.house.slices.iter().filter_map(|slice| slice.closing) {
        all.extend(closing.obstacles(tx, member).await?);
    }
    Ok(all)
}

/// What each slice does of it, those first whose rows refer to others'.
fn closings(app: &App) -> impl Iterator<Item = &'static dyn Closing> + use<> {
    app.house.slices.iter().rev().filter_map(|slice| slice.closing)
}

/// Ends whatever opens something to the member, or to others by it.
async fn end(app: &App, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
    for closing in closings(app) {
        closing.end(tx, member, now).await?;
    }
    rows::end(tx, member).await?;
    if let Some(sha256) = store::profile::set_avatar(tx, member, None).await? {
        jobs::enqueue(tx, &ForgetAvatar { sha256 }).await?;
    }
    Ok(())
}

/// The job: forgets what no law keeps, for a while; the rest is another job's. When nothing is left it comes once more, for what a
/// request wrote that was under way while the account was closed. It may be broken off anywhere, and two of them may run at once.
pub async fn forget(app: &App, member: &MemberId, is_first: bool) -> Result<(), Error> {
    let Some(closed_at) = closed_at(app, member).await? else { return Ok(()) };
    if !is_first {
        let mut tx = app.db.begin().await?;
        end(app, &mut tx, member, now_ms()).await?;
        tx.commit().await?;
    }
    let is_all = forget_some(app, member).await?;
    let next = match (is_all, is_first) {
        (false, _) => Some((is_first, now_ms())),
        (true, true) => Some((false, closed_at + ONCE_MORE_MS)),
        (true, false) => None,
    };
    if let Some((is_first, at)) = next {
        let mut tx = app.db.begin().await?;
        // of no member: it waits alone, and would stand behind the jobs that delete the member's photos tomorrow
        jobs::enqueue_at(&mut tx, &ForgetClosed { member: member.clone(), is_first }, at).await?;
        tx.commit().await?;
    }
    app.bell.ring();
    Ok(())
}

/// Forgets part after part, and pauses between them for as long as each took: others have their turn to write. Whether that was all
/// there is.
async fn forget_some(app: &App, member: &MemberId) -> Result<bool, Error> {
    let began = Instant::now();
    for closing in closings(app) {
        loop {
            let mut tx = app.db.begin().await?;
            let part = Instant::now();
            let is_more = closing.forget_some(app, &mut tx, member, now_ms()).await?;
            tx.commit().await?;
            if !is_more {
                break;
            }
            if began.elapsed() >= SLICE {
                return Ok(false);
            }
            tokio::time::sleep(part.elapsed()).await;
        }
    }
    let mut tx = app.db.begin().await?;
    let is_more = rows::forget_some(&mut tx, member).await?;
    tx.commit().await?;
    Ok(!is_more)
}

/// When a member closed its account, epoch ms; `None` while it is open.
pub async fn closed_at(app: &App, member: &MemberId) -> Result<Option<i64>, Error> {
    rows::closed_at(&app.db, member).await
}

/// Whose page it is, in a form that nobody else can write.
fn whose(app: &App, member: &MemberId) -> String {
    format!("{member}.{}", hex::encode(signature(app, member).finalize().into_bytes()))
}

fn signature(app: &App, member: &MemberId) -> impl Mac {
    keyed(app.key.as_bytes(), "closing").chain_update(member.as_str())
}

/// The answer to a form that came signed out because the same one was sent before, as a second click does; `None` for any
/// other.
pub async fn answered_before(app: &App, parts: &Parts, typed: &str) -> Result<Option<Response>, Error> {
    if parts.uri.path() != PATH {
        return Ok(None);
    }
    let form = read_form(typed.as_bytes())?;
    let Some((member, signed)) = form.get(WHOSE).split_once('.') else { return Ok(None) };
    let (Ok(member), Ok(signed)) = (member.parse::<MemberId>(), hex::decode(signed)) else { return Ok(None) };
    if signature(app, &member).verify_slice(&signed).is_err() {
        return Ok(None);
    }
    Ok(closed_at(app, &member).await?.map(|_| closed()))
}

/// GET /manager/userInfo/closing
#[component]
pub fn ClosingPage() -> impl IntoView {
    unkept();
    let here = here();
    loaded(
        async move {
            let here = here?;
            let (app, member) = (here.app, here.member);
            let unfinished = obstacles(&app, &mut app.db.begin_snapshot().await?, &member.id).await?;
            let has_second = second_factor::is_on(&app, &member.id).await?;
            let whose = whose(&app, &member.id);
            Ok((member, unfinished, has_second, whose, app.config.contact.clone()))
        },
        |(member, unfinished, has_second, whose, contact)| {
            let body = if unfinished.is_empty() {
                view! { <Ending account=member.account.clone() has_second whose/> }.into_any()
            } else {
                view! { <Unfinished unfinished contact/> }.into_any()
            };
            view! {
                <Shell member title="注销账户".to_owned() assets=&["accounts.css", "profile.css"]>
                    <section class="account-form closing">
                        <h1>"注销账户"</h1>
                        <ErrorSummary title="还没有注销"/>
                        <Consequences/>
                        {body}
                        <p><a class="link" href="/manager/userInfo">"返回资料"</a></p>
                    </section>
                </Shell>
            }
        },
    )
}

/// What goes and what stays.
#[component]
fn Consequences() -> impl IntoView {
    view! {
        <h2>"会删除的"</h2>
        <p>
            "照片、作品和它们的全部版本、PDF、购物车、收货地址、发票抬头、头像、微信和公司账号的绑定、两步验证、登录记录，以及名字、手机号和邮箱；会员等级也随之结束。"
            "所有设备和程序立即退出。文件在一天左右删完，画好的页面图最迟三十天。删除之后找不回来，想留的请先导出。"
        </p>
        <h2>"依法要保存的"</h2>
        <p>
            "已结束的订单，连同印刷和售后要用的版面、照片和收货信息，从交易完成起至少保存三年（《电子商务法》第三十一条）；"
            "发票、付款和账目作为会计资料保存更久。它们不再与您的名字、手机号或邮箱相连，只有经营者为了售后和依法核查能看到。"
        </p>
        <p>"注销以后，同一个手机号或邮箱可以重新注册，那是一个新的账户，看不到原来的订单。"</p>
    }
}

#[component]
fn Unfinished(unfinished: Vec<Obstacle>, contact: Contact) -> impl IntoView {
    let items: Vec<_> = unfinished
        .into_iter()
        .map(|Obstacle { reason, way: (words, href) }| {
            view! { <li><p>{reason}" "<a class="link" href=href>{words}</a></p></li> }
        })
        .collect();
    let ways: Vec<String> = [
        contact.email.map(|email| format!("邮箱 {email}")),
        contact.phone.map(|phone| format!("电话 {phone}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let ways =
        (!ways.is_empty()).then(|| view! { <p class="hint">{format!("联系我们：{}", ways.join("，"))}</p> });
    view! {
        <section class="trim" id="unfinished">
            <h2>"注销之前，还有这些事"</h2>
            <ul>{items}</ul>
            {ways}
        </section>
    }
}

#[component]
fn Ending(account: String, has_second: bool, whose: String) -> impl IntoView {
    let second = has_second.then(|| {
        view! {
            <Field
                name="code"
                label="动态验证码，或一个恢复码"
                most=40
                autocomplete="one-time-code"
                required=true
            />
        }
    });
    view! {
        <form class="fields trim" method="post" action=PATH>
            // password managers need to know whose password it is
            <input class="sr" type="text" name="username" value=account autocomplete="username" tabindex="-1" aria-hidden="true" readonly/>
            <input type="hidden" name=WHOSE value=whose/>
            <Field
                name="current"
                label="当前密码"
                kind="password"
                most=128
                autocomplete="current-password"
                required=true
            />
            {second}
            <Field name="word" label="请输入“注销”两个字" most=10 autocomplete="off" required=true/>
            <button class="button danger">"永久注销账户"</button>
        </form>
    }
}
