//! The look at the folder, every few seconds: what came back printed, what became of what lies there, what may be put there now.
//! A share of the network tells nobody of changes, so it is looked at.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;
use std::time::Duration;

use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::time;
use domain::hot_folder::{Cover, Parts, Standing, Verdict, named_in, to_place, verdict};
use domain::ids::OrderId;
use serde_json::json;
use web::app::App;
use web::background::{Background, HOUR};

use super::place::{Back, Hangs, PRINTED, Place, Whereabouts};
use super::placing::{place_parts, recover};
use super::store::{self, Job, State};

/// See the module.
pub const WATCHING: Background = Background::every(Duration::from_secs(3), "the hot folder", |app| {
    Box::pin(async move { look(&app).await })
});

/// Who does what the folder says, in the log and on the floor.
pub const ACTOR: &str = "热文件夹";
/// After how long an order is tried again whose files can't be made or written.
const AGAIN_MS: i64 = 60_000;
/// How long what was read stays in `printed`: whoever put it there may still be copying.
const TIDY_MS: i64 = 10 * 60_000;

/// How long a workflow may take files out of a job one after the other.
const TORN_MS: i64 = 60_000;

/// What hangs of the folder itself.
const FOLDER: &str = "folder";
/// Of an order that is not in the folder yet, of a job, of something in `printed`: behind these words its name.
pub const ORDER: &str = "order/";
pub const JOB: &str = "job/";
pub const ENTRY: &str = "printed/";

/// What one program remembers.
#[derive(Debug, Default)]
struct Memory {
    /// Orders that could not be put there: when, and why.
    failed: HashMap<OrderId, (i64, String)>,
    /// When halves were deleted last.
    cleaned_at: i64,
    /// Jobs in their places that lack files, and since when.
    torn: HashMap<String, i64>,
}

type Troubles = BTreeMap<String, String>;

fn memory(app: &App) -> Result<std::sync::Arc<Mutex<Memory>>, Error> {
    app.own(|_| Ok(Mutex::new(Memory::default())))
}

async fn look(app: &App) -> Result<(), Error> {
    let Some(hot) = &app.config.hot_folder else { return Ok(()) };
    let place = Place::of(app, hot);
    let mut troubles = Troubles::new();
    if let Err(Hangs(words)) = round(app, &place, &hot.named, &mut troubles).await {
        troubles.insert(FOLDER.to_owned(), words);
    }
    for (subject, words) in store::set_troubles(&app.db, &troubles, now_ms()).await? {
        tracing::warn!(subject, words, "Something hangs in the hot folder");
    }
    Ok(())
}

async fn round(app: &App, place: &Place, named: &str, troubles: &mut Troubles) -> Result<(), Hangs> {
    check_mark(app, place, named).await?;
    let printed = read_printed(app, place, troubles).await?;
    let mut floor: HashMap<OrderId, Vec<Standing>> = HashMap::new();
    for (order, standing) in production::open_lines(&app.db).await? {
        floor.entry(order).or_default().push(standing);
    }
    for job in store::active(&app.db).await? {
        if printed.contains(&job.name) || job.state == State::Again {
            continue;
        }
        // one that hangs keeps no other waiting
        if let Err(Hangs(words)) = follow(app, place, &job, &floor, troubles).await {
            troubles.insert(format!("{JOB}{}", job.number), words);
        }
    }
    place_all(app, place, &floor, troubles).await?;
    clean(app, place).await
}

/// Makes sure that it is this shop's folder, and the one that it was: an empty one in its place is a share that is not mounted.
async fn check_mark(app: &App, place: &Place, named: &str) -> Result<(), Hangs> {
    let known = store::known(&app.db).await?;
    let mark = place.mark().await?;
    match (&mark, &known) {
        (Some(mark), Some((house, _))) if mark != house => {
            return Err(Hangs("这个热文件夹是另一家店的：里面的 .bindery 不是本店的记号".to_owned()));
        }
        (Some(_), None) => {
            return Err(Hangs(
                "这个热文件夹是另一家店的，或者是本店以前的数据库用的：里面已经有 .bindery".to_owned(),
            ));
        }
        (None, Some((_, before))) if before == named => {
            return Err(Hangs(
                "热文件夹里没有本店的记号 .bindery：是否没有挂载？确实清空过，就按“重新启用”".to_owned(),
            ));
        }
        (Some(_), Some((_, before))) if before == named => return place.complete().await,
        _ => {}
    }
    begin(app, place, named).await
}

