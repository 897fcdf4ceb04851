//! SQL of the study: what readers put there, the pages they have come to, their bookmarks and notes.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use base::lists::Position;
use domain::ids::{MemberId, NoteId};

use super::Thing;

/// Something that a reader put into its study, or has begun to read.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Kept {
    pub kind: String,
    pub item_id: String,
    pub title: String,
    /// None where it was only read.
    pub put_at: Option<i64>,
    /// The page that was read last, from 1, when that was, and how many pages there were.
    pub page: Option<i64>,
    pub read_at: Option<i64>,
    pub pages: Option<i64>,
}

/// A page that a reader marked.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Bookmark {
    pub kind: String,
    pub item_id: String,
    pub page: i64,
    pub title: String,
}

/// What a reader wrote on a page, for itself.
#[derive(Debug, Clone)]
pub struct Note {
    pub id: NoteId,
    pub kind: String,
    pub item_id: String,
    pub page: i64,
    pub title: String,
    pub words: String,
    pub updated_at: i64,
}

type NoteRow = (String, String, String, i64, String, String, i64);

fn note((id, kind, item_id, page, title, words, updated_at): NoteRow) -> Result<Note, Error> {
    Ok(Note { id: id.try_into().map_err(Error::internal)?, kind, item_id, page, title, words, updated_at })
}

/// The most things of a study that are shown and kept.
const MOST: i64 = 500;

/// What a reader has in its study and has read, the last it had to do with first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Kept>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select kind, item_id, title, put_at, page, read_at, pages from study_items
             where member_id = $1 order by updated_at desc, item_id limit $2",
        )
        .bind(member.as_str())
        .bind(MOST)
        .fetch_all(pool)
        .await
    })?)
}

/// What a reader has of one thing.
pub async fn find(db: &Db, member: &MemberId, thing: Thing<'_>) -> Result<Option<Kept>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select kind, item_id, title, put_at, page, read_at, pages from study_items
         where member_id = $1 and kind = $2 and item_id = $3",
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .fetch_optional(pool)
    .await)?)
}

/// Puts a thing into a study.
pub async fn put(
    tx: &mut Tx,
    member: &MemberId,
    thing: Thing<'_>,
    title: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into study_items (member_id, kind, item_id, title, put_at, updated_at)
         values ($1, $2, $3, $4, $5, $5)
         on conflict (member_id, kind, item_id) do update set title = excluded.title,
            put_at = coalesce(study_items.put_at, excluded.put_at), updated_at = excluded.updated_at",
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .bind(title)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Takes a thing out of a study, and with it where the reader had come to. Bookmarks and notes stay.
pub async fn remove(tx: &mut Tx, member: &MemberId, thing: Thing<'_>) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "delete from study_items where member_id = $1 and kind = $2 and item_id = $3"
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes the page that a reader was on at a moment; what was read later on another device stays.
pub async fn set_place(
    tx: &mut Tx,
    member: &MemberId,
    thing: Thing<'_>,
    title: &str,
    (page, pages): (i64, i64),
    at: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into study_items (member_id, kind, item_id, title, page, read_at, pages, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $6)
             on conflict (member_id, kind, item_id) do update set title = excluded.title, page = excluded.page,
                read_at = excluded.read_at, pages = excluded.pages, updated_at = excluded.updated_at
             where study_items.read_at is null or study_items.read_at < excluded.read_at",
        )
        .bind(member.as_str())
        .bind(thing.kind)
        .bind(thing.id)
        .bind(title)
        .bind(page)
        .bind(at)
        .bind(pages)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// A reader's bookmarks in one thing, in the order of its pages.
pub async fn bookmarks_of(db: &Db, member: &MemberId, thing: Thing<'_>) -> Result<Vec<Bookmark>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select kind, item_id, page, title from bookmarks
         where member_id = $1 and kind = $2 and item_id = $3 order by page",
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .fetch_all(pool)
    .await)?)
}

/// A reader's bookmarks, the newest first.
pub async fn bookmarks(db: &Db, member: &MemberId, most: i64) -> Result<Vec<Bookmark>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select kind, item_id, page, title from bookmarks
             where member_id = $1 order by created_at desc, item_id, page limit $2",
        )
        .bind(member.as_str())
        .bind(most)
        .fetch_all(pool)
        .await
    })?)
}

