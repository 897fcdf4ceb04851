//! Turns: how much is done for one caller at once, so that nobody keeps the others waiting.
//!
//! A request has a turn while its handler is at work. A caller has a few; what else it asks for waits behind them, and
//! before nobody else's. A form takes its turn when it has come whole, so that a slow line holds none. Whoever
//! leaves before its turn gives it up, and nothing is done.
//!
//! A member is one caller, however many logins it has; whoever is not signed in is one with its address.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base::error::{Error, Wait};
use base::keyed::Keyed;
use domain::ids::MemberId;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::access::Policy;
use crate::app::App;
use crate::client;
use crate::detached::Asker;
use crate::session::Visitor;

/// Who has turns in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Caller {
    Member(MemberId),
    Address(String),
}

/// How much of each kind is done at once.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Pages and files.
    reads: usize,
    /// Those that wait for one of these.
    waiting_reads: usize,
    /// Requests that change something and were sent whole.
    writes: usize,
    /// Those that are worked on while they come: files.
    arrivals: usize,
    /// What those that wait for one of these two take of memory, in KiB.
    waiting: usize,
}

/// Of a member: as many reads as a browser has connections (RFC 9112, section 9.4, leaves that to it: six).
const OF_MEMBER: Bounds = Bounds { reads: 6, waiting_reads: 400, writes: 3, arrivals: 8, waiting: 16 * 1024 };
/// Of an address: a classroom is behind one.
const OF_ADDRESS: Bounds =
    Bounds { reads: 32, waiting_reads: 400, writes: 16, arrivals: 16, waiting: 32 * 1024 };
/// What is held until its turn, and is short.
const HELD: [&str; 3] = ["application/x-www-form-urlencoded", "application/json", "text/plain"];
/// Bytes of a body that is held until its turn.
const MOST_HELD: usize = 2 * 1024 * 1024;
/// What a request that waits counts beside its body, in KiB: of small ones 512 of a member may wait.
const EACH_KIB: usize = 32;
/// How long a form may take to come whole.
const COMING: Duration = Duration::from_secs(60);

/// What one caller has under way.
#[derive(Debug)]
struct UnderWay {
    reads: Semaphore,
    waiting_reads: Semaphore,
    writes: Semaphore,
    arrivals: Semaphore,
    waiting: Semaphore,
}

impl UnderWay {
    fn within(bounds: Bounds) -> Self {
        Self {
            reads: Semaphore::new(bounds.reads),
            waiting_reads: Semaphore::new(bounds.waiting_reads),
            writes: Semaphore::new(bounds.writes),
            arrivals: Semaphore::new(bounds.arrivals),
            waiting: Semaphore::new(bounds.waiting),
        }
    }

    /// A place among those that wait for a turn to change something, for a body of so many bytes.
    fn queue(&self, bytes: usize) -> Result<SemaphorePermit<'_>, Error> {
        let kib = u32::try_from(EACH_KIB + bytes / 1024).unwrap_or(u32::MAX);
        self.waiting.try_acquire_many(kib).map_err(|_| TOO_MANY)
    }
}

const TOO_MANY: Error =
    Error::TooMany(Wait {
        seconds: 5, why: "同时提交的操作太多", meanwhile: "前面的操作仍在继续。"
    });

/// All callers of this program.
#[derive(Debug, Default)]
pub struct Turns(Keyed<Caller, UnderWay>);

/// Lets a request wait for a turn of its caller's. What is the same for everyone has no need of one.
pub async fn take(State(app): State<App>, request: Request, next: Next) -> Response {
    let pattern = request.extensions().get::<MatchedPath>();
    if pattern.and_then(|pattern| app.policy(pattern.as_str())) == Some(Policy::Everybody) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let (caller, bounds) = match parts.extensions.get::<Visitor>() {
        Some(Visitor(Some(member))) => (Caller::Member(member.id.clone()), OF_MEMBER),
        _ => (Caller::Address(client::address(&app, &parts)), OF_ADDRESS),
    };
    let request = Request::from_parts(parts, body);
    let own = app.turns.0.of_or(caller, || UnderWay::within(bounds));
    if request.method().is_safe() {
        let Ok(waits) = own.waiting_reads.try_acquire() else { return TOO_MANY.into_response() };
        // no semaphore here is ever closed
        let _turn = own.reads.acquire().await.ok();
        drop(waits);
        return next.run(request).await;
    }
    let asker = request.extensions().get::<Asker>().cloned();
    let gone = async {
        match asker {
            Some(asker) => asker.gone().await,
            None => std::future::pending().await,
        }
    };
    let taken = tokio::select! {
        biased;
        () = gone => return Error::Busy.into_response(),
        taken = to_write(&own, request) => taken,
    };
    match taken {
        Ok((_turn, request)) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Waits for a turn to change something, when what does not take long to come has come.
async fn to_write(own: &UnderWay, request: Request) -> Result<(SemaphorePermit<'_>, Request), Error> {
    let held = held_bytes(&request);
    let waits = own.queue(held.unwrap_or(0))?;
    let (turns, request) = match held {
        Some(_) => (&own.writes, whole(request).await?),
        None => (&own.arrivals, request),
    };
    let turn = turns.acquire().await.map_err(Error::internal)?;
    drop(waits);
    Ok((turn, request))
}

/// The length of a body that is held until there is a turn: a form or a call, and short. What is a file is kept while it comes.
fn held_bytes(request: &Request) -> Option<usize> {
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let Some(length) = text(header::CONTENT_LENGTH) else {
        return (!request.headers().contains_key(header::TRANSFER_ENCODING)).then_some(0);
    };
    let kind = text(header::CONTENT_TYPE).unwrap_or_default();
    let is_held = HELD.iter().any(|held| kind.starts_with(held));
    length.parse().ok().filter(|length| *length == 0 || is_held && *length <= MOST_HELD)
}

async fn whole(request: Request) -> Result<Request, Error> {
    let (parts, body) = request.into_parts();
    let bytes = tokio::time::timeout(COMING, to_bytes(body, MOST_HELD)).await;
    let bytes = bytes
        .ok()
        .and_then(Result::ok)
        .ok_or_else(|| Error::BadRequest("请求没有完整地送到，请重试。".into()))?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}