/// Makes it this shop's.
pub async fn begin(app: &App, place: &Place, named: &str) -> Result<(), Hangs> {
    // its name is kept last: one whose mark was not written yet is none that lost it
    let house = keep_known(app, &new_id::<String>(), "").await?;
    place.begin(&house).await?;
    place.complete().await?;
    keep_known(app, &house, named).await?;
    Ok(())
}

async fn keep_known(app: &App, house: &str, named: &str) -> Result<String, Error> {
    let mut tx = app.db.begin().await?;
    let house = store::keep_known(&mut tx, house, named).await?;
    tx.commit().await?;
    Ok(house)
}

/// Reads what lies in `printed`; the names of the jobs that do.
async fn read_printed(app: &App, place: &Place, troubles: &mut Troubles) -> Result<HashSet<String>, Hangs> {
    let mut found = HashSet::new();
    for entry in place.printed().await? {
        match read_entry(app, place, &entry).await {
            Ok(job) => drop(found.insert(job)),
            Err((job, Hangs(words))) => {
                found.extend(job);
                troubles.insert(format!("{ENTRY}{entry}"), words);
            }
        }
    }
    Ok(found)
}

/// Does what one thing in `printed` says. The name of its job; else why not, with that name where it is known.
async fn read_entry(app: &App, place: &Place, entry: &str) -> Result<String, (Option<String>, Hangs)> {
    let nameless = |hangs| (None, hangs);
    let number = named_in(entry).map_err(|error| nameless(Hangs(error.to_string())))?;
    let job = store::find(&app.db, &number).await.map_err(|error| nameless(error.into()))?;
    let Some(job) = job else {
        return Err(nameless(Hangs(format!("{number} 不是本店放出去的任务"))));
    };
    let name = job.name.clone();
    let said = |hangs| (Some(name.clone()), hangs);
    match job.state {
        State::Printed | State::Closed => {
            if now_ms() - job.since > TIDY_MS {
                let stamp = time::stamp(now_ms()).replace([' ', ':'], "-");
                place.tidy(entry, &stamp).await.map_err(said)?;
            }
        }
        State::Withdrawn => {
            let why = job.recalled.unwrap_or_default();
            return Err(said(Hangs(format!("这个任务已经撤回（{why}），却在 {PRINTED} 里：是否印了？"))));
        }
        State::Replaced => {
            return Err(said(Hangs(format!("这个任务另放了一份，却也在 {PRINTED} 里：是否印了两次？"))));
        }
        State::Placing | State::Placed | State::Taken | State::Again => {
            let (done, _) = audit::acting(ACTOR, finish(app, &job)).await;
            done.map_err(|error| said(error.into()))?;
            if job.recalled.is_some() {
                place.unsign(&job.name).await.map_err(said)?;
            }
        }
    }
    Ok(name)
}

/// Moves the lines of a job on that came back printed, and notes that they did: at once, or not at all.
async fn finish(app: &App, job: &Job) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let job = store::lock(&mut tx, &job.number).await?;
    if !matches!(job.state, State::Placing | State::Placed | State::Taken | State::Again) {
        return Ok(());
    }
    let now = now_ms();
    let order = &job.number.order;
    match verdict(&job.parts, &production::standings_within(&mut tx, order).await?) {
        Verdict::Printed => {}
        Verdict::Recalled(why) => return Err(Error::Conflict(format!("印好了，可是{why}"))),
        Verdict::Stands => {
            orders::start_in(&mut tx, order, now).await?;
            let lines: Vec<(i64, i64)> = job.parts.0.iter().map(|part| (part.line, part.round)).collect();
            production::printed(&mut tx, order, &lines, now).await?;
        }
    }
    store::step(&mut tx, &job, State::Printed, now).await?;
    audit::note(&mut tx, "job printed", order.as_str(), &json!({ "job": job.number.to_string() })).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Where an order's lines stand; those of one that left the floor are asked for.
