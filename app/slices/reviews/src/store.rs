//! SQL of reviews: rounds, links, who looks.

mod comments;
mod verdicts;

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::forgetting;
use domain::ids::{MemberId, ReviewLinkId, ReviewerId, WorkId};
use domain::review::{self, MOST_REVIEWERS, MOST_ROUNDS};

pub use comments::{
    Comment, answers, comments, counts, delete_comment, find_comment, insert_comment, set_done,
};
pub use verdicts::{Given, give, verdicts};

/// A round as it is kept.
#[derive(Debug, Clone)]
pub struct Round {
    /// From 1.
    pub number: i64,
    pub revision: i64,
    /// What the maker says to all who look.
    pub words: String,
    pub asked_at: i64,
    /// The end of the last day.
    pub until: i64,
    pub ordered_at: Option<i64>,
}

impl Round {
    /// As far as rules ask.
    pub fn rule(&self) -> review::Round {
        let Self { number, revision, until, ordered_at, .. } = *self;
        review::Round { number, revision, until, ordered_at }
    }
}

type RoundRow = (i64, i64, String, i64, i64, Option<i64>);

impl From<RoundRow> for Round {
    fn from((number, revision, words, asked_at, until, ordered_at): RoundRow) -> Self {
        Self { number, revision, words, asked_at, until, ordered_at }
    }
}

const ROUND: &str = "number, revision, words, asked_at, until_at, ordered_at";

/// A work's rounds, the newest first.
pub async fn rounds(db: &Db, work: &WorkId) -> Result<Vec<Round>, Error> {
    let sql = sql!("select {ROUND} from review_rounds where work_id = $1 order by number desc limit $2");
    let rows: Vec<RoundRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(work.as_str())
        .bind(MOST_ROUNDS)
        .fetch_all(pool)
        .await)?;
    Ok(rows.into_iter().map(Round::from).collect())
}

/// One of them.
pub async fn round(db: &Db, work: &WorkId, number: i64) -> Result<Option<Round>, Error> {
    let sql = sql!("select {ROUND} from review_rounds where work_id = $1 and number = $2");
    let row: Option<RoundRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(work.as_str())
        .bind(number)
        .fetch_optional(pool)
        .await)?;
    Ok(row.map(Round::from))
}

/// The newest.
pub async fn newest(db: &Db, work: &WorkId) -> Result<Option<Round>, Error> {
    let sql = sql!("select {ROUND} from review_rounds where work_id = $1 order by number desc limit 1");
    let row: Option<RoundRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(work.as_str()).fetch_optional(pool).await)?;
    Ok(row.map(Round::from))
}

/// Holds the newest until the transaction ends: what is said in it, a new one and an order wait for each other.
pub async fn hold_newest(tx: &mut Tx, work: &WorkId) -> Result<Option<Round>, Error> {
    let sql = sql!(
        "update review_rounds set words = words
         where work_id = $1 and number = (select max(number) from review_rounds where work_id = $1)
         returning {ROUND}"
    );
    let row: Option<RoundRow> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(work.as_str()).fetch_optional(conn).await)?;
    Ok(row.map(Round::from))
}

