//! A job on its way into the folder. It is whole and durable beside its place before its row says that it is put there, and its
//! row says so before it is: whatever ends the program between two of these, the next look goes on where it stopped.

use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::time;
use domain::hot_folder::{JobNumber, Part, Parts, folder_name, to_place};
use domain::ids::OrderId;
use orders::JobFiles;
use serde_json::{Value, json};
use web::app::App;

use super::place::{Hangs, Listed, Place, Put, Source, Whereabouts};
use super::store::{self, Job, State};
use super::sweep::covers;

/// For how long nobody else goes on with what a bucket may be in the middle of.
const BUSY_MS: i64 = 20_000;

/// What `job.json` says.
fn told(number: &JobNumber, name: &str, files: &JobFiles, listed: &[Listed], now: i64) -> Value {
    json!({
        "format": "bindery-job/1",
        "job": number.to_string(),
        "order": number.order,
        "name": name,
        "placed_at": time::stamp(now),
        "due": files.due.map(|day| day.to_string()),
        "copies": files.copies.values().sum::<u32>(),
        "files": listed,
        "ticket": files.ticket,
    })
}

/// Puts parts of an order into the folder as its next job.
pub async fn place_parts(app: &App, place: &Place, order: &OrderId, parts: &[Part]) -> Result<(), Hangs> {
    let lines: Vec<i64> = parts.iter().map(|part| part.line).collect();
    let mut files = orders::job_files(app, order, &lines).await?;
    let is_same = parts.iter().all(|part| files.copies.get(&part.line) == Some(&part.copies));
    if !is_same || files.copies.len() != parts.len() {
        return Err(Hangs("订单里的本数和生产里的对不上，请打开订单和生产核对".to_owned()));
    }
    let known = store::of_order(&app.db, order).await?;
    let last = known.last().map_or(0, |job| job.number.number);
    let number = JobNumber { order: order.clone(), number: last + 1 };
    let parts = Parts(parts.to_vec());
    let name = folder_name(files.due, &number, parts.copies(), &files.title);
    let (staging, now) = (format!("{number}-{}", new_id::<String>()), now_ms());
    let sources = std::mem::take(&mut files.files)
        .into_iter()
        .map(|(name, place)| match place {
            orders::Place::Disk(path) => (name, Source::Disk(path)),
            orders::Place::Bytes(bytes) => (name, Source::Bytes(bytes)),
        })
        .collect();
    let told = {
        let (number, name) = (number.clone(), name.clone());
        Box::new(move |listed: &[Listed]| told(&number, &name, &files, listed, now))
    };
    let listed = place.stage(&staging, &name, sources, told).await?;
    let job = Job {
        number,
        name,
        parts,
        files: listed,
        staging,
        state: State::Placing,
        since: now_ms(),
        placed_at: None,
        taken_at: None,
        printed_at: None,
        recalled: None,
    };
    if !is_wanted(app, &job, &known).await? || !claim(app, &job).await? {
        place.unstage(&job.staging).await;
        return Ok(());
    }
    go_on(app, place, &job).await
}

/// Whether the floor still asks for just this: it may have changed while the files were made and copied.
async fn is_wanted(app: &App, job: &Job, known: &[Job]) -> Result<bool, Error> {
    let order = &job.number.order;
    let floor = production::standings(&app.db, order).await?;
    let asks = orders::may_be_printed(&app.db, now_ms()).await?.get(order).copied();
    Ok(asks == Some(false) && to_place(&floor, &covers(known)) == job.parts.0)
}

/// Writes down that it is put in its place next; false where another machine does that.
async fn claim(app: &App, job: &Job) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    if !store::insert(&mut tx, job).await? {
        return Ok(false);
    }
    store::replace_again(&mut tx, &job.number.order, job.since).await?;
    tx.commit().await?;
    Ok(true)
}

/// Puts one in its place whose row says that it is on its way.
async fn go_on(app: &App, place: &Place, job: &Job) -> Result<(), Hangs> {
    let to = match place.put(&job.staging, &job.name, &job.files).await? {
        Put::There => State::Placed,
        Put::Taken => State::Taken,
    };
    let mut tx = app.db.begin().await?;
    if store::step(&mut tx, job, to, now_ms()).await? {
        let detail =
            json!({ "job": job.number.to_string(), "name": job.name, "parts": job.parts.to_string() });
        audit::acting(
            super::sweep::ACTOR,
            audit::note(&mut tx, "job place", job.number.order.as_str(), &detail),
        )
        .await
        .0?;
        tx.commit().await?;
    }
    Ok(())
}

/// Goes on with one that was on its way when the program ended.
pub async fn recover(app: &App, place: &Place, job: &Job) -> Result<(), Hangs> {
    // another machine may be at it
    if !place.renames() && now_ms() - job.since < BUSY_MS {
        return Ok(());
    }
    if place.whereabouts(&job.staging, &job.name).await? == Whereabouts::Withdrawn {
        let mut tx = app.db.begin().await?;
        store::step(&mut tx, job, State::Withdrawn, now_ms()).await?;
        tx.commit().await?;
        return Ok(());
    }
    go_on(app, place, job).await
}
