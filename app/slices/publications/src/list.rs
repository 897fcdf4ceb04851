//! /manager/epaper 电子报 and /manager/magazine 期刊: what a member publishes.

use std::collections::HashMap;

use domain::ids::PublicationId;
use domain::issue_state::IssueState;
use domain::publication::Kind;
use leptos::prelude::*;
use web::render::{Here, here, loaded, use_query};
use web::ui::shell::Shell;

use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication};
use super::{address, kind_here};

/// GET /manager/epaper, /manager/magazine.
#[component]
pub fn ListPage() -> impl IntoView {
    let here = here();
    let kind = kind_here();
    loaded(
        async move {
            let (Here { app, member }, kind) = (here?, kind?);
            let titles = publications::of_member(&app.db, &member.id, Some(kind)).await?;
            let mut newest: HashMap<PublicationId, Vec<Issue>> = HashMap::new();
            for title in &titles {
                newest.insert(title.id.clone(), issues::of_publication(&app.db, &title.id, "", 5).await?);
            }
            Ok((member, kind, titles, newest))
        },
        |(member, kind, titles, mut newest)| {
            let done = match use_query("done").as_deref() {
                Some("removed") => Some("已经删除。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let new = format!("{}/new", address::desk(kind));
            let search = (!titles.is_empty()).then(|| {
                let href = format!("{}/search", address::desk(kind));
                view! { <p class="row"><a class="link" href=href>"在各期里搜索"</a></p> }
            });
            let noun = kind.noun();
            let body = if titles.is_empty() {
                let (title, text) = match kind {
                    Kind::Epaper => (
                        "还没有报纸",
                        "先建一份报纸，再按日期出一期：用排好的 PDF，或者用自己的作品。每篇稿件都有文字页，手机上也好读。",
                    ),
                    Kind::Magazine => (
                        "还没有刊物",
                        "先建一份刊物，再一期一期地出：用排好的 PDF，或者用自己的作品。读者在网页上翻看，也可以订阅。",
                    ),
                };
                view! {
                    <section class="trim empty">
                        <h2>{title}</h2>
                        <p class="quiet">{text}</p>
                        <a class="button primary" href=new.clone()>{format!("新建{noun}")}</a>
                    </section>
                }
                .into_any()
            } else {
                let cards: Vec<_> = titles
                    .into_iter()
                    .map(|title| {
                        let newest = newest.remove(&title.id).unwrap_or_default();
                        view! { <Title title newest/> }
                    })
                    .collect();
                view! { <div class="papers">{cards}</div> }.into_any()
            };
            view! {
                <Shell member title=kind.name().to_owned() assets=&["newsdesk.css"]>
                    <header class="head">
                        <div>
                            <h1>{kind.name()}</h1>
                            <p class="quiet">{match kind {
                                Kind::Epaper => "按日期出版的报纸：版面图、稿件全文、往期日历",
                                Kind::Magazine => "按期出版的刊物：封面、目录、逐页阅读",
                            }}</p>
                            {search}
                        </div>
                        <a class="button" href=new>{format!("新建{noun}")}</a>
                    </header>
                    {done}
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Title(title: Publication, newest: Vec<Issue>) -> impl IntoView {
    let desk = format!("{}/{}", address::desk(title.kind), title.id);
    let is_out = newest.iter().any(|issue| issue.state == IssueState::Published);
    let public = is_out.then(|| view! { <a class="link" href=title.path()>"读者看到的"</a> });
    let items: Vec<_> = newest
        .into_iter()
        .map(|issue| {
            view! {
                <li>
                    <a href=address::issue_desk(title.kind, &issue)>
                        <span class="num">{issue.day.to_string()}</span>" "{issue.title()}
                    </a>
                    <StateBadge state=issue.state/>
                </li>
            }
        })
        .collect();
    let list = if items.is_empty() {
        view! { <p class="quiet">"还没有出过一期。"</p> }.into_any()
    } else {
        view! { <ul class="issues-short">{items}</ul> }.into_any()
    };
    let paid = title.sale.is_some().then(|| view! { <span class="badge">"付费"</span> });
    view! {
        <section class="sheet paper-card">
            <header>
                <h2 class="nameplate"><a href=desk.clone()>{title.name.clone()}</a></h2>
                <p class="quiet">{title.organiser.clone()}" "{paid}</p>
            </header>
            {list}
            <div class="row">
                <a class="button primary small" href=format!("{desk}/issue")>"出一期"</a>
                <a class="link" href=format!("{desk}/settings")>"设置"</a>
                {public}
            </div>
        </section>
    }
}

/// Where an issue stands, in a word.
#[component]
pub fn StateBadge(state: IssueState) -> impl IntoView {
    let class = match state {
        IssueState::Published => "badge good",
        IssueState::Scheduled => "badge warn",
        IssueState::Draft | IssueState::Withdrawn => "badge",
    };
    view! { <span class=class>{state.name()}</span> }
}
