//! /manager/epaper/{title}/issue, and of magazines: an issue is made from a PDF, or from a work of the member.

use std::time::Duration;

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use domain::document::{Document, Page};
use domain::ids::{IssueId, PublicationId, WorkId};
use domain::issue_state::IssueState;
use domain::publication::{
    Day, Kind, MOST_ISSUES, MOST_NUMBER, MOST_PAGES, NAME_LENGTH, Numbers, PAGE_NAME_LENGTH, next_numbers,
};
use domain::typed::whole;
use leptos::prelude::*;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form, Here, here, loaded, parameter, use_form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::check_length;
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::shell::Shell;

use super::jobs::ReadIssue;
use super::pdf_field::PdfField;
use super::store::issues::{self, Issue};
use super::store::publications::{self as store, Publication};
use super::{address, kind_here, kind_of, new_picture_key, proposals, uses};

/// How long whoever made an issue waits for its words to be read; the rest is read afterwards.
const WITHIN: Duration = Duration::from_secs(3);
/// What issues are counted in.
pub const ISSUES: &[&str] = &["期"];
/// Works that the form offers.
const MOST_WORKS: usize = 60;

/// Day, numbers and name of an issue as a form says them; without numbers they count on. `own` is the issue that is
/// changed. What is wrong stands in the form.
pub async fn facts_in(
    tx: &mut Tx,
    form: &mut Form,
    publication: &Publication,
    own: Option<&IssueId>,
) -> Result<Option<(Day, Numbers, String)>, Error> {
    check_length(form, "issue_name", "名称", 0, NAME_LENGTH);
    let day = Day::read(form.get("day")).map_err(|problem| form.refuse("day", problem.to_string())).ok();
    let mut number_in = |field: &str| match form.get(field) {
        "" => None,
        text => {
            let number = whole::<i64>(text, ISSUES).filter(|number| (1..=MOST_NUMBER).contains(number));
            if number.is_none() {
                form.refuse(field, format!("请填写 1 到 {MOST_NUMBER} 之间的整数"));
            }
            number
        }
    };
    let (number, total) = (number_in("number"), number_in("total"));
    store::hold(tx, &publication.id).await?;
    let known = issues::numbers(tx, &publication.id).await?;
    let others: Vec<_> = known.iter().filter(|(id, ..)| Some(id) != own).collect();
    if own.is_none() && others.len() >= MOST_ISSUES {
        form.refuse("day", too_many_issues());
    }
    if let Some(day) = day {
        let same_day = publication.kind == Kind::Epaper && others.iter().any(|(_, known, _)| *known == day);
        if same_day {
            form.refuse("day", format!("{day} 已经有一期了，一天只能有一期；要改那一期，请打开它"));
        }
    }
    if let Some(total) = total
        && others.iter().any(|(.., numbers)| numbers.total == total)
    {
        form.refuse("total", format!("总第 {total} 期已经有了"));
    }
    let Some(day) = day.filter(|_| !form.is_refused()) else { return Ok(None) };
    let next = next_numbers(others.iter().map(|(_, day, numbers)| (day.year(), *numbers)), day.year());
    let numbers = Numbers { number: number.unwrap_or(next.number), total: total.unwrap_or(next.total) };
    Ok(Some((day, numbers, form.get("issue_name").to_owned())))
}

/// Why a title takes no more issues.
pub fn too_many_issues() -> String {
    format!("一份报刊最多 {MOST_ISSUES} 期，更多的请另建一份")
}

/// What the pages of the issue are, as the form says: a PDF, or a work. The inner error is a sentence with its field.
async fn matter(
    app: &App,
    member: &Member,
    form: &mut Form,
    file: Option<works::SentFile>,
    publication: &Publication,
) -> Result<Result<Document, (&'static str, String)>, Error> {
    let title: String = publication.name.clone();
    let document = match works::take_ready(app, member, form, file).await? {
        Err(reason) => return Ok(Err(("file", reason))),
        Ok(Some(pdf)) => {
            works::ready_pages(&pdf, &title, None).ok_or_else(|| Error::internal("a PDF without pages"))?
        }
        Ok(None) => {
            let Ok(work) = form.get("work").parse::<WorkId>() else {
                return Ok(Err(("file", "请选择一个 PDF，或者下面的一件作品".to_owned())));
            };
            let work = match works::for_owner(app, &work, &member.id).await.and_then(works::Work::on_shelf) {
                Ok(work) => work,
                Err(Error::NotFound | Error::Conflict(_)) => {
                    return Ok(Err(("work", "没有这件作品，或者它在回收站里".to_owned())));
                }
                Err(error) => return Err(error),
            };
            let mut document = work.document;
            if form.get("with_cover") == "1" {
                document.pages.insert(0, document.cover.clone());
            }
            document
        }
    };
    if document.pages.is_empty() || document.pages.len() > MOST_PAGES {
        let pages = document.pages.len();
        return Ok(Err(("file", format!("这份内容有 {pages} 页，一期要有 1 到 {MOST_PAGES} 页"))));
    }
    // readers never see it: what an issue shows are its pages
    Ok(Ok(Document { cover: Page::default(), ..document }))
}

