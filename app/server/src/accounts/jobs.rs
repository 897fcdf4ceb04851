//! What the slice does later.

use serde::{Deserialize, Serialize};

use super::avatar;
use platform::app::App;
use platform::error::Error;
use platform::jobs::Job;

/// Deletes a member's picture unless somebody shows it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetAvatar {
    pub sha256: String,
}

impl Job for ForgetAvatar {
    const KIND: &'static str = "forget_avatar";
    async fn run(self, app: App) -> Result<(), Error> {
        avatar::forget(&app, &self.sha256).await
    }
}
