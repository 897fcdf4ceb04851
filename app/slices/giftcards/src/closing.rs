//! What closing an account means for gift cards: those that it bought can still be redeemed by whoever has them, and forget whom
//! they were for. The rows themselves are accounting records.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store;
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<(), Error> {
        store::forget(tx, member).await
    }
}
