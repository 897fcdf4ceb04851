//! What closing an account means for shared works: nobody reads them any more.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::Closing;

use super::{areas, store};

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget_some(&self, _app: &App, tx: &mut Tx, member: &MemberId, now: i64) -> Result<bool, Error> {
        Ok(store::forget_some(tx, member).await? || areas::forget_some_media(tx, member, now).await?)
    }
}
