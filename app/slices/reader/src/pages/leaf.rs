//! GET /read/{work}/{page}: one page, or two that face each other, with their words.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::request::Parts;
use base::error::Error;
use domain::ids::WorkId;
use domain::reading::sought;
use domain::sharing::{Access, Direction};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::app::App;
use web::render::{self, HeadSlot, loaded, parameter, use_form, use_query};
use web::ui::counted::Counted;
use web::ui::parts::ErrorSummary;

use super::frame::{Locked, Place, ReadFrame, Reading, reading};
use super::hot::{More, OnPage, on_page};
use super::offer::{Terms, ToBuy};
use crate::areas;
use crate::published::KIND;
use crate::room::{self, Sheets, Tools, Turns, Volume, Words};
use crate::store::Share;
use crate::words::{self, Block};
use study::AtPage;

/// Pages that follow on one that is read from top to bottom.
const RUN: usize = 6;

/// On this site.
#[component]
pub fn LeafPage() -> impl IntoView {
    view! { <Leaf place=Place::Site/> }
}

/// GET /embed/{work}/{page}: the same in a frame of another site.
#[component]
pub fn EmbedLeafPage() -> impl IntoView {
    view! { <Leaf place=Place::Frame/> }
}

/// Pages with their words and areas.
type Leaves = Vec<(usize, Vec<Block>, OnPage)>;

/// What is to be read.
enum Content {
    /// As a reader was shown it before who was nobody in particular.
    Kept(Arc<str>),
    /// With the areas of the page beside it, and what it is known by if everybody else is shown the same.
    Read(Leaves, OnPage, Option<Known>),
}

/// All that a page is made of whose reader is nobody in particular: the work as it is shared, where, the page, the areas.
type Known = (String, Place, usize, (i64, i64));

impl Content {
    fn nothing() -> Self {
        Self::Read(Vec::new(), OnPage::default(), None)
    }
}

#[component]
fn Leaf(place: Place) -> impl IntoView {
    let (app, parts, work) = (use_context::<App>(), use_context::<Parts>(), parameter::<WorkId>("work"));
    let page = parameter::<usize>("page");
    let asked = use_query("q").unwrap_or_default();
    let answer = use_context::<ResponseOptions>();
    let is_sent = use_form().is_sent();
    loaded(
        async move {
            let reading = reading(app, parts, place, work).await?;
            let share = &reading.opened.share;
            let page = page?;
            if reading.opened.access == Access::Locked {
                return Ok((reading, page, asked, Content::nothing()));
            }
            if page == 0 || page > share.facts.pages {
                return Err(Error::NotFound);
            }
            let is_anybodys = reading.own.is_none() && !reading.opened.is_owner;
            let known =
                if is_anybodys && reading.opened.access == Access::Whole && asked.is_empty() && !is_sent {
                    let areas = areas::stamp(&reading.app.db, &share.work).await?;
                    Some((format!("{share:?}"), place, page, areas))
                } else {
                    None
                };
            if let Some(kept) = known.as_ref().and_then(|known| reading.app.fragments.known(LEAF, known)) {
                return Ok((reading, page, asked, Content::Kept(kept)));
            }
            let run = run(share);
            let mut leaves: Leaves = Vec::new();
            for number in page..(page + run).min(share.facts.pages + 1) {
                if reading.opened.access.opens(number) {
                    let words = words::of_page(&reading.app, share, number).await?;
                    let areas = on_page(&reading.app, share, place, number, words.links).await?;
                    leaves.push((number, words.blocks, areas));
                }
            }
            let beside = match reading.volume().facing(page) {
                Some(other) => {
                    let words = words::of_page(&reading.app, share, other).await?;
                    on_page(&reading.app, share, place, other, words.links).await?
                }
                None => OnPage::default(),
            };
            Ok((reading, page, asked, Content::Read(leaves, beside, known)))
        },
        move |(reading, page, asked, content)| {
            let share = reading.opened.share.clone();
            if reading.opened.access == Access::Locked {
                return view! { <Locked share place/> }.into_any();
            }
            if !reading.opened.access.opens(page) {
                if let Some(answer) = answer {
                    answer.set_status(StatusCode::FORBIDDEN);
                }
                return view! { <Beyond reading page/> }.into_any();
            }
            let last = last(&reading, page);
            let before = if share.settings.direction == Direction::Continuous {
                page.saturating_sub(RUN).max(usize::from(page > 1))
            } else {
                page - 1
            };
            let after =
                (last < share.facts.pages && reading.opened.access.opens(last + 1)).then_some(last + 1);
            reading.present(page, (Some(before), after));
            view! { <Turned reading page content turns=(before, after) asked/> }.into_any()
        },
    )
}

