//! What the slice does later.

use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::{PaymentId, PaymentRefundId};
use serde::{Deserialize, Serialize};
use web::app::App;

use super::{follow, refund};

/// Asks where a payment stands, and ends it when its time is over.
#[derive(Debug, Serialize, Deserialize)]
pub struct FollowPayment {
    pub payment: PaymentId,
}

impl Job for FollowPayment {
    type App = App;
    const KIND: &'static str = "follow_payment";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        follow::follow(&app, &self.payment).await
    }
}

/// Sends money back to where it came from.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendBack {
    pub refund: PaymentRefundId,
}

impl Job for SendBack {
    type App = App;
    const KIND: &'static str = "send_back";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        refund::send_back(&app, &self.refund).await
    }
}
