//! SQL of what is counted.

pub mod report;

use std::collections::{BTreeMap, BTreeSet};

use base::db::{Db, Tx, sql, with_tx, with_write};
use base::error::Error;
use base::forgetting;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::ids::MemberId;
use domain::statistics::OTHERS;
use rand::Rng;

use super::counter::{ARTICLE, Gathered, Tally, Thing, number_of};

/// The kind of what stands for all of a member's things together.
pub const WHOLE: &str = "member";
/// Different words that are kept of a thing and a day; what comes after is one word, [`OTHERS`].
const MOST_SOURCES: usize = 30;
/// See [`MOST_SOURCES`].
const MOST_SEARCHES: usize = 50;
/// See [`MOST_SOURCES`]; a work has no more areas, and an issue no more articles.
const MOST_AREAS: usize = 1_000;

/// The salt of a day, made when it is first asked for.
pub async fn salt(db: &Db, day: i64) -> Result<String, Error> {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    let fresh = STANDARD_NO_PAD.encode(bytes);
    Ok(with_write!(db, |pool| {
        sqlx::query("insert into reader_salts (day, salt) values ($1, $2) on conflict (day) do nothing")
            .bind(day)
            .bind(fresh)
            .execute(pool)
            .await?;
        sqlx::query_scalar("select salt from reader_salts where day = $1").bind(day).fetch_one(pool).await
    })?)
}

/// Forgets who read before a day, so that nobody can ever be told from it again.
pub async fn forget_readers(db: &Db, day: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from reader_salts where day < $1")
        .bind(day)
        .execute(pool)
        .await
        .map(drop))?;
    loop {
        let gone = with_write!(db, |pool| sqlx::query(
            "delete from day_readers where (day, thing_id, reader) in (
                 select day, thing_id, reader from day_readers where day < $1 limit 2000)"
        )
        .bind(day)
        .execute(pool)
        .await
        .map(|done| done.rows_affected()))?;
        if gone == 0 {
            return Ok(());
        }
    }
}

/// Rows in one statement.
const AT_ONCE: usize = 500;

/// Things in one transaction: each is ten statements and more, and others wait meanwhile.
const THINGS_AT_ONCE: usize = 10;

/// Adds what was gathered, some things at a time; what could not be added comes back.
pub async fn write(db: &Db, mut gathered: Gathered) -> Result<(), (Error, Gathered)> {
    while !gathered.is_empty() {
        let next = gathered.keys().nth(THINGS_AT_ONCE).cloned();
        let mut later = next.map(|key| gathered.split_off(&key)).unwrap_or_default();
        if let Err(error) = write_some(db, &gathered).await {
            gathered.append(&mut later);
            return Err((error, gathered));
        }
        gathered = later;
    }
    Ok(())
}

/// Adds all of it or nothing.
async fn write_some(db: &Db, gathered: &Gathered) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    for ((day, thing), tally) in gathered {
        add(&mut tx, *day, thing, tally).await?;
    }
    Ok(tx.commit().await?)
}

