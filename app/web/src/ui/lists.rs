//! Lists that are searched and read in pages ([`base::lists`]): their search and the way on.

use leptos::prelude::*;

/// Values of an address as fields of a form.
#[component]
pub fn Kept(kept: Vec<(&'static str, String)>) -> impl IntoView {
    kept.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
        .collect::<Vec<_>>()
}

/// The search of a list; `kept` are the values of the address that a search keeps.
#[component]
pub fn Search(
    action: String,
    label: &'static str,
    search: String,
    kept: Vec<(&'static str, String)>,
) -> impl IntoView {
    view! {
        <form class="search" role="search" action=action>
            <Kept kept/>
            <label class="sr" for="q">{label}</label>
            <input id="q" name="q" type="search" maxlength="100" placeholder=label value=search/>
            <button class="button">"搜索"</button>
        </form>
    }
}

/// The way to a list's first page and to its next one; nothing where all of it stands on this page.
#[component]
pub fn Pager(
    /// Back to the beginning, from a later page.
    first: Option<String>,
    next: Option<String>,
    back: &'static str,
    further: &'static str,
) -> impl IntoView {
    let shown = first.is_some() || next.is_some();
    let first = first.map(|address| view! { <a class="button" href=address>{back}</a> });
    let next = next.map(|address| view! { <a class="button" href=address rel="next">{further}</a> });
    shown.then(|| view! { <nav class="pager" aria-label="翻页">{first}{next}</nav> })
}
