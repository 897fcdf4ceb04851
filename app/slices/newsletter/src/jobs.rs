//! What is done later: an issue's letters are put in line, and leave in slices.

use std::any::Any;
use std::collections::HashSet;

use async_trait::async_trait;
use domain::ids::{IssueId, PublicationId};
use domain::newsletter::{host_of, turn_after};
use serde::{Deserialize, Serialize};

use super::store::{self, letters};
use super::token::Reader;
use super::{per_minute, sending};
use platform::app::App;
use platform::db::{Tx, now_ms};
use platform::error::Error;
use platform::jobs::{self, Job, Lane};
use platform::slice::Listener;
use publications::{CameOut, Title};

/// See [`Listener`]: readers of an issue are told of it.
pub struct Hears;

#[async_trait]
impl Listener for Hears {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        match event.downcast_ref() {
            Some(CameOut { issue }) => jobs::enqueue(tx, &QueueLetters { issue: issue.clone() }).await,
            None => Ok(()),
        }
    }
}

/// Readers that are put in line in one transaction.
const AT_ONCE: i64 = 200;

/// Puts an issue's letters in line, to each reader one, however often the issue is published.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueueLetters {
    pub issue: IssueId,
}

impl Job for QueueLetters {
    const KIND: &'static str = "queue_letters";
    async fn run(self, app: App) -> Result<(), Error> {
        if !publications::letters_leave(&app) {
            return Ok(());
        }
        let Some((title, called, path)) = publications::published(&app, &self.issue).await? else {
            return Ok(());
        };
        // who began to follow since then asked for what comes next
        let Some(came_out) = publications::news_since(&app, &self.issue, now_ms()).await? else {
            return Ok(());
        };
        if store::mailed(&app.db, &title.id).await?.is_off == 1 {
            return tell_members(&app, &self.issue, (&title, came_out), &called, &path).await;
        }
        letters::revive(&app.db, &self.issue, now_ms()).await?;
        let known = queue_members(&app, &self.issue, &title, came_out).await?;
        queue_followers(&app, &self.issue, &title, &known, came_out).await?;
        let mut tx = app.db.begin().await?;
        jobs::at_once(&mut tx, &SendLetters { issue: self.issue }).await?;
        tx.commit().await?;
        app.bell.ring();
        Ok(())
    }
}

/// Where a title sends no letters, members who wanted a message have a few words, as where none leave at all.
async fn tell_members(
    app: &App,
    issue: &IssueId,
    (title, came_out): (&Title, i64),
    called: &str,
    path: &str,
) -> Result<(), Error> {
    let place = app.config.public_url.as_deref().unwrap_or_default();
    for member in publications::heard_since(app, &title.id, came_out).await? {
        if accounts::email_of(app, &member).await?.is_none() {
            continue;
        }
        let reader = Reader::Member(member.clone());
        let now = now_ms();
        let mut tx = app.db.begin().await?;
        let told =
            letters::New { issue, title: &title.id, reader: &reader, host: "", state: "told", turn: now };
        if letters::insert(&mut tx, &told, now).await? {
            let subject = format!("《{}》新一期", title.name);
            let text = format!(
                "【书坊】《{}》{called} 出版了：{place}{path} 。不想再收到，可在“书房”里改提醒设置。",
                title.name
            );
            accounts::tell_reader(app, &mut tx, &member, &title.maker, &subject, text).await?;
            tx.commit().await?;
        }
    }
    app.bell.ring();
    Ok(())
}

/// Puts those in line who follow with an account, and answers their addresses.
async fn queue_members(
    app: &App,
    issue: &IssueId,
    title: &Title,
    came_out: i64,
) -> Result<HashSet<String>, Error> {
    let mut known = HashSet::new();
    for member in publications::heard_since(app, &title.id, came_out).await? {
        if let Some(address) = accounts::email_of(app, &member).await? {
            let mut tx = app.db.begin().await?;
            queue(&mut tx, issue, title, &Reader::Member(member), &address).await?;
            tx.commit().await?;
            known.insert(address);
        }
    }
    Ok(known)
}

