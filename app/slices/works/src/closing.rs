//! What closing an account means for works: each goes as one does whose time in the trash is over. Orders keep their copies.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::Closing;

use super::{documents, store};

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn end(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        documents::queue_forgetting_all(tx, member, now).await
    }

    async fn forget_some(&self, app: &App, tx: &mut Tx, member: &MemberId, _now: i64) -> Result<bool, Error> {
        store::forget_some(app, tx, member).await
    }
}
