//! /manager/userInfo/second_factor/passkeys: a member adds passkeys and removes them, each time with its password. Every
//! contact is told.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use domain::ids::PasskeyId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::app::App;
use web::render::{Form, here, loaded, unkept, use_form, use_query};
use web::session::{Member, keep, take};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, Moment};
use web::ui::shell::Shell;

use super::relying_party::{Key, NotOffered, Refused, RelyingParty};
use super::sign_in::CREDENTIAL;
use super::{BEGUN, MOST, handle, store};
use crate::change_password::knows_password;
use crate::sign_in_form::{self, STEP};
use crate::store::passkeys::Passkey;
use crate::{logins, notices, second_factor, store as accounts_store};

pub const PATH: &str = "/manager/userInfo/second_factor/passkeys";
/// Characters that a name may have.
const MOST_NAME: usize = 30;
/// How long a passkey waits to be made, in ms; what the browser answers later is refused.
const WAITS_MS: i64 = 5 * 60_000;
/// The button that removes the passkey of its value.
const REMOVE: &str = "remove";
const FULL: &str = "通行密钥最多 10 个，请先移除不用的";
const OVER: &str = "等待创建通行密钥的时间已过，请重新开始";

/// A passkey that is being made, as the session keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Making {
    state: String,
    options: String,
    name: String,
    /// Epoch ms.
    until: i64,
}

/// POST /manager/userInfo/second_factor/passkeys; the button that was pressed says what for.
pub async fn answer(
    State(app): State<App>,
    session: Session,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    if !form.get(REMOVE).is_empty() {
        return remove(&app, parts, form, &member).await;
    }
    match form.get(STEP) {
        "made" => made(&app, &session, parts, form, &member).await,
        "cancel" => {
            take::<Making>(&session, BEGUN).await?;
            Ok(Redirect::to(PATH).into_response())
        }
        _ => begin(&app, &session, parts, form, &member).await,
    }
}

async fn begin(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    member: &Member,
) -> Result<Response, Error> {
    let known = store::of_member(&app.db, &member.id).await?;
    let party = RelyingParty::of(&app.config);
    if let Err(reason) = &party {
        form.refuse("", reason.to_string().trim_end_matches('。'));
    }
    if known.len() as i64 >= MOST {
        form.refuse("", FULL);
    }
    let name = form.get("name").to_owned();
    if name.chars().count() > MOST_NAME {
        form.refuse("name", format!("名字最多 {MOST_NAME} 个字"));
    }
    if let Err(refusal) = knows_password(app, &parts, PATH, &mut form, member).await? {
        return Ok(refusal);
    }
    let Ok(party) = party else { return Err(Error::NotFound) };
    let keys = known.iter().map(|passkey| &passkey.key);
    let begun = party.begin_making(handle(app, &member.id), &member.account, &member.name, keys)?;
    let name = if name.is_empty() { logins::device(&parts.headers) } else { name };
    let until = now_ms() + WAITS_MS;
    keep(session, BEGUN, &Making { state: begun.state, options: begun.options, name, until }).await?;
    Ok(Redirect::to(PATH).into_response())
}

async fn made(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    member: &Member,
) -> Result<Response, Error> {
    let json = form.get(CREDENTIAL).to_owned();
    form.forget(CREDENTIAL);
    let (making, party) = (take::<Making>(session, BEGUN).await?, RelyingParty::of(&app.config));
    let (Some(making), Ok(party)) = (making, party) else {
        form.refuse("", OVER);
        return sign_in_form::show(app, parts, PATH, form).await;
    };
    let new = match party.made(&making.state, handle(app, &member.id), &json) {
        Ok(made) => passkey(made, making.name, member),
        Err(reason) => {
            let wrong = "这台设备创建的通行密钥没有通过验证，请重新开始";
            form.refuse("", if reason == Refused::Late { OVER } else { wrong });
            return sign_in_form::show(app, parts, PATH, form).await;
        }
    };
    let mut tx = app.db.begin().await?;
    // one after the other, so that the count holds
    crate::hold_member(&mut tx, &member.id).await?;
    if !store::insert(&mut tx, &new, MOST).await? {
        drop(tx);
        form.refuse("", FULL);
        return sign_in_form::show(app, parts, PATH, form).await;
    }
    let text = format!(
        "【书坊】您的账号添加了通行密钥“{}”，以后用它就能登录。若不是您本人操作，请立即移除它、修改密码并联系我们。",
        new.name
    );
    tell(app, &mut tx, member, "书坊通行密钥已添加", &text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&format!("{PATH}?done=added")).into_response())
}

