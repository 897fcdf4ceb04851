//! GET /epaper/{title}/{date}/{page} and /magazine/{title}/{number}/{page}: one page with its articles.

use axum::http::StatusCode;
use base::error::Error;
use domain::publication::{Day, Kind};
use domain::reading::sought;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use serde_json::json;
use web::origin::Origin;
use web::render::{HeadSlot, Link, loaded, parameter, use_query};
use web::ui::parts::ErrorSummary;

use super::calendar::{Calendar, Month, month_of};
use super::corrections::{Corrections, about};
use super::frame::{
    Asked, CountedPage, PaperFrame, Presented, ToBuy, asked, headline, names, present, publication_issue,
};
use crate::counted::area_of;
use crate::joined::Joined;
use crate::open::{self, Opened};
use crate::store::articles::Article;
use crate::store::corrections::{self, Correction};
use crate::store::issues::{self, Issue, IssuePage};
use crate::store::publications::{self, Publication};
use crate::{ISSUE_KIND, address, unbroken, words};
use reader::PageBlock;
use reader::room::{self, Footnotes, Hot, OnPage, Sheets, Tools, Turns, Volume, Words, asked_for, frame_of};
use study::{AtPage, OfReader};

struct Shown {
    base: Origin,
    opened: Opened,
    volume: Volume,
    /// The page's words, where they are marked, or where no article says them.
    blocks: Vec<PageBlock>,
    own: Option<OfReader>,
    pages: Vec<IssuePage>,
    /// From 0.
    at: usize,
    joined: Joined,
    corrections: Vec<Correction>,
    beside: (Option<Issue>, Option<Issue>),
    month: Option<Month>,
}

/// A day on which no issue came out.
struct Missing {
    publication: Publication,
    day: Day,
    nearest: Vec<Issue>,
    month: Month,
}

enum Found {
    Page(Box<Shown>),
    Nothing(Box<Missing>),
}

async fn load(
    asked: Asked,
    title: String,
    key: String,
    page: usize,
    month: Option<String>,
) -> Result<Found, Error> {
    let opened = match asked.open(&title, &key).await {
        Ok(opened) => opened,
        Err(Error::NotFound) => return missing(&asked, &title, &key).await,
        Err(error) => return Err(error),
    };
    let app = &asked.app;
    let pages = issues::pages(&app.db, &opened.issue.id).await?;
    let at = pages.iter().position(|known| known.page == page).ok_or(Error::NotFound)?;
    let joined = Joined::headlines(&app.db, &opened.issue.id).await?;
    let corrections = about(corrections::of_issue(&app.db, &opened.issue.id).await?, page);
    let Opened { publication, issue, .. } = &opened;
    let beside = issues::beside(&app.db, &publication.id, (issue.day, issue.numbers.total)).await?;
    let month = match publication.kind {
        Kind::Epaper => Some(month_of(app, publication, month.as_deref(), issue.day).await?),
        Kind::Magazine => None,
    };
    let volume = opened.volume(&pages);
    let has_articles = joined.all().iter().any(|article| article.page == page);
    let blocks = if volume.opens(page) && (!has_articles || !asked_for().is_empty()) {
        words::of_page(app, issue, page).await?
    } else {
        Vec::new()
    };
    let own = opened.own(app, &asked.parts).await?;
    let base = asked.base;
    Ok(Found::Page(Box::new(Shown {
        base,
        opened,
        volume,
        blocks,
        own,
        pages,
        at,
        joined,
        corrections,
        beside,
        month,
    })))
}

/// What is offered where there is no issue of a day.
async fn missing(asked: &Asked, title: &str, key: &str) -> Result<Found, Error> {
    let publication = publications::at_address(&asked.app.db, asked.kind, title).await?;
    let day = key.parse::<Day>().ok().filter(|_| asked.kind == Kind::Epaper).ok_or(Error::NotFound)?;
    let nearest = open::nearest(&asked.app, &publication, day).await?;
    if nearest.is_empty() {
        return Err(Error::NotFound);
    }
    let month = month_of(&asked.app, &publication, None, day).await?;
    Ok(Found::Nothing(Box::new(Missing { publication, day, nearest, month })))
}

/// See the module.
#[component]
pub fn LeafPage() -> impl IntoView {
    let (asked, (title, key), page) = (asked(), names(), parameter::<usize>("page"));
    let month = use_query("month");
    let answer = use_context::<ResponseOptions>();
    loaded(async move { load(asked?, title?, key?, page?, month).await }, move |found| match found {
        Found::Page(shown) => view! { <Leaf shown=*shown/> }.into_any(),
        Found::Nothing(missing) => {
            if let Some(answer) = answer {
                answer.set_status(StatusCode::NOT_FOUND);
            }
            view! { <NoIssue missing=*missing/> }.into_any()
        }
    })
}

