//! Who said what of a work, where it is ordered.

use domain::review::{Said, Verdict};
use leptos::prelude::*;
use web::ui::parts::Moment;

/// The colour of what somebody said.
pub fn badge(verdict: Verdict, is_same: bool) -> &'static str {
    match (verdict, is_same) {
        (Verdict::Print, true) => "badge good",
        _ => "badge warn",
    }
}

/// One line for each who said something; nothing where nobody did.
#[component]
pub fn SaidLines(said: Vec<Said>) -> impl IntoView {
    if said.is_empty() {
        return None;
    }
    let lines: Vec<_> = said
        .into_iter()
        .map(|said| {
            let (class, words) = (badge(said.verdict, said.is_same), said.sentence());
            view! {
                <li>
                    <span class=class>"看样"</span>" "{said.who}"："{words}" "
                    <span class="quiet"><Moment at=said.at/></span>
                </li>
            }
        })
        .collect();
    Some(view! { <ul class="said-of">{lines}</ul> })
}
