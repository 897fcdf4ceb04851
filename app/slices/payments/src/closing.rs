//! What closing an account means for money: what is the member's, or on its way, stands in its way. Payments and ledger
//! entries are all kept: they are accounting records, and have nobody's name.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use domain::ledger::Account;
use domain::money::Fen;
use web::slice::{Closing, Obstacle};

use super::store::closing as rows;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn obstacles(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        let mut obstacles = Vec::new();
        let mut note = |reason: String, way| obstacles.push(Obstacle { reason, way });
        let balance = ledger::balance_of(tx, &Account::Member(member.clone())).await?;
        if balance != Fen::ZERO {
            let reason = format!("余额里还有 ¥{}。请先联系我们把钱退给您，或者用完它。", balance.grouped());
            note(reason, ("联系我们退款", "/about/contact"));
        }
        let frozen = ledger::balance_of(tx, &Account::Frozen(member.clone())).await?;
        if frozen != Fen::ZERO {
            let reason = format!("有 ¥{} 冻结着，还没有处理完。", frozen.grouped());
            note(reason, ("联系我们", "/about/contact"));
        }
        let payments = rows::pending_payments(tx, member).await?;
        if payments > 0 {
            let reason = format!(
                "有 {payments} 笔付款还在等结果。没有付的，过了有效期会自动关闭；已经付了的，请等它到账。"
            );
            note(reason, ("查看付款", "/manager/recharge"));
        }
        let refunds = rows::pending_refunds(tx, member).await?;
        if refunds > 0 {
            note(format!("有 {refunds} 笔退款还在路上，请等它退到。"), ("联系我们", "/about/contact"));
        }
        Ok(obstacles)
    }
}
