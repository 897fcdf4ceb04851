//! What the slice does later.

use domain::ids::GoodsId;
use serde::{Deserialize, Serialize};

use super::changes;
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::jobs::{Job, Lane};

/// Changes goods on the day that was asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeGoods {
    pub goods: GoodsId,
}

impl Job for ChangeGoods {
    const KIND: &'static str = "change_goods";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        changes::take_effect(&app, &self.goods, now_ms()).await
    }
}
