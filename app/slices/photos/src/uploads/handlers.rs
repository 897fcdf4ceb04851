//! The requests of tus 1.0, and one of our own: which photos are here already.

use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::{FromRequestParts, RawForm, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Json, Response};
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::UploadId;
use web::app::App;
use web::calls::Refusal;
use web::ui::forms::read_form;

use super::finish::{discard, finish};
use super::headers::{self, Checksum, Metadata, refusal};
use super::incoming::{conflict, receive};
use super::receiver::Receiver;
use super::store::{self, Upload};
use super::{LIFE_MS, TUS_VERSION, VERSION};
use crate::receive::{MAX_FILE_BYTES, refused_size};

const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// Ours: which photo the upload became.
const UPLOAD_PHOTO: HeaderName = HeaderName::from_static("upload-photo");

/// OPTIONS: what this server speaks (tus 1.0, "OPTIONS").
pub async fn describe() -> Response {
    let head = AppendHeaders([
        (TUS_VERSION, VERSION),
        (
            HeaderName::from_static("tus-extension"),
            HeaderValue::from_static("creation,termination,checksum,expiration"),
        ),
        (HeaderName::from_static("tus-checksum-algorithm"), HeaderValue::from_static(Checksum::ALGORITHMS)),
        (HeaderName::from_static("tus-max-size"), HeaderValue::from(MAX_FILE_BYTES)),
    ]);
    (StatusCode::NO_CONTENT, head).into_response()
}

/// The upload that an address names.
pub struct Named(UploadId);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let named = RawPathParams::from_request_parts(parts, state).await.map_err(|_| Error::NotFound)?;
        let id = named.iter().find_map(|(name, value)| (name == "id").then(|| value.parse().ok()));
        id.flatten().map(Self).ok_or(Error::NotFound)
    }
}

/// POST: a new upload (tus 1.0, "Creation"). What can't be taken is refused before a byte is sent.
pub async fn create<R: Receiver>(
    State(app): State<App>,
    mut receiver: R,
    parts: Parts,
) -> Result<Response, Refusal> {
    let length = headers::number(&parts.headers, "upload-length")
        .ok_or_else(|| refusal(400, "缺少文件的长度（Upload-Length）"))?;
    if let Some(reason) = refused_size(length) {
        return Err(refusal(413, reason));
    }
    app.room_for(length)?;
    let metadata = Metadata::read(&parts.headers)?;
    receiver.enter(&app, &parts).await?;
    let now = now_ms();
    let upload = Upload {
        id: new_id(),
        sender: receiver.sender().clone(),
        file_name: metadata.file_name,
        metadata: metadata.sent,
        sha256: metadata.sha256,
        length,
        received: 0,
        photo: None,
        busy_until: 0,
        expires_at: now + LIFE_MS,
    };
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let counts = receiver.admit(&app, &mut tx, &upload).await?;
    store::insert(&mut tx, &upload, counts, now).await?;
    tx.commit().await.map_err(Error::from)?;
    let place = format!("{}/{}", receiver.address(), upload.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], expires(upload.expires_at)).into_response())
}

/// A sender's own upload. Where nothing is taken any more, what has come of it goes; what has become a photo stays one.
async fn own<R: Receiver>(app: &App, receiver: &R, id: &UploadId) -> Result<Upload, Refusal> {
    let found = store::find_for_sender(&app.db, id, receiver.sender(), now_ms()).await;
    if found.as_ref().is_ok_and(|upload| upload.photo.is_some()) {
        return Ok(found?);
    }
    if let Some(refusal) = receiver.refusal(app).await? {
        if let Ok(upload) = &found {
            discard(app, &upload.id).await?;
        }
        return Err(refusal);
    }
    Ok(found?)
}

/// How long an answer waits for another request to end, in ms.
const PATIENCE_MS: i64 = 10_000;

/// HEAD: how far an upload has come (tus 1.0, "HEAD"). A sender whose line broke asks while what it has sent is still
/// being kept: the answer waits for that, so that nothing is sent again. An upload whose last byte came just before a
/// crash is made a photo first, so that a sender who sees the end may forget the file.
pub async fn position<R: Receiver>(
    State(app): State<App>,
    receiver: R,
    Named(id): Named,
) -> Result<Response, Refusal> {
    let patience = now_ms() + PATIENCE_MS;
    let mut upload = own(&app, &receiver, &id).await?;
    while upload.busy_until > now_ms() && now_ms() < patience {
        tokio::time::sleep(Duration::from_millis(50)).await;
        upload = own(&app, &receiver, &id).await?;
    }
    let photo = if upload.is_whole() { Some(taken::<R>(&app, &upload).await?) } else { None };
    let metadata = HeaderValue::from_str(&upload.metadata).ok().filter(|value| !value.is_empty());
    let head = AppendHeaders(
        [(UPLOAD_OFFSET, upload.received.into()), (UPLOAD_LENGTH, upload.length.into())]
            .into_iter()
            .chain(metadata.map(|metadata| (UPLOAD_METADATA, metadata)))
            .chain(photo.map(|photo| named(&photo))),
    );
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::OK, no_store, head, expires(upload.expires_at)).into_response())
}

