//! /staff/machine: jobs that failed, messages that nobody sent, and how the machine is.

use axum::extract::State;
use axum::response::Redirect;
use base::audit;
use base::db::{Db, now_ms};
use base::delivery::{self, Waiting};
use base::error::Error;
use base::jobs::{self, Letter};
use base::storage::LITTLE_ROOM;
use base::time;
use domain::staff::Capability;
use leptos::prelude::*;
use web::app::App;
use web::approvals;
use web::backups;
use web::pixels;
use web::render::loaded;
use web::router::Parameter;
use web::slice::{Queue, Queues};
use web::staff::here;
use web::ui::parts::ErrorSummary;
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, said, waited};

use super::read_only::ReadOnlyForm;
use super::{clerks, close};
use ::backups::Backups;

pub const PATH: &str = "/staff/machine";
const HOUR_MS: i64 = 60 * 60_000;
/// How old the newest backup may be before the page says so, in ms.
const BACKUP_MS: i64 = 36 * HOUR_MS;

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let dead = jobs::letters(&app.db, true).await?;
        let held = held(app).await?;
        let (asked, asked_since) = approvals::count(&app.db, clerks::acts::KIND).await?;
        let queue = |name, fragment: &str, count: usize, oldest, late_after_ms| Queue {
            name,
            href: format!("{PATH}#{fragment}"),
            count: count as i64,
            oldest,
            needs: Capability::Machine,
            late_after_ms,
        };
        let (count, oldest) = close::count_asked(app).await?;
        Ok(vec![
            Queue {
                name: "待复核的月结",
                href: close::LIST.to_owned(),
                count,
                oldest,
                needs: Capability::Payments,
                late_after_ms: 24 * HOUR_MS,
            },
            queue("失败的任务", "jobs", dead.len(), dead.iter().map(|job| job.run_at).min(), HOUR_MS),
            queue(
                "没有送出的消息",
                "messages",
                held.len(),
                held.first().map(|held| held.created_at),
                HOUR_MS,
            ),
            Queue {
                name: "待复核的账号",
                href: clerks::LIST.to_owned(),
                count: asked,
                oldest: asked_since,
                needs: Capability::Clerks,
                late_after_ms: 24 * HOUR_MS,
            },
        ])
    }
}

/// Messages that the program does not send.
async fn held(app: &App) -> Result<Vec<Waiting>, Error> {
    let mut waiting = delivery::waiting(app).await?;
    waiting.retain(|message| message.held == 1);
    Ok(waiting)
}

/// POST /staff/jobs/{id}/retry: one job, or `dead` for all that failed.
pub async fn retry(State(app): State<App>, Parameter(id): Parameter<String>) -> Result<Redirect, Error> {
    let id = Some(id.as_str()).filter(|id| *id != "dead");
    let count = jobs::retry(&app.db, id).await?;
    if count == 0 {
        audit::unchanged();
    }
    app.bell.ring();
    Ok(Redirect::to(&said(PATH, count > 0)))
}

/// Whether faces are looked for in photos.
#[derive(PartialEq, Eq)]
enum FaceSearch {
    Works,
    Off,
    /// The model can't be used; the log says why.
    Broken,
}

impl FaceSearch {
    fn words(&self) -> &'static str {
        match self {
            Self::Works => "正常",
            Self::Off => "已关闭（BINDERY_FACES=0），裁切时保留照片的上三分之一",
            Self::Broken => "模型不能用，原因见日志；裁切时保留照片的上三分之一",
        }
    }
}

/// How the machine is.
struct Facts {
    engine: &'static str,
    /// Jobs that wait for their time or a worker.
    waiting: usize,
    workers: usize,
    free: Option<u64>,
    backup_at: Option<i64>,
    faces: FaceSearch,
}

