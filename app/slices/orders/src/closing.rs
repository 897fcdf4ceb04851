//! What closing an account means for orders: the unfinished ones stand in its way. All are kept, with the frozen copies that
//! they are printed from: 电子商务法 第三十一条 asks for three years from the completion of the transaction.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::slice::{Closing, Obstacle};

use super::store;

/// How many orders are named.
const NAMED: usize = 3;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn obstacles(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        let mut obstacles = Vec::new();
        let awaited = store::closing::awaited(tx, member).await?;
        if awaited > 0 {
            let reason = format!("读者订的您的作品还有 {awaited} 单没有送到，送到以后就可以注销。");
            obstacles.push(Obstacle { reason, way: ("查看作品", "/manager/opus_list/all") });
        }
        let open = store::closing::unended(tx, member).await?;
        if open.is_empty() {
            return Ok(obstacles);
        }
        let named: Vec<String> =
            open.iter().take(NAMED).map(|(id, state)| format!("{id}（{state}）")).collect();
        let others = if open.len() > NAMED { "等" } else { "" };
        let reason = format!(
            "有 {} 个订单还没有结束：{}{others}。没付款的可以取消，其余的等完成或退款之后再注销。",
            open.len(),
            named.join("、")
        );
        obstacles.push(Obstacle { reason, way: ("查看订单", "/manager/order") });
        Ok(obstacles)
    }
}
