//! GET /manager/opus/{id}/reviews: asking others to look, and all that they said.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::compare::compare;
use domain::days::DAY_MS;
use domain::document::Document;
use domain::ids::WorkId;
use domain::review::{Asking, USUAL_DAYS, WORDS, asking, page_name, stands_at};
use domain::sub_member::Role;
use leptos::prelude::*;
use web::origin::Origin;
use web::render::{here, loaded, parameter, use_acting, use_form, use_query};
use web::ui::parts::{ErrorSummary, FieldError, Limit, Moment, area_text, described_by};
use web::ui::shell::Shell;
use works::{Work, picture_address};

use super::parts::{Marks, Picture, alternative};
use super::people::{Known, LinkFields, People};
use super::thread::{ThreadItem, Ways};
use crate::open::{page_code, page_ref};
use crate::store::{self, Round};
use crate::talk::{Talk, Thread};
use crate::{code, desk};

/// What the page works with where somebody was asked already.
struct Asked {
    rounds: Vec<Round>,
    /// What the newest round shows.
    document: Document,
    talk: Talk,
    known: Known,
}

/// See the module.
#[component]
pub fn MakerPage() -> impl IntoView {
    let (here, parts, id) = (here(), use_context::<Parts>(), parameter::<WorkId>("id"));
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let app = &here.app;
            let work = works::for_owner(app, &id, &here.member.id).await?;
            let rounds = store::rounds(&app.db, &id).await?;
            let Some(round) = rounds.first().cloned() else { return Ok((here.member, work, None)) };
            let document = works::document_at(app, &id, &here.member.id, round.revision).await?;
            let (talk, reviewers) = Talk::of(app, &id, &document).await?;
            let mut tx = app.db.begin_snapshot().await?;
            let (links, given) = (store::standing(&mut tx, &id).await?, store::verdicts(&mut tx, &id).await?);
            drop(tx);
            let base = Origin::of(&app.config, &parts.headers);
            let address =
                |link: &store::Link| base.join(&format!("/review/{}", code::of_link(&app.key, &link.id)));
            let addresses = links.iter().map(address).collect();
            let mut same = Vec::new();
            let judged: BTreeSet<i64> = given.iter().map(|given| given.round).collect();
            for round in rounds.iter().filter(|round| judged.contains(&round.number)) {
                let then = works::document_at(app, &id, &here.member.id, round.revision).await?;
                if compare(&then, &work.document).is_empty() {
                    same.push(round.number);
                }
            }
            let known = Known { links, addresses, reviewers, given, round, same };
            Ok((here.member, work, Some(Asked { rounds, document, talk, known })))
        },
        |(member, work, asked)| {
            let title = work.document.title.clone();
            let may =
                work.trashed_at.is_none() && use_acting().is_none_or(|acting| acting.role == Role::Editor);
            let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
                Some("asked") => Some("已经备好。把下面的链接发给看样的人，用微信、邮件都行。"),
                Some("links") => Some("链接加好了。"),
                Some("withdrawn") => Some("链接已经收回。"),
                _ => None,
            };
            let done = done.map(|words| view! { <div class="notice good" role="status">{words}</div> });
            let trashed = work.trashed_at.map(|_| {
                view! { <div class="notice warn">"这件作品在回收站里，看样的链接现在打不开；还原以后照常。"</div> }
            });
            let body = match asked {
                Some(asked) => view! { <Reviews work=work.clone() asked may/> }.into_any(),
                None if may => view! { <First work=work.clone()/> }.into_any(),
                None => view! { <p class="quiet">"还没有请人看过这件作品。"</p> }.into_any(),
            };
            view! {
                <Shell member title=format!("请人看样：{title}") assets=&["reviews.css"]>
                    {done}
                    <ErrorSummary title="还没有办成"/>
                    {trashed}
                    <header class="head">
                        <div>
                            <p><a class="link" href=format!("/manager/opus/{}", work.id)>{format!("《{title}》")}</a></p>
                            <h1>"请人看样"</h1>
                        </div>
                    </header>
                    {body}
                </Shell>
            }
        },
    )
}

/// Where nobody was asked yet.
#[component]
fn First(work: Work) -> impl IntoView {
    view! {
        <p class="lead">
            "印之前，请家人、老师或客户逐页看一遍。对方打开链接就能看，点着图写意见，最后说“可以印”或“还要改”，不用注册。"
        </p>
        <section class="sheet"><AskForm work round=None has_links=false has_open=false/></section>
    }
}

