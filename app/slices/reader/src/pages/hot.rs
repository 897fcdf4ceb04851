//! Hot areas of a page as its readers find them: links over the picture, in reading order, and what they say below it.

use domain::document::Rect;
use domain::hot_area::{self, Kind};
use leptos::prelude::*;

use super::frame::Place;
use crate::areas::{self, HotArea};
use crate::opus_share_buy::buying;
use crate::store::Share;
use crate::words::{self, Link, Target};
use platform::app::App;
use platform::error::Error;
use platform::slice::ReadArea;

/// A link over a page's picture.
#[derive(Debug, Clone)]
pub struct Hot {
    /// Per mille of the page.
    frame: Rect,
    /// Further ones that belong to it.
    more: Vec<Rect>,
    name: String,
    address: String,
    is_outside: bool,
    /// Of a mark, a letter small: what a finger needs around it.
    reach: Option<Rect>,
    /// What presses are counted under.
    id: String,
    /// The element's own, where something on the page leads to it.
    anchor: Option<String>,
}

/// What the areas of a page are for its readers.
#[derive(Debug, Clone, Default)]
pub struct OnPage {
    pub shown: Vec<Hot>,
    /// Notes and articles of areas.
    pub said: Vec<HotArea>,
    /// Footnotes of a PDF.
    pub footnotes: Vec<Footnote>,
}

/// What a mark on the page leads to.
#[derive(Debug, Clone)]
pub struct Footnote {
    /// The element's own.
    id: String,
    name: String,
    text: String,
    /// Where its mark is.
    back: String,
}

/// The areas that its maker put on a page, and the links that its PDFs bring, as they are read: line by line.
pub async fn on_page(
    app: &App,
    share: &Share,
    place: Place,
    page: usize,
    links: Vec<Link>,
) -> Result<OnPage, Error> {
    let mut on_page = OnPage::default();
    for (index, link) in links.into_iter().enumerate() {
        let (mut reach, mut anchor) = (None, None);
        let (name, address, is_outside) = match link.target {
            Target::Address(address) => (address.clone(), address, true),
            Target::Page(number) => (format!("到第 {number} 页"), place.address(share, number), false),
            Target::Note { mark, text } => {
                let (id, name) = (format!("note-{page}-{index}"), format!("注 {mark}"));
                let address = format!("#{id}");
                let place = format!("mark-{page}-{index}");
                reach = Some(reach_of(link.frame));
                on_page.footnotes.push(Footnote { id, name: name.clone(), text, back: format!("#{place}") });
                anchor = Some(place);
                (name, address, false)
            }
            Target::Mark { mark, of } => {
                reach = Some(reach_of(link.frame));
                (format!("回到注 {mark} 的位置"), format!("#mark-{page}-{of}"), false)
            }
        };
        let id = format!("{page}.{index}");
        let (frame, more) = (link.frame, Vec::new());
        on_page.shown.push(Hot { frame, more, name, address, is_outside, reach, id, anchor });
    }
    let Some(Some(id)) = share.facts.page_ids.get(page) else { return Ok(on_page) };
    for area in areas::of_page(&app.db, &share.work, id).await? {
        // a page that was taken out leads nowhere
        let Some(address) = address_of(share, place, &area) else { continue };
        on_page.shown.push(Hot {
            frame: frame_of(&area.place),
            more: area.more.iter().map(frame_of).collect(),
            name: area.name.clone(),
            address,
            is_outside: area.kind == Kind::Link,
            reach: None,
            id: area.id.to_string(),
            anchor: None,
        });
        if area.kind.text_length().is_some() {
            on_page.said.push(area);
        }
    }
    on_page.shown.sort_by(|a, b| a.frame.y.total_cmp(&b.frame.y).then(a.frame.x.total_cmp(&b.frame.x)));
    Ok(on_page)
}

/// The least sides of a link that a finger meets, in per mille of a page: of a phone's width, 17 pixels.
const LEAST_ACROSS: f64 = 48.0;
const LEAST_DOWN: f64 = 34.0;

/// Around an area, what a finger needs: the mark of a footnote is a letter.
fn reach_of(frame: Rect) -> Rect {
    let (width, height) = (frame.width.max(LEAST_ACROSS), frame.height.max(LEAST_DOWN));
    let from = |start: f64, length: f64, wanted: f64| {
        (start - (wanted - length) / 2.0).clamp(0.0, (1000.0 - wanted).max(0.0))
    };
    let (x, y) = (from(frame.x, frame.width, width), from(frame.y, frame.height, height));
    Rect { x, y, width, height }
}

fn frame_of(place: &hot_area::Place) -> Rect {
    let [x, y, width, height] = [place.x, place.y, place.width, place.height].map(f64::from);
    Rect { x, y, width, height }
}

/// The same as they are counted: by their ids, in reading order.
pub async fn areas_of(app: &App, share: &Share, page: usize) -> Result<Vec<ReadArea>, Error> {
    let links = words::of_page(app, share, page).await?.links;
    let shown = on_page(app, share, Place::Site, page, links).await?.shown;
    Ok(shown.into_iter().map(|hot| ReadArea { id: hot.id, name: hot.name, frame: hot.frame }).collect())
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

/// The links over a picture.
#[component]
pub fn HotAreas(areas: Vec<Hot>) -> impl IntoView {
    if areas.is_empty() {
        return None;
    }
    let links: Vec<_> = areas
        .into_iter()
        .map(|Hot { frame, more, name, address, is_outside, reach, id, anchor }| {
            let label = name.clone();
            let reach = reach.map(|reach| (reach, Some("reach")));
            let seen = std::iter::once(frame).chain(more).map(|frame| (frame, None));
            let rects: Vec<_> = reach
                .into_iter()
                .chain(seen)
                .map(|(frame, class)| {
                    let [x, y, width, height] =
                        [frame.x, frame.y, frame.width, frame.height].map(|side| format!("{side:.1}"));
                    view! { <rect class=class x=x y=y width=width height=height></rect> }
                })
                .collect();
            view! {
                <a
                    id=anchor
                    href=address
                    data-area=id
                    aria-label=label
                    target=is_outside.then_some("_blank")
                    rel=is_outside.then_some("noopener nofollow ugc")
                >
                    <title>{name}</title>
                    {rects}
                </a>
            }
        })
        .collect();
    Some(view! { <svg class="hot" viewBox="0 0 1000 1000" preserveAspectRatio="none">{links}</svg> })
}

/// What a page says further: its footnotes, and what its areas say. A script shows it over the page.
#[component]
pub fn More(share: Share, said: Vec<HotArea>, footnotes: Vec<Footnote>) -> impl IntoView {
    let footnotes: Vec<_> = footnotes
        .into_iter()
        .map(|Footnote { id, name, text, back }| {
            let (label, back_label) = (name.clone(), format!("回到{name} 的位置"));
            let paragraphs: Vec<_> = text.lines().map(|line| view! { <p>{line.to_owned()}</p> }).collect();
            view! {
                <aside class="more" id=id tabindex="-1" aria-label=label>
                    <h2>{name}</h2>
                    {paragraphs}
                    <p><a href=back aria-label=back_label>"回到原处"</a></p>
                </aside>
            }
        })
        .collect();
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
    (footnotes, said)
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
