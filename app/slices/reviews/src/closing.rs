//! What ends reviews from elsewhere: a closed account, and a work that is deleted.

use std::any::Any;

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::{Closing, Listener};

use super::store;
use works::Forgotten;

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

/// See [`Listener`].
pub struct Hears;

#[async_trait]
impl Listener for Hears {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        match event.downcast_ref() {
            Some(Forgotten { work }) => store::forget_work(tx, work).await,
            None => Ok(()),
        }
    }
}
