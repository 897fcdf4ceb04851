//! What a maker decides about a shared work.

use axum::extract::{RawForm, State};
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use base::time;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::WorkId;
use domain::money::Fen;
use domain::package::{MOST_TRIAL_PAGES, read_price};
use domain::sharing::{Direction, Visibility};
use domain::tier::{Feature, allows};
use domain::titles::TITLE_LENGTH;
use domain::typed::{self, PAGES, whole};
use rand::Rng;
use web::app::App;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};

use super::downloads;
use super::jobs::{MakeFile, PreparePages};
use super::store::{self, Facts, Sale, Settings, Share};
use super::uses;
use works::{self, BookFormat, Work};

/// Characters that an introduction may have.
pub const DESCRIPTION_LENGTH: usize = 500;
/// Sites that may show one work in a frame.
pub const MOST_SITES: usize = 10;
/// Characters of a work's password. It keeps neighbours out, not thieves: it is read out on the telephone.
const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 4..=64;
/// What a maker may add to a printed copy.
const MOST_MARKUP: Fen = Fen(1_000_000);

/// A key for the addresses of pictures.
pub fn new_picture_key() -> String {
    let mut bytes = [0; 12];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// POST /manager/opus_share_edit/{id}: keeps the settings and, where that button was pressed, publishes the work as it is.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    let before = store::find(&app.db, &id).await?;
    let mut form = read_form(&body)?;
    let now = now_ms();
    let publishes = before.is_none() || form.get("act") == "publish";
    if publishes && before.as_ref().is_some_and(|share| share.withdrawn_reason.is_some()) {
        return Err(Error::Conflict("这件作品被下架了，要重新发布请先联系我们。".into()));
    }
    let pages = if publishes {
        work.document.pages.len()
    } else {
        before.as_ref().map_or(0, |share| share.facts.pages)
    };
    let known_hash = before.as_ref().and_then(|share| share.settings.password_hash.clone());
    let sale = sale_in(&app, &mut form, &member, before.as_ref(), &id).await?;
    let settings = settings_in(&app, &mut form, known_hash, pages, now).await?;
    let Some(settings) = settings.map(|settings| Settings { sale, ..settings }) else {
        form.forget("password");
        return render::again(&app, parts, &format!("/manager/opus_share_edit/{id}"), form).await;
    };
    let facts = if publishes { Some(facts_of(&app, &member, &work).await?) } else { None };
    let mut tx = app.db.begin().await?;
    keep(&mut tx, &member, &work, before.as_ref(), &settings, facts, now).await?;
    tx.commit().await?;
    app.bell.ring();
    let done = if publishes { "published" } else { "settings" };
    Ok(Redirect::to(&format!("/manager/opus_share_edit/{id}?saved={done}")).into_response())
}

/// What readers are shown of a work as it is.
pub async fn facts_of(app: &App, member: &Member, work: &Work) -> Result<Facts, Error> {
    Ok(Facts::of(&work.document, works::chapters(app, &member.id, &work.document).await?))
}

/// Keeps what the maker decided about a work and, where there is what readers are shown of it, publishes the work as it is, as
/// part of a transaction.
pub async fn keep(
    tx: &mut Tx,
    member: &Member,
    work: &Work,
    before: Option<&Share>,
    settings: &Settings,
    facts: Option<Facts>,
    now: i64,
) -> Result<(), Error> {
    // who could open a picture yesterday can't where fewer people may today
    let key = match before {
        Some(share) if !is_narrower(&share.settings, settings) => share.picture_key.clone(),
        _ => new_picture_key(),
    };
    if let Some(facts) = facts {
        let share = Share {
            work: work.id.clone(),
            member: member.id.clone(),
            settings: settings.clone(),
            revision: work.revision,
            facts,
            picture_key: key.clone(),
            published_at: now,
            updated_at: now,
            withdrawn_at: None,
            withdrawn_reason: None,
            is_trashed: false,
        };
        publish(tx, &share, &work.document, now).await?;
    }
    store::set(tx, &work.id, settings, &key, now).await?;
    for format in BookFormat::ALL.into_iter().filter(|format| downloads::is_allowed(*format, settings)) {
        jobs::enqueue_for(tx, &MakeFile { work: work.id.clone(), format }, &member.id, now).await?;
    }
    Ok(())
}

