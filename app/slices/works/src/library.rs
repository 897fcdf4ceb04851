//! The member's photos as they are compared with each other for a work.

use std::collections::BTreeSet;

use base::error::Error;
use domain::document::{Document, Trim};
use domain::ids::{MemberId, PhotoId};
use domain::library::LibraryPhoto;
use web::app::App;

use super::weak::flaw_of;
use super::{photo_input, photos_of};
use photos::{Photo, PhotoState};

/// The photos of a library that may be put on pages, and those that a document shows.
pub async fn photos_for(app: &App, member: &MemberId, document: &Document) -> Result<Vec<Photo>, Error> {
    let mut photos = photos::library(app, member).await?;
    photos.retain(|photo| photo.state != PhotoState::Broken);
    let known: BTreeSet<PhotoId> = photos.iter().map(|photo| photo.id.clone()).collect();
    let removed: Vec<PhotoId> = photos_of(document).into_iter().filter(|id| !known.contains(id)).collect();
    photos.extend(photos::of_member(app, member, &removed).await?);
    Ok(photos)
}

/// A photo as it is compared with others, on pages of a size.
pub fn compared(photo: &Photo, trim: Trim) -> LibraryPhoto {
    LibraryPhoto {
        photo: photo_input(photo),
        look: photo.look,
        blur: photo.quality.and_then(|quality| quality.told_blur()),
        flaw: flaw_of(photo, trim),
    }
}
