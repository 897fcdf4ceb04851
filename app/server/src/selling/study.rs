//! /manager/book-study 书房: what a reader may read, until when, and the form that redeems a code.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::ids::PackageId;
use domain::package::{Span, Until, runs_until};
use leptos::prelude::*;

use super::jobs::AHEAD_MS;
use super::redeem::{self, NotRedeemed, REFUSAL};
use super::shop::Cover;
use super::store::Subject;
use super::store::entitlements::{self, Entitlement};
use super::store::packages::{self, Content};
use super::{STUDY, content_address};
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::render::{self, Here, here, loaded, use_form, use_query};
use platform::session::Member;
use platform::ui::forms::read_form;
use platform::ui::news::NewsList;
use platform::ui::parts::{ErrorSummary, FieldError, Moment};
use platform::ui::shell::Shell;
use platform::ui::time;

/// POST /manager/book-study: redeems a code.
pub async fn redeem(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let code = form.get("code").to_owned();
    match redeem::attempt(&app, &parts, &member.id, &code, now_ms()).await {
        Ok(_) => return Ok(Redirect::to(&format!("{STUDY}?done=redeemed")).into_response()),
        // pressed twice, or long ago: its owner may know
        Err(NotRedeemed::Refused) if redeem::is_own(&app, &member.id, &code).await? => {
            return Ok(Redirect::to(&format!("{STUDY}?done=own")).into_response());
        }
        Err(NotRedeemed::Failed(Error::TooMany(wait))) => {
            let mut answer = refused(&app, parts, form, Error::TooMany(wait).message()).await?;
            *answer.status_mut() = axum::http::StatusCode::TOO_MANY_REQUESTS;
            answer.headers_mut().insert("retry-after", wait.seconds.into());
            return Ok(answer);
        }
        Err(NotRedeemed::Failed(error)) => return Err(error),
        Err(NotRedeemed::Refused) => form.refuse("code", REFUSAL),
        Err(reason) => form.refuse("code", reason.to_string()),
    }
    render::again(&app, parts, STUDY, form).await
}

async fn refused(app: &App, parts: Parts, mut form: render::Form, why: String) -> Result<Response, Error> {
    form.refuse("code", why);
    render::again(app, parts, STUDY, form).await
}

/// One thing that a reader got, all its terms together.
struct Shelf {
    title: String,
    package: Option<PackageId>,
    spans: Vec<Span>,
    works: Vec<(Content, Option<String>)>,
    /// It can be bought once more.
    is_on_sale: bool,
}

async fn shelves(app: &App, rights: &[Entitlement], now: i64) -> Result<Vec<Shelf>, Error> {
    let mut seen: Vec<(Subject, Shelf)> = Vec::new();
    for right in rights {
        if let Some((_, shelf)) = seen.iter_mut().find(|(subject, _)| *subject == right.subject) {
            shelf.spans.push(right.span);
            continue;
        }
        // what the oldest right that runs brought is still there, whatever was taken out since
        let running = |other: &&Entitlement| {
            other.subject == right.subject && other.span.until.is_none_or(|until| until > now)
        };
        let oldest = rights.iter().filter(running).map(|other| other.created_at).min();
        let since = oldest.unwrap_or(right.created_at);
        let (package, works, is_on_sale) = match &right.subject {
            Subject::Package(id) => {
                let works = packages::contents_since(&app.db, id, since).await?;
                (Some(id.clone()), works, packages::find(&app.db, id).await?.is_on_sale(now))
            }
            Subject::Item { kind, id } => {
                let title = right.title.trim_matches(['《', '》']).to_owned();
                (None, vec![Content { kind: kind.clone(), id: id.clone(), title }], false)
            }
        };
        let works = works.into_iter().map(|work| (work.clone(), content_address(app, &work))).collect();
        let shelf = Shelf { title: right.title.clone(), package, spans: vec![right.span], works, is_on_sale };
        seen.push((right.subject.clone(), shelf));
    }
    Ok(seen.into_iter().map(|(_, shelf)| shelf).collect())
}

