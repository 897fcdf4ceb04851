//! Waiting for what is done in the background.

use std::time::{Duration, Instant};

use crate::Server;

/// How long a test waits: what takes a second on a quiet machine may take far more behind what other tests make.
const PATIENCE: Duration = Duration::from_secs(180);

/// Asks until there is nothing left to wait for, and fails with what was left at last when there always is.
async fn until_nothing(left: impl AsyncFn() -> Option<String>) {
    let began = Instant::now();
    while let Some(left) = left().await {
        assert!(began.elapsed() < PATIENCE, "waited in vain: {left}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until something is so, and fails when it never is.
pub async fn until(what: &str, so: impl AsyncFn() -> bool) {
    until_nothing(async || (!so().await).then(|| what.to_owned())).await;
}

/// Waits until a query of one cell answers so.
pub async fn eventually(server: &Server, query: &str, answer: &str) {
    until_nothing(async || {
        let answered = server.read(query).await;
        (answered != answer).then(|| format!("{query} answers {answered}, not {answer}"))
    })
    .await;
}

/// Lets the time of all jobs of these kinds come, and of those that they or a request under way still queue, and waits until
/// none is left.
pub async fn carried_out(server: &Server, kinds: &[&str]) {
    let kinds = kinds.iter().map(|kind| format!("'{kind}'")).collect::<Vec<_>>().join(", ");
    let waiting = format!("select kind || ' ' || coalesce(last_error, '') from jobs where kind in ({kinds})");
    until_nothing(async || {
        let left = server.column(&waiting).await;
        if left.is_empty() {
            return None;
        }
        // one that is just being done may queue itself for later, or be tried again later
        server.sql(&format!("update jobs set run_at = 0 where run_at > 0 and kind in ({kinds})")).await;
        Some(format!("{left:?}"))
    })
    .await;
}
