//! /manager/epaper_issue/{issue}/{page}/makeup, and of magazines: what was read of a page, block by block. Articles are put
//! together and taken apart, blocks go to where they belong, and the last steps can be undone.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use domain::ids::{ArticleId, IssueId};
use domain::makeup::{Block, NotDone, Placed, Role, Step, Story, apply, owner};
use domain::publication::{MOST_ARTICLES, MOST_PHOTOS};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, height_of};
use web::ui::shell::Shell;

use super::issue::{LooseEnds, own};
use super::joined::{self, LooseEnd};
use super::replacement::again_over_newest;
use super::store::articles::{self, Article};
use super::store::issues::{self, Issue, IssuePage};
use super::store::publications::Publication;
use super::store::{corrections, jumps, search, steps as store};
use super::{address, kind_here, kind_of, uses};

/// Characters of a block that its line shows.
const SHOWN: usize = 28;

fn story(article: &Article) -> Story {
    let Article { kicker, title, subtitle, author, text, areas, .. } = article.clone();
    Story { kicker, title, subtitle, author, text, areas }
}

/// What a form wants done with the chosen block, its article, and another one.
fn step_in(form: &Form, articles: &[Article], stories: &[Story], blocks: &[Block]) -> Result<Step, NotDone> {
    let block: usize = form.get("block").parse().map_err(|_| NotDone::Nothing)?;
    let known = blocks.get(block).ok_or(NotDone::Nothing)?;
    let mine = owner(known, stories).map(|(story, _)| story);
    let to = articles.iter().position(|article| article.id.as_str() == form.get("to"));
    let act = form.get("act");
    if let Some(role) = act.strip_prefix("role-").and_then(Role::of_code) {
        return Ok(Step::Role { block, role });
    }
    match act {
        "split" => Ok(Step::Split { block }),
        "move" => Ok(Step::Move { block, to: to.ok_or(NotDone::Nothing)? }),
        "merge" => {
            let from = mine.ok_or(NotDone::InNone)?;
            Ok(Step::Merge { from, into: to.ok_or(NotDone::Nothing)? })
        }
        "join" => {
            let from = mine.ok_or(NotDone::InNone)?;
            Ok(Step::Merge { from, into: from.checked_sub(1).ok_or(NotDone::AtEnd)? })
        }
        "up" => Ok(Step::Up { story: mine.ok_or(NotDone::InNone)? }),
        "down" => Ok(Step::Down { story: mine.ok_or(NotDone::InNone)? }),
        _ => Err(NotDone::Nothing),
    }
}

