//! Orders in the back office 后台: what waits to be printed, sent or answered, and what is done to each.

pub mod daily;
mod downloads;
pub mod exports;
mod forms;
mod list;
mod order;
mod papers;
mod parcels;
mod reprints;
pub mod second;

pub use downloads::{files, tickets};
pub use forms::{decide, decline, file, parcel, picture, refund, start_many, step};
pub use list::OrdersPage;
pub use order::OrderPage;
pub use papers::{labels, slips};
pub use parcels::{ParcelsPage, read as read_line, ship_many};
pub use reprints::ReprintsPage;

use base::db::now_ms;
use base::error::Error;
use domain::staff::Capability;
use web::app::App;
use web::approvals;
use web::slice::{Queue, Queues};

use super::store;

/// Where orders are listed.
pub const LIST: &str = "/staff/orders";
/// Job tickets of many orders as one PDF.
pub const TICKETS: &str = "/staff/orders/tickets";
/// All files of many orders as one archive.
pub const FILES: &str = "/staff/orders/files";
/// Labels of many orders as one PDF.
pub const LABELS: &str = "/staff/orders/labels";
/// Packing slips of many orders as one PDF.
pub const SLIPS: &str = "/staff/orders/slips";
/// What was printed once more, and why.
pub const REPRINTS: &str = "/staff/reprints";
/// Where many parcels are noted at once.
pub const PARCELS: &str = "/staff/parcels";
const HOUR_MS: i64 = 60 * 60_000;

/// The page of an order.
pub fn address(id: &domain::ids::OrderId) -> String {
    format!("{LIST}/{id}")
}

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let mut queues = Vec::new();
        for (view, name, late_after_ms) in
            [("paid", "待开印的订单", 24 * HOUR_MS), ("making", "印制中、待发货的订单", 5 * 24 * HOUR_MS)]
        {
            let filter = list::filter(view, "", now_ms()).ok_or(Error::NotFound)?;
            let (count, oldest) = store::list::count(&app.db, &filter.states, filter.paid_before).await?;
            queues.push(Queue {
                name,
                href: format!("{LIST}?view={view}"),
                count,
                oldest,
                needs: Capability::Print,
                late_after_ms,
            });
        }
        let (count, oldest) = store::list::count_asked(&app.db).await?;
        queues.push(Queue {
            name: "取消申请",
            href: format!("{LIST}?view=asked"),
            count,
            oldest,
            needs: Capability::Refund,
            late_after_ms: 24 * HOUR_MS,
        });
        let (count, oldest) = approvals::count(&app.db, second::KIND).await?;
        queues.push(Queue {
            name: "待复核的订单退款",
            href: format!("{LIST}?view=second"),
            count,
            oldest,
            needs: Capability::Refund,
            late_after_ms: 24 * HOUR_MS,
        });
        Ok(queues)
    }
}
