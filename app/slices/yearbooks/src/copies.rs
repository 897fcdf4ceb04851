//! The copies of a book that was made: which they are, and each one's cover and own pages.

use base::error::Error;
use leptos::prelude::*;
use press::PageRef;
use web::app::App;
use web::ui::parts::height_of;
use works::{Work, copy_address};

use super::address;
use super::store::{Book, Person};

/// Pixels across a small picture.
const SMALL: u32 = 320;

/// The work that a book was made into, while it is on the shelf.
pub async fn work_of(app: &App, book: &Book) -> Result<Option<Work>, Error> {
    let Some(id) = &book.work else { return Ok(None) };
    match works::for_owner(app, id, &book.member).await {
        Ok(work) => Ok(Some(work).filter(|work| work.trashed_at.is_none())),
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether somebody is in the book as it was made.
pub fn is_in(work: &Work, person: &Person) -> bool {
    work.document.copies().iter().any(|copy| match &copy.person {
        Some(known) => *known == person.id,
        // made before copies knew whose they are
        None => copy.name == person.entry.name && copy.group == person.entry.group,
    })
}

/// Where the copies of a book are looked at one by one.
pub fn proof_address(book: &Book, key: &str) -> String {
    format!("{}/proof?copy={key}", address(&book.id))
}

/// What somebody took off the book that each copy had of its own.
#[component]
pub fn Lost(work: Work) -> impl IntoView {
    let document = &work.document;
    let places = document.variants.as_ref().map_or(0, |variants| variants.places.len());
    let lost = [
        document.name_place().is_none().then_some("封面上写名字的地方被删掉了，名字不会印出来。"),
        (document.own_places().len() < places)
            .then_some("书里每本不同的页被删掉了，自己的那几页不会印出来。"),
    ];
    lost.into_iter()
        .flatten()
        .map(|reason| view! { <p class="notice warn">{format!("{reason}重新做一次就有。")}</p> })
        .collect::<Vec<_>>()
}

/// All copies in the order of the run, each with its cover and its own pages; each leads to its proof.
#[component]
pub fn Copies(book: Book, work: Work) -> impl IntoView {
    let document = &work.document;
    let tall = height_of(document.trim, SMALL);
    let names = document.copy_names();
    let items: Vec<_> = document
        .copies()
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(index, (copy, name))| {
            let pages = std::iter::once(PageRef::Cover)
                .chain(document.own_places().into_iter().map(|(_, place)| PageRef::Inner(place)));
            let pictures: Vec<_> = pages
                .map(|page| {
                    let alt = match page {
                        PageRef::Cover => "封面".to_owned(),
                        PageRef::Inner(index) => format!("第 {} 页", index + 1),
                    };
                    let src = copy_address(&work, Some(&name.key), page, SMALL);
                    view! { <img src=src width=SMALL.to_string() height=tall.clone() alt=alt loading="lazy"/> }
                })
                .collect();
            let called = if copy.name.is_empty() { "不写名字".to_owned() } else { copy.name.clone() };
            view! {
                <li>
                    <p><span class="quiet num">{(index + 1).to_string()}</span>" "<a class="link" href=proof_address(&book, &name.key)>{called}</a>" "<span class="quiet">{copy.group.clone()}</span></p>
                    <div class="own-pages">{pictures}</div>
                </li>
            }
        })
        .collect();
    view! { <ol class="copies">{items}</ol> }
}
