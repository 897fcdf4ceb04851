//! /staff/reports 举报: what readers say should not be here, and what the house does about it.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::days::DAY_MS;
use domain::ids::WorkId;
use domain::staff::Capability;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, loaded, use_form, use_query};
use web::router::Parameter;
use web::slice::{Queue, Queues};
use web::staff::{Here, here};
use web::ui::forms::{check_length, read_form};
use web::ui::lists::Pager;
use web::ui::parts::{ErrorSummary, FieldError, Moment};
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, said, waited};

use super::operate::{self, Done, LONGEST};
use super::reports::{self, Position, Report, reason_named};
use super::store::{self, Share};

const PATH: &str = "/staff/reports";
/// The view of what was closed, as the address says it.
const CLOSED: &str = "closed";
/// How long a report may wait, in ms.
const LATE_MS: i64 = DAY_MS;
/// For how long what was closed is listed, in ms.
const LISTED_MS: i64 = 90 * DAY_MS;
/// Things that one page lists with what is open about them, and reports of one of them.
const MOST_THINGS: usize = 50;
const MOST_OF_ONE: usize = 20;
/// Closed reports on one page.
const PAGE: usize = 50;

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let (count, oldest) = reports::waiting(&app.db).await?;
        Ok(vec![Queue {
            name: "待处理的举报",
            href: PATH.to_owned(),
            count,
            oldest,
            needs: Capability::Reports,
            late_after_ms: LATE_MS,
        }])
    }
}

fn closed_view() -> String {
    lists::address(PATH, &[("view", CLOSED)])
}

/// What a field is called on the page, where many forms have one of its name.
fn own_field(name: &str, of: &str) -> String {
    format!("{name}-{of}")
}

/// The sentence that a form says; nothing where it is refused. What was typed, and what is wrong with it, come back in the field
/// of that form alone.
fn sentence(form: &mut Form, name: &str, of: &str, label: &str) -> Option<String> {
    let own = own_field(name, of);
    let typed = operate::without_stop(form.get(name)).to_owned();
    form.forget(name);
    form.set(&own, &typed);
    check_length(form, &own, label, 1, LONGEST);
    (!form.is_refused()).then_some(typed)
}

fn answer(address: &str, done: Done) -> Response {
    if done == Done::Already {
        audit::unchanged();
    }
    Redirect::to(&said(address, done == Done::Changed)).into_response()
}

/// POST /staff/reports/{id}/closing.
pub async fn close(
    State(app): State<App>,
    Parameter(id): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    match sentence(&mut form, "outcome", &id, "处理结果") {
        Some(outcome) => Ok(answer(PATH, operate::close(&app, &id, &outcome).await?)),
        None => render::again(&app, parts, PATH, form).await,
    }
}

/// POST /staff/reports/works/{work}/withdrawal.
pub async fn withdraw(
    State(app): State<App>,
    Parameter(work): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if let Some(reason) = sentence(&mut form, "reason", work.as_str(), "下架的原因") {
        match operate::withdraw(&app, &work, &reason).await {
            Ok(done) => return Ok(answer(PATH, done)),
            Err(Error::NotFound) => {
                form.refuse("", "没有下架：这件作品已经不再分享，读者打不开。请逐条关闭它的举报。");
            }
            Err(error) => return Err(error),
        }
    }
    render::again(&app, parts, PATH, form).await
}

/// POST /staff/reports/works/{work}/allowing.
pub async fn allow(
    State(app): State<App>,
    Parameter(work): Parameter<WorkId>,
    parts: Parts,
) -> Result<Response, Error> {
    match operate::allow(&app, &work).await {
        Ok(done) => Ok(answer(&closed_view(), done)),
        Err(Error::NotFound) => {
            let mut form = Form::default();
            form.refuse("", "没有改动：这件作品已经不再分享，作者也许删除了它。");
            render::again(&app, parts, &closed_view(), form).await
        }
        Err(error) => Err(error),
    }
}

