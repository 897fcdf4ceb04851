//! Answers that are ready before their requests have been read.
//!
//! A connection that is closed while its client still sends is reset, and the answer is lost with it (RFC 9112, section
//! 9.6, "Tear-down"): whoever sends a file that is refused would never learn why. So the rest is read first.

use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use futures::StreamExt;
use hyper::body::{Frame, SizeHint};
use tokio::sync::oneshot;

/// Bytes that are read for nothing. Who sends more is cut off.
const MOST: usize = 16 * 1024 * 1024;

/// Reads what a handler left of a request, before its answer goes out.
pub async fn read_the_rest(request: Request, next: Next) -> Response {
    // they wait for a word before they send anything (RFC 9110, section 10.1.1)
    let sends = !request.headers().contains_key(header::EXPECT);
    let (back, mut left) = oneshot::channel();
    let request = request.map(|body| Body::new(Lent { body, back: Some(back) }));
    let response = next.run(request).await;
    if sends
        && !asks_again(response.status())
        && let Ok(body) = left.try_recv()
    {
        discard(body).await;
    }
    response
}

/// Answers after which a client asks where an upload stands: it need not send the rest of this request.
fn asks_again(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::LOCKED)
}

async fn discard(body: Body) {
    let mut stream = body.into_data_stream();
    let mut left = MOST;
    while left > 0
        && let Some(Ok(bytes)) = stream.next().await
    {
        left = left.saturating_sub(bytes.len());
    }
}

/// A request's body, which comes back from whoever drops it.
struct Lent {
    body: Body,
    back: Option<oneshot::Sender<Body>>,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(back) = self.back.take() {
            // nobody may wait for it any more
            back.send(mem::take(&mut self.body)).ok();
        }
    }
}
