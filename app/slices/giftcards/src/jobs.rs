//! What the slice does later.

use domain::ids::GiftCardId;
use serde::{Deserialize, Serialize};

use crate::cards;
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::jobs::{Job, Lane};

/// Sends the message of a card that was paid.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendGiftCard {
    pub card: GiftCardId,
}

impl Job for SendGiftCard {
    const KIND: &'static str = "send_gift_card";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        cards::send_first(&app, &self.card, now_ms()).await
    }
}
