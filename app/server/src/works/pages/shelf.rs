//! The shelf: a member's works as covers.

use leptos::prelude::*;
use press::PageRef;

use crate::error::Error;
use crate::render::{here, loaded, parameter};
use crate::ui::parts::{Book, Moment};
use crate::ui::shell::Shell;
use crate::works::formats::size_text;
use crate::works::{picture_address, store};

/// Works on one shelf page.
const SHELF: i64 = 200;
/// The types that have works so far, with their names on the shelf.
const TYPES: &[(&str, &str)] = &[("all", "全部"), ("album", "画册")];

/// GET /manager/opus_list/{type}.
#[component]
pub fn WorksPage() -> impl IntoView {
    let here = here();
    let kind = parameter::<String>("type");
    loaded(
        async move {
            let (here, kind) = (here?, kind?);
            if !TYPES.iter().any(|(known, _)| *known == kind) {
                return Err(Error::NotFound);
            }
            let filter = (kind != "all").then_some(kind.as_str());
            let works = store::of_member(&here.app.db, &here.member.id, filter, SHELF).await?;
            Ok((here.member, kind, works))
        },
        |(member, kind, works)| {
            let tabs: Vec<_> = TYPES
                .iter()
                .map(|(key, name)| {
                    let here = (*key == kind).then_some("page");
                    view! { <a href=format!("/manager/opus_list/{key}") aria-current=here>{*name}</a> }
                })
                .collect();
            let make = (!works.is_empty())
                .then(|| view! { <a class="button primary" href="/manager/make_ebook">"做一本书"</a> });
            let shelf = if works.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"书架还空着"</h2>
                        <p class="quiet">"放进几张照片，几分钟就能看到第一本书的样子。"</p>
                        <a class="button primary" href="/manager/make_ebook">"做第一本书"</a>
                    </section>
                }
                .into_any()
            } else {
                let books: Vec<_> = works.into_iter().map(|work| view! { <OnShelf work/> }).collect();
                view! { <ul class="shelf">{books}</ul> }.into_any()
            };
            view! {
                <Shell member title="作品".to_owned() assets=&["works.css"]>
                    <header class="head"><h1>"作品"</h1>{make}</header>
                    <nav class="filter" aria-label="作品类型">{tabs}</nav>
                    {shelf}
                </Shell>
            }
        },
    )
}

#[component]
fn OnShelf(work: store::Summary) -> impl IntoView {
    let src = picture_address(&work.id, work.revision, PageRef::Cover, 320);
    view! {
        <li>
            <a href=format!("/manager/opus/{}", work.id)>
                <span class="stand"><Book src trim=work.trim alt=String::new() lazy=true/></span>
                <strong>{work.title}</strong>
                <small class="num">{size_text(work.trim)}" · "{work.pages}" 页"</small>
                <small><Moment at=work.updated_at/></small>
            </a>
        </li>
    }
}
