//! GET /epaper/{title}/{date}/search?q= and /magazine/{title}/{number}/search?q=: where a text stands in an issue, of what
//! whoever asks may read.

use base::error::Error;
use leptos::prelude::*;
use reader::room::{Answer, Search, asked_for};
use web::render::{HeadSlot, loaded};

use super::frame::{Asked, CountedPage, PaperFrame, ToBuy, asked, names};
use crate::open::Opened;
use crate::store::issues;
use crate::words::{self, Found};
use crate::{address, unbroken};

async fn load(
    asked: Asked,
    title: String,
    key: String,
    text: &str,
) -> Result<(Opened, Option<Found>), Error> {
    let opened = asked.open(&title, &key).await?;
    if text.is_empty() {
        return Ok((opened, None));
    }
    let volume = opened.volume(&issues::pages(&asked.app.db, &opened.issue.id).await?);
    let found = words::search(&asked.app, &opened, &volume, text).await?;
    Ok((opened, Some(found)))
}

/// See the module.
#[component]
pub fn SearchPage() -> impl IntoView {
    let (asked, (title, key), text) = (asked(), names(), asked_for());
    loaded(
        async move {
            let (opened, found) = load(asked?, title?, key?, &text).await?;
            Ok((opened, found, text))
        },
        |(opened, found, text)| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            let Opened { publication, issue, rights, .. } = opened.clone();
            let heading = format!("在 {} {}里搜索", publication.name, issue.title());
            let open = rights.of(issue.pages);
            let part = (open < issue.pages).then(|| {
                let word = publication.kind.page_word();
                view! { <p class="quiet">{format!("只搜索了可以试读的前 {open} {word}。")}</p> }
            });
            let counted = text.clone();
            let answer = found.map(|Found { hits, is_all }| {
                let rest = (!is_all)
                    .then(|| view! { <p class="quiet">"还有几版的文字正在读，过一会儿再搜会更全。"</p> });
                view! { <Answer asked=text hits of="处"/>{rest}{part} }
            });
            view! {
                <PaperFrame title=heading.clone() publication=publication.clone() issue=opened.clone()>
                    <h1 class="page-title">{unbroken(&heading)}</h1>
                    <section class="find" id="search">
                        <Search action=address::search(&publication, &issue) of="这一期"/>
                        {answer}
                    </section>
                    <ToBuy opened=opened.clone() title="读完这一期"/>
                    <CountedPage opened=opened page=0 asked=counted/>
                </PaperFrame>
            }
        },
    )
}
