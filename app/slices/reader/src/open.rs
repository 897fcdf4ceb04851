//! Who may read a shared work, and the browsers that know its password.

use axum::extract::{RawForm, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::days::DAY_MS;
use domain::ids::WorkId;
use domain::sharing::{Access, Reader};
use domain::typed::typed;
use hmac::Mac;
use web::app::App;
use web::render;
use web::router::Parameter;
use web::security::Cookies;
use web::session::{Member, Visitor};
use web::ui::forms::read_form;

use super::store::{self, Share};

const COOKIE: &str = "bindery_read";
/// How long a browser knows a password, in ms and in seconds.
const LIFE_MS: i64 = 30 * DAY_MS;
const LIFE_S: i64 = LIFE_MS / 1000;
/// Works whose passwords one browser knows at once.
const MOST: usize = 12;
/// Bytes of a signature: 128 bits.
const SHORT: usize = 16;

/// A shared work that somebody asks for.
#[derive(Debug, Clone)]
pub struct Opened {
    pub share: Share,
    pub access: Access,
    pub is_owner: bool,
    /// Whoever asks bought it, or redeemed a code for it: it is in their study by itself.
    pub is_entitled: bool,
    /// Packages that hold it, for somebody who may not read all of it.
    pub offers: Vec<selling::Offer>,
}

/// Looks up a shared work for whoever asks. One that was never shared, or that is private, is no work at all; one that is
/// over says so.
pub async fn open(
    app: &App,
    headers: &HeaderMap,
    member: Option<&Member>,
    work: &WorkId,
) -> Result<Opened, Error> {
    let share = store::find(&app.db, work).await?.ok_or(Error::NotFound)?;
    let is_owner = member.is_some_and(|member| member.id == share.member);
    let is_unlocked = share.settings.password_hash.is_some() && unlocked(app, headers, &share);
    let now = now_ms();
    let is_entitled = match member {
        Some(member) if !is_owner => {
            selling::entitled(&app.db, &member.id, "work", work.as_str(), now).await?.is_some()
        }
        _ => false,
    };
    let reader = Reader { is_owner, is_unlocked, is_entitled };
    match share.terms().access(reader, now) {
        Access::Hidden => Err(Error::NotFound),
        Access::Gone => Err(Error::Gone(gone(&share))),
        Access::Preview(pages) => {
            let offers = selling::offers(&app.db, "work", work.as_str(), now).await?;
            // a package may promise more pages to try than the work itself
            let tried = offers.iter().filter_map(|offer| u32::try_from(offer.trial_pages).ok()).max();
            let access = Access::Preview(pages.max(tried.unwrap_or(0)));
            Ok(Opened { share, access, is_owner, is_entitled, offers })
        }
        access => Ok(Opened { share, access, is_owner, is_entitled, offers: Vec::new() }),
    }
}

/// The same of the request that is being answered.
pub async fn open_for(app: &App, parts: &Parts, work: &WorkId) -> Result<Opened, Error> {
    let visitor = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    open(app, &parts.headers, visitor, work).await
}

/// Why it can't be read any more.
fn gone(share: &Share) -> String {
    if share.withdrawn_reason.is_some() {
        "这件作品已被下架，不能再看了。".into()
    } else if share.settings.ends_at.is_some_and(|end| end <= now_ms()) && share.withdrawn_at.is_none() {
        "这件作品的分享已到期，请问问作者。".into()
    } else {
        "作者已经收回了这件作品，不能再看了。".into()
    }
}

/// What a browser that gave the password keeps for a work: until when, and that it is so. Another password is another
/// signature.
fn signature(app: &App, share: &Share, until: i64) -> Option<String> {
    let mut mac = base::signing::keyed(app.key.as_bytes(), "read");
    mac.update(share.work.as_str().as_bytes());
    mac.update(&[0]);
    mac.update(share.settings.password_hash.as_deref()?.as_bytes());
    mac.update(&until.to_be_bytes());
    Some(URL_SAFE_NO_PAD.encode(&mac.finalize().into_bytes()[..SHORT]))
}

fn entries(headers: &HeaderMap, secure: bool) -> impl Iterator<Item = &str> {
    web::cookies::cookies(headers, COOKIE, secure).flat_map(|value| value.split('.'))
}

fn unlocked(app: &App, headers: &HeaderMap, share: &Share) -> bool {
    entries(headers, app.config.secure_cookies).any(|entry| {
        let mut parts = entry.split('~');
        let (Some(work), Some(until), Some(sign)) = (parts.next(), parts.next(), parts.next()) else {
            return false;
        };
        let Ok(until) = until.parse::<i64>() else { return false };
        let is_right = || {
            let expected = signature(app, share, until)?;
            // the same time for every wrong one
            let same = expected.len() == sign.len()
                && expected.bytes().zip(sign.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0;
            Some(same)
        };
        work == share.work.as_str() && until > now_ms() && is_right() == Some(true)
    })
}

/// POST /read/{work}: the password of a work. Wrong ones are counted for the work at a network address.
pub async fn unlock(
    State(app): State<App>,
    Parameter(work): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let opened = open_for(&app, &parts, &work).await?;
    let address = format!("/read/{work}");
    if opened.access != Access::Locked {
        return Ok(Redirect::to(&address).into_response());
    }
    let attempt = accounts::start_link_password(&app, work.as_str(), &parts).await?;
    let given = typed(form.get("password"));
    // passwords were set as they were sent once
    let sent = form.all("password").next().unwrap_or("").trim().to_owned();
    form.forget("password");
    let hash = opened.share.settings.password_hash.clone();
    let is_other = sent != given;
    let mut is_right = !given.is_empty() && accounts::password_matches(&app, given, hash.clone()).await?;
    if !is_right && is_other && !sent.is_empty() {
        is_right = accounts::password_matches(&app, sent, hash).await?;
    }
    if !is_right {
        form.refuse("password", "密码不对，请再试一次");
        return render::again(&app, parts, &address, form).await;
    }
    attempt.succeeded(&app).await?;
    let secure = app.config.secure_cookies;
    let until = now_ms() + LIFE_MS;
    let sign = signature(&app, &opened.share, until).ok_or(Error::NotFound)?;
    let own = format!("{work}~");
    let others = entries(&parts.headers, secure).filter(|entry| !entry.starts_with(&own));
    let all: Vec<String> = std::iter::once(format!("{work}~{until}~{sign}"))
        .chain(others.map(str::to_owned))
        .take(MOST)
        .collect();
    let cookie =
        web::cookies::cookie(COOKIE, &all.join("."), Some(LIFE_S), secure).map_err(Error::internal)?;
    Cookies::add(&parts, cookie);
    Ok(Redirect::to(&address).into_response())
}
