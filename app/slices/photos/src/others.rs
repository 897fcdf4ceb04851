//! Photos that lie in nobody's library yet, for slices that keep them in rows of their own: looked at and bounded as members'
//! photos are, and taken into a library later without their bytes being sent again.

use base::db::{Tx, new_id};
use base::error::Error;
use domain::ids::{MemberId, PhotoId};
use domain::tier::Tier;
use photo::PhotoInfo;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use web::app::App;

use crate::receive::{Arriving, Taken, looked, refused_size};
use crate::store::{self, Photo, PhotoState};

/// What the headers of an original say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    format: String,
    width: u32,
    height: u32,
    orientation: u8,
    taken_at: Option<i64>,
    is_time_named: bool,
    taken_offset: Option<i16>,
    camera: Option<String>,
    /// Of what was kept before anybody asked, nothing.
    #[serde(default)]
    city: Option<String>,
}

impl Facts {
    /// Those of a file of this name.
    pub(crate) fn of(info: &PhotoInfo, camera: Option<String>, file_name: &str) -> Self {
        let (width, height) = info.stored_size();
        let taken = Taken::of(info, file_name);
        Self {
            format: info.format.extension().to_owned(),
            width,
            height,
            orientation: info.orientation,
            taken_at: taken.at,
            is_time_named: taken.is_named,
            taken_offset: taken.offset,
            camera,
            city: info.city().map(str::to_owned),
        }
    }

    /// Those of an upright JPEG that the program made.
    pub(crate) fn of_jpeg(width: u32, height: u32, taken_at: i64) -> Self {
        Self {
            format: "jpg".into(),
            width,
            height,
            orientation: 1,
            taken_at: Some(taken_at),
            is_time_named: false,
            taken_offset: None,
            camera: None,
            city: None,
        }
    }

    /// A photo of a member's whose served sizes are still to be made, of an original with this digest and so many bytes.
    pub(crate) fn into_photo(
        self,
        member: &MemberId,
        (sha256, bytes): (&str, u64),
        file_name: &str,
    ) -> Photo {
        let Self { format, width, height, orientation, taken_at, is_time_named, taken_offset, camera, city } =
            self;
        Photo {
            id: new_id(),
            member: member.clone(),
            sha256: sha256.to_owned(),
            file_name: file_name.to_owned(),
            format,
            bytes,
            width,
            height,
            orientation,
            taken_at,
            is_time_named,
            taken_offset,
            camera,
            city,
            state: PhotoState::Pending,
            subject: None,
            look: None,
            faces: None,
            quality: None,
            preview: None,
            removed_at: None,
        }
    }

    /// Width and height as the photo is looked at.
    pub fn upright(&self) -> (u32, u32) {
        if self.orientation >= 5 { (self.height, self.width) } else { (self.width, self.height) }
    }
}

/// An original that nobody keeps yet.
#[derive(Debug)]
pub struct Seen {
    pub file: NamedTempFile,
    pub sha256: String,
    pub bytes: u64,
    pub facts: Facts,
}

/// Looks at a file that has arrived; the inner error is the sentence for who sent it.
///
/// # Errors
/// Those of the disk.
pub async fn look(app: &App, file_name: &str, arrived: Arriving) -> Result<Result<Seen, String>, Error> {
    if let Some(reason) = refused_size(arrived.bytes()) {
        return Ok(Err(reason));
    }
    let (sha256, bytes) = (arrived.sha256(), arrived.bytes());
    let file = arrived.finish().await?;
    Ok(looked(app, file_name, &file).await?.map(|facts| Seen { file, sha256, bytes, facts }))
}

/// Bytes that a member of a tier has room for.
///
/// # Errors
/// Those of the database.
pub async fn room_left(app: &App, member: &MemberId, tier: Tier) -> Result<u64, Error> {
    let quota = tier.photo_quota();
    Ok(quota.saturating_sub(store::kept(app, member).await?.used(quota)))
}

/// Whether what a member keeps by now, with what this transaction has added and so many bytes more, fits into its tier's room.
///
/// # Errors
/// Those of the database.
pub async fn fits(app: &App, tx: &mut Tx, member: &MemberId, tier: Tier, more: u64) -> Result<bool, Error> {
    let quota = tier.photo_quota();
    Ok(store::kept_by_now(app, tx, member).await?.used(quota).saturating_add(more) <= quota)
}

/// Takes an original that lies in the storage into a member's library, in a transaction that holds
/// [`web::files::lock`]. Its photo, and whether it came into the library by this: the same bytes are one photo.
///
/// # Errors
/// Those of the database.
pub async fn adopt(
    tx: &mut Tx,
    member: &MemberId,
    (sha256, bytes): (&str, u64),
    file_name: &str,
    facts: Facts,
    now: i64,
) -> Result<(PhotoId, bool), Error> {
    let photo = facts.into_photo(member, (sha256, bytes), file_name);
    if let Some(coming) = store::coming::find(tx, member, sha256).await? {
        // a member's own, of which a small copy stands: here is its original
        store::coming::arrived(tx, &coming.id, &photo).await?;
        crate::removal::forget_preview_later(tx, &coming).await?;
        return Ok((coming.id, false));
    }
    let is_there = store::is_standing(tx, member, sha256).await?;
    Ok((store::insert(tx, &photo, now).await?, !is_there))
}
