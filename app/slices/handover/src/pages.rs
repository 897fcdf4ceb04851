//! /staff/hot-folder: what hangs, what lies in the folder or was taken out of it, what is over.

use axum::extract::{RawForm, State as Extracted};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::hot_folder::JobNumber;
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::render::{self, loaded};
use web::staff::here;
use web::ui::forms::{CHOOSE, read_form};
use web::ui::parts::{ErrorSummary, Moment};
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, said, waited};

use super::PAGE;
use super::place::{Hangs, Place};
use super::store::{self, Job, State, Trouble};
use super::sweep::{self, ENTRY, JOB, ORDER};

/// Jobs that are over, on the page.
const MOST: i64 = 50;

/// What a clerk may do to a job as it is.
fn offers(job: &Job) -> &'static [(&'static str, &'static str)] {
    const AGAIN: (&str, &str) = ("again", "再放一次");
    const CLOSE: (&str, &str) = ("close", "我处理了");
    match job.state {
        State::Taken if job.recalled.is_some() => &[CLOSE, AGAIN],
        State::Placed if job.recalled.is_some() => &[CLOSE],
        State::Taken | State::Printed | State::Closed => &[AGAIN],
        State::Withdrawn => &[AGAIN, CLOSE],
        State::Replaced => &[CLOSE],
        State::Placing | State::Placed | State::Again => &[],
    }
}

/// POST /staff/hot-folder: the field `step` says what, `job` of which, `seen` in which state the page showed it.
pub async fn act(
    Extracted(app): Extracted<App>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let done = match form.get("step") {
        "begin" => adopt(&app).await,
        "again" | "close" => match form.get("job").parse::<JobNumber>() {
            Ok(number) => see_to(&app, &number, form.get("step"), form.get("seen")).await,
            Err(_) => Err(Error::NotFound),
        },
        "" => Err(Error::Conflict(CHOOSE.into())),
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    match done {
        Ok(is_now) => {
            if !is_now {
                audit::unchanged();
            }
            Ok(Redirect::to(&said(PAGE, is_now)).into_response())
        }
        Err(Error::Conflict(words)) => {
            form.refuse("", words);
            render::again(&app, parts, PAGE, form).await
        }
        Err(error) => Err(error),
    }
}

/// The folder was emptied, or is a new one: it is marked anew. False where it has its mark.
async fn adopt(app: &App) -> Result<bool, Error> {
    let conflict = |Hangs(words)| Error::Conflict(words);
    let hot = app.config.hot_folder.as_ref();
    let hot = hot.ok_or_else(|| Error::Conflict("没有设热文件夹".into()))?;
    let place = Place::of(app, hot);
    let known = store::known(&app.db).await?.map(|(house, _)| house);
    match place.mark().await.map_err(conflict)? {
        Some(mark) if known.as_ref() == Some(&mark) => return Ok(false),
        Some(_) => return Err(Error::Conflict("这个热文件夹是另一家店的，没有动它".into())),
        None => {}
    }
    sweep::begin(app, &place, &hot.named).await.map_err(conflict)?;
    let mut tx = app.db.begin().await?;
    audit::note(&mut tx, "hot folder begin", "", &json!({ "folder": hot.named })).await?;
    tx.commit().await?;
    Ok(true)
}

/// What a clerk does to a job; false where it was done before.
async fn see_to(app: &App, number: &JobNumber, step: &str, seen: &str) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let job = store::lock(&mut tx, number).await?;
    let (to, action) = match step {
        "again" => (State::Again, "job again"),
        _ => (State::Closed, "job close"),
    };
    if job.state == to {
        return Ok(false);
    }
    if job.state.code() != seen || !offers(&job).iter().any(|(offered, _)| *offered == step) {
        let words = format!("{number} 现在是“{}”，请看一眼再办", job.state.name());
        return Err(Error::Conflict(words));
    }
    if to == State::Again {
        let floor = production::standings_within(&mut tx, &number.order).await?;
        let is_open =
            |now: &domain::hot_folder::Standing| job.parts.has(now.line, now.round) && now.place.is_open();
        if !floor.iter().any(is_open) {
            return Err(Error::Conflict("这个任务的书都已经离开生产，不用再放".into()));
        }
    }
    store::step(&mut tx, &job, to, now_ms()).await?;
    audit::note(&mut tx, action, number.order.as_str(), &json!({ "job": number.to_string() })).await?;
    tx.commit().await?;
    Ok(true)
}