/// What is asked of all who look: what they are told, and their last day.
#[component]
fn AskForm(work: Work, round: Option<Round>, has_links: bool, has_open: bool) -> impl IntoView {
    let form = use_form();
    let makes = asking(round.as_ref().map(Round::rule), work.revision);
    let (title, button) = match makes {
        Ok(Asking::Anew(1)) => ("请人看这一版".to_owned(), "准备链接".to_owned()),
        Ok(Asking::Anew(number)) => (format!("请大家看第 {number} 稿"), format!("发出第 {number} 稿")),
        Ok(Asking::Same(number)) => (format!("改第 {number} 稿的说明和日期"), "保存".to_owned()),
        Err(reason) => return view! { <p class="notice warn">{reason.to_string()}</p> }.into_any(),
    };
    let hint = match makes {
        Ok(Asking::Anew(1)) => "看样的人看到的是现在这一版；您可以接着改，改好了再请大家看下一稿。",
        Ok(Asking::Anew(_)) => "链接不用换：原来的链接打开就是新的一稿，还能看到改了哪几页。",
        _ => "作品没有再改过，所以还是这一稿。",
    };
    let is_same = matches!(makes, Ok(Asking::Same(_)));
    let known = round.filter(|_| is_same);
    let until = known
        .as_ref()
        .map_or_else(|| time::day(now_ms() + USUAL_DAYS * DAY_MS), |round| time::day(round.until - 1));
    let words = known.map(|round| round.words).unwrap_or_default();
    let (wrong, late) = (form.error("words").is_some(), form.error("until").is_some());
    let links = (!has_links).then(|| view! { <LinkFields has_open/> });
    view! {
        <form class="stack" method="post" action=desk(&work.id)>
            <h2>{title}</h2>
            <p class="hint">{hint}</p>
            <input type="hidden" name="revision" value=work.revision.to_string()/>
            {links}
            <div class="field">
                <label for="words">"对看样的人说"</label>
                <Limit name="words" most=WORDS.to_string()/>
                <textarea
                    id="words"
                    name="words"
                    rows="3"
                    maxlength=WORDS.to_string()
                    aria-invalid=wrong.then_some("true")
                    aria-describedby=described_by("words", true, wrong)
                >
                    {area_text(&form.or("words", &words))}
                </textarea>
                <FieldError name="words".to_owned()/>
            </div>
            <div class="field short">
                <label for="until">"最后一天"</label>
                <input
                    id="until"
                    name="until"
                    type="date"
                    value=form.or("until", &until)
                    required
                    aria-invalid=late.then_some("true")
                    aria-describedby=described_by("until", false, late)
                />
                <FieldError name="until".to_owned()/>
            </div>
            <p><button class="button primary">{button}</button></p>
        </form>
    }
    .into_any()
}

#[component]
fn Reviews(work: Work, asked: Asked, may: bool) -> impl IntoView {
    let Asked { rounds, document, talk, known } = asked;
    let round = known.round.clone();
    let has_links = !known.links.is_empty();
    let has_open = known.links.iter().any(store::Link::is_open);
    let form = use_form();
    let is_over = now_ms() >= round.until;
    let asks = is_over || form.error("words").or_else(|| form.error("until")).is_some();
    let makes_anew = matches!(asking(Some(round.rule()), work.revision), Ok(Asking::Anew(_)));
    let ask = may.then(|| {
        let form = view! { <AskForm work=work.clone() round=Some(round.clone()) has_links has_open/> };
        if makes_anew || !has_links {
            view! { <section class="sheet">{form}</section> }.into_any()
        } else {
            view! { <details class="fold" open=asks><summary>"改说明和最后一天"</summary>{form}</details> }
                .into_any()
        }
    });
    let more = (may && has_links).then(|| {
        let wrong = use_form().error("names").is_some();
        view! {
            <details class="fold" open=wrong>
                <summary>"再请几位"</summary>
                <form class="stack" method="post" action=format!("{}/links", desk(&work.id))>
                    <LinkFields has_open/>
                    <p><button class="button">"加上链接"</button></p>
                </form>
            </details>
        }
    });
    view! {
        <Standing round=round.clone() work=work.clone() talk=talk.clone()/>
        <div class="desk-parts">
            <div class="stack">
                {ask}
                <Comments work=work.clone() document talk round may/>
            </div>
            <div class="stack">
                <section class="sheet" id="people">
                    <h2>"看样的人"</h2>
                    <People work=work.id.clone() known changes=may/>
                    {more}
                </section>
                <Rounds work rounds/>
            </div>
        </div>
    }
}