/// PATCH: more bytes (tus 1.0, "PATCH"). The answer to the last one comes when the photo is in the library.
pub async fn append<R: Receiver>(
    State(app): State<App>,
    receiver: R,
    Named(id): Named,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let (mut upload, checksum) = begin(&app, &receiver, &id, &headers).await?;
    if !upload.is_whole() {
        upload.received = receive::<R>(&app, &upload, checksum, body.into_data_stream()).await?;
    }
    let photo = if upload.is_whole() { Some(taken::<R>(&app, &upload).await?) } else { None };
    let head = AppendHeaders(
        std::iter::once((UPLOAD_OFFSET, upload.received.into())).chain(photo.map(|photo| named(&photo))),
    );
    Ok((StatusCode::NO_CONTENT, head, expires(now_ms() + LIFE_MS)).into_response())
}

/// What can be said of a PATCH before its bytes.
async fn begin<R: Receiver>(
    app: &App,
    receiver: &R,
    id: &UploadId,
    headers: &HeaderMap,
) -> Result<(Upload, Option<Checksum>), Refusal> {
    let upload = own(app, receiver, id).await?;
    if headers::text(headers, "content-type") != Some("application/offset+octet-stream") {
        return Err(refusal(415, "续传的内容类型应为 application/offset+octet-stream"));
    }
    let offset = headers::number(headers, "upload-offset")
        .ok_or_else(|| refusal(400, "缺少续传的位置（Upload-Offset）"))?;
    let checksum = Checksum::read(headers)?;
    if offset != upload.received {
        return Err(conflict());
    }
    if headers::number(headers, "content-length").is_some_and(|more| more > upload.length - offset) {
        return Err(refusal(413, "收到的字节比文件应有的多"));
    }
    Ok((upload, checksum))
}

/// DELETE: an upload that is given up (tus 1.0, "Termination"). What has become a photo stays one.
pub async fn terminate<R: Receiver>(
    State(app): State<App>,
    receiver: R,
    Named(id): Named,
) -> Result<Response, Refusal> {
    let upload = store::find_for_sender(&app.db, &id, receiver.sender(), now_ms()).await?;
    if upload.photo.is_none() {
        receiver.given_up(&app, &upload).await?;
    }
    discard(&app, &upload.id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// POST with `X-HTTP-Method-Override`, where something on the way lets no PATCH or DELETE through (tus 1.0, "Headers").
pub async fn overridden<R: Receiver>(
    app: State<App>,
    receiver: R,
    id: Named,
    request: Request,
) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    match headers::text(&parts.headers, "x-http-method-override") {
        Some("PATCH") => append(app, receiver, id, parts.headers, body).await,
        Some("DELETE") => terminate(app, receiver, id).await,
        Some("HEAD") => position(app, receiver, id).await,
        _ => Err(refusal(405, "请求方法不正确")),
    }
}

/// The most photos that one question may name.
const MOST_ASKED: usize = 500;

/// POST …/known: which of the files with these SHA-256 (`sha256`, several) are here already, whole or in part, and how much room
/// is left.
pub async fn known<R: Receiver>(
    State(app): State<App>,
    receiver: R,
    RawForm(body): RawForm,
) -> Result<Response, Refusal> {
    let form = read_form(&body)?;
    let asked: Vec<String> = form.all("sha256").filter_map(headers::sha256).take(MOST_ASKED).collect();
    let answer = receiver.known(&app, &asked).await?;
    Ok(([(header::CACHE_CONTROL, "private, no-store")], Json(answer)).into_response())
}

async fn taken<R: Receiver>(app: &App, upload: &Upload) -> Result<String, Refusal> {
    finish::<R>(app, upload).await?
}

fn named(photo: &str) -> (HeaderName, HeaderValue) {
    (UPLOAD_PHOTO, HeaderValue::from_str(photo).unwrap_or(HeaderValue::from_static("")))
}

/// `Upload-Expires`, an HTTP date (tus 1.0, "Expiration").
fn expires(at: i64) -> [(HeaderName, String); 1] {
    let at = UNIX_EPOCH + Duration::from_millis(u64::try_from(at).unwrap_or(0));
    [(UPLOAD_EXPIRES, httpdate::fmt_http_date(at))]
}
