//! GET /epaper/{title} and /magazine/{title}: the newest issue, and the way to all others.

use base::error::Error;
use domain::publication::Kind;
use leptos::prelude::*;
use serde_json::json;
use web::origin::Origin;
use web::render::{loaded, parameter, use_query};
use web::ui::parts::height_of;

use super::calendar::{Calendar, Month, month_of};
use super::frame::{
    Asked, PaperFrame, Presented, ReadOn, asked, headline, periodical, present, publication_issue,
};
use super::leaf::Headlines;
use super::section::Sections;
use crate::joined::Joined;
use crate::open::{self, Opened};
use crate::store::issues::{self, Issue, IssuePage};
use crate::store::publications::{self, Publication};
use crate::store::sections::{self, Section};
use crate::{address, unbroken};
use study::OfReader;

struct Shown {
    base: Origin,
    publication: Publication,
    opened: Opened,
    pages: Vec<IssuePage>,
    joined: Joined,
    past: Past,
    sections: Vec<Section>,
    own: Option<OfReader>,
}

/// Of how many days before the newest issue sections are listed, and how many of them.
const A_YEAR: i64 = 365;
const MOST_SECTIONS: usize = 30;

/// Issues before the newest.
enum Past {
    Month(Month),
    /// All years, and the issues of the one that is shown.
    Year(Vec<i64>, i64, Vec<Issue>),
}

async fn load(
    asked: Asked,
    title: String,
    month: Option<String>,
    year: Option<String>,
) -> Result<Shown, Error> {
    let Asked { app, parts, base, kind } = asked;
    let publication = publications::at_address(&app.db, kind, &title).await?;
    let newest = issues::published(&app.db, &publication.id, 1).await?.pop().ok_or(Error::NotFound)?;
    let past = match kind {
        Kind::Epaper => Past::Month(month_of(&app, &publication, month.as_deref(), newest.day).await?),
        Kind::Magazine => {
            let years = issues::years(&app.db, &publication.id).await?;
            let year = year.and_then(|year| year.parse().ok()).filter(|year| years.contains(year));
            let year = year.unwrap_or_else(|| i64::from(newest.day.year()));
            let of_year = issues::published_in(&app.db, &publication.id, &format!("{year:04}")).await?;
            Past::Year(years, year, of_year)
        }
    };
    let opened = open::open(&app, &parts, kind, &title, &newest.key(kind)).await?;
    let pages = issues::pages(&app.db, &newest.id).await?;
    let joined = Joined::headlines(&app.db, &newest.id).await?;
    let year_ago = newest.day.plus(-A_YEAR);
    // a magazine's pages are called as its articles are
    let least = if kind == Kind::Magazine { 2 } else { 1 };
    let sections = sections::since(&app.db, &publication.id, year_ago, least, MOST_SECTIONS).await?;
    let own = opened.own(&app, &parts).await?;
    Ok(Shown { base, publication, opened, pages, joined, past, sections, own })
}

