//! Collections that go, by their owner's wish or with its account: nobody can send from that moment on, and what nobody accepted is
//! deleted with the guests' names and words. What was accepted is the library's.

use async_trait::async_trait;
use base::db::Tx;
use base::error::Error;
use base::jobs;
use domain::ids::{CollectionId, MemberId};
use web::app::App;
use web::files;
use web::slice::Closing;

use super::coming::forget_file;
use super::jobs::ForgetCollection;
use super::store::closing as store;

/// Rows that go in one transaction.
const AT_ONCE: i64 = 200;

/// See [`Closing`].
#[derive(Debug)]
pub struct AtClosing;

#[async_trait]
impl Closing for AtClosing {
    async fn end(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
        let ended = store::set_all_deleted(tx, member, now).await?;
        let jobs: Vec<_> = ended.into_iter().map(|collection| ForgetCollection { collection }).collect();
        jobs::enqueue_all_for(tx, &jobs, member, now).await
    }
}

/// Deletes a collection of a member's; pressed twice it is done once.
pub async fn delete(app: &App, member: &MemberId, id: &CollectionId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    if store::set_deleted(&mut tx, id, now).await? {
        photos::uploads::end_to(&mut tx, id.as_str()).await?;
        jobs::enqueue_for(&mut tx, &ForgetCollection { collection: id.clone() }, member, now).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(())
}

/// The job: forgets a deleted collection, part by part. Safe to run again.
pub async fn forget_collection(app: &App, id: &CollectionId) -> Result<(), Error> {
    loop {
        let mut tx = app.db.begin().await?;
        files::lock(&mut tx).await?;
        let Some(member) = store::owner_of_deleted(&mut tx, id).await? else { return Ok(()) };
        let Some(originals) = store::forget_some(&mut tx, id, AT_ONCE).await? else {
            store::forget(&mut tx, id).await?;
            return Ok(tx.commit().await?);
        };
        for (sha256, preview) in originals {
            forget_file(&mut tx, &member, sha256, preview).await?;
        }
        tx.commit().await?;
        app.bell.ring();
    }
}
