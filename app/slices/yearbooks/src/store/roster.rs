//! SQL of the people on a roster.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{MemberId, PhotoId, YearBookId, YearBookPersonId};
use domain::yearbook::{Entry, LinkState, ends};

use super::Book;

/// A photo that somebody sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub photo: PhotoId,
    /// Whether it came into the library by this.
    pub is_added: bool,
}

/// Somebody on a roster.
#[derive(Debug, Clone)]
pub struct Person {
    pub id: YearBookPersonId,
    pub book: YearBookId,
    pub member: MemberId,
    pub position: i64,
    pub entry: Entry,
    /// Without lines.
    pub code: String,
    pub motto: String,
    pub words: String,
    pub portrait: Option<Sent>,
    pub own: Option<Sent>,
    pub has_copy: bool,
    pub until: Option<i64>,
    pub withdrawn_at: Option<i64>,
    pub sent_at: Option<i64>,
    pub asked_at: Option<i64>,
}

impl Person {
    /// Where its link stands.
    pub fn state(&self, book: &Book, now: i64) -> LinkState {
        LinkState::of(book.until, self.until, self.withdrawn_at.is_some(), now)
    }

    /// The end of its last day.
    pub fn ends(&self, book: &Book) -> i64 {
        ends(book.until, self.until)
    }
}

#[derive(sqlx::FromRow)]
struct PersonRow {
    id: String,
    yearbook_id: String,
    member_id: String,
    position: i64,
    name: String,
    group_name: String,
    contact: String,
    code: String,
    motto: String,
    words: String,
    portrait: Option<String>,
    is_portrait_added: i64,
    own_photo: Option<String>,
    is_own_added: i64,
    has_copy: i64,
    until_at: Option<i64>,
    withdrawn_at: Option<i64>,
    sent_at: Option<i64>,
    asked_at: Option<i64>,
}

impl TryFrom<PersonRow> for Person {
    type Error = Error;
    fn try_from(row: PersonRow) -> Result<Self, Error> {
        let sent = |photo: Option<String>, added: i64| {
            let photo = photo.map(PhotoId::try_from).transpose().map_err(Error::internal)?;
            Ok::<_, Error>(photo.map(|photo| Sent { photo, is_added: added == 1 }))
        };
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            book: row.yearbook_id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            position: row.position,
            entry: Entry { name: row.name, group: row.group_name, contact: row.contact },
            code: row.code,
            motto: row.motto,
            words: row.words,
            portrait: sent(row.portrait, row.is_portrait_added)?,
            own: sent(row.own_photo, row.is_own_added)?,
            has_copy: row.has_copy == 1,
            until: row.until_at,
            withdrawn_at: row.withdrawn_at,
            sent_at: row.sent_at,
            asked_at: row.asked_at,
        })
    }
}

const PERSON: &str = "id, yearbook_id, member_id, position, name, group_name, contact, code, motto, words, portrait, \
                      is_portrait_added, own_photo, is_own_added, has_copy, until_at, withdrawn_at, sent_at, asked_at";
/// More than there may be on a roster.
const ALL: i64 = 2_000;

/// Everybody on a roster, in its order.
pub async fn people(db: &Db, book: &YearBookId) -> Result<Vec<Person>, Error> {
    people_within(&mut db.begin_snapshot().await?, book).await
}

/// The same within a transaction.
pub async fn people_within(tx: &mut Tx, book: &YearBookId) -> Result<Vec<Person>, Error> {
    let sql =
        sql!("select {PERSON} from yearbook_people where yearbook_id = $1 order by position, id limit $2");
    let rows: Vec<PersonRow> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(book.as_str()).bind(ALL).fetch_all(conn).await)?;
    rows.into_iter().map(Person::try_from).collect()
}

/// Somebody as a roster lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: YearBookPersonId,
    pub position: i64,
    pub entry: Entry,
}

/// Everybody on a roster, in its order, without what they sent.
pub async fn listed(tx: &mut Tx, book: &YearBookId) -> Result<Vec<Listed>, Error> {
    let rows: Vec<(String, i64, String, String, String)> = with_tx!(tx, |conn| sqlx::query_as(
        "select id, position, name, group_name, contact from yearbook_people where yearbook_id = $1
         order by position, id limit $2"
    )
    .bind(book.as_str())
    .bind(ALL)
    .fetch_all(conn)
    .await)?;
    let listed = |(id, position, name, group, contact): (String, _, _, _, _)| {
        let id = id.try_into().map_err(Error::internal)?;
        Ok(Listed { id, position, entry: Entry { name, group, contact } })
    };
    rows.into_iter().map(listed).collect()
}

/// Some of those on a roster, in its order.
pub async fn some_people(
    tx: &mut Tx,
    book: &YearBookId,
    ids: &[YearBookPersonId],
) -> Result<Vec<Person>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        "select {PERSON} from yearbook_people where id in ([?]) and yearbook_id || '' = $1 order by position, id"
    );
    let sql = sql.repeated(ids.len());
    let rows: Vec<PersonRow> = with_tx!(tx, |conn| {
        let query = sqlx::query_as(sql.text()).bind(book.as_str());
        ids.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all(conn).await
    })?;
    rows.into_iter().map(Person::try_from).collect()
}

