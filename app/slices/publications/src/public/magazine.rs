//! GET /magazine/{title}/{number}: an issue of a magazine, its cover, its contents, its pages.

use base::error::Error;
use domain::publication::Kind;
use leptos::prelude::*;
use serde_json::json;
use web::origin::Origin;
use web::render::loaded;
use web::ui::parts::height_of;

use super::corrections::Corrections;
use super::frame::{
    Asked, CountedPage, PaperFrame, Presented, ReadOn, ToBuy, asked, headline, names, present,
    publication_issue,
};
use super::leaf::Headlines;
use crate::joined::Joined;
use crate::open::Opened;
use crate::store::corrections::{self, Correction};
use crate::store::issues::{self, Issue, IssuePage};
use crate::{ISSUE_KIND, address, unbroken};
use study::{AtCover, OfReader};

struct Shown {
    base: Origin,
    opened: Opened,
    pages: Vec<IssuePage>,
    joined: Joined,
    beside: (Option<Issue>, Option<Issue>),
    own: Option<OfReader>,
    corrections: Vec<Correction>,
}

async fn load(asked: Asked, title: String, key: String) -> Result<Shown, Error> {
    if asked.kind != Kind::Magazine {
        return Err(Error::NotFound);
    }
    let opened = asked.open(&title, &key).await?;
    let db = &asked.app.db;
    let pages = issues::pages(db, &opened.issue.id).await?;
    let joined = Joined::headlines(db, &opened.issue.id).await?;
    let at = (opened.issue.day, opened.issue.numbers.total);
    let beside = issues::beside(db, &opened.publication.id, at).await?;
    let own = opened.own(&asked.app, &asked.parts).await?;
    let corrections = corrections::of_issue(db, &opened.issue.id).await?;
    Ok(Shown { base: asked.base, opened, pages, joined, beside, own, corrections })
}

/// See the module.
#[component]
pub fn MagazineIssuePage() -> impl IntoView {
    let (asked, (title, key)) = (asked(), names());
    loaded(
        async move { load(asked?, title?, key?).await },
        |Shown { base, opened, pages, joined, beside, own, corrections }| {
            let Opened { publication, issue, rights, .. } = opened.clone();
            let named = format!("{} 年{}", issue.day.year(), issue.title());
            let titles: Vec<&str> = joined.firsts().take(6).map(|article| article.title.as_str()).collect();
            let description = super::frame::beginning(
                &format!("《{}》{named}，共 {} 页。{}", publication.name, issue.pages, titles.join("；")),
                120,
            );
            let mut data = publication_issue(&base, &publication, &issue);
            data["@context"] = json!("https://schema.org");
            data["hasPart"] =
                joined.firsts().map(|article| headline(&base, &publication, &issue, article)).collect();
            let path = address::issue(&publication, &issue);
            present(
                &base,
                &publication,
                Some(&opened),
                None,
                Presented { kind: "article", description, path, card: None, data },
            );
            let first = address::page(&publication, &issue, 1);
            let cover = rights.opens(1).then(|| {
                view! {
                    <a class="front-page" href=first>
                        <img
                            src=address::picture(&publication, &issue, 1, 540)
                            srcset=address::pictures(&publication, &issue, 1)
                            sizes="(min-width: 60em) 26rem, 70vw"
                            width="540"
                            height=height_of(issue.trim, 540)
                            alt=format!("{named}封面")
                            fetchpriority="high"
                        />
                    </a>
                }
            });
            let named_pages: Vec<_> = pages
                .iter()
                .filter(|page| !page.name.is_empty())
                .map(|page| {
                    let number = publication.kind.page_title(page.page, "");
                    let href = address::page(&publication, &issue, page.page);
                    view! { <li><a href=href>{page.name.clone()}<small>{number}</small></a></li> }
                })
                .collect();
            // as pages are called, where nobody has made articles of it
            let list = match (joined.all().is_empty(), named_pages.is_empty()) {
                (false, _) => {
                    Some(view! { <Headlines opened=opened.clone() pages=pages.clone() joined/> }.into_any())
                }
                (true, false) => Some(view! { <ol class="chapters">{named_pages}</ol> }.into_any()),
                (true, true) => None,
            };
            let contents = list.map(|list| {
                view! {
                    <section class="today" aria-labelledby="contents">
                        <h2 id="contents">"目录"</h2>
                        {list}
                    </section>
                }
            });
            let leaves: Vec<_> = pages
                .into_iter()
                .map(|page| {
                    let number = page.page;
                    let picture = if rights.opens(number) {
                        view! {
                            <img
                                src=address::picture(&publication, &issue, number, 360)
                                width="120"
                                height=height_of(issue.trim, 120)
                                alt=""
                                loading="lazy"
                            />
                        }
                        .into_any()
                    } else {
                        view! { <span class="blank">"付费"</span> }.into_any()
                    };
                    view! {
                        <li>
                            <a href=address::page(&publication, &issue, number)>
                                {picture}<span>{publication.kind.page_title(number, &page.name)}</span>
                            </a>
                        </li>
                    }
                })
                .collect();
            let beside_link = |other: Option<Issue>, name: &'static str| {
                other.map(|other| {
                    view! { <a href=address::issue(&publication, &other)>{name}<small>{other.title()}</small></a> }
                })
            };
            let (before, after) = (beside_link(beside.0, "上一期"), beside_link(beside.1, "下一期"));
            let title = format!("{named} · {}", publication.name);
            let read = view! { <ReadOn opened=opened.clone() own=own.clone() begin="从头阅读"/> };
            let own = own.map(|own| {
                let (id, address) = (issue.id.to_string(), address::base(&publication, &issue));
                view! { <AtCover kind=ISSUE_KIND id address own bought=false/> }
            });
            view! {
                <PaperFrame title publication=publication.clone() issue=opened.clone()>
                    <h1 class="page-title">{unbroken(&named)}</h1>
                    <Corrections kind=publication.kind all=corrections/>
                    <div class="front">
                        {contents}
                        <div class="plate">
                            {cover}
                            {read}
                            {own}
                        </div>
                        <ToBuy opened=opened.clone() title="读完这一期"/>
                        <section class="leaves" aria-labelledby="leaves">
                            <h2 id="leaves">"所有页"</h2>
                            <ol>{leaves}</ol>
                        </section>
                        <nav class="issues-beside" aria-label="前后各期">
                            {before}{after}
                        </nav>
                    </div>
                    <CountedPage opened=opened.clone() page=0/>
                </PaperFrame>
            }
        },
    )
}
