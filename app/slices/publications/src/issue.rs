//! /manager/epaper_issue/{issue}, and of magazines: an issue as its maker sees it, what it is called and counted by, its pages,
//! and where it stands.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::jobs;
use base::time;
use domain::days::DAY_MS;
use domain::ids::IssueId;
use domain::issue_state::IssueState;
use domain::publication::{Day, Kind, PAGE_NAME_LENGTH};
use domain::typed::whole;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::slice::Readers;
use web::ui::forms::read_form;
use web::ui::parts::ErrorSummary;
use web::ui::shell::Shell;

use super::issue_parts::{FactsForm, Found, Sold, Stand};
use super::jobs::{PublishIssue, after_publishing};
use super::joined::{self, LooseEnd};
use super::list::StateBadge;
use super::new_issue::{ISSUES, facts_in};
use super::replacement::again_over_newest;
use super::store::articles;
use super::store::issues::{self as store, Issue};
use super::store::publications::{self, Publication};
use super::{ISSUE_KIND, address, kind_here, kind_of, proposals, unbroken, uses};

/// How far ahead an issue may be scheduled.
const MOST_AHEAD_MS: i64 = 366 * DAY_MS;

/// An issue of the member's own with its title, whatever the address says of kinds.
pub async fn own(
    app: &App,
    member: &Member,
    kind: Kind,
    id: &IssueId,
) -> Result<(Publication, Issue), Error> {
    let issue = store::find_for_owner(&app.db, id, &member.id, kind).await?;
    Ok((publications::find(&app.db, &issue.publication).await?, issue))
}

/// POST /manager/epaper_issue/{issue}: day, numbers, name, and the names of its pages.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let (publication, issue) = own(&app, &member, kind, &id).await?;
    let mut form = read_form(&body)?;
    let desk = address::issue_desk(kind, &issue);
    // readers have links to what came out
    if issue.state.was_public() && kind == Kind::Epaper && Day::read(form.get("day")) != Ok(issue.day) {
        form.refuse("day", "已经发布过的一期不能改日期，读者手里的链接会断");
    }
    if issue.state == IssueState::Published
        && kind == Kind::Magazine
        && whole(form.get("total"), ISSUES) != Some(issue.numbers.total)
    {
        form.refuse(
            "total",
            "读者看得到的一期不能改总期号，他们手里的链接会断；要改，先撤回，改好再重新发布",
        );
    }
    let mut names = Vec::new();
    for page in 1..=issue.pages {
        let field = format!("page-{page}");
        let name = form.get(&field).to_owned();
        if name.chars().count() > PAGE_NAME_LENGTH {
            form.refuse(&field, format!("第 {page} {}的名称最多 {PAGE_NAME_LENGTH} 个字", kind.page_word()));
        }
        names.push((page, name));
    }
    let mut tx = app.db.begin().await?;
    let Some((day, numbers, name)) = facts_in(&mut tx, &mut form, &publication, Some(&id)).await? else {
        drop(tx);
        return render::again(&app, parts, &desk, form).await;
    };
    let revision = form.get("revision").parse().unwrap_or(issue.revision);
    let facts = Issue { day, numbers, name, revision, ..issue };
    // pages before their issue, as everywhere: who holds one waits for the other
    for (page, name) in names {
        store::set_page_name(&mut tx, &id, page, &name).await?;
    }
    if !store::set_facts(&mut tx, &facts, now_ms()).await? {
        drop(tx);
        return again_over_newest(&app, parts, &desk, form).await;
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{desk}?done=saved")).into_response())
}

/// When a form wants an issue to come out.
fn moment_in(form: &mut Form, now: i64) -> Option<i64> {
    let (day, minutes) = (Day::read(form.get("on")), time::minutes(form.get("at")));
    if let Err(problem) = &day {
        form.refuse("on", problem.to_string());
    }
    if minutes.is_none() {
        form.refuse("at", "时间写成 06:30 这样");
    }
    let at = day.ok()?.start() + minutes? * 60_000;
    if at <= now {
        form.refuse("on", "这个时间已经过去了；要马上发布，请用“现在发布”");
        return None;
    }
    if at - now > MOST_AHEAD_MS {
        form.refuse("on", "最多可以定到一年以内");
        return None;
    }
    Some(at)
}

