//! SQL of what all issues are searched by. The index of pairs of characters is each engine's own: FTS5 of SQLite, GIN of PostgreSQL.
//!
//! A page whose words changed leaves the index with the same transaction, and a job takes it in again: so nothing is found that
//! is not there any more, and pages that were there before this index are taken in like those.

use std::collections::BTreeSet;

use base::db::{Db, Fit, Sql, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::jobs;
use domain::grams::pairs;
use domain::ids::{IssueId, PublicationId};
use domain::publication::Day;
use rand::RngExt;

use crate::jobs::IndexPages;

/// A place has the day, then the page, the smallest last, and what stands where on it, then a number by chance: in falling order the
/// newest come first, and those of a day as they stand in the issue.
const BITS: u32 = 40;
const PAGE_BITS: u32 = 32;
const POSITION_BITS: u32 = 24;
const MOST: i64 = 255;

/// The places of what came out from one day to another.
pub fn places_of(from: Day, until: Day) -> (i64, i64) {
    (from.epoch_day() << BITS, ((until.epoch_day() + 1) << BITS) - 1)
}

fn place_of(day: Day, page: i64, position: usize) -> i64 {
    let position = MOST - i64::try_from(position).unwrap_or(MOST).min(MOST);
    let chance = rand::rng().random_range(0..1i64 << POSITION_BITS);
    (day.epoch_day() << BITS) | ((MOST - page.min(MOST)) << PAGE_BITS) | (position << POSITION_BITS) | chance
}

/// A pair of characters as the index has it; those of headlines are kept apart.
pub(super) fn gram(mark: char, (first, second): (char, char)) -> String {
    format!("{mark}{:x}z{:x}", u32::from(first), u32::from(second))
}

/// SQL: the 64 days of a place, counted by its first bits. None is below zero: days count from 1970, and newspapers do not.
pub(super) const MONTHS: &str = "(place >> 46) + 16384";

/// The word in the index for all that belongs to something, by its id: in digits, since an index folds letters, and forms may name
/// new things with signs that mean something there.
pub fn belonging(mark: char, id: &str) -> String {
    format!("{mark}{}", hex::encode(id))
}

/// Where words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Headline,
    /// Headlines among them.
    All,
}

impl Field {
    pub(super) fn mark(self) -> char {
        match self {
            Self::Headline => 'h',
            Self::All => 'w',
        }
    }
}

/// Makes the index where there is none yet, and has pages taken in that are not in it.
pub async fn prepare(db: &Db) -> Result<(), Error> {
    if matches!(Fit::of(db).await?, Fit::Behind(1..)) {
        // a command on the database of an older program, which has nothing to index yet
        return Ok(());
    }
    let (known, statements): (Sql, &[Sql]) = match db {
        Db::Sqlite(..) => (sql!("select cast(1 as bigint) from sqlite_schema where name = 'search_entries_deleted'"), &[
            sql!(
                "create virtual table if not exists search_grams using fts5 (grams, content='', contentless_delete=1,
                    detail='none', tokenize='ascii')"
            ),
            sql!(
                "create trigger if not exists search_entries_deleted after delete on search_entries
                 begin delete from search_grams where rowid = old.place; end"
            ),
        ]),
        Db::Postgres(..) => (sql!(
            "select cast(1 as bigint) from pg_class
             where relname = 'search_grams_of' and not coalesce('fastupdate=off' = any (reloptions), false)"
        ), &[
            sql!(
                "create table if not exists search_grams (place bigint primary key
                    references search_entries (place) on delete cascade, grams tsvector not null)"
            ),
            // long texts beside the rows, so that rows are read without them
            sql!("alter table search_entries set (toast_tuple_target = 256)"),
            sql!("create index if not exists search_grams_of on search_grams using gin (grams)"),
            // older programs made it so that each entry went to its places at once, several times as slowly ([`settle`])
            sql!("alter index search_grams_of reset (fastupdate)"),
        ]),
    };
    let known: Option<i64> =
        with_db!(db, |pool| sqlx::query_scalar(known.text()).fetch_optional(pool).await)?;
    // every command comes by here, and others may be at work
    for statement in statements.iter().filter(|_| known.is_none()) {
        with_write!(db, |pool| sqlx::query(statement.text()).execute(pool).await.map(drop))?;
    }
    if let Db::Postgres(..) = db {
        mark_months(db).await?;
    }
    let missing: Option<i64> = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select cast(1 as bigint) from issue_pages p
         where not exists (select 1 from search_pages s where s.issue_id = p.issue_id and s.page = p.page) limit 1"
    )
    .fetch_optional(pool)
    .await
    })?;
    if missing.is_none() && !is_behind(db, None).await? {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| sqlx::query(
        "insert into search_pages (issue_id, page, publication_id, is_kept)
         select p.issue_id, p.page, i.publication_id, 0 from issue_pages p join issues i on i.id = p.issue_id
         where not exists (select 1 from search_pages s where s.issue_id = p.issue_id and s.page = p.page)
         on conflict do nothing",
    )
    .execute(conn)
    .await
    .map(drop))?;
    jobs::at_once(&mut tx, &IndexPages {}).await?;
    Ok(tx.commit().await?)
}

