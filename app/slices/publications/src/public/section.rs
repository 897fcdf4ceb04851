//! GET /epaper/{title}/section/{name} and /magazine/{title}/section/{name}: a section 栏目, the pages of one name in all issues with
//! the headlines on them. Headlines are for everybody; texts stay behind them.

use std::collections::HashMap;

use base::error::Error;
use domain::publication::{Kind, section};
use leptos::prelude::*;
use serde_json::json;
use web::origin::Origin;
use web::render::{HeadSlot, Link, loaded, parameter, use_query};

use super::frame::{self, Asked, PaperFrame, Presented, beginning, periodical, present};
use crate::open::{self, Rights};
use crate::store::issues::{self, Issue};
use crate::store::publications::{self, Publication};
use crate::store::sections::{self, Headline, Section};
use crate::{address, unbroken};

/// Pages of issues on one page of the list.
const ON_A_PAGE: i64 = 24;

struct Shown {
    base: Origin,
    publication: Publication,
    name: String,
    /// Of the list, from 1.
    at: i64,
    has_more: bool,
    leaves: Vec<Leaf>,
}

/// A page of an issue.
struct Leaf {
    issue: Issue,
    page: usize,
    is_open: bool,
    headlines: Vec<Headline>,
}

async fn load(asked: Asked, title: String, name: String, at: Option<String>) -> Result<Shown, Error> {
    let Asked { app, parts, base, kind } = asked;
    let publication = publications::at_address(&app.db, kind, &title).await?;
    let name = section(&name).ok_or(Error::NotFound)?;
    let at = match at.as_deref() {
        None | Some("") => 1,
        Some(text) => text.parse().ok().filter(|at: &i64| *at > 0).ok_or(Error::NotFound)?,
    };
    let before = (at - 1).checked_mul(ON_A_PAGE).ok_or(Error::NotFound)?;
    let mut found = sections::pages(&app.db, &publication.id, &name, (before, ON_A_PAGE + 1)).await?;
    if found.is_empty() {
        return Err(Error::NotFound);
    }
    let has_more = found.len() > ON_A_PAGE as usize;
    found.truncate(ON_A_PAGE as usize);
    let mut ids: Vec<_> = found.iter().map(|(issue, _)| issue.clone()).collect();
    ids.dedup();
    let mut known: HashMap<String, (Issue, Rights)> = HashMap::new();
    for issue in issues::of_ids(&app.db, &ids).await? {
        let rights = open::rights_in_lists(&app, open::visitor(&parts), &publication, &issue).await?;
        known.insert(issue.id.to_string(), (issue, rights));
    }
    let mut headlines: HashMap<(String, usize), Vec<Headline>> = HashMap::new();
    for headline in sections::headlines(&app.db, &name, &ids).await? {
        let page = usize::try_from(headline.page).map_err(Error::internal)?;
        headlines.entry((headline.issue_id.clone(), page)).or_default().push(headline);
    }
    let leaf = |(issue, page): (domain::ids::IssueId, usize)| {
        let (issue, rights) = known.get(issue.as_str())?.clone();
        let headlines = headlines.remove(&(issue.id.to_string(), page)).unwrap_or_default();
        Some(Leaf { is_open: rights.opens(page), issue, page, headlines })
    };
    let leaves = found.into_iter().filter_map(leaf).collect();
    Ok(Shown { base, publication, name, at, has_more, leaves })
}

