//! What closing an account means for shared works: nobody reads them any more.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::{areas, store};
use platform::app::App;
use platform::db::Tx;
use platform::error::Error;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget_some(&self, _app: &App, tx: &mut Tx, member: &MemberId, now: i64) -> Result<bool, Error> {
        Ok(store::forget_some(tx, member).await? || areas::forget_some_media(tx, member, now).await?)
    }
}
