//! What closing an account means for letters: none is on its way to the member any more, and nobody knows which it had; nor to the
//! readers of its titles, whose addresses are forgotten with these.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::store::{self, letters};
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
        if letters::forget_some_of_reader(tx, member.as_str()).await? {
            return Ok(true);
        }
        let titles = publications::titles_of(tx, member).await?;
        store::forget_some(tx, &titles).await
    }
}
