//! /staff/notices: which events somebody hears of by mail, and where.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::delivery::{self, Message};
use base::error::Error;
use base::signing::keyed;
use domain::contact::Contact;
use domain::notices::{Kind, write_kinds};
use domain::typed::typed;
use hmac::Mac;
use leptos::prelude::*;
use rand::RngExt;
use serde_json::json;
use web::app::App;
use web::render::{self, Form, loaded, use_form};
use web::staff::{Staff, here};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::staff::{StaffShell, said};

use super::store::{self, Wish};
use super::{MINE, SUMMARY, settings};

/// How long a code counts, in ms.
const CODE_MS: i64 = 30 * 60_000;
/// How long to wait for another one, in ms.
const CODE_APART_MS: i64 = 60_000;
/// How often a code may be typed.
const MOST_TRIES: i64 = 5;

/// The kinds that somebody may hear of.
fn open_to(staff: &Staff) -> impl Iterator<Item = Kind> + '_ {
    Kind::ALL.into_iter().filter(|kind| staff.may(kind.needs()))
}

/// Kinds that a form has chosen.
pub fn chosen(form: &Form) -> Vec<Kind> {
    let chosen: Vec<&str> = form.all("kind").collect();
    Kind::ALL.into_iter().filter(|kind| chosen.contains(&kind.code())).collect()
}

/// A code as it lies in the database.
fn keyed_code(app: &App, clerk: &str, address: &str, code: &str) -> String {
    let mac = keyed(app.key.as_bytes(), "notice code");
    hex::encode(mac.chain_update(format!("{clerk} {address} {code}")).finalize().into_bytes())
}

/// POST /staff/notices: `address`, `kind` for each event, `summary`. Another address is sent a code first.
pub async fn choose(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let address = match (typed(form.get("address")).as_str(), Contact::read(form.get("address"))) {
        ("", _) => None,
        (_, Some(contact @ Contact::Email(_))) => Some(contact),
        _ => {
            form.refuse("address", "请输入正确的邮箱地址");
            None
        }
    };
    // what a role hides stays as it was chosen, and counts no more than before
    let kinds: Vec<Kind> = chosen(&form).into_iter().filter(|kind| staff.may(kind.needs())).collect();
    let summary = i64::from(!form.get("summary").is_empty());
    if address.is_none() && (summary == 1 || !kinds.is_empty()) && !form.is_refused() {
        form.refuse("address", "要收通知，请输入邮箱地址");
    }
    if form.is_refused() {
        return render::again(&app, parts, MINE, form).await;
    }
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let mut wish = store::lock(&mut tx, staff.id.as_str()).await?;
    let before = wish.clone();
    (wish.kinds, wish.summary) = (write_kinds(&kinds), summary);
    match &address {
        None => {
            (wish.address, wish.asked, wish.code) = (String::new(), String::new(), String::new());
        }
        Some(address) if address.as_str() == wish.address => {
            (wish.asked, wish.code) = (String::new(), String::new());
        }
        // the code that was just sent is on its way
        Some(address) if address.as_str() == wish.asked && now - wish.code_sent_at < CODE_APART_MS => {}
        Some(_) if now - wish.code_sent_at < CODE_APART_MS => {
            drop(tx);
            form.refuse("address", "刚刚发过一个验证码，请一分钟后再换地址");
            return render::again(&app, parts, MINE, form).await;
        }
        Some(address) => ask(&app, &mut tx, &mut wish, address, now).await?,
    }
    store::update(&mut tx, &wish).await?;
    let is_same = (&wish.kinds, wish.summary, &wish.address, &wish.code)
        == (&before.kinds, before.summary, &before.address, &before.code);
    if is_same {
        audit::unchanged();
    } else {
        let detail = json!({ "kinds": wish.kinds, "summary": wish.summary == 1, "address": wish.address, "asked": wish.asked });
        audit::note(&mut tx, "notices set", staff.id.as_str(), &detail).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&said(MINE, true)).into_response())
}

/// Sends a code to an address that is to be confirmed.
async fn ask(
    app: &App,
    tx: &mut base::db::Tx,
    wish: &mut Wish,
    address: &Contact,
    now: i64,
) -> Result<(), Error> {
    let code = format!("{:06}", rand::rng().random_range(0..1_000_000));
    wish.asked = address.as_str().to_owned();
    wish.code = keyed_code(app, &wish.clerk, &wish.asked, &code);
    (wish.code_sent_at, wish.code_tries) = (now, 0);
    let text = format!("【书坊】后台通知的验证码是 {code}，30 分钟内有效。不是您要的，请不要理会。");
    let message = Message {
        to: address,
        subject: "书坊后台：确认收通知的邮箱",
        text,
        expires_at: now + CODE_MS,
        on_behalf_of: None,
    };
    delivery::queue(app, tx, message).await
}