/// Something that is reported, with what is open about it, the oldest first.
struct Thing {
    id: String,
    /// Where readers open it.
    path: String,
    is_work: bool,
    /// As it was when it was reported first; empty where not even that was to be known.
    title: String,
    share: Option<Share>,
    reports: Vec<Report>,
}

impl Thing {
    fn of(report: &Report) -> Self {
        Self {
            id: report.work_id.clone(),
            path: report.path(),
            is_work: report.is_of_work(),
            title: report.title.clone(),
            share: None,
            reports: Vec::new(),
        }
    }
}

/// What the page lists.
enum Listed {
    Open {
        things: Vec<Thing>,
        /// Whether there are more than these.
        more: bool,
    },
    Closed {
        reports: Vec<Report>,
        /// Of the works that these are about and that are shared.
        shares: BTreeMap<String, Share>,
        is_later: bool,
        next: Option<String>,
    },
}

/// Those of the works that these reports are about that are shared, by their ids.
async fn shares_of(app: &App, works: BTreeSet<&str>) -> Result<BTreeMap<String, Share>, Error> {
    let works: Vec<&str> = works.into_iter().collect();
    let shares = store::find_all(&app.db, &works).await?;
    Ok(shares.into_iter().map(|share| (share.work.to_string(), share)).collect())
}

/// What is open, what was reported first at the top; several reports of one thing stand together.
async fn open_things(app: &App) -> Result<Listed, Error> {
    let mut things: Vec<Thing> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    for report in reports::open_ones(&app.db).await? {
        let thing = (report.work_id.clone(), report.address.clone());
        let place = *places.entry(thing).or_insert(things.len());
        if place == things.len() {
            things.push(Thing::of(&report));
        }
        things[place].reports.push(report);
    }
    let more = things.len() > MOST_THINGS;
    things.truncate(MOST_THINGS);
    let works: BTreeSet<&str> =
        things.iter().filter(|thing| thing.is_work).map(|thing| thing.id.as_str()).collect();
    let mut shares = shares_of(app, works).await?;
    for thing in things.iter_mut().filter(|thing| thing.is_work) {
        thing.share = shares.remove(&thing.id);
    }
    Ok(Listed::Open { things, more })
}

async fn closed_ones(app: &App, after: &str) -> Result<Listed, Error> {
    let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
    let since = now_ms() - LISTED_MS;
    let mut reports = reports::closed_ones(&app.db, since, after.as_ref(), PAGE as i64 + 1).await?;
    let more = reports.len() > PAGE;
    reports.truncate(PAGE);
    let next = reports.last().filter(|_| more).map(|report| {
        Position { at: report.closed_at.unwrap_or_default(), id: report.id.clone() }.to_string()
    });
    let works: BTreeSet<&str> =
        reports.iter().filter(|report| report.is_of_work()).map(|report| report.work_id.as_str()).collect();
    let shares = shares_of(app, works).await?;
    Ok(Listed::Closed { reports, shares, is_later: after.is_some(), next })
}

async fn load(here: Result<Here, Error>, view: String, after: String) -> Result<Listed, Error> {
    let app = here?.app;
    match view.as_str() {
        "" => open_things(&app).await,
        CLOSED => closed_ones(&app, &after).await,
        _ => Err(Error::NotFound),
    }
}

/// GET /staff/reports, and ?view=closed&after=….
#[component]
pub fn ReportsPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    loaded(load(here, query("view"), query("after")), |listed| {
        let is_open = matches!(listed, Listed::Open { .. });
        let body = match listed {
            Listed::Open { things, more } => view! { <Open things more/> }.into_any(),
            Listed::Closed { reports, shares, is_later, next } => {
                view! { <ClosedOnes reports shares is_later next/> }.into_any()
            }
        };
        view! {
            <StaffShell title="举报".to_owned() assets=&["staff.css"]>
                <header class="head"><h1>"举报"</h1></header>
                <ErrorSummary title="没有保存"/>
                <nav class="filter" aria-label="举报">
                    <a href=PATH aria-current=is_open.then_some("page")>"待处理"</a>
                    <a href=closed_view() aria-current=(!is_open).then_some("page")>"最近 90 天关闭的"</a>
                </nav>
                {body}
            </StaffShell>
        }
    })
}

