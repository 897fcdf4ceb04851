//! /manager/epaper_issue/{issue}/replacement, and of magazines: another PDF in the place of one page, or of all; published or
//! not. Articles stay where the words of the new page are theirs.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::jobs;
use domain::correction::{Misfit, NOTE_LENGTH, misfit};
use domain::document::{Document, Page};
use domain::ids::IssueId;
use domain::issue_state::IssueState;
use domain::publication::{Kind, MOST_PAGES};
use leptos::prelude::*;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::check_length;
use web::ui::parts::{ErrorSummary, FieldError, area_text};
use web::ui::shell::Shell;
use web::uses::Shown;

use super::issue::own;
use super::jobs::{ReadIssue, ReadWords};
use super::pdf_field::PdfField;
use super::store::articles;
use super::store::corrections::{self as store, Correction};
use super::store::issues::{self, Issue, IssuePage};
use super::store::publications::Publication;
use super::store::steps;
use super::{address, kind_here, kind_of, proposals, uses};

/// How long whoever replaced pages waits for their words to be read; the rest is read afterwards.
const WITHIN: Duration = Duration::from_secs(3);

/// The page once more with what was typed, since it was changed elsewhere: status 409, over the newest revision.
pub async fn again_over_newest(
    app: &App,
    parts: Parts,
    page: &str,
    mut form: Form,
) -> Result<Response, Error> {
    form.refuse("", "这里刚刚在别处改过。您填的都还在下面，请对照现在的内容看过，再保存一次。");
    form.forget("revision");
    let mut response = render::again(app, parts, page, form).await?;
    *response.status_mut() = StatusCode::CONFLICT;
    Ok(response)
}

/// What readers are told of it: of what they never saw nothing, else as its maker chose. What is wrong stands in the form.
pub fn note_in(form: &mut Form, issue: &Issue) -> Option<String> {
    if !issue.state.was_public() {
        return None;
    }
    match form.get("tell") {
        "typo" => None,
        "note" => {
            check_length(form, "note", "更正说明", 1, NOTE_LENGTH);
            Some(form.get("note").to_owned())
        }
        _ => {
            form.refuse("tell", "请选择要不要告诉读者");
            None
        }
    }
}

/// What does not fit, as its maker is told.
fn told(problem: Misfit, issue: &Issue, kind: Kind) -> String {
    let word = kind.page_word();
    match problem {
        Misfit::NotOne(pages) => {
            format!("这个 PDF 有 {pages} 页，换一{word}要只有一页的；要换整期，请选“整期”")
        }
        Misfit::Count(before, now) => format!("这一期有 {before} {word}，这个 PDF 有 {now} 页"),
        Misfit::Size(page, (width, height)) => format!(
            "这个 PDF 的第 {page} 页是 {width:.0}×{height:.0} 毫米，这一期是 {:.0}×{:.0} 毫米",
            issue.trim.width, issue.trim.height
        ),
    }
}

/// POST /manager/epaper_issue/{issue}/replacement: `page` is a page, or empty for the whole issue.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let (publication, issue) = own(&app, &member, kind, &id).await?;
    let (mut form, file) = works::receive_ready(&app, multipart).await?;
    let desk = address::issue_desk(kind, &issue);
    let place = format!("{desk}/replacement");
    let page = match form.get("page") {
        "" => None,
        text => text.parse::<usize>().ok().filter(|page| (1..=issue.pages).contains(page)).or_else(|| {
            form.refuse("page", "没有这一版，请重新选择");
            None
        }),
    };
    let note = note_in(&mut form, &issue);
    let pdf = match works::take_ready(&app, &member, &mut form, file).await? {
        Ok(Some(pdf)) => Some(pdf),
        Ok(None) => {
            form.refuse("file", "请选择一个 PDF");
            None
        }
        Err(reason) => {
            form.refuse("file", reason);
            None
        }
    };
    if let Some(pdf) = &pdf {
        let sheets = &pdf.facts.sheets;
        let problem = misfit(sheets, issue.trim, issue.pages, page.is_none());
        if sheets.is_empty() || sheets.len() > MOST_PAGES {
            form.refuse("file", format!("这个 PDF 有 {} 页，一期要有 1 到 {MOST_PAGES} 页", sheets.len()));
        } else if let Some(problem) =
            problem.filter(|known| !known.may_be_meant() || form.get("anyway") != "1")
        {
            let lost = match problem {
                Misfit::Count(_, now) => {
                    let all = articles::headlines(&app.db, &id, true).await?;
                    all.iter().filter(|article| article.page > now).count()
                }
                _ => 0,
            };
            let lost = if lost > 0 {
                format!("，后面的版上有 {lost} 篇稿件会一起去掉")
            } else {
                String::new()
            };
            let so = if problem.may_be_meant() {
                "。真要这样换，请勾选“页数或尺寸不同也照换”"
            } else {
                ""
            };
            form.refuse("file", format!("{}{lost}{so}", told(problem, &issue, kind)));
        }
    }
    let Some(pdf) = pdf.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &place, form).await;
    };
    let revision = form.get("revision").parse().unwrap_or(issue.revision);
    let before = issues::document(&app.db, &id).await?;
    let trim = page.map(|_| issue.trim);
    let new = works::ready_pages(&pdf, &publication.name, trim)
        .ok_or_else(|| Error::internal("a PDF without pages"))?;
    let (document, pages) = match page {
        None => {
            let count = new.pages.len();
            (Document { cover: Page::default(), ..new }, 1..=count)
        }
        Some(page) => {
            let mut document = before.clone();
            let one = new.pages.into_iter().next().ok_or_else(|| Error::internal("a PDF without pages"))?;
            *document.pages.get_mut(page - 1).ok_or(Error::NotFound)? = one;
            (document, page..=page)
        }
    };
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    store::hold_pages(&mut tx, &id).await?;
    if !store::set_document(&mut tx, (&id, revision), &document, now).await? {
        drop(tx);
        return again_over_newest(&app, parts, &place, form).await;
    }
    for page in pages {
        articles::remove_proposed(&mut tx, &id, page).await?;
        store::set_unread(&mut tx, &id, page).await?;
        steps::forget(&mut tx, &id, page).await?;
    }
    store::end_after(&mut tx, &id, document.pages.len()).await?;
    if let Some(note) = note {
        let page = i64::try_from(page.unwrap_or(0)).map_err(Error::internal)?;
        store::add(&mut tx, &id, &Correction { page, article: None, note, created_at: now }).await?;
    }
    uses::shown(&mut tx, &id, &issue.member, &document).await?;
    let released = Shown::in_document(&before).into_iter().filter(|file| matches!(file, Shown::Pdf(_)));
    let released = released.map(|file| (issue.member.clone(), file)).collect();
    works::queue_forgetting_of(&mut tx, released, now).await?;
    jobs::enqueue_for(&mut tx, &ReadIssue { issue: id.clone(), accepts: false }, &issue.member, now).await?;
    if issue.state == IssueState::Published {
        jobs::enqueue_for(&mut tx, &ReadWords { issue: id.clone() }, &issue.member, now).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    works::forget_book_files(&app, id.as_str()).await?;
    if let Err(error) = proposals::read(&app, &id, Some(WITHIN)).await {
        // the job tries again
        tracing::warn!(%error, issue = %id, "The words of replaced pages could not be read");
    }
    Ok(Redirect::to(&format!("{desk}?done=replaced")).into_response())
}

