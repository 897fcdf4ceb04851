//! Links over a page's picture, and the footnotes that some of them lead to.

use domain::document::Rect;
use domain::hot_area;
use leptos::prelude::*;

use super::Volume;
use crate::words::{Link, Target};

/// A link over a page's picture: one for who hears it, however many rectangles it has.
#[derive(Debug, Clone)]
pub struct Hot {
    /// Per mille of the page.
    pub frame: Rect,
    /// Further ones that belong to it.
    pub more: Vec<Rect>,
    pub name: String,
    pub address: String,
    pub is_outside: bool,
    /// Of a mark, a letter small: what a finger needs around it.
    pub reach: Option<Rect>,
    /// What presses are counted under; none where nobody counts them.
    pub id: Option<String>,
    /// The element's own, where something on the page leads to it.
    pub anchor: Option<String>,
}

/// What the links that a page has from its PDFs are for its readers.
#[derive(Debug, Clone, Default)]
pub struct OnPage {
    pub shown: Vec<Hot>,
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

impl OnPage {
    /// Of the links of a page; what presses on each are counted under is `counted`'s answer for its place among them.
    pub fn of(
        volume: &Volume,
        page: usize,
        links: Vec<Link>,
        counted: impl Fn(usize) -> Option<String>,
    ) -> Self {
        let mut on_page = Self::default();
        for (index, link) in links.into_iter().enumerate() {
            let (mut reach, mut anchor) = (None, None);
            let (name, address, is_outside) = match link.target {
                Target::Address(address) => (address.clone(), address, true),
                Target::Page(number) => (format!("到{}", volume.name(number)), volume.address(number), false),
                Target::Note { mark, text } => {
                    let (id, name) = (format!("note-{page}-{index}"), format!("注 {mark}"));
                    let address = format!("#{id}");
                    let place = format!("mark-{page}-{index}");
                    reach = Some(reach_of(link.frame));
                    let back = format!("#{place}");
                    on_page.footnotes.push(Footnote { id, name: name.clone(), text, back });
                    anchor = Some(place);
                    (name, address, false)
                }
                Target::Mark { mark, of } => {
                    reach = Some(reach_of(link.frame));
                    (format!("回到注 {mark} 的位置"), format!("#mark-{page}-{of}"), false)
                }
            };
            let (frame, more, id) = (link.frame, Vec::new(), counted(index));
            on_page.shown.push(Hot { frame, more, name, address, is_outside, reach, id, anchor });
        }
        on_page
    }
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

/// Where an area was put.
pub fn frame_of(place: &hot_area::Place) -> Rect {
    let [x, y, width, height] = [place.x, place.y, place.width, place.height].map(f64::from);
    Rect { x, y, width, height }
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

/// Footnotes below the page. A script shows them over it.
#[component]
pub fn Footnotes(footnotes: Vec<Footnote>) -> impl IntoView {
    footnotes
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
        .collect::<Vec<_>>()
}