#[component]
fn Open(things: Vec<Thing>, more: bool) -> impl IntoView {
    if things.is_empty() {
        return view! {
            <section class="trim empty">
                <h2>"没有待处理的举报"</h2>
                <p class="quiet">"读者在阅读页、电子报、期刊和书架上的举报都会到这里。"</p>
            </section>
        }
        .into_any();
    }
    let more = more.then(|| {
        view! { <p class="quiet">{format!("这里是等得最久的 {MOST_THINGS} 件，处理以后会看到其余的。")}</p> }
    });
    let things: Vec<_> = things.into_iter().map(|thing| view! { <ThingSheet thing/> }).collect();
    view! {
        <p class="hint">
            "链接打开的是读者看到的样子；设了密码的要输入密码，私密的打不开。同一件东西的举报放在一起。"
        </p>
        <div class="stack">{things}</div>
        {more}
    }
    .into_any()
}

/// Who can read a shared work now, with the look of its mark.
fn state_of(share: Option<&Share>, now: i64) -> (&'static str, &'static str) {
    match share {
        None => ("不再分享", "badge"),
        Some(share) if share.withdrawn_reason.is_some() => ("已下架", "badge bad"),
        Some(share) if share.is_trashed => ("在作者的回收站里", "badge"),
        Some(share) if share.withdrawn_at.is_some() => ("作者已收回", "badge"),
        Some(share) if share.terms().is_over(now) => ("分享已到期", "badge"),
        Some(share) => (share.settings.visibility.name(), "badge warn"),
    }
}

/// What something is called for whoever reads reports: as it is now, else as it was.
fn title_of(share: Option<&Share>, reported: &str) -> String {
    match share.map_or(reported, |share| share.settings.title.as_str()) {
        "" => "没有标题".to_owned(),
        title => format!("《{title}》"),
    }
}

#[component]
fn ThingSheet(thing: Thing) -> impl IntoView {
    let now = now_ms();
    let title = title_of(thing.share.as_ref(), &thing.title);
    let state = thing.is_work.then(|| {
        let (words, class) = state_of(thing.share.as_ref(), now);
        view! { " "<span class=class>{words}</span> }
    });
    let count = thing.reports.len();
    let rest = count.checked_sub(MOST_OF_ONE).filter(|rest| *rest > 0);
    let rest =
        rest.map(|rest| view! { <p class="quiet">{format!("还有 {rest} 条，关闭一些以后会看到。")}</p> });
    let about = title.clone();
    let reports: Vec<_> = thing
        .reports
        .into_iter()
        .take(MOST_OF_ONE)
        .map(|report| view! { <OpenReport report about=about.clone() now/> })
        .collect();
    let withdrawal = match (thing.is_work, thing.share.is_some()) {
        (true, true) => view! { <Withdrawal work=thing.id about=title.clone()/> }.into_any(),
        (true, false) => {
            view! { <p class="hint">"这件作品已经不再分享，不用下架，逐条关闭就好。"</p> }.into_any()
        }
        (false, _) => view! {
            <p class="hint">
                "这是电子报、期刊或书架的页面，不能在这里下架：请联系作者，或请站长处理，然后逐条关闭。"
            </p>
        }
        .into_any(),
    };
    view! {
        <section class="sheet stack">
            <div>
                <h2><a class="link" href=thing.path>{title}</a>{state}</h2>
                <p class="quiet">{format!("{count} 条举报")}</p>
            </div>
            <ul class="reports">{reports}</ul>
            {rest}
            {withdrawal}
        </section>
    }
}

