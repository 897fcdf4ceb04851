//! Pages on which members look for words in many issues: /manager/publications/search in all that a reader may read, and
//! /manager/epaper/search and /manager/magazine/search in a maker's own, drafts and proposals among them.

use leptos::prelude::*;
use web::render::{Here, here, loaded};
use web::ui::shell::Shell;

use super::search::{Within, search};
use super::search_page::{Answer, SearchForm, asked};
use super::{address, kind_here};

/// Where readers look in all that they may read.
pub const READABLE: &str = "/manager/publications/search";

/// GET /manager/publications/search.
#[component]
pub fn ReaderSearchPage() -> impl IntoView {
    let (here, asked) = (here(), asked());
    loaded(
        async move {
            let Here { app, member } = here?;
            let found = match &asked {
                Some(asked) => Some(search(&app, &Within::Readable, Some(&member.id), asked).await?),
                None => None,
            };
            Ok((member, asked, found))
        },
        |(member, asked, found)| {
            let answer = asked.zip(found).map(|(asked, found)| {
                view! { <Answer asked found path=READABLE.to_owned() names_titles=true/> }
            });
            view! {
                <Shell member title="在能读的报刊里搜索".to_owned() assets=&["newsdesk.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href="/manager/book-study">"书房"</a></p>
                            <h1>"在能读的报刊里搜索"</h1>
                            <p class="quiet">"免费的、订阅和买过的报纸与刊物，每一期的全文。"</p>
                        </div>
                    </header>
                    <SearchForm action=READABLE.to_owned() of="能读的各期".to_owned() word="版"/>
                    {answer}
                </Shell>
            }
        },
    )
}

/// GET /manager/epaper/search and /manager/magazine/search.
#[component]
pub fn DeskSearchPage() -> impl IntoView {
    let (here, kind, asked) = (here(), kind_here(), asked());
    loaded(
        async move {
            let (Here { app, member }, kind) = (here?, kind?);
            let within = Within::Desk(member.id.clone(), kind);
            let found = match &asked {
                Some(asked) => Some(search(&app, &within, Some(&member.id), asked).await?),
                None => None,
            };
            Ok((member, kind, asked, found))
        },
        |(member, kind, asked, found)| {
            let path = format!("{}/search", address::desk(kind));
            let heading = format!("在自己的{}里搜索", kind.noun());
            let answer = asked.zip(found).map(|(asked, found)| {
                view! { <Answer asked found path=path.clone() names_titles=true is_desk=true/> }
            });
            view! {
                <Shell member title=heading.clone() assets=&["newsdesk.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=address::desk(kind)>{kind.name()}</a></p>
                            <h1>{heading}</h1>
                            <p class="quiet">"自己出的每一期，草稿、撤回的和还没确认的建议也在内。"</p>
                        </div>
                    </header>
                    <SearchForm action=path.clone() of="自己的各期".to_owned() word=kind.page_word()/>
                    {answer}
                </Shell>
            }
        },
    )
}
