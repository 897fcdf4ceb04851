//! The queue on both engines.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::*;
use crate::on_both_engines;
use crate::testing::{Engine, database};

async fn queued(db: &Db, count: usize) {
    let mut tx = db.begin().await.unwrap();
    for index in 0..count {
        enqueue_at(&mut tx, &crate::delivery::Deliver { message: format!("m{index}") }, 1_000).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Work of a member's that is due at once.
#[derive(Serialize, serde::Deserialize)]
struct Drawn {
    of: String,
}

impl Job for Drawn {
    type App = ();
    const KIND: &'static str = "drawn";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, (): ()) -> Result<(), Error> {
        Ok(())
    }
}

/// Work that nobody waits for.
#[derive(Serialize, serde::Deserialize)]
struct Long {}

impl Job for Long {
    type App = ();
    const KIND: &'static str = "long";
    async fn run(self, (): ()) -> Result<(), Error> {
        Ok(())
    }
}

async fn every_job_is_one_workers_own(engine: Engine) {
    let Some((db, _folder)) = database(engine).await else { return };
    queued(&db, 60).await;
    let workers: Vec<_> = (0..16)
        .map(|_| {
            let db = db.clone();
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
    while let Some(leased) = take(&db, Lane::Urgent, 2_000).await.unwrap() {
        all.push(leased.id);
    }
    assert_eq!(all.len(), 60);
}

async fn a_silent_workers_job_is_taken_over(engine: Engine) {
    let Some((db, _folder)) = database(engine).await else { return };
    queued(&db, 1).await;
    assert!(take(&db, Lane::Urgent, 999).await.unwrap().is_none(), "it is not due yet");
    let first = take(&db, Lane::Urgent, 1_000).await.unwrap().unwrap();
    assert_eq!(first.attempts, 1);
    assert!(take(&db, Lane::Urgent, 1_000 + LEASE_MS - 1).await.unwrap().is_none(), "somebody holds it");
    let second = take(&db, Lane::Urgent, 1_000 + LEASE_MS).await.unwrap().unwrap();
    assert_eq!((second.id, second.attempts), (first.id, 2));
}

async fn nobodys_first_job_waits_for_all_of_anothers(engine: Engine) {
    let Some((db, _folder)) = database(engine).await else { return };
    let mut tx = db.begin().await.unwrap();
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
    while let Some(leased) = next(&db, Lane::of_worker(3), now_ms()).await.unwrap() {
        order.push(leased.payload);
    }
    assert_eq!(order.len(), 753);
    let place = |what: &str| order.iter().position(|payload| payload.contains(what)).unwrap();
    assert_eq!(place("code"), 0, "a message goes before all drawing");
    assert!(place("first") <= 2 && place("second") <= 4, "{} {}", place("first"), place("second"));
}

async fn workers_are_kept_for_messages_and_for_what_is_awaited(engine: Engine) {
    let Some((db, _folder)) = database(engine).await else { return };
    let mut tx = db.begin().await.unwrap();
    enqueue(&mut tx, &Drawn { of: "somebody".into() }).await.unwrap();
    tx.commit().await.unwrap();
    assert!(next(&db, Lane::of_worker(0), now_ms()).await.unwrap().is_none());
    assert!(next(&db, Lane::of_worker(1), now_ms()).await.unwrap().is_some());
    // and one does nothing that takes hours
    let mut tx = db.begin().await.unwrap();
    enqueue(&mut tx, &Long {}).await.unwrap();
    tx.commit().await.unwrap();
    assert!(next(&db, Lane::of_worker(2), now_ms()).await.unwrap().is_none());
    assert!(next(&db, Lane::of_worker(3), now_ms()).await.unwrap().is_some());
}

async fn a_full_disk_is_waited_for(engine: Engine) {
    let Some((db, _folder)) = database(engine).await else { return };
    queued(&db, 1).await;
    let leased = take(&db, Lane::Urgent, 1_000).await.unwrap().unwrap();
    let mut tx = db.begin().await.unwrap();
    postpone(&mut tx, &leased.id, leased.attempts, &Error::Full).await.unwrap();
    tx.commit().await.unwrap();
    let again = take(&db, Lane::Urgent, now_ms() + FULL_DELAY_MS).await.unwrap().unwrap();
    assert_eq!((again.id, again.attempts), (leased.id, 1), "it counts as not tried");
}

async fn other_instances_are_told(engine: Engine) {
    let Some((db, _folder)) = database(engine).await else { return };
    let (here, there, stop) = (Bell::default(), Bell::default(), CancellationToken::new());
    for bell in [&here, &there] {
        tokio::spawn(between_instances(db.clone(), bell.clone(), stop.clone()));
    }
    // rung until it is heard: whoever comes to listen later hears nothing of what was before
    let rung = async {
        loop {
            here.ring();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = there.rung() => assert!(matches!(db, Db::Postgres(..)), "SQLite has one instance"),
        () = rung => {}
        () = tokio::time::sleep(Duration::from_secs(if matches!(db, Db::Postgres(..)) { 30 } else { 1 })) => {
            assert!(matches!(db, Db::Sqlite(..)), "nobody was told");
        }
    }
    stop.cancel();
}

on_both_engines!(
    every_job_is_one_workers_own,
    a_silent_workers_job_is_taken_over,
    nobodys_first_job_waits_for_all_of_anothers,
    workers_are_kept_for_messages_and_for_what_is_awaited,
    a_full_disk_is_waited_for,
    other_instances_are_told,
);