/// Brings what was taken in to its places in the index, where that gathers it first: each search would go through it otherwise.
pub async fn settle(db: &Db) -> Result<(), Error> {
    if let Db::Postgres(..) = db {
        let sql = sql!("select gin_clean_pending_list(cast('search_grams_of' as regclass))");
        with_write!(db, |pool| sqlx::query(sql.text()).execute(pool).await.map(drop))?;
    }
    Ok(())
}

/// Has all pages taken in again that an older program took in without their months. It wrote the newest then: one is looked at.
async fn mark_months(db: &Db) -> Result<(), Error> {
    let sql = sql!(
        "update search_pages set is_kept = 0
         where exists (
                 select 1 from (select place, grams from search_grams order by place desc limit 1) newest
                 where not grams @@ cast('b' || {MONTHS} as tsquery))
             and not exists (select 1 from search_pages waiting where waiting.is_kept = 0)"
    );
    with_write!(db, |pool| sqlx::query(sql.text()).execute(pool).await.map(drop))?;
    Ok(())
}

/// Whether pages of a publication wait to be taken in, or of any.
pub async fn is_behind(db: &Db, publication: Option<&PublicationId>) -> Result<bool, Error> {
    let one: Option<String> = match publication {
        Some(publication) => with_db!(db, |pool| sqlx::query_scalar(
            "select issue_id from search_pages where is_kept = 0 and publication_id = $1 limit 1"
        )
        .bind(publication.as_str())
        .fetch_optional(pool)
        .await)?,
        None => with_db!(db, |pool| sqlx::query_scalar(
            "select issue_id from search_pages where is_kept = 0 limit 1"
        )
        .fetch_optional(pool)
        .await)?,
    };
    Ok(one.is_some())
}

