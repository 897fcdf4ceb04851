//! Workers on both engines.

use base::db::with_db;
use base::on_both_engines;
use base::testing::Engine;

use super::*;
use crate::app::testing::bare;

async fn queued(app: &App, count: usize) {
    let mut tx = app.db.begin().await.unwrap();
    for index in 0..count {
        jobs::enqueue_at(&mut tx, &delivery::Deliver { message: format!("m{index}") }, 1_000).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn what_always_fails_becomes_a_dead_letter(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    queued(&app, 1).await;
    let mut now = 1_000;
    let mut delays = Vec::new();
    let mut failing = None;
    while let Some(leased) = jobs::next(&app.db, &[Lane::Urgent], now).await.unwrap() {
        if failing.get_or_insert_with(|| leased.id.clone()) != &leased.id {
            assert_eq!(jobs::kind_of(&leased.payload), "notice_spread", "the shop is told");
            break;
        }
        let before = now_ms();
        postpone(&app.db, &leased.id, leased.attempts, &Error::internal("no"), &leased.payload)
            .await
            .unwrap();
        let again: i64 =
            with_db!(&app.db, |pool| sqlx::query_scalar("select run_at from jobs where id = $1")
                .bind(&leased.id)
                .fetch_one(pool)
                .await)
            .unwrap();
        delays.push((again - before) / 1_000);
        now = again;
    }
    assert_eq!(delays.len() as i64, jobs::MAX_ATTEMPTS);
    assert!(delays.is_sorted() && delays[0] <= 3 && delays[delays.len() - 1] <= 3_601, "{delays:?}");
    assert!(delays.iter().sum::<i64>() > 3_600, "given up too early: {delays:?}");
    assert_eq!(jobs::retry(&app.db, None).await.unwrap(), 1);
    assert!(jobs::next(&app.db, &[Lane::Urgent], now_ms()).await.unwrap().is_some());
}

async fn a_job_that_panics_has_failed(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    let outcome = attend(&app, "nothing", &CancellationToken::new(), async { panic!("no thread") }).await;
    assert!(outcome.is_some_and(|outcome| outcome.is_err()));
    assert_eq!(app.health.to_string(), "workers: 0, restarted: 0, jobs that panicked: 1");
}

async fn a_job_that_outlives_the_stop_is_given_back(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    queued(&app, 1).await;
    let leased = jobs::next(&app.db, &[Lane::Urgent], 1_000).await.unwrap().unwrap();
    let stop = CancellationToken::new();
    stop.cancel();
    let outcome = attend(&app, &leased.id, &stop, std::future::pending()).await;
    assert!(outcome.is_none());
    jobs::give_back(&app.db, &leased.id).await.unwrap();
    let again = jobs::next(&app.db, &[Lane::Urgent], 1_000).await.unwrap().unwrap();
    assert_eq!((again.id, again.attempts), (leased.id, 1), "it counts as not tried");
}

on_both_engines!(
    what_always_fails_becomes_a_dead_letter,
    a_job_that_panics_has_failed,
    a_job_that_outlives_the_stop_is_given_back,
);
