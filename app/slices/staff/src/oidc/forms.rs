//! To the provider and back, and what a clerk decides about its account there.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::metrics;
use domain::ids::StaffLoginId;
use openid::{Code, Identity, OF_CLERKS, Provider, lead_on};
use serde_json::{Value, json};
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::render::{self, Form};
use web::staff::{self, Staff, asks_code};
use web::ui::forms::{CHOOSE, read_form};
use web::ui::staff::said;

use super::pages::Connecting;
use super::{BEGIN, Intent, STEP, Stop, Trouble, store};
use crate::sign_in::{CODE, next_of, with_next};
use crate::{me, store as accounts_store};

/// Who acts, in the log, where nobody is known: no clerk can be called so.
const NOBODY: &str = "(oidc)";
/// Where failures are counted.
const DOOR: &str = "staff";

/// POST /staff/login/oidc: leads to the provider, and from there to the page first asked for.
pub async fn begin(State(app): State<App>, session: Session, parts: Parts) -> Result<Response, Error> {
    let Some(provider) = openid::of(&app)? else { return Err(Error::NotFound) };
    let intent = Intent::SignIn(next_of(&parts));
    match accounts::take_company_account(&app, &parts, DOOR).await {
        Ok(()) => set_out(&app, &provider, &session, parts, &intent).await,
        Err(error @ Error::TooMany(_)) => {
            tell(&app, &provider, parts, Some(&intent), Trouble::Waits(error.message())).await
        }
        Err(error) => Err(error),
    }
}

/// POST /staff/me/oidc; the field `step` says what for. Each asks for the code of one's own device.
pub async fn change(
    State(app): State<App>,
    session: Session,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let Some(provider) = openid::of(&app)? else { return Err(Error::NotFound) };
    let mut form = read_form(&body)?;
    let (id, issuer) = (staff.id.as_str(), provider.config.issuer.as_str());
    let disconnects = match form.get(STEP) {
        "link" => false,
        "unlink" => true,
        _ => {
            form.refuse("", CHOOSE);
            return render::again(&app, parts, me::PATH, form).await;
        }
    };
    if !disconnects && store::of(&app.db, id, issuer).await?.is_some() {
        form.refuse("", Trouble::HasAnother.told(&provider.config.name).1);
    }
    asks_code(&app, &parts, &staff, &mut form).await?;
    if form.is_refused() {
        return render::again(&app, parts, me::PATH, form).await;
    }
    if !disconnects {
        // nothing is connected before somebody has come back
        audit::unchanged();
        let intent = Intent::Connect(id.to_owned(), staff.login.clone());
        return set_out(&app, &provider, &session, parts, &intent).await;
    }
    let mut tx = app.db.begin().await?;
    if !store::disconnect(&mut tx, id, issuer).await? {
        // by this button pressed twice
        audit::unchanged();
        return Ok(Redirect::to(&said(me::PATH, false)).into_response());
    }
    audit::note(&mut tx, "staff oidc-unlink", id, &json!({ "issuer": issuer })).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(me::PATH, true)).into_response())
}

async fn set_out(
    app: &App,
    provider: &Provider,
    session: &Session,
    parts: Parts,
    intent: &Intent,
) -> Result<Response, Error> {
    match OF_CLERKS.leave(app, provider, session, &parts.headers, intent).await? {
        Ok(address) => lead_on(app, parts, BEGIN, address).await,
        Err(trouble) => tell(app, provider, parts, Some(intent), Trouble::Nobody(trouble)).await,
    }
}

/// The page that says why nothing came of it.
async fn tell(
    app: &App,
    provider: &Provider,
    mut parts: Parts,
    intent: Option<&Intent>,
    trouble: Trouble,
) -> Result<Response, Error> {
    let page = match intent {
        Some(Intent::SignIn(next)) => with_next(BEGIN, next),
        Some(Intent::Connect(..)) => {
            parts.extensions.insert(Connecting);
            BEGIN.to_owned()
        }
        None => BEGIN.to_owned(),
    };
    let (status, sentence) = trouble.told(&provider.config.name);
    let mut form = Form::default();
    form.refuse("", sentence);
    render::again_as(app, parts, &page, form, status).await
}

