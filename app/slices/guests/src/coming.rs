//! Photos of which a small copy stands while their originals are on the way. One whose original does not come goes.

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use domain::guests::COMING_MS;
use domain::ids::MemberId;
use photos::uploads::{self, Upload};
use web::app::App;
use web::files::{self, ForgetOriginal, ForgetPreview};

use super::store::photos::coming as store;
use super::uploads::sender_of;

/// Rows that go in one transaction.
const AT_ONCE: i64 = 100;

/// Queues the end of the file of a forgotten photo in a member's collection: its original's, or the small copy's where that was
/// not there yet. It waits in that member's turn.
pub async fn forget_file(
    tx: &mut Tx,
    member: &MemberId,
    sha256: String,
    preview: Option<String>,
) -> Result<(), Error> {
    let now = now_ms();
    match preview {
        Some(preview) => jobs::enqueue_for(tx, &ForgetPreview { preview }, member, now).await,
        None => jobs::enqueue_for(tx, &ForgetOriginal { sha256 }, member, now).await,
    }
}

/// Forgets the small copy that stands for an upload that nothing becomes of.
pub async fn give_up(app: &App, upload: &Upload) -> Result<(), Error> {
    let Some(sha256) = &upload.sha256 else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    if let Some(preview) = store::give_up(&mut tx, &upload.sender.name, sha256).await? {
        forget_file(&mut tx, &upload.sender.member, sha256.clone(), Some(preview)).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(())
}

/// Forgets the small copies whose originals have not come for long enough.
pub async fn forget_over(app: &App) -> Result<(), Error> {
    loop {
        let mut tx = app.db.begin().await?;
        files::lock(&mut tx).await?;
        let over = store::forget_before(&mut tx, now_ms() - COMING_MS, AT_ONCE).await?;
        if over.is_empty() {
            return Ok(());
        }
        for gone in over {
            let sender = sender_of(&gone.member, &gone.collection, &gone.guest);
            uploads::end_of_file(&mut tx, &sender, &gone.sha256, i64::MAX).await?;
            forget_file(&mut tx, &gone.member, gone.sha256, Some(gone.preview)).await?;
        }
        tx.commit().await?;
        app.bell.ring();
    }
}
