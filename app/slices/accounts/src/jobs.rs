//! What the slice does later.

use base::error::Error;
use base::jobs::Job;
use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::closing;

/// Forgets what a member has that closed its account.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetClosed {
    pub member: MemberId,
    /// Until it has found nothing more; then it comes once more.
    #[serde(default)]
    pub is_first: bool,
}

impl Job for ForgetClosed {
    type App = App;
    const KIND: &'static str = "forget_closed";
    async fn run(self, app: App) -> Result<(), Error> {
        closing::forget(&app, &self.member, self.is_first).await
    }
}
