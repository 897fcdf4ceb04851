//! Works of which every copy differs: choosing the copy that is looked at, and saying which there are.

use domain::document::{CopyName, first_names};
use leptos::prelude::*;
use press::PageRef;

use crate::picture_address;
use crate::store::Work;

/// Names of copies that are told at once.
const MOST_NAMED: usize = 12;

/// The place in its run of the copy that is asked for by its key, or of the first; none where all copies are alike.
pub fn asked_copy(names: &[CopyName], key: Option<&str>) -> Option<usize> {
    let asked = key.and_then(|key| names.iter().position(|name| name.key == key));
    asked.or((!names.is_empty()).then_some(0))
}

/// The address of a page's picture in one copy of a run, by its key: what all copies have is the work's own picture.
pub fn copy_address(work: &Work, copy: Option<&str>, page: PageRef, width: u32) -> String {
    let address = picture_address(&work.id, work.revision, page, width);
    let is_own = match page {
        PageRef::Cover => true,
        PageRef::Inner(index) => work.document.own_places().into_iter().any(|(_, place)| place == index),
    };
    match copy.filter(|_| is_own) {
        Some(key) => format!("{address}&copy={key}"),
        None => address,
    }
}

/// Which copy of a run is looked at: a list of names, and the ways to the one before and the one after.
#[component]
pub fn CopyChoice(names: Vec<CopyName>, chosen: usize, #[prop(into)] action: String) -> impl IntoView {
    let way = |to: Option<usize>, sign: &'static str, label: &'static str| {
        let name = to.and_then(|to| names.get(to))?;
        let href = format!("{action}?copy={}#copy", name.key);
        let label = format!("{label}：{}", name.name);
        Some(view! { <a class="button" href=href aria-label=label>{sign}</a> })
    };
    let (before, after) = (way(chosen.checked_sub(1), "‹", "上一本"), way(Some(chosen + 1), "›", "下一本"));
    let options: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let label = format!("{}　{}", at + 1, name.name);
            view! { <option value=name.key.clone() selected={at == chosen}>{label}</option> }
        })
        .collect();
    let count = names.len();
    view! {
        <form class="copychoice" method="get" action=format!("{action}#copy")>
            <label for="copy">"看哪一本"<span class="quiet num">{format!("（第 {} 本，共 {count} 本）", chosen + 1)}</span></label>
            <div>
                {before}
                <select id="copy" class="input" name="copy" autocomplete="off">{options}</select>
                {after}
                <button class="button">"看这一本"</button>
            </div>
        </form>
    }
}

/// Which copies are ordered of a work; nothing where all are alike.
#[component]
pub fn RunOf(names: Vec<CopyName>) -> impl IntoView {
    (!names.is_empty()).then(|| {
        let named = first_names(names.iter().map(|name| name.name.as_str()), MOST_NAMED);
        view! { <p class="spec quiet">{format!("每本不同，一套 {} 本：{named}", names.len())}</p> }
    })
}
