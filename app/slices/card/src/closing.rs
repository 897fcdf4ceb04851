//! What closing an account means for its card: it is gone.

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
    async fn end(&self, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<(), Error> {
        store::remove(tx, member).await
    }
}
