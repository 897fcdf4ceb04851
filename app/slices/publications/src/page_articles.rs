//! /manager/epaper_issue/{issue}/{page}, and of magazines: the articles of a page, where they stand on it, and the form of one of
//! them.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::hot_area::{LEAST_SIDE, Place};
use domain::ids::{ArticleId, IssueId, PhotoId};
use domain::publication::{
    AUTHOR_LENGTH, HEADLINE_LENGTH, Kind, MOST_AREAS, MOST_ARTICLES, MOST_PHOTOS, TEXT_LENGTH,
};
use domain::typed::whole;
use leptos::prelude::*;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_query};
use web::session::Member;
use web::ui::forms::check_length;
use web::ui::parts::{ErrorSummary, height_of};
use web::ui::shell::Shell;

use super::article_form::ArticleForm;
use super::issue::own;
use super::replacement::{again_over_newest, note_in};
use super::store::articles::{self as store, Article, ArticlePhoto, Doubt, Found};
use super::store::corrections::{self, Correction};
use super::store::issues::{self, Issue, IssuePage};
use super::store::publications::Publication;
use super::store::steps;
use super::{address, kind_here, kind_of, uses};
use axum::extract::Path;
use photos::{self, Photo, PhotoState};

/// Photos that the form offers, the newest of the library.
const OFFERED: usize = 60;

/// POST /manager/epaper_issue/{issue}/{page}: an article is kept or taken away.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Path((id, page)): Path<(String, usize)>,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let id: IssueId = id.parse().map_err(|_| Error::NotFound)?;
    let (_, issue) = own(&app, &member, kind, &id).await?;
    if !(1..=issue.pages).contains(&page) {
        return Err(Error::NotFound);
    }
    let (mut form, _) = works::receive_ready(&app, multipart).await?;
    let back = format!("{}/{page}", address::issue_desk(kind, &issue));
    let Some(article) = form.own::<ArticleId>("article") else {
        return render::again(&app, parts, &back, form).await;
    };
    let now = now_ms();
    let document = issues::document(&app.db, &id).await?;
    let revision: Option<i64> = form.get("revision").parse().ok();
    if form.get("act") == "remove" {
        let mut tx = app.db.begin().await?;
        if !corrections::next_of_page(&mut tx, &id, page, revision).await? {
            return Err(Error::Conflict("这一版刚刚在别处改过，请刷新看过，再拿掉。".into()));
        }
        store::remove(&mut tx, &id, &article).await?;
        uses::shown(&mut tx, &id, &member.id, &document).await?;
        steps::forget(&mut tx, &id, page).await?;
        issues::touch(&mut tx, &id, now).await?;
        tx.commit().await?;
        return Ok(Redirect::to(&format!("{back}?done=removed")).into_response());
    }
    let known = store::find(&app.db, &id, &article).await?;
    // it stands on the page that it was made on
    if known.as_ref().is_some_and(|known| known.page != page) {
        return Err(Error::NotFound);
    }
    let note = if form.get("tell").is_empty() { None } else { note_in(&mut form, &issue) };
    let read = match (form.get("act"), &known) {
        ("take", Some(Article { doubt: Some(Doubt::Changed(found)), .. })) => {
            known.clone().map(|known| with_found(known, found.clone(), now))
        }
        _ => read(&app, &member, &mut form, article, page, known.as_ref(), now).await?,
    };
    let Some(mut read) = read.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &back, form).await;
    };
    let mut tx = app.db.begin().await?;
    if !corrections::next_of_page(&mut tx, &id, page, revision).await? {
        drop(tx);
        return again_over_newest(&app, parts, &back, form).await;
    }
    // another page may have led it elsewhere since it was read
    let there = store::of_page(&mut tx, &id, page).await?.into_iter().find(|there| there.id == read.id);
    read.goes_on = there.and_then(|there| there.goes_on);
    if known.is_none() {
        if store::count(&mut tx, &id).await? >= MOST_ARTICLES as i64 {
            drop(tx);
            form.refuse("title", format!("一期最多 {MOST_ARTICLES} 篇稿件"));
            return render::again(&app, parts, &back, form).await;
        }
        read.number = store::take_numbers(&mut tx, &id, 1).await?;
        if read.position == 0 {
            read.position = read.number;
        }
    }
    if !store::keep(&mut tx, &id, &read).await? {
        return Err(Error::NotFound);
    }
    if let Some(note) = note {
        let page = i64::try_from(page).map_err(Error::internal)?;
        let correction = Correction { page, article: Some(read.number), note, created_at: now };
        corrections::add(&mut tx, &id, &correction).await?;
    }
    uses::shown(&mut tx, &id, &member.id, &document).await?;
    steps::forget(&mut tx, &id, page).await?;
    issues::touch(&mut tx, &id, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{back}?done=kept")).into_response())
}

/// An article with the words that its new page has.
fn with_found(known: Article, found: Found, now: i64) -> Article {
    let Found { kicker, title, subtitle, author, text } = found;
    Article { kicker, title, subtitle, author, text, doubt: None, updated_at: now, ..known }
}