/// GET /staff/hot-folder.
#[component]
pub fn HotFolderPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let app = here?.app;
            let db = &app.db;
            let named = app.config.hot_folder.as_ref().map(|hot| hot.named.clone());
            Ok((named, store::troubles(db).await?, store::active(db).await?, store::over(db, MOST).await?))
        },
        |(named, troubles, active, over)| {
            let body = match named {
                None => view! {
                    <section class="trim empty">
                        <h2>"没有设热文件夹"</h2>
                        <p class="quiet">"设了 BINDERY_HOT_FOLDER，能印的订单就会整份出现在那个文件夹或存储桶里，印好移到 printed，生产就往下走。"</p>
                    </section>
                }
                .into_any(),
                Some(named) => view! {
                    <p class="quiet">{format!("{named}，每几秒看一次。印好的移到 printed；撤回的在 withdrawn；读过的在 done。")}</p>
                    <Troubles troubles/>
                    <Jobs title="在文件夹里，或已取走" jobs=active nothing="现在没有。能印的订单过了会员可以自己取消的一小时，就会放进来。"/>
                }
                .into_any(),
            };
            let over = (!over.is_empty()).then(|| view! { <Jobs title="最近办完的" jobs=over nothing=""/> });
            view! {
                <StaffShell title="热文件夹".to_owned() assets=&["staff.css"]>
                    <header class="head"><h1>"热文件夹"</h1></header>
                    <ErrorSummary title="没有办成"/>
                    {body}
                    {over}
                </StaffShell>
            }
        },
    )
}

/// What a trouble is about, in words, and its page.
fn about(subject: &str) -> (String, Option<String>) {
    if let Some(order) = subject.strip_prefix(ORDER) {
        (format!("订单 {order}"), Some(format!("/staff/orders/{order}")))
    } else if let Some(job) = subject.strip_prefix(JOB) {
        (format!("任务 {job}"), Some(format!("#job-{job}")))
    } else if let Some(entry) = subject.strip_prefix(ENTRY) {
        (format!("printed 里的“{entry}”"), None)
    } else {
        ("文件夹".to_owned(), None)
    }
}

#[component]
fn Troubles(troubles: Vec<Trouble>) -> impl IntoView {
    if troubles.is_empty() {
        return view! { <p class="notice good">"没有卡住的。"</p> }.into_any();
    }
    let now = now_ms();
    // an empty folder is what a share looks like that is not mounted: only a clerk knows
    let lacks_mark = troubles.iter().any(|trouble| trouble.words.contains("重新启用"));
    let begin = lacks_mark.then(|| {
        view! {
            <form method="post" action=PAGE>
                <input type="hidden" name="step" value="begin"/>
                <button class="button">"重新启用"</button>
            </form>
        }
    });
    let rows: Vec<_> = troubles
        .into_iter()
        .map(|trouble| {
            let (name, page) = about(&trouble.subject);
            let name = match page {
                Some(page) => view! { <a class="link" href=page>{name}</a> }.into_any(),
                None => name.into_any(),
            };
            Record::new()
                .cell("什么", name)
                .cell("为什么", trouble.words)
                .cell("多久", waited(trouble.since, now))
        })
        .collect();
    view! {
        <section>
            <h2>"卡住的"</h2>
            <Records rows/>
            {begin}
        </section>
    }
    .into_any()
}

#[component]
fn Jobs(title: &'static str, jobs: Vec<Job>, nothing: &'static str) -> impl IntoView {
    if jobs.is_empty() {
        return view! { <section><h2>{title}</h2><p class="quiet">{nothing}</p></section> }.into_any();
    }
    let rows: Vec<_> = jobs.into_iter().map(row).collect();
    view! {
        <section>
            <h2>{title}</h2>
            <Records rows/>
        </section>
    }
    .into_any()
}

fn row(job: Job) -> Record {
    let number = job.number.to_string();
    let acts: Vec<_> = offers(&job)
        .iter()
        .map(|(step, name)| {
            view! {
                <form method="post" action=PAGE>
                    <input type="hidden" name="job" value=number.clone()/>
                    <input type="hidden" name="seen" value=job.state.code()/>
                    <button class="button" name="step" value=*step>{*name}<span class="sr">{format!("：{number}")}</span></button>
                </form>
            }
        })
        .collect();
    let recalled = job.recalled.clone().map(|why| view! { <span class="quiet">{why}</span> });
    let floor = format!("/staff/floor/{}", job.number.order);
    let state = view! { <span class="badge">{job.state.name()}</span>" "<Moment at=job.since/>" "{recalled} };
    Record::new()
        .id(format!("job-{number}"))
        .cell("任务", view! { <a class="link" href=floor>{job.name.clone()}</a> })
        .cell("现在", state)
        .moment("放入", job.placed_at)
        .moment("取走", job.taken_at)
        .moment("印好", job.printed_at)
        .cell("办理", acts)
}