/// Adds a round.
pub async fn insert_round(tx: &mut Tx, work: &WorkId, member: &MemberId, round: &Round) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into review_rounds (work_id, number, member_id, revision, words, asked_at, until_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(work.as_str())
    .bind(round.number)
    .bind(member.as_str())
    .bind(round.revision)
    .bind(&round.words)
    .bind(round.asked_at)
    .bind(round.until)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Gives a round other words and another last day.
pub async fn change_round(
    tx: &mut Tx,
    work: &WorkId,
    number: i64,
    words: &str,
    until: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update review_rounds set words = $3, until_at = $4 where work_id = $1 and number = $2"
    )
    .bind(work.as_str())
    .bind(number)
    .bind(words)
    .bind(until)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Ends what may be said in a work's rounds, since it is ordered.
pub async fn close_rounds(tx: &mut Tx, work: &WorkId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update review_rounds set ordered_at = $2 where work_id = $1 and ordered_at is null"
    )
    .bind(work.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A link.
#[derive(Debug, Clone)]
pub struct Link {
    pub id: ReviewLinkId,
    pub work: WorkId,
    pub member: MemberId,
    /// Whose it is; empty where whoever comes says a name.
    pub name: String,
    pub created_at: i64,
    pub withdrawn_at: Option<i64>,
}

impl Link {
    /// Whether anybody may come by it.
    pub fn is_open(&self) -> bool {
        self.name.is_empty()
    }
}

type LinkRow = (String, String, String, String, i64, Option<i64>);

fn link_of((id, work, member, name, created_at, withdrawn_at): LinkRow) -> Result<Link, Error> {
    Ok(Link {
        id: id.try_into().map_err(Error::internal)?,
        work: work.try_into().map_err(Error::internal)?,
        member: member.try_into().map_err(Error::internal)?,
        name,
        created_at,
        withdrawn_at,
    })
}

const LINK: &str = "id, work_id, member_id, name, created_at, withdrawn_at";
/// Links of a work that are read at once, those that were withdrawn among them.
const MOST_READ: i64 = 500;

/// A link by its id; none where its maker's account is closed.
pub async fn link(db: &Db, id: &ReviewLinkId) -> Result<Option<Link>, Error> {
    let sql = sql!(
        "select {LINK} from review_links where id = $1
             and (select m.closed_at from members m where m.id = review_links.member_id) is null"
    );
    let row: Option<LinkRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.map(link_of).transpose()
}

/// A work's links that stand, the oldest first.
pub async fn standing(tx: &mut Tx, work: &WorkId) -> Result<Vec<Link>, Error> {
    let sql = sql!(
        "select {LINK} from review_links where work_id = $1 and withdrawn_at is null
         order by created_at, id limit $2"
    );
    let rows: Vec<LinkRow> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(work.as_str())
        .bind(MOST_READ)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(link_of).collect()
}

/// Adds a link, and who looks by it where it has a name.
pub async fn insert_link(tx: &mut Tx, link: &Link) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query(
        "insert into review_links (id, work_id, member_id, name, created_at) values ($1, $2, $3, $4, $5)"
    )
    .bind(link.id.as_str())
    .bind(link.work.as_str())
    .bind(link.member.as_str())
    .bind(&link.name)
    .bind(link.created_at)
    .execute(conn)
    .await
    .map(drop))?;
    if link.is_open() {
        return Ok(());
    }
    let reviewer = link.id.as_str().parse().map_err(Error::internal)?;
    insert_reviewer(tx, link, &reviewer, &link.name, link.created_at).await
}

/// Ends a link of a work; one that ended stays so.
pub async fn withdraw(db: &Db, id: &ReviewLinkId, work: &WorkId, now: i64) -> Result<(), Error> {
    let ended = with_write!(db, |pool| sqlx::query(
        "update review_links set withdrawn_at = coalesce(withdrawn_at, $3) where id = $1 and work_id = $2"
    )
    .bind(id.as_str())
    .bind(work.as_str())
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if ended == 1 { Ok(()) } else { Err(Error::NotFound) }
}

/// Somebody who looks.
#[derive(Debug, Clone)]
pub struct Reviewer {
    pub id: ReviewerId,
    pub link: ReviewLinkId,
    pub name: String,
    /// When a page was turned last, and of which round.
    pub seen: Option<(i64, i64)>,
}

type ReviewerRow = (String, String, String, Option<i64>, Option<i64>);

fn reviewer_of((id, link, name, seen_at, seen_round): ReviewerRow) -> Result<Reviewer, Error> {
    Ok(Reviewer {
        id: id.try_into().map_err(Error::internal)?,
        link: link.try_into().map_err(Error::internal)?,
        name,
        seen: seen_at.zip(seen_round),
    })
}

const REVIEWER: &str = "id, link_id, name, seen_at, seen_round";

/// Who came by a link, by its own id.
pub async fn reviewer(db: &Db, id: &ReviewerId, link: &ReviewLinkId) -> Result<Option<Reviewer>, Error> {
    let sql = sql!("select {REVIEWER} from reviewers where id = $1 and link_id = $2");
    let row: Option<ReviewerRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(link.as_str())
        .fetch_optional(pool)
        .await)?;
    row.map(reviewer_of).transpose()
}