fn passkey(key: Key, name: String, member: &Member) -> Passkey {
    Passkey {
        id: new_id::<PasskeyId>().to_string(),
        member_id: member.id.to_string(),
        name,
        key,
        created_at: now_ms(),
        used_at: None,
    }
}

async fn remove(app: &App, parts: Parts, mut form: Form, member: &Member) -> Result<Response, Error> {
    let id: PasskeyId = form.get(REMOVE).to_owned().try_into().map_err(|_| Error::NotFound)?;
    if let Err(refusal) = knows_password(app, &parts, PATH, &mut form, member).await? {
        return Ok(refusal);
    }
    let mut tx = app.db.begin().await?;
    // removed before, by this button pressed twice
    if let Some(name) = store::remove(&mut tx, &member.id, &id).await? {
        let text = format!(
            "【书坊】您账号的通行密钥“{name}”刚刚被移除。若不是您本人操作，请立即修改密码并联系我们。"
        );
        tell(app, &mut tx, member, "书坊通行密钥已移除", &text).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(Redirect::to(&format!("{PATH}?done=removed")).into_response())
}

async fn tell(app: &App, tx: &mut Tx, member: &Member, subject: &str, text: &str) -> Result<(), Error> {
    let holder = accounts_store::contacts::holder_within(tx, &member.id).await?;
    notices::tell_everywhere(app, tx, &holder, subject, text).await
}

/// What the page shows.
struct Shown {
    member: Member,
    passkeys: Vec<Passkey>,
    making: Option<Making>,
    not_offered: Option<NotOffered>,
    asks_for_code: bool,
}

/// GET /manager/userInfo/second_factor/passkeys
#[component]
pub fn PasskeysPage() -> impl IntoView {
    unkept();
    let here = here();
    let session = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Session>().cloned());
    loaded(
        async move {
            let here = here?;
            let making: Option<serde_json::Value> = match session {
                Some(session) => session.get(BEGUN).await.map_err(Error::internal)?,
                None => None,
            };
            let making = making.and_then(|making| serde_json::from_value(making).ok());
            Ok(Shown {
                passkeys: store::of_member(&here.app.db, &here.member.id).await?,
                making: making.filter(|making: &Making| now_ms() < making.until),
                not_offered: RelyingParty::of(&here.app.config).err(),
                asks_for_code: second_factor::is_on(&here.app, &here.member.id).await?,
                member: here.member,
            })
        },
        |Shown { member, passkeys, making, not_offered, asks_for_code }| {
            let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
                Some("added") if making.is_none() => Some("通行密钥已添加，下次可以用它登录。"),
                Some("removed") if making.is_none() => Some("通行密钥已移除。"),
                _ => None,
            };
            let done = done.map(|text| view! { <p class="notice good" role="status">{text}</p> });
            let body = match making {
                Some(making) => view! { <Waiting making/> }.into_any(),
                None => view! { <List passkeys not_offered asks_for_code/> }.into_any(),
            };
            view! {
                <Shell
                    member
                    title="通行密钥".to_owned()
                    assets=&["accounts.css", "profile.css", "passkeys.js"]
                >
                    <section class="account-form">
                        <h1>"通行密钥"</h1>
                        {done}
                        <ErrorSummary title="还差一点"/>
                        {body}
                        <p><a class="link" href="/manager/userInfo/second_factor">"返回两步验证"</a></p>
                    </section>
                </Shell>
            }
        },
    )
}

