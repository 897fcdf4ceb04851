//! /manager/book-study 书房: what a reader reads and how far it is, until when it may, and the form that redeems a code.

use std::collections::HashMap;

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::days::DAY_MS;
use domain::package::{Until, runs_until};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Here, here, loaded, use_form, use_query};
use web::session::Member;
use web::slice::{Followed, Publication, Reach};
use web::ui::forms::read_form;
use web::ui::news::NewsList;
use web::ui::parts::{Book, Cloth, ErrorSummary, FieldError, Moment};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::store::{self, Kept, Note};
use super::{NOTES, STUDY, is_readable, page_address};
use selling::{self, AHEAD_MS, Got, Held, NotRedeemed, REFUSAL, RedeemedCode};

/// Books that somebody is reading, and notes, on the first sight of a study.
const READING: usize = 6;
const NEWEST_NOTES: i64 = 3;

/// POST /manager/book-study: redeems a code.
pub async fn redeem(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let code = form.get("code").to_owned();
    match selling::redeem_code(&app, &parts, &member, &code, now_ms()).await {
        Ok(_) => return Ok(Redirect::to(&format!("{STUDY}?done=redeemed")).into_response()),
        // pressed twice, or long ago: its owner may know
        Err(NotRedeemed::Refused) if selling::is_own_code(&app, &member.id, &code).await? => {
            return Ok(Redirect::to(&format!("{STUDY}?done=own")).into_response());
        }
        Err(NotRedeemed::Failed(Error::TooMany(wait))) => {
            form.refuse("code", Error::TooMany(wait).message());
            let mut answer = render::again(&app, parts, STUDY, form).await?;
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

/// Publications by kind and id, as far as this reader may know of them.
type Known = HashMap<(String, String), Publication>;

struct Shown {
    member: Member,
    kept: Vec<Kept>,
    got: Vec<Got>,
    codes: Vec<RedeemedCode>,
    notes: Vec<Note>,
    followed: Vec<Followed>,
    known: Known,
}

async fn load(app: &App, parts: &Parts, member: Member) -> Result<Shown, Error> {
    let (mut got, codes) = selling::got(app, &member.id, now_ms()).await?;
    // where a publication is read says whoever publishes it; what is only sold, whoever sells it
    let is_published = |kind: &str| app.house.published().any(|published| published.kind() == kind);
    for held in got.iter_mut().flat_map(|got| &mut got.contents) {
        held.address.take_if(|_| is_published(&held.content.kind));
    }
    let kept = store::of_member(&app.db, &member.id).await?;
    let notes = store::notes(&app.db, &member.id, None, NEWEST_NOTES).await?;
    let bought = got.iter().flat_map(|got| &got.contents);
    let bought = bought.map(|held| (&*held.content.kind, &*held.content.id));
    let mut things: Vec<(&str, &str)> =
        kept.iter().map(|kept| (&*kept.kind, &*kept.item_id)).chain(bought).collect();
    things.sort_unstable();
    things.dedup();
    let mut known = Known::new();
    for one in app.house.find_published(app, &things).await? {
        // what not everybody with its address may read, this reader may or may not
        let may_know = match one.reach {
            Reach::Public | Reach::ByAddress => true,
            // also what its maker took back is its buyers'
            Reach::Over | Reach::Some => is_readable(app, parts, &one).await?,
        };
        if may_know {
            known.insert((one.kind.to_owned(), one.id.clone()), one);
        }
    }
    let followed = app.house.followed_by(app, &member.id).await?;
    Ok(Shown { member, kept, got, codes, notes, followed, known })
}

/// GET /manager/book-study.
#[component]
pub fn StudyPage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            load(&app, &parts, member).await
        },
        |Shown { member, kept, got, codes, notes, followed, known }| {
            let now = now_ms();
            let done = match use_query("done").as_deref() {
                Some("redeemed") => Some(("notice good", "兑换成功，下面就可以看到。")),
                Some("seated") => Some(("notice good", "入座了，下面就可以读。")),
                Some("own") => Some(("notice", "这个兑换码您已经兑换过，见下面的兑换记录。")),
                Some("removed") => Some(("notice good", "已移出书房。")),
                _ => None,
            };
            let done = done.filter(|_| !use_form().is_sent());
            let done = done.map(|(class, text)| view! { <div class=class role="status">{text}</div> });
            let (running, over): (Vec<_>, Vec<_>) = got.into_iter().partition(|got| got.is_current(now));
            let (put, reading): (Vec<_>, Vec<_>) = (
                kept.iter().filter(|kept| kept.put_at.is_some()).cloned().collect(),
                kept.into_iter().filter(|kept| kept.page.is_some()).collect(),
            );
            let is_empty = running.is_empty() && put.is_empty() && reading.is_empty() && followed.is_empty();
            let empty = is_empty.then(|| {
                view! {
                    <section class="trim empty">
                        <h2>"书房还空着"</h2>
                        <p class="quiet">
                            "读到喜欢的书，按“放入书房”；买了的套餐、兑换的内容，也都会放在这里。手里有兑换码，在下面输入就能开通。"
                        </p>
                    </section>
                }
            });
            let running: Vec<_> =
                running.into_iter().map(|got| view! { <Bought got known=known.clone() now/> }).collect();
            let over: Vec<_> =
                over.into_iter().map(|got| view! { <Bought got known=Known::new() now/> }).collect();
            let over = (!over.is_empty()).then(|| {
                view! { <section class="over"><h2>"已到期"</h2><div class="stack">{over}</div></section> }
            });
            view! {
                <Shell member title="书房".to_owned() assets=&["study.css"]>
                    <header class="head">
                        <div>
                            <h1>"书房"</h1>
                            <p class="row"><a class="link" href="/manager/publications/search">"在能读的报刊里搜索"</a></p>
                        </div>
                        <div class="row">
                            <a class="button" href="/manager/gifts">"送出的礼物"</a>
                            <a class="button" href=NOTES>"笔记与书签"</a>
                        </div>
                    </header>
                    <ErrorSummary title="没有兑换"/>
                    {done}
                    {empty}
                    <Reading reading known=known.clone()/>
                    <Put put known/>
                    <NewsList followed/>
                    <div class="stack study">{running}</div>
                    <NewestNotes notes/>
                    <RedeemForm/>
                    {over}
                    <Log codes/>
                </Shell>
            }
        },
    )
}

