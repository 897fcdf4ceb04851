//! Redeeming a code: one guarded update in the transaction that opens what it is for.

use axum::http::request::Parts;
use base::db::new_id;
use base::error::Error;
use domain::ids::MemberId;
use domain::licence::{NotSeated, Way};
use domain::package::{Span, Until, next_start_of_any};
use domain::redeem_code::{Mistyped, RedeemCode};
use web::app::App;
use web::session::Member;

use super::codes::digest;
use super::gifts;
use super::licences;
use super::sales::grant;
use super::store::entitlements::{self, Entitlement};
use super::store::{Subject, batches, packages};

/// What a code opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redeemed {
    pub title: String,
    pub until: Until,
}

/// Why a code opened nothing.
#[derive(Debug, thiserror::Error)]
pub enum NotRedeemed {
    #[error(transparent)]
    Mistyped(#[from] Mistyped),
    /// Unknown, used, void or expired: nobody is told which.
    #[error("{REFUSAL}")]
    Refused,
    #[error("您已经可以长期阅读《{0}》，兑换码没有使用，可以送给别人")]
    ForEver(String),
    #[error(transparent)]
    NotSeated(#[from] NotSeated),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// The one sentence for a code that can't be redeemed.
pub const REFUSAL: &str = "兑换码无效，请核对后再试";

impl From<licences::Refused> for NotRedeemed {
    fn from(refused: licences::Refused) -> Self {
        match refused {
            licences::Refused::Not(reason) => reason.into(),
            licences::Refused::Failed(error) => error.into(),
        }
    }
}

impl From<sqlx::Error> for NotRedeemed {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Redeems what a member typed, counting tries. A mistyped code is told by its check character and takes no try at a code away;
/// it is counted for itself, so that nobody goes on for ever.
pub async fn attempt(
    app: &App,
    parts: &Parts,
    member: &Member,
    typed: &str,
    now: i64,
) -> Result<Redeemed, NotRedeemed> {
    let code: RedeemCode = match typed.parse() {
        Ok(code) => code,
        Err(Mistyped::Empty) => return Err(Mistyped::Empty.into()),
        Err(mistyped) => {
            accounts::start_typing(app, &member.id).await?;
            return Err(mistyped.into());
        }
    };
    let attempt = accounts::start_redeeming(app, parts, &member.id).await?;
    let redeemed = match redeem(app, &member.id, &code, now).await {
        // it may be an organisation's
        Err(NotRedeemed::Refused) => take_seat(app, member, &code, now).await,
        redeemed => redeemed,
    };
    if !matches!(redeemed, Err(NotRedeemed::Refused)) {
        attempt.succeeded(app).await?;
    }
    redeemed
}

/// A seat of the licence with a code; who has one keeps it.
async fn take_seat(app: &App, member: &Member, code: &RedeemCode, now: i64) -> Result<Redeemed, NotRedeemed> {
    let mut tx = app.db.begin().await?;
    let licence = licences::by_code(app, &mut tx, code).await?.ok_or(NotRedeemed::Refused)?;
    licences::sit(&mut tx, &licence.id, member, Way::Code, now).await?;
    tx.commit().await?;
    Ok(Redeemed { title: licence.title, until: Until::At(licence.until) })
}

/// Redeems a code for a member. Of any number at once exactly one does it.
pub async fn redeem(
    app: &App,
    member: &MemberId,
    code: &RedeemCode,
    now: i64,
) -> Result<Redeemed, NotRedeemed> {
    let digest = digest(&app.key, code);
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, member).await?;
    let Some(batch) = batches::redeem(&mut tx, &digest, member, now).await? else {
        // it may be a gift's
        let (title, until) = gifts::take(app, &mut tx, member, code, now).await?;
        tx.commit().await?;
        app.bell.ring();
        return Ok(Redeemed { title, until: Until::from(until) });
    };
    let batch = batches::find_within(&mut tx, &batch).await?;
    let package = packages::find_within(&mut tx, &batch.package).await?;
    let subject = Subject::Package(package.id);
    let rights = entitlements::spans_of_each(&mut tx, member, &subject, i64::MAX).await?;
    let from = next_start_of_any(&rights, now).ok_or_else(|| NotRedeemed::ForEver(package.title.clone()))?;
    let span = Span { from, until: package.term.end(from) };
    let right = Entitlement {
        id: new_id(),
        member: member.clone(),
        subject,
        title: format!("《{}》", package.title),
        span,
        source: "code".to_owned(),
        source_id: digest,
        hint: Some(code.tail()),
        told_at: None,
        created_at: now,
        granted_at: now,
    };
    grant(&mut tx, &right).await?;
    tx.commit().await?;
    app.bell.ring();
    // all of it, some perhaps longer
    Ok(Redeemed { title: package.title, until: Until::from(span.until) })
}

/// Whether a member redeemed this code itself, so that it may be told.
pub async fn is_own(app: &App, member: &MemberId, typed: &str) -> Result<bool, Error> {
    match typed.parse::<RedeemCode>() {
        Ok(code) => {
            let digest = digest(&app.key, &code);
            Ok(batches::is_redeemed_by(&app.db, &digest, member).await?
                || gifts::is_taken_by(app, &digest, member).await?)
        }
        Err(_) => Ok(false),
    }
}
