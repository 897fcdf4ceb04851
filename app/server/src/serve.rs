//! Accepting connections. `axum::serve` sets no limits; these do.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// A request's headers must be whole by then, however slowly they drip.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections at once; more wait in the system's queue.
const CONNECTIONS: usize = 2_000;
/// How long running requests may take once the server is told to stop.
const STOP_DEADLINE: Duration = Duration::from_secs(20);

/// Serves until told to stop, then lets running requests end.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_headers(64);
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "A connection could not be accepted");
                // out of file descriptors, most likely: let some connections end first
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // small answers leave at once
        let _ = stream.set_nodelay(true);
        let service = with_peer(router.clone(), peer);
        let connection = graceful.watch(server.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = connection.await {
                tracing::debug!(%peer, %error, "A connection ended early");
            }
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => tracing::info!("All requests are answered; stopping"),
        () = tokio::time::sleep(STOP_DEADLINE) => tracing::warn!("Stopping with requests still running"),
    }
}

fn with_peer(
    router: Router,
    peer: SocketAddr,
) -> TowerToHyperService<
    impl tower::Service<
        axum::http::Request<hyper::body::Incoming>,
        Response = axum::response::Response,
        Error = std::convert::Infallible,
        Future: Send,
    > + Clone,
> {
    TowerToHyperService::new(router.map_request(
        move |request: axum::http::Request<hyper::body::Incoming>| {
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request
        },
    ))
}