/// Writes what a step made of a page's articles. The inner error is a sentence for the member.
async fn write(
    tx: &mut Tx,
    issue: &IssueId,
    page: usize,
    before: &[Article],
    placed: Vec<Placed>,
    now: i64,
) -> Result<Result<(), String>, Error> {
    let is_left = |index: usize| placed.iter().any(|(of, _)| *of == Some(index));
    let gone: Vec<&Article> =
        before.iter().enumerate().filter(|(index, _)| !is_left(*index)).map(|(_, known)| known).collect();
    if gone.iter().any(|article| article.sound.is_some()) {
        return Ok(Err("这篇稿件有朗读，请先去掉朗读".to_owned()));
    }
    let new = placed.iter().filter(|(of, _)| of.is_none()).count();
    if new > 0 && articles::count(tx, issue).await? >= MOST_ARTICLES as i64 {
        return Ok(Err(format!("一期最多 {MOST_ARTICLES} 篇稿件")));
    }
    let mut photos: Vec<_> = gone.iter().flat_map(|article| article.photos.clone()).collect();
    // what readers have stays theirs, whatever takes it in
    let is_public = gone.iter().any(|article| !article.is_proposed);
    // the way that led on from what goes, and the ways that led to it
    let mut on = gone.iter().find_map(|article| article.goes_on.clone());
    let mut led_by = Vec::new();
    for article in gone {
        led_by.extend(jumps::leading_to(tx, issue, &article.id).await?);
        articles::remove(tx, issue, &article.id).await?;
    }
    let mut number = articles::take_numbers(tx, issue, i64::try_from(new).map_err(Error::internal)?).await?;
    let mut proposed = true;
    for (position, (of, words)) in (1i64..).zip(placed) {
        let known = of.and_then(|index| before.get(index));
        // a new one is as far as the one that it was taken from
        proposed = known.map_or(proposed, |known| known.is_proposed);
        if known.is_some_and(|known| story(known) == words) {
            let Some(known) = known else { continue };
            articles::set_position(tx, &known.id, position).await?;
            continue;
        }
        let Story { kicker, title, subtitle, author, text, areas } = words;
        let mut shown = known.map(|known| known.photos.clone()).unwrap_or_default();
        if known.is_some() {
            proposed &= !is_public;
            shown.append(&mut photos);
            if shown.len() > MOST_PHOTOS {
                let count = shown.len();
                return Ok(Err(format!("一篇最多 {MOST_PHOTOS} 张照片，合起来有 {count} 张，请先拿掉几张")));
            }
        }
        let article = Article {
            id: known.map_or_else(new_id::<ArticleId>, |known| known.id.clone()),
            number: known.map_or(number, |known| known.number),
            page,
            position,
            is_proposed: proposed,
            kicker,
            title,
            subtitle,
            author,
            text,
            areas,
            photos: shown,
            sound: None,
            // whoever changes its words has looked at it
            doubt: None,
            goes_on: known.and_then(|known| known.goes_on.clone()),
            updated_at: now,
        };
        articles::keep(tx, issue, &article).await?;
        if known.is_none() {
            number += 1;
            continue;
        }
        if article.goes_on.is_none()
            && let Some(next) = on.take()
        {
            jumps::set(tx, issue, &article.id, Some(next.as_str()), now).await?;
        }
        for other in led_by.drain(..) {
            jumps::set(tx, issue, &other, Some(article.id.as_str()), now).await?;
        }
    }
    // those that only moved stand in another order there, too
    search::leave(tx, issue, i64::try_from(page).map_err(Error::internal)?).await?;
    Ok(Ok(()))
}

/// POST /manager/epaper_issue/{issue}/{page}/makeup: `act` is done with `block`, and with the article `to`.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Path((id, page)): Path<(String, usize)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let id: IssueId = id.parse().map_err(|_| Error::NotFound)?;
    let (_, issue) = own(&app, &member, kind, &id).await?;
    if !(1..=issue.pages).contains(&page) {
        return Err(Error::NotFound);
    }
    let mut form = read_form(&body)?;
    let back = format!("{}/{page}/makeup", address::issue_desk(kind, &issue));
    let document = issues::document(&app.db, &id).await?;
    let blocks = store::blocks(&app.db, &id, page).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    if !corrections::next_of_page(&mut tx, &id, page, form.get("revision").parse().ok()).await? {
        drop(tx);
        return again_over_newest(&app, parts, &back, form).await;
    }
    let problem = if form.get("act") == "jump" {
        jump(&mut tx, &id, page, &form, &blocks, now).await?.err()
    } else if form.get("act") == "undo" {
        store::undo(&mut tx, &id, page, now).await?.err().map(str::to_owned)
    } else {
        let before = articles::of_page(&mut tx, &id, page).await?;
        let stories: Vec<Story> = before.iter().map(story).collect();
        let step = step_in(&form, &before, &stories, &blocks);
        match step.and_then(|step| apply(&stories, &blocks, step)) {
            Ok(placed) => {
                store::keep(&mut tx, &id, page, &before).await?;
                write(&mut tx, &id, page, &before, placed, now).await?.err()
            }
            Err(problem) => Some(problem.to_string()),
        }
    };
    if let Some(problem) = problem {
        drop(tx);
        form.refuse("block", problem);
        return render::again(&app, parts, &back, form).await;
    }
    uses::shown(&mut tx, &id, &member.id, &document).await?;
    issues::touch(&mut tx, &id, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{back}?block={}", form.get("block").parse().unwrap_or(0usize))).into_response())
}

