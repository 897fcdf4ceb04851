//! SQL of letters: who is to have which issue, what left, what came back.

use base::db::{Db, Sql, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::ids::{IssueId, PublicationId};
use domain::newsletter::{KEPT_MS, LIFE_MS, PASSING_IN_A_ROW};

use crate::token::Reader;

const MINUTE_MS: i64 = 60_000;
/// How long whoever sends a letter has it to itself, in ms: longer than a mail server may take.
const HELD_MS: i64 = 60_000;

/// The minute of a moment (epoch ms), as hosts' letters are counted by.
pub fn minute_of(moment: i64) -> i64 {
    moment / MINUTE_MS
}

/// Letters of one title that wait for a place in their hosts' lines.
#[derive(Debug)]
pub struct New<'a> {
    pub issue: &'a IssueId,
    pub title: &'a PublicationId,
    pub reader: &'a Reader,
    pub host: &'a str,
    /// See the migration.
    pub state: &'static str,
    pub turn: i64,
}

/// Writes one; false where this reader has this issue already, sent or not.
pub async fn insert(tx: &mut Tx, new: &New<'_>, now: i64) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into issue_letters (issue_id, publication_id, reader, is_member, host, state, turn, run_at, tries, queued_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $8) on conflict (issue_id, reader) do nothing",
    )
    .bind(new.issue.as_str())
    .bind(new.title.as_str())
    .bind(new.reader.id())
    .bind(i64::from(new.reader.is_member()))
    .bind(new.host)
    .bind(new.state)
    .bind(new.turn)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Whether a reader has an issue's letter, on its way or in whatever way it ended.
pub async fn is_known(db: &Db, issue: &IssueId, reader: &Reader) -> Result<bool, Error> {
    let known: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select reader from issue_letters where issue_id = $1 and reader = $2"
    )
    .bind(issue.as_str())
    .bind(reader.id())
    .fetch_optional(pool)
    .await)?;
    Ok(known.is_some())
}

/// The last place of a title in a host's line.
pub async fn last_turn(tx: &mut Tx, title: &PublicationId, host: &str) -> Result<Option<i64>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select max(turn) from issue_letters where publication_id = $1 and host = $2"
    )
    .bind(title.as_str())
    .bind(host)
    .fetch_one(conn)
    .await)?)
}

/// Letters that one transaction changes: an issue may have very many, and others write between two of them.
const AT_ONCE: i64 = 500;

/// Lets letters wait again that waited when their issue was withdrawn: a day of their own begins.
pub async fn revive(db: &Db, issue: &IssueId, now: i64) -> Result<(), Error> {
    let sql = sql!(
        "update issue_letters set run_at = $3, queued_at = $3, state = 'waiting', tries = 0, ended_at = null
         where issue_id = $1 and state in ('withdrawn', 'off') and reader in (
            select reader from issue_letters
            where issue_id = $1 and reader > $2 and state in ('withdrawn', 'off') and queued_at > $4 order by reader limit $5)
         returning reader"
    );
    wake(db, sql, issue, i64::MIN, now).await
}

/// Issues of a title of which letters waited when it was switched off.
pub async fn issues_off(db: &Db, title: &PublicationId, now: i64) -> Result<Vec<IssueId>, Error> {
    // what has left, or won't, has no host
    let ids: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select distinct issue_id from issue_letters
         where publication_id = $1 and host > '' and state = 'off' and queued_at > $2"
    )
    .bind(title.as_str())
    .bind(now - KEPT_MS)
    .fetch_all(pool)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// The same as [`revive`] for those of an issue that waited when its title was switched off.
pub async fn revive_off(db: &Db, issue: &IssueId, now: i64) -> Result<(), Error> {
    let sql = sql!(
        "update issue_letters set run_at = $3, queued_at = $3, state = 'waiting', tries = 0, ended_at = null
         where issue_id = $1 and state = 'off' and reader in (
            select reader from issue_letters
            where issue_id = $1 and reader > $2 and state = 'off' and queued_at > $4 order by reader limit $5)
         returning reader"
    );
    wake(db, sql, issue, now - KEPT_MS, now).await
}