/// GET /staff/login/oidc/return: somebody comes back from the provider.
pub async fn come_back(State(app): State<App>, session: Session, parts: Parts) -> Result<Response, Error> {
    let Some(provider) = openid::of(&app)? else { return Err(Error::NotFound) };
    let Some((intent, code)) = OF_CLERKS.come_back::<Intent>(&session, &parts).await? else {
        let unknown = Trouble::Nobody(openid::Trouble::Unknown);
        return tell(&app, &provider, parts, None, unknown).await;
    };
    let settled = match code {
        Ok(code) => settle(&app, &provider, &session, &parts, &intent, code).await,
        Err(trouble) => Err(Trouble::Nobody(trouble).into()),
    };
    match settled {
        Ok(place) => Ok(Redirect::to(&place).into_response()),
        Err(Stop::Trouble(trouble)) => tell(&app, &provider, parts, Some(&intent), trouble).await,
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Answers where to go.
async fn settle(
    app: &App,
    provider: &Provider,
    session: &Session,
    parts: &Parts,
    intent: &Intent,
    code: Code,
) -> Result<String, Stop> {
    // the guard lets every GET pass
    if let (Intent::Connect(..), Some(read_only)) = (intent, app.read_only.now()) {
        return Err(Trouble::ReadOnly(read_only.sentence(now_ms())).into());
    }
    let attempt = match accounts::start_company_account(app, parts, DOOR).await {
        Ok(attempt) => attempt,
        Err(error @ Error::TooMany(_)) => return Err(Trouble::Waits(error.message()).into()),
        Err(error) => return Err(error.into()),
    };
    let settled = match provider.identify(code).await {
        Err(trouble) => Err(Trouble::Nobody(trouble).into()),
        Ok(identity) => match intent {
            Intent::SignIn(next) => sign_in(app, session, parts, &identity, next).await,
            Intent::Connect(clerk, login) => connect(app, session, parts, &identity, (clerk, login)).await,
        },
    };
    match &settled {
        Err(Stop::Trouble(trouble)) if trouble.is_guess() => metrics::sign_in_failed(DOOR, "oidc"),
        _ => attempt.succeeded(app).await?,
    }
    settled
}

/// Signs in whose account it is. What the provider saw more than one proof for is enough, as a passkey is; else the code by time is
/// asked for, as after a password. Answers where to go.
async fn sign_in(
    app: &App,
    session: &Session,
    parts: &Parts,
    identity: &Identity,
    next: &str,
) -> Result<String, Stop> {
    let address = client::address(app, parts);
    let detail = json!({ "address": address, "issuer": identity.issuer });
    let Some((id, name)) = store::whose(&app.db, identity).await? else {
        note_refused(app, NOBODY, &identity.subject, &detail).await?;
        return Err(Trouble::Unconnected.into());
    };
    let (login, now): (StaffLoginId, i64) = (new_id(), now_ms());
    let device = accounts::device(&parts.headers);
    let signed_in = async {
        let mut tx = app.db.begin().await?;
        if !store::note_use(&mut tx, &id, identity, now).await? {
            return Ok(false);
        }
        accounts_store::insert_login_in(&mut tx, &login, &id, &device, &address).await?;
        if identity.is_multi_factor {
            accounts_store::prove(&mut tx, login.as_str(), &id, now).await?;
            audit::note(&mut tx, "staff sign-in", &id, &detail).await?;
        }
        tx.commit().await?;
        Ok::<_, Error>(true)
    };
    if !audit::acting(&name, signed_in).await.0? {
        return Err(Trouble::Unconnected.into());
    }
    staff::sign_in(session, &login).await?;
    Ok(if identity.is_multi_factor { next.to_owned() } else { with_next(CODE, next) })
}

/// Connects an account to the clerk who has set out for it. Answers where to go.
async fn connect(
    app: &App,
    session: &Session,
    parts: &Parts,
    identity: &Identity,
    (clerk, login): (&str, &StaffLoginId),
) -> Result<String, Stop> {
    let staff = staff::of_session(app, Some(session)).await?;
    let staff = staff.filter(|staff| staff.id.as_str() == clerk && staff.login == *login);
    let Some(staff) = staff else { return Err(Trouble::OtherClerk.into()) };
    let id = staff.id.as_str();
    let connected = async {
        let mut tx = app.db.begin().await?;
        // none for somebody whose ways in were just taken away
        accounts_store::hold(&mut tx).await?;
        if !accounts_store::is_signed_in(&mut tx, &staff.login).await? {
            return Err(Trouble::OtherClerk.into());
        }
        if !store::connect(&mut tx, id, identity, now_ms()).await? {
            return match store::owner(&mut tx, identity).await? {
                Some(owner) if owner == id => Ok(false),
                Some(_) => Err(Trouble::Taken.into()),
                None => Err(Trouble::HasAnother.into()),
            };
        }
        let detail = json!({ "issuer": identity.issuer, "subject": identity.subject });
        audit::note(&mut tx, "staff oidc-link", id, &detail).await?;
        tx.commit().await?;
        Ok::<_, Stop>(true)
    };
    match audit::acting(&staff.name, connected).await.0 {
        Ok(is_new) => Ok(said(me::PATH, is_new)),
        Err(Stop::Trouble(Trouble::Taken)) => {
            let detail = json!({ "address": client::address(app, parts), "issuer": identity.issuer, "subject": identity.subject });
            note_refused(app, &staff.name, id, &detail).await?;
            Err(Trouble::Taken.into())
        }
        Err(stop) => Err(stop),
    }
}

/// Whoever manages accounts finds it in the log.
async fn note_refused(app: &App, actor: &str, subject: &str, detail: &Value) -> Result<(), Error> {
    let noted = async {
        let mut tx = app.db.begin().await?;
        audit::note(&mut tx, "staff oidc-refused", subject, detail).await?;
        Ok(tx.commit().await?)
    };
    audit::acting(actor, noted).await.0
}
