//! 通行密钥 of clerks: what members' are ([`accounts::webauthn`]), with which somebody signs in here in the place of password
//! and code, as the device has asked who holds it. Codes by time stay: money asks for one, and they are the way without script.

mod store;

use accounts::webauthn::{NotOffered, Refused, RelyingParty, Shown, handle_of};
use axum::extract::{RawForm, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::clerk::may_remove_passkey;
use domain::ids::{PasskeyId, StaffLoginId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::render::{self, Form, loaded, unkept};
use web::session::{keep, take};
use web::staff::{self, LOGIN, Staff, asks_code, here};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, Moment};
use web::ui::staff::{CodeField, StaffShell, said};

use self::store::Passkey;
use super::sign_in;
use super::store as accounts_store;

/// Where one's own stand.
pub const PATH: &str = "/staff/me/passkeys";
/// Where the door's script asks what to ask the browser.
pub const ASKING: &str = "/staff/login/passkey/ask";
/// Where it sends the answer.
pub const ANSWER: &str = "/staff/login/passkey";
/// Passkeys that somebody may have.
const MOST: i64 = 10;
/// Characters that a name may have.
const MOST_NAME: usize = 30;
/// How long one waits to be made, in ms; what the browser answers later is refused.
const WAITS_MS: i64 = 5 * 60_000;
/// Where a session keeps what was begun: not where a member's stands.
const MAKING: &str = "staff passkey";
const ASKED: &str = "staff passkey asked";
/// The field with what the browser answered.
const CREDENTIAL: &str = "credential";
const FULL: &str = "通行密钥最多 10 个，请先移除不用的";
const OVER: &str = "等待通行密钥的时间已过，请再试一次";
const WRONG: &str = "通行密钥没有通过验证，请再试一次，或用密码登录";
const COPIED: &str = "这个通行密钥的使用次数倒退了，可能有人复制过它，已拦下。请用密码登录，并移除它";

/// One that is being made, as the session keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Making {
    /// By whom: the session may be somebody else's by now.
    staff: String,
    state: String,
    options: String,
    name: String,
    /// Epoch ms.
    until: i64,
}

fn handle(app: &App, staff: &str) -> [u8; 32] {
    handle_of(app, "clerk's passkey handle", staff)
}

/// POST /staff/me/passkeys; the button that was pressed says what for.
pub async fn change(
    State(app): State<App>,
    session: Session,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    if !form.get("remove").is_empty() {
        return remove(&app, parts, form, &staff).await;
    }
    match form.get("step") {
        "made" => made(&app, &session, parts, form, &staff).await,
        "cancel" => {
            take::<Making>(&session, MAKING).await?;
            audit::unchanged();
            Ok(Redirect::to(PATH).into_response())
        }
        _ => begin(&app, &session, parts, form, &staff).await,
    }
}

async fn begin(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    staff: &Staff,
) -> Result<Response, Error> {
    let known = store::of(&app.db, staff.id.as_str()).await?;
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
    asks_code(app, &parts, staff, &mut form).await?;
    let Ok(party) = party.map_err(drop).and_then(|party| if form.is_refused() { Err(()) } else { Ok(party) })
    else {
        return render::again(app, parts, PATH, form).await;
    };
    let account = format!("后台 {}", staff.name);
    let keys = known.iter().map(|passkey| &passkey.key);
    let begun = party.begin_making(handle(app, staff.id.as_str()), &account, &account, keys)?;
    let name = if name.is_empty() { accounts::device(&parts.headers) } else { name };
    let making = Making {
        staff: staff.id.to_string(),
        state: begun.state,
        options: begun.options,
        name,
        until: now_ms() + WAITS_MS,
    };
    keep(session, MAKING, &making).await?;
    // nothing is added before the device has answered
    audit::unchanged();
    Ok(Redirect::to(PATH).into_response())
}

