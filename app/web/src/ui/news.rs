//! What a reader follows, on the pages of its own.

use leptos::prelude::*;

use super::parts::Moment;
use crate::slice::Followed;

/// What the reader follows, each with what came out last.
#[component]
pub fn NewsList(followed: Vec<Followed>) -> impl IntoView {
    if followed.is_empty() {
        return None;
    }
    let items: Vec<_> = followed
        .into_iter()
        .map(|followed| {
            let newest = match followed.newest {
                Some((title, address, at)) => {
                    view! { <a href=address>{title}</a>" "<small class="quiet"><Moment at/></small> }
                        .into_any()
                }
                None => view! { <span class="quiet">"还没有出过一期"</span> }.into_any(),
            };
            let about = format!("：{}", followed.title);
            view! {
                <li>
                    <a class="name" href=followed.address>{followed.title}</a>
                    <p>{newest}</p>
                    <a class="link" href=followed.settings>"提醒设置"<span class="sr">{about}</span></a>
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="news" aria-labelledby="news-title">
            <h2 id="news-title">"订阅的报刊"</h2>
            <ul>{items}</ul>
        </section>
    })
}
