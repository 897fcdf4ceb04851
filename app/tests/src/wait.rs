//! Waiting for what is done in the background.

use std::time::{Duration, Instant};

use crate::Server;

/// How long a test waits: what takes a second on a quiet machine may take far more behind what other tests make.
const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until something is so, and fails when it never is.
pub async fn until(what: &str, so: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !so().await {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a query of one cell answers so.
pub async fn eventually(server: &Server, query: &str, answer: &str) {
    let began = Instant::now();
    loop {
        let answered = server.read(query).await;
        if answered == answer {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{query} answers {answered}, not {answer}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Lets the time of all jobs of these kinds come, and of those that they or a request under way still queue, and waits until
/// none is left.
pub async fn carried_out(server: &Server, kinds: &[&str]) {
    let kinds = kinds.iter().map(|kind| format!("'{kind}'")).collect::<Vec<_>>().join(", ");
    let left = format!("select kind || ' ' || coalesce(last_error, '') from jobs where kind in ({kinds})");
    let began = Instant::now();
    loop {
        let left = server.column(&left).await;
        if left.is_empty() {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "never carried out: {left:?}");
        // one that is just being done may queue itself for later, or be tried again later
        server.sql(&format!("update jobs set run_at = 0 where run_at > 0 and kind in ({kinds})")).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