async fn made(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    staff: &Staff,
) -> Result<Response, Error> {
    let json = form.get(CREDENTIAL).to_owned();
    form.forget(CREDENTIAL);
    let making = take::<Making>(session, MAKING).await?;
    let making = making.filter(|making| making.staff == staff.id.as_str() && now_ms() < making.until);
    let (Some(making), Ok(party)) = (making, RelyingParty::of(&app.config)) else {
        form.refuse("", OVER);
        return render::again(app, parts, PATH, form).await;
    };
    let key = match party.made(&making.state, handle(app, staff.id.as_str()), &json) {
        Ok(key) => key,
        Err(reason) => {
            let wrong = "这台设备创建的通行密钥没有通过验证，请重新开始";
            form.refuse("", if reason == Refused::Late { OVER } else { wrong });
            return render::again(app, parts, PATH, form).await;
        }
    };
    let new = Passkey {
        id: new_id::<PasskeyId>().to_string(),
        staff_id: staff.id.to_string(),
        name: making.name,
        key,
        created_at: now_ms(),
        used_at: None,
    };
    let mut tx = app.db.begin().await?;
    // one after the other, so that the count holds, and none for somebody whose ways in were just taken away
    accounts_store::hold(&mut tx).await?;
    let is_here = accounts_store::is_signed_in(&mut tx, &staff.login).await?;
    if !is_here || !store::insert(&mut tx, &new, MOST).await? {
        drop(tx);
        form.refuse("", FULL);
        return render::again(app, parts, PATH, form).await;
    }
    audit::note(&mut tx, "staff passkey-add", staff.id.as_str(), &json!({ "passkey": new.name })).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(PATH, true)).into_response())
}

async fn remove(app: &App, parts: Parts, mut form: Form, staff: &Staff) -> Result<Response, Error> {
    let id = form.get("remove").to_owned();
    asks_code(app, &parts, staff, &mut form).await?;
    if form.is_refused() {
        return render::again(app, parts, PATH, form).await;
    }
    let mut tx = app.db.begin().await?;
    accounts_store::hold(&mut tx).await?;
    let all = accounts_store::all(&mut tx).await?;
    let own = all.into_iter().find(|listed| listed.account.id == staff.id.as_str()).ok_or(Error::NotFound)?;
    if !may_remove_passkey(own.account.on_since.is_some(), usize::try_from(own.passkeys).unwrap_or(0)) {
        drop(tx);
        form.refuse("", "这是您唯一的第二步，先绑定验证器或再加一个通行密钥");
        return render::again(app, parts, PATH, form).await;
    }
    let Some(name) = store::remove(&mut tx, staff.id.as_str(), &id).await? else {
        // by this button pressed twice
        audit::unchanged();
        return Ok(Redirect::to(&said(PATH, false)).into_response());
    };
    audit::note(&mut tx, "staff passkey-remove", staff.id.as_str(), &json!({ "passkey": name })).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(PATH, true)).into_response())
}

/// POST /staff/login/passkey/ask: begins to ask for a passkey. Answers what `navigator.credentials.get` is given.
pub async fn ask(State(app): State<App>, session: Session, parts: Parts) -> Result<Response, Error> {
    let party = RelyingParty::of(&app.config).map_err(|_| Error::NotFound)?;
    accounts::take_passkey(&app, &client::address(&app, &parts)).await?;
    let begun = party.begin_asking()?;
    keep(&session, ASKED, &begun.state).await?;
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    Ok((headers, begun.options).into_response())
}

/// POST /staff/login/passkey: what the browser answered.
pub async fn answer(
    State(app): State<App>,
    session: Session,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let json = form.get(CREDENTIAL).to_owned();
    form.forget(CREDENTIAL);
    let next = sign_in::next_of(&parts);
    let reason = match shown(&app, &session, &parts, &json).await {
        Ok(Ok(login)) => {
            staff::sign_in(&session, &login).await?;
            return Ok(Redirect::to(&next).into_response());
        }
        Ok(Err(reason)) => reason,
        Err(error @ Error::TooMany(_)) => error.message(),
        Err(error) => return Err(error),
    };
    form.refuse("", reason);
    render::again(&app, parts, &sign_in::with_next(LOGIN, &next), form).await
}

