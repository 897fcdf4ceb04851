//! What closing an account means for invoices: one that was asked for and not issued stands in its way. The invoices are
//! kept, as accounting records (会计档案管理办法 第十四条); titles and the addresses that files went to are not.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::{Closing, Obstacle};

use super::store;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn obstacles(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        let requested = store::closing::requested(tx, member).await?;
        if requested == 0 {
            return Ok(Vec::new());
        }
        let reason = format!("有 {requested} 张发票申请了还没有开出。请等它开好并保存下来，或者撤回申请。");
        Ok(vec![Obstacle { reason, way: ("查看发票", super::LIST) }])
    }

    async fn forget_some(
        &self,
        _app: &App,
        tx: &mut Tx,
        member: &MemberId,
        _now: i64,
    ) -> Result<bool, Error> {
        store::closing::forget_some(tx, member).await
    }
}
