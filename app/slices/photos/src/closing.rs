//! What closing an account means for photos: all are taken out of the library, and go a day later. Those that an order
//! prints stay with it. Uploads under way end.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::jobs::TakeOutAll;
use super::uploads;
use platform::db::Tx;
use platform::error::Error;
use platform::jobs;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        uploads::end_all(tx, member).await?;
        // there may be very many
        jobs::enqueue_at(tx, &TakeOutAll { member: member.clone() }, now).await
    }
}