/// GET /staff/machine.
#[component]
pub fn MachinePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let app = here?.app;
            let dead = jobs::letters(&app.db, true).await?;
            let waiting = jobs::letters(&app.db, false).await?.len() - dead.len();
            let facts = Facts {
                engine: match app.db {
                    Db::Sqlite(..) => "SQLite",
                    Db::Postgres(..) => "PostgreSQL",
                },
                waiting,
                workers: app.health.working(),
                free: app.storage.free().ok(),
                backup_at: backups::newest(&app.db).await?,
                faces: match pixels::detector(&app) {
                    Some(_) => FaceSearch::Works,
                    None if app.config.looks_for_faces => FaceSearch::Broken,
                    None => FaceSearch::Off,
                },
            };
            let read_only = (app.read_only.now(), app.read_only.is_by_host());
            let made = ::backups::state(&app).await?;
            Ok::<_, Error>((dead, held(&app).await?, facts, made, read_only))
        },
        |(dead, held, facts, made, (read_only, by_host))| {
            view! {
                <StaffShell title="运行".to_owned() assets=&["staff.css"]>
                    <header class="head"><h1>"运行"</h1></header>
                    <ErrorSummary title="还没有改"/>
                    <Health facts/>
                    <Backups state=made/>
                    <ReadOnlyForm now=read_only by_host/>
                    <Letters dead/>
                    <Messages held/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Health(facts: Facts) -> impl IntoView {
    let Facts { engine, waiting, workers, free, backup_at, faces } = facts;
    let now = now_ms();
    let room = free.map(|bytes| {
        let class = if bytes < LITTLE_ROOM { "late" } else { "" };
        view! { <dt>"磁盘余量"</dt><dd class=class>{format!("{:.1} GB", bytes as f64 / 1e9)}</dd> }
    });
    let is_broken = faces == FaceSearch::Broken;
    let faces = faces.words();
    let is_late = backup_at.is_none_or(|at| now - at > BACKUP_MS);
    let backup = match backup_at {
        Some(at) => format!("{}（{}前）", time::stamp(at), waited(at, now)),
        None => "还没有做过：bindery backup 目录".to_owned(),
    };
    view! {
        <section class="sheet">
            <h2>"这台机器"</h2>
            <dl class="facts">
                <dt>"版本"</dt><dd class="num">{env!("CARGO_PKG_VERSION")}</dd>
                <dt>"数据库"</dt><dd>{engine}</dd>
                <dt>"排队的任务"</dt><dd class="num">{waiting}</dd>
                <dt>"在办任务的线程"</dt><dd class="num">{workers}</dd>
                {room}
                <dt>"照片里找人脸"</dt><dd class=if is_broken { "late" } else { "" }>{faces}</dd>
                <dt>"最近一次备份"</dt><dd class=if is_late { "late" } else { "" }>{backup}</dd>
            </dl>
        </section>
    }
}

#[component]
fn Letters(dead: Vec<Letter>) -> impl IntoView {
    if dead.is_empty() {
        return view! { <section class="sheet" id="jobs"><h2>"失败的任务"</h2><p class="quiet">"没有。"</p></section> }
            .into_any();
    }
    let rows: Vec<_> = dead
        .into_iter()
        .map(|job| {
            let action = format!("/staff/jobs/{}/retry", job.id);
            let again = view! { <form method="post" action=action><button class="button small">"再试一次"</button></form> };
            Record::new()
                .cell("任务", view! { {job.kind}<span class="detail">{job.payload}</span> })
                .cell("原因", view! { <span class="detail">{job.last_error.unwrap_or_default()}</span> })
                .moment("最后一次", job.run_at)
                .acts(again)
        })
        .collect();
    view! {
        <section class="sheet" id="jobs">
            <h2>"失败的任务"</h2>
            <p class="hint">"试了十二次都没有成功的任务停在这里。原因解决以后，再试一次。"</p>
            <Records rows/>
            <form method="post" action="/staff/jobs/dead/retry"><button class="button">"全部再试一次"</button></form>
        </section>
    }
    .into_any()
}

/// Without their words: codes are among them, which are their reader's alone.
#[component]
fn Messages(held: Vec<Waiting>) -> impl IntoView {
    let body = if held.is_empty() {
        view! { <p class="quiet">"没有。"</p> }.into_any()
    } else {
        let rows: Vec<_> = held
            .into_iter()
            .map(|message| {
                Record::new()
                    .cell("发给", message.contact)
                    .cell("事由", message.subject)
                    .moment("写于", message.created_at)
                    .moment("有效到", message.expires_at)
            })
            .collect();
        view! {
            <p class="hint">"没有配置邮件或短信，或者服务商拒收的消息。全文用命令行看：bindery outbox。"</p>
            <Records rows/>
        }
        .into_any()
    };
    view! { <section class="sheet" id="messages"><h2>"没有送出的消息"</h2>{body}</section> }
}
