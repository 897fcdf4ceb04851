//! Taking files in. The bytes go to a temporary file while they arrive, are looked at, and only then get
//! their place: a dropped connection leaves nothing behind, an acknowledged file is on the disk.

use std::io::BufReader;
use std::path::Path;

use axum::extract::multipart::Field;
use domain::ids::{MemberId, PhotoId};
use press::photo::{self, PhotoInfo, PhotoRefusal};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use super::store::{self, Photo, PhotoState};
use crate::app::App;
use crate::db::{new_id, now_ms};
use crate::error::Error;
use crate::session::Member;

/// Bytes one photo may have (product page, section 3, "Photos").
pub const MAX_FILE_BYTES: u64 = 100 * 1024 * 1024;
/// Bytes one request may have: some two hundred photos of a good phone.
pub const MAX_REQUEST_BYTES: usize = 4 * 1024 * 1024 * 1024;

/// A file that was not taken, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub file_name: String,
    pub reason: String,
}

/// What one request brought.
#[derive(Debug, Clone, Default)]
pub struct Intake {
    pub taken: Vec<PhotoId>,
    pub refused: Vec<Refused>,
}

impl Intake {
    /// Takes one file of a multipart form. A file that is no photo is noted and the others go on; an error
    /// means that the whole request is broken.
    pub async fn take(&mut self, app: &App, member: &Member, field: Field<'_>) -> Result<(), Error> {
        let file_name = shown_name(field.file_name().unwrap_or(""));
        match receive(app, member, &file_name, field).await? {
            Ok(id) => {
                if !self.taken.contains(&id) {
                    self.taken.push(id);
                }
            }
            // browsers send one nameless empty file where none was chosen
            Err(reason) if file_name.is_empty() && reason == EMPTY => {}
            Err(reason) => self.refused.push(Refused { file_name, reason }),
        }
        Ok(())
    }
}

const EMPTY: &str = "文件是空的";

/// Reads a whole field; the inner error is the sentence for a member.
async fn receive(
    app: &App,
    member: &Member,
    file_name: &str,
    mut field: Field<'_>,
) -> Result<Result<PhotoId, String>, Error> {
    let temporary = app.storage.incoming().map_err(Error::internal)?;
    let mut file = tokio::fs::File::from_std(temporary.reopen().map_err(Error::internal)?);
    let mut digest = Sha256::new();
    let mut bytes = 0u64;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken_request(&error))? {
        bytes += chunk.len() as u64;
        // the rest of a file that is too large is read and dropped, so that the next file can be taken
        if bytes <= MAX_FILE_BYTES {
            digest.update(&chunk);
            file.write_all(&chunk).await.map_err(Error::internal)?;
        }
    }
    file.flush().await.map_err(Error::internal)?;
    drop(file);
    if bytes == 0 {
        return Ok(Err(EMPTY.into()));
    }
    if bytes > MAX_FILE_BYTES {
        return Ok(Err(format!("文件有 {} MB，超过了每张 100 MB 的上限", bytes.div_ceil(1024 * 1024))));
    }
    let sha256 = hex::encode(digest.finalize());
    keep_arrived(app, member, file_name.to_owned(), temporary, sha256, bytes).await
}

/// Takes a file that is on the disk into a member's library; the inner error is the sentence for a member. Bytes that
/// are there already take no room.
pub async fn keep_arrived(
    app: &App,
    member: &Member,
    file_name: String,
    temporary: tempfile::NamedTempFile,
    sha256: String,
    bytes: u64,
) -> Result<Result<PhotoId, String>, Error> {
    let used = store::bytes_of_member(&app.db, &member.id).await?;
    let is_new = !store::has_bytes(&app.db, &member.id, &sha256).await?;
    if is_new && used + bytes > member.tier.photo_quota() {
        let quota = member.tier.photo_quota() / (1024 * 1024 * 1024);
        return Ok(Err(format!("素材空间不足：{}共有 {quota} GB", member.tier)));
    }
    let path = temporary.path().to_owned();
    let info = match app.heavy(move || look_at(&path)).await? {
        Ok(info) => info,
        Err(PhotoRefusal::Unreadable) => return Err(Error::internal("an arrived file could not be read")),
        Err(refusal) => return Ok(Err(refusal.to_string())),
    };
    let storage = app.storage.clone();
    let hash = sha256.clone();
    app.heavy(move || storage.keep_original(temporary, &hash)).await??;
    let (width, height) = info.stored_size();
    let photo = Photo {
        id: new_id(),
        member: member.id.clone(),
        sha256,
        file_name,
        format: info.format.extension().to_owned(),
        bytes,
        width,
        height,
        orientation: info.orientation,
        taken_at: info.taken_at,
        state: PhotoState::Pending,
    };
    let id = store::insert(&app.db, &photo, now_ms()).await?;
    app.bell.ring();
    Ok(Ok(id))
}

/// Reads the headers, and whether the file goes on to its end. The headers come first: what they refuse is
/// never read whole.
fn look_at(path: &Path) -> Result<PhotoInfo, PhotoRefusal> {
    let info = photo::probe(&mut BufReader::new(std::fs::File::open(path)?))?;
    photo::check_whole(&std::fs::read(path)?, &info)?;
    Ok(info)
}

/// Keeps a JPEG that the program made itself.
pub async fn keep_jpeg(
    app: &App,
    member: &MemberId,
    file_name: &str,
    jpeg: Vec<u8>,
    width: u32,
    height: u32,
    taken_at: i64,
) -> Result<PhotoId, Error> {
    let mut file = app.storage.incoming().map_err(Error::internal)?;
    std::io::Write::write_all(&mut file, &jpeg).map_err(Error::internal)?;
    let sha256 = hex::encode(Sha256::digest(&jpeg));
    app.storage.keep_original(file, &sha256)?;
    let photo = Photo {
        id: new_id(),
        member: member.clone(),
        sha256,
        file_name: file_name.to_owned(),
        format: "jpg".into(),
        bytes: jpeg.len() as u64,
        width,
        height,
        orientation: 1,
        taken_at: Some(taken_at),
        state: PhotoState::Pending,
    };
    store::insert(&app.db, &photo, now_ms()).await
}

/// The name as a member knows it: the last part of whatever path was sent, without control characters.
fn shown_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or("");
    last.chars().filter(|c| !c.is_control()).take(120).collect()
}

/// A multipart body that ends early, is too large, or is no multipart body.
pub fn broken_request(error: &axum::extract::multipart::MultipartError) -> Error {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge("一次上传的文件太多，请分几次上传。已经收到的照片都保留在素材里。".into())
    } else {
        Error::BadRequest("上传没有完成，请再试一次。已经收到的照片都保留在素材里。".into())
    }
}