/// What somebody says of it, with the form that closes it.
#[component]
fn OpenReport(report: Report, about: String, now: i64) -> impl IntoView {
    let reason = reason_named(&report.reason);
    let is_late = now - report.created_at > LATE_MS;
    let class = if is_late { "badge warn" } else { "badge" };
    let words = (!report.words.is_empty()).then(|| view! { <p class="words">{report.words.clone()}</p> });
    let contact = (!report.contact.is_empty()).then(|| format!("，联系方式：{}", report.contact));
    let action = format!("{PATH}/{}/closing", report.id);
    view! {
        <li class="stack">
            <p>
                <strong>{reason}</strong>" "
                <span class=class>{waited(report.created_at, now)}</span>
            </p>
            {words}
            <p class="hint"><Moment at=report.created_at/>" 收到"{contact}</p>
            <form class="row" method="post" action=action>
                <Sentence name="outcome" of=report.id label="处理结果"/>
                <button class="button">
                    "关闭这条举报"<span class="sr">{format!("：{about}，{reason}")}</span>
                </button>
            </form>
        </li>
    }
}

/// Takes a work away from readers, after a question.
#[component]
fn Withdrawal(work: String, about: String) -> impl IntoView {
    let is_refused = use_form().error(&own_field("reason", &work)).is_some();
    let action = format!("{PATH}/works/{work}/withdrawal");
    view! {
        <details class="ask" open=is_refused>
            <summary>"下架这件作品"<span class="sr">{format!("：{about}")}</span></summary>
            <form method="post" action=action>
                <p>
                    {format!("下架{about}？谁都不能再看，它的举报一起关闭。作者会读到原因，不能自己重新发布，直到这里允许。")}
                </p>
                <Sentence name="reason" of=work label="下架的原因（作者会看到）"/>
                <button class="button small danger">"下架"</button>
            </form>
        </details>
    }
}

/// A field for a sentence, of which the page has many of the same name.
#[component]
fn Sentence(name: &'static str, of: String, label: &'static str) -> impl IntoView {
    let form = use_form();
    let own = own_field(name, &of);
    let (typed, is_wrong) = (form.or(&own, ""), form.error(&own).is_some());
    let described = is_wrong.then(|| format!("{own}-error"));
    view! {
        <div class="field">
            <label for=own.clone()>{label}</label>
            <input
                id=own.clone()
                name=name
                type="text"
                value=typed
                maxlength=LONGEST.to_string()
                autocomplete="off"
                required=true
                aria-invalid=is_wrong.then_some("true")
                aria-describedby=described
            />
            <FieldError name=own/>
        </div>
    }
}

#[component]
fn ClosedOnes(
    reports: Vec<Report>,
    shares: BTreeMap<String, Share>,
    is_later: bool,
    next: Option<String>,
) -> impl IntoView {
    if reports.is_empty() && !is_later {
        return view! { <p class="quiet">"最近 90 天没有关闭过举报。"</p> }.into_any();
    }
    let first = is_later.then(closed_view);
    let next = next.map(|next| lists::address(PATH, &[("view", CLOSED), ("after", next.as_str())]));
    // a work is offered once, however many reports of it stand here
    let mut offered = BTreeSet::new();
    let rows: Vec<_> = reports
        .into_iter()
        .map(|report| {
            let share = shares.get(&report.work_id).filter(|_| report.is_of_work());
            let is_barred = share.is_some_and(|share| share.withdrawn_reason.is_some());
            let may_allow = is_barred && offered.insert(report.work_id.clone());
            let title = title_of(share, &report.title);
            closed_row(report, title, may_allow)
        })
        .collect();
    view! {
        <Records rows/>
        <Pager first next back="回到最近" further="更早关闭的"/>
    }
    .into_any()
}

fn closed_row(report: Report, title: String, may_allow: bool) -> Record {
    let (path, reason) = (report.path(), reason_named(&report.reason));
    let allow = may_allow.then(|| {
        view! {
            <form method="post" action=format!("{PATH}/works/{}/allowing", report.work_id)>
                <button class="button small">"允许再次发布"<span class="sr">{format!("：{title}")}</span></button>
            </form>
        }
    });
    Record::new()
        .cell("举报的内容", view! { <a class="link" href=path>{title}</a> })
        .cell("原因", view! { <span>{reason}<span class="detail">{report.words}</span></span> })
        .cell("处理结果", report.outcome.unwrap_or_default())
        .moment("收到", report.created_at)
        .moment("关闭", report.closed_at)
        .acts(allow)
}
