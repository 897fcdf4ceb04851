//! What closing an account means for selling: what readers have paid a seller for and may still read, income that was not paid
//! out, and gifts that nobody has taken stand in its way. Sales are kept as accounting records, without the buyer's name.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use domain::ledger::Account;
use domain::money::Fen;
use web::app::App;
use web::slice::{Closing, Obstacle};

use super::store;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn obstacles(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        let mut obstacles = Vec::new();
        let unearned = ledger::balance_of(tx, &Account::Unearned(member.clone())).await?;
        if unearned != Fen::ZERO {
            let reason = format!(
                "读者付了款、还没有读完期限的有 ¥{}。请等期限结束，或者在销售订单里退还余款。",
                unearned.grouped()
            );
            obstacles.push(Obstacle { reason, way: ("查看销售订单", super::ORDERS) });
        }
        let income = super::income(tx, member).await?;
        if income != Fen::ZERO {
            let reason = format!("还有 ¥{} 的销售收入没有结算给您。", income.grouped());
            obstacles.push(Obstacle { reason, way: ("联系我们结算", "/about/contact") });
        }
        let untaken = store::gifts::untaken(tx, member).await?;
        if untaken > 0 {
            let reason = format!("送出的礼物还有 {untaken} 份没有人领取。请先收回，或者等对方领取。");
            obstacles.push(Obstacle { reason, way: ("查看送出的礼物", super::GIFTS) });
        }
        Ok(obstacles)
    }

    async fn end(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        store::closing::end(tx, member, now).await
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
