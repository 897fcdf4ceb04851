//! What closing an account means for letters: none is on its way to the member any more, and nobody knows which it had; nor to the
//! readers of its titles, whose addresses are forgotten with these.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::Closing;

use super::store::{self, letters};

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
        if letters::forget_some_of_reader(tx, member.as_str()).await? {
            return Ok(true);
        }
        let titles = publications::titles_of(tx, member).await?;
        store::forget_some(tx, &titles).await
    }
}