#[component]
fn NoIssue(missing: Missing) -> impl IntoView {
    let Missing { publication, day, nearest, month } = missing;
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    let links: Vec<_> = nearest
        .into_iter()
        .map(|issue| {
            let which = if issue.day < day { "之前最近的一期" } else { "之后最近的一期" };
            view! {
                <li>
                    <a href=address::issue(&publication, &issue)>
                        <small class="quiet">{which}</small>
                        <strong>{issue.day.long()}</strong>
                    </a>
                </li>
            }
        })
        .collect();
    view! {
        <PaperFrame title=format!("{day} 没有出报") publication=publication.clone()>
            <h1 class="missing">{format!("{} 没有出报", day.long())}</h1>
            <ul class="nearest">{links}</ul>
            <Calendar month/>
        </PaperFrame>
    }
}

#[component]
fn Leaf(shown: Shown) -> impl IntoView {
    let Shown { base, opened, volume, blocks, own, pages, at, joined, corrections, beside, month } = shown;
    let Opened { publication, issue, .. } = opened.clone();
    let kind = publication.kind;
    let word = kind.page_word();
    let page = pages[at].clone();
    let number = page.page;
    let here: Vec<&Article> = joined.all().iter().filter(|article| article.page == number).collect();
    let name = kind.page_title(number, &page.name);
    let slot = use_context::<HeadSlot>();
    let turn = |number: usize| (1..=issue.pages).contains(&number).then_some(number);
    let turns = (turn(number - 1), turn(number + 1));
    if let Some(slot) = &slot {
        for (rel, number) in [("prev", turns.0), ("next", turns.1)] {
            if let Some(number) = number {
                slot.link(Link { rel, href: volume.address(number), kind: "" });
            }
        }
    }
    let titles: Vec<&str> = here.iter().take(6).map(|article| article.title.as_str()).collect();
    let description = if titles.is_empty() {
        format!("《{}》{} {}。", publication.name, issue.day, name)
    } else {
        super::frame::beginning(
            &format!("《{}》{} {name}：{}", publication.name, issue.day, titles.join("；")),
            120,
        )
    };
    let mut data = publication_issue(&base, &publication, &issue);
    data["@context"] = json!("https://schema.org");
    let begun = here.iter().filter(|article| joined.first_of(article.number).is_none());
    data["hasPart"] = begun.map(|article| headline(&base, &publication, &issue, article)).collect();
    let path = address::page(&publication, &issue, number);
    present(
        &base,
        &publication,
        Some(&opened),
        None,
        Presented { kind: "article", description, path, card: None, data },
    );
    let heading = match kind {
        Kind::Epaper => format!("{} {name}", issue.day.long()),
        Kind::Magazine => format!("{} {name}", issue.title()),
    };
    let is_open = volume.opens(number);
    let asked = if is_open { asked_for() } else { String::new() };
    let facing = volume.facing(number).filter(|_| is_open);
    let picture = if is_open {
        let shown = |page: usize| on_page(&opened, &volume, &pages, &joined, page);
        let (here, beside) = (shown(number), facing.map(shown).unwrap_or_default());
        let sought = sought(&asked);
        let words = (!blocks.is_empty()).then(|| {
            view! {
                <Tools/>
                <Words volume=volume.clone() page=number blocks=blocks.clone() asked=sought.clone()/>
            }
        });
        let leaf = room::Leaf { page: number, blocks, areas: here.shown };
        view! {
            <Sheets volume=volume.clone() leaves=vec![leaf] beside=beside.shown asked=sought sizes=SIZES/>
            <Turns volume=volume.clone() page=number turns asked/>
            <Footnotes footnotes=here.footnotes/>
            <Footnotes footnotes=beside.footnotes/>
            {words}
        }
        .into_any()
    } else {
        view! {
            <ToBuy opened=opened.clone() title="订阅以后看版面和全文"/>
            <Turns volume=volume.clone() page=number turns asked/>
        }
        .into_any()
    };
    let own = own.filter(|_| is_open).map(|own| {
        let id = issue.id.to_string();
        view! { <AtPage kind=ISSUE_KIND id page=number own/> }
    });
    let shown_titles = if here.is_empty() {
        None
    } else {
        let title = format!("本{word}标题");
        let items: Vec<_> =
            here.into_iter().map(|article| headline_item(&opened, &joined, article)).collect();
        Some(view! {
            <section class="titles" aria-labelledby="titles">
                <h2 id="titles">{title}</h2>
                <ul>{items}</ul>
            </section>
        })
    };
    let all: Vec<_> = pages
        .iter()
        .map(|other| {
            let current = (other.page == number).then_some("page");
            view! {
                <li>
                    <a href=address::page(&publication, &issue, other.page) aria-current=current>
                        {kind.page_title(other.page, &other.name)}
                    </a>
                </li>
            }
        })
        .collect();
    let issue_link = |issue: Option<Issue>, name: &'static str| {
        issue.map(|issue| {
            let href = address::issue(&publication, &issue);
            view! { <a href=href>{name}<small>{issue.day.to_string()}</small></a> }
        })
    };
    let (earlier, later) = (issue_link(beside.0, "上一期"), issue_link(beside.1, "下一期"));
    let past = month.map(|month| view! { <Calendar month at=issue.day/> });
    let title = format!("{name} · {} {}", publication.name, issue.day);
    let (first, last) = facing.map_or((number, number), |other| (number.min(other), number.max(other)));
    let counted = view! { <CountedPage opened=opened.clone() page=first last/> };
    view! {
        <PaperFrame title publication=publication.clone() issue=opened>
            <h1 class="page-title">{unbroken(&heading)}</h1>
            <ErrorSummary title="笔记还没有保存"/>
            <Corrections kind all=corrections/>
            <div class="spread">
                {shown_titles}
                <div class="plate">{picture}{own}</div>
                <nav class="all-pages" aria-labelledby="all-pages">
                    <h2 id="all-pages">{if kind == Kind::Epaper { "版面导航" } else { "各页" }}</h2>
                    <ol>{all}</ol>
                </nav>
                <nav class="issues-beside" aria-label="前后各期">{earlier}{later}</nav>
                {past}
            </div>
            {counted}
        </PaperFrame>
    }
}

