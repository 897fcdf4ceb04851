//! GET /read/{work}/{page}: one page, or two that face each other, with their words.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::request::Parts;
use domain::document::TextRole;
use domain::ids::WorkId;
use domain::reading::{folded, places};
use domain::sharing::{Access, Direction};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use super::frame::{Locked, PagePicture, Place, ReadFrame, Reading, encoded, is_right_to_left, reading};
use super::hot::{Hot, HotAreas, More, OnPage, on_page};
use super::offer::{Terms, ToBuy};
use crate::areas;
use crate::pictures;
use crate::published::KIND;
use crate::store::Share;
use crate::words::{self, Block};
use platform::app::App;
use platform::error::Error;
use platform::render::{self, HeadSlot, loaded, parameter, use_form, use_query};
use platform::ui::counted::Counted;
use platform::ui::parts::ErrorSummary;
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
            let beside = facing(share, page, reading.opened.access).filter(|_| run == 1);
            let beside = match beside {
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
    let Reading { place, opened, own, .. } = reading;
    let share = opened.share;
    let own = own.map(|own| view! { <AtPage kind=KIND id=share.work.to_string() page own/> });
    let title = format!("第 {page} 页 · {}", share.settings.title);
    let facing = facing(&share, page, opened.access);
    let is_run = share.settings.direction == Direction::Continuous;
    let counted = (!opened.is_owner).then(|| {
        let (id, home) = (share.work.to_string(), place.address(&share, 0));
        let (first, last) = match facing.filter(|_| !is_run) {
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
            view! { <Pages share place page leaves beside turns asked facing/> }.into_any()
        });
        return view! { <ReadFrame title share=work place inside=true kept>{counted}</ReadFrame> }.into_any();
    }
    view! {
        <ReadFrame title share=work place is_owner inside=true>
            {counted}
            <Pages share place page leaves beside turns asked facing own=(to_buy, own).into_any()/>
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

/// Pages with their words and areas, and the ways on.
#[component]
fn Pages(
    share: Share,
    place: Place,
    page: usize,
    leaves: Leaves,
    beside: OnPage,
    turns: (usize, Option<usize>),
    asked: String,
    facing: Option<usize>,
    /// What is for this reader alone.
    #[prop(optional)]
    own: Option<AnyView>,
) -> impl IntoView {
    let is_run = share.settings.direction == Direction::Continuous;
    let folded = folded(&asked);
    let OnPage { shown: beside_shown, said: beside_said, footnotes: beside_footnotes } = beside;
    let sheets: Vec<_> = leaves
        .iter()
        .map(|(number, blocks, areas)| {
            let facing = if is_run { None } else { facing };
            view! {
                <Sheet
                    share=share.clone()
                    place
                    page=*number
                    facing
                    blocks=blocks.clone()
                    areas=(areas.shown.clone(), beside_shown.clone())
                    asked=folded.clone()
                    eager=*number == page
                />
            }
        })
        .collect();
    let words: Vec<_> = leaves
        .into_iter()
        .map(|(number, blocks, areas)| {
            view! { <More share=share.clone() said=areas.said footnotes=areas.footnotes/><Words page=number blocks asked=folded.clone()/> }
        })
        .collect();
    view! {
        <h1 class="sr">{format!("《{}》第 {page} 页", share.settings.title)}</h1>
        <ErrorSummary title="笔记还没有保存"/>
        <div
            class="leaf"
            class:rtl=is_right_to_left(&share)
            class:run=is_run
            data-work=share.work.to_string()
            data-page=page.to_string()
            data-pages=share.facts.pages.to_string()
        >
            {sheets}
        </div>
        <Turns share=share.clone() place page turns asked=asked.clone() facing=facing.filter(|_| !is_run)/>
        {own}
        {words}
        <More share=share.clone() said=beside_said footnotes=beside_footnotes/>
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

/// The page that lies beside one in an open book: 2 and 3, 4 and 5. Above pages that stand alone nothing is laid.
fn facing(share: &Share, page: usize, access: Access) -> Option<usize> {
    let other = if page.is_multiple_of(2) { page + 1 } else { page - 1 };
    (page > 1 && other <= share.facts.pages && other > 1 && access.opens(other)).then_some(other)
}

#[component]
fn Sheet(
    share: Share,
    place: Place,
    page: usize,
    facing: Option<usize>,
    blocks: Vec<Block>,
    areas: (Vec<Hot>, Vec<Hot>),
    asked: String,
    eager: bool,
) -> impl IntoView {
    let sizes = "(min-width: 64em) and (orientation: landscape) 46vw, 100vw";
    let picture = |number: usize, eager: bool| {
        view! {
            <a class="zoom" href=pictures::address(&share, number, 2048) aria-label=format!("放大第 {number} 页")>
                <PagePicture share=share.clone() page=number sizes eager/>
            </a>
        }
    };
    let own = view! { <figure class="page" data-sheet=page.to_string()>{picture(page, eager)}<Marks blocks asked/><HotAreas areas=areas.0/></figure> };
    let beside_areas = areas.1;
    // beside it where there is room: a lazy picture that is not shown is not fetched
    let beside = facing.map(|other| {
        let class = if other < page { "page beside before" } else { "page beside" };
        let href = place.address(&share, other);
        view! {
            <figure class=class data-sheet=other.to_string()>
                <a class="zoom" href=href aria-label=format!("到第 {other} 页")>
                    <PagePicture share=share.clone() page=other sizes/>
                </a>
                <HotAreas areas=beside_areas/>
            </figure>
        }
    });
    view! { <div class="sheets" class:double=facing.is_some() data-page=page.to_string()>{own}{beside}</div> }
}

/// What was looked for, marked where it stands.
#[component]
fn Marks(blocks: Vec<Block>, asked: String) -> impl IntoView {
    if asked.is_empty() {
        return None;
    }
    let rects: Vec<_> = blocks
        .iter()
        .flat_map(|block| &block.lines)
        .flat_map(|line| {
            let length = line.text.chars().count().max(1) as f64;
            let places = places(&line.text, &asked);
            places.into_iter().map(move |place| {
                let before = line.text[..place.start].chars().count() as f64 / length;
                let wide = line.text[place].chars().count() as f64 / length;
                (line.x + line.width * before, line.y, line.width * wide, line.height)
            })
        })
        .map(|(x, y, width, height)| {
            let [x, y, width, height] = [x, y, width, height].map(|part| format!("{:.2}", part * 100.0));
            view! { <rect x=x y=y width=width height=height/> }
        })
        .collect();
    Some(view! {
        <svg class="marks" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{rects}</svg>
    })
}

#[component]
fn Turns(
    share: Share,
    place: Place,
    page: usize,
    turns: (usize, Option<usize>),
    /// What is looked for; empty where nothing is.
    asked: String,
    facing: Option<usize>,
) -> impl IntoView {
    let (before, after) = turns;
    let query = if asked.is_empty() { String::new() } else { format!("?q={}", encoded(&asked)) };
    let address = |number: usize| format!("{}{query}", place.address(&share, number));
    let back = |number: usize, class: &'static str| {
        view! { <a class=class rel="prev" href=address(number)><span aria-hidden="true">"‹"</span>"上一页"</a> }
    };
    let next = |number: Option<usize>, class: &'static str| {
        number.map(|number| {
            view! { <a class=class rel="next" href=address(number)>"下一页"<span aria-hidden="true">"›"</span></a> }
        })
    };
    // two at a time where two are shown
    let (first, last) = facing.map_or((page, page), |other| (page.min(other), page.max(other)));
    let doubles = facing.is_some().then(|| {
        let back = back(first.saturating_sub(2).max(1), "turn wide");
        let after = (last < share.facts.pages && after.is_some()).then_some(last + 1);
        view! { {back}{next(after, "turn wide")} }
    });
    let class = if doubles.is_some() { "turn narrow" } else { "turn" };
    view! {
        <nav class="turns" aria-label="翻页">
            {back(before, class)}
            {next(after, class)}
            {doubles}
            <form class="goto" action=format!("{}/goto", place.address(&share, 0))>
                <label class="sr" for="goto">"到第几页"</label>
                <input id="goto" name="page" inputmode="numeric" value=page.to_string() size="3"/>
                <span class="num">{format!("/ {}", share.facts.pages)}</span>
                <button class="link">"前往"</button>
            </form>
        </nav>
    }
}

/// The words of a page, as text.
#[component]
fn Words(page: usize, blocks: Vec<Block>, asked: String) -> impl IntoView {
    if blocks.is_empty() {
        return None;
    }
    let blocks: Vec<_> = blocks
        .into_iter()
        .map(|block| {
            let text = marked(&block.text, &asked);
            match block.role {
                TextRole::Title | TextRole::Heading => view! { <h3>{text}</h3> }.into_any(),
                TextRole::Subtitle => view! { <p class="subtitle">{text}</p> }.into_any(),
                TextRole::Caption => view! { <p class="caption">{text}</p> }.into_any(),
                TextRole::Body => view! { <p>{text}</p> }.into_any(),
            }
        })
        .collect();
    let id = format!("words-{page}");
    Some(view! {
        <section class="words" aria-labelledby=id.clone()>
            <h2 id=id.clone()>{format!("第 {page} 页的文字")}</h2>
            {blocks}
        </section>
    })
}

/// A text, what was looked for in it marked.
fn marked(text: &str, asked: &str) -> Vec<AnyView> {
    let mut parts = Vec::new();
    let mut from = 0;
    for place in places(text, asked) {
        parts.push(text[from..place.start].to_owned().into_any());
        from = place.end;
        parts.push(view! { <mark>{text[place].to_owned()}</mark> }.into_any());
    }
    parts.push(text[from..].to_owned().into_any());
    parts
}
