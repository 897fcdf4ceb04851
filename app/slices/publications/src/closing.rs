//! What closing an account means for what a member publishes: nobody reads it any more. What readers have paid for stands in
//! the way of closing, as selling says.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store::{issues, publications};
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
        Ok(publications::forget_some_news(tx, member).await?
            || issues::forget_some(tx, member).await?
            || publications::forget_some(tx, member).await?)
    }
}
