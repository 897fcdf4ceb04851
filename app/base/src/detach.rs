//! Work that is carried to its end although whoever asked for it has gone.
//!
//! A server drops a handler when its client hangs up, at whatever `await` it stands. Half of a write must not be left
//! lying there: a connection that is in a transaction, a file without its row. So whatever writes runs as a task of its
//! own, which nobody drops.

use std::future::Future;

use crate::error::Error;
use crate::traces;

/// Runs a future to its end, also when the answer is not waited for.
///
/// # Errors
/// [`Error::Internal`] when it panicked.
pub async fn run<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Error> {
    tokio::spawn(traces::carried(work)).await.map_err(Error::internal)
}

/// Runs work that waits for the disk on a thread of its own.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn work_goes_on_when_nobody_waits() {
        let is_done = Arc::new(AtomicBool::new(false));
        let done = is_done.clone();
        let work = run(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            done.store(true, Ordering::SeqCst);
        });
        assert!(tokio::time::timeout(Duration::from_millis(1), work).await.is_err());
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(is_done.load(Ordering::SeqCst));
    }
}