#[component]
fn Turned(
    reading: Reading,
    page: usize,
    content: Content,
    turns: (usize, Option<usize>),
    asked: String,
) -> impl IntoView {
    let (last, all) = (last(&reading, page), reading.opened.share.facts.pages);
    // where the part ends that anybody may read
    let to_buy = (last < all && !reading.opened.access.opens(last + 1))
        .then(|| Terms::of(&reading))
        .flatten()
        .map(|terms| view! { <ToBuy terms title="试读到这里".to_owned()/> });
    let volume = reading.volume();
    let Reading { place, opened, own, .. } = reading;
    let share = opened.share;
    let own = own.map(|own| view! { <AtPage kind=KIND id=share.work.to_string() page own/> });
    let title = format!("第 {page} 页 · {}", share.settings.title);
    let counted = (!opened.is_owner).then(|| {
        let (id, home) = (share.work.to_string(), place.address(&share, 0));
        let (first, last) = match volume.facing(page) {
            Some(other) => (page.min(other), page.max(other)),
            None => (page, last),
        };
        view! { <Counted kind=KIND id home first last/> }
    });
    let (work, is_owner) = (share.clone(), opened.is_owner);
    let (leaves, beside, known) = match content {
        Content::Kept(kept) => {
            return view! { <ReadFrame title share=work place inside=true kept>{counted}</ReadFrame> }
                .into_any();
        }
        Content::Read(leaves, beside, known) => (leaves, beside, known),
    };
    if let Some(known) = known {
        let kept = render::kept(LEAF, known, move || {
            view! { <Pages share volume page leaves beside turns asked/> }.into_any()
        });
        return view! { <ReadFrame title share=work place inside=true kept>{counted}</ReadFrame> }.into_any();
    }
    view! {
        <ReadFrame title share=work place is_owner inside=true>
            {counted}
            <Pages share volume page leaves beside turns asked own=(to_buy, own).into_any()/>
        </ReadFrame>
    }
    .into_any()
}

/// What is known of a page by [`Known`].
const LEAF: &str = "leaf";

/// How many pages are read at once.
fn run(share: &Share) -> usize {
    if share.settings.direction == Direction::Continuous { RUN } else { 1 }
}

/// The last page that is shown with one.
fn last(reading: &Reading, page: usize) -> usize {
    let share = &reading.opened.share;
    let shown = page..(page + run(share)).min(share.facts.pages + 1);
    shown.rev().find(|number| reading.opened.access.opens(*number)).unwrap_or(page)
}

/// How wide a page is shown.
const SIZES: &str = "(min-width: 64em) and (orientation: landscape) 46vw, 100vw";

/// Pages with their words and areas, and the ways on.
#[component]
fn Pages(
    share: Share,
    volume: Volume,
    page: usize,
    leaves: Leaves,
    beside: OnPage,
    turns: (usize, Option<usize>),
    asked: String,
    /// What is for this reader alone.
    #[prop(optional)]
    own: Option<AnyView>,
) -> impl IntoView {
    let sought = sought(&asked);
    let shown = leaves.iter().map(|(page, blocks, on_page)| room::Leaf {
        page: *page,
        blocks: blocks.clone(),
        areas: on_page.over.shown.clone(),
    });
    let shown = shown.collect();
    let tools = leaves.iter().any(|(_, blocks, _)| !blocks.is_empty()).then(|| view! { <Tools/> });
    let words: Vec<_> = leaves
        .into_iter()
        .map(|(page, blocks, on_page)| {
            view! {
                <More share=share.clone() on_page/>
                <Words volume=volume.clone() page blocks asked=sought.clone()/>
            }
        })
        .collect();
    let turns = (Some(turns.0), turns.1);
    view! {
        <h1 class="sr">{format!("《{}》第 {page} 页", share.settings.title)}</h1>
        <ErrorSummary title="笔记还没有保存"/>
        <Sheets
            volume=volume.clone()
            leaves=shown
            beside=beside.over.shown.clone()
            asked=sought.clone()
            sizes=SIZES
            eager=true
        />
        <Turns volume=volume.clone() page turns asked=asked.clone()>
            <form class="goto" action=format!("{}/goto", volume.home)>
                <label class="sr" for="goto">"到第几页"</label>
                <input id="goto" name="page" inputmode="numeric" value=page.to_string() size="3"/>
                <span class="num">{format!("/ {}", volume.pages)}</span>
                <button class="link">"前往"</button>
            </form>
        </Turns>
        {own}
        {tools}
        {words}
        <More share=share.clone() on_page=beside/>
    }
}

/// A page that only those may read who bought the work: neither its picture nor a word of it.
#[component]
fn Beyond(reading: Reading, page: usize) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    let terms = Terms::of(&reading);
    let Reading { place, opened, .. } = reading;
    let share = opened.share;
    let title = format!("第 {page} 页 · {}", share.settings.title);
    let to_buy = terms.map(|terms| view! { <ToBuy terms title="购买以后接着读".to_owned()/> });
    view! {
        <ReadFrame title share=share.clone() place inside=true>
            <h1 class="beyond">{format!("《{}》第 {page} 页", share.settings.title)}</h1>
            {to_buy}
            <p><a class="link" href=place.address(&share, 0)>"回到封面"</a></p>
        </ReadFrame>
    }
}
