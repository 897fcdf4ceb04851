//! What the slice does later.

use base::error::Error;
use base::jobs::Job;
use domain::ids::CouponId;
use serde::{Deserialize, Serialize};
use web::app::App;

use crate::store;

/// Forgets what the codes of a batch are made of.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetSalt {
    pub coupon: CouponId,
}

impl Job for ForgetSalt {
    type App = App;
    const KIND: &'static str = "forget_coupon_salt";
    async fn run(self, app: App) -> Result<(), Error> {
        store::forget_salt(&app.db, &self.coupon).await
    }
}
