//! Hot areas of a page as its readers find them: those that its maker put there, and what they say below the page.

use base::error::Error;
use domain::hot_area::Kind;
use leptos::prelude::*;
use web::app::App;
use web::slice::ReadArea;

use super::frame::Place;
use crate::areas::{self, HotArea};
use crate::opus_share_buy::buying;
use crate::room::{self, Footnotes, Hot, frame_of};
use crate::store::Share;
use crate::words::{self, Link};

/// What a page has over its picture and below it.
#[derive(Debug, Clone, Default)]
pub struct OnPage {
    /// The areas of its maker and the links of its PDFs.
    pub over: room::OnPage,
    /// Notes and articles of areas.
    pub said: Vec<HotArea>,
}

/// The areas that its maker put on a page, and the links that its PDFs bring, as they are read: line by line.
pub async fn on_page(
    app: &App,
    share: &Share,
    place: Place,
    page: usize,
    links: Vec<Link>,
) -> Result<OnPage, Error> {
    let over = room::OnPage::of(&place.volume(share), page, links, |index| Some(format!("{page}.{index}")));
    let mut on_page = OnPage { over, said: Vec::new() };
    let Some(Some(id)) = share.facts.page_ids.get(page) else { return Ok(on_page) };
    for area in areas::of_page(&app.db, &share.work, id).await? {
        // a page that was taken out leads nowhere
        let Some(address) = address_of(share, place, &area) else { continue };
        on_page.over.shown.push(Hot {
            frame: frame_of(&area.place),
            more: area.more.iter().map(frame_of).collect(),
            name: area.name.clone(),
            address,
            is_outside: area.kind == Kind::Link,
            reach: None,
            id: Some(area.id.to_string()),
            anchor: None,
        });
        if area.kind.text_length().is_some() {
            on_page.said.push(area);
        }
    }
    on_page.over.shown.sort_by(|a, b| a.frame.y.total_cmp(&b.frame.y).then(a.frame.x.total_cmp(&b.frame.x)));
    Ok(on_page)
}

/// The same as they are counted: by their ids, in reading order.
pub async fn areas_of(app: &App, share: &Share, page: usize) -> Result<Vec<ReadArea>, Error> {
    let links = words::of_page(app, share, page).await?.links;
    let shown = on_page(app, share, Place::Site, page, links).await?.over.shown;
    let area = |hot: Hot| Some(ReadArea { id: hot.id?, name: hot.name, frame: hot.frame });
    Ok(shown.into_iter().filter_map(area).collect())
}

fn address_of(share: &Share, place: Place, area: &HotArea) -> Option<String> {
    match area.kind {
        Kind::Link => Some(area.target.clone()),
        Kind::Page => {
            let is_it =
                |id: &Option<domain::ids::PageId>| id.as_ref().is_some_and(|id| id.as_str() == area.target);
            share.facts.page_ids.iter().position(is_it).map(|number| place.address(share, number))
        }
        Kind::Note | Kind::Article | Kind::Picture | Kind::Audio | Kind::Video => {
            Some(format!("#area-{}", area.id))
        }
        Kind::Product => Some(buying(&share.work)),
    }
}

/// What a page says further: its footnotes, and what its areas say. A script shows it over the page.
#[component]
pub fn More(share: Share, on_page: OnPage) -> impl IntoView {
    let OnPage { over, said } = on_page;
    let said: Vec<_> = said
        .into_iter()
        .map(|area| {
            let label = area.name.clone();
            let played = view! { <Played share=share.clone() area=area.clone()/> };
            let shown = view! { <Pictures share=share.clone() area=area.clone()/> };
            let words = (!area.words.is_empty()).then(|| view! { <p>{area.words.clone()}</p> });
            view! {
                <aside class="more" id=format!("area-{}", area.id) tabindex="-1" aria-label=label>
                    <h2>{area.name}</h2>
                    {played}
                    {shown}
                    {words}
                </aside>
            }
        })
        .collect();
    view! { <Footnotes footnotes=over.footnotes/>{said} }
}

/// Sound or a film, which begins when its reader says so.
#[component]
fn Played(share: Share, area: HotArea) -> impl IntoView {
    let media = area.media.as_ref()?;
    let (address, name) = (areas::film_address(&share, &area), area.name.clone());
    Some(if media.format.is_video() {
        view! { <video controls preload="none" playsinline src=address aria-label=name></video> }.into_any()
    } else {
        view! { <audio controls preload="none" src=address aria-label=name></audio> }.into_any()
    })
}

/// Photos, each of which leads to a larger one.
#[component]
fn Pictures(share: Share, area: HotArea) -> impl IntoView {
    if area.photos.is_empty() {
        return None;
    }
    let count = area.photos.len();
    let said = if area.words.is_empty() { area.name.clone() } else { area.words.clone() };
    let items: Vec<_> = (1..=count)
        .map(|number| {
            let address = |size| areas::picture_address(&share, &area, number, size);
            let alt = if count == 1 { said.clone() } else { format!("{said}（{number}/{count}）") };
            view! { <li><a href=address(2048)><img src=address(1280) alt=alt loading="lazy"/></a></li> }
        })
        .collect();
    Some(view! { <ul class="gallery" class:one=count == 1>{items}</ul> })
}
