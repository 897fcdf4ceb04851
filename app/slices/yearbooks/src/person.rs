//! What a book's owner does about one person: name, class, more time, a copy or none, another link, off the roster.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::guests::read_last_day;
use domain::ids::{MemberId, YearBookPersonId};
use domain::yearbook::{Entry, read_entry};
use web::app::App;
use web::render;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::roster::new_code;
use super::store::{self, Book, Person};
use super::{address, arriving};

/// The page of one.
pub fn person_address(person: &Person) -> String {
    format!("{}/person/{}", address(&person.book), person.id)
}

/// A person of a member's own book, by their ids as an address has them.
pub async fn named(app: &App, member: &MemberId, book: &str, person: &str) -> Result<(Book, Person), Error> {
    let book = book.parse().map_err(|_| Error::NotFound)?;
    let person = person.parse().map_err(|_| Error::NotFound)?;
    let book = store::find_for_owner(&app.db, &book, member).await?;
    let person = store::person(&app.db, &book.id, &person).await?;
    Ok((book, person))
}

/// GET /manager/yearbook/person/{person}: leads to somebody's page, whose book whoever knows the person alone need not know.
pub async fn lead(
    State(app): State<App>,
    member: Member,
    Parameter(person): Parameter<YearBookPersonId>,
) -> Result<Redirect, Error> {
    let person = store::person_of(&app.db, &member.id, &person).await?;
    Ok(Redirect::to(&person_address(&person)))
}

/// POST /manager/yearbook/{id}/person/{person}.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Path((id, person)): Path<(String, String)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let (book, mut person) = named(&app, &member.id, &id, &person).await?;
    let page = person_address(&person);
    let mut form = read_form(&body)?;
    let mut tx = app.db.begin().await?;
    store::hold(&mut tx, &book.id).await?;
    let others: Vec<Entry> = store::people_within(&mut tx, &book.id)
        .await?
        .into_iter()
        .filter(|other| other.id != person.id)
        .map(|other| other.entry)
        .collect();
    match read_entry([form.get("name"), form.get("group"), form.get("contact")], &others) {
        Ok(entry) => person.entry = entry,
        Err((field, reason)) => form.refuse(field, reason),
    }
    let until = form.get("until").to_owned();
    let is_same = person.until.is_some_and(|known| until == time::day(known - 1));
    if until.trim().is_empty() {
        person.until = None;
    } else if !is_same {
        match read_last_day(&until, now_ms()) {
            Ok(until) => person.until = Some(until),
            Err(problem) => form.refuse("until", problem.to_string()),
        }
    }
    person.has_copy = form.get("copy") == "1";
    if form.is_refused() {
        drop(tx);
        return render::again(&app, parts, &page, form).await;
    }
    store::change_person(&mut tx, &person).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}?done=saved")).into_response())
}

/// POST /manager/yearbook/{id}/person/{person}/link: `withdraw` takes the link back, `anew` gives another one; what came by the old
/// one stays.
pub async fn link(
    State(app): State<App>,
    member: Member,
    Path((id, person)): Path<(String, String)>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let (_, person) = named(&app, &member.id, &id, &person).await?;
    let form = read_form(&body)?;
    let (code, withdrawn_at, done) = match form.get("act") {
        "withdraw" => (person.code.clone(), person.withdrawn_at.or(Some(now_ms())), "withdrawn"),
        "anew" => (new_code(), None, "anew"),
        _ => return Err(Error::Incomplete),
    };
    let mut tx = app.db.begin().await?;
    store::set_link(&mut tx, &person.id, &code, withdrawn_at).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done={done}", person_address(&person))))
}

/// POST /manager/yearbook/{id}/person/{person}/removal.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Path((id, person)): Path<(String, String)>,
) -> Result<Redirect, Error> {
    let (book, person) = named(&app, &member.id, &id, &person).await?;
    let mut tx = app.db.begin().await?;
    store::hold(&mut tx, &book.id).await?;
    store::delete_person(&mut tx, &person.id).await?;
    store::uses::note(&mut tx, &book.id, &book.member).await?;
    tx.commit().await?;
    for sent in [person.portrait, person.own].into_iter().flatten() {
        arriving::let_go(&app, &book.member, sent).await?;
    }
    Ok(Redirect::to(&format!("{}?done=removed", address(&book.id))))
}
