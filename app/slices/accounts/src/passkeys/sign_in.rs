//! 用通行密钥登录: the sign-in page's button, and the same at its second step.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::MemberId;
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::render::Form;
use web::session::{keep, take};

use super::relying_party::{Refused, RelyingParty, Shown};
use super::{BEGUN, are_offered, handle, store};
use crate::forms::let_in;
use crate::logins::BeganBy;
use crate::sign_in_form::{self, CarriedForm, SignIn};
use crate::sign_ins::{self, Outcome, Way};
use crate::{attempts, second_factor};

/// The value of `way` in the form.
pub const WAY: &str = "passkey";
/// Where the script asks what to ask the browser.
pub const ASKING: &str = "/manager/login_passkey";
/// The field with what the browser answered.
pub const CREDENTIAL: &str = "credential";

/// POST /manager/login_passkey: begins to ask for a passkey. Answers what `navigator.credentials.get` is given.
pub async fn begin(State(app): State<App>, session: Session, parts: Parts) -> Result<Response, Error> {
    let party = RelyingParty::of(&app.config).map_err(|_| Error::NotFound)?;
    attempts::take_passkey(&app, &client::address(&app, &parts)).await?;
    let begun = party.begin_asking()?;
    keep(&session, BEGUN, &begun.state).await?;
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    Ok((headers, begun.options).into_response())
}

/// POST of the sign-in page with `way=passkey`.
pub async fn answer(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    let json = form.get(CREDENTIAL).to_owned();
    form.forget(CREDENTIAL);
    match shown_member(app, session, &parts, &json).await {
        Ok(Ok(member)) => match second_factor::waiting_for(session, &member).await? {
            Some(waiting) => second_factor::pass(app, session, parts, form, waiting).await,
            // the device asked who holds it: there is nothing left to show
            None => let_in(app, session, parts, &sign_in, &member, BeganBy::Passkey, &form).await,
        },
        Ok(Err(reason)) => {
            form.refuse("", reason);
            sign_in_form::show(app, parts, &sign_in.place, form).await
        }
        Err(error @ Error::TooMany(wait)) => {
            form.refuse("", error.message());
            sign_in_form::show_later(app, parts, &sign_in.place, form, wait.seconds).await
        }
        Err(error) => Err(error),
    }
}

/// The member whose passkey this is, or why it is not taken.
async fn shown_member(
    app: &App,
    session: &Session,
    parts: &Parts,
    json: &str,
) -> Result<Result<MemberId, String>, Error> {
    let party = match RelyingParty::of(&app.config) {
        Ok(party) => party,
        Err(reason) => return Ok(Err(reason.to_string())),
    };
    let Some(state) = take::<String>(session, BEGUN).await? else { return Ok(Err(OVER.into())) };
    let attempt = attempts::start_anywhere(app, &client::address(app, parts)).await?;
    let Some(shown) = Shown::read(json) else { return Ok(Err(WRONG.into())) };
    let Some(kept) = store::named(&app.db, &shown.credential()).await? else {
        return Ok(Err("书坊不认识这个通行密钥，它可能已被移除。请用其他方式登录".into()));
    };
    let member: MemberId = kept.member_id.clone().try_into().map_err(Error::internal)?;
    let (outcome, reason) = match party.check(&state, &shown, &kept.key, handle(app, &member)) {
        Ok(state) => {
            if !store::note_use(&app.db, &kept, &state, now_ms()).await? {
                return Ok(Err(WRONG.into()));
            }
            attempt.succeeded(app).await?;
            return Ok(Ok(member));
        }
        Err(Refused::Late) => return Ok(Err(OVER.into())),
        Err(Refused::Counter) => (
            Outcome::CopiedPasskey,
            "这个通行密钥的使用次数倒退了，可能有人复制过它，已拦下。请用其他方式登录，并移除它",
        ),
        Err(Refused::Wrong) => (Outcome::WrongPasskey, WRONG),
    };
    sign_ins::note(app, parts, &member, Way::Browser(BeganBy::Passkey), outcome).await;
    Ok(Err(reason.into()))
}

const OVER: &str = "等待通行密钥的时间已过，请再试一次";
const WRONG: &str = "通行密钥没有通过验证，请再试一次，或用其他方式登录";

/// The button, where the site offers passkeys. It is hidden until the script has seen that the browser can.
#[component]
pub fn PasskeyForm(name: &'static str, place: String) -> impl IntoView {
    let offered = use_context::<App>().is_some_and(|app| are_offered(&app));
    offered.then(|| {
        view! {
            <form class="passkey" method="post" action=place data-passkey="get" data-ask=ASKING hidden>
                <input type="hidden" name="way" value=WAY/>
                <input type="hidden" name=CREDENTIAL/>
                <CarriedForm/>
                <button class="button wide">{name}</button>
                <p class="hint" role="status" hidden></p>
            </form>
        }
    })
}
