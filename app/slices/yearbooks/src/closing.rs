//! Year books of a member whose account is closed: their links open nothing any more, and rosters and what people wrote go.
//! Their photos are the library's and go with it.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::Closing;

use super::store;

/// See [`Closing`].
#[derive(Debug)]
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
        let Some(id) = store::some_of_member(tx, member).await? else { return Ok(false) };
        if !store::forget_some_people(tx, &id).await? {
            store::delete(tx, &id).await?;
        }
        Ok(true)
    }
}
