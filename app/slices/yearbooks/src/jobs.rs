//! What the slice does later.

use domain::ids::YearBookId;
use serde::{Deserialize, Serialize};

use super::mail;
use platform::app::App;
use platform::error::Error;
use platform::jobs::Job;

/// Reminds those of a book who have sent nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemindAll {
    pub book: YearBookId,
    /// The end of the last day that it is about, epoch ms: where that was changed, another one comes.
    pub until: i64,
}

impl Job for RemindAll {
    const KIND: &'static str = "remind_yearbook";
    async fn run(self, app: App) -> Result<(), Error> {
        mail::remind(&app, &self.book, self.until).await
    }
}
