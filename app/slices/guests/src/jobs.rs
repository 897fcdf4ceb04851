//! What the slice does later.

use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::{CollectionId, GuestPhotoId, UploadId};
use photos::uploads::take_upload;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::uploads::AtCollection;
use super::{closing, deciding, pictures};

/// Makes the served sizes of what a guest sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeriveSent {
    pub collection: CollectionId,
    pub photo: GuestPhotoId,
}

impl Job for DeriveSent {
    type App = App;
    const KIND: &'static str = "derive_guest_photo";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        pictures::derive(&app, &self.collection, &self.photo).await
    }
}

/// Accepts what is left of all that waited.
#[derive(Debug, Serialize, Deserialize)]
pub struct AcceptAll {
    pub collection: CollectionId,
    /// When it was asked for, epoch ms: what came later was not seen.
    pub before: i64,
}

impl Job for AcceptAll {
    type App = App;
    const KIND: &'static str = "accept_guest_photos";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        deciding::accept_rest(&app, &self.collection, self.before).await
    }
}

/// Forgets a photo that its collection's owner did not want.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetHidden {
    pub photo: GuestPhotoId,
}

impl Job for ForgetHidden {
    type App = App;
    const KIND: &'static str = "forget_hidden_guest_photo";
    async fn run(self, app: App) -> Result<(), Error> {
        deciding::forget_hidden(&app, &self.photo).await
    }
}

/// Forgets a deleted collection, with all that nobody accepted.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetCollection {
    pub collection: CollectionId,
}

impl Job for ForgetCollection {
    type App = App;
    const KIND: &'static str = "forget_guest_collection";
    async fn run(self, app: App) -> Result<(), Error> {
        closing::forget_collection(&app, &self.collection).await
    }
}

/// Makes a photo of a guest's upload whose last byte has come, where nobody did.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeSent {
    pub upload: UploadId,
}

impl Job for TakeSent {
    type App = App;
    const KIND: &'static str = "take_guest_upload";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        take_upload::<AtCollection>(&app, &self.upload).await
    }
}
