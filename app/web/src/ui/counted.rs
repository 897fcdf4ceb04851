//! What a page has in it so that its reading is counted.

use axum::http::request::Parts;
use base::db::now_ms;
use leptos::prelude::*;

use crate::app::App;
use crate::counting::{Subject, Ticket};
use crate::render::{HeadSlot, fragment};

/// Where readings are told.
pub const PATH: &str = "/count";

/// Counts the reading of this page. What it says stands at the document's end, where it is replaced when a page is turned without
/// leaving; a page that its owner looks at has none.
///
/// Pages that can be told apart carry `data-sheet` with their number: each is read when it is in sight. Without any, the
/// whole document is page `first`. What is pressed and counted carries `data-area` with its id.
#[component]
pub fn Counted(
    /// As the slice's [`Countable`](crate::slice::Countable) says it.
    kind: &'static str,
    id: String,
    /// The address below which all of its pages lie: `/read/{work}`.
    home: String,
    /// The first page on it, 0 for a cover.
    #[prop(optional)]
    first: usize,
    /// The last one, where there are several.
    #[prop(optional)]
    last: usize,
    /// What was searched for.
    #[prop(optional)]
    asked: String,
    /// The area of a page that this document is the whole of, an article's: being shown it is counted as opening that.
    #[prop(optional)]
    area: String,
) -> impl IntoView {
    let (app, parts, slot) = (use_context::<App>()?, use_context::<Parts>()?, use_context::<HeadSlot>()?);
    let page = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let pages = (page(first), page(last.max(first)));
    let subject = Subject { kind, id: &id, pages, home: &home, asked: &asked, area: &area };
    let ticket = Ticket::of(&subject, &parts.headers, now_ms());
    let sealed = ticket.sealed(&app.key);
    // who has no script is counted as somebody who opened it; pages that scripts put in are no entries, and have none
    let counts = ticket.is_entry || !ticket.asked.is_empty() || !ticket.area.is_empty();
    let opened = counts.then(|| {
        let src = format!("{PATH}/{sealed}");
        view! { <noscript><img class="sr" src=src width="1" height="1" alt=""/></noscript> }
    });
    slot.at_end(&fragment(move || {
        view! { <div hidden=true data-counted=sealed data-page=first.to_string()></div>{opened} }.into_any()
    }));
    slot.needs("count.js");
    Some(())
}