/// Lets letters of an issue wait again that were queued after a moment, some at a time.
async fn wake(db: &Db, sql: Sql, issue: &IssueId, since: i64, now: i64) -> Result<(), Error> {
    let mut after = String::new();
    loop {
        let mut tx = db.begin().await?;
        let revived: Vec<String> = with_tx!(&mut tx, |conn| sqlx::query_scalar(sql.text())
            .bind(issue.as_str())
            .bind(&after)
            .bind(now)
            .bind(since)
            .bind(AT_ONCE)
            .fetch_all(conn)
            .await)?;
        tx.commit().await?;
        let Some(last) = revived.into_iter().max() else { return Ok(()) };
        after = last;
    }
}

/// Issues that have letters that wait.
pub async fn issues_that_wait(db: &Db) -> Result<Vec<IssueId>, Error> {
    let ids: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select distinct issue_id from issue_letters where state = 'waiting'"
    )
    .fetch_all(pool)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// Ends what waits of an issue, for as long as it is withdrawn or its title is switched off.
pub async fn end_waiting(db: &Db, issue: &IssueId, state: &'static str, now: i64) -> Result<(), Error> {
    let sql = sql!(
        "update issue_letters set state = $2, ended_at = $3
         where issue_id = $1 and state = 'waiting' and reader in (
            select reader from issue_letters where issue_id = $1 and state = 'waiting' order by run_at limit $4)"
    );
    loop {
        let mut tx = db.begin().await?;
        let ended = with_tx!(&mut tx, |conn| sqlx::query(sql.text())
            .bind(issue.as_str())
            .bind(state)
            .bind(now)
            .bind(AT_ONCE)
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
        tx.commit().await?;
        if ended == 0 {
            return Ok(());
        }
    }
}

/// A letter that is to leave.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Due {
    pub issue_id: String,
    pub publication_id: String,
    pub reader: String,
    pub is_member: i64,
    /// This try included.
    pub tries: i64,
}

