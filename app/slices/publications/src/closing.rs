//! What closing an account means for what a member publishes: nobody reads it any more. What readers have paid for stands in
//! the way of closing, as selling says.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store::{issues, publications};
use super::uses;
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        for issue in issues::of_member(tx, member).await? {
            uses::forget(tx, &issue, now).await?;
        }
        publications::forget_all(tx, member).await
    }
}