/// GET /manager/epaper_issue/{issue}/replacement?page=.
#[component]
pub fn ReplacementPage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<IssueId>("issue"));
    loaded(
        async move {
            let (Here { app, member }, kind, id) = (here?, kind?, id?);
            let (publication, issue) = own(&app, &member, kind, &id).await?;
            let pages = issues::pages(&app.db, &id).await?;
            Ok((member, publication, issue, pages))
        },
        |(member, publication, issue, pages)| view! { <Replacement member publication issue pages/> },
    )
}

#[component]
fn Replacement(
    member: Member,
    publication: Publication,
    issue: Issue,
    pages: Vec<IssuePage>,
) -> impl IntoView {
    let form = use_form();
    let kind = publication.kind;
    let word = kind.page_word();
    let desk = address::issue_desk(kind, &issue);
    let title = format!("换{word}面 {}", issue.day);
    let chosen = form.or("page", &use_query("page").unwrap_or_default());
    let options: Vec<_> = pages
        .iter()
        .map(|page| {
            let number = page.page.to_string();
            let selected = chosen == number;
            view! { <option value=number selected=selected>{format!("只换 {}", kind.page_title(page.page, &page.name))}</option> }
        })
        .collect();
    let anyway = form.get("anyway") == "1";
    let action = format!("{desk}/replacement");
    let telling = issue.state.was_public().then(|| view! { <Telling/> });
    view! {
        <Shell member title=title.clone() assets=&["newsdesk.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=desk.clone()>{format!("{} {}", publication.name, issue.day)}</a></p>
                    <h1>{title.clone()}</h1>
                </div>
            </header>
            <ErrorSummary title="还没有换"/>
            <form class="sheet stack title-form" method="post" action=action enctype="multipart/form-data">
                <input type="hidden" name="revision" value=form.or("revision", &issue.revision.to_string())/>
                <div class="field">
                    <label for="page">"换哪里"</label>
                    <select id="page" name="page">
                        <option value="">{format!("整期，{} {word}", issue.pages)}</option>
                        {options}
                    </select>
                    <FieldError name="page".to_owned()/>
                </div>
                <PdfField label="改好的 PDF"/>
                <label class="check">
                    <input type="checkbox" name="anyway" value="1" checked=anyway/>
                    <span>"页数或尺寸不同也照换"</span>
                </label>
                {telling}
                <p class="hint">
                    "文字还在新版面上的稿件会留下，您改过的字、照片、朗读都在；文字变了的、找不到的会标出来请您核对，新出现的作为建议。"
                </p>
                <div class="row">
                    <button class="button primary">"换上去"</button>
                    <a class="button" href=desk>"取消"</a>
                </div>
            </form>
        </Shell>
    }
}

/// Whether readers are told, and what.
#[component]
pub fn Telling() -> impl IntoView {
    let form = use_form();
    let tell = form.or("tell", "");
    view! {
        <fieldset class="stack" id="tell">
            <legend>"读者看过这一期。要告诉他们改了什么吗？"</legend>
            <label class="check">
                <input type="radio" name="tell" value="note" checked=tell == "note"/>
                <span>"写更正，读者看得到时间和说明"</span>
            </label>
            <label class="check">
                <input type="radio" name="tell" value="typo" checked=tell == "typo"/>
                <span>"只是错字，不写更正"</span>
            </label>
            <FieldError name="tell".to_owned()/>
            <div class="field">
                <label for="note">"更正说明"</label>
                <textarea
                    id="note"
                    name="note"
                    rows="2"
                    maxlength=NOTE_LENGTH.to_string()
                    inner_html=area_text(&form.or("note", ""))
                ></textarea>
                <FieldError name="note".to_owned()/>
            </div>
        </fieldset>
    }
}
