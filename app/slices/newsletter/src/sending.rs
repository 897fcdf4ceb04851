//! Letters leave: taken one by one from their hosts' lines, handed to the mail server, and never again once that has them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use base::db::{Tx, now_ms};
use base::delivery::{Letter, Undelivered};
use base::error::Error;
use domain::ids::{IssueId, PublicationId};
use domain::newsletter::{Refusal, pause_after};
use web::app::App;
use web::origin::Origin;

use super::letter;
use super::store::{self, letters};
use super::token::{self, Reader};
use publications::IssueInLetter;

/// What one job does: so many letters or so long, then others have their turn.
const MOST: usize = 50;
const LONGEST: Duration = Duration::from_secs(10);

/// What stands in the way of all letters, not of one.
struct Stuck;

/// Sends letters for a while; whether it is worth coming again at once. What is wrong with one letter is its own: it waits, and
/// others go on.
pub async fn slice(app: &App, per_minute: i64) -> Result<bool, Error> {
    let begun = Instant::now();
    let mut written = HashMap::new();
    let mut tried = 0;
    while tried < MOST && begun.elapsed() < LONGEST {
        let mut tx = app.db.begin().await?;
        let due = letters::take(&mut tx, per_minute, now_ms()).await?;
        tx.commit().await?;
        let Some(due) = due else { break };
        tried += 1;
        match send(app, due.clone(), &mut written).await {
            Ok(None) => {}
            Ok(Some(Stuck)) => return Ok(false),
            Err(error) => {
                tracing::error!(%error, issue = due.issue_id, "A letter could not be sent, and waits");
                let mut tx = app.db.begin().await?;
                letters::postpone(&mut tx, (&due.issue_id, &due.reader), now_ms() + pause_after(due.tries))
                    .await?;
                tx.commit().await?;
            }
        }
    }
    Ok(tried > 0)
}

async fn send(
    app: &App,
    due: letters::Due,
    written: &mut HashMap<IssueId, IssueInLetter>,
) -> Result<Option<Stuck>, Error> {
    let issue: IssueId = due.issue_id.try_into().map_err(Error::internal)?;
    let title: PublicationId = due.publication_id.try_into().map_err(Error::internal)?;
    let reader = Reader::of(due.reader, due.is_member == 1).ok_or_else(|| Error::internal("no reader"))?;
    // asked for each letter: an issue may be withdrawn between two
    let is_out = publications::published(app, &issue).await?.is_some();
    let is_off = store::mailed(&app.db, &title).await?.is_off == 1;
    if !is_out || is_off {
        letters::end_waiting(&app.db, &issue, if is_off { "off" } else { "withdrawn" }, now_ms()).await?;
        return Ok(None);
    }
    let (Some(base), Some(address)) =
        (Origin::configured(&app.config), address_of(app, &title, &reader).await?)
    else {
        let mut tx = app.db.begin().await?;
        letters::drop_waiting(&mut tx, &title, &reader).await?;
        tx.commit().await?;
        return Ok(None);
    };
    if !written.contains_key(&issue) {
        match publications::in_letter(app, &issue).await {
            Ok(Some(made)) => drop(written.insert(issue.clone(), made)),
            Ok(None) => return Ok(None),
            // the same for all of its readers: those of other issues have their hosts' places
            Err(error) => {
                tracing::error!(%error, %issue, "An issue could not be put into letters, and they wait");
                letters::postpone_all(&app.db, &issue, now_ms() + pause_after(due.tries)).await?;
                return Ok(None);
            }
        }
    }
    let Some(content) = written.get(&issue) else { return Ok(None) };
    let leave = base.join(&format!("/newsletter/leave/{}", token::leaving(&app.key, &title, &reader)));
    let words = letter::write(content, &base, &leave);
    let id = token::name_of(&app.key, &issue, &reader);
    let letter = Letter {
        id: &id,
        to: &address,
        subject: &words.subject,
        text: &words.text,
        html: &words.html,
        pictures: &words.pictures,
        headers: letter::headers(&base, &content.title, &leave),
    };
    // making the pictures may have taken longer than it was ours
    let mut tx = app.db.begin().await?;
    let is_ours = letters::hold(&mut tx, &issue, &reader, due.tries, now_ms()).await?;
    tx.commit().await?;
    if !is_ours {
        return Ok(None);
    }
    let sent = app.config.delivery.send_letter(&letter).await;
    let same = match &sent {
        Err(Undelivered::Answered { .. }) => same_address(app, &title, &reader).await?,
        _ => Vec::new(),
    };
    let mut tx = app.db.begin().await?;
    let stuck = note(&mut tx, &issue, &title, (&reader, &same), due.tries, sent).await?;
    tx.commit().await?;
    Ok(stuck)
}