/// The article of the chosen block goes on with one of another page, `next`, or with none.
async fn jump(
    tx: &mut Tx,
    issue: &IssueId,
    page: usize,
    form: &Form,
    blocks: &[Block],
    now: i64,
) -> Result<Result<(), String>, Error> {
    let all = articles::of_page(tx, issue, page).await?;
    store::keep(tx, issue, page, &all).await?;
    let stories: Vec<Story> = all.iter().map(story).collect();
    let block = form.get("block").parse::<usize>().ok().and_then(|block| blocks.get(block));
    let Some((mine, _)) = block.and_then(|block| owner(block, &stories)) else {
        return Ok(Err(NotDone::InNone.to_string()));
    };
    let next = Some(form.get("next")).filter(|next| !next.is_empty());
    let is_set = jumps::set(tx, issue, &all[mine].id, next, now).await?;
    Ok(if is_set {
        Ok(())
    } else {
        Err("请选别的版上的一篇，它不能再转回这一篇".to_owned())
    })
}

struct Shown {
    member: Member,
    publication: Publication,
    issue: Issue,
    page: IssuePage,
    articles: Vec<Article>,
    blocks: Vec<Block>,
    /// Articles of the issue's other pages.
    elsewhere: Vec<Article>,
    /// Those of this page.
    loose: Vec<LooseEnd>,
    may_undo: bool,
}

/// GET /manager/epaper_issue/{issue}/{page}/makeup?block=.
#[component]
pub fn MakeupPage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<IssueId>("issue"));
    let page = parameter::<usize>("page");
    loaded(
        async move {
            let (Here { app, member }, kind, id, page) = (here?, kind?, id?, page?);
            let (publication, issue) = own(&app, &member, kind, &id).await?;
            let mut pages = issues::pages(&app.db, &id).await?;
            let at = pages.iter().position(|known| known.page == page).ok_or(Error::NotFound)?;
            let mut tx = app.db.begin_snapshot().await?;
            let articles = articles::of_page(&mut tx, &id, page).await?;
            drop(tx);
            let blocks = store::blocks(&app.db, &id, page).await?;
            let may_undo = store::is_any(&app.db, &id, page).await?;
            let mut elsewhere = articles::headlines(&app.db, &id, true).await?;
            elsewhere.retain(|article| article.page != page);
            let mut loose = joined::loose_ends(&app.db, &id).await?;
            loose.retain(|end| end.page == page);
            let page = pages.remove(at);
            Ok(Shown { member, publication, issue, page, articles, blocks, elsewhere, loose, may_undo })
        },
        |shown| view! { <Makeup shown/> },
    )
}

