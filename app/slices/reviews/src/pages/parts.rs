//! What pages of reviews have in common: the frame around a reviewer's, pictures with marks.

use domain::document::Trim;
use domain::review::{Spot, page_name};
use leptos::prelude::*;
use web::render::HeadSlot;
use web::ui::parts::height_of;
use web::ui::shell::{Head, Mark};

use crate::open::Opened;
use crate::talk::Thread;
use works::WIDTHS;

/// The bar above a reviewer's page. Nobody finds it who was not given the link.
#[component]
pub fn Frame(opened: Opened, title: String, children: Children) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    let name = format!("《{}》", opened.work.document.title);
    let round = format!("第 {} 稿", opened.round.number);
    let desk = crate::desk(&opened.work.id);
    let own = opened.is_maker.then(|| {
        view! { <p class="notice">"这是看样的人看到的样子；您是作者，在这里只看不写。"<a href=desk>"回到“请人看样”"</a></p> }
    });
    let who = opened.reviewer.as_ref().filter(|_| !opened.is_maker).map(|reviewer| {
        view! { <span class="quiet who">{reviewer.name.clone()}</span> }
    });
    view! {
        <Head title=format!("{title} · 看样{name}") assets=&["reviews.css"]/>
        <a class="skip" href="#main">"跳到正文"</a>
        <header class="reviewbar">
            <a class="brand" href="/about" aria-label="书坊"><Mark/></a>
            <a class="work" href=opened.home()>{name}</a>
            <span class="badge">{round}</span>
            {who}
        </header>
        <main id="main" class="review" tabindex="-1">{own}{children()}</main>
    }
}

/// A page's picture in all widths.
#[component]
pub fn Picture(
    /// Its address for a width.
    address: std::sync::Arc<dyn Fn(u32) -> String + Send + Sync>,
    trim: Trim,
    alt: String,
    sizes: &'static str,
    #[prop(optional)] lazy: bool,
) -> impl IntoView {
    let srcset: Vec<String> = WIDTHS.iter().map(|width| format!("{} {width}w", address(*width))).collect();
    let [_, middle, _] = WIDTHS;
    view! {
        <img
            src=address(middle)
            srcset=srcset.join(", ")
            sizes=sizes
            width=middle.to_string()
            height=height_of(trim, middle)
            alt=alt
            loading=lazy.then_some("lazy")
            decoding="async"
        />
    }
}

/// A mark's radius, per mille of the page's width.
const RADIUS: f64 = 38.0;

/// Numbered marks over a page's picture, each leading to its comment below `href`; and one where a new one is about to be.
#[component]
pub fn Marks(
    threads: Vec<Thread>,
    trim: Trim,
    #[prop(optional_no_strip)] pending: Option<Spot>,
    #[prop(optional, into)] href: String,
) -> impl IntoView {
    let height = 1000.0 * trim.height / trim.width;
    let at = move |spot: Spot| {
        let inside = |part: f64, whole: f64| part.clamp(RADIUS, whole - RADIUS);
        (inside(f64::from(spot.x), 1000.0), inside(f64::from(spot.y) * height / 1000.0, height))
    };
    let marks: Vec<_> = threads
        .into_iter()
        .filter_map(|thread| {
            let (x, y) = at(thread.comment.spot?);
            let class = if thread.comment.done_at.is_some() { "done" } else { "" };
            let name = format!("第 {} 条意见", thread.number);
            Some(view! {
                <a href=format!("{href}#c-{}", thread.comment.id) class=class aria-label=name>
                    <circle cx=format!("{x:.0}") cy=format!("{y:.0}") r=RADIUS></circle>
                    <text x=format!("{x:.0}") y=format!("{:.0}", y + 15.0)>{thread.number}</text>
                </a>
            })
        })
        .collect();
    let pending = pending.map(at).map(|(x, y)| {
        view! { <circle class="pending" cx=format!("{x:.0}") cy=format!("{y:.0}") r=RADIUS></circle> }
    });
    if marks.is_empty() && pending.is_none() {
        return None;
    }
    Some(view! { <svg class="marks" viewBox=format!("0 0 1000 {height:.0}")>{marks}{pending}</svg> })
}

/// What is said of a page's picture for who does not see it.
pub fn alternative(title: &str, page: usize) -> String {
    format!("《{title}》{}", page_name(page))
}
