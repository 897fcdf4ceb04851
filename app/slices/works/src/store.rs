//! SQL of works.

mod decisions;
mod edits;
mod list;
mod revisions;
mod shown;
mod titles;
mod trash;
mod uses;

use base::db::{self, Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};

pub use decisions::{decide, is_decided};
pub use edits::{Edited, edit, is_still, made_before};
pub use list::{Filter, Position, Shelf, Sort, Summary, kinds_of_member, page_of_member};
pub use revisions::thin;
pub use revisions::{
    Cause, KEEPS, Revision, Saved, drop_kept, keep_refused, kept, moved_since, of_work, revision, save,
};
pub use shown::{Mark, marks};
pub use titles::fill as fill_titles;
pub use trash::{Forgotten, forget, forget_some, is_ended, recently_trashed, restore, trash};
pub use uses::AtUses;

/// A work with its newest document.
#[derive(Debug, Clone)]
pub struct Work {
    pub id: WorkId,
    /// album, document, calendar, ebook, epaper or magazine.
    pub kind: String,
    pub document: Document,
    pub revision: i64,
    pub updated_at: i64,
    /// When it was put into the trash, epoch ms; `None` on the shelf.
    pub trashed_at: Option<i64>,
    /// When it was published as an e-book, epoch ms; `None` where it is none.
    pub ebook_at: Option<i64>,
}

impl Work {
    /// The work, unless it lies in the trash: there it can be looked at and nothing else.
    pub fn on_shelf(self) -> Result<Self, Error> {
        match self.trashed_at {
            None => Ok(self),
            Some(_) => Err(Error::Conflict(self.in_trash())),
        }
    }

    /// What is said to whoever wants to do something with it that the trash does not allow.
    pub fn in_trash(&self) -> String {
        format!("《{}》在回收站里，还原以后才能继续。", self.document.title)
    }
}

/// Bytes that all versions of a member's works may have together. They count in the member's room, too; but a room that
/// is full of photos must not keep a book from being made of them.
const MOST_BYTES_OF_MEMBER: i64 = 1 << 30;

/// Adds a work with its first revision, and answers its id. The same document under the same id is the same form, sent
/// again: nothing happens, and nothing where the id is somebody else's. Another one, for which the member went back to the
/// form, is a work of its own.
pub async fn insert(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    kind: &str,
    document: &Document,
    cause: Cause,
    now: i64,
) -> Result<WorkId, Error> {
    let text = revisions::written(&revisions::identified(document, 1)?)?;
    let mut tx = db.begin().await?;
    let mut id = id.clone();
    if !insert_row(&mut tx, &id, member, kind, document, &text, now).await? {
        if !began_otherwise(&mut tx, &id, member, &text).await? {
            return Ok(id);
        }
        id = db::new_id();
        insert_row(&mut tx, &id, member, kind, document, &text, now).await?;
    }
    revisions::insert(&mut tx, &id, 1, &text, cause, None, now).await?;
    titles::keep(&mut tx, member, &id, &document.title).await?;
    uses::saved(&mut tx, &id, member, 1, document).await?;
    if revisions::bytes_of_member(&mut tx, member).await? > MOST_BYTES_OF_MEMBER {
        return Err(Error::TooLarge("您的作品和它们的旧版本太多了，请先到回收站清理不用的作品。".into()));
    }
    tx.commit().await?;
    Ok(id)
}

/// Whether the id was free.
async fn insert_row(
    tx: &mut Tx,
    id: &WorkId,
    member: &MemberId,
    kind: &str,
    document: &Document,
    text: &str,
    now: i64,
) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision, created_at,
                            updated_at, noted)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9, 1) on conflict (id) do nothing",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(kind)
    .bind(&document.title)
    .bind(document.trim.width)
    .bind(document.trim.height)
    .bind(page_count(document)?)
    .bind(text)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Whether a member's own work began as another document.
async fn began_otherwise(tx: &mut Tx, id: &WorkId, member: &MemberId, text: &str) -> Result<bool, Error> {
    let found: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from works w join work_revisions r on r.work_id = w.id and r.revision = 1
         where w.id = $1 and w.member_id = $2 and r.document <> $3",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(text)
    .fetch_one(conn)
    .await)?;
    Ok(found > 0)
}

/// One of a member's own works, on the shelf or in the trash.
pub async fn find_for_owner(db: &Db, id: &WorkId, member: &MemberId) -> Result<Work, Error> {
    type Row = (String, String, i64, i64, Option<i64>, Option<i64>);
    let row: Option<Row> = with_db!(db, |pool| {
        sqlx::query_as(
        "select kind, document, revision, updated_at, trashed_at, ebook_at from works where id = $1 and member_id = $2",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(pool)
    .await
    })?;
    let (kind, document, revision, updated_at, trashed_at, ebook_at) = row.ok_or(Error::NotFound)?;
    let document = db::json("document", &document)?;
    Ok(Work { id: id.clone(), kind, document, revision, updated_at, trashed_at, ebook_at })
}

/// Notes that a member's work is an e-book since a moment; one that is one already keeps its own.
pub async fn mark_ebook(tx: &mut Tx, id: &WorkId, member: &MemberId, since: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update works set ebook_at = coalesce(ebook_at, $3) where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(since)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes that it is none any more.
pub async fn unmark_ebook(tx: &mut Tx, id: &WorkId, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update works set ebook_at = null where id = $1 and member_id = $2")
        .bind(id.as_str())
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

fn page_count(document: &Document) -> Result<i64, Error> {
    i64::try_from(document.pages.len()).map_err(Error::internal)
}
