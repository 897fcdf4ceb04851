//! Pictures of what guests sent, for the collection's owner and, small, for the guest who sent it; for nobody else.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::storage::preview_key;
use domain::ids::{CollectionId, GuestPhotoId};
use photos::Picture;
use web::app::App;
use web::session::Member;

use super::store::photos::{self as pieces, Piece};
use super::{browser, guest_page, store};

/// Pixels on the long side of what a guest is shown.
const SMALL: u32 = 320;

/// GET /manager/guests/{id}/photo/{photo}/{size}.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path((id, photo, size)): Path<(String, String, u32)>,
) -> Result<Response, Error> {
    let (id, photo) = named(&id, &photo)?;
    store::find_for_owner(&app.db, &id, &member.id).await?;
    picture(&app, &pieces::find(&app.db, &id, &photo).await?, size).await
}

/// GET /g/{code}/photo/{photo}.
pub async fn serve_small(
    State(app): State<App>,
    Path((code, photo)): Path<(String, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let collection = guest_page::by_code(&app, &code).await?.ok_or(Error::NotFound)?;
    let browser = browser::known(&app, &parts).ok_or(Error::NotFound)?;
    let guest = store::guest_of(&app.db, &collection.id, &browser).await?.ok_or(Error::NotFound)?;
    let photo = photo.parse().map_err(|_| Error::NotFound)?;
    let piece = pieces::find(&app.db, &collection.id, &photo).await?;
    if piece.guest != guest.id {
        return Err(Error::NotFound);
    }
    picture(&app, &piece, SMALL).await
}

fn named(id: &str, photo: &str) -> Result<(CollectionId, GuestPhotoId), Error> {
    Ok((id.parse().map_err(|_| Error::NotFound)?, photo.parse().map_err(|_| Error::NotFound)?))
}

async fn picture(app: &App, piece: &Piece, size: u32) -> Result<Response, Error> {
    if piece.is_broken {
        return Err(Error::NotFound);
    }
    if let Some(preview) = &piece.preview {
        let bytes = app.storage.get(&preview_key(preview)).await?.ok_or(Error::NotFound)?;
        return Ok(photos::webp(Picture { bytes, lasts: false }));
    }
    match photos::smaller_of_original(app, &piece.member, &piece.sha256, size).await {
        Ok(Some(picture)) => Ok(photos::webp(picture)),
        Ok(None) => {
            pieces::set_broken(&app.db, &piece.id).await?;
            Err(Error::NotFound)
        }
        // an accepted one may have left the library since
        Err(_) if piece.photo.is_some() => Err(Error::NotFound),
        Err(error) => Err(error),
    }
}

/// The job: makes the served sizes before somebody looks. One that can't be decoded says so.
pub async fn derive(app: &App, collection: &CollectionId, id: &GuestPhotoId) -> Result<(), Error> {
    let piece = match pieces::find(&app.db, collection, id).await {
        Err(Error::NotFound) => return Ok(()),
        found => found?,
    };
    match photos::smaller_of_original(app, &piece.member, &piece.sha256, SMALL).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => pieces::set_broken(&app.db, id).await,
        // taken back meanwhile
        Err(error) => match pieces::find(&app.db, collection, id).await {
            Err(Error::NotFound) => Ok(()),
            _ => Err(error),
        },
    }
}
