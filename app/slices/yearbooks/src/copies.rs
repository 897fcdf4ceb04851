//! The copies of a book that was made: which they are, and pictures of what is each one's own.

use axum::extract::{Path, State};
use axum::response::Response;
use domain::document::Document;
use domain::ids::YearBookId;
use leptos::prelude::*;
use works::Work;

use super::address;
use super::store::{self, Book};
use platform::app::App;
use platform::error::Error;
use platform::session::Member;

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

/// The pages that each copy has its own of, as they stand now, from 1.
fn places(document: &Document) -> Vec<usize> {
    let places = document.variants.as_ref().map_or(&[][..], |variants| &variants.places);
    let number = |place| document.pages.iter().position(|page| page.id.as_ref() == Some(place));
    places.iter().filter_map(number).map(|index| index + 1).collect()
}

/// GET /manager/yearbook/{id}/copy/{copy}/{page}/{width}: `cover` or a page of one copy, both counted from 1.
pub async fn picture(
    State(app): State<App>,
    member: Member,
    Path((id, copy, page, width)): Path<(String, usize, String, u32)>,
) -> Result<Response, Error> {
    let id: YearBookId = id.parse().map_err(|_| Error::NotFound)?;
    let book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let work = work_of(&app, &book).await?.ok_or(Error::NotFound)?;
    let index = copy.checked_sub(1).ok_or(Error::NotFound)?;
    let document = work.document.copy(index).ok_or(Error::NotFound)?;
    let page = works::page_named(&document, &page, width)?;
    let mut picture = works::page_picture(&app, &member.id, document, page, width).await?;
    // the work may be another one tomorrow
    picture.lasts = false;
    Ok(photos::webp(picture))
}

/// All copies in the order of the run, each with its cover and its own pages.
#[component]
pub fn Copies(book: Book, work: Work) -> impl IntoView {
    let document = &work.document;
    let places = places(document);
    let (width, height) = (document.trim.width, document.trim.height);
    let tall = (f64::from(SMALL) * height / width).round();
    let items: Vec<_> = document
        .copies()
        .iter()
        .enumerate()
        .map(|(index, copy)| {
            let own = format!("{}/copy/{}", address(&book.id), index + 1);
            let name = if copy.name.is_empty() { "不写名字".to_owned() } else { copy.name.clone() };
            let pages = std::iter::once("cover".to_owned()).chain(places.iter().map(ToString::to_string));
            let pictures: Vec<_> = pages
                .map(|page| {
                    let alt = if page == "cover" { "封面".to_owned() } else { format!("第 {page} 页") };
                    view! { <img src=format!("{own}/{page}/{SMALL}") width=SMALL.to_string() height=tall.to_string() alt=alt loading="lazy"/> }
                })
                .collect();
            view! {
                <li>
                    <p><span class="quiet num">{(index + 1).to_string()}</span>" "<strong>{name}</strong>" "<span class="quiet">{copy.group.clone()}</span></p>
                    <div class="own-pages">{pictures}</div>
                </li>
            }
        })
        .collect();
    let lost = [
        document.name_place().is_none().then_some("封面上写名字的地方被删掉了，名字不会印出来。"),
        (places.len() < document.variants.as_ref().map_or(0, |variants| variants.places.len()))
            .then_some("书里每本不同的页被删掉了，自己的那几页不会印出来。"),
    ];
    let lost: Vec<_> = lost
        .into_iter()
        .flatten()
        .map(|reason| view! { <p class="notice warn">{format!("{reason}重新做一次就有。")}</p> })
        .collect();
    view! { {lost}<ol class="copies">{items}</ol> }
}
