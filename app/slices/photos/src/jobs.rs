//! What the slice does later.

use base::error::Error;
use base::jobs::{Job, Lane};
use domain::ids::{MemberId, PhotoId, UploadId};
use serde::{Deserialize, Serialize};
use web::app::App;

use super::receive::read_clock;
use super::{look_for_faces, make_derivatives, measure, removal, uploads};

/// Makes a photo's served sizes.
#[derive(Debug, Serialize, Deserialize)]
pub struct DerivePhoto {
    pub photo: PhotoId,
}

impl Job for DerivePhoto {
    type App = App;
    const KIND: &'static str = "derive_photo";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        make_derivatives(&app, &self.photo).await
    }
}

/// Reads the clock of a photo that an older version read otherwise.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadClock {
    pub photo: PhotoId,
}

impl Job for ReadClock {
    type App = App;
    const KIND: &'static str = "read_clock";
    async fn run(self, app: App) -> Result<(), Error> {
        read_clock(&app, &self.photo).await
    }
}

/// Looks for the faces of a photo that was uploaded before anybody did.
#[derive(Debug, Serialize, Deserialize)]
pub struct LookForFaces {
    pub photo: PhotoId,
}

impl Job for LookForFaces {
    type App = App;
    const KIND: &'static str = "look_for_faces";
    async fn run(self, app: App) -> Result<(), Error> {
        look_for_faces(&app, &self.photo).await
    }
}

/// Measures a photo that was uploaded before anybody did.
#[derive(Debug, Serialize, Deserialize)]
pub struct MeasurePhoto {
    pub photo: PhotoId,
}

impl Job for MeasurePhoto {
    type App = App;
    const KIND: &'static str = "measure_photo";
    async fn run(self, app: App) -> Result<(), Error> {
        measure(&app, &self.photo).await
    }
}

/// Makes a photo of an upload whose last byte has come, where nobody did.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeUpload {
    pub upload: UploadId,
}

impl Job for TakeUpload {
    type App = App;
    const KIND: &'static str = "take_upload";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        uploads::take_own(&app, &self.upload).await
    }
}

/// Deletes a photo that was removed from its library.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetPhoto {
    pub photo: PhotoId,
}

impl Job for ForgetPhoto {
    type App = App;
    const KIND: &'static str = "forget_photo";
    async fn run(self, app: App) -> Result<(), Error> {
        removal::forget(&app, &self.photo).await
    }
}

/// Takes all photos of a member whose account is closed out of the library: an older version queued it.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeOutAll {
    pub member: MemberId,
}

impl Job for TakeOutAll {
    type App = App;
    const KIND: &'static str = "take_out_all_photos";
    async fn run(self, app: App) -> Result<(), Error> {
        removal::take_out_all(&app, &self.member).await
    }
}
