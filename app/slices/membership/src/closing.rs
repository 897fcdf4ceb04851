//! What closing an account means for memberships: a tier ends with the account, as the page says; places in houses end, and so
//! do those in its own, whose allowances go back. A house takes those back first. What was paid stays as accounting records,
//! without a name.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use domain::money::Fen;
use web::slice::{Closing, Obstacle};

use super::store::{self, sub_members as places};
use super::{MEMBERS, allowance, sub_members};

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn obstacles(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        let mut sum = Fen::ZERO;
        for place in places::of_house(tx, member).await? {
            sum = sum.plus(allowance::left(tx, &place.id).await?).map_err(Error::internal)?;
        }
        if sum == Fen::ZERO {
            return Ok(Vec::new());
        }
        let reason = format!("给成员的额度里还有 ¥{}。请先移除成员，额度会回到您的余额。", sum.grouped());
        Ok(vec![Obstacle { reason, way: ("查看我的会员", MEMBERS) }])
    }

    async fn end(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        for place in places::lock_all_of(tx, member).await? {
            sub_members::remove(tx, &place, now).await?;
        }
        store::closing::forget(tx, member).await
    }
}