/// Where a reader's letters of a title go now; nowhere, where it ended them.
async fn address_of(app: &App, title: &PublicationId, reader: &Reader) -> Result<Option<String>, Error> {
    match reader {
        Reader::Follower(id) => {
            let row = store::find(&app.db, id, now_ms()).await?;
            Ok(row.filter(|row| row.confirmed_at.is_some()).map(|row| row.address))
        }
        Reader::Member(member) if publications::hears_by_message(app, title, member).await? => {
            accounts::email_of(app, member).await
        }
        Reader::Member(_) => Ok(None),
    }
}

/// Notes what became of a try; `same` are the readers at that address.
async fn note(
    tx: &mut Tx,
    issue: &IssueId,
    title: &PublicationId,
    (reader, same): (&Reader, &[Reader]),
    tries: i64,
    sent: Result<(), Undelivered>,
) -> Result<Option<Stuck>, Error> {
    let now = now_ms();
    let later = now + pause_after(tries);
    match sent {
        Ok(()) => {
            if letters::set_sent(tx, issue, reader, now).await? {
                store::add(tx, title, [1, 0, 0]).await?;
            }
            Ok(None)
        }
        Err(Undelivered::Answered { code, words }) => match Refusal::of(code, &words) {
            Refusal::Mailbox => {
                tracing::info!(
                    code,
                    "A reader's mail server refused a letter, and the reader is sent no more"
                );
                came_back(tx, issue, title, reader).await?;
                stop(tx, title, same).await?;
                Ok(None)
            }
            Refusal::Passing => {
                letters::postpone(tx, (issue.as_str(), reader.id()), later).await?;
                Ok(None)
            }
            Refusal::Sender => {
                tracing::warn!(code, "The mail server takes no letters from this site; they wait");
                letters::postpone(tx, (issue.as_str(), reader.id()), later).await?;
                Ok(Some(Stuck))
            }
        },
        Err(Undelivered::Unasked(reason)) => {
            tracing::warn!(reason, "A letter could not be sent, and waits");
            letters::postpone(tx, (issue.as_str(), reader.id()), later).await?;
            Ok(Some(Stuck))
        }
    }
}

/// Counts a letter that came back, once.
pub async fn came_back(
    tx: &mut Tx,
    issue: &IssueId,
    title: &PublicationId,
    reader: &Reader,
) -> Result<(), Error> {
    if letters::set_bounced(tx, issue, reader, now_ms()).await? {
        store::add(tx, title, [0, 1, 0]).await?;
    }
    Ok(())
}

/// A reader, and the other one that has a title's letters at the same address: with an account, or without.
pub async fn same_address(app: &App, title: &PublicationId, reader: &Reader) -> Result<Vec<Reader>, Error> {
    let mut all = vec![reader.clone()];
    match reader {
        Reader::Follower(id) => {
            if let Some(row) = store::find(&app.db, id, now_ms()).await?
                && let Some(member) = accounts::member_of(app, &row.address).await?
            {
                all.push(Reader::Member(member));
            }
        }
        Reader::Member(member) => {
            if let Some(address) = accounts::email_of(app, member).await?
                && let Some(id) = store::at_address(&app.db, title, &address).await?
            {
                all.push(Reader::Follower(id));
            }
        }
    }
    Ok(all)
}

/// Sends readers no letters of a title any more, and forgets the address that one gave for it; false where there were none.
pub async fn stop(tx: &mut Tx, title: &PublicationId, readers: &[Reader]) -> Result<bool, Error> {
    let mut is_ended = false;
    for reader in readers {
        letters::drop_waiting(tx, title, reader).await?;
        is_ended |= match reader {
            Reader::Follower(id) => store::remove(tx, id).await?,
            Reader::Member(member) => publications::mute(tx, title, member).await?,
        };
    }
    Ok(is_ended)
}
