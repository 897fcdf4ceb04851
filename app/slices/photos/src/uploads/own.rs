//! What members send themselves: it comes into their libraries.

use std::collections::BTreeMap;

use async_trait::async_trait;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use base::storage::preview_key;
use domain::ids::{MemberId, PhotoId, UploadId};
use web::app::App;
use web::calls::Refusal;
use web::files;
use web::session::Member;

use super::headers::refusal;
use super::receiver::{Ahead, Known, Receiver, Sender};
use super::store::{self, Upload};
use crate::jobs::TakeUpload;
use crate::receive::{Arriving, Limit, Room, no_room, take_in};
use crate::removal::forget_preview_later;
use crate::store::{self as photos, Photo, PhotoState, coming};

/// Uploads that a member may have under way at once, and photos of which small copies stand.
const MOST_OPEN: i64 = 1_000;
const MOST_COMING: i64 = 1_000;

/// A member's library.
#[derive(Debug, Clone)]
pub struct Library {
    member: Member,
    sender: Sender,
}

impl FromRequestParts<App> for Library {
    type Rejection = Refusal;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let member = Member::from_request_parts(parts, app).await?;
        Ok(Self { sender: Sender::itself(&member.id), member })
    }
}

fn too_many() -> Refusal {
    refusal(403, "没有传完的照片太多了，请先把它们传完")
}

fn texts(photos: BTreeMap<String, PhotoId>) -> BTreeMap<String, String> {
    photos.into_iter().map(|(sha256, photo)| (sha256, photo.to_string())).collect()
}

#[async_trait]
impl Receiver for Library {
    fn sender(&self) -> &Sender {
        &self.sender
    }

    fn address(&self) -> String {
        super::OWN.into()
    }

    async fn admit(&self, app: &App, tx: &mut Tx, upload: &Upload) -> Result<bool, Refusal> {
        // one creation of a member at a time: the sums below stay true until the row is there
        app.house.identity.hold(tx, &self.member.id).await?;
        let used = photos::kept_by_now(app, tx, &self.member.id).await?.used(self.member.tier.photo_quota());
        let room = Room::of(&self.member, used);
        if upload.length > room.left() {
            return Err(refusal(413, room.refusal()));
        }
        if store::count_own(tx, &self.sender).await? >= MOST_OPEN {
            return Err(too_many());
        }
        Ok(true)
    }

    async fn known(&self, app: &App, asked: &[String]) -> Result<Known, Refusal> {
        let member = &self.member.id;
        let known = texts(photos::known(&app.db, member, asked).await?);
        let coming = texts(coming::known(&app.db, member, asked).await?);
        let open = store::open(&app.db, &self.sender, asked, now_ms()).await?;
        let used = photos::kept(app, member).await?.used(self.member.tier.photo_quota());
        Ok(Known { known, coming, open, left: Room::of(&self.member, used).left() })
    }

    async fn standing(&self, app: &App, sha256: &str, bytes: u64) -> Result<Option<String>, Refusal> {
        if let Some(photo) = photos::standing(&app.db, &self.member.id, sha256).await? {
            return Ok(Some(photo.to_string()));
        }
        match no_room(app, &self.member, bytes).await? {
            Some(reason) => Err(refusal(413, reason)),
            None => Ok(None),
        }
    }

    /// One that is there already stays as it is.
    async fn stand_in(&self, app: &App, ahead: Ahead) -> Result<String, Refusal> {
        let preview = ahead.preview();
        let Ahead { sha256, file_name, bytes, facts, copy, sight } = ahead;
        let photo = Photo {
            state: PhotoState::Ready,
            subject: sight.subject,
            look: sight.look,
            faces: sight.faces,
            quality: sight.quality,
            preview: Some(preview.clone()),
            ..facts.into_photo(&self.member.id, (&sha256, bytes), &file_name)
        };
        let mut tx = app.db.begin().await.map_err(Error::from)?;
        files::lock(&mut tx).await?;
        if coming::count(&mut tx, &photo.member).await? >= MOST_COMING {
            return Err(too_many());
        }
        app.storage.put(&preview_key(&preview), copy).await?;
        let id = photos::insert(&mut tx, &photo, now_ms()).await?;
        if id != photo.id {
            forget_preview_later(&mut tx, &photo).await?;
        }
        tx.commit().await.map_err(Error::from)?;
        Ok(id.to_string())
    }

    async fn take(app: &App, upload: &Upload, arrived: Arriving) -> Result<Result<String, Refusal>, Error> {
        // its room was set apart when it began
        let taken = take_in(app, &upload.sender.member, Limit::NONE, &upload.file_name, arrived).await?;
        Ok(taken.map(|photo| photo.to_string()).map_err(|reason| refusal(422, reason)))
    }

    async fn take_later(tx: &mut Tx, upload: UploadId, member: &MemberId, at: i64) -> Result<(), Error> {
        jobs::enqueue_for(tx, &TakeUpload { upload }, member, at).await
    }
}
