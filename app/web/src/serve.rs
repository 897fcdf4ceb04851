//! Accepting connections. `axum::serve` sets no limits; these do.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use base::sandbox;
use futures::FutureExt;
use hyper::body::{Frame, SizeHint};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::connections::{Connection, Connections};

/// A request's headers must be whole by then, however slowly they drip.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// How long running requests may take once the server is told to stop.
const STOP_DEADLINE: Duration = Duration::from_secs(20);
/// Bytes of an answer that may wait in the system's buffer before more of it is written: few, so that a client that takes
/// nothing is seen to (`TCP_NOTSENT_LOWAT`), and less than the slowest takes in the time that it has.
const UNSENT: u32 = 12 * 1024;
/// Bytes that are read at once, and the most of a request's line and headers. A connection keeps what its largest read took, up
/// to 400 KB by itself: a quarter of all memory where 200 people had sent photos.
const READ_AT_ONCE: usize = 32 * 1024;
/// Files and connections that the program asks to have open at once.
const OPEN_FILES: u64 = 16_384;

/// Serves until told to stop, then lets running requests end.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Arc<Connections>,
    stop: CancellationToken,
) {
    if let Err(error) = rlimit::increase_nofile_limit(OPEN_FILES) {
        tracing::warn!(%error, "The number of open files could not be raised");
    }
    if let Some(lacking) = sandbox::lacking() {
        tracing::warn!(lacking, "What opens members' files is not shut in as it should be");
    }
    let graceful = GracefulShutdown::new();
    let mut server = hyper::server::conn::http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_headers(64)
        .max_buf_size(READ_AT_ONCE);
    loop {
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
        let Some(place) = connections.enter(peer.ip()) else {
            tracing::debug!(%peer, "No place for a connection");
            continue;
        };
        // small answers leave at once
        let _ = stream.set_nodelay(true);
        // what is written beyond this has left the machine, or waits for a client that takes nothing
        let _ = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT);
        let service = with_peer(router.clone(), peer, place.connection.clone());
        let stream = Watched { stream, connection: place.connection.clone() };
        // on its own: what a task is given and then waits for has its place in it twice, for as long as the connection lasts
        let connection = Box::pin(graceful.watch(server.serve_connection(TokioIo::new(stream), service)));
        tokio::spawn(async move {
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(%peer, %error, "A connection ended early");
                },
                () = place.connection.closed.cancelled() => tracing::debug!(%peer, "A connection gave way"),
                () = place.connection.too_slow() => tracing::debug!(%peer, "A connection was too slow"),
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
    connection: Arc<Connection>,
) -> TowerToHyperService<
    impl tower::Service<
        axum::http::Request<hyper::body::Incoming>,
        Response = axum::response::Response,
        Error = std::convert::Infallible,
        Future: Send,
    > + Clone,
> {
    let working = connection.clone();
    let router = router
        .map_request(move |request: axum::http::Request<hyper::body::Incoming>| {
            connection.set_working(true);
            let connection = connection.clone();
            let mut request = request.map(|body| Body::new(Paced { body, connection }));
            request.extensions_mut().insert(ConnectInfo(peer));
            request
        })
        .map_future(move |answer| {
            let working = working.clone();
            answer.map(move |answer| {
                working.set_working(false);
                answer
            })
        });
    TowerToHyperService::new(router)
}

/// A request's body, whose sender is waited for only so long.
struct Paced {
    body: hyper::body::Incoming,
    connection: Arc<Connection>,
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let sending = &self.connection.sending;
        match &polled {
            Poll::Pending => sending.wait(&self.connection),
            Poll::Ready(Some(Ok(frame))) => {
                sending.moved(&self.connection, frame.data_ref().map_or(0, Bytes::len));
            }
            Poll::Ready(_) => sending.moved(&self.connection, 0),
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Paced {
    fn drop(&mut self) {
        // nobody waits for the rest
        self.connection.sending.moved(&self.connection, 0);
    }
}

/// A connection's bytes, counted.
struct Watched {
    stream: TcpStream,
    connection: Arc<Connection>,
}

impl Watched {
    fn wrote(&self, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &polled {
            Poll::Pending => self.connection.taking.wait(&self.connection),
            Poll::Ready(written) => {
                let bytes = *written.as_ref().unwrap_or(&0);
                self.connection.taking.moved(&self.connection, bytes);
                self.connection.moved(bytes);
            }
        }
        polled
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        self.connection.moved(buffer.filled().len() - before);
        Poll::Ready(read)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wrote(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
