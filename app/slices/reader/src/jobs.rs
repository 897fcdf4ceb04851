//! What the slice does later.

use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::WorkId;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::downloads;
use super::{pictures, store, words};
use works::BookFormat;

/// The width that most telephones ask for first.
const FIRST_WIDTH: u32 = 720;

/// Reads the words of a published revision, and draws the pictures that are asked for first.
#[derive(Debug, Serialize, Deserialize)]
pub struct PreparePages {
    pub work: WorkId,
    pub revision: i64,
}

impl Job for PreparePages {
    type App = App;
    const KIND: &'static str = "prepare_pages";
    async fn run(self, app: App) -> Result<(), Error> {
        words::prepare(&app, &self.work, self.revision).await?;
        let share = store::find(&app.db, &self.work).await?;
        let Some(share) = share.filter(|share| share.revision == self.revision) else { return Ok(()) };
        for page in 0..=share.facts.pages {
            pictures::drawn(&app, &share, page, FIRST_WIDTH).await?;
        }
        Ok(())
    }
}

/// Makes a file that readers may take away. One that was made since, or that nobody may have any more, is passed over.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakeFile {
    pub work: WorkId,
    pub format: BookFormat,
}

impl Job for MakeFile {
    type App = App;
    const KIND: &'static str = "make_reading_file";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        let Some(share) = store::find(&app.db, &self.work).await? else { return Ok(()) };
        if share.withdrawn_at.is_none() && downloads::is_allowed(self.format, &share.settings) {
            downloads::made(&app, &share, self.format).await?;
        }
        Ok(())
    }
}
