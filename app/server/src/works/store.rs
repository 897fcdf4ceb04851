//! SQL of works.

mod list;
mod revisions;
mod trash;

use domain::document::Document;
use domain::ids::{MemberId, WorkId};

use crate::db::{self, Db, Tx, with_db, with_tx};
use crate::error::Error;

pub use list::{Filter, Position, Shelf, Sort, Summary, kinds_of_member, page_of_member};
pub use revisions::{
    Cause, Revision, Saved, drop_kept, keep_refused, kept, of_work, photos_before, revision, save,
};
pub use trash::{forget, recently_trashed, restore, trash};

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

/// Adds a work with its first revision. An id that is known is the same form, sent again: nothing happens.
pub async fn insert(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    kind: &str,
    document: &Document,
    cause: Cause,
    now: i64,
) -> Result<(), Error> {
    let text = serde_json::to_string(document)?;
    let pages = page_count(document)?;
    let mut tx = db.begin().await?;
    let inserted = with_tx!(&mut tx, |conn| {
        sqlx::query(
        "insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision, created_at,
                            updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9) on conflict (id) do nothing",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(kind)
    .bind(&document.title)
    .bind(document.trim.width)
    .bind(document.trim.height)
    .bind(pages)
    .bind(&text)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if inserted == 1 {
        revisions::insert(&mut tx, id, 1, &text, cause, None, now).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// One of a member's own works, on the shelf or in the trash.
pub async fn find_for_owner(db: &Db, id: &WorkId, member: &MemberId) -> Result<Work, Error> {
    let row: Option<(String, String, i64, i64, Option<i64>)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select kind, document, revision, updated_at, trashed_at from works where id = $1 and member_id = $2",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(pool)
    .await
    })?;
    let (kind, document, revision, updated_at, trashed_at) = row.ok_or(Error::NotFound)?;
    let document = db::json("document", &document)?;
    Ok(Work { id: id.clone(), kind, document, revision, updated_at, trashed_at })
}

/// The title and the newest document of each of a member's works.
pub async fn documents_of(tx: &mut Tx, member: &MemberId) -> Result<Vec<(String, Document)>, Error> {
    let rows: Vec<(String, String)> = with_tx!(tx, |conn| sqlx::query_as(
        "select title, document from works where member_id = $1 order by updated_at desc, id desc"
    )
    .bind(member.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter().map(|(title, text)| Ok((title, db::json("document", &text)?))).collect()
}

fn page_count(document: &Document) -> Result<i64, Error> {
    i64::try_from(document.pages.len()).map_err(Error::internal)
}
