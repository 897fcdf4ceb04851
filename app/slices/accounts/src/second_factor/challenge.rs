//! The sign-in page's second step: who knows the password shows a code.
//!
//! Who waits for it is kept in the session, on the server, under a renewed id: ten minutes and five codes, then the
//! password is asked for again.

use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::{MemberId, SignInId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::app::App;
use web::render::{Form, loaded, use_form, use_path};
use web::ui::parts::{ErrorSummary, Field};

use crate::forms::let_in;
use crate::interrupted;
use crate::logins::BeganBy;
use crate::passkeys::{self, PasskeyForm};
use crate::sign_in_form::{self, CarriedForm, SignIn};
use crate::sign_ins::{self, Outcome, Way};
use crate::third_party;

/// The value of `way`, in the address and in the form.
pub const WAY: &str = "second_factor";
/// Where somebody waits in a session.
const PENDING: &str = "second_factor";
/// How long, in ms.
const PENDING_MS: i64 = 10 * 60_000;
/// How many codes it may try before the password is asked for again.
const MOST_TRIES: u8 = 5;
const OVER: &str = "等待输入动态验证码的时间已过，或者输错的次数太多，请重新登录";

/// Who has shown everything but the code.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pending {
    member: MemberId,
    by: BeganBy,
    /// Whether who waits in the session is to be bound.
    binds: bool,
    /// Epoch ms.
    until: i64,
    tries: u8,
    /// The row of the log that says that a code is missing.
    sign_in: SignInId,
}

/// The second step's address at a sign-in page.
pub fn place(page: &str) -> String {
    format!("{page}?way={WAY}")
}

/// From now on this session waits for the member's code. Its id is renewed: somebody who planted it must not find in it
/// what the password has opened.
pub async fn begin(
    app: &App,
    session: &Session,
    parts: &Parts,
    member: &MemberId,
    by: BeganBy,
    binds: bool,
) -> Result<(), Error> {
    let sign_in = sign_ins::note(app, parts, member, Way::Browser(by), Outcome::SecondFactor).await;
    let until = now_ms() + PENDING_MS;
    session.cycle_id().await.map_err(Error::internal)?;
    session
        .insert(PENDING, Pending { member: member.clone(), by, binds, until, tries: 0, sign_in })
        .await
        .map_err(Error::internal)?;
    Ok(())
}

/// Leads somebody who has just begun to the second step, with what was typed in a form whose session had ended.
pub async fn ask(app: &App, parts: Parts, form: &Form) -> Result<Response, Error> {
    let place = place(parts.uri.path());
    if form.get(interrupted::FIELD).is_empty() {
        return Ok(Redirect::to(&place).into_response());
    }
    let carried = Form::sent([(interrupted::FIELD.to_owned(), form.get(interrupted::FIELD).to_owned())]);
    sign_in_form::show(app, parts, &place, carried).await
}

async fn pending(session: &Session) -> Result<Option<Pending>, Error> {
    let pending: Option<Pending> = session.get(PENDING).await.map_err(Error::internal)?;
    Ok(pending.filter(|pending| now_ms() <= pending.until && pending.tries < MOST_TRIES))
}

/// What waits in this session for a member to show one thing more.
pub async fn waiting_for(session: &Session, member: &MemberId) -> Result<Option<Pending>, Error> {
    Ok(pending(session).await?.filter(|waiting| waiting.member == *member))
}

/// POST with `way=second_factor`.
pub async fn answer(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let Some(mut waiting) = pending(session).await? else {
        session.remove::<Pending>(PENDING).await.map_err(Error::internal)?;
        form.refuse("", OVER);
        return sign_in_form::show(app, parts.clone(), parts.uri.path(), form).await;
    };
    let place = place(parts.uri.path());
    let typed = form.get("code").to_owned();
    form.forget("code");
    if typed.is_empty() {
        form.refuse("code", "请输入动态验证码");
        return sign_in_form::show(app, parts, &place, form).await;
    }
    // several sent at once count as one here; `check` counts each of them
    waiting.tries += 1;
    session.insert(PENDING, &waiting).await.map_err(Error::internal)?;
    session.save().await.map_err(Error::internal)?;
    match super::check(app, &parts, &waiting.member, &typed).await {
        Ok(true) => {}
        Ok(false) => {
            sign_ins::note(app, &parts, &waiting.member, Way::Browser(waiting.by), Outcome::WrongCode).await;
            form.refuse(
                "code",
                "验证码不正确，或已经用过。动态验证码每 30 秒换一个，请输入新的；恢复码每个只能用一次",
            );
            return sign_in_form::show(app, parts, &place, form).await;
        }
        Err(error @ Error::TooMany(wait)) => {
            form.refuse("", error.message());
            return sign_in_form::show_later(app, parts, &place, form, wait.seconds).await;
        }
        Err(error) => return Err(error),
    }
    pass(app, session, parts, form, waiting).await
}

/// Lets in whoever has shown everything.
pub async fn pass(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    waiting: Pending,
) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    session.remove::<Pending>(PENDING).await.map_err(Error::internal)?;
    sign_ins::take_back(app, &waiting.member, &waiting.sign_in).await;
    if waiting.binds
        && let Err((way, refusal)) = third_party::bind_now(app, session, &waiting.member).await?
    {
        form.refuse("", refusal);
        let place = format!("{}?way={way}", parts.uri.path());
        return sign_in_form::show(app, parts, &place, form).await;
    }
    let_in(app, session, parts, &sign_in, &waiting.member, waiting.by, &form).await
}

/// The page's part. Where nobody waits it leads back.
#[component]
pub fn SecondStep() -> impl IntoView {
    let session = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Session>().cloned());
    let (path, app) = (use_path(), use_context::<App>());
    let waits = async move {
        match session {
            Some(session) => pending(&session).await,
            None => Ok(None),
        }
    };
    let waits = async move {
        let waiting: Option<Pending> = waits.await?;
        let passkeys = match (&waiting, app) {
            (Some(waiting), Some(app)) => passkeys::count(&app, &waiting.member).await?,
            _ => 0,
        };
        Ok((waiting.is_some(), passkeys > 0))
    };
    loaded(waits, move |(waits, has_passkeys)| {
        let again = view! { <p class="ways-on"><a class="link" href=path.clone()>"返回登录"</a></p> };
        if !waits {
            let over = (!use_form().is_refused())
                .then(|| view! { <div class="notice bad" role="alert"><p>{OVER}"。"</p></div> });
            return view! { <ErrorSummary title="还差一点"/>{over}{again} }.into_any();
        }
        view! {
            <ErrorSummary title="还差一点"/>
            <form class="fields" method="post" action=place(&path)>
                <input type="hidden" name="way" value=WAY/>
                <CarriedForm/>
                <p class="quiet">"还差一步：请打开手机上的验证器，输入书坊那一项现在显示的 6 位数字。"</p>
                <Field
                    name="code"
                    label="动态验证码，或一个恢复码"
                    most=40
                    autocomplete="one-time-code"
                    required=true
                />
                <button class="button primary wide">"继续登录"</button>
                <p class="hint">"手机不在身边？用开启两步验证时保存的恢复码，也可以用已登录的手机扫码登录。"</p>
            </form>
            {has_passkeys.then(|| view! { <PasskeyForm name="改用通行密钥" place=place(&path)/> })}
            {again}
        }
        .into_any()
    })
}