/// POST /manager/epaper_issue/{issue}/state: `act` is publish, schedule, cancel or withdraw. Who bought a withdrawn issue alone goes
/// on reading it; with `refund` `all` they get their money back instead.
pub async fn advance(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let (_, issue) = own(&app, &member, kind, &id).await?;
    let desk = address::issue_desk(kind, &issue);
    let mut form = read_form(&body)?;
    let now = now_ms();
    let to = match form.get("act") {
        "publish" => IssueState::Published,
        "schedule" => IssueState::Scheduled,
        "cancel" => IssueState::Draft,
        "withdraw" => IssueState::Withdrawn,
        _ => return Err(Error::Incomplete),
    };
    let refunds = to == IssueState::Withdrawn && form.get("refund") == "all";
    let done = format!("{desk}?done={}", if refunds { "refunded" } else { to.code() });
    // pressed twice it is done once
    if issue.state == to && to != IssueState::Scheduled {
        if refunds {
            // what could not be given back at once is when there is income again
            let mut tx = app.db.begin().await?;
            selling::give_singles_back(&mut tx, &member.id, ISSUE_KIND, id.as_str()).await?;
            tx.commit().await?;
            app.bell.ring();
        }
        return Ok(Redirect::to(&done).into_response());
    }
    if issue.withdrawn_reason.is_some() {
        return Err(Error::Conflict("这一期被下架了，要重新发布请先联系我们。".into()));
    }
    issue.state.advance(to).map_err(|problem| Error::Conflict(problem.to_string()))?;
    let at = match to {
        IssueState::Scheduled => {
            let Some(at) = moment_in(&mut form, now) else {
                return render::again(&app, parts, &desk, form).await;
            };
            Some(at)
        }
        _ => None,
    };
    let mut tx = app.db.begin().await?;
    if !store::set_state(&mut tx, &id, (issue.state, to), at, now).await? {
        return Err(Error::Conflict("这一期刚刚变了，请刷新页面看看。".into()));
    }
    match (to, at) {
        (IssueState::Scheduled, Some(at)) => {
            jobs::enqueue_at(&mut tx, &PublishIssue { issue: id.clone(), at }, at).await?;
        }
        (IssueState::Published, _) => after_publishing(&mut tx, &id, &issue.member).await?,
        (IssueState::Withdrawn, _) => {
            selling::end_offer(&mut tx, &member.id, ISSUE_KIND, id.as_str()).await?;
            if refunds {
                selling::give_singles_back(&mut tx, &member.id, ISSUE_KIND, id.as_str()).await?;
            }
        }
        _ => {}
    }
    tx.commit().await?;
    app.bell.ring();
    if to == IssueState::Withdrawn {
        works::forget_book_files(&app, id.as_str()).await?;
    }
    Ok(Redirect::to(&done).into_response())
}

/// POST /manager/epaper_issue/{issue}/removal: what readers don't see goes, and its day is free. One that they saw goes as its maker
/// saw it last, and stays where somebody bought it alone and has it still: the money goes back first, or it is published again.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let kind = kind_of(parts.uri.path())?;
    let (publication, issue) = own(&app, &member, kind, &id).await?;
    let revision = read_form(&body)?.get("revision").parse().unwrap_or(-1);
    let readers = app.house.readers_of(&app, ISSUE_KIND, id.as_str()).await?;
    if issue.state != IssueState::Published && !readers.is_none() {
        return Err(Error::Conflict(why_it_stays(readers)));
    }
    let mut tx = app.db.begin().await?;
    uses::forget(&mut tx, &id, now_ms()).await?;
    if !store::remove(&mut tx, &id, revision).await? {
        return Err(Error::Conflict(if issue.state == IssueState::Published {
            "读者看得到的一期不能删除，请先撤回。".into()
        } else {
            "这一期刚刚变了，请打开它看过，再删除。".into()
        }));
    }
    selling::end_offer(&mut tx, &member.id, ISSUE_KIND, id.as_str()).await?;
    tx.commit().await?;
    works::forget_book_files(&app, id.as_str()).await?;
    Ok(Redirect::to(&format!("{}/{}?done=removed", address::desk(kind), publication.id)))
}

/// Why an issue is not removed, and what to do.
fn why_it_stays(Readers { entitled, gifts }: Readers) -> String {
    let who = match (entitled, gifts) {
        (_, 0) => format!("还有 {entitled} 位读者买了这一期可以读"),
        (0, _) => format!("还有 {gifts} 份付了款的这一期礼物没有人领取"),
        _ => format!("还有 {entitled} 位读者买了这一期可以读，{gifts} 份付了款的礼物没有人领取"),
    };
    format!("{who}，现在不能删除。先给他们退款，再来删除；也可以改好以后重新发布。")
}