/// How the newest round stands.
#[component]
fn Standing(round: Round, work: Work, talk: Talk) -> impl IntoView {
    let open = talk.threads.iter().filter(|thread| thread.comment.done_at.is_none()).count();
    let over = now_ms() >= round.until;
    let day = time::day_near(time::date(round.until - 1), time::date(now_ms()));
    let until = if over {
        "时间已过，链接打不开了".to_owned()
    } else {
        format!("可以看到 {day}为止")
    };
    let changed = (round.revision != work.revision).then(|| {
        view! { <p class="notice">{format!("第 {} 稿发出以后，作品又改过。看样的人看到的还是那一稿。", round.number)}</p> }
    });
    let ordered = round.ordered_at.map(|at| {
        view! { <p class="notice">"已经在 "<Moment at/>" 下单，这一稿不再收意见。要再请人看，请发新的一稿。"</p> }
    });
    let count = if talk.threads.is_empty() {
        "还没有意见".to_owned()
    } else {
        format!("{} 条意见，{open} 条还没改", talk.threads.len())
    };
    view! {
        <p class="standing">
            <strong>{format!("第 {} 稿", round.number)}</strong>" · "{count}" · "{until}
        </p>
        {changed}{ordered}
    }
}

/// What was said, page by page, each beside the page's picture.
#[component]
fn Comments(work: Work, document: Document, talk: Talk, round: Round, may: bool) -> impl IntoView {
    let mut groups: Vec<(Option<usize>, Vec<Thread>)> = Vec::new();
    for thread in &talk.threads {
        // each of a page that is gone shows the page that it was made on
        match groups.last_mut() {
            Some((page, threads)) if page.is_some() && *page == thread.page => threads.push(thread.clone()),
            _ => groups.push((thread.page, vec![thread.clone()])),
        }
    }
    let editor = works::editor_address(&work);
    let items: Vec<_> = groups
        .into_iter()
        .map(|(page, threads)| {
            // where it stands by now, which may be elsewhere again
            let now = threads.first().and_then(|thread| {
                stands_at(thread.comment.page, thread.comment.page_id.as_ref(), &work.document.pages)
            });
            let mend = now.filter(|_| may).map(|page| {
                (format!("{editor}&page={}", page_code(page)), format!("改{}", page_name(page)))
            });
            let ways = Ways {
                base: format!("{}/comment", desk(&work.id)),
                answers: may,
                is_maker: may,
                mend,
                reader: None,
            };
            view! { <Group work=work.clone() document=document.clone() page threads talk=talk.clone() round=round.clone() ways/> }
        })
        .collect();
    let list = if items.is_empty() {
        view! { <p class="quiet">"看样的人写的意见会按页列在这里。"</p> }.into_any()
    } else {
        view! { <ul class="gones">{items}</ul> }.into_any()
    };
    view! { <section class="sheet"><h2>"意见"</h2>{list}</section> }
}

#[component]
fn Group(
    work: Work,
    document: Document,
    page: Option<usize>,
    threads: Vec<Thread>,
    talk: Talk,
    round: Round,
    ways: Ways,
) -> impl IntoView {
    let first = threads.first().map(|thread| (thread.comment.round, thread.comment.page)).unwrap_or_default();
    let rounds = talk.revisions.clone();
    let (revision, shown, caption) = match page {
        Some(page) => (round.revision, page, page_name(page)),
        None => {
            let (number, page) = first;
            let revision = rounds.get(&number).copied().unwrap_or(round.revision);
            (revision, page, format!("第 {number} 稿的{}，现在没有这一页了", page_name(page)))
        }
    };
    let (id, trim) = (work.id.clone(), document.trim);
    let items: Vec<_> = threads
        .iter()
        .cloned()
        .map(|thread| {
            view! { <ThreadItem thread talk=talk.clone() newest=round.clone() ways=ways.clone()/> }
        })
        .collect();
    view! {
        <li class="gone">
            <figure>
                <div class="paper">
                    <Picture
                        address=Arc::new(move |width| picture_address(&id, revision, page_ref(shown), width))
                        trim
                        alt=alternative(&work.document.title, shown)
                        sizes="(min-width: 40em) 200px, 60vw"
                        lazy=true
                    />
                    <Marks threads trim/>
                </div>
                <figcaption class="quiet">{caption}</figcaption>
            </figure>
            <ol class="threads">{items}</ol>
        </li>
    }
}

/// All rounds, the newest first.
#[component]
fn Rounds(work: Work, rounds: Vec<Round>) -> impl IntoView {
    let items: Vec<_> = rounds
        .into_iter()
        .map(|round| {
            let number = round.number;
            let changes = (number > 1).then(|| {
                view! { " · "<a class="link" href=format!("{}/changes/{number}", desk(&work.id))>"改了什么"</a> }
            });
            let ordered = round.ordered_at.map(|_| view! { " "<span class="badge">"已下单"</span> });
            let seen = format!("/manager/opus/{}/revisions/{}", work.id, round.revision);
            view! {
                <li>
                    <strong>{format!("第 {number} 稿")}</strong>{ordered}" "
                    <span class="quiet"><Moment at=round.asked_at/>" 发出 · "<a href=seen>{format!("作品的第 {} 版", round.revision)}</a>{changes}</span>
                </li>
            }
        })
        .collect();
    view! { <section class="sheet"><h2>"各稿"</h2><ol class="rounds">{items}</ol></section> }
}