/// Marks a page.
pub async fn mark(
    tx: &mut Tx,
    member: &MemberId,
    thing: Thing<'_>,
    page: i64,
    title: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into bookmarks (member_id, kind, item_id, page, title, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (member_id, kind, item_id, page) do nothing",
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .bind(page)
    .bind(title)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Takes a mark away.
pub async fn unmark(tx: &mut Tx, member: &MemberId, thing: Thing<'_>, page: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "delete from bookmarks where member_id = $1 and kind = $2 and item_id = $3 and page = $4"
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .bind(page)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// How many bookmarks and notes a reader has.
pub async fn count(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select (select count(*) from bookmarks where member_id = $1)
              + (select count(*) from reader_notes where member_id = $1)"
    )
    .bind(member.as_str())
    .fetch_one(conn)
    .await)?)
}

/// A reader's notes in one thing, in the order of its pages.
pub async fn notes_of(db: &Db, member: &MemberId, thing: Thing<'_>) -> Result<Vec<Note>, Error> {
    let rows: Vec<NoteRow> = with_db!(db, |pool| sqlx::query_as(
        "select id, kind, item_id, page, title, words, updated_at from reader_notes
         where member_id = $1 and kind = $2 and item_id = $3 order by page, id",
    )
    .bind(member.as_str())
    .bind(thing.kind)
    .bind(thing.id)
    .fetch_all(pool)
    .await)?;
    rows.into_iter().map(note).collect()
}

/// A reader's notes from a place on, the last changed first.
pub async fn notes(
    db: &Db,
    member: &MemberId,
    after: Option<&Position<NoteId>>,
    most: i64,
) -> Result<Vec<Note>, Error> {
    let rows: Vec<NoteRow> = with_db!(db, |pool| {
        sqlx::query_as(
            "select id, kind, item_id, page, title, words, updated_at from reader_notes
             where member_id = $1 and (updated_at, id) < ($2, $3) order by updated_at desc, id desc limit $4",
        )
        .bind(member.as_str())
        .bind(after.map_or(i64::MAX, |after| after.at))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(most)
        .fetch_all(pool)
        .await
    })?;
    rows.into_iter().map(note).collect()
}

/// Writes a note. The same id again is the same form: it says what that says, where it is the reader's own; else nothing
/// happens.
pub async fn write(tx: &mut Tx, member: &MemberId, note: &Note) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into reader_notes (id, member_id, kind, item_id, page, title, words, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
             on conflict (id) do update set words = excluded.words, updated_at = excluded.updated_at
             where reader_notes.member_id = excluded.member_id",
        )
        .bind(note.id.as_str())
        .bind(member.as_str())
        .bind(&note.kind)
        .bind(&note.item_id)
        .bind(note.page)
        .bind(&note.title)
        .bind(&note.words)
        .bind(note.updated_at)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Changes what a reader's own note says; false where it has no such note.
pub async fn rewrite(
    tx: &mut Tx,
    member: &MemberId,
    id: &NoteId,
    words: &str,
    now: i64,
) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| sqlx::query(
        "update reader_notes set words = $3, updated_at = $4 where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(words)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Deletes a reader's own note; false where it has no such note.
pub async fn delete(tx: &mut Tx, member: &MemberId, id: &NoteId) -> Result<bool, Error> {
    let deleted =
        with_tx!(tx, |conn| sqlx::query("delete from reader_notes where id = $1 and member_id = $2")
            .bind(id.as_str())
            .bind(member.as_str())
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}

/// Forgets all that a reader has.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let parts = [
        (
            sql!(
                "delete from study_items where (member_id, kind, item_id) in (
                     select member_id, kind, item_id from study_items where member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from bookmarks where (member_id, kind, item_id, page) in (
                     select member_id, kind, item_id, page from bookmarks where member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from reader_notes
                 where id in (select id from reader_notes where member_id = $1 limit $2)"
            ),
            2,
        ),
    ];
    forgetting::some(tx, &parts, member.as_str()).await
}