/// POST /staff/notices/confirm: `mail_code`, the code that was sent to the new address.
pub async fn confirm(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let code = typed(form.get("mail_code"));
    if code.is_empty() {
        form.refuse("mail_code", "请输入邮件里的验证码");
        return render::again(&app, parts, MINE, form).await;
    }
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let mut wish = store::lock(&mut tx, staff.id.as_str()).await?;
    let is_open = !wish.code.is_empty() && now - wish.code_sent_at < CODE_MS && wish.code_tries < MOST_TRIES;
    if !is_open {
        drop(tx);
        form.refuse("mail_code", "验证码过期了，或者输错了太多次。请再保存一次，换一个新的");
        return render::again(&app, parts, MINE, form).await;
    }
    if wish.code != keyed_code(&app, &wish.clerk, &wish.asked, &code) {
        wish.code_tries += 1;
        store::update(&mut tx, &wish).await?;
        tx.commit().await?;
        form.refuse("mail_code", "验证码不正确");
        return render::again(&app, parts, MINE, form).await;
    }
    wish.address = std::mem::take(&mut wish.asked);
    wish.code = String::new();
    store::update(&mut tx, &wish).await?;
    audit::note(&mut tx, "notices confirm", staff.id.as_str(), &json!({ "address": wish.address })).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(MINE, true)).into_response())
}

/// GET /staff/notices.
#[component]
pub fn MinePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let wish = store::of_clerk(&here.app.db, here.staff.id.as_str()).await?.unwrap_or_default();
            let hour = settings::summary_hour()?;
            Ok::<_, Error>((here.staff, wish, hour, here.app.config.delivery.mails()))
        },
        |(staff, wish, hour, mails)| {
            let address = if wish.asked.is_empty() { wish.address.clone() } else { wish.asked.clone() };
            let unsent = (!mails).then(|| {
                view! { <p class="notice">"这里还没有配置邮件：通知会留在“运行”页的“没有送出的消息”里。"</p> }
            });
            let waits = (!wish.asked.is_empty()).then(|| view! { <Confirm asked=wish.asked.clone()/> });
            let confirmed = (!wish.address.is_empty()).then(|| {
                view! { <p class="hint">"现在发到 "<span class="num long">{wish.address.clone()}</span></p> }
            });
            let form = use_form();
            let sent_here = form.is_sent() && form.error("mail_code").is_none();
            let kinds = if sent_here { chosen(&form) } else { wish.kinds() };
            let summary = if sent_here { !form.get("summary").is_empty() } else { wish.summary == 1 };
            view! {
                <StaffShell title="通知".to_owned() assets=&["staff.css", "notices.css"]>
                    <header class="head">
                        <div><h1>"通知"</h1><p class="quiet">"发生了什么，用邮件告诉您"</p></div>
                        <a class="button" href=SUMMARY>"今日汇总"</a>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    {unsent}
                    {waits}
                    <form class="sheet fields narrow" method="post" action=MINE>
                        <Field name="address" label="收通知的邮箱" kind="email" value=address most=254 inputmode="email" autocomplete="email"/>
                        {confirmed}
                        <Kinds open=open_to(&staff).collect() kinds/>
                        <label class="check">
                            <input type="checkbox" name="summary" value="1" checked=summary/>
                            {format!("每天 {hour}:00 的汇总")}
                        </label>
                        <p class="hint">"接连发生的事合在一封邮件里，两封之间至少隔 5 分钟。"</p>
                        <button class="button primary">"保存"</button>
                    </form>
                </StaffShell>
            }
        },
    )
}

/// A choice of events.
#[component]
pub fn Kinds(open: Vec<Kind>, kinds: Vec<Kind>) -> impl IntoView {
    let rows: Vec<_> = open
        .into_iter()
        .map(|kind| {
            let checked = kinds.contains(&kind);
            view! {
                <label class="check">
                    <input type="checkbox" name="kind" value=kind.code() checked=checked/>
                    {kind.name()}
                </label>
            }
        })
        .collect();
    view! { <fieldset class="kinds" id="kind"><legend>"哪些事"</legend>{rows}</fieldset> }
}

/// The field for the code that was sent to a new address.
#[component]
fn Confirm(asked: String) -> impl IntoView {
    view! {
        <form class="sheet fields narrow warned" method="post" action=format!("{MINE}/confirm")>
            <h2>"确认邮箱"</h2>
            <p>"验证码发到了 "<span class="num long">{asked}</span>"，30 分钟内有效。"</p>
            <Field name="mail_code" label="邮件里的验证码" inputmode="numeric" autocomplete="one-time-code" most=8 class="short"/>
            <button class="button primary">"确认"</button>
        </form>
    }
}