/// Areas as a form says them: the one in four fields, and others, one a line.
fn areas_in(form: &mut Form) -> Vec<Place> {
    let mut areas = Vec::new();
    let lines = format!(
        "{} {} {} {}\n{}",
        form.get("x"),
        form.get("y"),
        form.get("width"),
        form.get("height"),
        form.get("areas")
    );
    for (line, text) in lines.lines().map(str::trim).enumerate() {
        if text.is_empty() {
            continue;
        }
        let place = text.parse::<Place>().ok();
        match place {
            Some(place) => areas.push(place),
            None => {
                let field = if line == 0 { "x" } else { "areas" };
                form.refuse(
                    field,
                    format!("区域“{text}”不在版面里面：左、上从 0 起，宽、高至少 {LEAST_SIDE}，右边和下边不超过 1000"),
                );
            }
        }
    }
    if areas.len() > MOST_AREAS {
        form.refuse("areas", format!("一篇稿件最多 {MOST_AREAS} 块区域"));
    }
    areas
}

/// The article that a form says; what is wrong with it stands in the form.
async fn read(
    app: &App,
    member: &Member,
    form: &mut Form,
    id: ArticleId,
    page: usize,
    known: Option<&Article>,
    now: i64,
) -> Result<Option<Article>, Error> {
    check_length(form, "kicker", "引题", 0, HEADLINE_LENGTH);
    check_length(form, "title", "标题", 1, HEADLINE_LENGTH);
    check_length(form, "subtitle", "副题", 0, HEADLINE_LENGTH);
    check_length(form, "author", "作者", 0, AUTHOR_LENGTH);
    check_length(form, "text", "正文", 0, TEXT_LENGTH);
    let areas = areas_in(form);
    let position = match form.get("position") {
        "" => Some(0),
        text => whole::<i64>(text, &[]).filter(|at| (0..=9_999).contains(at)),
    };
    if position.is_none() {
        form.refuse("position", "请填写 0 到 9999 之间的整数");
    }
    let wanted: Vec<PhotoId> = form.all("photo").filter_map(|id| id.parse().ok()).collect();
    let mine = photos::of_member(app, &member.id, &wanted).await?;
    let is_good = |photo: &&Photo| photo.state != PhotoState::Broken && !photo.is_coming();
    let mut chosen: Vec<ArticlePhoto> = mine
        .iter()
        .filter(is_good)
        .map(|photo| ArticlePhoto {
            photo: photo.id.clone(),
            caption: form.get(&format!("caption-{}", photo.id)).chars().take(HEADLINE_LENGTH).collect(),
        })
        .collect();
    // those that stood there before keep their order
    let before = |photo: &ArticlePhoto| {
        let place = known.and_then(|known| known.photos.iter().position(|known| known.photo == photo.photo));
        place.unwrap_or(usize::MAX)
    };
    chosen.sort_by_key(before);
    if chosen.len() < wanted.len() {
        form.refuse("photos", "有一张照片不在您的素材里，或者还没有传完");
    } else if chosen.len() > MOST_PHOTOS {
        form.refuse("photos", format!("一篇稿件最多 {MOST_PHOTOS} 张照片"));
    }
    let Some(position) = position.filter(|_| !form.is_refused()) else { return Ok(None) };
    Ok(Some(Article {
        id,
        number: known.map_or(0, |known| known.number),
        page,
        position,
        is_proposed: false,
        kicker: form.get("kicker").to_owned(),
        title: form.get("title").to_owned(),
        subtitle: form.get("subtitle").to_owned(),
        author: form.get("author").to_owned(),
        text: form.get("text").to_owned(),
        areas,
        photos: chosen,
        sound: known.and_then(|known| known.sound.clone()),
        doubt: None,
        goes_on: None,
        updated_at: now,
    }))
}

struct Shown {
    member: Member,
    publication: Publication,
    issue: Issue,
    page: IssuePage,
    all: Vec<Article>,
    chosen: Option<Article>,
    library: Vec<Photo>,
}

/// GET /manager/epaper_issue/{issue}/{page}?article=.
#[component]
pub fn PageArticlesPage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<IssueId>("issue"));
    let page = parameter::<usize>("page");
    let form = use_form();
    let asked = if form.is_sent() {
        form.get("article").to_owned()
    } else {
        use_query("article").unwrap_or_default()
    };
    loaded(
        async move {
            let (Here { app, member }, kind, id, page) = (here?, kind?, id?, page?);
            let (publication, issue) = own(&app, &member, kind, &id).await?;
            let mut pages = issues::pages(&app.db, &id).await?;
            let at = pages.iter().position(|known| known.page == page).ok_or(Error::NotFound)?;
            let mut all = store::headlines(&app.db, &id, true).await?;
            all.retain(|article| article.page == page);
            let chosen = match asked.parse::<ArticleId>() {
                Ok(article) => store::find(&app.db, &id, &article).await?.filter(|known| known.page == page),
                Err(_) => None,
            };
            let ids: Vec<PhotoId> =
                chosen.iter().flat_map(|known| &known.photos).map(|photo| photo.photo.clone()).collect();
            let mut library = photos::of_member(&app, &member.id, &ids).await?;
            let others = photos::newest(&app, &member.id, 2 * OFFERED).await?;
            let is_good = |photo: &Photo| photo.state != PhotoState::Broken && !photo.is_coming();
            library.extend(
                others.into_iter().filter(|photo| is_good(photo) && !ids.contains(&photo.id)).take(OFFERED),
            );
            Ok(Shown { member, publication, issue, page: pages.remove(at), all, chosen, library })
        },
        |shown| view! { <Desk shown/> },
    )
}

