//! /manager/epaper/{title}/archive, and of magazines: what was printed before becomes issues, many files at once. Each PDF is an issue,
//! named by its day. A day that is there is left alone: whoever was broken off sends the same files again.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::jobs;
use domain::archive::{Named, named};
use domain::document::{Document, Page};
use domain::ids::PublicationId;
use domain::issue_state::IssueState;
use domain::publication::{Day, Kind, MOST_ISSUES, MOST_PAGES, Numbers, old_numbers};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form, Here, here, loaded, parameter, use_form};
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{ErrorSummary, FieldError};
use web::ui::shell::Shell;

use super::jobs::ReadWords;
use super::new_issue::{draft, page_names, too_many_issues, write};
use super::store::issues::{self, Issue};
use super::store::publications::{self as store, Publication};
use super::{address, kind_here, kind_of};

/// Files in one request, and bytes of all of them. With a script each is sent by itself.
pub const MOST_FILES: usize = 20;
pub const MOST_REQUEST: usize = 512 << 20;
/// When a paper of old came out, in ms from the beginning of its day: readers' programs show a moment.
const MORNING_MS: i64 = 6 * 60 * 60_000;

/// What became of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
    file: String,
    said: String,
    /// The desk of the issue that was made, or was there.
    desk: Option<String>,
    is_refused: bool,
}

/// What is done with an issue as soon as it is made.
#[derive(Debug, Clone, Copy)]
struct Wishes {
    /// Readers see it.
    publishes: bool,
    /// Its articles are taken as they are read.
    accepts: bool,
}

/// What a file is, or why it is none.
enum Made {
    New(Issue),
    Known(Issue),
    Refused(String),
}

/// POST /manager/epaper/{title}/archive.
pub async fn take(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PublicationId>,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let publication = store::find_for_owner(&app.db, &id, &member.id, kind).await?;
    let (mut form, mut files) = works::receive_many(&app, multipart, MOST_FILES).await?;
    let wishes = Wishes { publishes: form.get("publish") == "1", accepts: form.get("accept") == "1" };
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    if files.is_empty() {
        form.refuse("file", "请选择 PDF 文件");
    }
    let mut outcomes = Vec::new();
    for file in files {
        let name = file.0.clone();
        // those before it are made, whatever becomes of this one
        let made = make(&app, &member, &publication, wishes, file).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "A file of an archive could not be taken in");
            Made::Refused("没有处理好，请再发一次".to_owned())
        });
        let outcome = match made {
            Made::New(issue) => {
                let state = if wishes.publishes && issue.day <= Day::of(now_ms()) {
                    "已经发布"
                } else {
                    "草稿"
                };
                let pages = match kind {
                    Kind::Epaper => format!("{} 个版", issue.pages),
                    Kind::Magazine => format!("{} 页", issue.pages),
                };
                let said = format!("{} {}，{pages}，{state}", issue.day, issue.title());
                Outcome { file: name, said, desk: Some(address::issue_desk(kind, &issue)), is_refused: false }
            }
            Made::Known(issue) => {
                let said = format!("{} 已经有一期了，没有再建", issue.day);
                Outcome { file: name, said, desk: Some(address::issue_desk(kind, &issue)), is_refused: false }
            }
            Made::Refused(said) => Outcome { file: name, said, desk: None, is_refused: true },
        };
        outcomes.push(outcome);
    }
    app.bell.ring();
    let refused = outcomes.iter().filter(|outcome| outcome.is_refused).count();
    if refused > 0 {
        form.refuse("file", format!("有 {refused} 个文件没有收下，原因写在下面；其他的已经建好，不用再选"));
    }
    form.set("outcomes", &serde_json::to_string(&outcomes)?);
    let page = format!("{}/{id}/archive", address::desk(kind));
    render::again(&app, parts, &page, form).await
}

