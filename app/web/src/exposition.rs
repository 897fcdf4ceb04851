//! What a program that watches this one reads: `/metrics` at an address of its own (`BINDERY_METRICS_ADDR`), which the world does
//! not reach.

use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base::db::{Db, now_ms};
use base::error::Error;
use base::metrics::{self, Standing, StandingBackups};

use crate::app::App;
use crate::backups::{self, Act, Ended};
use crate::workers;

/// Times each request.
pub async fn requests(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = match *request.method() {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    };
    let start = Instant::now();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    metrics::answered(route, method, response.status().as_str(), start.elapsed());
    response
}

/// What answers at the address of its own.
pub fn router(app: App) -> Router {
    Router::new().route("/metrics", get(answer)).with_state(app)
}

async fn answer(State(app): State<App>) -> Response {
    match text(&app).await {
        Ok(text) => ([(header::CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response(),
        Err(error) => {
            tracing::warn!(%error, "Nothing could be told of the program");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

async fn text(app: &App) -> Result<Vec<u8>, Error> {
    let queue = workers::queue(app, now_ms()).await?;
    let standing = Standing {
        connections: connections(&app.db),
        dead: queue.dead,
        kinds: queue.kinds,
        free: app.storage.free().unwrap_or_default(),
        backups: standing_backups(&app.db).await?,
    };
    metrics::text(standing).map_err(Error::internal)
}

fn connections(db: &Db) -> [u32; 3] {
    let (open, idle, most) = match db {
        Db::Sqlite(reads, door) => (
            reads.size() + door.pool().size(),
            reads.num_idle() + door.pool().num_idle(),
            reads.options().get_max_connections() + door.pool().options().get_max_connections(),
        ),
        Db::Postgres(connections, _) => {
            let pool = connections.pool();
            (pool.size(), pool.num_idle(), pool.options().get_max_connections())
        }
    };
    [open, u32::try_from(idle).unwrap_or(u32::MAX), most]
}

async fn standing_backups(db: &Db) -> Result<StandingBackups, Error> {
    let now = now_ms();
    let run = backups::standing(db, Act::Run).await?;
    let verify = backups::standing(db, Act::Verify).await?;
    let age = |ended: &Option<Ended>| (now - ended.as_ref().map_or(0, |ended| ended.ended_at)) / 1000;
    let is_left = run.good.as_ref().is_some_and(|good| good.prune_fault.is_some());
    let good = |of: fn(&Ended) -> i64| run.good.as_ref().map_or(0, of);
    Ok(StandingBackups {
        age: age(&run.good),
        verified_age: age(&verify.good),
        failures: run.failures + i64::from(is_left),
        duration: good(|good| (good.ended_at - good.began_at) / 1000),
        size: good(|good| good.size),
        stored: good(|good| good.stored),
        damaged: good(|good| good.damaged),
    })
}
