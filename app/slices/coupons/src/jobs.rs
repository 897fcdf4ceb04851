//! What the slice does later.

use domain::ids::CouponId;
use serde::{Deserialize, Serialize};

use crate::store;
use platform::app::App;
use platform::error::Error;
use platform::jobs::Job;

/// Forgets what the codes of a batch are made of.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetSalt {
    pub coupon: CouponId,
}

impl Job for ForgetSalt {
    const KIND: &'static str = "forget_coupon_salt";
    async fn run(self, app: App) -> Result<(), Error> {
        store::forget_salt(&app.db, &self.coupon).await
    }
}
