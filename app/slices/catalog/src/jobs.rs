//! What the slice does later.

use base::db::now_ms;
use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::GoodsId;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::changes;

/// Changes goods on the day that was asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeGoods {
    pub goods: GoodsId,
}

impl Job for ChangeGoods {
    type App = App;
    const KIND: &'static str = "change_goods";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        changes::take_effect(&app, &self.goods, now_ms()).await
    }
}
