//! A member's picture: a square of 256 pixels, WebP, without anything that the camera wrote.
//!
//! It is kept like an original, under the SHA-256 of its bytes, so that backups hold it and its address can be
//! remembered for good.

use std::io::Cursor;

use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use press::photo::{self, PhotoRefusal};
use sha2::{Digest, Sha256};

use super::store::profile;
use crate::app::App;
use crate::error::Error;
use crate::photos;
use crate::render::{self, Form};
use crate::session::Member;
use crate::storage::original_key;

/// Bytes that a picture to upload may have.
const MOST_BYTES: usize = 10 * 1024 * 1024;
/// Bytes that a request may have: so much of a file that is too large is read, so that its sender hears why.
pub const MOST_REQUEST_BYTES: usize = 128 * 1024 * 1024;
/// Width and height of the kept picture in pixels.
const SIDE: u32 = 256;

/// Where a member's own picture is served; empty without one.
pub fn address(member: &Member) -> String {
    member.avatar.as_ref().map(|sha256| format!("/manager/avatar/{sha256}")).unwrap_or_default()
}

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
            file = Some(read(field).await?);
        }
    }
    let made = match file {
        None => Err("请选择一张照片".to_owned()),
        Some(Err(reason)) => Err(reason),
        Some(Ok(bytes)) if bytes.is_empty() => Err("请选择一张照片".to_owned()),
        Some(Ok(bytes)) => match app.heavy(move || square(&bytes)).await? {
            Err(PhotoRefusal::Unreadable) => {
                return Err(Error::internal("an uploaded picture was unreadable"));
            }
            made => made.map_err(|refusal| refusal.to_string()),
        },
    };
    match made {
        Ok(webp) => {
            let sha256 = keep(app, webp).await?;
            profile::set_avatar(&app.db, &member.id, Some(&sha256)).await?;
            Ok(Redirect::to("/manager/userInfo?done=avatar").into_response())
        }
        Err(reason) => {
            form.refuse("avatar", reason);
            render::again(app, parts, "/manager/userInfo", form).await
        }
    }
}

/// A whole field; the inner error is the sentence for a member. What is past the limit is read and dropped.
async fn read(mut field: Field<'_>) -> Result<Result<Vec<u8>, String>, Error> {
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        length += chunk.len();
        if length <= MOST_BYTES {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok(if length <= MOST_BYTES {
        Ok(bytes)
    } else {
        Err(format!("照片有 {} MB，头像不能超过 10 MB", length.div_ceil(1024 * 1024)))
    })
}

/// A body that ends early, is far too large, or is no form.
fn broken(error: &MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge("文件太大，头像不能超过 10 MB".into())
    } else {
        Error::BadRequest("上传没有完成，请再试一次".into())
    }
}

fn square(file: &[u8]) -> Result<Vec<u8>, PhotoRefusal> {
    // the headers come first: what they refuse is never decoded
    let info = photo::probe(&mut Cursor::new(file))?;
    photo::check_whole(file, &info)?;
    photo::square(file, &info, SIDE)
}

async fn keep(app: &App, webp: Vec<u8>) -> Result<String, Error> {
    let sha256: String = Sha256::digest(&webp).iter().map(|byte| format!("{byte:02x}")).collect();
    let (storage, name) = (app.storage.clone(), sha256.clone());
    app.heavy(move || {
        let mut file = storage.incoming().map_err(Error::internal)?;
        std::io::Write::write_all(&mut file, &webp).map_err(Error::internal)?;
        storage.keep_original(file, &name)
    })
    .await??;
    Ok(sha256)
}

/// POST /manager/userInfo/avatar/removal. The file stays: another member may have the same one.
pub async fn remove(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    profile::set_avatar(&app.db, &member.id, None).await?;
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
    let bytes = app.storage.get(&original_key(&sha256)).await?.ok_or(Error::NotFound)?;
    Ok(photos::webp(bytes))
}
