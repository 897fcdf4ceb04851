//! What closing an account means for its card: it is gone.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::slice::Closing;

use super::store;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn end(&self, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<(), Error> {
        store::remove(tx, member).await
    }
}
