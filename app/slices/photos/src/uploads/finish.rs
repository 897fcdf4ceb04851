//! From the pieces of an upload to a photo. Safe to do again: a crash in between is finished by the next request that
//! asks for the position, or by a job.

use base::error::Error;
use base::storage::{piece_key, upload_folder};
use domain::ids::UploadId;
use web::app::App;
use web::calls::Refusal;

use super::headers::refusal;
use super::receiver::Receiver;
use super::store::{self, Upload};
use crate::receive::Arriving;

/// Makes a whole upload a photo, whose name is the answer. The inner error is told its sender: the file is no photo, or is not
/// taken any more, and the upload is over.
pub async fn finish<R: Receiver>(app: &App, upload: &Upload) -> Result<Result<String, Refusal>, Error> {
    if let Some(photo) = &upload.photo {
        return Ok(Ok(photo.clone()));
    }
    let Some(arrived) = assemble(app, upload).await? else {
        // somebody else has just done it: what the pieces became is noted before they are deleted
        let now = store::find(&app.db, &upload.id).await?.and_then(|upload| upload.photo);
        return now.map(Ok).ok_or(Error::NotFound);
    };
    let taken = if upload.sha256.as_ref().is_some_and(|sha256| *sha256 != arrived.sha256()) {
        Err(refusal(422, "照片在传输中损坏了，请再传一次"))
    } else {
        R::take(app, upload, arrived).await?
    };
    match &taken {
        Ok(photo) => {
            store::finish(&app.db, &upload.id, photo).await?;
            app.storage.delete_below(&upload_folder(&upload.id)).await?;
        }
        Err(_) => discard(app, &upload.id).await?,
    }
    Ok(taken)
}

/// Puts the pieces together; `None` where one of them is gone.
async fn assemble(app: &App, upload: &Upload) -> Result<Option<Arriving>, Error> {
    let mut arriving = Arriving::begin(app)?;
    for piece in store::pieces(&app.db, &upload.id).await? {
        match app.storage.get(&piece_key(&upload.id, &piece.name)).await? {
            Some(bytes) => arriving.write(&bytes).await?,
            None => return Ok(None),
        }
    }
    Ok((arriving.bytes() == upload.length).then_some(arriving))
}

/// Ends an upload and deletes what there is of it.
pub async fn discard(app: &App, id: &UploadId) -> Result<(), Error> {
    store::end(&app.db, id).await?;
    app.storage.delete_below(&upload_folder(id)).await?;
    store::remove_ended(&app.db, id).await
}

/// The job: makes a photo of a whole upload where the request that brought the last byte could not.
pub async fn take_upload<R: Receiver>(app: &App, id: &UploadId) -> Result<(), Error> {
    let Some(upload) = store::find(&app.db, id).await?.filter(Upload::is_whole) else { return Ok(()) };
    match finish::<R>(app, &upload).await {
        Ok(Ok(_)) | Err(Error::NotFound) => Ok(()),
        Ok(Err(Refusal { msg, .. })) => {
            tracing::info!(upload = %id, reason = msg, "A file that had arrived was not taken");
            Ok(())
        }
        Err(error) => Err(error),
    }
}
