//! A small copy of a photo that its sender made: pages are laid out with it while the original is on its way.
//!
//! What the photo is, how large and when it was taken comes from the first bytes of the original itself, which are sent
//! along. The copy is decoded and made anew like every photo, and only its owner ever sees it: whoever names a file by its
//! SHA-256 has not shown that the file is theirs.

use std::io::Cursor;

use axum::extract::{Multipart, State};
use axum::http::header;
use axum::response::{IntoResponse, Json, Response};
use domain::ids::PhotoId;
use photo::{Derivatives, Detector, PhotoInfo, PhotoRefusal};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::headers;
use crate::receive::{Taken, broken_request, no_room, shown_name};
use crate::removal::forget_preview_later;
use crate::store::{self, Photo, PhotoState, coming};
use platform::app::App;
use platform::calls::Refusal;
use platform::db::{new_id, now_ms};
use platform::error::Error;
use platform::files;
use platform::pixels;
use platform::session::Member;
use platform::storage::preview_key;

/// Bytes that the request may have: the original's first, and the small copy.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;
/// The most pixels on a side of the small copy.
const MAX_SIDE: u32 = 2_048;
/// The long side in which it is kept.
const LONG_SIDE: u32 = 1_280;
/// Photos of a member that may be on the way at once.
const MOST_COMING: i64 = 1_000;

/// What came.
#[derive(Default)]
struct Sent {
    file_name: String,
    /// Of the original.
    sha256: Option<String>,
    /// Bytes of the original.
    length: Option<u64>,
    /// The original's first bytes.
    head: Vec<u8>,
    preview: Vec<u8>,
}

/// Which photo it is.
#[derive(Serialize)]
struct Answer {
    photo: PhotoId,
}

/// POST /manager/uploads/preview: `sha256` and `length` of an original, its name (`filename`), its first bytes (`head`)
/// and a small copy (`preview`). The photo is in the library from now on, and becomes the original's when that arrives.
pub async fn take(State(app): State<App>, member: Member, form: Multipart) -> Result<Response, Refusal> {
    let sent = read(form).await?;
    let (Some(sha256), Some(length)) = (sent.sha256, sent.length) else {
        return Err(headers::refusal(400, "缺少原图的摘要或长度"));
    };
    if let Some(photo) = store::standing(&app.db, &member.id, &sha256).await? {
        return Ok(answer(photo));
    }
    if let Some(reason) = no_room(&app, &member, length).await? {
        return Err(headers::refusal(413, reason));
    }
    let (inks, detector) = (app.press.condition().icc(), pixels::detector(&app));
    let looked = app.compute(move || look_at(&sent.head, &sent.preview, inks, detector)).await?;
    let looked = looked.and_then(|found| app.config.check_kind(found.0.format).map(|()| found));
    let (info, camera, made) = looked.map_err(|refusal| headers::refusal(422, refusal.to_string()))?;
    let copy = made.get(LONG_SIDE).map(|size| size.webp.clone()).ok_or(Error::NotFound)?;
    let (width, height) = info.stored_size();
    let taken = Taken::of(&info, &sent.file_name);
    let photo = Photo {
        id: new_id(),
        member: member.id.clone(),
        sha256,
        file_name: sent.file_name,
        format: info.format.extension().to_owned(),
        bytes: length,
        width,
        height,
        orientation: info.orientation,
        taken_at: taken.at,
        is_time_named: taken.is_named,
        taken_offset: taken.offset,
        camera,
        state: PhotoState::Ready,
        subject: made.subject,
        look: made.look,
        faces: made.faces,
        quality: made.quality,
        preview: Some(hex::encode(Sha256::digest(&copy))),
        removed_at: None,
    };
    let kept = keep(&app, &photo, copy).await?;
    kept.map(answer).ok_or_else(|| headers::refusal(403, "没有传完的照片太多了，请先把它们传完"))
}

async fn read(mut form: Multipart) -> Result<Sent, Refusal> {
    let mut sent = Sent::default();
    let broken = |error| Refusal::from(broken_request(&error));
    while let Some(field) = form.next_field().await.map_err(broken)? {
        match field.name().unwrap_or("") {
            "sha256" => sent.sha256 = headers::sha256(&field.text().await.map_err(broken)?),
            "length" => sent.length = field.text().await.map_err(broken)?.parse().ok(),
            "filename" => sent.file_name = shown_name(&field.text().await.map_err(broken)?),
            "head" => sent.head = field.bytes().await.map_err(broken)?.to_vec(),
            "preview" => sent.preview = field.bytes().await.map_err(broken)?.to_vec(),
            _ => {}
        }
    }
    Ok(sent)
}

fn answer(photo: PhotoId) -> Response {
    ([(header::CACHE_CONTROL, "private, no-store")], Json(Answer { photo })).into_response()
}

/// What the original is by its first bytes, and the small copy made anew.
fn look_at(
    head: &[u8],
    preview: &[u8],
    inks: &[u8],
    faces: Option<&Detector>,
) -> Result<(PhotoInfo, Option<String>, Derivatives), PhotoRefusal> {
    let mut head = Cursor::new(head);
    let original = photo::probe(&mut head)?;
    let camera = photo::camera(&mut head);
    let info = photo::probe(&mut Cursor::new(preview))?;
    // browsers make none of those, which the sandbox alone decodes
    if info.format.is_heif() {
        return Err(PhotoRefusal::UnusualCoding);
    }
    if info.width.max(info.height) > MAX_SIDE {
        return Err(PhotoRefusal::TooLarge { width: info.width, height: info.height });
    }
    let shape = |info: &PhotoInfo| f64::from(info.width) / f64::from(info.height);
    // a pixel is a pixel, and the short side has a few hundred
    if (shape(&info) / shape(&original) - 1.0).abs() > 0.02 {
        return Err(PhotoRefusal::Damaged);
    }
    Ok((original, camera, photo::derive(preview, &info, inks, faces)?))
}

/// Puts the small copy in its place and adds the photo; one that is there already stays as it is. `None` where too many
/// are on the way.
async fn keep(app: &App, photo: &Photo, copy: Vec<u8>) -> Result<Option<PhotoId>, Error> {
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    if coming::count(&mut tx, &photo.member).await? >= MOST_COMING {
        return Ok(None);
    }
    if let Some(preview) = &photo.preview {
        app.storage.put(&preview_key(preview), copy).await?;
    }
    let id = store::insert(&mut tx, photo, now_ms()).await?;
    if id != photo.id {
        forget_preview_later(&mut tx, photo).await?;
    }
    tx.commit().await?;
    Ok(Some(id))
}
