//! A book to leaf through before it is paid for: pictures of its openings side by side, which a script turns (`turning.ts`).

use domain::binding::CoverSheet;
use domain::calendar::is_calendar;
use domain::goods::step_name;
use leptos::prelude::*;
use web::ui::parts::height_of;

use crate::place::Item;
use crate::shown::{Bound, Pictures};

/// What is on one side of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
    /// A page, counted from 0.
    Page(usize),
    /// The inside of a cover, or nothing.
    Bare,
}

/// How a book opens, by the names of its openings.
pub fn names(pages: usize, has_back: bool) -> Vec<String> {
    openings(pages, has_back).into_iter().map(name).collect()
}

/// How a book opens, from its front to its back: left and right side. Its first page stands alone on the right.
fn openings(pages: usize, has_back: bool) -> Vec<[Side; 2]> {
    let side = |index: Option<usize>| match index {
        Some(index) if index < pages => Side::Page(index),
        _ => Side::Bare,
    };
    let inner = (0..=pages / 2).map(|pair| [side((2 * pair).checked_sub(1)), side(Some(2 * pair))]);
    let inner = inner.filter(|sides| *sides != [Side::Bare; 2]);
    let back = has_back.then_some([Side::Back, Side::Bare]);
    std::iter::once([Side::Bare, Side::Front]).chain(inner).chain(back).collect()
}

/// What an opening is called.
fn name([left, right]: [Side; 2]) -> String {
    match (left, right) {
        (_, Side::Front) => "封面".to_owned(),
        (Side::Back, _) => "封底".to_owned(),
        (Side::Page(left), Side::Page(right)) => format!("第 {}–{} 页", left + 1, right + 1),
        (Side::Page(page), _) | (_, Side::Page(page)) => format!("第 {} 页", page + 1),
        _ => String::new(),
    }
}

/// How it will be bound, in words.
fn binding(line: &Item, cover: &CoverSheet) -> String {
    let chosen = line.evaluation.step(step_name::BINDING).and_then(|step| step.selected());
    let name = chosen.map(|item| item.name.clone());
    let spine = (cover.spine_mm > 0.0).then(|| format!("书脊 {:.1} 毫米", cover.spine_mm));
    name.into_iter().chain(spine).collect::<Vec<_>>().join(" · ")
}

/// A line as the book that it becomes.
#[component]
pub fn Preview(line: Item) -> impl IntoView {
    let title = line.document.title.clone();
    let cover = line.goods.cover_sheet(line.quote.pages, &line.evaluation.choice());
    let all = line.document.pages.len();
    let shown = line.pictures.most.unwrap_or(all).min(all);
    let hung = is_calendar(&line.document);
    let has_back = shown == all && line.bound.as_ref().is_some_and(|bound| bound.back.is_some());
    let opened = if hung {
        // leaves hang one by one
        let pages = (0..shown).map(|index| [Side::Bare, Side::Page(index)]);
        std::iter::once([Side::Bare, Side::Front]).chain(pages).collect()
    } else {
        openings(shown, has_back)
    };
    let trim = line.document.trim;
    let (pictures, bound) = (&line.pictures, line.bound.as_ref());
    let figures: Vec<_> = opened
        .into_iter()
        .map(|sides| {
            let half = |side: Side| match side {
                Side::Bare => view! { <span class="half bare"></span> }.into_any(),
                Side::Page(index) => {
                    let (page, height) = (picture(pictures, Some(index)), height_of(trim, 320));
                    let alt = format!("第 {} 页", index + 1);
                    view! { <span class="half"><Shown page alt height/></span> }.into_any()
                }
                Side::Front | Side::Back => {
                    let (page, alt) = face(pictures, bound, side);
                    let height = format!("{:.0}", 320.0 * cover.face.height / cover.face.width);
                    view! { <span class="half face"><Shown page alt height/></span> }.into_any()
                }
            };
            let halves = if hung { vec![half(sides[1])] } else { sides.map(half).into() };
            view! { <figure class="opening"><div>{halves}</div><figcaption>{name(sides)}</figcaption></figure> }
        })
        .collect();
    let standing = line.bound.as_ref().map(|bound| {
        let alt = format!("《{title}》装订好的样子");
        let words = binding(&line, &cover);
        view! {
            <figure class="standing">
                <img src=bound.standing.clone() width="250" height="220" alt=alt loading="lazy"/>
                <figcaption>{words}</figcaption>
            </figure>
        }
    });
    let rest = (shown < all).then(|| {
        view! { <p class="hint">{format!("可以先看前 {shown} 页，整本共 {all} 页。")}</p> }
    });
    let class = if hung { "turning hung" } else { "turning" };
    view! {
        <div class="preview">
            {standing}
            <div class=class data-turning>
                <div class="openings" tabindex="0" role="group" aria-label=format!("《{title}》一页一页看")>{figures}</div>
                {rest}
            </div>
        </div>
    }
}

/// The address and the `srcset` of a page's picture.
fn picture(pictures: &Pictures, page: Option<usize>) -> (String, Option<String>) {
    let [small, large] = pictures.widths.map(|width| (pictures.of(page, width), width));
    (small.0.clone(), Some(format!("{} {}w, {} {}w", small.0, small.1, large.0, large.1)))
}

/// Those of a face of the cover, as it will be bound where that is drawn, and what it shows.
fn face(pictures: &Pictures, bound: Option<&Bound>, side: Side) -> ((String, Option<String>), String) {
    match (bound, side) {
        (Some(Bound { back: Some(back), .. }), Side::Back) => ((back.clone(), None), "封底".to_owned()),
        (Some(bound), _) => ((bound.front.clone(), None), "封面".to_owned()),
        (None, _) => (picture(pictures, None), "封面".to_owned()),
    }
}

#[component]
fn Shown(page: (String, Option<String>), alt: String, height: String) -> impl IntoView {
    let (src, srcset) = page;
    let sizes = srcset.is_some().then_some("(width >= 60em) 17rem, 45vw");
    view! { <img src=src srcset=srcset sizes=sizes width="320" height=height alt=alt loading="lazy"/> }
}
