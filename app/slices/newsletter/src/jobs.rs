//! What is done later: an issue's letters are put in line, and leave in slices.

use std::any::Any;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs::{self, Job, Lane};
use domain::ids::{IssueId, PublicationId};
use domain::newsletter::{host_of, turn_after};
use serde::{Deserialize, Serialize};
use web::app::App;
use web::slice::Listener;

use super::store::{self, letters};
use super::token::Reader;
use super::{per_minute, sending};
use publications::{CameOut, Title};

/// See [`Listener`]: readers of an issue are told of it.
pub struct Hears;

#[async_trait]
impl Listener for Hears {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        match event.downcast_ref() {
            Some(CameOut { issue, maker }) => {
                let job = QueueLetters { issue: issue.clone(), after: None };
                jobs::enqueue_for(tx, &job, maker, now_ms()).await
            }
            None => Ok(()),
        }
    }
}

/// Readers that are put in line in one transaction.
const AT_ONCE: i64 = 200;

/// How long letters are put in line before others have their turn.
const SLICE: Duration = Duration::from_secs(2);

/// The last reader whose letter is in line: first come those with an account, then the others, each in the order of their ids.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Place {
    Member(String),
    Follower(String),
}

/// Puts an issue's letters in line, to each reader one, however often the issue is published; after a while the rest is another
/// job's.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueueLetters {
    pub issue: IssueId,
    #[serde(default)]
    pub after: Option<Place>,
}

impl Job for QueueLetters {
    type App = App;
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
        let until = Instant::now() + SLICE;
        if store::mailed(&app.db, &title.id).await?.is_off == 1 {
            let words = (called.as_str(), path.as_str());
            let after = tell_members(&app, &self.issue, (&title, came_out), words, self.after, until).await?;
            return go_on(&app, Self { issue: self.issue, after }, &title).await;
        }
        if self.after.is_none() {
            letters::revive(&app.db, &self.issue, now_ms()).await?;
        }
        let after = put_in_line(&app, &self.issue, (&title, came_out), self.after, until).await?;
        let mut tx = app.db.begin().await?;
        jobs::at_once(&mut tx, &SendLetters { issue: self.issue.clone() }).await?;
        tx.commit().await?;
        go_on(&app, Self { issue: self.issue, after }, &title).await
    }
}

/// Queues the rest of it, where there is one.
async fn go_on(app: &App, rest: QueueLetters, title: &Title) -> Result<(), Error> {
    if rest.after.is_some() {
        let mut tx = app.db.begin().await?;
        jobs::enqueue_for(&mut tx, &rest, &title.maker, now_ms()).await?;
        tx.commit().await?;
    }
    app.bell.ring();
    Ok(())
}

/// Where a title sends no letters, members who wanted a message have a few words, as where none leave at all. The last one that has
/// them, where there are more.
async fn tell_members(
    app: &App,
    issue: &IssueId,
    (title, came_out): (&Title, i64),
    (called, path): (&str, &str),
    after: Option<Place>,
    until: Instant,
) -> Result<Option<Place>, Error> {
    let place = app.config.public_url.as_deref().unwrap_or_default();
    let mut after = match after {
        None => String::new(),
        Some(Place::Member(after)) => after,
        // letters were put in line until the title was switched off: all members have theirs
        Some(Place::Follower(_)) => return Ok(None),
    };
    loop {
        let some = publications::heard_since(app, &title.id, came_out, &after, AT_ONCE).await?;
        if some.is_empty() {
            return Ok(None);
        }
        for member in some {
            member.as_str().clone_into(&mut after);
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
            if Instant::now() >= until {
                return Ok(Some(Place::Member(after)));
            }
        }
    }
}

/// Puts letters in line until a moment; how far that came, where there are more.
async fn put_in_line(
    app: &App,
    issue: &IssueId,
    of: (&Title, i64),
    after: Option<Place>,
    until: Instant,
) -> Result<Option<Place>, Error> {
    let mut at = after.unwrap_or(Place::Member(String::new()));
    loop {
        at = match at {
            Place::Member(after) => match queue_members(app, issue, of, after).await? {
                Some(last) => Place::Member(last),
                None => Place::Follower(String::new()),
            },
            Place::Follower(after) => match queue_followers(app, issue, of, after).await? {
                Some(last) => Place::Follower(last),
                None => return Ok(None),
            },
        };
        if Instant::now() >= until {
            return Ok(Some(at));
        }
    }
}

/// Puts some in line who follow with an account; the last of them.
async fn queue_members(
    app: &App,
    issue: &IssueId,
    (title, came_out): (&Title, i64),
    after: String,
) -> Result<Option<String>, Error> {
    let some = publications::heard_since(app, &title.id, came_out, &after, AT_ONCE).await?;
    let Some(last) = some.last().map(|last| last.as_str().to_owned()) else { return Ok(None) };
    let mut readers = Vec::new();
    for member in some {
        if let Some(address) = accounts::email_of(app, &member).await? {
            readers.push((Reader::Member(member), address));
        }
    }
    queue(app, issue, title, &readers).await?;
    Ok(Some(last))
}

/// Puts some in line who follow with an address alone, but who have the same letter at the same address with an account. The last of
/// them.
async fn queue_followers(
    app: &App,
    issue: &IssueId,
    (title, came_out): (&Title, i64),
    after: String,
) -> Result<Option<String>, Error> {
    let some = store::confirmed(&app.db, &title.id, came_out, &after, AT_ONCE).await?;
    let Some(last) = some.last().map(|(last, _)| last.clone()) else { return Ok(None) };
    let mut readers = Vec::new();
    for (id, address) in some {
        let has_one = match accounts::member_of(app, &address).await? {
            Some(member) => letters::is_known(&app.db, issue, &Reader::Member(member)).await?,
            None => false,
        };
        readers.extend(Reader::of(id, false).filter(|_| !has_one).map(|reader| (reader, address)));
    }
    queue(app, issue, title, &readers).await?;
    Ok(Some(last))
}

async fn queue(app: &App, issue: &IssueId, title: &Title, readers: &[(Reader, String)]) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    for (reader, address) in readers {
        let Some(host) = host_of(address) else { continue };
        let now = now_ms();
        let turn = turn_after(now, letters::last_turn(&mut tx, &title.id, host).await?, per_minute()?);
        let new = letters::New { issue, title: &title.id, reader, host, state: "waiting", turn };
        letters::insert(&mut tx, &new, now).await?;
    }
    Ok(tx.commit().await?)
}

/// Lets letters of a title wait again that waited when it was switched off, unless it is so again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReviveLetters {
    pub title: PublicationId,
}

impl Job for ReviveLetters {
    type App = App;
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
    type App = App;
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
