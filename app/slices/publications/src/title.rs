//! /manager/epaper/{title}, and of magazines: all issues of a title, for its maker.

use domain::ids::PublicationId;
use domain::issue_state::IssueState;
use domain::publication::Kind;
use leptos::prelude::*;
use web::render::{Here, here, loaded, parameter, use_query};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::list::StateBadge;
use super::store::issues::{self, Issue};
use super::store::publications::{self as store, Publication};
use super::{address, kind_here};

/// Issues on one page.
const PAGE: i64 = 60;

/// See the module.
#[component]
pub fn TitlePage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<PublicationId>("title"));
    let before = use_query("before").unwrap_or_default();
    loaded(
        async move {
            let (Here { app, member }, kind) = (here?, kind?);
            let title = store::find_for_owner(&app.db, &id?, &member.id, kind).await?;
            let mut all = issues::of_publication(&app.db, &title.id, &before, PAGE + 1).await?;
            let has_more = all.len() as i64 > PAGE;
            all.truncate(PAGE as usize);
            Ok((member, title, all, has_more))
        },
        |(member, title, all, has_more)| {
            let desk = format!("{}/{}", address::desk(title.kind), title.id);
            let done = match use_query("done").as_deref() {
                Some("added") => Some("建好了。现在可以出第一期。"),
                Some("changed") => Some("设置已保存。"),
                Some("removed") => Some("这一期已经删除。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let is_out = all.iter().any(|issue| issue.state == IssueState::Published);
            let public = is_out.then(|| view! { <a class="link" href=title.path()>"读者看到的"</a> });
            let sold = title
                .sale
                .is_some()
                .then(|| view! { <a class="link" href="/manager/epaper_sell">"套餐"</a> });
            let more = all.last().filter(|_| has_more).map(|last| {
                view! {
                    <nav class="pager" aria-label="翻页">
                        <a class="button" rel="next" href=format!("{desk}?before={}", last.day)>"更早的"</a>
                    </nav>
                }
            });
            let days = (title.kind == Kind::Epaper).then(|| format!("{}出版", title.weekdays));
            let facts: Vec<String> = [Some(title.organiser.clone()), Some(title.number.clone()), days]
                .into_iter()
                .flatten()
                .filter(|fact| !fact.is_empty())
                .collect();
            let body = if all.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有出过一期"</h2>
                        <p class="quiet">"用排好的 PDF，或者自己的一件作品。版面上的文字会读出来，作为稿件的建议。"</p>
                        <a class="button primary" href=format!("{desk}/issue")>"出第一期"</a>
                    </section>
                }
                .into_any()
            } else {
                view! { <IssueList title=title.clone() all/> }.into_any()
            };
            view! {
                <Shell member title=title.name.clone() assets=&["newsdesk.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=address::desk(title.kind)>{title.kind.name()}</a></p>
                            <h1 class="nameplate">{title.name.clone()}</h1>
                            <p class="quiet">{facts.join(" · ")}</p>
                            <p class="row"><a class="link" href=format!("{desk}/settings")>"设置"</a><a class="link" href=format!("{desk}/followers")>"邮件订阅"</a>{public}{sold}</p>
                        </div>
                        <div class="row">
                            <a class="button" href=format!("{desk}/archive")>"导入以前的"</a>
                            <a class="button primary" href=format!("{desk}/issue")>"出一期"</a>
                        </div>
                    </header>
                    {done}
                    {body}
                    {more}
                </Shell>
            }
        },
    )
}

#[component]
fn IssueList(title: Publication, all: Vec<Issue>) -> impl IntoView {
    let pages = match title.kind {
        Kind::Epaper => "版数",
        Kind::Magazine => "页数",
    };
    let rows: Vec<_> = all
        .into_iter()
        .map(|issue| {
            let when = match issue.state {
                IssueState::Scheduled => issue.scheduled_at,
                IssueState::Published | IssueState::Withdrawn => issue.published_at,
                IssueState::Draft => None,
            };
            let day = view! {
                <a href=address::issue_desk(title.kind, &issue)>
                    <span class="num">{issue.day.to_string()}</span>
                    <span class="sr">{format!("，{}", issue.title())}</span>
                </a>
            };
            Record::new()
                .cell("日期", day)
                .cell("期号", issue.title())
                .num("总期号", issue.numbers.total)
                .num(pages, issue.pages)
                .cell("状态", view! { <StateBadge state=issue.state/> })
                .moment("发布时间", when)
        })
        .collect();
    view! { <Records rows/> }
}
