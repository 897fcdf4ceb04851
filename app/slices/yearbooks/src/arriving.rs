//! What somebody on a roster sends by its link: words, a portrait, a photo for its own copy. Photos are looked at as members' are and come
//! into the library of the book's owner, whose room they take; what arrived stays, whatever becomes of the rest of the form.

use axum::extract::multipart::Field;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::storage::original_key;
use domain::ids::MemberId;
use domain::typed::is_blank;
use domain::yearbook::{MOTTO_LENGTH, NotTaken, WORDS_LENGTH};
use photos::Arriving;
use web::app::App;
use web::files;
use web::multipart::{Multipart, bounded};
use web::render::{self, Form};
use web::ui::forms::{check_length, has_control, unwritable};

use super::own_page::{address, by_code};
use super::store::{self, Book, Person, Sent};

/// Bytes that a word of the form may have, and how many words are read.
const MOST_FIELD: usize = 8 * 1024;
const MOST_FIELDS: usize = 20;

/// Why a photo is not taken.
enum Refused {
    /// Nothing more is.
    Not(NotTaken),
    /// Too large or no photo: the sentence says it.
    This(String),
    Failed(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotTaken> for Refused {
    fn from(reason: NotTaken) -> Self {
        Self::Not(reason)
    }
}

/// POST /y/{code}.
pub async fn send(
    State(app): State<App>,
    Path(code): Path<String>,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let Some((book, person)) = by_code(&app, &code).await? else {
        return render::again(&app, parts, "/y/unknown", Form::default()).await;
    };
    accounts::take_year_book_request(&app, &parts, &book.id).await?;
    let page = address(&person.code);
    if let Some(reason) = person.state(&book, now_ms()).refusal() {
        return refuse(&app, parts, &page, Form::default(), reason).await;
    }
    let (mut pairs, mut wrong, mut full) = (Vec::new(), Vec::new(), None);
    let mut has_photo = person.portrait.is_some() || person.own.is_some();
    while let Some(field) = multipart.next_field().await.map_err(|error| broken(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        let Some(which) = ["portrait", "own"].into_iter().find(|which| *which == name) else {
            let value = bounded(field, MOST_FIELD).await.map_err(|error| broken(&error))?;
            let value = value.map_err(|_| Error::TooLarge("写的文字太多了，请缩短".into()))?;
            let value = String::from_utf8(value).map_err(|_| unwritable())?;
            if has_control(&value) || pairs.len() == MOST_FIELDS {
                return Err(unwritable());
            }
            pairs.push((name, value));
            continue;
        };
        let file_name = photos::shown_name(field.file_name().unwrap_or_default());
        // browsers send a nameless empty file where none was chosen
        if file_name.is_empty() {
            continue;
        }
        match take(&app, &book, &person, which, &file_name, field).await {
            Ok(()) => has_photo = true,
            Err(Refused::This(reason)) => wrong.push((which, format!("{file_name}：{reason}"))),
            Err(Refused::Not(NotTaken::RoomFull)) => full = Some(NotTaken::RoomFull),
            Err(Refused::Not(reason)) => return refuse(&app, parts, &page, Form::default(), reason).await,
            Err(Refused::Failed(error)) => return Err(error),
        }
    }
    let mut form = Form::sent(pairs);
    check_length(&mut form, "motto", "名字下面的一句", 0, MOTTO_LENGTH);
    check_length(&mut form, "words", "想说的话", 0, WORDS_LENGTH);
    // a form that came without its words says nothing of them
    let said = |form: &Form, field: &str, known: &str| match form.all(field).next() {
        Some(said) => said.to_owned(),
        None => known.to_owned(),
    };
    let (motto, words) = (said(&form, "motto", &person.motto), said(&form, "words", &person.words));
    if !has_photo && wrong.is_empty() && full.is_none() && is_blank(&motto) && is_blank(&words) {
        form.refuse("portrait", "还什么都没有交：请放一张人像，或者写一句话");
    }
    if !form.is_refused() {
        let mut tx = app.db.begin().await?;
        store::hold(&mut tx, &book.id).await?;
        store::set_words(&mut tx, &person.id, (&motto, &words), now_ms()).await?;
        tx.commit().await?;
    }
    for (field, reason) in wrong {
        form.refuse(field, reason);
    }
    if let Some(reason) = full {
        return refuse(&app, parts, &page, form, reason).await;
    }
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&format!("{page}?done=1")).into_response())
}

/// The page again with why nothing more is taken, under the reason's own status.
async fn refuse(
    app: &App,
    parts: Parts,
    page: &str,
    mut form: Form,
    reason: NotTaken,
) -> Result<Response, Error> {
    form.refuse("", reason.to_string());
    render::again_as(app, parts, page, form, reason.status()).await
}

/// A line that broke, or no form at all.
fn broken(error: &axum::extract::multipart::MultipartError) -> Error {
    match photos::broken_request(error) {
        Error::TooLarge(_) => Error::TooLarge("照片太大了，请一次交一张。".into()),
        _ => Error::BadRequest("没有发完，请再试一次。已经收到的照片都在。".into()),
    }
}

/// Takes one photo, in the place of the one before.
async fn take(
    app: &App,
    book: &Book,
    person: &Person,
    which: &'static str,
    file_name: &str,
    mut field: Field<'_>,
) -> Result<(), Refused> {
    let mut tx = app.db.begin_snapshot().await.map_err(Error::from)?;
    let tier = accounts::standing(&mut tx, &book.member).await?.at(now_ms()).0;
    drop(tx);
    let left = photos::room_left(app, &book.member, tier).await?;
    let mut arriving = Arriving::begin(app)?;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        arriving.write(&chunk).await?;
        if arriving.bytes() > left {
            return Err(NotTaken::RoomFull.into());
        }
    }
    let name = format!("{} {file_name}", person.entry.name);
    let seen = photos::look(app, &name, arriving).await?.map_err(Refused::This)?;
    let photos::Seen { file, sha256, bytes, facts } = seen;
    // the slow part comes before the lock
    let staged = app.storage.stage(file, original_key(&sha256)).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    files::lock(&mut tx).await?;
    let book = store::hold(&mut tx, &book.id).await?;
    // its link may have ended since the form began to come
    let people = store::people_within(&mut tx, &book.id).await?;
    let mut person = people.into_iter().find(|other| other.id == person.id).ok_or(NotTaken::Withdrawn)?;
    if let Some(reason) = person.state(&book, now).refusal() {
        return Err(reason.into());
    }
    let (photo, is_added) = photos::adopt(&mut tx, &book.member, (&sha256, bytes), &name, facts, now).await?;
    let place = if which == "portrait" { &mut person.portrait } else { &mut person.own };
    let before = place.take();
    // the same again came into the library when it came first
    let is_same = before.as_ref().is_some_and(|before| before.photo == photo && before.is_added);
    *place = Some(Sent { photo: photo.clone(), is_added: is_added || is_same });
    store::set_photos(&mut tx, &person, now).await?;
    store::uses::note(&mut tx, &book.id, &book.member).await?;
    if !photos::fits(app, &mut tx, &book.member, tier, 0).await? {
        return Err(NotTaken::RoomFull.into());
    }
    app.storage.keep(staged).await?;
    tx.commit().await.map_err(Error::from)?;
    app.bell.ring();
    if let Some(before) = before.filter(|before| before.photo != photo) {
        let_go(app, &book.member, before).await?;
    }
    Ok(())
}

/// Takes a photo that is not sent any more out of the library, where it came there by being sent and nothing else shows it.
pub async fn let_go(app: &App, member: &MemberId, sent: Sent) -> Result<(), Error> {
    if sent.is_added {
        photos::take_out(app, member, &[sent.photo]).await?;
    }
    Ok(())
}
