//! GET /epaper/{title}/{date}/{page} and /magazine/{title}/{number}/{page}: one page with its articles.

use axum::http::StatusCode;
use domain::publication::{Day, Kind};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use serde_json::json;

use super::calendar::{Calendar, Month, month_of};
use super::frame::{
    Asked, CountedPage, PaperFrame, Presented, ToBuy, asked, headline, names, present, publication_issue,
};
use crate::counted::area_id;
use crate::open::{self, Opened};
use crate::store::articles::{self, Article};
use crate::store::issues::{self, Issue, IssuePage};
use crate::store::publications::{self, Publication};
use crate::{address, pictures, unbroken};
use platform::base::Base;
use platform::error::Error;
use platform::render::{HeadSlot, Link, loaded, parameter, use_query};
use platform::ui::parts::height_of;
use reader::PageTarget;

struct Shown {
    base: Base,
    opened: Opened,
    pages: Vec<IssuePage>,
    /// From 0.
    at: usize,
    headlines: Vec<Article>,
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
    let headlines = articles::headlines(&app.db, &opened.issue.id, false).await?;
    let Opened { publication, issue, .. } = &opened;
    let beside = issues::beside(&app.db, &publication.id, (issue.day, issue.numbers.total)).await?;
    let month = match publication.kind {
        Kind::Epaper => Some(month_of(app, publication, month.as_deref(), issue.day).await?),
        Kind::Magazine => None,
    };
    Ok(Found::Page(Box::new(Shown { base: asked.base, opened, pages, at, headlines, beside, month })))
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
    let Shown { base, opened, pages, at, headlines, beside, month } = shown;
    let Opened { publication, issue, rights, .. } = opened.clone();
    let kind = publication.kind;
    let word = kind.page_word();
    let page = pages[at].clone();
    let number = page.page;
    let here: Vec<Article> = headlines.iter().filter(|article| article.page == number).cloned().collect();
    let name = kind.page_title(number, &page.name);
    let slot = use_context::<HeadSlot>();
    let turn = |number: usize| {
        (1..=issue.pages).contains(&number).then(|| address::page(&publication, &issue, number))
    };
    let (before, after) = (turn(number - 1), turn(number + 1));
    if let Some(slot) = &slot {
        for (rel, href) in [("prev", &before), ("next", &after)] {
            if let Some(href) = href {
                slot.link(Link { rel, href: href.clone(), kind: "" });
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
    data["hasPart"] = here.iter().map(|article| headline(&base, &publication, &issue, article)).collect();
    let path = address::page(&publication, &issue, number);
    present(&base, &publication, Some(&opened), None, Presented { kind: "article", description, path, data });
    let heading = match kind {
        Kind::Epaper => format!("{} {name}", issue.day.long()),
        Kind::Magazine => format!("{} {name}", issue.title()),
    };
    let picture = if rights.opens(number) {
        view! { <Plate publication=publication.clone() issue=issue.clone() page=page.clone() here=here.clone()/> }.into_any()
    } else {
        view! { <ToBuy opened=opened.clone() title="订阅以后看版面和全文"/> }.into_any()
    };
    let shown_titles = if here.is_empty() {
        None
    } else {
        let title = format!("本{word}标题");
        let items: Vec<_> =
            here.into_iter().map(|article| view! { <HeadlineItem opened=opened.clone() article/> }).collect();
        Some(view! {
            <section class="titles" aria-labelledby="titles">
                <h2 id="titles">{title}</h2>
                <ul>{items}</ul>
            </section>
        })
    };
    let side = |href: Option<String>, rel: &'static str, name: String| {
        href.map(|href| view! { <a class="button" rel=rel href=href>{name}</a> })
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
    let counted = view! { <CountedPage opened=opened.clone() page=number/> };
    let home = (kind == Kind::Magazine)
        .then(|| view! { <a class="button" href=address::issue(&publication, &issue)>"目录"</a> });
    view! {
        <PaperFrame title publication=publication.clone() issue=opened>
            <h1 class="page-title">{unbroken(&heading)}</h1>
            <div class="spread">
                {shown_titles}
                <div class="plate">
                    {picture}
                    <nav class="turns" aria-label="翻页">
                        {side(before, "prev", format!("上一{word}"))}
                        {home}
                        {side(after, "next", format!("下一{word}"))}
                    </nav>
                </div>
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

/// A page's picture, with its articles and its own links as links where they stand.
#[component]
fn Plate(publication: Publication, issue: Issue, page: IssuePage, here: Vec<Article>) -> impl IntoView {
    let number = page.page;
    let mut areas: Vec<_> = here
        .iter()
        .flat_map(|article| article.areas.iter().map(move |place| (place, article)))
        .map(|(place, article)| {
            let sides = [place.x, place.y, place.width, place.height].map(|side| side.to_string());
            let href = address::article(&publication, &issue, article.number);
            (sides, href, article.title.clone(), Some(area_id(article.number)), None)
        })
        .collect();
    let mut footnotes = Vec::new();
    let mark_id = |index: usize| format!("mark-{number}-{index}");
    areas.extend(page.links.iter().enumerate().map(|(index, link)| {
        let frame = link.frame;
        let sides = [frame.x, frame.y, frame.width, frame.height].map(|side| format!("{side:.1}"));
        match &link.target {
            PageTarget::Address(address) => (sides, address.clone(), address.clone(), None, None),
            PageTarget::Page(to) => {
                let name = publication.kind.page_title(*to, "");
                (sides, address::page(&publication, &issue, *to), name, None, None)
            }
            PageTarget::Note { mark, text } => {
                let (id, name) = (format!("note-{number}-{index}"), format!("注 {mark}"));
                footnotes.push((id.clone(), name.clone(), text.clone(), mark_id(index)));
                (sides, format!("#{id}"), name, None, Some(mark_id(index)))
            }
            PageTarget::Mark { mark, of } => {
                (sides, format!("#{}", mark_id(*of)), format!("回到注 {mark} 的位置"), None, None)
            }
        }
    }));
    let links: Vec<_> = areas
        .into_iter()
        .map(|([x, y, width, height], href, name, area, anchor)| {
            let label = name.clone();
            let is_outside = !href.starts_with(['/', '#']);
            view! {
                <a
                    id=anchor
                    href=href
                    aria-label=label
                    data-area=area
                    target=is_outside.then_some("_blank")
                    rel=is_outside.then_some("noopener nofollow ugc")
                >
                    <title>{name}</title>
                    <rect x=x y=y width=width height=height></rect>
                </a>
            }
        })
        .collect();
    let map = (!links.is_empty())
        .then(|| view! { <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">{links}</svg> });
    let footnotes: Vec<_> = footnotes
        .into_iter()
        .map(|(id, name, text, mark)| {
            let (back, label) = (format!("#{mark}"), format!("回到{name} 的位置"));
            view! { <li id=id tabindex="-1"><a href=back aria-label=label>{name}</a>" "{text}</li> }
        })
        .collect();
    let footnotes = (!footnotes.is_empty()).then(|| view! { <ul class="footnotes">{footnotes}</ul> });
    let name = publication.kind.page_title(number, &page.name);
    view! {
        <figure class="facsimile">
            <img
                src=address::picture(&publication, &issue, number, 720)
                srcset=address::pictures(&publication, &issue, number)
                sizes="(min-width: 60em) 40rem, 100vw"
                width="720"
                height=height_of(issue.trim, 720)
                alt=format!("{}版面图", name)
                loading="lazy"
            />
            {map}
            <figcaption>
                <a href=address::picture(&publication, &issue, number, pictures::LARGEST)>"放大看"</a>
            </figcaption>
        </figure>
        {footnotes}
    }
}

/// A headline that leads to its article.
#[component]
pub fn HeadlineItem(opened: Opened, article: Article) -> impl IntoView {
    let closed = (!opened.rights.opens(article.page)).then(|| view! { <small class="locked">"付费"</small> });
    let kicker = (!article.kicker.is_empty()).then(|| view! { <small>{article.kicker.clone()}</small> });
    let subtitle =
        (!article.subtitle.is_empty()).then(|| view! { <small>{article.subtitle.clone()}</small> });
    view! {
        <li>
            <a href=address::article(&opened.publication, &opened.issue, article.number)>
                {kicker}<strong>{article.title}</strong>{subtitle}
            </a>
            {closed}
        </li>
    }
}

/// All headlines of an issue, page by page.
#[component]
pub fn Headlines(opened: Opened, pages: Vec<IssuePage>, headlines: Vec<Article>) -> impl IntoView {
    let Opened { publication, issue, .. } = opened.clone();
    let kind = publication.kind;
    let with: Vec<_> = pages
        .into_iter()
        .filter_map(|page| {
            let here: Vec<Article> =
                headlines.iter().filter(|known| known.page == page.page).cloned().collect();
            // a newspaper's pages are all there; of a magazine those where something begins
            if here.is_empty() && kind == Kind::Magazine {
                return None;
            }
            let items: Vec<_> = here
                .into_iter()
                .map(|article| view! { <HeadlineItem opened=opened.clone() article/> })
                .collect();
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
