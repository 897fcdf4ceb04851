//! What closing an account means for shared works: nobody reads them any more.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::{areas, store, uses};
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        for work in store::of_member(tx, member).await? {
            uses::forget(tx, &work).await?;
        }
        areas::forget_all(tx, member).await?;
        areas::forget_all_media(tx, member, now).await?;
        store::forget_all(tx, member).await
    }
}
