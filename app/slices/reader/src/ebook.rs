//! /manager/opus/{id}/ebook 发布为电子书: a work's sharing in one short form, for members whose tier opens it.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::{MemberId, WorkId};
use domain::sharing::{Direction, Visibility};
use domain::titles::TITLE_LENGTH;
use leptos::prelude::*;
use press::PageRef;
use web::app::App;
use web::render::{self, Here, here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, Book, ErrorSummary, Field, FieldError, Limit, Moment, area_text};
use web::ui::shell::Shell;

use super::forms::{self, DESCRIPTION_LENGTH, facts_of, keep, new_picture_key, sale_in};
use super::public::DEMO_REST_MS;
use super::store::{self, Facts, Sale, Settings, Share};
use works::{self, Work, picture_address};

/// Whom an e-book may be for: others are for the whole form of sharing.
const VISIBILITIES: [Visibility; 2] = [Visibility::Public, Visibility::Link];

fn address(work: &WorkId) -> String {
    format!("/manager/opus/{work}/ebook")
}

/// How a work is shared that was not shared yet.
fn first_settings(work: &Work) -> Settings {
    Settings {
        visibility: Visibility::Public,
        password_hash: None,
        ends_at: None,
        direction: Direction::Left,
        title: work.document.title.clone(),
        description: work.document.description.clone(),
        card_page: 0,
        embed_sites: Vec::new(),
        pdf: false,
        epub: true,
        sale: None,
        markup: None,
    }
}

/// POST /manager/opus/{id}/ebook: the work is an e-book from now on; readers see it as it is now, unless only the settings
/// are saved.
pub async fn publish(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    let before = store::find(&app.db, &id).await?;
    if before.as_ref().is_some_and(|share| share.withdrawn_reason.is_some()) {
        return Err(Error::Conflict("这件作品被下架了，要重新发布请先联系我们。".into()));
    }
    let mut form = read_form(&body)?;
    let known = before.as_ref().map_or_else(|| first_settings(&work), |share| share.settings.clone());
    let visibility = match form.get("visibility") {
        // as the whole form of sharing has it
        "kept" if before.is_some() => Some(known.visibility),
        code => Visibility::of_code(code).filter(|choice| VISIBILITIES.contains(choice)),
    };
    if visibility.is_none() {
        form.refuse("visibility", "请选择谁可以看");
    }
    check_length(&mut form, "title", "书名", 1, TITLE_LENGTH);
    let description = form.get("description").to_owned();
    if description.chars().count() > DESCRIPTION_LENGTH {
        form.refuse("description", format!("介绍最多 {DESCRIPTION_LENGTH} 个字"));
    }
    let sale = sale_in(&app, &mut form, &member, before.as_ref(), &id).await?;
    let Some(visibility) = visibility.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &address(&id), form).await;
    };
    let settings = Settings {
        visibility,
        title: form.get("title").to_owned(),
        description,
        pdf: !form.get("pdf").is_empty(),
        epub: !form.get("epub").is_empty(),
        sale,
        ..known
    };
    let now = now_ms();
    let is_read = before.as_ref().is_some_and(|share| share.withdrawn_at.is_none());
    let publishes = !is_read || form.get("act") != "save";
    let facts = if publishes { Some(facts_of(&app, &member, &work).await?) } else { None };
    let mut tx = app.db.begin().await?;
    keep(&mut tx, &member, &work, before.as_ref(), &settings, facts, now).await?;
    works::mark_ebook(&mut tx, &id, &member.id, now).await?;
    tx.commit().await?;
    app.bell.ring();
    let done = if publishes { "published" } else { "saved" };
    Ok(Redirect::to(&format!("{}?done={done}", address(&id))).into_response())
}

/// POST /manager/opus/{id}/ebook/removal: it is no e-book any more; who may read it stays as it is.
pub async fn end(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
) -> Result<Redirect, Error> {
    works::for_owner(&app, &id, &member.id).await?;
    let mut tx = app.db.begin().await?;
    works::unmark_ebook(&mut tx, &id, &member.id).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=ended", address(&id))))
}