/// How wide a page is shown.
const SIZES: &str = "(min-width: 60em) 40rem, 100vw";

/// The articles of a page, each one link however many areas it has, in the order in which they are read; and its own links.
fn on_page(opened: &Opened, volume: &Volume, pages: &[IssuePage], joined: &Joined, number: usize) -> OnPage {
    let Opened { publication, issue, .. } = opened;
    let here = joined.all().iter().filter(|article| article.page == number);
    let article = |article: &Article| {
        let mut frames = article.areas.iter().map(frame_of);
        Some(Hot {
            frame: frames.next()?,
            more: frames.collect(),
            name: article.title.clone(),
            address: joined.address(publication, issue, article.number),
            is_outside: false,
            reach: None,
            id: Some(area_of(joined, article)),
            anchor: None,
        })
    };
    let links = pages.iter().find(|page| page.page == number).map(|page| page.links.clone());
    let mut on_page = OnPage::of(volume, number, links.unwrap_or_default(), |_| None);
    on_page.shown = here.filter_map(article).chain(on_page.shown).collect();
    on_page
}

/// A headline that leads to its article; one that goes on from another page says so.
fn headline_item(opened: &Opened, joined: &Joined, article: &Article) -> impl IntoView + use<> {
    let Opened { publication, issue, rights, .. } = opened;
    let closed = (!rights.opens(article.page)).then(|| view! { <small class="locked">"付费"</small> });
    let kicker = (!article.kicker.is_empty()).then(|| view! { <small>{article.kicker.clone()}</small> });
    let subtitle =
        (!article.subtitle.is_empty()).then(|| view! { <small>{article.subtitle.clone()}</small> });
    let from = joined.first_of(article.number).map(|first| {
        view! { <small>{format!("上接 {}", publication.kind.page_title(first.page, ""))}</small> }
    });
    view! {
        <li>
            <a href=joined.address(publication, issue, article.number)>
                {kicker}<strong>{article.title.clone()}</strong>{subtitle}{from}
            </a>
            {closed}
        </li>
    }
}

/// All headlines of an issue, page by page, each article once.
#[component]
pub fn Headlines(opened: Opened, pages: Vec<IssuePage>, joined: Joined) -> impl IntoView {
    let Opened { publication, issue, .. } = opened.clone();
    let kind = publication.kind;
    let with: Vec<_> = pages
        .into_iter()
        .filter_map(|page| {
            let items: Vec<_> = joined
                .firsts()
                .filter(|known| known.page == page.page)
                .map(|article| headline_item(&opened, &joined, article))
                .collect();
            // a newspaper's pages are all there; of a magazine those where something begins
            if items.is_empty() && kind == Kind::Magazine {
                return None;
            }
            let name = kind.page_title(page.page, &page.name);
            let list = (!items.is_empty()).then(|| view! { <ul>{items}</ul> });
            Some(view! {
                <section>
                    <h3><a href=address::page(&publication, &issue, page.page)>{name}</a></h3>
                    {list}
                </section>
            })
        })
        .collect();
    view! { <div class="headlines">{with}</div> }
}
