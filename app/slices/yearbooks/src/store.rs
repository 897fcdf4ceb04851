//! SQL of year books; that of the people on their rosters is in a file of its own.

mod roster;
pub mod uses;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::ids::{MemberId, WorkId, YearBookId};
use domain::yearbook::Share;

pub use roster::{
    Person, Sent, by_code, change_person, delete_person, insert_people, listed, people, people_within,
    person, person_of, set_asked, set_contacts, set_link, set_photos, set_words, some_people,
};

/// How a book is made: the codes of a page size and a theme, and how much room each has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub format: String,
    pub theme: String,
    pub share: Share,
}

impl Default for Look {
    fn default() -> Self {
        Self { format: "square-210".to_owned(), theme: "calm".to_owned(), share: Share::default() }
    }
}

/// A year book.
#[derive(Debug, Clone)]
pub struct Book {
    pub id: YearBookId,
    pub member: MemberId,
    pub title: String,
    pub author: String,
    pub greeting: String,
    /// When its last day is over, epoch ms.
    pub until: i64,
    pub created_at: i64,
    /// The work that was made of it last, and when.
    pub work: Option<WorkId>,
    pub made_at: Option<i64>,
    /// As it was made last, or as it is proposed.
    pub look: Look,
}

#[derive(sqlx::FromRow)]
struct BookRow {
    id: String,
    member_id: String,
    title: String,
    author: String,
    greeting: String,
    until_at: i64,
    created_at: i64,
    work_id: Option<String>,
    made_at: Option<i64>,
    format: Option<String>,
    theme: Option<String>,
    share: Option<String>,
}

impl TryFrom<BookRow> for Book {
    type Error = Error;
    fn try_from(row: BookRow) -> Result<Self, Error> {
        let usual = Look::default();
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            title: row.title,
            author: row.author,
            greeting: row.greeting,
            until: row.until_at,
            created_at: row.created_at,
            work: row.work_id.map(|work| work.try_into().map_err(Error::internal)).transpose()?,
            made_at: row.made_at,
            look: Look {
                format: row.format.unwrap_or(usual.format),
                theme: row.theme.unwrap_or(usual.theme),
                share: row.share.as_deref().and_then(Share::of_code).unwrap_or(usual.share),
            },
        })
    }
}

const BOOK: &str =
    "id, member_id, title, author, greeting, until_at, created_at, work_id, made_at, format, theme, share";

/// Adds a book, once for its id; false where its member has as many as it may.
pub async fn insert(tx: &mut Tx, book: &Book, most: i64) -> Result<bool, Error> {
    let count: i64 = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "select count(*) from yearbooks where member_id = $1 and id <> $2"
    )
    .bind(book.member.as_str())
    .bind(book.id.as_str())
    .fetch_one(conn)
    .await)?;
    if count >= most {
        return Ok(false);
    }
    with_tx!(tx, |conn| sqlx::query(
        "insert into yearbooks (id, member_id, title, author, greeting, until_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing"
    )
    .bind(book.id.as_str())
    .bind(book.member.as_str())
    .bind(&book.title)
    .bind(&book.author)
    .bind(&book.greeting)
    .bind(book.until)
    .bind(book.created_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(true)
}

/// Writes what its owner says of a book.
pub async fn change(tx: &mut Tx, book: &Book) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update yearbooks set title = $2, author = $3, greeting = $4, until_at = $5 where id = $1"
    )
    .bind(book.id.as_str())
    .bind(&book.title)
    .bind(&book.author)
    .bind(&book.greeting)
    .bind(book.until)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes the work that was made of a book, and how.
pub async fn set_work(
    tx: &mut Tx,
    id: &YearBookId,
    work: &WorkId,
    look: &Look,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update yearbooks set work_id = $2, made_at = $3, format = $4, theme = $5, share = $6 where id = $1"
    )
    .bind(id.as_str())
    .bind(work.as_str())
    .bind(now)
    .bind(&look.format)
    .bind(&look.theme)
    .bind(look.share.code())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Holds a book's row until the transaction ends: who adds people, sends something or asks waits for the others.
pub async fn hold(tx: &mut Tx, id: &YearBookId) -> Result<Book, Error> {
    let sql = sql!("update yearbooks set title = title where id = $1 returning {BOOK}");
    let row: Option<BookRow> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any book.
pub async fn find(db: &Db, id: &YearBookId) -> Result<Option<Book>, Error> {
    let sql = sql!("select {BOOK} from yearbooks where id = $1");
    let row: Option<BookRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.map(Book::try_from).transpose()
}

/// One of a member's own books.
pub async fn find_for_owner(db: &Db, id: &YearBookId, member: &MemberId) -> Result<Book, Error> {
    let sql = sql!("select {BOOK} from yearbooks where id = $1 and member_id = $2");
    let row: Option<BookRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// All of a member's books, the newest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Book>, Error> {
    let sql =
        sql!("select {BOOK} from yearbooks where member_id = $1 order by created_at desc, id desc limit 100");
    let rows: Vec<BookRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Book::try_from).collect()
}

/// How many are on a book's roster, and how many of them have sent something.
pub async fn counts(db: &Db, id: &YearBookId) -> Result<(i64, i64), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), count(sent_at) from yearbook_people where yearbook_id = $1"
    )
    .bind(id.as_str())
    .fetch_one(pool)
    .await)?)
}

/// One of a member's books, whichever it is.
pub async fn some_of_member(tx: &mut Tx, member: &MemberId) -> Result<Option<YearBookId>, Error> {
    let id: Option<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select id from yearbooks where member_id = $1 limit 1")
            .bind(member.as_str())
            .fetch_optional(conn)
            .await)?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Forgets some people of a book's roster; whether there may be more.
pub async fn forget_some_people(tx: &mut Tx, id: &YearBookId) -> Result<bool, Error> {
    let people = sql!(
        "delete from yearbook_people where id in (select id from yearbook_people where yearbook_id = $1 limit $2)"
    );
    forgetting::some(tx, &[(people, 1)], id.as_str()).await
}

/// Deletes a book with its roster.
pub async fn delete(tx: &mut Tx, id: &YearBookId) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from yearbook_people where yearbook_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(&mut *tx, |conn| sqlx::query("delete from yearbooks where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    uses::forget(tx, id).await
}
