//! What the slice does later.

use base::error::Error;
use base::jobs::Job;
use domain::ids::YearBookId;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::mail;

/// Reminds those of a book who have sent nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemindAll {
    pub book: YearBookId,
    /// The end of the last day that it is about, epoch ms: where that was changed, another one comes.
    pub until: i64,
}

impl Job for RemindAll {
    type App = App;
    const KIND: &'static str = "remind_yearbook";
    async fn run(self, app: App) -> Result<(), Error> {
        mail::remind(&app, &self.book, self.until).await
    }
}