/// A cover: the thing's own picture where the reader may see it, else cloth with its title.
#[component]
fn Front(title: String, known: Option<Publication>) -> impl IntoView {
    match known.and_then(|known| known.cover.map(|cover| (cover, known.trim))) {
        Some((src, trim)) => view! { <Book src trim alt=String::new() lazy=true/> }.into_any(),
        None => view! { <Cloth title/> }.into_any(),
    }
}

fn known_of(known: &Known, kind: &str, id: &str) -> Option<Publication> {
    known.get(&(kind.to_owned(), id.to_owned())).cloned()
}

/// What a reader is in the middle of.
#[component]
fn Reading(reading: Vec<Kept>, known: Known) -> impl IntoView {
    let mut reading = reading;
    reading.sort_by_key(|kept| std::cmp::Reverse(kept.read_at));
    let items: Vec<_> = reading
        .into_iter()
        .filter_map(|kept| {
            let known = known_of(&known, &kept.kind, &kept.item_id)?;
            let (page, read_at) = (kept.page?, kept.read_at?);
            let pages = kept.pages.unwrap_or(page).max(page);
            let href = page_address(&known.address, page);
            let title = known.title.clone();
            Some(view! {
                <li>
                    <a href=href>
                        <Front title=title.clone() known=Some(known)/>
                        <span class="about">
                            <strong>{title}</strong>
                            <span class="on">{format!("继续第 {page} 页")}</span>
                            <progress max=pages.to_string() value=page.to_string()>{format!("{page} / {pages}")}</progress>
                            <small class="num">{format!("{page} / {pages} 页 · ")}<Moment at=read_at/></small>
                        </span>
                    </a>
                </li>
            })
        })
        .take(READING)
        .collect();
    (!items.is_empty()).then(|| {
        view! {
            <section class="row-of-books">
                <header><h2>"接着读"</h2></header>
                <ul class="reading">{items}</ul>
            </section>
        }
    })
}

