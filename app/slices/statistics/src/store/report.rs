//! SQL of what is reported. Every question goes by a member: numbers of others are nobody's business.

use base::db::{Db, with_db};
use base::error::Error;
use domain::ids::MemberId;

use super::WHOLE;
use crate::counter::ARTICLE;

/// One day of a thing, or of all things of a member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Day {
    pub day: i64,
    pub opens: i64,
    pub reads: i64,
    /// In ms.
    pub spent: i64,
    pub readers: i64,
    pub members: i64,
}

/// A day of a thing, by its kind and id.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ThingDay {
    pub kind: String,
    pub item_id: String,
    pub day: i64,
    pub opens: i64,
    pub reads: i64,
    pub spent: i64,
    pub readers: i64,
    pub members: i64,
}

/// What a thing came to in a span of days.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Sum {
    pub kind: String,
    pub item_id: String,
    pub opens: i64,
    pub reads: i64,
    pub spent: i64,
}

/// What a page came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Page {
    pub page: i64,
    pub reads: i64,
    pub spent: i64,
}

/// A word and how often it was counted.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Word {
    pub about: String,
    pub word: String,
    pub count: i64,
}

/// How often an article of a thing was opened.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Opened {
    pub kind: String,
    pub item_id: String,
    /// The id of its areas.
    pub word: String,
    pub count: i64,
}

/// Days of one thing by its number; those without a row were nothing.
pub async fn days(
    db: &Db,
    member: &MemberId,
    thing: i64,
    (from, until): (i64, i64),
) -> Result<Vec<Day>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select d.day, d.opens, d.reads, d.spent, d.readers, d.members
         from reading_days d join counted_things t on t.id = d.thing_id
         where d.thing_id = $2 and t.member_id = $1 and d.day between $3 and $4 order by d.day",
    )
    .bind(member.as_str())
    .bind(thing)
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await)?)
}

/// The same of each of a member's things.
pub async fn days_of_things(
    db: &Db,
    member: &MemberId,
    (from, until): (i64, i64),
) -> Result<Vec<ThingDay>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select t.kind, t.item_id, d.day, d.opens, d.reads, d.spent, d.readers, d.members
         from counted_things t join reading_days d on d.thing_id = t.id
         where t.member_id = $1 and t.kind <> $2 and d.day between $3 and $4 order by d.day, t.kind, t.item_id",
    )
    .bind(member.as_str())
    .bind(WHOLE)
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await
    })?)
}

/// What each of a member's things came to.
pub async fn sums(db: &Db, member: &MemberId, (from, until): (i64, i64)) -> Result<Vec<Sum>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select t.kind, t.item_id, cast(sum(d.opens) as bigint) as opens, cast(sum(d.reads) as bigint) as reads,
            cast(sum(d.spent) as bigint) as spent
         from counted_things t join reading_days d on d.thing_id = t.id
         where t.member_id = $1 and t.kind <> $2 and d.day between $3 and $4 group by t.kind, t.item_id",
    )
    .bind(member.as_str())
    .bind(WHOLE)
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await
    })?)
}

/// What each page of a thing came to.
pub async fn pages(
    db: &Db,
    member: &MemberId,
    thing: i64,
    (from, until): (i64, i64),
) -> Result<Vec<Page>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select p.page, cast(sum(p.reads) as bigint) as reads, cast(sum(p.spent) as bigint) as spent
         from reading_pages p join counted_things t on t.id = p.thing_id
         where p.thing_id = $2 and t.member_id = $1 and p.day between $3 and $4 group by p.page order by p.page",
    )
    .bind(member.as_str())
    .bind(thing)
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await
    })?)
}

/// Words of one thing, or of all of a member's, the most frequent first.
pub async fn words(
    db: &Db,
    member: &MemberId,
    thing: Option<i64>,
    (from, until): (i64, i64),
) -> Result<Vec<Word>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select w.about, w.word, cast(sum(w.count) as bigint) as count
         from counted_things t join reading_words w on w.thing_id = t.id
         where t.member_id = $1 and ($2 = -1 or t.id = $2) and w.day between $3 and $4
         group by w.about, w.word order by 3 desc, w.word",
    )
    .bind(member.as_str())
    .bind(thing.unwrap_or(-1))
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await)?)
}

/// Articles of one thing, or of all of a member's, those that were opened most often first; of as many as often those of the newest.
pub async fn opened(
    db: &Db,
    member: &MemberId,
    thing: Option<i64>,
    (from, until): (i64, i64),
    most: i64,
) -> Result<Vec<Opened>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select t.kind, t.item_id, w.word, cast(sum(w.count) as bigint) as count
         from counted_things t join reading_words w on w.thing_id = t.id
         where t.member_id = $1 and ($2 = -1 or t.id = $2) and w.day between $3 and $4 and w.about = $5
         group by t.kind, t.item_id, w.word order by 4 desc, t.item_id desc, w.word limit $6",
        )
        .bind(member.as_str())
        .bind(thing.unwrap_or(-1))
        .bind(from)
        .bind(until)
        .bind(ARTICLE)
        .bind(most)
        .fetch_all(pool)
        .await
    })?)
}
