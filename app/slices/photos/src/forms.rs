//! The upload form of the photo library.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form};
use web::session::Member;

use super::receive::{Intake, broken_request};

/// POST /manager/photos. Good files are kept even when others are refused.
pub async fn upload(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let mut intake = Intake::default();
    while let Some(field) = multipart.next_field().await.map_err(|error| broken_request(&error))? {
        if field.name() == Some("photos") {
            intake.take(&app, &member, field).await?;
        }
    }
    if intake.refused.is_empty() && !intake.taken.is_empty() {
        return Ok(Redirect::to(&format!("/manager/photos?added={}", intake.taken.len())).into_response());
    }
    let mut form = Form::sent([("added".to_owned(), intake.taken.len().to_string())]);
    if intake.taken.is_empty() && intake.refused.is_empty() {
        form.refuse("photos", "请选择照片");
    }
    for refused in intake.refused {
        form.refuse("photos", format!("{}：{}", refused.file_name, refused.reason));
    }
    render::again(&app, parts, "/manager/photos", form).await
}
