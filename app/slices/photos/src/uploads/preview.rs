//! A small copy of a photo that its sender made: pages are laid out with it while the original is on its way.
//!
//! What the photo is, how large and when it was taken comes from the first bytes of the original itself, which are sent
//! along. The copy is decoded and made anew like every photo, and only its owner ever sees it: whoever names a file by its
//! SHA-256 has not shown that the file is theirs.

use std::io::Cursor;

use axum::extract::{Multipart, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Json, Response};
use base::error::Error;
use photo::{Derivatives, Detector, PhotoInfo, PhotoRefusal};
use serde::Serialize;
use web::app::App;
use web::calls::Refusal;
use web::pixels;

use super::headers;
use super::receiver::{Ahead, Receiver};
use crate::others::Facts;
use crate::receive::{broken_request, shown_name};
use crate::store::Sight;

/// Bytes that the request may have: the original's first, and the small copy.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;
/// The most pixels on a side of the small copy.
const MAX_SIDE: u32 = 2_048;
/// The long side in which it is kept.
const LONG_SIDE: u32 = 1_280;

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
    photo: String,
}

/// POST …/preview: `sha256` and `length` of an original, its name (`filename`), its first bytes (`head`) and a small copy
/// (`preview`). The photo is there from now on, and becomes the original's when that arrives.
pub async fn take<R: Receiver>(
    State(app): State<App>,
    mut receiver: R,
    parts: Parts,
    form: Multipart,
) -> Result<Response, Refusal> {
    receiver.enter(&app, &parts).await?;
    let sent = read(form).await?;
    let (Some(sha256), Some(bytes)) = (sent.sha256, sent.length) else {
        return Err(headers::refusal(400, "缺少原图的摘要或长度"));
    };
    if let Some(photo) = receiver.standing(&app, &sha256, bytes).await? {
        return Ok(answer(photo));
    }
    let (inks, detector) = (app.press.condition().icc(), pixels::detector(&app));
    let looked = app.compute(move || look_at(&sent.head, &sent.preview, inks, detector)).await?;
    let looked = looked.and_then(|found| app.config.check_kind(found.0.format).map(|()| found));
    let (info, camera, made) = looked.map_err(|refusal| headers::refusal(422, refusal.to_string()))?;
    let copy = made.get(LONG_SIDE).map(|size| size.webp.clone()).ok_or(Error::NotFound)?;
    let facts = Facts::of(&info, camera, &sent.file_name);
    let Derivatives { subject, look, faces, quality, .. } = made;
    let sight = Sight { subject, look, faces, quality };
    let ahead = Ahead { sha256, file_name: sent.file_name, bytes, facts, copy, sight };
    receiver.stand_in(&app, ahead).await.map(answer)
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

fn answer(photo: String) -> Response {
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