/// What a reader put here itself.
#[component]
fn Put(put: Vec<Kept>, known: Known) -> impl IntoView {
    if put.is_empty() {
        return None;
    }
    let items: Vec<_> = put
        .into_iter()
        .map(|kept| {
            let known = known_of(&known, &kept.kind, &kept.item_id);
            let title = known.as_ref().map_or(kept.title, |known| known.title.clone());
            let front = view! {
                <span class="stand"><Front title=title.clone() known=known.clone()/></span>
                <strong>{title.clone()}</strong>
            };
            let front = match &known {
                Some(known) => {
                    let author = known.author.clone();
                    view! { <a href=known.address.clone()>{front}<small>{author}</small></a> }.into_any()
                }
                None => view! { <div>{front}<small>"现在不能看了"</small></div> }.into_any(),
            };
            view! {
                <li>
                    {front}
                    <form method="post" action=format!("{STUDY}/items")>
                        <input type="hidden" name="kind" value=kept.kind/>
                        <input type="hidden" name="id" value=kept.item_id/>
                        <input type="hidden" name="from" value="study"/>
                        <button class="link" name="act" value="remove">"移出"<span class="sr">{format!("：{title}")}</span></button>
                    </form>
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="row-of-books">
            <header><h2>"我放进来的"</h2></header>
            <ul class="shelf">{items}</ul>
        </section>
    })
}

/// What a reader got by buying or redeeming, and until when.
#[component]
fn Bought(got: Got, known: Known, now: i64) -> impl IntoView {
    let last = got.spans.iter().map(|span| Until::from(span.until)).max();
    let begins = got.spans.iter().map(|span| span.from).filter(|from| *from > now).min();
    let until = runs_until(&got.spans, now);
    let (class, text) = match (until, last) {
        (Some(until), _) if got.seat_of.is_some() => {
            // the end of its last day
            let until = until.moment().map(|at| time::day(at - 1)).unwrap_or_default();
            ("badge good", format!("{} 的席位，读到 {until}", got.seat_of.as_deref().unwrap_or_default()))
        }
        (Some(Until::At(at)), _) if got.is_trial => ("badge warn", format!("试读到 {}", time::stamp(at))),
        (Some(Until::Forever), _) => ("badge good", "长期阅读".to_owned()),
        (Some(Until::At(at)), _) if at - now <= AHEAD_MS => {
            let days = (at - now).div_euclid(DAY_MS);
            ("badge warn", format!("{} 到期，还剩 {days} 天", time::day(at)))
        }
        (Some(Until::At(at)), _) => ("badge good", format!("可以读到 {}", time::day(at))),
        (None, Some(Until::At(at))) if begins.is_none() => ("badge", format!("{} 到期", time::day(at))),
        (None, _) => ("badge", format!("{} 起可以读", time::day(begins.unwrap_or(now)))),
    };
    let renew = got.package.filter(|_| got.is_on_sale && until != Some(Until::Forever)).map(|id| {
        let word = if got.is_trial || got.seat_of.is_some() { "购买" } else { "续期" };
        view! { <a class="link" href=format!("/manager/package/{id}")>{word}<span class="sr">{format!("：{}", got.title)}</span></a> }
    });
    let works: Vec<_> = got
        .contents
        .into_iter()
        .map(|Held { content, address: elsewhere, until }| {
            let may_read = until.is_some();
            let known = known_of(&known, &content.kind, &content.id).filter(|_| may_read);
            let address = known.as_ref().map(|known| known.address.clone());
            let address = address.or(elsewhere.filter(|_| may_read));
            let front = view! {
                <span class="stand"><Front title=content.title.clone() known/></span>
                <strong>{content.title}</strong>
            };
            match address {
                Some(address) => view! { <li><a href=address>{front}</a></li> }.into_any(),
                None => view! { <li><div>{front}</div></li> }.into_any(),
            }
        })
        .collect();
    view! {
        <section class="row-of-books">
            <header>
                <h2>{got.title.trim_matches(['《', '》']).to_owned()}</h2>
                <span class=class>{text}</span>
                {renew}
            </header>
            <ul class="shelf">{works}</ul>
        </section>
    }
}

#[component]
fn NewestNotes(notes: Vec<Note>) -> impl IntoView {
    let items: Vec<_> = notes
        .into_iter()
        .map(|note| {
            view! {
                <li>
                    <p class="words">{note.words}</p>
                    <p class="of">{format!("《{}》第 {} 页", note.title, note.page)}" · "<Moment at=note.updated_at/></p>
                </li>
            }
        })
        .collect();
    (!items.is_empty()).then(|| {
        view! {
            <section class="marks-part">
                <header><h2>"最近的笔记"</h2><a class="link" href=NOTES>"全部笔记与书签"</a></header>
                <ul class="notes">{items}</ul>
            </section>
        }
    })
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

/// The codes that this reader redeemed.
#[component]
fn Log(codes: Vec<RedeemedCode>) -> impl IntoView {
    let rows: Vec<_> = codes
        .into_iter()
        .map(|code| {
            let until = code.until.map_or_else(|| "长期".to_owned(), time::day);
            Record::new()
                .moment("兑换时间", code.at)
                .cell("内容", code.title)
                .cell("兑换码尾号", view! { <span class="num">{code.hint}</span> })
                .cell("读到", until)
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="log-part">
                <h2>"兑换记录"</h2>
                <Records rows/>
            </section>
        }
    })
}
