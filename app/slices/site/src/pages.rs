//! The error page.

use axum::http::StatusCode;
use leptos::prelude::*;
use web::ui::shell::ErrorBody;

/// GET /error: where a member is sent when something went wrong elsewhere.
#[component]
pub fn ErrorPage() -> impl IntoView {
    let answer = use_context::<leptos_axum::ResponseOptions>();
    let body =
        view! { <ErrorBody status=StatusCode::INTERNAL_SERVER_ERROR message=String::new() nameless=true/> };
    // the page itself is found; what went wrong went wrong before
    if let Some(answer) = answer {
        answer.set_status(StatusCode::OK);
    }
    body
}