/// The passkeys, and one form for adding and removing them.
#[component]
fn List(passkeys: Vec<Passkey>, not_offered: Option<NotOffered>, asks_for_code: bool) -> impl IntoView {
    let about = if asks_for_code {
        "用通行密钥登录，不再要密码和动态验证码；用密码登录时，它也能代替动态验证码。"
    } else {
        "用通行密钥登录，不再要密码。只想让密码登录更安全，请开启两步验证。"
    };
    let offered = not_offered.is_none();
    // a form with nothing to do for a browser that can't is none
    let waits = passkeys.is_empty().then_some("yes");
    let is_useful = offered || !passkeys.is_empty();
    let adding = offered.then(|| view! { <Adding/> });
    let cannot = offered.then(|| {
        view! {
            <p class="notice" data-passkey-not>
                "通行密钥需要 JavaScript 和支持它的浏览器，现在不能添加。用验证器应用的两步验证不受影响。"
            </p>
        }
    });
    let list = (!passkeys.is_empty()).then(|| {
        let rows: Vec<_> = passkeys.into_iter().map(|passkey| view! { <Row passkey/> }).collect();
        view! {
            <h2>"已有的通行密钥"</h2>
            <ul class="devices">{rows}</ul>
            <p class="hint">"移除也要先在上面输入当前密码。移除之后，设备里留着的那一份不再有用，可以自行删掉。"</p>
        }
    });
    view! {
        <p>
            "通行密钥存在您的手机、电脑或安全密钥里，用指纹、面容或锁屏密码确认。它只认书坊的网址，骗不走，也不用记。"
            {about}
        </p>
        {not_offered.map(|reason| view! { <p class="notice">{reason.to_string()}</p> })}
        {cannot}
        {is_useful.then(|| view! {
            <form class="fields trim passkeys" method="post" action=PATH data-passkey=waits.map(|_| "show") hidden=waits.is_some()>
                <Field
                    name="current"
                    label="当前密码"
                    kind="password"
                    most=128
                    autocomplete="current-password"
                    required=true
                />
                {adding}
                {list}
            </form>
        })}
    }
}

#[component]
fn Adding() -> impl IntoView {
    view! {
        <div class="fields" data-passkey="show" hidden>
            <Field name="name" label="给它起个名字，例如“我的手机”" most=MOST_NAME as u32 autocomplete="off"/>
            <p class="hint">"不写就用这台设备的名字。"</p>
            <button class="button primary" name=STEP value="begin">"添加通行密钥"</button>
        </div>
    }
}

#[component]
fn Row(passkey: Passkey) -> impl IntoView {
    let Passkey { id, name, created_at, used_at, .. } = passkey;
    let used = match used_at {
        Some(at) => view! { "上次使用 "<Moment at/> }.into_any(),
        None => "还没有用过".into_any(),
    };
    view! {
        <li>
            <div>
                <strong>{name.clone()}</strong>
                <p class="hint">"添加于 "<Moment at=created_at/>" · "{used}</p>
            </div>
            <button class="link danger" name=REMOVE value=id>
                "移除"<span class="sr">{format!("：{name}")}</span>
            </button>
        </li>
    }
}

/// The second step: the browser makes it.
#[component]
fn Waiting(making: Making) -> impl IntoView {
    view! {
        <form class="fields trim" method="post" action=PATH data-passkey="create" data-options=making.options>
            <p>
                "还差一步：让设备为书坊创建通行密钥“"<strong>{making.name}</strong>
                "”。它会请您按一下指纹、看一眼镜头，或输入锁屏密码。"
            </p>
            <p class="notice" data-passkey-not>"通行密钥需要 JavaScript 和支持它的浏览器，这里不能创建。"</p>
            <input type="hidden" name=CREDENTIAL/>
            <input type="hidden" name=STEP value="made"/>
            <p class="hint" role="status" hidden></p>
            <button class="button primary" data-passkey="show" hidden>"创建通行密钥"</button>
        </form>
        <form method="post" action=PATH>
            <button class="link" name=STEP value="cancel">"不添加了"</button>
        </form>
    }
}
