//! What the program answers whatever slices it has, and the layers around all addresses.

use std::str::FromStr;

use axum::Router;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use base::config;
use base::db::sql;
use base::error::Error;
use base::storage::ORIGINALS;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::csrf::CsrfLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::access::Policy::Everybody;
use crate::app::App;
use crate::route::{self, Route};
use crate::slice::{Named, Slice};
use crate::{
    access, app, assets, detached, exposition, lingering_close, multipart, notices, read_only, readiness,
    security, session, turns,
};

/// The one parameter of a handler's route; what can't be one is a page that does not exist.
pub struct Parameter<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Parameter<T> {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let Path(text) =
            Path::<String>::from_request_parts(parts, state).await.map_err(|_| Error::NotFound)?;
        text.parse().map(Self).map_err(|_| Error::NotFound)
    }
}

/// What the program answers whatever slices it has.
const ROUTES: &[Route] = &[
    Route::new(assets::PATTERN, Everybody).handled(|| get(assets::serve)),
    Route::new("/favicon.ico", Everybody)
        .handled(|| get(|| async { Redirect::permanent(&assets::address("favicon.svg")) })),
    Route::new("/healthz", Everybody).handled(|| get(|| async { "ok" })),
    Route::new("/readyz", Everybody).handled(|| get(readiness::answer)),
];

/// What of the program is no slice's own.
pub static OWN: Slice = Slice {
    routes: &[ROUTES, security::ROUTES],
    variables: config::own::ALL,
    audited: &[("job retry", "任务再试一次")],
    tables: &[
        "jobs",
        "secrets",
        "audit_log",
        "audit_head",
        "audit_ends",
        "file_uses",
        "approvals",
        "given_alone",
        "givers",
    ],
    passing: &[
        "backup_attempts",
        "backups",
        "notices",
        "oldest_program",
        "outbox",
        "read_only",
        "rounds",
        "write_probes",
    ],
    jobs: |handlers| handlers.with::<notices::Spread>(),
    background: &[app::LET_REST, read_only::WATCH, session::FORGET_ENDED],
    files: &[Named {
        folder: ORIGINALS,
        count: sql!("select count(*) from outbox where attachment = $1"),
        all: sql!("select attachment from outbox where attachment is not null"),
    }],
    ..Slice::new("web")
};

/// The whole web application: all routes, with the layers around them.
pub fn application(app: App, sessions: session::Store) -> Router {
    let secure = app.config.secure_cookies;
    // the last layer added is the first that a request meets
    route::router(app.house)
        .fallback(|| async { Error::NotFound })
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), access::guard))
        .layer(from_fn_with_state(app.clone(), turns::take))
        .layer(CsrfLayer::new().with_rejection_response(|_| foreign_origin()))
        .layer(from_fn(security::same_origin))
        .layer(from_fn_with_state(app.clone(), security::error_pages))
        .layer(from_fn_with_state((app.clone(), sessions.clone()), session::identify))
        .layer(session::layer(sessions, secure))
        .layer(from_fn(detached::writes))
        .layer(from_fn(multipart::watch))
        .layer(from_fn(lingering_close::read_the_rest))
        .layer(RequestBodyTimeoutLayer::new(std::time::Duration::from_secs(60)))
        .layer(
            // files that are compressed already, whose length is to be known and of which parts are asked for
            CompressionLayer::new().quality(tower_http::CompressionLevel::Precise(4)).compress_when(
                DefaultPredicate::new()
                    .and(NotForContentType::const_new("application/zip"))
                    .and(NotForContentType::const_new("application/epub+zip"))
                    .and(NotForContentType::const_new("application/pdf"))
                    .and(NotForContentType::const_new("audio/"))
                    .and(NotForContentType::const_new("video/")),
            ),
        )
        .layer(from_fn(security::one_host))
        .layer(from_fn(exposition::requests))
        .layer(from_fn_with_state(app.clone(), security::headers))
        .with_state(app)
}

/// The answer to another site's page.
pub fn foreign_origin() -> Response {
    Error::Forbidden("请求来自其他网站，已被拒绝。").into_response()
}

fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("unknown");
    Error::internal(format!("panic: {cause}")).into_response()
}