async fn standings(
    app: &App,
    job: &Job,
    floor: &HashMap<OrderId, Vec<Standing>>,
) -> Result<Vec<Standing>, Error> {
    let open = floor.get(&job.number.order);
    let has_all = |open: &&Vec<Standing>| {
        job.parts.0.iter().all(|part| open.iter().any(|now| (now.line, now.round) == (part.line, part.round)))
    };
    match open.filter(has_all) {
        Some(open) => Ok(open.clone()),
        None => production::standings(&app.db, &job.number.order).await,
    }
}

async fn step(app: &App, job: &Job, to: State, recalled: Option<&str>) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    if store::step(&mut tx, job, to, now_ms()).await? {
        store::set_recalled(&mut tx, &job.number, recalled).await?;
        if to == State::Withdrawn {
            let detail = json!({ "job": job.number.to_string(), "why": recalled });
            audit::acting(ACTOR, audit::note(&mut tx, "job withdraw", job.number.order.as_str(), &detail))
                .await
                .0?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Looks where a job is, and whether it may be.
async fn follow(
    app: &App,
    place: &Place,
    job: &Job,
    floor: &HashMap<OrderId, Vec<Standing>>,
    troubles: &mut Troubles,
) -> Result<(), Hangs> {
    if job.state == State::Placing {
        return recover(app, place, job).await;
    }
    let now = verdict(&job.parts, &standings(app, job, floor).await?);
    let mut job = job.clone();
    match (job.state, place.whereabouts(&job.staging, &job.name).await?) {
        (State::Taken, Whereabouts::There) => {
            step(app, &job, State::Placed, job.recalled.as_deref()).await?;
            job.state = State::Placed;
        }
        (_, Whereabouts::There) => {}
        // a power cut undid the rename
        (State::Placed, Whereabouts::Incoming) => {
            place.put(&job.staging, &job.name, &job.files).await?;
        }
        (_, Whereabouts::Withdrawn) => {
            let why = if let Verdict::Recalled(why) = &now { Some(why.as_str()) } else { None };
            return Ok(step(app, &job, State::Withdrawn, why.or(job.recalled.as_deref())).await?);
        }
        (State::Placed, _) => {
            step(app, &job, State::Taken, job.recalled.as_deref()).await?;
            job.state = State::Taken;
        }
        _ => {}
    }
    let why = match now {
        Verdict::Stands => {
            if job.recalled.is_some() {
                place.unsign(&job.name).await?;
                recall(app, &job, None).await?;
            }
            return if job.state == State::Placed { check_whole(app, place, &job).await } else { Ok(()) };
        }
        Verdict::Printed if job.state == State::Taken => {
            if job.recalled.is_some() {
                place.unsign(&job.name).await?;
            }
            return Ok(step(app, &job, State::Printed, None).await?);
        }
        Verdict::Printed => "生产里已经记为印好".to_owned(),
        Verdict::Recalled(why) => why,
    };
    let outcome = match job.state {
        State::Placed => place.take_back(&job.name, &job.files).await?,
        _ => Back::Taken,
    };
    let words = match outcome {
        Back::Withdrawn => return Ok(step(app, &job, State::Withdrawn, Some(&why)).await?),
        Back::Taken => format!("{why}；可是流程已经取走，请到流程里停下"),
        Back::Touched => format!("{why}；可是流程已经动过它的文件，没有撤回，请到流程里停下"),
    };
    if job.recalled.as_ref() != Some(&why) {
        place.sign(&job.name, &format!("{} {why}", job.number)).await?;
        recall(app, &job, Some(&why)).await?;
    }
    troubles.insert(format!("{JOB}{}", job.number), words);
    Ok(())
}

/// Names what is missing of a job in its place, once that is so for a while.
async fn check_whole(app: &App, place: &Place, job: &Job) -> Result<(), Hangs> {
    let missing = place.missing(&job.name, &job.files).await?;
    let memory = memory(app)?;
    let mut memory = memory.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if missing.is_empty() {
        memory.torn.remove(&job.name);
        return Ok(());
    }
    let since = *memory.torn.entry(job.name.clone()).or_insert_with(now_ms);
    if now_ms() - since < TORN_MS {
        return Ok(());
    }
    Err(Hangs(format!(
        "缺了 {}：流程只取了一部分，或者有人删了。要重来，就把它的文件夹整个删掉，再按“再放一次”",
        missing.join("、")
    )))
}

async fn recall(app: &App, job: &Job, why: Option<&str>) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    store::set_recalled(&mut tx, &job.number, why).await?;
    tx.commit().await?;
    Ok(())
}

/// How the jobs of an order take part in what is put there next.
pub fn covers(jobs: &[Job]) -> Vec<(Cover, Parts)> {
    let cover = |job: &Job| match job.state {
        State::Withdrawn => Some(Cover::TakenBack),
        State::Again => Some(Cover::Again),
        State::Replaced => None,
        State::Placing | State::Placed | State::Taken | State::Printed | State::Closed => Some(Cover::Covers),
    };
    jobs.iter().filter_map(|job| Some((cover(job)?, job.parts.clone()))).collect()
}

/// Puts there what may be printed and is not there yet.
async fn place_all(
    app: &App,
    place: &Place,
    floor: &HashMap<OrderId, Vec<Standing>>,
    troubles: &mut Troubles,
) -> Result<(), Hangs> {
    let memory = memory(app)?;
    let failed = || memory.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let may = orders::may_be_printed(&app.db, now_ms()).await?;
    failed().failed.retain(|order, _| may.contains_key(order));
    let asked: Vec<(OrderId, bool)> =
        may.into_iter().filter(|(order, _)| floor.contains_key(order)).collect();
    let orders: Vec<OrderId> = asked.iter().map(|(order, _)| order.clone()).collect();
    let mut jobs: HashMap<OrderId, Vec<Job>> = HashMap::new();
    for job in store::of_orders(&app.db, &orders).await? {
        jobs.entry(job.number.order.clone()).or_default().push(job);
    }
    for (order, asks) in asked {
        let jobs = jobs.remove(&order).unwrap_or_default();
        let parts = to_place(floor.get(&order).map(Vec::as_slice).unwrap_or_default(), &covers(&jobs));
        if parts.is_empty() {
            failed().failed.remove(&order);
            continue;
        }
        let subject = format!("{ORDER}{order}");
        if asks {
            troubles.insert(subject, "会员申请了取消，答复以后才放".to_owned());
            continue;
        }
        let before = failed().failed.get(&order).cloned();
        if let Some((_, words)) = before.filter(|(at, _)| now_ms() - at < AGAIN_MS) {
            troubles.insert(subject, words);
            continue;
        }
        match place_parts(app, place, &order, &parts).await {
            Ok(()) => drop(failed().failed.remove(&order)),
            Err(Hangs(words)) => {
                failed().failed.insert(order, (now_ms(), words.clone()));
                troubles.insert(subject, words);
            }
        }
    }
    Ok(())
}

/// Deletes halves, now and then.
async fn clean(app: &App, place: &Place) -> Result<(), Hangs> {
    let memory = memory(app)?;
    let hour = i64::try_from(HOUR.as_millis()).unwrap_or(i64::MAX);
    {
        let mut memory = memory.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if now_ms() - memory.cleaned_at < hour {
            return Ok(());
        }
        memory.cleaned_at = now_ms();
    }
    let known = store::active(&app.db).await?.into_iter().map(|job| job.staging).collect();
    place.clean(&known).await
}