/// All who ever looked at a work, in the order in which they came.
pub async fn reviewers(db: &Db, work: &WorkId) -> Result<Vec<Reviewer>, Error> {
    let sql = sql!("select {REVIEWER} from reviewers where work_id = $1 order by created_at, id limit $2");
    let rows: Vec<ReviewerRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(work.as_str())
        .bind(MOST_READ)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(reviewer_of).collect()
}

/// Adds somebody who looks; twice is once. False where there are as many as there may be.
pub async fn insert_reviewer_if_room(
    tx: &mut Tx,
    link: &Link,
    id: &ReviewerId,
    name: &str,
    now: i64,
) -> Result<bool, Error> {
    let there: i64 = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "select count(*) from reviewers where work_id = $1 and id <> $2"
    )
    .bind(link.work.as_str())
    .bind(id.as_str())
    .fetch_one(conn)
    .await)?;
    if there >= MOST_REVIEWERS {
        return Ok(false);
    }
    insert_reviewer(tx, link, id, name, now).await?;
    Ok(true)
}

async fn insert_reviewer(
    tx: &mut Tx,
    link: &Link,
    id: &ReviewerId,
    name: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into reviewers (id, link_id, work_id, name, created_at) values ($1, $2, $3, $4, $5)
         on conflict (id) do nothing"
    )
    .bind(id.as_str())
    .bind(link.id.as_str())
    .bind(link.work.as_str())
    .bind(name)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes that somebody turned a page of a round.
pub async fn note_seen(db: &Db, id: &ReviewerId, round: i64, now: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update reviewers set seen_at = $2, seen_round = $3 where id = $1")
        .bind(id.as_str())
        .bind(now)
        .bind(round)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Works whose reviews are forgotten at once.
const WORKS: i64 = 20;

/// Forgets some of the reviews of a member's works; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let shown = [
        sql!("select work_id from review_rounds where member_id = $1 limit $2"),
        sql!("select work_id from review_links where member_id = $1 limit $2"),
    ];
    let works = forgetting::first_of(tx, &shown, member, WORKS).await?;
    let parts = [
        (
            sql!(
                "delete from review_comments
                 where id in (select id from review_comments where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from review_verdicts where (reviewer_id, round) in (
                     select reviewer_id, round from review_verdicts where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from reviewers where id in (select id from reviewers where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from review_links where id in (select id from review_links where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from review_rounds where (work_id, number) in (
                     select work_id, number from review_rounds where work_id in ([?]) limit $1)"
            ),
            1,
        ),
    ];
    Ok(forgetting::some_of(tx, &parts, &works).await? || !works.is_empty())
}

/// Forgets everything about a work.
pub async fn forget_work(tx: &mut Tx, work: &WorkId) -> Result<(), Error> {
    for sql in [
        sql!("delete from review_comments where work_id = $1"),
        sql!("delete from review_verdicts where work_id = $1"),
        sql!("delete from reviewers where work_id = $1"),
        sql!("delete from review_links where work_id = $1"),
        sql!("delete from review_rounds where work_id = $1"),
    ] {
        with_tx!(&mut *tx, |conn| sqlx::query(sql.text()).bind(work.as_str()).execute(conn).await.map(drop))?;
    }
    Ok(())
}
