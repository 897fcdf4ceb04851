//! A work without its document: what a list, a cart and the ways to a work need of it.

use base::error::Error;
use domain::document::Trim;
use domain::ids::WorkId;

use super::Work;

/// See above; everything of the newest revision.
#[derive(Debug, Clone)]
pub struct Outline {
    pub id: WorkId,
    pub title: String,
    pub trim: Trim,
    pub pages: u32,
    pub revision: i64,
    /// When it was put into the trash, epoch ms; `None` on the shelf.
    pub trashed_at: Option<i64>,
    /// It hangs from rings, and is no book.
    pub is_calendar: bool,
}

impl Outline {
    /// What is said to whoever wants to do something with it that the trash does not allow.
    pub fn in_trash(&self) -> String {
        format!("《{}》在回收站里，还原以后才能继续。", self.title)
    }
}

impl TryFrom<&Work> for Outline {
    type Error = Error;
    fn try_from(work: &Work) -> Result<Self, Error> {
        Ok(Self {
            id: work.id.clone(),
            title: work.document.title.clone(),
            trim: work.document.trim,
            pages: u32::try_from(work.document.pages.len()).map_err(Error::internal)?,
            revision: work.revision,
            trashed_at: work.trashed_at,
            is_calendar: domain::calendar::is_calendar(&work.document),
        })
    }
}

/// The columns of an [`OutlineRow`], of `works w`.
pub const OUTLINE_COLUMNS: &str =
    "w.title, w.trim_width, w.trim_height, w.pages, w.revision, w.trashed_at, w.kind";

/// As a row has it, beside whatever else was asked for.
#[derive(sqlx::FromRow)]
pub struct OutlineRow {
    title: String,
    trim_width: f64,
    trim_height: f64,
    pages: i64,
    revision: i64,
    trashed_at: Option<i64>,
    kind: String,
}

impl OutlineRow {
    /// The row of this work.
    pub fn of(self, id: WorkId) -> Result<Outline, Error> {
        Ok(Outline {
            id,
            title: self.title,
            trim: Trim { width: self.trim_width, height: self.trim_height },
            pages: u32::try_from(self.pages).map_err(Error::internal)?,
            revision: self.revision,
            trashed_at: self.trashed_at,
            is_calendar: self.kind == "calendar",
        })
    }
}
