//! Photos that people sent, for the book's owner and for whoever has the link; for nobody else.

use axum::extract::{Path, State};
use axum::response::Response;

use super::store::Person;
use super::{own_page, person};
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::session::Member;

/// Pixels on the long side.
const SMALL: u32 = 320;

/// GET /manager/yearbook/{id}/person/{person}/photo/{which}.
pub async fn for_maker(
    State(app): State<App>,
    member: Member,
    Path((id, person, which)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    let (_, person) = person::named(&app, &member.id, &id, &person).await?;
    picture(&app, &person, &which).await
}

/// GET /y/{code}/photo/{which}.
pub async fn for_person(
    State(app): State<App>,
    Path((code, which)): Path<(String, String)>,
) -> Result<Response, Error> {
    let (book, person) = own_page::by_code(&app, &code).await?.ok_or(Error::NotFound)?;
    if person.withdrawn_at.is_some() {
        let refusal = person.state(&book, now_ms()).refusal();
        return Err(refusal.map_or(Error::NotFound, |reason| Error::Gone(reason.to_string())));
    }
    picture(&app, &person, &which).await
}

async fn picture(app: &App, person: &Person, which: &str) -> Result<Response, Error> {
    let sent = match which {
        "portrait" => person.portrait.as_ref(),
        "own" => person.own.as_ref(),
        _ => None,
    };
    let sent = sent.ok_or(Error::NotFound)?;
    let mut picture = photos::smaller(app, &sent.photo, &person.member, SMALL).await?;
    // another photo may come under the same address
    picture.lasts = false;
    Ok(photos::webp(picture))
}
