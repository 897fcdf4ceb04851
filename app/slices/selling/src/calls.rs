//! What programs call: redeeming a code, and what one may read.

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::routing::{get, post};
use base::db::now_ms;
use base::error::Error;
use base::time;
use leptos::prelude::*;
use leptos::server;
use leptos::server_fn::codec::{GetUrl, Json, PostUrl};
use leptos_axum::ResponseOptions;
use serde::{Deserialize, Serialize};
use web::access::Policy;
use web::calls::{Answer, List, Refusal, caller, handle};
use web::route::Route;

use super::redeem::{self, NotRedeemed, REFUSAL};
use super::store::{entitlements, licences};
use domain::package::Until;

/// The slice's calls.
pub const ROUTES: &[Route] = &[
    Route::new("/user-center/redeemCode", Policy::Member).handled(|| post(handle)),
    Route::new("/user-center/getEntitlements", Policy::Member).handled(|| get(handle)),
];

/// `{"status":1,"data":{"title","until"}}` or `{"status":0,"msg"}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RedeemedAnswer {
    Opened(Answer<Opened>),
    Refused { status: i8, msg: String },
}

/// What a code opened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Opened {
    title: String,
    /// RFC 3339; null for ever.
    until: Option<String>,
}

/// A right to read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Listed {
    title: String,
    /// RFC 3339.
    from: String,
    /// The same; null for ever.
    until: Option<String>,
}

/// POST /user-center/redeemCode. A program is told nothing of why, also where a code was mistyped.
#[server(prefix = "/user-center", endpoint = "redeemCode", input = PostUrl, output = Json)]
async fn redeem_code(#[server(default)] code: String) -> Result<RedeemedAnswer, Refusal> {
    let (app, member) = caller()?;
    let parts = expect_context::<Parts>();
    let refused = |msg: String| Ok(RedeemedAnswer::Refused { status: 0, msg });
    match redeem::attempt(&app, &parts, &member, &code, now_ms()).await {
        Ok(redeemed) => Ok(RedeemedAnswer::Opened(Answer::ok(Opened {
            title: redeemed.title,
            until: moment(redeemed.until),
        }))),
        Err(NotRedeemed::Failed(error)) => {
            if let Error::TooMany(wait) = &error {
                let answer = expect_context::<ResponseOptions>();
                answer.insert_header(header::RETRY_AFTER, HeaderValue::from(wait.seconds));
            }
            Err(error.into())
        }
        Err(reason @ (NotRedeemed::ForEver(_) | NotRedeemed::NotSeated(_))) => refused(reason.to_string()),
        Err(NotRedeemed::Mistyped(_) | NotRedeemed::Refused) => refused(REFUSAL.to_owned()),
    }
}

fn moment(until: Until) -> Option<String> {
    until.moment().map(time::rfc3339)
}

/// GET /user-center/getEntitlements: what runs now or is to come, the newest first; behind it what is read on seats.
#[server(prefix = "/user-center", endpoint = "getEntitlements", input = GetUrl, output = Json)]
async fn get_entitlements() -> Result<Answer<List<Listed>>, Refusal> {
    let (app, member) = caller()?;
    let now = now_ms();
    let seats = licences::of_reader(&app.db, &member.id, now).await?.into_iter().map(|seat| Listed {
        title: seat.title,
        from: time::rfc3339(seat.taken_at),
        until: Some(time::rfc3339(seat.ends_at)),
    });
    let list = entitlements::of_member(&app.db, &member.id)
        .await?
        .into_iter()
        .filter(|right| right.span.until.is_none_or(|until| until > now))
        .map(|right| Listed {
            title: right.title.trim_matches(['《', '》']).to_owned(),
            from: time::rfc3339(right.span.from),
            until: right.span.until.map(time::rfc3339),
        })
        .chain(seats)
        .collect();
    Ok(Answer::ok(List { list }))
}