struct Shown {
    member: Member,
    work: Work,
    share: Option<Share>,
}

/// GET /manager/opus/{id}/ebook.
#[component]
pub fn EbookPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (Here { app, member }, id) = (here?, id?);
            let work = works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
            let share = store::find(&app.db, &id).await?;
            Ok(Shown { member, work, share })
        },
        |Shown { member, work, share }| {
            let done = match use_query("done").as_deref() {
                Some("published") => Some("已发布，读者现在看到的就是这一版。"),
                Some("saved") => Some("已保存，马上生效。"),
                Some("ended") => Some("不再是电子书；谁能看这件作品，还是分享设置里的样子。"),
                _ => None,
            };
            let done = done.filter(|_| !use_form().is_sent());
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let is_read = share.as_ref().is_some_and(|share| share.withdrawn_at.is_none());
            let state = work.ebook_at.map(|at| {
                let read = is_read.then(|| {
                    view! { " · "<a href=format!("/read/{}", work.id)>"打开阅读页"</a> }
                });
                view! { " · "<Moment at/>" 发布为电子书"{read} }
            });
            let title = if work.ebook_at.is_some() { "电子书设置" } else { "发布为电子书" };
            let end = work.ebook_at.map(|_| {
                view! {
                    <Ask
                        label="不再作为电子书"
                        question="它会从电子书里拿出来，阅读页照旧；要收回分享，请到分享设置。".to_owned()
                        confirm="不再作为电子书"
                        action=format!("{}/removal", address(&work.id))
                    />
                }
            });
            view! {
                <Shell member title=title.to_owned() assets=&["works.css", "share.css"]>
                    <header class="head">
                        <div>
                            <h1>{title}</h1>
                            <p class="quiet">
                                <a href=format!("/manager/opus/{}", work.id)>{format!("《{}》", work.document.title)}</a>
                                {state}
                            </p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="还没有发布"/>
                    <Fields work share is_read/>
                    {end}
                </Shell>
            }
        },
    )
}

