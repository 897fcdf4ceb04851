//! What closing an account means for works: each goes as one does whose time in the trash is over. Orders keep their copies.

use async_trait::async_trait;
use domain::ids::MemberId;

use super::jobs::ForgetWork;
use super::{documents, store};
use platform::db::Tx;
use platform::error::Error;
use platform::jobs;
use platform::slice::Closing;

/// See [`Closing`].
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn forget(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        let ended = store::end_all(tx, member).await?;
        let jobs: Vec<_> = ended.into_iter().map(|work| ForgetWork { work }).collect();
        jobs::enqueue_all(tx, &jobs, now).await?;
        documents::queue_forgetting_all(tx, member, now).await
    }
}
