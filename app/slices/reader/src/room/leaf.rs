//! Pages as they are turned: their pictures with what lies over them, the ways on, their words.

use domain::document::TextRole;
use domain::reading::places;
use leptos::prelude::*;

use super::hot::{Hot, HotAreas};
use super::search::encoded;
use super::{LARGEST, Volume};
use crate::words::Block;

/// A page as it is read.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// From 1.
    pub page: usize,
    pub blocks: Vec<Block>,
    pub areas: Vec<Hot>,
}

/// Pages one below the other, or one with the page that faces it.
#[component]
pub fn Sheets(
    volume: Volume,
    leaves: Vec<Leaf>,
    /// The areas of the page that faces the first one.
    #[prop(optional)]
    beside: Vec<Hot>,
    /// What is looked for ([`domain::reading::sought`]); empty where nothing is.
    asked: String,
    /// How wide a picture is shown, as the attribute `sizes` says it.
    sizes: &'static str,
    /// Whether the first picture comes before everything else.
    #[prop(optional)]
    eager: bool,
) -> impl IntoView {
    let first = leaves.first().map_or(0, |leaf| leaf.page);
    let sheets: Vec<_> = leaves
        .into_iter()
        .map(|leaf| {
            let is_first = leaf.page == first;
            let beside = if is_first { beside.clone() } else { Vec::new() };
            view! {
                <Sheet volume=volume.clone() leaf beside asked=asked.clone() sizes eager=eager && is_first/>
            }
        })
        .collect();
    view! {
        <div
            class="leaf"
            class:rtl=volume.is_right_to_left()
            class:run=volume.is_run()
            data-kind=volume.kind
            data-volume=volume.id.clone()
            data-page=first.to_string()
            data-pages=volume.pages.to_string()
        >
            {sheets}
        </div>
    }
}

#[component]
fn Sheet(
    volume: Volume,
    leaf: Leaf,
    beside: Vec<Hot>,
    asked: String,
    sizes: &'static str,
    eager: bool,
) -> impl IntoView {
    let Leaf { page, blocks, areas } = leaf;
    let facing = volume.facing(page);
    let own = view! {
        <figure class="page" data-sheet=page.to_string()>
            <a class="zoom" href=volume.picture(page, LARGEST) aria-label=format!("放大{}", volume.name(page))>
                <PagePicture volume=volume.clone() page sizes eager/>
            </a>
            <Marks blocks asked/>
            <HotAreas areas/>
        </figure>
    };
    // beside it where there is room: a lazy picture that is not shown is not fetched
    let beside = facing.map(|other| {
        let class = if other < page { "page beside before" } else { "page beside" };
        view! {
            <figure class=class data-sheet=other.to_string()>
                <a class="zoom" href=volume.address(other) aria-label=format!("到{}", volume.name(other))>
                    <PagePicture volume=volume.clone() page=other sizes/>
                </a>
                <HotAreas areas=beside/>
            </figure>
        }
    });
    view! { <div class="sheets" class:double=facing.is_some() data-page=page.to_string()>{own}{beside}</div> }
}

/// A page's picture in all widths, 0 is the cover's. Where somebody waits for it, it comes before everything else.
#[component]
pub fn PagePicture(
    volume: Volume,
    page: usize,
    sizes: &'static str,
    #[prop(optional)] eager: bool,
) -> impl IntoView {
    view! {
        <img
            src=volume.picture(page, 720)
            srcset=volume.pictures(page)
            sizes=sizes
            width="720"
            height=volume.height(720)
            alt=volume.alternative(page)
            fetchpriority=eager.then_some("high")
            loading=(!eager).then_some("lazy")
            decoding="async"
        />
    }
}

/// What was looked for, marked where it stands.
#[component]
fn Marks(blocks: Vec<Block>, asked: String) -> impl IntoView {
    if asked.is_empty() {
        return None;
    }
    let rects: Vec<_> = blocks
        .iter()
        .flat_map(|block| marks_of(block, &asked))
        .map(|(x, y, width, height)| {
            let [x, y, width, height] = [x, y, width, height].map(|part| format!("{:.2}", part * 100.0));
            view! { <rect x=x y=y width=width height=height/> }
        })
        .collect();
    Some(view! {
        <svg class="marks" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{rects}</svg>
    })
}

