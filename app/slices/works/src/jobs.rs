//! What the slice does later.

use base::db::now_ms;
use base::error::Error;
use base::jobs::{self, Job};
use domain::ids::{FileDigest, MemberId, WorkId};
use serde::{Deserialize, Serialize};
use web::app::App;

use super::{KIND, TRASH_MS, documents, forget, store};

/// Deletes a work whose time in the trash is over.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetWork {
    pub work: WorkId,
}

impl Job for ForgetWork {
    type App = App;
    const KIND: &'static str = "forget_work";
    async fn run(self, app: App) -> Result<(), Error> {
        // what readers bought stays as long as they may read it, what was given until somebody takes it, and its maker has an account
        if !store::is_ended(&app.db, &self.work).await?
            && !app.house.readers_of(&app, KIND, self.work.as_str()).await?.is_none()
        {
            let mut tx = app.db.begin().await?;
            jobs::enqueue_at(&mut tx, &self, now_ms() + TRASH_MS).await?;
            return Ok(tx.commit().await?);
        }
        forget(&app, &self.work, now_ms()).await
    }
}

/// Deletes all PDFs of a member that nothing shows any more.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetPdfs {
    pub member: MemberId,
    /// The last one that was looked at, in the order of their digests.
    #[serde(default)]
    pub after: Option<FileDigest>,
}

impl Job for ForgetPdfs {
    type App = App;
    const KIND: &'static str = "forget_pdfs";
    async fn run(self, app: App) -> Result<(), Error> {
        documents::forget_all(&app, &self.member, self.after.as_ref()).await
    }
}

/// Deletes a PDF that no work and no order of its member shows.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetPdf {
    pub member: MemberId,
    pub file: FileDigest,
}

impl Job for ForgetPdf {
    type App = App;
    const KIND: &'static str = "forget_pdf";
    async fn run(self, app: App) -> Result<(), Error> {
        documents::forget(&app, &self.member, &self.file).await
    }
}