async fn make(
    app: &App,
    member: &Member,
    publication: &Publication,
    wishes: Wishes,
    (name, arriving): works::SentFile,
) -> Result<Made, Error> {
    let Some(Named { day, number, total }) = named(&name) else {
        return Ok(Made::Refused("文件名里要有一个日期，比如 2026-11-28.pdf".to_owned()));
    };
    if let Some(known) = issues::on_day(&app.db, &publication.id, day).await? {
        return Ok(Made::Known(known));
    }
    let sent = Some((name, arriving));
    let pdf = match works::take_ready(app, member, &mut Form::default(), sent).await? {
        Ok(pdf) => pdf.ok_or_else(|| Error::internal("a file that was sent is none"))?,
        Err(reason) => return Ok(Made::Refused(reason)),
    };
    let document = works::ready_pages(&pdf, &publication.name, None)
        .ok_or_else(|| Error::internal("a PDF without pages"))?;
    let pages = document.pages.len();
    if pages > MOST_PAGES {
        return Ok(Made::Refused(format!("这份文件有 {pages} 页，一期最多 {MOST_PAGES} 页")));
    }
    // readers never see it: what an issue shows are its pages
    let document = Document { cover: Page::default(), ..document };
    let names = page_names(app, publication, &document, Some(day)).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    store::hold(&mut tx, &publication.id).await?;
    let known = issues::numbers(&mut tx, &publication.id).await?;
    if known.iter().any(|(_, other, _)| *other == day) {
        drop(tx);
        let known = issues::on_day(&app.db, &publication.id, day).await?.ok_or(Error::NotFound)?;
        return Ok(Made::Known(known));
    }
    if known.len() >= MOST_ISSUES {
        return Ok(Made::Refused(too_many_issues()));
    }
    if let Some(total) = total
        && known.iter().any(|(_, _, numbers)| numbers.total == total)
    {
        return Ok(Made::Refused(format!("总第 {total} 期已经有了，请看看文件名里的期号")));
    }
    let known: Vec<_> = known.into_iter().map(|(_, day, numbers)| (day, numbers)).collect();
    let next = old_numbers(&known, day);
    let numbers = Numbers { number: number.unwrap_or(next.number), total: total.unwrap_or(next.total) };
    let comes_out = wishes.publishes && day <= Day::of(now);
    let issue = Issue {
        published_at: comes_out.then(|| (day.start() + MORNING_MS).min(now)),
        ..draft(new_id(), publication, (day, numbers), &document)
    };
    write(&mut tx, &issue, &document, &names, wishes.accepts).await?;
    if comes_out {
        issues::set_state(&mut tx, &issue.id, (IssueState::Draft, IssueState::Published), None, now).await?;
        // nobody is told of what is old
        jobs::enqueue_for(&mut tx, &ReadWords { issue: issue.id.clone() }, &member.id, now).await?;
    }
    tx.commit().await?;
    Ok(Made::New(issue))
}

/// GET /manager/epaper/{title}/archive.
#[component]
pub fn ArchivePage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<PublicationId>("title"));
    loaded(
        async move {
            let (Here { app, member }, kind) = (here?, kind?);
            let publication = store::find_for_owner(&app.db, &id?, &member.id, kind).await?;
            let mut tx = app.db.begin_snapshot().await?;
            let days = issues::numbers(&mut tx, &publication.id).await?;
            let days: Vec<String> = days.into_iter().map(|(_, day, _)| day.to_string()).collect();
            Ok((member, publication, days))
        },
        |(member, publication, days)| view! { <Archive member publication days/> },
    )
}

#[component]
fn Archive(member: Member, publication: Publication, days: Vec<String>) -> impl IntoView {
    let form = use_form();
    let desk = format!("{}/{}", address::desk(publication.kind), publication.id);
    let title = format!("《{}》以前的报刊", publication.name);
    let action = format!("{desk}/archive");
    let outcomes: Vec<Outcome> = serde_json::from_str(&form.or("outcomes", "[]")).unwrap_or_default();
    let rows: Vec<_> = outcomes
        .into_iter()
        .map(|Outcome { file, said, desk, is_refused }| {
            let said = match desk {
                Some(desk) => view! { <a class="link" href=desk>{said}</a> }.into_any(),
                None => said.into_any(),
            };
            view! { <li class=if is_refused { "refused" } else { "taken" }><strong>{file}</strong>" "{said}</li> }
        })
        .collect();
    let is_checked = |field: &str| form.get(field) == "1" || !form.is_sent();
    let (publish, accept) = (is_checked("publish"), is_checked("accept"));
    let file_error = form.error("file").is_some();
    view! {
        <Shell member title=title.clone() assets=&["newsdesk.css", "archive.js"]>
            <header class="head">
                <div>
                    <p><a class="link" href=desk.clone()>{publication.name.clone()}</a></p>
                    <h1>{title}</h1>
                    <p class="quiet">"每个 PDF 是一期，按文件名里的日期建好。已经有的日期不会再建：断了，把同样的文件再选一次就行。"</p>
                </div>
            </header>
            <ErrorSummary title="有的文件没有收下"/>
            <form
                class="sheet stack title-form"
                method="post"
                action=action
                enctype="multipart/form-data"
                data-archive=days.join(" ")
            >
                <div class="field">
                    <label for="file">"PDF 文件，可以选多个"</label>
                    <input
                        id="file"
                        class="input"
                        name="file"
                        type="file"
                        multiple=true
                        accept=".pdf,application/pdf"
                        aria-invalid=file_error.then_some("true")
                        aria-describedby="file-hint"
                    />
                    <p class="hint" id="file-hint">
                        "文件名要有日期，比如 2026-11-28.pdf、20261128 第330期.pdf。每个最大 100 MB"
                        <span data-without-script="">{format!("，一次最多 {MOST_FILES} 个")}</span>
                    </p>
                    <FieldError name="file".to_owned()/>
                </div>
                <label class="check">
                    <input type="checkbox" name="publish" value="1" checked=publish/>
                    <span>"建好就发布，日期是那一天的；不给订阅的读者发消息"</span>
                </label>
                <label class="check">
                    <input type="checkbox" name="accept" value="1" checked=accept/>
                    <span>"读出来的稿件直接给读者看，不再逐篇确认（以后都可以改）"</span>
                </label>
                <div class="row">
                    <button class="button primary">"开始建"</button>
                    <a class="button" href=desk>"返回"</a>
                </div>
            </form>
            <ol class="archived" data-outcomes="" aria-live="polite">{rows}</ol>
        </Shell>
    }
}
