//! Files that arrive in pieces: the server's half of tus 1.0 (<https://tus.io/protocols/resumable-upload>) with creation,
//! termination, checksum and expiration.
//!
//! Each piece is an object of its own in the storage and is acknowledged by a row, so whichever instance a request
//! meets goes on where another stopped. A request that adds bytes holds the upload as long as it shows signs of life; what
//! is acknowledged is the holder's alone. A file whose last byte has come is made a
//! photo by the same function as one of the form.
//!
//! Who sends and what becomes of the whole file is a [`Receiver`]'s: a member's library, or another slice's.
//!
//! Left out on purpose: a length that is told later (creation-defer-length), because the quota is checked before the
//! first byte is sent; and bytes in the creating request, because an answer that is lost would lose them, too.

mod finish;
mod handlers;
pub mod headers;
mod incoming;
mod own;
mod preview;
mod receiver;
mod store;

use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, head, post};
use domain::days::DAY_MS;

use base::db::now_ms;
use base::error::Error;
use base::storage::upload_folder;
use domain::ids::UploadId;
use domain::sub_member::Role;
use web::access::Policy;
use web::app::App;
use web::background::{Background, DAY, HOUR};
use web::calls::Refusal;
use web::files::sweep;
use web::route::Route;
use web::slice::AtDesk;

use own::Library;

pub use finish::take_upload;
pub use headers::refusal;
pub use receiver::{Ahead, Known, Receiver, Sender};
pub use store::{
    Open, Upload, end_all, end_of_file, end_to, open, open_to, set_counted_elsewhere, set_taken, unfinished,
};

/// How long an upload that nobody goes on with is kept, in ms.
const LIFE_MS: i64 = DAY_MS;

const VERSION: HeaderValue = HeaderValue::from_static("1.0.0");
const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");

/// Where members' own uploads begin.
pub const OWN: &str = "/manager/uploads";

/// The routes of members' own uploads.
pub const ROUTES: &[Route] = &[
    Route::new("/manager/uploads", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(creating::<Library>),
    Route::new("/manager/uploads/known", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(asking::<Library>),
    Route::new("/manager/uploads/preview", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(going_ahead::<Library>),
    Route::new("/manager/uploads/{id}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(going_on::<Library>),
];

/// What answers where uploads begin, at `…`.
pub fn creating<R: Receiver>() -> MethodRouter<App> {
    post(handlers::create::<R>).options(handlers::describe).route_layer(from_fn(tus))
}

/// What answers at `…/known`.
pub fn asking<R: Receiver>() -> MethodRouter<App> {
    post(handlers::known::<R>)
}

/// What answers at `…/preview`.
pub fn going_ahead<R: Receiver>() -> MethodRouter<App> {
    post(preview::take::<R>).layer(DefaultBodyLimit::max(preview::MAX_BYTES))
}

/// What answers at `…/{id}`.
pub fn going_on<R: Receiver>() -> MethodRouter<App> {
    let one = head(handlers::position::<R>)
        .patch(handlers::append::<R>)
        .delete(handlers::terminate::<R>)
        .post(handlers::overridden::<R>);
    one.route_layer(from_fn(tus))
}

/// The job of members' own uploads.
pub async fn take_own(app: &App, id: &UploadId) -> Result<(), Error> {
    take_upload::<Library>(app, id).await
}

/// Speaks the one version there is: requests name it, answers do, too (tus 1.0, "Headers").
async fn tus(request: Request, next: Next) -> Response {
    let speaks = request.headers().get(&TUS_RESUMABLE) == Some(&VERSION);
    let mut response = if speaks || request.method() == Method::OPTIONS {
        next.run(request).await
    } else {
        let refusal = Refusal {
            code: StatusCode::PRECONDITION_FAILED.as_u16(),
            msg: "只支持 tus 1.0.0 的续传请求".into(),
            data: None,
        };
        ([(TUS_VERSION, VERSION)], refusal).into_response()
    };
    response.headers_mut().insert(TUS_RESUMABLE, VERSION);
    response
}

/// What is cleared away.
pub const CLEARING: &[Background] = &[
    Background::every(HOUR, "uploads that are over", |app| Box::pin(async move { forget_over(&app).await }))
        .for_all(),
    Background::every(HOUR, "page pictures of long ago", |app| {
        Box::pin(async move { app.storage.forget_page_pictures(now_ms()).await.map_err(Error::internal) })
    })
    .for_all(),
    Background::every(HOUR, "files that nobody needs", |app| {
        Box::pin(async move { app.storage.forget_leftovers(now_ms()).await.map_err(Error::internal) })
    }),
    Background::every(HOUR, "files that were not kept", |app| {
        Box::pin(async move { app.storage.forget_staged(now_ms()).await.map_err(Error::internal) })
    })
    .for_all(),
    Background::every(DAY, "files without an owner", |app| {
        Box::pin(async move { sweep(&app).await.map(drop) })
    })
    .for_all(),
    Background::every(DAY, "files that were half written", |app| {
        Box::pin(async move { app.storage.forget_halves(now_ms()).await.map_err(Error::internal) })
    }),
];

/// An upload is ended first, so that nothing more is acknowledged; its row goes last, so that a crash in between
/// leaves nothing that the next hour would not find.
async fn forget_over(app: &App) -> Result<(), Error> {
    for id in store::end_over(&app.db, now_ms()).await? {
        app.storage.delete_below(&upload_folder(&id)).await?;
        store::remove_ended(&app.db, &id).await?;
    }
    Ok(())
}