/// GET /manager/book-study.
#[component]
pub fn StudyPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let Here { app, member } = here?;
            let rights = entitlements::of_member(&app.db, &member.id).await?;
            let shelves = shelves(&app, &rights, now_ms()).await?;
            let followed = app.house.followed_by(&app, &member.id).await?;
            Ok((member, rights, shelves, followed))
        },
        |(member, rights, shelves, followed)| {
            let now = now_ms();
            let done = match use_query("done").as_deref() {
                Some("redeemed") => Some(("notice good", "兑换成功，下面就可以看到。")),
                Some("own") => Some(("notice", "这个兑换码您已经兑换过，见下面的兑换记录。")),
                _ => None,
            };
            let done = done.map(|(class, text)| view! { <div class=class role="status">{text}</div> });
            let (running, over): (Vec<_>, Vec<_>) = shelves
                .into_iter()
                .partition(|shelf| shelf.spans.iter().any(|span| span.until.is_none_or(|at| at > now)));
            let empty = (running.is_empty() && followed.is_empty()).then(|| {
                view! {
                    <section class="trim empty">
                        <h2>"书房还空着"</h2>
                        <p class="quiet">"买了的套餐、兑换的内容，都会放在这里。手里有兑换码，在上面输入就能开通。"</p>
                    </section>
                }
            });
            let running: Vec<_> = running.into_iter().map(|shelf| view! { <Row shelf now/> }).collect();
            let over: Vec<_> = over.into_iter().map(|shelf| view! { <Row shelf now/> }).collect();
            let over = (!over.is_empty()).then(|| {
                view! { <section class="over"><h2>"已到期"</h2><div class="stack">{over}</div></section> }
            });
            view! {
                <Shell member title="书房".to_owned() assets=&["selling.css"]>
                    <header class="head"><h1>"书房"</h1></header>
                    <ErrorSummary title="没有兑换"/>
                    {done}
                    <RedeemForm/>
                    {empty}
                    <NewsList followed/>
                    <div class="stack study">{running}</div>
                    {over}
                    <Log rights/>
                </Shell>
            }
        },
    )
}

#[component]
fn RedeemForm() -> impl IntoView {
    let form = use_form();
    let error = form.error("code").is_some();
    view! {
        <form class="sheet redeem" method="post" action=STUDY>
            <div class="field">
                <label for="code">"兑换码"</label>
                <input
                    id="code"
                    name="code"
                    class="num"
                    value=form.or("code", "")
                    maxlength="60"
                    placeholder="XXXX-XXXX-XXXX-XXXX"
                    autocomplete="off"
                    autocapitalize="characters"
                    spellcheck="false"
                    required=true
                    aria-invalid=error.then_some("true")
                    aria-describedby=error.then_some("code-error")
                />
                <FieldError name="code".to_owned()/>
            </div>
            <button class="button primary">"兑换"</button>
        </form>
    }
}

#[component]
fn Row(shelf: Shelf, now: i64) -> impl IntoView {
    let last = shelf.spans.iter().map(|span| Until::from(span.until)).max();
    let begins = shelf.spans.iter().map(|span| span.from).filter(|from| *from > now).min();
    let until = runs_until(&shelf.spans, now);
    let (class, text) = match (until, last) {
        (Some(Until::Forever), _) => ("badge good", "长期阅读".to_owned()),
        (Some(Until::At(at)), _) if at - now <= AHEAD_MS => {
            let days = (at - now).div_euclid(domain::package::DAY_MS);
            ("badge warn", format!("{} 到期，还剩 {days} 天", time::day(at)))
        }
        (Some(Until::At(at)), _) => ("badge good", format!("可以读到 {}", time::day(at))),
        (None, Some(Until::At(at))) if begins.is_none() => ("badge", format!("{} 到期", time::day(at))),
        (None, _) => ("badge", format!("{} 起可以读", time::day(begins.unwrap_or(now)))),
    };
    let may_read = until.is_some();
    let renew = shelf.package.filter(|_| shelf.is_on_sale && until != Some(Until::Forever)).map(|id| {
        view! { <a class="link" href=format!("/manager/package/{id}")>"续期"<span class="sr">{format!("：{}", shelf.title)}</span></a> }
    });
    let works: Vec<_> = shelf
        .works
        .into_iter()
        .map(|(work, address)| {
            let address = address.filter(|_| may_read);
            view! { <li><Cover title=work.title address/></li> }
        })
        .collect();
    view! {
        <section class="row-of-books">
            <header>
                <h2>{shelf.title.trim_matches(['《', '》']).to_owned()}</h2>
                <span class=class>{text}</span>
                {renew}
            </header>
            <ul class="bookshelf">{works}</ul>
        </section>
    }
}

/// The codes that this reader redeemed.
#[component]
fn Log(rights: Vec<Entitlement>) -> impl IntoView {
    let rows: Vec<_> = rights
        .into_iter()
        .filter(|right| right.source == "code")
        .map(|right| {
            let until = right.span.until.map_or_else(|| "长期".to_owned(), time::day);
            view! {
                <tr>
                    <td data-label="兑换时间"><Moment at=right.created_at/></td>
                    <td data-label="内容">{right.title}</td>
                    <td data-label="尾号"><span class="num">{right.hint.unwrap_or_default()}</span></td>
                    <td data-label="读到">{until}</td>
                </tr>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="log-part">
                <h2>"兑换记录"</h2>
                <table class="records">
                    <thead>
                        <tr>
                            <th scope="col">"兑换时间"</th>
                            <th scope="col">"内容"</th>
                            <th scope="col">"兑换码尾号"</th>
                            <th scope="col">"读到"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </section>
        }
    })
}