/// A login of the clerk whose passkey this is, or why it is not taken.
async fn shown(
    app: &App,
    session: &Session,
    parts: &Parts,
    json: &str,
) -> Result<Result<StaffLoginId, String>, Error> {
    let party = match RelyingParty::of(&app.config) {
        Ok(party) => party,
        Err(reason) => return Ok(Err(reason.to_string())),
    };
    let Some(begun) = take::<String>(session, ASKED).await? else { return Ok(Err(OVER.into())) };
    let attempt = accounts::start_anywhere(app, parts).await?;
    let Some(shown) = Shown::read(json) else { return Ok(Err(WRONG.into())) };
    let Some(kept) = store::named(&app.db, &shown.credential()).await? else {
        return Ok(Err("后台不认识这个通行密钥，它可能已被移除。请用密码登录".into()));
    };
    let account = accounts_store::by_id(&app.db, &kept.staff_id).await?.ok_or(Error::NotFound)?;
    let address = client::address(app, parts);
    let state = match party.check(&begun, &shown, &kept.key, handle(app, &kept.staff_id)) {
        Ok(state) => state,
        Err(Refused::Late) => return Ok(Err(OVER.into())),
        Err(Refused::Wrong) => return Ok(Err(WRONG.into())),
        Err(Refused::Counter) => {
            // whoever manages accounts finds it in the log
            let noted = async {
                let mut tx = app.db.begin().await?;
                let detail = json!({ "address": address, "passkey": kept.name });
                audit::note(&mut tx, "staff passkey-copied", &account.id, &detail).await?;
                Ok::<_, Error>(tx.commit().await?)
            };
            audit::acting(&account.name, noted).await.0?;
            return Ok(Err(COPIED.into()));
        }
    };
    let (login, now): (StaffLoginId, i64) = (new_id(), now_ms());
    let device = accounts::device(&parts.headers);
    let signed_in = async {
        let mut tx = app.db.begin().await?;
        if !store::note_use(&mut tx, &kept, &state, now).await? {
            return Ok(false);
        }
        accounts_store::insert_login_in(&mut tx, &login, &account.id, &device, &address).await?;
        accounts_store::prove(&mut tx, login.as_str(), &account.id, now).await?;
        let detail = json!({ "address": address, "passkey": kept.name });
        audit::note(&mut tx, "staff sign-in", &account.id, &detail).await?;
        tx.commit().await?;
        Ok::<_, Error>(true)
    };
    if !audit::acting(&account.name, signed_in).await.0? {
        return Ok(Err(WRONG.into()));
    }
    attempt.succeeded(app).await?;
    Ok(Ok(login))
}

/// The door's button, where the site offers passkeys. It is hidden until the script has seen that the browser can.
#[component]
pub fn AtTheDoor(action: String) -> impl IntoView {
    let offered = use_context::<App>().is_some_and(|app| RelyingParty::of(&app.config).is_ok());
    offered.then(|| {
        view! {
            <form class="passkey" method="post" action=action data-passkey="get" data-ask=ASKING hidden>
                <input type="hidden" name=CREDENTIAL/>
                <button class="button wide">"用通行密钥登录"</button>
                <p class="hint" role="status" hidden></p>
            </form>
        }
    })
}

