//! What closing an account means for what a member publishes: nobody reads it any more. What readers have paid for stands in
//! the way of closing, as selling says.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::Closing;

use super::store::{issues, publications};

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