/// See the module.
#[component]
pub fn SectionPage() -> impl IntoView {
    let (asked, title, name) = (frame::asked(), parameter::<String>("title"), parameter::<String>("name"));
    let at = use_query("page");
    loaded(
        async move { load(asked?, title?, name?, at).await },
        |Shown { base, publication, name, at, has_more, leaves }| {
            let home = address::section(&publication, &name);
            let place = |at: i64| if at == 1 { home.clone() } else { format!("{home}?page={at}") };
            let newer = (at > 1).then(|| place(at - 1));
            let older = has_more.then(|| place(at + 1));
            if let Some(slot) = use_context::<HeadSlot>() {
                for (rel, other) in [("prev", &newer), ("next", &older)] {
                    if let Some(href) = other {
                        slot.link(Link { rel, href: href.clone(), kind: "" });
                    }
                }
            }
            let which = if at > 1 { format!("第 {at} 页") } else { String::new() };
            let titles: Vec<&str> = leaves
                .iter()
                .flat_map(|leaf| &leaf.headlines)
                .take(6)
                .map(|headline| headline.title.as_str())
                .collect();
            let description = beginning(
                &format!("《{}》各期的“{name}”{which}。{}", publication.name, titles.join("；")),
                120,
            );
            let path = place(at);
            let data = json!({
                "@context": "https://schema.org",
                "@type": "CollectionPage",
                "@id": base.join(&path),
                "url": base.join(&path),
                "name": name,
                "inLanguage": "zh-CN",
                "isPartOf": periodical(&base, &publication),
            });
            let newest = leaves.first().map(|leaf| leaf.issue.clone());
            present(
                &base,
                &publication,
                None,
                newest.as_ref(),
                Presented { kind: "website", description, path, card: None, data },
            );
            let title = [name.as_str(), &which, &publication.name];
            let title = title.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
            let items: Vec<_> = leaves
                .into_iter()
                .map(|leaf| view! { <LeafItem publication=publication.clone() leaf/> })
                .collect();
            let word = publication.kind.page_word();
            let newer = newer.map(|href| view! { <a class="button" rel="prev" href=href>"较新的"</a> });
            let older = older.map(|href| view! { <a class="button" rel="next" href=href>"较早的"</a> });
            let pager = (newer.is_some() || older.is_some()).then(|| {
                view! {
                    <nav class="pager" aria-label="翻页">
                        {newer}<span class="quiet">{format!("第 {at} 页")}</span>{older}
                    </nav>
                }
            });
            view! {
                <PaperFrame title publication=publication.clone()>
                    <h1 class="page-title">{name.clone()}</h1>
                    <p class="quiet">{format!("《{}》各期的“{name}”{word}，新的在前。", publication.name)}</p>
                    <ol class="section-pages">{items}</ol>
                    {pager}
                </PaperFrame>
            }
        },
    )
}

/// A page of an issue with its headlines.
#[component]
fn LeafItem(publication: Publication, leaf: Leaf) -> impl IntoView {
    let Leaf { issue, page, is_open, headlines } = leaf;
    let number = publication.kind.page_title(page, "");
    let heading = match publication.kind {
        Kind::Epaper => format!("{} {number}", issue.day.long()),
        Kind::Magazine => format!("{} 年{} {number}", issue.day.year(), issue.title()),
    };
    let items: Vec<_> = headlines
        .into_iter()
        .map(|Headline { number, kicker, title, subtitle, .. }| {
            let small = |text: String| (!text.is_empty()).then(|| view! { <small>{text}</small> });
            let closed = (!is_open).then(|| view! { <small class="locked">"付费"</small> });
            view! {
                <li>
                    <a href=address::article(&publication, &issue, number)>
                        {small(kicker)}<strong>{title}</strong>{small(subtitle)}
                    </a>
                    {closed}
                </li>
            }
        })
        .collect();
    let page_address = address::page(&publication, &issue, page);
    let list = match items.is_empty() {
        false => view! { <ul>{items}</ul> }.into_any(),
        // a page of pictures has nothing that begins on it
        true => view! { <p><a class="link" href=page_address.clone()>"看这一页"</a></p> }.into_any(),
    };
    view! {
        <li>
            <h2><a href=page_address>{unbroken(&heading)}</a></h2>
            {list}
        </li>
    }
}

/// The sections of a title, and how many pages of the last year each has.
#[component]
pub fn Sections(publication: Publication, sections: Vec<Section>) -> impl IntoView {
    if sections.is_empty() {
        return None;
    }
    let word = publication.kind.page_word();
    let items: Vec<_> = sections
        .into_iter()
        .map(|Section { name, pages }| {
            let href = address::section(&publication, &name);
            view! { <li><a href=href>{name}<small>{format!("{pages} {word}")}</small></a></li> }
        })
        .collect();
    Some(view! {
        <nav class="sections" aria-labelledby="sections">
            <h2 id="sections">"栏目"</h2>
            <ul>{items}</ul>
        </nav>
    })
}

/// The page where something stands, and its section in all issues.
#[component]
pub fn StandsOn(publication: Publication, issue: Issue, page: usize, name: String) -> impl IntoView {
    let number = publication.kind.page_title(page, "");
    let plate = address::page(&publication, &issue, page);
    let of_all = section(&name).map(|section| {
        let href = address::section(&publication, &section);
        view! { " "<a href=href>{name}</a> }
    });
    view! { <a href=plate>{number}</a>{of_all} }
}
