//! Looking for words in a volume: the form, what was found, and where that stands.

use domain::reading::{Around, QUESTION_LENGTH, folded};
use leptos::prelude::*;
use web::render::use_query;

use crate::words::Block;

/// What the query of this page asks for, as it was typed.
pub fn asked_for() -> String {
    use_query("q").unwrap_or_default().trim().chars().take(QUESTION_LENGTH).collect()
}

/// A text as part of a query.
pub fn encoded(text: &str) -> String {
    serde_urlencoded::to_string([("", text)]).unwrap_or_default().trim_start_matches('=').to_owned()
}

/// The words of a page as they are kept to be searched.
pub fn words_kept(blocks: &[Block]) -> String {
    blocks.iter().map(|block| folded(&block.text)).collect::<Vec<_>>().join("\n")
}

/// Something that holds what was asked for.
#[derive(Debug, Clone)]
pub struct Hit {
    /// 第 3 页, or an article's headline.
    pub name: String,
    pub address: String,
    pub around: Around,
}

/// The form that asks; `of` is what it looks through: 这本书, 这一期.
#[component]
pub fn Search(action: String, of: &'static str) -> impl IntoView {
    let label = format!("在{of}里搜索");
    view! {
        <form class="search" role="search" action=action>
            <label class="sr" for="q">{label.clone()}</label>
            <input
                id="q"
                name="q"
                type="search"
                value=use_query("q").unwrap_or_default()
                maxlength=QUESTION_LENGTH.to_string()
                placeholder=label
            />
            <button class="button">"搜索"</button>
        </form>
    }
}

/// What was found; `of` is what each is a piece of: 页, 处.
#[component]
pub fn Answer(asked: String, hits: Vec<Hit>, of: &'static str) -> impl IntoView {
    let count = hits.len();
    if count == 0 {
        return view! { <p class="quiet" role="status">{format!("没有找到“{asked}”。")}</p> }.into_any();
    }
    let query = encoded(&asked);
    let items: Vec<_> = hits
        .into_iter()
        .map(|Hit { name, address, around: (before, text, after) }| {
            let href = format!("{address}?q={query}");
            view! {
                <li>
                    <a href=href><span class="num">{name}</span>" "{before}<mark>{text}</mark>{after}</a>
                </li>
            }
        })
        .collect();
    view! {
        <p role="status">{format!("“{asked}”在 {count} {of}里：")}</p>
        <ol class="found">{items}</ol>
    }
    .into_any()
}
