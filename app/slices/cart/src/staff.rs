//! Goods and price books in the back office 后台: what they are, how they are changed, and what becomes of the carts.

mod forms;
mod goods;
mod list;
pub mod preview;

use base::db::now_ms;
use base::error::Error;
use domain::ids::GoodsId;
use domain::staff::Capability;
use web::app::App;
use web::slice::{Queue, Queues};

pub use forms::{draft, withdraw};
pub use goods::GoodsPage;
pub use list::GoodsListPage;

/// Where goods are listed.
pub const LIST: &str = "/staff/goods";
/// How long after its day a change may wait before it is late, in ms.
const LATE_MS: i64 = 60 * 60_000;

/// The page of goods.
fn address(id: &GoodsId) -> String {
    format!("{LIST}/{id}")
}

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        // before its day a change is not late, however long ago it was made
        let (count, oldest) = catalog::count_waiting(app, now_ms()).await?;
        Ok(vec![Queue {
            name: "等着生效的价格",
            href: LIST.to_owned(),
            count,
            oldest,
            needs: Capability::Goods,
            late_after_ms: LATE_MS,
        }])
    }
}