/// What pages of an issue of a day are called that nobody has named yet: those of a magazine by the outline of its PDF where that has
/// one, and else as in the issue before.
pub async fn page_names(
    app: &App,
    publication: &Publication,
    document: &Document,
    day: Option<Day>,
) -> Result<Vec<String>, Error> {
    let pages = document.pages.len();
    let chapters = match publication.kind {
        Kind::Magazine => works::chapters(app, &publication.member, document).await?,
        Kind::Epaper => Vec::new(),
    };
    if !chapters.is_empty() {
        let mut names = vec![String::new(); pages];
        // of several that begin on a page the first
        for (page, name) in chapters.into_iter().rev() {
            let name: String = name.chars().take(PAGE_NAME_LENGTH).collect();
            if let Some(place) = names.get_mut(page - 1) {
                *place = name.trim().to_owned();
            }
        }
        return Ok(names);
    }
    let day = day.map(|day| day.to_string()).unwrap_or_default();
    let before = issues::of_publication(&app.db, &publication.id, &day, 1).await?.pop();
    let mut names: Vec<String> = match before {
        Some(before) => issues::pages(&app.db, &before.id).await?.into_iter().map(|page| page.name).collect(),
        None if publication.kind == Kind::Epaper => vec!["要闻".to_owned()],
        None => Vec::new(),
    };
    names.resize(pages, String::new());
    Ok(names)
}

/// POST /manager/epaper/{title}/issue.
pub async fn make(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PublicationId>,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let publication = store::find_for_owner(&app.db, &id, &member.id, kind).await?;
    let (mut form, file) = works::receive_ready(&app, multipart).await?;
    let issue: Option<IssueId> = form.own("issue");
    // pressed twice it is made once
    if let Some(issue) = &issue
        && let Ok(known) = issues::find_for_owner(&app.db, issue, &member.id, kind).await
    {
        return Ok(Redirect::to(&address::issue_desk(kind, &known)).into_response());
    }
    let page = format!("{}/{id}/issue", address::desk(kind));
    let document = match matter(&app, &member, &mut form, file, &publication).await? {
        Ok(document) => Some(document),
        Err((field, reason)) => {
            form.refuse(field, reason);
            None
        }
    };
    let names = match &document {
        Some(document) => page_names(&app, &publication, document, Day::read(form.get("day")).ok()).await?,
        None => Vec::new(),
    };
    let mut tx = app.db.begin().await?;
    let facts = facts_in(&mut tx, &mut form, &publication, None).await?;
    let (Some(issue), Some(document), Some((day, numbers, name))) = (issue, document, facts) else {
        drop(tx);
        return render::again(&app, parts, &page, form).await;
    };
    let issue = Issue { name, ..draft(issue, &publication, (day, numbers), &document) };
    write(&mut tx, &issue, &document, &names, false).await?;
    tx.commit().await?;
    app.bell.ring();
    if let Err(error) = proposals::read(&app, &issue.id, Some(WITHIN)).await {
        // the job tries again
        tracing::warn!(%error, issue = %issue.id, "The words of an issue could not be read");
    }
    Ok(Redirect::to(&format!("{}?done=made", address::issue_desk(kind, &issue))).into_response())
}

/// An issue that was not there before, without a name of its own.
pub fn draft(
    id: IssueId,
    publication: &Publication,
    (day, numbers): (Day, Numbers),
    document: &Document,
) -> Issue {
    Issue {
        id,
        publication: publication.id.clone(),
        member: publication.member.clone(),
        day,
        numbers,
        name: String::new(),
        state: IssueState::Draft,
        scheduled_at: None,
        published_at: None,
        withdrawn_reason: None,
        trim: document.trim,
        pages: document.pages.len(),
        picture_key: new_picture_key(),
        edition: 0,
        revision: 0,
        updated_at: now_ms(),
    }
}

/// Writes a new issue; its words are read by a job, and its articles taken as they are where nobody is to look at them.
pub async fn write(
    tx: &mut Tx,
    issue: &Issue,
    document: &Document,
    names: &[String],
    accepts: bool,
) -> Result<(), Error> {
    if issues::insert(tx, issue, document, names).await? {
        uses::shown(tx, &issue.id, &issue.member, document).await?;
        let job = ReadIssue { issue: issue.id.clone(), accepts };
        jobs::enqueue_for(tx, &job, &issue.member, now_ms()).await?;
    }
    Ok(())
}