/// Takes the next letter, of whatever title: of the hosts that may be handed one now the one that had the fewest lately, and
/// there the first in the line. Nobody else has it for a minute, nor its place among the host's `most` of this minute.
pub async fn take(tx: &mut Tx, most: i64, now: i64) -> Result<Option<Due>, Error> {
    // a host that has had none yet this minute is before one that has
    let host: Option<String> = with_tx!(&mut *tx, |conn| {
        sqlx::query_scalar(
        "select h.host from letter_hosts h
         where (h.minute < $1 or h.sent < $2)
           and exists (select 1 from issue_letters l where l.host = h.host and l.state = 'waiting' and l.run_at <= $3
                and l.queued_at > $4)
         order by case when h.minute < $1 then 0 else h.sent end, h.host limit 1"
    )
    .bind(minute_of(now))
    .bind(most)
    .bind(now)
    .bind(now - LIFE_MS)
    .fetch_optional(conn)
    .await
    })?;
    let Some(host) = host else { return Ok(None) };
    let may = with_tx!(&mut *tx, |conn| sqlx::query(
        "update letter_hosts set sent = case when minute < $2 then 1 else sent + 1 end, minute = $2
         where host = $1 and (minute < $2 or sent < $3)"
    )
    .bind(&host)
    .bind(minute_of(now))
    .bind(most)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if may == 0 {
        return Ok(None);
    }
    Ok(with_tx!(tx, |conn| {
        sqlx::query_as(
            "update issue_letters set run_at = $3, tries = tries + 1
         where state = 'waiting' and run_at <= $2 and (issue_id, reader) in (
            select issue_id, reader from issue_letters
            where host = $1 and state = 'waiting' and run_at <= $2 and queued_at > $4 order by turn, issue_id, reader limit 1)
         returning issue_id, publication_id, reader, is_member, tries",
        )
        .bind(&host)
        .bind(now)
        .bind(now + HELD_MS)
        .bind(now - LIFE_MS)
        .fetch_optional(conn)
        .await
    })?)
}

/// Has the minute begin anew, just before a letter is handed over; false where somebody else has it meanwhile, or its reader ended
/// it.
pub async fn hold(
    tx: &mut Tx,
    issue: &IssueId,
    reader: &Reader,
    tries: i64,
    now: i64,
) -> Result<bool, Error> {
    let held = with_tx!(tx, |conn| {
        sqlx::query(
            "update issue_letters set run_at = $4
         where issue_id = $1 and reader = $2 and tries = $3 and state = 'waiting'",
        )
        .bind(issue.as_str())
        .bind(reader.id())
        .bind(tries)
        .bind(now + HELD_MS)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(held == 1)
}

/// Makes the hosts of a title's letters known, so that those are taken. They are walked along by the index, from one to the next:
/// a title has far fewer of them than letters.
pub async fn know_hosts(db: &Db, title: &PublicationId) -> Result<(), Error> {
    let sql = sql!(
        "with recursive hosts(host, place) as (
            select min(host), cast(1 as bigint) from issue_letters where publication_id = $1 and host > $2
            union all
            select (select min(l.host) from issue_letters l where l.publication_id = $1 and l.host > hosts.host), place + 1
            from hosts where hosts.host is not null and place < $3)
         select host from hosts where host is not null order by host"
    );
    let mut after = String::new();
    loop {
        let hosts: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(sql.text())
            .bind(title.as_str())
            .bind(&after)
            .bind(AT_ONCE)
            .fetch_all(pool)
            .await)?;
        let Some(last) = hosts.last() else { return Ok(()) };
        after.clone_from(last);
        let mut tx = db.begin().await?;
        for host in hosts {
            with_tx!(&mut tx, |conn| {
                sqlx::query(
                "insert into letter_hosts (host, minute, sent) values ($1, 0, 0) on conflict (host) do nothing"
            )
            .bind(&host)
            .execute(conn)
            .await
            .map(drop)
            })?;
        }
        tx.commit().await?;
    }
}

/// Ends letters that nobody could be handed within their time.
pub async fn expire(db: &Db, now: i64) -> Result<(), Error> {
    let sql = sql!(
        "update issue_letters set state = 'expired', host = '', ended_at = $1
         where state in ('waiting', 'withdrawn', 'off') and (issue_id, reader) in (
            select issue_id, reader from issue_letters
            where state in ('waiting', 'withdrawn', 'off') and queued_at <= $2 and (state = 'waiting' or queued_at <= $3)
            order by queued_at limit $4)"
    );
    loop {
        let mut tx = db.begin().await?;
        let expired = with_tx!(&mut tx, |conn| sqlx::query(sql.text())
            .bind(now)
            .bind(now - LIFE_MS)
            .bind(now - KEPT_MS)
            .bind(AT_ONCE)
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
        tx.commit().await?;
        if expired == 0 {
            return Ok(());
        }
    }
}

/// Ends all that wait, in rows that a backup brought: they have left since, perhaps.
pub async fn end_restored(tx: &mut Tx) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update issue_letters set state = 'expired', host = '', ended_at = queued_at
         where state in ('waiting', 'withdrawn', 'off')"
    )
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes that a letter left; false where that is known, so that it counts once. What came back stays so: a report may be quicker
/// than this. One that was withdrawn while it left is not sent again with its issue.
pub async fn set_sent(tx: &mut Tx, issue: &IssueId, reader: &Reader, now: i64) -> Result<bool, Error> {
    let set = with_tx!(tx, |conn| {
        sqlx::query(
            "update issue_letters set state = 'sent', host = '', ended_at = $3
         where issue_id = $1 and reader = $2 and state in ('waiting', 'withdrawn', 'off', 'expired')",
        )
        .bind(issue.as_str())
        .bind(reader.id())
        .bind(now)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(set == 1)
}

/// Notes that a letter came back; false where that is known.
pub async fn set_bounced(tx: &mut Tx, issue: &IssueId, reader: &Reader, now: i64) -> Result<bool, Error> {
    let set = with_tx!(tx, |conn| {
        sqlx::query(
            "update issue_letters set state = 'bounced', host = '', ended_at = $3
         where issue_id = $1 and reader = $2 and state <> 'bounced'",
        )
        .bind(issue.as_str())
        .bind(reader.id())
        .bind(now)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(set == 1)
}

/// Lets a letter wait until a moment: by its issue and its reader, as its row has them.
pub async fn postpone(tx: &mut Tx, (issue, reader): (&str, &str), until: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update issue_letters set run_at = $3 where issue_id = $1 and reader = $2 and state = 'waiting'"
    )
    .bind(issue)
    .bind(reader)
    .bind(until)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Lets all letters of an issue wait, which can't be written.
pub async fn postpone_all(db: &Db, issue: &IssueId, until: i64) -> Result<(), Error> {
    let sql = sql!(
        "update issue_letters set run_at = $2
         where issue_id = $1 and state = 'waiting' and reader in (
            select reader from issue_letters where issue_id = $1 and state = 'waiting' and run_at < $2
            order by run_at limit $3)"
    );
    loop {
        let mut tx = db.begin().await?;
        let postponed = with_tx!(&mut tx, |conn| sqlx::query(sql.text())
            .bind(issue.as_str())
            .bind(until)
            .bind(AT_ONCE)
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
        tx.commit().await?;
        if postponed == 0 {
            return Ok(());
        }
    }
}

/// When the first of an issue's letters that wait may be tried; `None` where none waits.
pub async fn next_of(db: &Db, issue: &IssueId) -> Result<Option<i64>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select min(run_at) from issue_letters where issue_id = $1 and state = 'waiting'"
    )
    .bind(issue.as_str())
    .fetch_one(pool)
    .await)?)
}

/// The title that a letter is of; `None` where there was no such letter.
pub async fn title_of(db: &Db, issue: &IssueId, reader: &Reader) -> Result<Option<PublicationId>, Error> {
    let found: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select publication_id from issue_letters where issue_id = $1 and reader = $2"
    )
    .bind(issue.as_str())
    .bind(reader.id())
    .fetch_optional(pool)
    .await)?;
    found.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Whether a letter that came back is one of so many in a row that did. Reports come days later, so what counts is the letters
/// beside it, and of those what has left.
pub async fn is_one_of_a_row(
    tx: &mut Tx,
    title: &PublicationId,
    issue: &IssueId,
    reader: &Reader,
) -> Result<bool, Error> {
    let states: Vec<(String, String)> = with_tx!(tx, |conn| {
        sqlx::query_as(
            "select issue_id, state from issue_letters
         where reader = $1 and publication_id = $2 and state in ('sent', 'bounced') order by queued_at, issue_id",
        )
        .bind(reader.id())
        .bind(title.as_str())
        .fetch_all(conn)
        .await
    })?;
    let mut rows = states.split(|(_, state)| state != "bounced");
    let row = rows.find(|row| row.iter().any(|(id, _)| id == issue.as_str()));
    Ok(row.is_some_and(|row| row.len() >= PASSING_IN_A_ROW))
}

/// Ends what waits for a reader of a title.
pub async fn drop_waiting(tx: &mut Tx, title: &PublicationId, reader: &Reader) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "delete from issue_letters where reader = $1 and publication_id = $2 and state in ('waiting', 'withdrawn', 'off')"
    )
    .bind(reader.id())
    .bind(title.as_str())
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Forgets what a reader of one title was sent.
pub async fn forget_reader(tx: &mut Tx, reader: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from issue_letters where reader = $1")
        .bind(reader)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Forgets some of what a reader was sent; whether there may be more.
pub async fn forget_some_of_reader(tx: &mut Tx, reader: &str) -> Result<bool, Error> {
    let letters = sql!(
        "delete from issue_letters where (issue_id, reader) in (
             select issue_id, reader from issue_letters where reader = $1 limit $2)"
    );
    forgetting::some(tx, &[(letters, 1)], reader).await
}

/// An issue's letters by what became of them.
#[derive(Debug, sqlx::FromRow)]
pub struct OfIssue {
    pub issue_id: String,
    pub sent: i64,
    pub waiting: i64,
    pub bounced: i64,
    pub expired: i64,
    pub queued_at: i64,
}

/// Those of a title's issues that were mailed last, the newest first.
pub async fn of_title(db: &Db, title: &PublicationId, most: i64) -> Result<Vec<OfIssue>, Error> {
    let sql = sql!(
        "select issue_id, cast(sum(case when state = 'sent' then 1 else 0 end) as bigint) as sent,
            cast(sum(case when state = 'waiting' then 1 else 0 end) as bigint) as waiting,
            cast(sum(case when state = 'bounced' then 1 else 0 end) as bigint) as bounced,
            cast(sum(case when state = 'expired' then 1 else 0 end) as bigint) as expired, min(queued_at) as queued_at
         from issue_letters where publication_id = $1 and state <> 'told' group by issue_id
         order by min(queued_at) desc, issue_id desc limit $2"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(title.as_str()).bind(most).fetch_all(pool).await)?)
}
