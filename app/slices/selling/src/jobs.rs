//! What the slice does later.

use std::time::{Duration, Instant};

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs::{self, Job, Lane};
use domain::days::DAY_MS;
use domain::ids::{BatchId, EntitlementId, MemberId, SaleId};
use domain::package::Span;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::store::entitlements::TRIAL;
use super::{codes, gifts, notices, refunds, sales, store};

/// So long before the end of a right its reader is told, in ms.
pub const AHEAD_MS: i64 = 30 * DAY_MS;
/// The same of a trial.
const TRIAL_AHEAD_MS: i64 = DAY_MS;

/// How long before the end of a right its reader is told, by what it came of.
pub fn ahead(source: &str) -> i64 {
    if source == TRIAL { TRIAL_AHEAD_MS } else { AHEAD_MS }
}

/// Earns the days of a sale that are over.
#[derive(Debug, Serialize, Deserialize)]
pub struct EarnSale {
    pub sale: SaleId,
}

impl Job for EarnSale {
    type App = App;
    const KIND: &'static str = "earn_sale";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        sales::earn(&app, &self.sale, now_ms()).await
    }
}

/// Tells a reader that its right is about to end.
#[derive(Debug, Serialize, Deserialize)]
pub struct TellEnd {
    pub entitlement: EntitlementId,
}

impl Job for TellEnd {
    type App = App;
    const KIND: &'static str = "tell_end_of_entitlement";
    async fn run(self, app: App) -> Result<(), Error> {
        notices::tell_end(&app, &self.entitlement, now_ms()).await
    }
}

/// Queues that. A right that is shorter, or about to end anyway, needs no word.
pub async fn queue_notice(tx: &mut Tx, id: &EntitlementId, span: Span, source: &str) -> Result<(), Error> {
    match span.until {
        Some(until) if until - ahead(source) > span.from => {
            jobs::enqueue_at(tx, &TellEnd { entitlement: id.clone() }, until - ahead(source)).await
        }
        _ => Ok(()),
    }
}

/// Forgets what the codes of a batch are made of.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetSalt {
    pub batch: BatchId,
}

impl Job for ForgetSalt {
    type App = App;
    const KIND: &'static str = "forget_code_salt";
    async fn run(self, app: App) -> Result<(), Error> {
        store::batches::forget_salt(&app.db, &self.batch, now_ms()).await
    }
}

/// Writes what is left of a large batch's codes.
#[derive(Debug, Serialize, Deserialize)]
pub struct WriteCodes {
    pub batch: BatchId,
}

impl Job for WriteCodes {
    type App = App;
    const KIND: &'static str = "write_codes";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        codes::write_rest_later(&app, &self.batch).await
    }
}

/// How long sales are given back before others have their turn.
const SLICE: Duration = Duration::from_secs(2);

/// Gives back what readers paid for a thing by itself, for a while; what is left then waits behind what others wait for.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundSingles {
    pub seller: MemberId,
    #[serde(rename = "of_kind")]
    pub kind: String,
    pub id: String,
    /// The last sale that was looked at: those are not asked again for which a seller's income is not enough.
    #[serde(default)]
    pub after: Option<refunds::Place>,
}

impl Job for RefundSingles {
    type App = App;
    const KIND: &'static str = "refund_singles";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        let of = (&self.seller, self.kind.as_str(), self.id.as_str());
        let until = Instant::now() + SLICE;
        let after = refunds::refund_some(&app, of, self.after, now_ms(), until).await?;
        let Some(after) = after else { return Ok(()) };
        let rest = Self { after: Some(after), ..self };
        let mut tx = app.db.begin().await?;
        jobs::enqueue_in(&mut tx, &rest, Lane::Background, &rest.seller, now_ms()).await?;
        tx.commit().await?;
        app.bell.ring();
        Ok(())
    }
}

/// Sends the first message of a gift.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendGift {
    pub sale: SaleId,
}

impl Job for SendGift {
    type App = App;
    const KIND: &'static str = "send_gift";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        gifts::send_first(&app, &self.sale, now_ms()).await
    }
}
