//! Requests that are carried to their end although whoever sent them has gone: what writes runs as a task of its own, which nobody
//! drops.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base::detach::run;
use base::error::Error;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::connections;

/// Requests that go on by themselves, at once; more are refused before anything of them is done. There are more places than
/// connections, so that those who wait for their turns take them from nobody.
const MOST: usize = 2 * connections::MOST;
static PLACES: Semaphore = Semaphore::const_new(MOST);

/// Whoever waits for the answer to a request that goes on by itself.
#[derive(Debug, Clone)]
pub struct Asker(CancellationToken);

impl Asker {
    /// Ends when nobody waits any more.
    pub async fn gone(&self) {
        self.0.cancelled().await;
    }
}

/// Lets a request that changes something go on when its client hangs up. What only reads ends with its client.
pub async fn writes(mut request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let Ok(place) = PLACES.try_acquire() else { return Error::Busy.into_response() };
    let asker = CancellationToken::new();
    request.extensions_mut().insert(Asker(asker.clone()));
    let _waits = asker.drop_guard();
    let work = async move {
        let _place = place;
        next.run(request).await
    };
    run(work).await.unwrap_or_else(IntoResponse::into_response)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::Router;
    use axum::body::Body;
    use axum::http::{Method, StatusCode};
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn what_finds_no_place_is_refused_before_anything_is_done() {
        let done = Arc::new(AtomicBool::new(false));
        let written = done.clone();
        let write = move || {
            let written = written.clone();
            async move { written.store(true, Ordering::SeqCst) }
        };
        let router = Router::new().route("/", get(|| async {}).post(write)).layer(from_fn(writes));
        let ask = async |method: Method| {
            let request = Request::builder().method(method).uri("/").body(Body::empty()).unwrap();
            router.clone().oneshot(request).await.unwrap().status()
        };
        let all = PLACES.acquire_many(u32::try_from(MOST).unwrap()).await.unwrap();
        assert_eq!(ask(Method::POST).await, StatusCode::SERVICE_UNAVAILABLE);
        assert!(!done.load(Ordering::SeqCst));
        // pages take no place
        assert_eq!(ask(Method::GET).await, StatusCode::OK);
        drop(all);
        assert_eq!(ask(Method::POST).await, StatusCode::OK);
        assert!(done.load(Ordering::SeqCst));
    }
}
