//! 更正: what readers are told that was put right, with its time.

use domain::publication::Kind;
use leptos::prelude::*;
use web::ui::parts::Moment;

use crate::store::corrections::Correction;

/// Of what is shown: one page, or one article on it; the others' are not. Those of the whole issue are everywhere.
pub fn about(all: Vec<Correction>, page: usize) -> Vec<Correction> {
    all.into_iter().filter(|known| is_about(known, page, None)).collect()
}

/// Whether one is about a page, and about an article on it where that is named, or about the whole issue.
pub fn is_about(known: &Correction, page: usize, article: Option<i64>) -> bool {
    let page = i64::try_from(page).unwrap_or(0);
    known.page == 0
        || known.page == page && (article.is_none() || known.article.is_none() || known.article == article)
}

/// The newest first; nothing where nothing was put right.
#[component]
pub fn Corrections(kind: Kind, all: Vec<Correction>) -> impl IntoView {
    if all.is_empty() {
        return None;
    }
    let items: Vec<_> = all
        .into_iter()
        .map(|known| {
            let place = usize::try_from(known.page).ok().filter(|page| *page > 0);
            let place = place.map(|page| format!(" {}", kind.page_title(page, "")));
            view! { <li><small><Moment at=known.created_at/>{place}</small><p>{known.note}</p></li> }
        })
        .collect();
    Some(view! {
        <section class="corrections" aria-labelledby="corrections">
            <h2 id="corrections">"更正"</h2>
            <ul>{items}</ul>
        </section>
    })
}