/// Somebody on a book's roster.
pub async fn person(db: &Db, book: &YearBookId, id: &YearBookPersonId) -> Result<Person, Error> {
    let sql = sql!("select {PERSON} from yearbook_people where yearbook_id = $1 and id = $2");
    let row: Option<PersonRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(book.as_str())
        .bind(id.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Somebody on one of a member's rosters.
pub async fn person_of(db: &Db, member: &MemberId, id: &YearBookPersonId) -> Result<Person, Error> {
    let sql = sql!("select {PERSON} from yearbook_people where member_id = $1 and id = $2");
    let row: Option<PersonRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(id.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Whose link has a code.
pub async fn by_code(db: &Db, code: &str) -> Result<Option<Person>, Error> {
    let sql = sql!(
        "select {PERSON} from yearbook_people where code = $1
             and (select m.closed_at from members m where m.id = yearbook_people.member_id) is null"
    );
    let row: Option<PersonRow> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(code).fetch_optional(pool).await)?;
    row.map(Person::try_from).transpose()
}

/// People in one statement.
const AT_ONCE: usize = 500;

/// Adds many of one book; in a transaction that holds it.
pub async fn insert_people(tx: &mut Tx, people: &[Person]) -> Result<(), Error> {
    let sql = sql!(
        "insert into yearbook_people (id, yearbook_id, member_id, position, name, group_name, contact, code)
         values [(?, ?, ?, ?, ?, ?, ?, ?)]"
    );
    for some in people.chunks(AT_ONCE) {
        let sql = sql.repeated(some.len());
        with_tx!(&mut *tx, |conn| {
            some.iter()
                .fold(sqlx::query(sql.text()), |query, person| {
                    query
                        .bind(person.id.as_str())
                        .bind(person.book.as_str())
                        .bind(person.member.as_str())
                        .bind(person.position)
                        .bind(&person.entry.name)
                        .bind(&person.entry.group)
                        .bind(&person.entry.contact)
                        .bind(&person.code)
                })
                .execute(conn)
                .await
                .map(drop)
        })?;
    }
    Ok(())
}

/// Writes where people are reached by now.
pub async fn set_contacts(tx: &mut Tx, contacts: &[(YearBookPersonId, String)]) -> Result<(), Error> {
    let sql = sql!(
        "update yearbook_people set contact = known.column2 from (values [(?, ?)]) as known
         where yearbook_people.id = known.column1"
    );
    for some in contacts.chunks(AT_ONCE) {
        let sql = sql.repeated(some.len());
        with_tx!(&mut *tx, |conn| {
            some.iter()
                .fold(sqlx::query(sql.text()), |query, (id, contact)| query.bind(id.as_str()).bind(contact))
                .execute(conn)
                .await
                .map(drop)
        })?;
    }
    Ok(())
}

/// Writes what the book's owner says of somebody.
pub async fn change_person(tx: &mut Tx, person: &Person) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update yearbook_people set name = $2, group_name = $3, contact = $4, has_copy = $5, until_at = $6
         where id = $1"
    )
    .bind(person.id.as_str())
    .bind(&person.entry.name)
    .bind(&person.entry.group)
    .bind(&person.entry.contact)
    .bind(i64::from(person.has_copy))
    .bind(person.until)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Writes what somebody says, and when.
pub async fn set_words(
    tx: &mut Tx,
    id: &YearBookPersonId,
    (motto, words): (&str, &str),
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update yearbook_people set motto = $2, words = $3, sent_at = $4 where id = $1"
    )
    .bind(id.as_str())
    .bind(motto)
    .bind(words)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Writes which photos somebody sent, and when.
pub async fn set_photos(tx: &mut Tx, person: &Person, now: i64) -> Result<(), Error> {
    let is_added = |sent: &Option<Sent>| i64::from(sent.as_ref().is_some_and(|sent| sent.is_added));
    with_tx!(tx, |conn| {
        sqlx::query(
        "update yearbook_people
         set portrait = $2, is_portrait_added = $3, own_photo = $4, is_own_added = $5, sent_at = $6 where id = $1"
    )
    .bind(person.id.as_str())
    .bind(person.portrait.as_ref().map(|sent| sent.photo.as_str()))
    .bind(is_added(&person.portrait))
    .bind(person.own.as_ref().map(|sent| sent.photo.as_str()))
    .bind(is_added(&person.own))
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Takes somebody's link back, or gives another one.
pub async fn set_link(
    tx: &mut Tx,
    id: &YearBookPersonId,
    code: &str,
    withdrawn_at: Option<i64>,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update yearbook_people set code = $2, withdrawn_at = $3 where id = $1"
    )
    .bind(id.as_str())
    .bind(code)
    .bind(withdrawn_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes that some were asked.
pub async fn set_asked(tx: &mut Tx, ids: &[YearBookPersonId], now: i64) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = sql!("update yearbook_people set asked_at = $1 where id in ([?])").repeated(ids.len());
    with_tx!(tx, |conn| {
        let query = sqlx::query(sql.text()).bind(now);
        ids.iter().fold(query, |query, id| query.bind(id.as_str())).execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// Takes somebody off a roster.
pub async fn delete_person(tx: &mut Tx, id: &YearBookPersonId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from yearbook_people where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
