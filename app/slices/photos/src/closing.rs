//! What closing an account means for photos: all are taken out of the library, and go a day later. Those that an order
//! prints stay with it. Uploads under way end.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::Closing;

use super::{removal, uploads};

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn end(&self, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<(), Error> {
        uploads::end_all(tx, member).await
    }

    async fn forget_some(&self, _app: &App, tx: &mut Tx, member: &MemberId, now: i64) -> Result<bool, Error> {
        removal::take_some_out(tx, member, now).await
    }
}
