//! A roster becomes a work: an album in which each has a place and of which each has a copy of its own.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::document::{Category, Document};
use domain::ids::{MemberId, PhotoId, YearBookId};
use domain::layout::{
    Captions, LayoutOptions, PageRange, Parts as BookParts, PhotoInput, Portrayed, alone, year_book,
};
use domain::titles::TITLE_LENGTH;
use domain::typed;
use domain::yearbook::{MOST_SPARE, Share};
use web::app::App;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::address;
use super::store::{self, Book, Look, Person, Sent};
use photos::{PhotoState, turns};

/// Photos of all that a book has, at most.
const MOST_COMMON: usize = 60;

/// POST /manager/yearbook/{id}/book: made, or made anew as another version of the same work.
pub async fn make(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let page = format!("{}/book", address(&id));
    let mut form = read_form(&body)?;
    if turns(&mut form) {
        return render::again(&app, parts, &page, form).await;
    }
    let Some((look, spare)) = read(&mut form) else {
        return render::again(&app, parts, &page, form).await;
    };
    let people = store::people(&app.db, &id).await?;
    let document = match laid_out(&app, &book, &people, &common(&form), (&look, spare)).await? {
        Ok(document) => document,
        Err(reason) => {
            form.refuse("", reason);
            return render::again(&app, parts, &page, form).await;
        }
    };
    let is_remade = match &book.work {
        Some(work) => works::remake(&app, &member.id, work, &document).await?,
        None => false,
    };
    let work = match book.work.filter(|_| is_remade) {
        Some(work) => work,
        None => works::keep(&app, &member.id, "album", &document).await?,
    };
    let mut tx = app.db.begin().await?;
    store::set_work(&mut tx, &id, &work, &look, now_ms()).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}?done=1#copies")).into_response())
}

/// How the book is made, and how many copies are nobody's, as the form says.
fn read(form: &mut Form) -> Option<(Look, usize)> {
    let format = works::format(form.get("format"));
    let theme = press::themes().iter().find(|theme| theme.name == form.get("theme"));
    let share = Share::of_code(form.get("share"));
    let spare = match form.get("spare") {
        text if typed::is_blank(text) => Some(0),
        text => typed::whole::<u32>(text, &["本"]).map(|spare| spare as usize),
    };
    let spare = spare.filter(|spare| *spare <= MOST_SPARE);
    for (field, is_there, reason) in [
        ("format", format.is_some(), "请选择开本"),
        ("theme", theme.is_some(), "请选择风格"),
        ("share", share.is_some(), "请选择每人占多少"),
    ] {
        if !is_there {
            form.refuse(field, reason);
        }
    }
    if spare.is_none() {
        form.refuse("spare", format!("请填写 0 到 {MOST_SPARE} 的本数"));
    }
    let look = Look { format: format?.key.to_owned(), theme: theme?.name.to_owned(), share: share? };
    Some((look, spare?))
}

/// Photos of all, each once.
fn common(form: &Form) -> Vec<PhotoId> {
    let mut common: Vec<PhotoId> = Vec::new();
    for id in form.all("photo").filter_map(|id| id.parse().ok()) {
        if !common.contains(&id) && common.len() < MOST_COMMON {
            common.push(id);
        }
    }
    common
}

/// The book with photos of all, and copies that are nobody's; or the sentence that says why there is none.
pub async fn laid_out(
    app: &App,
    book: &Book,
    people: &[Person],
    common: &[PhotoId],
    (look, spare): (&Look, usize),
) -> Result<Result<Document, String>, Error> {
    let mut all = Vec::with_capacity(people.len());
    for person in people {
        all.push(portrayed(app, person).await?);
    }
    let common = inputs(app, &book.member, common).await?;
    let (options, theme) = (options(app, book, look).await?, theme_of(look)?);
    let share = look.share;
    let made = app.compute(move || year_book(&all, &common, (share, spare), &options)).await?;
    Ok(match made {
        Ok(mut document) => {
            document.cover.ground = theme.cover;
            document.category = Some(Category::Graduation);
            Ok(document)
        }
        Err(reason) => Err(reason.to_string()),
    })
}

/// What one has in the book, by itself: see [`alone`].
pub async fn alone_of(app: &App, book: &Book, person: &Person) -> Result<Document, Error> {
    let (person, options) = (portrayed(app, person).await?, options(app, book, &book.look).await?);
    Ok(alone(&person, book.look.share, &options))
}

/// The page size of a look.
pub fn format_of(look: &Look) -> Result<&'static works::WorkFormat, Error> {
    works::format(&look.format).ok_or_else(|| Error::internal("a year book of no known size"))
}

fn theme_of(look: &Look) -> Result<&'static press::Theme, Error> {
    let theme = press::themes().iter().find(|theme| theme.name == look.theme);
    theme.ok_or_else(|| Error::internal("a year book of no known theme"))
}

async fn options(app: &App, book: &Book, look: &Look) -> Result<LayoutOptions, Error> {
    let (trim, theme) = (format_of(look)?.trim, theme_of(look)?);
    let aim = catalog::shortest_aim(app, trim).await?;
    Ok(LayoutOptions {
        trim,
        pages: PageRange { min: aim.min, max: aim.max, step: aim.step },
        title: book.title.chars().take(TITLE_LENGTH).collect(),
        author: book.author.clone(),
        theme: theme.name.to_owned(),
        captions: Captions::Empty,
        chapters: false,
        parts: BookParts::default(),
        density: Default::default(),
        style: theme.style,
    })
}

/// Somebody as the layout sees it.
async fn portrayed(app: &App, person: &Person) -> Result<Portrayed, Error> {
    let input = async |sent: Option<&Sent>| match sent {
        Some(sent) => Ok(inputs(app, &person.member, std::slice::from_ref(&sent.photo)).await?.pop()),
        None => Ok::<_, Error>(None),
    };
    Ok(Portrayed {
        person: Some(person.id.clone()),
        name: person.entry.name.clone(),
        group: person.entry.group.clone(),
        motto: person.motto.clone(),
        words: person.words.clone(),
        portrait: input(person.portrait.as_ref()).await?,
        own: input(person.own.as_ref()).await?,
        has_copy: person.has_copy,
    })
}

/// Photos of the member's library as the layout sees them, with their faces; those that can't be printed are left out.
async fn inputs(app: &App, member: &MemberId, ids: &[PhotoId]) -> Result<Vec<PhotoInput>, Error> {
    let mut inputs = Vec::with_capacity(ids.len());
    for photo in photos::of_member(app, member, ids).await? {
        if photo.state == PhotoState::Pending {
            photos::make_derivatives(app, &photo.id).await?;
        }
    }
    for photo in photos::of_member(app, member, ids).await? {
        if photo.state != PhotoState::Broken {
            inputs.push(works::photo_input(&photo));
        }
    }
    Ok(inputs)
}