#[component]
fn Makeup(shown: Shown) -> impl IntoView {
    let Shown { member, publication, issue, page, articles, blocks, elsewhere, loose: ends, may_undo } =
        shown;
    let form = use_form();
    let number = page.page;
    let desk = format!("{}/{number}", address::issue_desk(publication.kind, &issue));
    let stories: Vec<Story> = articles.iter().map(story).collect();
    let chosen = form.or("block", &use_query("block").unwrap_or_default());
    let chosen: usize = chosen.parse().unwrap_or(0);
    let owners: Vec<_> = blocks.iter().map(|block| owner(block, &stories)).collect();
    let of_chosen = owners.get(chosen).copied().flatten().map(|(story, _)| story);
    let rects: Vec<_> = blocks
        .iter()
        .zip(&owners)
        .enumerate()
        .map(|(index, (block, owner))| {
            let class = match (index == chosen, owner) {
                (true, _) => "chosen",
                (false, None) => "loose",
                (false, Some((story, _))) if Some(*story) == of_chosen => "same",
                (false, Some(_)) => "",
            };
            let article = owner.map(|(story, _)| articles[story].id.to_string());
            view! {
                <rect
                    class=class
                    data-block=index.to_string()
                    data-article=article
                    x=block.place.x.to_string()
                    y=block.place.y.to_string()
                    width=block.place.width.to_string()
                    height=block.place.height.to_string()
                ></rect>
            }
        })
        .collect();
    let loose = owners.iter().filter(|owner| owner.is_none()).count();
    let loose = (loose > 0).then(|| {
        view! { <p class="notice warn">{format!("有 {loose} 块文字不在任何稿件里，或者您改过那里的字。请看看有没有漏掉的。")}</p> }
    });
    let lines: Vec<_> = blocks
        .iter()
        .zip(&owners)
        .enumerate()
        .map(|(index, (block, owner))| {
            let words: String = block.text.replace('\n', " ").chars().take(SHOWN).collect();
            let place = match owner {
                Some((story, role)) => {
                    view! { <small>{format!("{} · {}", role.name(), articles[*story].title)}</small> }
                        .into_any()
                }
                None => view! { <small class="badge warn">"不在稿件里"</small> }.into_any(),
            };
            view! {
                <li>
                    <label>
                        <input type="radio" name="block" value=index.to_string() checked=index == chosen/>
                        <span>{words}</span>
                        {place}
                    </label>
                </li>
            }
        })
        .collect();
    let to = form.get("to").to_owned();
    let options: Vec<_> = articles
        .iter()
        .map(|article| {
            let id = article.id.to_string();
            let selected = id == to;
            view! { <option value=id selected=selected>{article.title.clone()}</option> }
        })
        .collect();
    let next = form.get("next").to_owned();
    let elsewhere: Vec<_> = elsewhere
        .into_iter()
        .map(|article| {
            let name = format!("{} {}", publication.kind.page_title(article.page, ""), article.title);
            let (id, selected) = (article.id.to_string(), next == article.id.as_str());
            view! { <option value=id selected=selected>{name}</option> }
        })
        .collect();
    let roles: Vec<_> = (1..)
        .zip(Role::ALL)
        .map(|(key, role)| {
            let act = format!("role-{}", role.code());
            view! { <button class="button small" name="act" value=act data-key=key.to_string()>{role.name()}<kbd>{key}</kbd></button> }
        })
        .collect();
    let button = |act: &'static str, name: &'static str, key: &'static str| {
        view! { <button class="button small" name="act" value=act data-key=key>{name}<kbd>{key}</kbd></button> }
    };
    let undo = may_undo.then(|| button("undo", "撤销上一步", "Z"));
    let title = format!("{} 文字块", publication.kind.page_title(number, &page.name));
    let body = if blocks.is_empty() {
        view! { <p class="notice">"这里没有读出文字块：可能整页是图片，或者还在读。稿件请在表单里填写。"</p> }
            .into_any()
    } else {
        view! {
            <form class="makeup stack" method="post" action=format!("{desk}/makeup") data-makeup>
                <input type="hidden" name="revision" value=form.or("revision", &page.revision.to_string())/>
                <fieldset class="acts">
                    <legend>"选中的文字块是"</legend>
                    <div class="row">{roles}</div>
                </fieldset>
                <fieldset class="acts">
                    <legend>"选中的文字块和它的稿件"</legend>
                    <div class="row">
                        {button("split", "从这块另起一篇", "S")}
                        {button("join", "这篇并到上一篇", "B")}
                        {button("up", "这篇往前", "[")}
                        {button("down", "这篇往后", "]")}
                        {undo}
                    </div>
                    <div class="row">
                        <label for="to">"另一篇"</label>
                        <select id="to" class="input" name="to">{options}</select>
                        {button("move", "这块移过去", "M")}
                        {button("merge", "整篇并过去", "G")}
                    </div>
                    <div class="row">
                        <label for="next">"下转"</label>
                        <select id="next" class="input" name="next"><option value="">"不转"</option>{elsewhere}</select>
                        {button("jump", "这篇转到那里", "J")}
                    </div>
                </fieldset>
                <p class="hint keys">"点图上的块选中它，上下键换一块；把一块拖到另一篇上就移过去；按钮上的字母是快捷键。"</p>
                <ol class="blocks">{lines}</ol>
            </form>
        }
        .into_any()
    };
    view! {
        <Shell member title=title.clone() assets=&["hotareas.css", "newsdesk.css", "makeup.js"]>
            <header class="head">
                <div>
                    <p><a class="link" href=desk.clone()>"回到这里的稿件"</a></p>
                    <h1>{title.clone()}</h1>
                </div>
            </header>
            <ErrorSummary title="这一步没有做"/>
            {loose}
            <LooseEnds kind=publication.kind desk=address::issue_desk(publication.kind, &issue) loose=ends/>
            <div class="hotdesk">
                <div class="drawing" data-blocks>
                    <img
                        src=address::picture(&publication, &issue, number, 1440)
                        width="720"
                        height=height_of(issue.trim, 720)
                        alt=title
                    />
                    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">{rects}</svg>
                </div>
                {body}
            </div>
        </Shell>
    }
}