/// GET /manager/epaper/{title}/issue.
#[component]
pub fn NewIssuePage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<PublicationId>("title"));
    loaded(
        async move {
            let (Here { app, member }, kind) = (here?, kind?);
            let publication = store::find_for_owner(&app.db, &id?, &member.id, kind).await?;
            let newest = issues::of_publication(&app.db, &publication.id, "", 1).await?.pop();
            let today = Day::of(now_ms());
            let day = match newest {
                Some(newest) if newest.day >= today => newest.day.plus(1),
                _ => today,
            };
            let day = day.next_on(publication.weekdays);
            let mut tx = app.db.begin_snapshot().await?;
            let known = issues::numbers(&mut tx, &publication.id).await?;
            drop(tx);
            let known = known.into_iter().map(|(_, day, numbers)| (day.year(), numbers));
            let next = next_numbers(known, day.year());
            let (works, _) = works::shelf(&app, &member.id, "", None, MOST_WORKS).await?;
            Ok((member, publication, day, next, works))
        },
        |(member, publication, day, next, works)| view! { <NewIssue member publication day next works/> },
    )
}

#[component]
fn NewIssue(
    member: Member,
    publication: Publication,
    day: Day,
    next: Numbers,
    works: Vec<works::Summary>,
) -> impl IntoView {
    let form = use_form();
    let kind = publication.kind;
    let desk = format!("{}/{}", address::desk(kind), publication.id);
    let title = format!("《{}》出一期", publication.name);
    let id = form.or("issue", &render::once::<String>());
    let chosen = form.or("work", "");
    let options: Vec<_> = works
        .into_iter()
        .map(|work| {
            let value = work.id.to_string();
            let selected = value == chosen;
            view! { <option value=value selected=selected>{work.title}</option> }
        })
        .collect();
    let with_cover = if form.is_sent() { form.get("with_cover") == "1" } else { kind == Kind::Magazine };
    let choice = (!options.is_empty()).then(|| {
        view! {
            <div class="field">
                <label for="work">"或者用自己的一件作品"</label>
                <select id="work" name="work"><option value="">"不用作品"</option>{options}</select>
                <FieldError name="work".to_owned()/>
            </div>
            <label class="check">
                <input type="checkbox" name="with_cover" value="1" checked=with_cover/>
                <span>"作品的封面也算一页，放在最前面"</span>
            </label>
        }
    });
    let action = format!("{desk}/issue");
    view! {
        <Shell member title=title.clone() assets=&["newsdesk.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=desk.clone()>{publication.name.clone()}</a></p>
                    <h1>{title.clone()}</h1>
                </div>
            </header>
            <ErrorSummary title="这一期还没有建好"/>
            <form class="sheet stack title-form" method="post" action=action enctype="multipart/form-data">
                <input type="hidden" name="issue" value=id/>
                <div class="fields two">
                    <Field name="day" label="出版日期" kind="date" value=day.to_string() required=true/>
                    <Field name="issue_name" label="这一期的名称（可不填，比如“春节特刊”）" most=30/>
                    <Field name="number" label="本年第几期" value=next.number.to_string() inputmode="numeric" most=6/>
                    <Field name="total" label="总第几期" value=next.total.to_string() inputmode="numeric" most=6/>
                </div>
                <p class="hint">"期号和总期号会自己接着数；改过一次，后面从改过的数起"</p>
                <section class="stack" aria-labelledby="matter">
                    <h2 id="matter">"内容"</h2>
                    <PdfField label=format!("排好的 PDF，每一页是一{}", kind.page_word())/>
                    {choice}
                </section>
                <ReadingNote/>
                <div class="row">
                    <button class="button primary">"建好草稿"</button>
                    <a class="button" href=desk>"取消"</a>
                </div>
            </form>
        </Shell>
    }
}

/// What reading a page can and can't do.
#[component]
pub fn ReadingNote() -> impl IntoView {
    view! {
        <details class="ask can">
            <summary>"版面上的文字怎样变成稿件"</summary>
            <p>
                "每一页的文字和链接会读出来，按标题和分栏拼成一篇一篇的稿件，作为建议给您看。没有经您确认的，读者看不到。"
            </p>
            <p>"读不出、要您自己填或改的："</p>
            <ul>
                <li>"图片里的字，转成曲线的字，扫描的版面"</li>
                <li>"转到别的版的文章，两边没有互相写明“下转第几版”“上接第几版”"</li>
                <li>"绕着图片走的不规则分栏，没有标题的短讯"</li>
                <li>"照片：请在稿件里从素材里选"</li>
            </ul>
        </details>
    }
}