#[component]
fn Fields(work: Work, share: Option<Share>, is_read: bool) -> impl IntoView {
    let form = use_form();
    let known = share.as_ref().map_or_else(|| first_settings(&work), |share| share.settings.clone());
    let is_kept = share.is_some() && !VISIBILITIES.contains(&known.visibility);
    let visibility = form.or("visibility", if is_kept { "kept" } else { known.visibility.code() });
    let kept = is_kept.then(|| ("kept", known.visibility.name(), "照分享设置里的，不变"));
    let choices = VISIBILITIES.into_iter().map(|choice| (choice.code(), choice.name(), choice.meaning()));
    let visibilities = radios("visibility", choices.chain(kept), &visibility);
    let reading = form.or("reading", if known.sale.is_some() { "sold" } else { "free" });
    let reading = radios(
        "reading",
        [("free", "免费", "能打开的人都能读完整本"), ("sold", "收费", "买了才能读完，开头可以试读")]
            .into_iter(),
        &reading,
    );
    let price = known.sale.and_then(|sale| sale.price).map(|price| price.to_string()).unwrap_or_default();
    let preview = known.sale.map_or(String::new(), |sale: Sale| sale.preview_pages.to_string());
    let description = form.or("description", &known.description);
    // a new e-book may be downloaded; a form that comes back has what was chosen
    let is_first = work.ebook_at.is_none();
    let allowed = |name: &str, known: bool| if form.is_sent() { !form.get(name).is_empty() } else { known };
    let (epub, pdf) = (allowed("epub", known.epub || is_first), allowed("pdf", known.pdf));
    let is_newer = share.as_ref().is_some_and(|share| share.revision != work.revision);
    let buttons = if !is_read || is_first {
        view! { <button class="button primary" name="act" value="publish">"发布为电子书"</button> }.into_any()
    } else {
        let again = is_newer
            .then(|| view! { <button class="button" name="act" value="publish">"保存并发布最新版"</button> });
        view! { {again}<button class="button primary" name="act" value="save">"保存"</button> }.into_any()
    };
    view! {
        <form class="desk" method="post" action=address(&work.id)>
            <div class="part sharing">
                <Book
                    src=picture_address(&work.id, work.revision, PageRef::Cover, 320)
                    trim=work.document.trim
                    alt=String::new()
                />
                <div class="stack">
                    <Field name="title" label="书名" value=known.title most=60 required=true/>
                    <div class="field">
                        <label for="description">"一两句介绍"</label>
                        <Limit name="description" most=DESCRIPTION_LENGTH.to_string()/>
                        <textarea id="description" name="description" rows="3" maxlength=DESCRIPTION_LENGTH.to_string() aria-describedby="description-limit">
                            {area_text(&description)}
                        </textarea>
                        <FieldError name="description".to_owned()/>
                    </div>
                </div>
            </div>
            <div class="part sharing one">
                <fieldset id="visibility">
                    <legend>"阅读页"</legend>
                    <div class="choices">{visibilities}</div>
                    <FieldError name="visibility".to_owned()/>
                </fieldset>
                <fieldset id="reading">
                    <legend>"价格"</legend>
                    <div class="choices">{reading}</div>
                    <FieldError name="reading".to_owned()/>
                </fieldset>
                <div class="fields two">
                    <Field name="price" label="价格（元；不填就只随套餐卖）" value=price inputmode="decimal" most=12/>
                    <Field name="preview_pages" label="可以试读前几页" value=preview inputmode="numeric" most=3/>
                </div>
                <fieldset class="downloads">
                    <legend>"读者可以下载"</legend>
                    <label class="check">
                        <input type="checkbox" name="epub" value="1" checked=epub/>
                        <span>"EPUB，给电子书阅读器和手机"</span>
                    </label>
                    <label class="check">
                        <input type="checkbox" name="pdf" value="1" checked=pdf/>
                        <span>"PDF，和书页一模一样"</span>
                    </label>
                    <p class="hint">"收费的书，买了的读者才能下载。"</p>
                </fieldset>
            </div>
            <div class="actionbar">
                <p class="hint">
                    "密码、期限、嵌入等在"<a href=format!("/manager/opus_share_edit/{}", work.id)>"分享设置"</a>
                </p>
                {buttons}
            </div>
        </form>
    }
}

/// One of a few, each with what it means.
fn radios(
    name: &'static str,
    choices: impl Iterator<Item = (&'static str, &'static str, &'static str)>,
    chosen: &str,
) -> Vec<AnyView> {
    choices
        .map(|(code, label, meaning)| {
            view! {
                <label class="choice">
                    <input type="radio" name=name value=code checked=code == chosen/>
                    <span><strong>{label}</strong><small>{meaning}</small></span>
                </label>
            }
            .into_any()
        })
        .collect()
}

/// Makes a shared work of the demo member's an e-book, and publishes others for everybody.
pub async fn demo(app: &App, member: &MemberId, ebook: &WorkId, others: &[&WorkId]) -> Result<(), Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    works::mark_ebook(&mut tx, ebook, member, now).await?;
    tx.commit().await?;
    for id in others.iter().copied() {
        let work = works::for_owner(app, id, member).await?;
        let share = Share {
            work: id.clone(),
            member: member.clone(),
            settings: Settings {
                description: "一年十二个月，每个月一张自己拍的照片。".into(),
                epub: false,
                ..first_settings(&work)
            },
            revision: work.revision,
            facts: Facts::of(&work.document, Vec::new()),
            picture_key: new_picture_key(),
            published_at: now,
            updated_at: now,
            withdrawn_at: None,
            withdrawn_reason: None,
            is_trashed: false,
        };
        let mut tx = app.db.begin().await?;
        forms::publish(&mut tx, &share, &work.document, now + DEMO_REST_MS).await?;
        tx.commit().await?;
    }
    Ok(())
}