/// What a page says, or when it came out, is another now: it leaves the index, and a job takes it in as it is. `0` is all pages.
pub async fn leave(tx: &mut Tx, issue: &IssueId, page: i64) -> Result<(), Error> {
    let changed = with_tx!(&mut *tx, |conn| {
        sqlx::query(
            "insert into search_pages (issue_id, page, publication_id, is_kept)
             select p.issue_id, p.page, i.publication_id, 0 from issue_pages p join issues i on i.id = p.issue_id
             where p.issue_id = $1 and ($2 = 0 or p.page = $2)
             on conflict (issue_id, page) do update set is_kept = 0 where search_pages.is_kept = 1",
        )
        .bind(issue.as_str())
        .bind(page)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    if changed == 0 {
        return Ok(());
    }
    forget(tx, issue.as_str(), page).await?;
    jobs::enqueue(tx, &IndexPages {}).await
}

async fn forget(tx: &mut Tx, issue: &str, page: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "delete from search_entries where issue_id = $1 and ($2 = 0 or page = $2)"
    )
    .bind(issue)
    .bind(page)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Pages that wait to be taken in, at most so many: issue and page.
pub async fn waiting(db: &Db, most: i64) -> Result<Vec<(String, i64)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select issue_id, page from search_pages where is_kept = 0 limit $1"
    )
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// Something that is found.
#[derive(Debug)]
pub struct Entry {
    /// Its number; 0 for what a page says beside its articles.
    pub article: i64,
    pub is_proposed: bool,
    /// Folded, in lines.
    pub headline: String,
    pub words: String,
}

/// A page as it is taken in: whose it is, and when it came out.
#[derive(Debug, sqlx::FromRow)]
pub struct Page {
    pub issue_id: String,
    pub page: i64,
    pub publication_id: String,
    pub member_id: String,
    pub kind: String,
    pub day: String,
    pub name: String,
    /// What was read off it, as JSON.
    pub blocks: Option<String>,
}

/// Takes a page up to take it in; none where another program has done so meanwhile, or where it is gone.
pub async fn take(tx: &mut Tx, issue: &str, page: i64) -> Result<Option<Page>, Error> {
    let taken = with_tx!(&mut *tx, |conn| sqlx::query(
        "update search_pages set is_kept = 1 where issue_id = $1 and page = $2 and is_kept = 0"
    )
    .bind(issue)
    .bind(page)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if taken == 0 {
        return Ok(None);
    }
    forget(tx, issue, page).await?;
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select n.issue_id, n.page, i.publication_id, i.member_id, p.kind, i.day, n.name, w.blocks
         from issue_pages n join issues i on i.id = n.issue_id join publications p on p.id = i.publication_id
         left join issue_words w on w.issue_id = n.issue_id and w.page = n.page and w.edition = i.edition
         where n.issue_id = $1 and n.page = $2"
    )
    .bind(issue)
    .bind(page)
    .fetch_optional(conn)
    .await)?)
}

/// An article's words: number, whether it is proposed, kicker, title, subtitle, author, text.
pub type Words = (i64, i64, String, String, String, String, String);

/// The articles of a page.
pub async fn articles(tx: &mut Tx, page: &Page) -> Result<Vec<Words>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select number, is_proposed, kicker, title, subtitle, author, text from articles
         where issue_id = $1 and page = $2 order by position, number"
    )
    .bind(&page.issue_id)
    .bind(page.page)
    .fetch_all(conn)
    .await)?)
}

/// Takes an entry of a page into the index.
pub async fn add(
    tx: &mut Tx,
    page: &Page,
    (day, section): (Day, &str),
    (position, entry): (usize, &Entry),
) -> Result<(), Error> {
    let place = place_of(day, page.page, position);
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "insert into search_entries (place, issue_id, page, publication_id, article, is_proposed, section, headline, words)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(place)
    .bind(&page.issue_id)
    .bind(page.page)
    .bind(&page.publication_id)
    .bind(entry.article)
    .bind(i64::from(entry.is_proposed))
    .bind(section)
    .bind(&entry.headline)
    .bind(&entry.words)
    .execute(conn)
    .await
    .map(drop)
    })?;
    let of = |field: Field, text: &str| -> BTreeSet<String> {
        text.lines().flat_map(pairs).map(|pair| gram(field.mark(), pair)).collect()
    };
    let mut grams = of(Field::Headline, &entry.headline);
    grams.append(&mut of(Field::All, &entry.words));
    grams.insert(belonging(TITLE, &page.publication_id));
    grams.insert(belonging(MAKER, &page.member_id));
    grams.insert(belonging(KIND, &page.kind));
    let grams: Vec<String> = grams.into_iter().collect();
    let sql = match tx {
        Tx::Sqlite(..) => sql!("insert into search_grams (rowid, grams) values ($1, $2)"),
        Tx::Postgres(..) => sql!(
            "insert into search_grams (place, grams)
             select place, array_to_tsvector(string_to_array($2, ' ') || ('b' || {MONTHS}))
             from search_entries where place = $1"
        ),
    };
    with_tx!(tx, |conn| sqlx::query(sql.text())
        .bind(place)
        .bind(grams.join(" "))
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Marks of [`belonging`]: a publication, a member, a kind.
pub const TITLE: char = 'p';
pub const MAKER: char = 'm';
pub const KIND: char = 'k';
