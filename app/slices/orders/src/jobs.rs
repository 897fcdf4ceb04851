//! What the slice does later.

use base::db::now_ms;
use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::OrderId;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::{print_files, progress};

/// Makes an order's print files.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakePrintFiles {
    pub order: OrderId,
}

impl Job for MakePrintFiles {
    type App = App;
    const KIND: &'static str = "make_print_files";
    async fn run(self, app: App) -> Result<(), Error> {
        print_files::make(&app, &self.order).await
    }
}

/// Moves an order whose time in its state is over.
#[derive(Debug, Serialize, Deserialize)]
pub struct OrderDeadline {
    pub order: OrderId,
}

impl Job for OrderDeadline {
    type App = App;
    const KIND: &'static str = "order_deadline";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        progress::meet_deadline(&app, &self.order, now_ms()).await
    }
}
