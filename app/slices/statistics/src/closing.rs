//! What closing an account means for statistics: its numbers go with it.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store;
use platform::app::App;
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
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