/// Where something stands in a block, as parts of the page's width and height: a piece for each line, since words break anywhere.
fn marks_of(block: &Block, asked: &str) -> Vec<(f64, f64, f64, f64)> {
    let lines: Vec<&str> = block.lines.iter().map(|line| line.text.as_str()).collect();
    let whole = lines.join("\n");
    let places = places(&whole, asked);
    let mut marks = Vec::new();
    let mut begin = 0;
    for line in &block.lines {
        let end = begin + line.text.len();
        let length = line.text.chars().count().max(1) as f64;
        for place in places.iter().filter(|place| place.start < end && begin < place.end) {
            let (from, until) = (place.start.max(begin) - begin, place.end.min(end) - begin);
            let before = line.text[..from].chars().count() as f64 / length;
            let wide = line.text[from..until].chars().count() as f64 / length;
            marks.push((line.x + line.width * before, line.y, line.width * wide, line.height));
        }
        begin = end + 1;
    }
    marks
}

/// The ways to the page before and after, where two are shown to those beside them, and what stands between.
#[component]
pub fn Turns(
    volume: Volume,
    page: usize,
    /// The page before, 0 where that is the volume itself, and the one after.
    turns: (Option<usize>, Option<usize>),
    /// What is looked for, as it was typed; empty where nothing is.
    asked: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let (before, after) = turns;
    let query = if asked.is_empty() { String::new() } else { format!("?q={}", encoded(&asked)) };
    let address = |number: usize| format!("{}{query}", volume.address(number));
    let back = |number: usize, class: &'static str| {
        let name = format!("上一{}", volume.word);
        view! { <a class=class rel="prev" href=address(number)><span aria-hidden="true">"‹"</span>{name}</a> }
    };
    let next = |number: usize, class: &'static str| {
        let name = format!("下一{}", volume.word);
        view! { <a class=class rel="next" href=address(number)>{name}<span aria-hidden="true">"›"</span></a> }
    };
    // two at a time where two are shown
    let doubles = volume.facing(page).map(|other| {
        let (first, last) = (page.min(other), page.max(other));
        let after = (last < volume.pages && after.is_some()).then(|| next(last + 1, "turn wide"));
        view! { {back(first.saturating_sub(2).max(1), "turn wide")}{after} }
    });
    let class = if doubles.is_some() { "turn narrow" } else { "turn" };
    view! {
        <nav class="turns" aria-label="翻页">
            {before.map(|number| back(number, class))}
            {after.map(|number| next(number, class))}
            {doubles}
            {children.map(|children| children())}
        </nav>
    }
}

/// Where a script puts what it knows to do with words: read them aloud, show them larger, or at night.
#[component]
pub fn Tools() -> impl IntoView {
    view! { <div class="tools"></div> }
}

/// The words of a page, as text.
#[component]
pub fn Words(volume: Volume, page: usize, blocks: Vec<Block>, asked: String) -> impl IntoView {
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
        <section class="words" aria-labelledby=id.clone() data-aloud="">
            <h2 id=id.clone()>{format!("{}的文字", volume.name(page))}</h2>
            {blocks}
        </section>
    })
}

/// A text, what was looked for in it marked.
pub fn marked(text: &str, asked: &str) -> Vec<AnyView> {
    let mut parts = Vec::new();
    // an empty text would be shown as a space
    let plain = |part: &str| (!part.is_empty()).then(|| part.to_owned().into_any());
    let mut from = 0;
    for place in places(text, asked) {
        parts.extend(plain(&text[from..place.start]));
        from = place.end;
        parts.push(view! { <mark>{text[place].to_owned()}</mark> }.into_any());
    }
    parts.extend(plain(&text[from..]));
    parts
}
