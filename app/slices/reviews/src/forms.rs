//! What the forms of makers and reviewers have in common.

use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use base::error::{Error, Wait};
use domain::review::{Spot, WORDS};
use web::app::App;
use web::render::{self, Form};
use web::ui::forms::check_length;

/// The field of an answer to a comment.
pub fn answer_field(comment: &str) -> String {
    format!("answer-{comment}")
}

/// What was written, where it is neither empty nor too long.
pub fn read_words(form: &mut Form, field: &str, label: &str) -> Option<String> {
    check_length(form, field, label, 1, WORDS);
    form.error(field).is_none().then(|| form.get(field).to_owned())
}

/// Where on the page: as it was pressed, or one of its nine fields; none for the page as a whole.
pub fn read_spot(form: &Form) -> Option<Spot> {
    let number = |name: &str| form.get(name).parse::<i64>().ok();
    let pressed = number("x").zip(number("y")).and_then(|(x, y)| Spot::new(x, y));
    pressed.or_else(|| Spot::of_field(form.get("field").parse().ok()?))
}

/// The form again: for what is wrong with it, or for later where too many came from one network.
pub async fn again(
    app: &App,
    parts: Parts,
    page: &str,
    mut form: Form,
    wait: Option<Wait>,
) -> Result<Response, Error> {
    let Some(wait) = wait else { return render::again(app, parts, page, form).await };
    form.refuse("", Error::TooMany(wait).message());
    let mut response = render::again(app, parts, page, form).await?;
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.seconds));
    Ok(response)
}
