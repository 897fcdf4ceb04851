//! A member's picture: a square of 256 pixels, WebP, without anything that the camera wrote.
//!
//! It is kept under the SHA-256 of its bytes, so that its address can be remembered for good. When no member shows it
//! any more, a job deletes the file.

use std::io::Cursor;

use axum::extract::multipart::MultipartError;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use base::jobs;
use base::sandbox::LONGEST_WAIT;
use base::storage::avatar_key;
use domain::ids::MemberId;
use photo::PhotoRefusal;
use sha2::{Digest, Sha256};
use web::app::App;
use web::files::{self, ForgetAvatar};
use web::multipart::{Multipart, bounded};
use web::pixels;
use web::render::{self, Form};
use web::session::Member;

use super::store::profile;

/// Bytes that a picture to upload may have.
const MOST_BYTES: usize = 10 * 1024 * 1024;
/// Bytes that a request may have: so much of a file that is too large is read, so that its sender hears why.
pub const MOST_REQUEST_BYTES: usize = 128 * 1024 * 1024;
/// Width and height of the kept picture in pixels.
const SIDE: u32 = 256;

/// Takes the picture in the field `avatar` of a form.
pub async fn upload(
    app: &App,
    member: &Member,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let mut form = Form::sent([]);
    let mut file = None;
    while let Some(field) = multipart.next_field().await.map_err(|error| broken(&error))? {
        if field.name() == Some("avatar") {
            let read = bounded(field, MOST_BYTES).await.map_err(|error| broken(&error))?;
            file =
                Some(read.map_err(|length| {
                    format!("照片有 {} MB，头像不能超过 10 MB", length.div_ceil(1024 * 1024))
                }));
        }
    }
    let made = match file {
        None => Err("请选择一张照片".to_owned()),
        Some(Err(reason)) => Err(reason),
        Some(Ok(bytes)) if bytes.is_empty() => Err("请选择一张照片".to_owned()),
        Some(Ok(bytes)) => match square(app, &member.id, bytes).await? {
            Err(PhotoRefusal::Unreadable) => {
                return Err(Error::internal("an uploaded picture was unreadable"));
            }
            made => made.map_err(|refusal| refusal.to_string()),
        },
    };
    match made {
        Ok(webp) => {
            show(app, member, Some(webp)).await?;
            Ok(Redirect::to("/manager/userInfo?done=avatar").into_response())
        }
        Err(reason) => {
            form.refuse("avatar", reason);
            render::again(app, parts, "/manager/userInfo", form).await
        }
    }
}

/// A body that ends early, is far too large, or is no form.
fn broken(error: &MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge("文件太大，头像不能超过 10 MB".into())
    } else {
        Error::BadRequest("上传没有完成，请再试一次".into())
    }
}

async fn square(app: &App, member: &MemberId, file: Vec<u8>) -> Result<Result<Vec<u8>, PhotoRefusal>, Error> {
    // the headers come first: what they refuse is never decoded
    let info = match photo::probe(&mut Cursor::new(&file)) {
        Ok(info) => info,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let taken = app.config.check_kind(info.format);
    if let Err(refusal) = taken.and_then(|()| photo::check_whole(&file, &info)) {
        return Ok(Err(refusal));
    }
    if info.format.is_heif() {
        return of_film(app, member, file).await;
    }
    let _place = app.place_for_pixels(photo::memory(&file, &info)).await?;
    let inks = app.press.condition().icc();
    app.compute(move || photo::square(&file, &info, inks, SIDE)).await
}

/// The same of what the sandbox alone decodes: the middle of its derivative.
async fn of_film(
    app: &App,
    member: &MemberId,
    file: Vec<u8>,
) -> Result<Result<Vec<u8>, PhotoRefusal>, Error> {
    let arrived = app.storage.incoming().map_err(Error::internal)?;
    tokio::fs::write(arrived.path(), file).await.map_err(Error::internal)?;
    let made = pixels::derive(app, member, arrived.path().to_owned());
    let made = tokio::time::timeout(LONGEST_WAIT, made).await.map_err(|_| Error::Busy)??;
    let inks = app.press.condition().icc();
    app.compute(move || {
        let [_, middle, _] = made?.sizes;
        let info = photo::probe(&mut Cursor::new(&middle.webp))?;
        photo::square(&middle.webp, &info, inks, SIDE)
    })
    .await
}

/// Gives a member a picture, or none. The file is there before the row that names it, and the row that named the old
/// one is gone before that is deleted.
async fn show(app: &App, member: &Member, webp: Option<Vec<u8>>) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    let sha256 = match webp {
        Some(webp) => Some(keep(app, webp).await?),
        None => None,
    };
    let old = profile::set_avatar(&mut tx, &member.id, sha256.as_deref()).await?;
    if let Some(old) = old.filter(|old| Some(old) != sha256.as_ref()) {
        jobs::enqueue(&mut tx, &ForgetAvatar { sha256: old }).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// The picture of any member, for pages where that member shows it.
pub async fn of(app: &App, member: &MemberId) -> Result<Option<(String, Vec<u8>)>, Error> {
    let Some(sha256) = profile::avatar_of(&app.db, member).await? else { return Ok(None) };
    Ok(app.storage.get(&avatar_key(&sha256)).await?.map(|bytes| (sha256, bytes)))
}

async fn keep(app: &App, webp: Vec<u8>) -> Result<String, Error> {
    let sha256 = hex::encode(Sha256::digest(&webp));
    app.storage.put(&avatar_key(&sha256), webp).await?;
    Ok(sha256)
}

/// POST /manager/userInfo/avatar/removal.
pub async fn remove(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    show(&app, &member, None).await?;
    Ok(Redirect::to("/manager/userInfo?done=avatar-removed"))
}

/// GET /manager/avatar/{sha256}: the member's own picture.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path(sha256): Path<String>,
) -> Result<Response, Error> {
    if member.avatar.as_ref() != Some(&sha256) {
        return Err(Error::NotFound);
    }
    let bytes = app.storage.get(&avatar_key(&sha256)).await?.ok_or(Error::NotFound)?;
    Ok(photos::webp(photos::Picture { bytes, lasts: true }))
}
