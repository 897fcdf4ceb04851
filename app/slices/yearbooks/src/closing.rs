//! Year books of a member whose account is closed: rosters and what people wrote go at once, so their links open nothing any more.
//! Their photos are the library's and go with it.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store;
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
#[derive(Debug)]
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<(), Error> {
        for id in store::ids_of_member(tx, member).await? {
            store::delete(tx, &id).await?;
        }
        Ok(())
    }
}