/// Adds a day's tally of a thing.
async fn add(tx: &mut Tx, day: i64, thing: &Thing, tally: &Tally) -> Result<(), Error> {
    let owner = thing.owner.as_str();
    let whole =
        Thing { number: number_of(WHOLE, owner), kind: WHOLE.into(), id: owner.into(), ..thing.clone() };
    for thing in [thing, &whole] {
        with_tx!(tx, |conn| sqlx::query(
            "insert into counted_things (id, kind, item_id, member_id) values ($1, $2, $3, $4)
             on conflict (id) do nothing",
        )
        .bind(thing.number)
        .bind(&thing.kind)
        .bind(&thing.id)
        .bind(thing.owner.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    }
    let sums = tally.pages.values().fold((0, 0), |sum, page| (sum.0 + page.0, sum.1 + page.1));
    let readers = fresh_readers(tx, day, thing.number, tally).await?;
    let of_whole = fresh_readers(tx, day, whole.number, tally).await?;
    add_day(tx, day, thing.number, (tally.opens, sums.0, sums.1), readers).await?;
    add_day(tx, day, whole.number, (tally.opens, sums.0, sums.1), of_whole).await?;
    let pages = sql!(
        "insert into reading_pages (thing_id, day, page, reads, spent) values [($1, $2, ?, ?, ?)]
         on conflict (thing_id, day, page) do update set reads = reading_pages.reads + excluded.reads,
            spent = reading_pages.spent + excluded.spent"
    );
    for part in tally.pages.iter().collect::<Vec<_>>().chunks(AT_ONCE) {
        let pages = pages.repeated(part.len());
        with_tx!(tx, |conn| {
            let query = sqlx::query(pages.text()).bind(thing.number).bind(day);
            part.iter()
                .fold(query, |query, (page, (reads, spent))| query.bind(**page).bind(*reads).bind(*spent))
                .execute(conn)
                .await
                .map(drop)
        })?;
    }
    let mut words: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
    for ((about, word), count) in &tally.words {
        words.entry(about).or_default().insert(word, *count);
    }
    for (about, said) in words {
        add_words(tx, day, thing.number, about, said).await?;
    }
    Ok(())
}

/// Notes a day's readers of a thing; how many are new, and how many of those are signed in.
async fn fresh_readers(tx: &mut Tx, day: i64, thing: i64, tally: &Tally) -> Result<(i64, i64), Error> {
    let mut fresh = (0, 0);
    let sql = sql!(
        "insert into day_readers (day, thing_id, reader) values [($1, $2, ?)] on conflict do nothing returning reader"
    );
    for part in tally.readers.keys().collect::<Vec<_>>().chunks(AT_ONCE) {
        let sql = sql.repeated(part.len());
        let added: Vec<i64> = with_tx!(tx, |conn| {
            let query = sqlx::query_scalar(sql.text()).bind(day).bind(thing);
            part.iter().fold(query, |query, reader| query.bind(**reader)).fetch_all(conn).await
        })?;
        let members = added.iter().filter(|reader| tally.readers.get(reader) == Some(&true)).count();
        fresh.0 += i64::try_from(added.len()).map_err(Error::internal)?;
        fresh.1 += i64::try_from(members).map_err(Error::internal)?;
    }
    Ok(fresh)
}

/// Adds to a day of a thing: opens, reads and ms; readers, and those that are signed in.
pub async fn add_day(
    tx: &mut Tx,
    day: i64,
    thing: i64,
    (opens, reads, spent): (i64, i64, i64),
    (readers, members): (i64, i64),
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into reading_days (thing_id, day, opens, reads, spent, readers, members)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (thing_id, day) do update set opens = reading_days.opens + excluded.opens,
            reads = reading_days.reads + excluded.reads, spent = reading_days.spent + excluded.spent,
            readers = reading_days.readers + excluded.readers, members = reading_days.members + excluded.members",
    )
    .bind(thing)
    .bind(day)
    .bind(opens)
    .bind(reads)
    .bind(spent)
    .bind(readers)
    .bind(members)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Adds to a day's words about one thing. So many different ones are kept; further ones are one.
async fn add_words(
    tx: &mut Tx,
    day: i64,
    thing: i64,
    about: &str,
    said: BTreeMap<&str, i64>,
) -> Result<(), Error> {
    let most = match about {
        "search" => MOST_SEARCHES,
        "area" | ARTICLE => MOST_AREAS,
        _ => MOST_SOURCES,
    };
    let mut known: BTreeSet<String> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "select word from reading_words where thing_id = $1 and day = $2 and about = $3"
    )
    .bind(thing)
    .bind(day)
    .bind(about)
    .fetch_all(conn)
    .await)?
    .into_iter()
    .collect();
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for (word, count) in said {
        let is_kept = known.contains(word) || known.len() < most;
        let word = if is_kept { word } else { OTHERS };
        known.insert(word.to_owned());
        *counts.entry(word).or_default() += count;
    }
    let sql = sql!(
        "insert into reading_words (thing_id, day, about, word, count) values [($1, $2, $3, ?, ?)]
         on conflict (thing_id, day, about, word) do update set count = reading_words.count + excluded.count"
    );
    for part in counts.iter().collect::<Vec<_>>().chunks(AT_ONCE) {
        let sql = sql.repeated(part.len());
        with_tx!(&mut *tx, |conn| {
            let query = sqlx::query(sql.text()).bind(thing).bind(day).bind(about);
            part.iter()
                .fold(query, |query, (word, count)| query.bind(**word).bind(**count))
                .execute(conn)
                .await
                .map(drop)
        })?;
    }
    Ok(())
}

/// Things whose numbers are forgotten at once.
const THINGS: i64 = 20;

/// Forgets some numbers of what a member published; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let things: Vec<i64> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "select id from counted_things where member_id = $1 limit $2"
    )
    .bind(member.as_str())
    .bind(THINGS)
    .fetch_all(conn)
    .await)?;
    let parts = [
        (
            sql!(
                "delete from reading_days where (thing_id, day) in (
                     select thing_id, day from reading_days where thing_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from reading_pages where (thing_id, day, page) in (
                     select thing_id, day, page from reading_pages where thing_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from reading_words where (thing_id, day, about, word) in (
                     select thing_id, day, about, word from reading_words where thing_id in ([?]) limit $1)"
            ),
            1,
        ),
        // readers are known for the days that have a salt
        (
            sql!(
                "delete from day_readers where (day, thing_id, reader) in (
                     select d.day, d.thing_id, d.reader from reader_salts s cross join day_readers d
                     where d.day = s.day and d.thing_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from counted_things where id in (select id from counted_things where id in ([?]) limit $1)"
            ),
            1,
        ),
    ];
    Ok(forgetting::some_of(tx, &parts, &things).await? || things.len() as i64 == THINGS)
}