/// GET /staff/me/passkeys.
#[component]
pub fn PasskeysPage() -> impl IntoView {
    unkept();
    let here = here();
    let session = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Session>().cloned());
    loaded(
        async move {
            let here = here?;
            let making: Option<Making> = match session {
                Some(session) => session.get(MAKING).await.map_err(Error::internal)?,
                None => None,
            };
            let making =
                making.filter(|making| making.staff == here.staff.id.as_str() && now_ms() < making.until);
            let passkeys = store::of(&here.app.db, here.staff.id.as_str()).await?;
            Ok((passkeys, making, RelyingParty::of(&here.app.config).err()))
        },
        |(passkeys, making, not_offered)| {
            let body = match making {
                Some(making) => view! { <Waiting making/> }.into_any(),
                None => view! { <List passkeys not_offered/> }.into_any(),
            };
            view! {
                <StaffShell title="我的通行密钥".to_owned() assets=&["staff.css", "passkeys.js"]>
                    <header class="head"><h1>"我的通行密钥"</h1><a class="link" href="/staff/me">"我的账号"</a></header>
                    <ErrorSummary title="还差一点"/>
                    {body}
                </StaffShell>
            }
        },
    )
}

/// The passkeys, and one form for adding and removing them.
#[component]
fn List(passkeys: Vec<Passkey>, not_offered: Option<NotOffered>) -> impl IntoView {
    let offered = not_offered.is_none();
    // a form with nothing to do for a browser that can't is none
    let waits = passkeys.is_empty().then_some("show");
    let is_useful = offered || !passkeys.is_empty();
    let adding = offered.then(|| {
        view! {
            <div class="fields" data-passkey="show" hidden>
                <Field name="name" label="给它起个名字，例如“柜台的电脑”" most=MOST_NAME as u32 autocomplete="off"/>
                <p class="hint">"不写就用这台设备的名字。"</p>
                <button class="button primary" name="step" value="begin">"添加通行密钥"</button>
            </div>
        }
    });
    let cannot = offered.then(|| {
        view! {
            <p class="notice" data-passkey-not>
                "通行密钥需要 JavaScript 和支持它的浏览器，现在不能添加。密码加动态验证码的登录不受影响。"
            </p>
        }
    });
    let list = (!passkeys.is_empty()).then(|| {
        let rows: Vec<_> = passkeys.into_iter().map(|passkey| view! { <Row passkey/> }).collect();
        view! {
            <h2>"已有的通行密钥"</h2>
            <ul class="log">{rows}</ul>
            <p class="hint">"移除也要先在上面输入动态验证码。移除之后，设备里留着的那一份不再有用，可以自行删掉。"</p>
        }
    });
    view! {
        <p>
            "通行密钥存在您的手机、电脑或安全密钥里，用指纹、面容或锁屏密码确认。登录后台时它代替密码和动态验证码；涉及款项的步骤仍要动态验证码。"
        </p>
        {not_offered.map(|reason| view! { <p class="notice">{reason.to_string()}</p> })}
        {cannot}
        {is_useful.then(|| view! {
            <form class="sheet fields narrow" method="post" action=PATH data-passkey=waits hidden=waits.is_some()>
                <CodeField/>
                {adding}
                {list}
            </form>
        })}
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
        <li class="row between">
            <div>
                <strong>{name.clone()}</strong>
                <p class="hint">"添加于 "<Moment at=created_at/>" · "{used}</p>
            </div>
            <button class="link danger" name="remove" value=id>
                "移除"<span class="sr">{format!("：{name}")}</span>
            </button>
        </li>
    }
}

/// The second step: the browser makes it.
#[component]
fn Waiting(making: Making) -> impl IntoView {
    view! {
        <form class="sheet fields narrow" method="post" action=PATH data-passkey="create" data-options=making.options>
            <p>
                "还差一步：让设备为后台创建通行密钥“"<strong>{making.name}</strong>
                "”。它会请您按一下指纹、看一眼镜头，或输入锁屏密码。"
            </p>
            <p class="notice" data-passkey-not>"通行密钥需要 JavaScript 和支持它的浏览器，这里不能创建。"</p>
            <input type="hidden" name=CREDENTIAL/>
            <input type="hidden" name="step" value="made"/>
            <p class="hint" role="status" hidden></p>
            <button class="button primary" data-passkey="show" hidden>"创建通行密钥"</button>
        </form>
        <form method="post" action=PATH>
            <button class="link" name="step" value="cancel">"不添加了"</button>
        </form>
    }
}
