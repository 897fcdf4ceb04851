//! What the slice does later.

use base::db::now_ms;
use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::GiftCardId;
use serde::{Deserialize, Serialize};
use web::app::App;

use crate::cards;

/// Sends the message of a card that was paid.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendGiftCard {
    pub card: GiftCardId,
}

impl Job for SendGiftCard {
    type App = App;
    const KIND: &'static str = "send_gift_card";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        cards::send_first(&app, &self.card, now_ms()).await
    }
}