/// Puts those in line who follow with an address alone, but who have the same letter at the same address with an account.
async fn queue_followers(
    app: &App,
    issue: &IssueId,
    title: &Title,
    known: &HashSet<String>,
    came_out: i64,
) -> Result<(), Error> {
    let mut after = String::new();
    loop {
        let some = store::confirmed(&app.db, &title.id, came_out, &after, AT_ONCE).await?;
        let Some((last, _)) = some.last() else { return Ok(()) };
        after.clone_from(last);
        let mut tx = app.db.begin().await?;
        for (id, address) in some.into_iter().filter(|(_, address)| !known.contains(address)) {
            if let Some(reader) = Reader::of(id, false) {
                queue(&mut tx, issue, title, &reader, &address).await?;
            }
        }
        tx.commit().await?;
    }
}

async fn queue(
    tx: &mut Tx,
    issue: &IssueId,
    title: &Title,
    reader: &Reader,
    address: &str,
) -> Result<(), Error> {
    let Some(host) = host_of(address) else { return Ok(()) };
    let now = now_ms();
    let turn = turn_after(now, letters::last_turn(tx, &title.id, host).await?, per_minute()?);
    let new = letters::New { issue, title: &title.id, reader, host, state: "waiting", turn };
    letters::insert(tx, &new, now).await?;
    Ok(())
}

/// Lets letters of a title wait again that waited when it was switched off, unless it is so again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReviveLetters {
    pub title: PublicationId,
}

impl Job for ReviveLetters {
    const KIND: &'static str = "revive_letters";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        if store::mailed(&app.db, &self.title).await?.is_off == 1 {
            return Ok(());
        }
        let now = now_ms();
        for issue in letters::issues_off(&app.db, &self.title, now).await? {
            letters::revive_off(&app.db, &issue, now).await?;
            let mut tx = app.db.begin().await?;
            jobs::at_once(&mut tx, &SendLetters { issue }).await?;
            tx.commit().await?;
        }
        app.bell.ring();
        Ok(())
    }
}

/// How long an issue whose letters wait for others' is not looked at, in ms.
const LOOK_AGAIN_MS: i64 = 5_000;

/// Sends letters for a while, of whatever title they are, and comes again as long as some of its issue wait. So the hosts' lines
/// move as long as anybody waits in them, and a title with many readers keeps no other's waiting.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendLetters {
    pub issue: IssueId,
}

impl Job for SendLetters {
    const KIND: &'static str = "send_letters";
    async fn run(self, app: App) -> Result<(), Error> {
        let Some((title, ..)) = publications::published(&app, &self.issue).await? else {
            return letters::end_waiting(&app.db, &self.issue, "withdrawn", now_ms()).await;
        };
        letters::know_hosts(&app.db, &title.id).await?;
        let moved = sending::slice(&app, per_minute()?).await?;
        if let Some(at) = letters::next_of(&app.db, &self.issue).await? {
            let now = now_ms();
            let again = if moved { at.max(now) } else { at.max(now + LOOK_AGAIN_MS) };
            let mut tx = app.db.begin().await?;
            // of no member: what it sends is whatever title's, and its maker's own work would stand behind it
            jobs::enqueue_at(&mut tx, &self, again).await?;
            tx.commit().await?;
            app.bell.ring();
        }
        Ok(())
    }
}

/// Sees to it that whatever waits is sent by somebody: a job may have been given up, or lost.
pub async fn send_what_waits(app: &App) -> Result<(), Error> {
    let issues = letters::issues_that_wait(&app.db).await?;
    if issues.is_empty() || !publications::letters_leave(app) {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    for issue in issues {
        jobs::at_once(&mut tx, &SendLetters { issue }).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}