/// Publishes a document as part of a transaction; from a moment on (epoch ms) its words are read and its pictures drawn by a job.
pub async fn publish(
    tx: &mut Tx,
    share: &Share,
    document: &domain::document::Document,
    prepared_at: i64,
) -> Result<(), Error> {
    store::publish(tx, share, &serde_json::to_string(document)?).await?;
    uses::published(tx, &share.work, &share.member, document).await?;
    let job = PreparePages { work: share.work.clone(), revision: share.revision };
    jobs::enqueue_for(tx, &job, &share.member, prepared_at).await
}

/// Whether people who could read a work before can't now.
fn is_narrower(before: &Settings, now: &Settings) -> bool {
    let rank = |visibility: Visibility| match visibility {
        Visibility::Public | Visibility::Link => 0,
        Visibility::Password => 1,
        Visibility::Private => 2,
    };
    rank(now.visibility) > rank(before.visibility)
        || (now.visibility == Visibility::Password && now.password_hash != before.password_hash)
        || (now.sale.is_some() && now.sale != before.sale)
}

/// How reading is sold, as the form says; what it refuses stands in the form.
pub async fn sale_in(
    app: &App,
    form: &mut Form,
    member: &Member,
    before: Option<&Share>,
    id: &WorkId,
) -> Result<Option<Sale>, Error> {
    let known = before.and_then(|share| share.settings.sale);
    match form.get("reading") {
        "" | "free" => return Ok(None),
        // what a tier no longer opens stays as it was
        "sold" if known.is_some() || allows(member.tier, Feature::EpaperSubscription) => {}
        "sold" => {
            form.refuse("reading", "您的会员等级还不能卖作品");
            return Ok(None);
        }
        _ => {
            form.refuse("reading", "请选择免费还是付费");
            return Ok(None);
        }
    }
    let price = match form.get("price") {
        "" => Ok(None),
        text => read_price(text).map(Some),
    };
    let preview_pages = match form.get("preview_pages") {
        "" => Some(0),
        text => whole(text, PAGES).filter(|pages| *pages <= MOST_TRIAL_PAGES),
    };
    let in_package = !selling::offers(&app.db, "work", id.as_str(), now_ms()).await?.is_empty();
    match &price {
        Err(problem) => form.refuse("price", problem.to_string()),
        Ok(None) if !in_package => form.refuse("price", "请填写价格；只随套餐卖的，先把它放进一个在售的套餐"),
        Ok(_) => {}
    }
    if preview_pages.is_none() {
        form.refuse("preview_pages", format!("请填写 0 到 {MOST_TRIAL_PAGES} 之间的页数"));
    }
    Ok(price.ok().zip(preview_pages).map(|(price, preview_pages)| Sale { price, preview_pages }))
}

