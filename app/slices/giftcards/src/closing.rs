//! What closing an account means for gift cards: those that it has are used up first; those that it bought can still be used by
//! whoever has them, and forget whom they were for. The rows themselves are accounting records.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use domain::money::Fen;
use web::app::App;
use web::slice::{Closing, Obstacle};

use super::store;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn obstacles(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        let held = store::held_by(tx, member).await?;
        let reason = format!("您的礼品卡里还有 ¥{}，用完或者转入余额之后再注销。", held.grouped());
        let left = (held > Fen::ZERO).then_some(Obstacle { reason, way: ("查看礼品卡", crate::PAGE) });
        Ok(left.into_iter().collect())
    }

    async fn forget_some(
        &self,
        _app: &App,
        tx: &mut Tx,
        member: &MemberId,
        _now: i64,
    ) -> Result<bool, Error> {
        store::forget_some(tx, member).await
    }
}
