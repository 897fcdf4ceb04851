//! What closing an account means for letters: none is on its way to the member any more, and nobody knows which it had. What was
//! sent to readers of its titles goes with these.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store::letters;
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<(), Error> {
        letters::forget_reader(tx, member.as_str()).await
    }
}