/// What the form says; `None` where something in it is refused.
async fn settings_in(
    app: &App,
    form: &mut Form,
    known_hash: Option<String>,
    pages: usize,
    now: i64,
) -> Result<Option<Settings>, Error> {
    let visibility = Visibility::of_code(form.get("visibility"));
    if visibility.is_none() {
        form.refuse("visibility", "请选择谁可以看");
    }
    let direction = Direction::of_code(form.get("direction"));
    if direction.is_none() {
        form.refuse("direction", "请选择怎样翻页");
    }
    check_length(form, "title", "标题", 1, TITLE_LENGTH);
    let description = form.get("description").to_owned();
    if description.chars().count() > DESCRIPTION_LENGTH {
        form.refuse("description", format!("介绍最多 {DESCRIPTION_LENGTH} 个字"));
    }
    let ends_at = match form.get("ends_on") {
        "" => Ok(None),
        text => time::end_of_day(&typed::day(text)).map(Some).ok_or(()),
    };
    match ends_at {
        Err(()) => form.refuse("ends_on", "请填写一个日期，比如 2027-05-01"),
        Ok(Some(end)) if end <= now => form.refuse("ends_on", "这一天已经过去了"),
        Ok(_) => {}
    }
    let card_page = form.get("card_page");
    let card_page = if card_page.is_empty() { Some(0) } else { whole::<i64>(card_page, PAGES) };
    let card_page = card_page.filter(|page| *page <= i64::try_from(pages).unwrap_or(0));
    if card_page.is_none() {
        form.refuse("card_page", format!("请填写 0 到 {pages} 之间的页码"));
    }
    let embed_sites = origins(form.get("embed_sites"));
    if let Err(reason) = &embed_sites {
        form.refuse("embed_sites", reason.clone());
    }
    let markup = markup_in(form);
    let password = typed::typed(form.get("password"));
    let length = password.chars().count();
    if visibility == Some(Visibility::Password) && known_hash.is_none() && password.is_empty() {
        form.refuse("password", "请设一个密码，让读者输入");
    } else if !password.is_empty() && !PASSWORD_LENGTH.contains(&length) {
        form.refuse(
            "password",
            format!("密码要 {} 到 {} 个字", PASSWORD_LENGTH.start(), PASSWORD_LENGTH.end()),
        );
    }
    if form.is_refused() {
        return Ok(None);
    }
    let (Some(visibility), Some(direction), Ok(ends_at), Some(card_page), Ok(embed_sites)) =
        (visibility, direction, ends_at, card_page, embed_sites)
    else {
        return Ok(None);
    };
    let password_hash =
        if password.is_empty() { known_hash } else { Some(accounts::hash_password(app, password).await?) };
    Ok(Some(Settings {
        visibility,
        password_hash,
        ends_at,
        direction,
        title: form.get("title").to_owned(),
        description,
        card_page,
        embed_sites,
        pdf: !form.get("pdf").is_empty(),
        epub: !form.get("epub").is_empty(),
        sale: None,
        markup,
    }))
}

/// What is added to each printed copy, where readers may order some; a wrong amount is noted in the form.
fn markup_in(form: &mut Form) -> Option<Fen> {
    if form.get("print").is_empty() {
        return None;
    }
    let markup = Fen::read(form.get("markup")).ok().map(Option::unwrap_or_default);
    let markup = markup.filter(|markup| (Fen::ZERO..=MOST_MARKUP).contains(markup));
    if markup.is_none() {
        form.refuse("markup", format!("加价是 0 到 {} 元之间的数，最多两位小数", MOST_MARKUP.grouped()));
    }
    markup
}

/// Sites by their origins, one a line: what a content policy may name without meaning anything else.
fn origins(text: &str) -> Result<Vec<String>, String> {
    let mut sites = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let origin = origin(&typed::typed(line))
            .ok_or_else(|| format!("“{line}”不是网址，应当像 https://example.com 这样"))?;
        if !sites.contains(&origin) {
            sites.push(origin);
        }
    }
    if sites.len() > MOST_SITES {
        return Err(format!("最多 {MOST_SITES} 个网站"));
    }
    Ok(sites)
}

pub fn origin(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme))?;
    let authority = uri.authority()?.as_str();
    let plain = authority.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:".contains(&b));
    (plain && authority.len() <= 255).then(|| format!("{scheme}://{}", authority.to_ascii_lowercase()))
}

/// POST /manager/opus_share_edit/{id}/withdrawal?refund=…: from now on nobody else reads it but who bought it; with `all`
/// they get their money back instead.
pub async fn withdraw(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
) -> Result<Response, Error> {
    works::for_owner(&app, &id, &member.id).await?;
    let mut tx = app.db.begin().await?;
    if !store::withdraw(&mut tx, &id, &new_picture_key(), None, now_ms()).await? {
        return Err(Error::NotFound);
    }
    selling::end_offer(&mut tx, &member.id, "work", id.as_str()).await?;
    let refunds = parts.uri.query() == Some("refund=all");
    if refunds {
        selling::give_singles_back(&mut tx, &member.id, "work", id.as_str()).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    downloads::forget(&app, &id).await?;
    let done = if refunds { "refunded" } else { "withdrawn" };
    Ok(Redirect::to(&format!("/manager/opus_share_edit/{id}?saved={done}")).into_response())
}