#[component]
fn Desk(shown: Shown) -> impl IntoView {
    let Shown { member, publication, issue, page, all, chosen, library } = shown;
    let kind = publication.kind;
    let number = page.page;
    let issue_desk = address::issue_desk(kind, &issue);
    let base = format!("{issue_desk}/{number}");
    let title = kind.page_title(number, &page.name);
    let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
        Some("kept") => Some("稿件已保存。"),
        Some("removed") => Some("稿件已拿掉。"),
        Some("sound") => Some("朗读已保存。"),
        Some("silent") => Some("朗读已去掉。"),
        Some("accepted") => Some("这一版建议的稿件都已采用。"),
        _ => None,
    };
    let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
    let rects: Vec<_> = all
        .iter()
        .flat_map(|article| article.areas.iter().enumerate().map(move |(at, place)| (article, at, place)))
        .map(|(article, at, place)| {
            let is_chosen = at == 0 && chosen.as_ref().is_some_and(|chosen| chosen.id == article.id);
            view! {
                <a href=format!("{base}?article={}", article.id) aria-label=format!("修改：{}", article.title)>
                    <rect
                        class=is_chosen.then_some("chosen")
                        x=place.x.to_string()
                        y=place.y.to_string()
                        width=place.width.to_string()
                        height=place.height.to_string()
                    ></rect>
                </a>
            }
        })
        .collect();
    let proposed = all.iter().filter(|article| article.is_proposed).count();
    let items: Vec<_> = all
        .iter()
        .map(|article| {
            let badge = match (article.is_proposed, &article.doubt) {
                (true, _) => Some("建议"),
                (false, Some(_)) => Some("要核对"),
                (false, None) => None,
            };
            let badge = badge.map(|name| view! { <span class="badge warn">{name}</span> });
            view! {
                <li>
                    <a href=format!("{base}?article={}#form", article.id)>{article.title.clone()}</a>
                    {badge}
                </li>
            }
        })
        .collect();
    let list = if items.is_empty() {
        view! { <p class="quiet">"这里还没有稿件。在图上拖出一块，再在下面填写；也可以只填文字。"</p> }
            .into_any()
    } else {
        view! { <ul class="areas">{items}</ul> }.into_any()
    };
    let take = (proposed > 0).then(|| {
        view! {
            <form method="post" action=format!("{issue_desk}/proposals")>
                <input type="hidden" name="page" value=number.to_string()/>
                <button class="button small">{format!("采用这里的 {proposed} 篇建议")}</button>
            </form>
        }
    });
    let neighbour = |at: usize, name: &'static str| {
        (1..=issue.pages)
            .contains(&at)
            .then(|| view! { <a class="button small" href=format!("{issue_desk}/{at}")>{name}</a> })
    };
    let (before, after) = match kind {
        Kind::Epaper => (neighbour(number - 1, "上一版"), neighbour(number + 1, "下一版")),
        Kind::Magazine => (neighbour(number - 1, "上一页"), neighbour(number + 1, "下一页")),
    };
    view! {
        <Shell member title=title.clone() assets=&["hotareas.css", "newsdesk.css", "hotareas.js"]>
            <header class="head">
                <div>
                    <p><a class="link" href=issue_desk.clone()>{format!("{} {}", publication.name, issue.day)}</a></p>
                    <h1>{title.clone()}</h1>
                </div>
                <div class="row"><a class="button small" href=format!("{base}/makeup")>"按文字块改"</a>{before}{after}</div>
            </header>
            {done}
            <ErrorSummary title="还没有保存"/>
            <div class="hotdesk">
                <div class="drawing" data-drawing>
                    <img
                        src=address::picture(&publication, &issue, number, 1440)
                        width="720"
                        height=height_of(issue.trim, 720)
                        alt=title
                    />
                    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">{rects}</svg>
                </div>
                <div class="stack">
                    <section aria-labelledby="areas-title">
                        <h2 id="areas-title">"稿件"</h2>
                        {list}
                    </section>
                    {take}
                    <ArticleForm base chosen library revision=page.revision is_public=issue.state.was_public()/>
                </div>
            </div>
        </Shell>
    }
}