/// POST /manager/epaper_issue/{issue}/proposals: takes all that are proposed as they are.
pub async fn accept(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let kind = kind_of(parts.uri.path())?;
    let (_, issue) = own(&app, &member, kind, &id).await?;
    let page: usize = read_form(&body)?.get("page").parse().unwrap_or(0);
    proposals::accept(&app, &issue.id, page).await?;
    let desk = address::issue_desk(kind, &issue);
    Ok(Redirect::to(&if page == 0 {
        format!("{desk}?done=accepted")
    } else {
        format!("{desk}/{page}?done=accepted")
    }))
}

/// GET /manager/epaper_issue/{issue}.
#[component]
pub fn IssuePageDesk() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<IssueId>("issue"));
    loaded(
        async move {
            let (Here { app, member }, kind, id) = (here?, kind?, id?);
            let (publication, issue) = own(&app, &member, kind, &id).await?;
            let pages = store::pages(&app.db, &id).await?;
            let all = articles::headlines(&app.db, &id, true).await?;
            let loose = joined::loose_ends(&app.db, &id).await?;
            let sold = Sold {
                readers: app.house.readers_of(&app, ISSUE_KIND, id.as_str()).await?,
                singles: selling::singles(&app.db, &member.id, ISSUE_KIND, id.as_str()).await?,
            };
            Ok((member, publication, issue, pages, all, loose, sold))
        },
        |(member, publication, issue, pages, all, loose, sold)| {
            let kind = publication.kind;
            let title = format!("{} {}", issue.day, issue.title());
            let desk = address::issue_desk(kind, &issue);
            let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
                Some("made") => Some("草稿建好了。下面核对稿件，再发布。"),
                Some("saved") => Some("已保存。"),
                Some("published") => Some("已经发布，读者看得到了。"),
                Some("scheduled") => Some("定好了，到时间自动发布。"),
                Some("draft") => Some("定时已经取消，现在是草稿。"),
                Some("withdrawn") if sold.readers.is_none() => Some("已经撤回，读者打不开了。"),
                Some("withdrawn") => Some("已经撤回，别人打不开了；买过这一期的读者仍然可以读。"),
                Some("refunded") => {
                    Some("已经撤回，正在给单独买过这一期的读者退款。每一单的结果在“销售订单”里。")
                }
                Some("accepted") => Some("建议的稿件都已采用。"),
                Some("replaced") => Some("版面换好了。稿件有要核对的，下面会列出来。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let removal = (issue.state != IssueState::Published).then(|| {
                let seen = if issue.state.was_public() {
                    "读者手里的链接会打不开，这一天可以重新出一期。"
                } else {
                    ""
                };
                view! {
                    <details class="ask">
                        <summary>"删除这一期"</summary>
                        <form method="post" action=format!("{desk}/removal")>
                            <p>{format!("删除 {title}？版面和稿件都会删掉。{seen}")}</p>
                            <input type="hidden" name="revision" value=issue.revision.to_string()/>
                            <button class="button small danger">"删除"</button>
                        </form>
                    </details>
                }
            });
            view! {
                <Shell member title=title.clone() assets=&["newsdesk.css", "drafts.js"]>
                    <header class="head">
                        <div>
                            <p>
                                <a class="link" href=format!("{}/{}", address::desk(kind), publication.id)>
                                    {publication.name.clone()}
                                </a>
                            </p>
                            <h1>{unbroken(&title)}" "<StateBadge state=issue.state/></h1>
                            <p class="quiet">{format!("总第 {} 期，{} {}", issue.numbers.total, issue.pages, kind.page_word())}</p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="还没有办成"/>
                    <Stand publication=publication.clone() issue=issue.clone() all=all.clone() sold/>
                    <Found kind issue=issue.clone() pages=pages.clone() all=all.clone()/>
                    <LooseEnds kind desk=desk.clone() loose/>
                    <FactsForm publication issue=issue.clone() pages all/>
                    {removal}
                </Shell>
            }
        },
    )
}

/// Articles whose words say 下转, where nobody has said with which one they go on.
#[component]
pub fn LooseEnds(kind: Kind, desk: String, loose: Vec<LooseEnd>) -> impl IntoView {
    if loose.is_empty() {
        return None;
    }
    let items: Vec<_> = loose
        .into_iter()
        .map(|LooseEnd { page, title, leads_to }| {
            let (here, there) = (kind.page_title(page, ""), kind.page_title(leads_to, ""));
            view! {
                <li>
                    <a class="link" href=format!("{desk}/{page}/makeup")>{format!("{here} {title}")}</a>
                    {format!("：下转 {there}")}
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="notice warn" aria-labelledby="loose-ends">
            <h2 id="loose-ends">"还没有接上的稿件"</h2>
            <p>"它们写着“下转”，另一版上没有对得上的。按文字块改：选中它的一块文字，在“下转”里选那一篇。"</p>
            <ul>{items}</ul>
        </section>
    })
}