/// See the module.
#[component]
pub fn TitleHomePage() -> impl IntoView {
    let (asked, title) = (asked(), parameter::<String>("title"));
    let (month, year) = (use_query("month"), use_query("year"));
    loaded(
        async move { load(asked?, title?, month, year).await },
        |Shown { base, publication, opened, pages, joined, past, sections, own }| {
            let issue = opened.issue.clone();
            let is_sold = publication.sale.is_some();
            let description = if publication.description.is_empty() {
                format!(
                    "《{}》，{}主办，{}。最新一期 {} {}。",
                    publication.name,
                    publication.organiser,
                    if is_sold { "可以订阅" } else { "免费阅读" },
                    issue.day,
                    issue.title()
                )
            } else {
                publication.description.split_whitespace().collect::<Vec<_>>().join(" ")
            };
            let mut newest = publication_issue(&base, &publication, &issue);
            newest["hasPart"] = joined
                .firsts()
                .take(20)
                .map(|article| headline(&base, &publication, &issue, article))
                .collect();
            let mut data = periodical(&base, &publication);
            data["@context"] = json!("https://schema.org");
            if let Some(part) = newest.as_object_mut() {
                part.remove("isPartOf");
            }
            data["hasPart"] = json!([newest]);
            let page = Presented { kind: "website", description, path: publication.path(), card: None, data };
            present(&base, &publication, None, Some(&issue), page);
            let introduction = (!publication.description.is_empty())
                .then(|| view! { <p class="introduction">{publication.description.clone()}</p> });
            let place = address::issue(&publication, &issue);
            let is_open = opened.rights.opens(1);
            let picture = is_open.then(|| {
                let alt = format!("{} {}", issue.day, publication.kind.page_title(1, ""));
                view! {
                    <a class="front-page" href=place.clone()>
                        <img
                            src=address::picture(&publication, &issue, 1, 540)
                            srcset=address::pictures(&publication, &issue, 1)
                            sizes="(min-width: 60em) 34rem, (min-width: 40em) 60vw, 90vw"
                            width="540"
                            height=height_of(issue.trim, 540)
                            alt=alt
                            loading="lazy"
                        />
                    </a>
                }
            });
            let past = match past {
                Past::Month(month) => view! { <Calendar month at=issue.day/> }.into_any(),
                Past::Year(years, year, of_year) => {
                    view! { <Years publication=publication.clone() years year of_year opened=opened.clone()/> }.into_any()
                }
            };
            let read = match publication.kind {
                Kind::Epaper => view! { <ReadOn opened=opened.clone() own begin="看版面"/> }.into_any(),
                Kind::Magazine => {
                    view! { <p><a class="button primary" href=place>"打开这一期"</a></p> }.into_any()
                }
            };
            let newest_title = match publication.kind {
                Kind::Epaper => "今日要目",
                Kind::Magazine => "本期要目",
            };
            view! {
                <PaperFrame title=publication.name.clone() publication=publication.clone() issue=opened.clone() front=true>
                    {introduction}
                    <div class="front">
                        <section class="today" aria-labelledby="today">
                            <h2 id="today">{newest_title}</h2>
                            <Headlines opened=opened.clone() pages joined/>
                        </section>
                        <div class="plate">
                            {picture}
                            {read}
                        </div>
                        {past}
                        <Sections publication=publication.clone() sections/>
                    </div>
                </PaperFrame>
            }
        },
    )
}

/// A magazine's issues of a year, and the way to the other years.
#[component]
fn Years(
    publication: Publication,
    years: Vec<i64>,
    year: i64,
    of_year: Vec<Issue>,
    opened: Opened,
) -> impl IntoView {
    let path = publication.path();
    let others: Vec<_> = years
        .iter()
        .map(|other| {
            let current = (*other == year).then_some("true");
            view! { <li><a href=format!("{path}?year={other}#years") aria-current=current>{*other}</a></li> }
        })
        .collect();
    // a cover is a page like others: of what is sold it is shown where anybody may read the first page
    let shows = opened.is_owner || publication.sale.is_none_or(|sale| sale.preview_pages > 0);
    let covers: Vec<_> = of_year
        .into_iter()
        .rev()
        .map(|issue| {
            let picture = if shows {
                view! {
                    <img
                        src=address::picture(&publication, &issue, 1, 360)
                        width="180"
                        height=height_of(issue.trim, 180)
                        alt=""
                        loading="lazy"
                    />
                }
                .into_any()
            } else {
                view! { <span class="blank">{publication.name.clone()}</span> }.into_any()
            };
            view! {
                <li>
                    <a href=address::issue(&publication, &issue)>
                        {picture}
                        <strong>{unbroken(&issue.title())}</strong>
                        <small class="quiet">{issue.day.to_string()}</small>
                    </a>
                </li>
            }
        })
        .collect();
    view! {
        <section class="years" id="years" aria-labelledby="years-title">
            <h2 id="years-title">{format!("{year} 年")}</h2>
            <ul class="which">{others}</ul>
            <ul class="covers">{covers}</ul>
        </section>
    }
}
