//! What the slice does later.

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs::{self, Job};
use domain::ids::MemberId;
use domain::membership;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::notices;

/// Tells a member that its tier is about to end.
#[derive(Debug, Serialize, Deserialize)]
pub struct TellEnd {
    pub member: MemberId,
    /// The end that was known when this was queued.
    pub until: i64,
    /// So many days before it.
    pub days: i64,
}

impl Job for TellEnd {
    type App = App;
    const KIND: &'static str = "tell_end_of_membership";
    async fn run(self, app: App) -> Result<(), Error> {
        notices::tell_end(&app, &self, now_ms()).await
    }
}

/// Queues what is told of an end. Those of an earlier end find that it was put off.
pub async fn queue_notices(tx: &mut Tx, member: &MemberId, until: i64, now: i64) -> Result<(), Error> {
    for (days, at) in membership::notices(until, now) {
        jobs::enqueue_at(tx, &TellEnd { member: member.clone(), until, days }, at).await?;
    }
    Ok(())
}
