//! Photos that people sent, and what is made of them, for the book's owner and for whoever has the link; for nobody else.

use axum::extract::{Path, State};
use axum::response::Response;
use base::db::now_ms;
use base::error::Error;
use domain::layout::{ALONE_FRONT, ALONE_PLACE};
use press::PageRef;
use web::app::App;
use web::session::Member;

use super::store::{Book, Person};
use super::{book, own_page, person};

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
    check_link(&book, &person)?;
    picture(&app, &person, &which).await
}

/// GET /y/{code}/page/{which}: what somebody sent as it is set by now, `left` and `right` at the front of its own copy, or its
/// `place` among its class, with nobody else's beside it.
pub async fn as_set(
    State(app): State<App>,
    Path((code, which)): Path<(String, String)>,
) -> Result<Response, Error> {
    let (book, person) = own_page::by_code(&app, &code).await?.ok_or(Error::NotFound)?;
    check_link(&book, &person)?;
    let index = match which.as_str() {
        "left" => ALONE_FRONT[0],
        "right" => ALONE_FRONT[1],
        "place" => ALONE_PLACE,
        _ => return Err(Error::NotFound),
    };
    if person.sent_at.is_none() {
        return Err(Error::NotFound);
    }
    let document = book::alone_of(&app, &book, &person).await?;
    let page = PageRef::Inner(index);
    let mut picture = works::page_picture(&app, &book.member, document, page, SMALL).await?;
    picture.lasts = false;
    Ok(photos::webp(picture))
}

/// Nothing is shown by a link that was taken back.
fn check_link(book: &Book, person: &Person) -> Result<(), Error> {
    match person.state(book, now_ms()).refusal().filter(|_| person.withdrawn_at.is_some()) {
        Some(reason) => Err(Error::Gone(reason.to_string())),
        None => Ok(()),
    }
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
