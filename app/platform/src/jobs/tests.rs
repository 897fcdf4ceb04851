//! The queue on both engines.

use std::collections::BTreeSet;

use super::*;
use crate::app::testing::{Engine, bare};

async fn queued(app: &App, count: usize) {
    let mut tx = app.db.begin().await.unwrap();
    for index in 0..count {
        enqueue_at(&mut tx, &crate::delivery::Deliver { message: format!("m{index}") }, 1_000).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn every_job_is_one_workers_own(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    queued(&app, 60).await;
    let workers: Vec<_> = (0..16)
        .map(|_| {
            let db = app.db.clone();
            tokio::spawn(async move {
                let mut mine = Vec::new();
                while let Some(leased) = take(&db, Lane::Urgent, 2_000).await.unwrap() {
                    mine.push(leased.id);
                }
                mine
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "a job was taken twice");
    // one that is just being taken is passed over, so a few may be left for the next look
    while let Some(leased) = take(&app.db, Lane::Urgent, 2_000).await.unwrap() {
        all.push(leased.id);
    }
    assert_eq!(all.len(), 60);
}

async fn a_silent_workers_job_is_taken_over(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    queued(&app, 1).await;
    assert!(take(&app.db, Lane::Urgent, 999).await.unwrap().is_none(), "it is not due yet");
    let first = take(&app.db, Lane::Urgent, 1_000).await.unwrap().unwrap();
    assert_eq!(first.attempts, 1);
    assert!(take(&app.db, Lane::Urgent, 1_000 + LEASE_MS - 1).await.unwrap().is_none(), "somebody holds it");
    let second = take(&app.db, Lane::Urgent, 1_000 + LEASE_MS).await.unwrap().unwrap();
    assert_eq!((second.id, second.attempts), (first.id, 2));
}

async fn what_always_fails_becomes_a_dead_letter(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    queued(&app, 1).await;
    let mut now = 1_000;
    let mut delays = Vec::new();
    let mut failing = None;
    while let Some(leased) = take(&app.db, Lane::Urgent, now).await.unwrap() {
        if failing.get_or_insert_with(|| leased.id.clone()) != &leased.id {
            assert_eq!(kind_of(&leased.payload), "notice_spread", "the shop is told");
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
    assert_eq!(delays.len() as i64, MAX_ATTEMPTS);
    assert!(delays.is_sorted() && delays[0] <= 3 && delays[delays.len() - 1] <= 3_601, "{delays:?}");
    assert!(delays.iter().sum::<i64>() > 3_600, "given up too early: {delays:?}");
    assert_eq!(commands::retry(&app, None).await.unwrap(), 1);
    assert!(take(&app.db, Lane::Urgent, now_ms()).await.unwrap().is_some());
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
    let leased = take(&app.db, Lane::Urgent, 1_000).await.unwrap().unwrap();
    let stop = CancellationToken::new();
    stop.cancel();
    let outcome = attend(&app, &leased.id, &stop, std::future::pending()).await;
    assert!(outcome.is_none());
    give_back(&app.db, &leased.id).await.unwrap();
    let again = take(&app.db, Lane::Urgent, 1_000).await.unwrap().unwrap();
    assert_eq!((again.id, again.attempts), (leased.id, 1), "it counts as not tried");
}

/// Work of a member's that is due at once.
#[derive(Serialize, serde::Deserialize)]
struct Drawn {
    of: String,
}

impl Job for Drawn {
    const KIND: &'static str = "drawn";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, _: App) -> Result<(), Error> {
        Ok(())
    }
}

/// Work that nobody waits for.
#[derive(Serialize, serde::Deserialize)]
struct Long {}

impl Job for Long {
    const KIND: &'static str = "long";
    async fn run(self, _: App) -> Result<(), Error> {
        Ok(())
    }
}

async fn nobodys_first_job_waits_for_all_of_anothers(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    let mut tx = app.db.begin().await.unwrap();
    let members: Vec<MemberId> = (0..2).map(|_| crate::db::new_id()).collect();
    for _ in 0..150 {
        enqueue_for(&mut tx, &Drawn { of: "many".into() }, &members[0], now_ms()).await.unwrap();
    }
    let many: Vec<Drawn> = (0..600).map(|_| Drawn { of: "many".into() }).collect();
    enqueue_all_for(&mut tx, &many, &members[0], now_ms()).await.unwrap();
    // what is for tomorrow holds nothing up today
    enqueue_for(&mut tx, &Drawn { of: "tomorrow".into() }, &members[1], now_ms() + 24 * 60 * 60_000)
        .await
        .unwrap();
    for of in ["first", "second"] {
        enqueue_for(&mut tx, &Drawn { of: of.into() }, &members[1], now_ms()).await.unwrap();
    }
    enqueue(&mut tx, &crate::delivery::Deliver { message: "code".into() }).await.unwrap();
    tx.commit().await.unwrap();
    let mut order = Vec::new();
    while let Some(leased) = next(&app.db, Lane::of_worker(3), now_ms()).await.unwrap() {
        order.push(leased.payload);
    }
    assert_eq!(order.len(), 753);
    let place = |what: &str| order.iter().position(|payload| payload.contains(what)).unwrap();
    assert_eq!(place("code"), 0, "a message goes before all drawing");
    assert!(place("first") <= 2 && place("second") <= 4, "{} {}", place("first"), place("second"));
}

async fn a_full_disk_is_waited_for(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    queued(&app, 1).await;
    let leased = take(&app.db, Lane::Urgent, 1_000).await.unwrap().unwrap();
    postpone(&app.db, &leased.id, leased.attempts, &Error::Full, "{}").await.unwrap();
    let again = take(&app.db, Lane::Urgent, now_ms() + FULL_DELAY_MS).await.unwrap().unwrap();
    assert_eq!((again.id, again.attempts), (leased.id, 1), "it counts as not tried");
}

async fn workers_are_kept_for_messages_and_for_what_is_awaited(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    let mut tx = app.db.begin().await.unwrap();
    enqueue(&mut tx, &Drawn { of: "somebody".into() }).await.unwrap();
    tx.commit().await.unwrap();
    assert!(next(&app.db, Lane::of_worker(0), now_ms()).await.unwrap().is_none());
    assert!(next(&app.db, Lane::of_worker(1), now_ms()).await.unwrap().is_some());
    // and one does nothing that takes hours
    let mut tx = app.db.begin().await.unwrap();
    enqueue(&mut tx, &Long {}).await.unwrap();
    tx.commit().await.unwrap();
    assert!(next(&app.db, Lane::of_worker(2), now_ms()).await.unwrap().is_none());
    assert!(next(&app.db, Lane::of_worker(3), now_ms()).await.unwrap().is_some());
}

async fn other_instances_are_told(engine: Engine) {
    let Some((app, _folder)) = bare(engine).await else { return };
    let (here, there, stop) = (Bell::default(), Bell::default(), CancellationToken::new());
    for bell in [&here, &there] {
        tokio::spawn(between_instances(app.db.clone(), bell.clone(), stop.clone()));
    }
    // rung until it is heard: whoever comes to listen later hears nothing of what was before
    let rung = async {
        loop {
            here.ring();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = there.rung() => assert!(matches!(app.db, Db::Postgres(..)), "SQLite has one instance"),
        () = rung => {}
        () = tokio::time::sleep(Duration::from_secs(if matches!(app.db, Db::Postgres(..)) { 30 } else { 1 })) => {
            assert!(matches!(app.db, Db::Sqlite(..)), "nobody was told");
        }
    }
    stop.cancel();
}

macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() {
                super::$name(super::Engine::Sqlite).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() {
                super::$name(super::Engine::Postgres).await;
            })+
        }
    };
}

on_both_engines!(
    every_job_is_one_workers_own,
    a_silent_workers_job_is_taken_over,
    what_always_fails_becomes_a_dead_letter,
    a_job_that_panics_has_failed,
    a_job_that_outlives_the_stop_is_given_back,
    nobodys_first_job_waits_for_all_of_anothers,
    workers_are_kept_for_messages_and_for_what_is_awaited,
    a_full_disk_is_waited_for,
    other_instances_are_told,
);
