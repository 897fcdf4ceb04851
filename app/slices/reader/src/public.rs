//! What other programs read of shared works: the sitemap, cards of messengers, oEmbed; and the demo's.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::days::DAY_MS;
use domain::ids::{MemberId, WorkId};
use domain::money::Fen;
use domain::sharing::{Direction, Visibility};
use domain::typed::{PAGES, whole};
use domain::xml;
use press::ShareCover;
use serde_json::json;
use web::app::App;
use web::origin::Origin;
use web::ui::forms::read_form;

use super::forms::{new_picture_key, publish};
use super::open::{self, Opened};
use super::store::{self, Facts, Sale, Settings, Share};
use super::{areas, pictures, words};

/// Works in the sitemap; each has as many addresses as pages.
const MOST_LISTED: i64 = 2_000;
/// The width of a card's picture.
const CARD_WIDTH: u32 = 1440;

/// The addresses of everything that search engines may have, with the moment of the last change (epoch ms).
pub async fn addresses(app: &App) -> Result<Vec<(String, i64)>, Error> {
    let mut all = Vec::new();
    for work in store::listed(&app.db, now_ms(), MOST_LISTED).await? {
        all.push((format!("/read/{}", work.work), work.changed_at));
        all.extend((1..=work.pages).map(|page| (format!("/read/{}/{page}", work.work), work.changed_at)));
    }
    Ok(all)
}

/// GET /read/{work}/goto?page=: what a reader typed becomes an address; what is no page leads to the nearest one.
pub async fn go_to(
    State(app): State<App>,
    Path(work): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    lead(&app, "read", &work, query).await
}

/// The same in a frame of another site.
pub async fn go_to_in_frame(
    State(app): State<App>,
    Path(work): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    lead(&app, "embed", &work, query).await
}

async fn lead(app: &App, place: &str, work: &str, query: Option<String>) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let form = read_form(query.unwrap_or_default().as_bytes())?;
    let page: usize = whole(form.get("page"), PAGES).unwrap_or(0);
    // who may not read it learns nothing of its length: the page itself refuses
    let share =
        store::find(&app.db, &work).await?.filter(|share| share.terms().is_readable_by_address(now_ms()));
    let page = share.map_or(page, |share| page.min(share.facts.pages));
    let address = if page == 0 { format!("/{place}/{work}") } else { format!("/{place}/{work}/{page}") };
    Ok(Redirect::to(&address).into_response())
}

/// GET /read/{work}/card.jpg: the picture that messengers show.
pub async fn card(State(app): State<App>, Path(work): Path<String>) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open(&app, &HeaderMap::new(), None, &work).await?;
    if !share.terms().is_readable_by_address(now_ms()) {
        return Err(Error::NotFound);
    }
    let page = usize::try_from(share.settings.card_page).unwrap_or(0).min(share.facts.pages);
    // what is sold is not given away on a card
    let page = if access.opens(page) { page } else { 0 };
    let picture = pictures::drawn(&app, &share, page, CARD_WIDTH).await?;
    let (press, title, author) = (app.press, share.settings.title, share.facts.author);
    let card = app
        .compute(move || press.share_card(ShareCover::Picture(&picture.bytes), &title, &author))
        .await?
        .map_err(Error::internal)?;
    let mut response = card.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    Ok(response)
}

/// GET /read/{work}/icon.jpg: the small square picture that weixin shows beside a link, 300 × 300, at most 20 KB.
pub async fn icon(State(app): State<App>, Path(work): Path<String>) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let share = open::open(&app, &HeaderMap::new(), None, &work).await?.share;
    if !share.terms().is_readable_by_address(now_ms()) {
        return Err(Error::NotFound);
    }
    let picture = pictures::drawn(&app, &share, 0, CARD_WIDTH).await?;
    let press = app.press;
    let icon = app.compute(move || press.share_icon(ShareCover::Picture(&picture.bytes))).await?;
    let mut response = icon.map_err(Error::internal)?.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    Ok(response)
}

/// GET /oembed?url=: how other sites show a public work that its maker lets any of them show (oembed.com, section 2.3). All
/// others have nothing to be shown: 404, which tells nobody what there is.
pub async fn oembed(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let form = read_form(query.unwrap_or_default().as_bytes())?;
    if !["", "json"].contains(&form.get("format")) {
        return Ok(axum::http::StatusCode::NOT_IMPLEMENTED.into_response());
    }
    let base = Origin::of(&app.config, &headers);
    let prefix = base.join("/read/");
    let work = form.get("url").strip_prefix(&prefix).and_then(|rest| rest.split(['/', '?', '#']).next());
    let work: WorkId = work.and_then(|work| work.parse().ok()).ok_or(Error::NotFound)?;
    let share = store::find(&app.db, &work).await?.filter(is_shown_elsewhere).ok_or(Error::NotFound)?;
    let most = |name: &str| form.get(name).parse::<u32>().ok().filter(|most| *most > 0).unwrap_or(u32::MAX);
    let (most_width, most_height) = (most("maxwidth"), most("maxheight"));
    let width = most_width.min(EMBED_WIDTH);
    let height = works::picture_size(share.facts.trim, width).1.saturating_add(EMBED_BARS).min(most_height);
    let embed = base.join(&format!("/embed/{work}"));
    let title = xml::escaped(&share.settings.title);
    let mut told = json!({
        "version": "1.0",
        "type": "rich",
        "provider_name": "书坊",
        "provider_url": base.join("/about"),
        "title": share.settings.title,
        "author_name": share.facts.author,
        "width": width,
        "height": height,
        "html": format!("<iframe src=\"{embed}\" width=\"{width}\" height=\"{height}\" style=\"border:0\" title=\"{title}\"></iframe>"),
    });
    // it keeps to the same bounds
    let fitting = CARDS.into_iter().find(|(_, width, height)| *width <= most_width && *height <= most_height);
    if let Some((name, width, height)) = fitting {
        let address = base.join(&format!("/read/{work}/{name}?v={}", share.updated_at));
        told["thumbnail_url"] = json!(address);
        (told["thumbnail_width"], told["thumbnail_height"]) = (json!(width), json!(height));
    }
    Ok(Json(told).into_response())
}

/// How wide a frame is that says nothing of its width, and how high what stands in it above and below a page, in CSS pixels.
const EMBED_WIDTH: u32 = 720;
const EMBED_BARS: u32 = 200;
/// Pictures of a work that are JPEGs, with their sizes.
const CARDS: [(&str, u32, u32); 2] = [("card.jpg", 1200, 630), ("icon.jpg", 300, 300)];

/// Whether everybody may know of a work, and some other site may show it.
pub fn is_shown_elsewhere(share: &Share) -> bool {
    share.terms().is_listed(now_ms()) && !share.settings.embed_sites.is_empty()
}

/// What the demo sells.
const DEMO_SALE: Sale = Sale { price: Some(Fen(1_990)), preview_pages: 6 };
/// Before the pictures of the demo's works are drawn ahead: who has just started it looks around first, and a page that is
/// looked at is drawn then.
pub const DEMO_REST_MS: i64 = 600_000;
/// The password of the demo's protected work.
const DEMO_PASSWORD: &str = "bindery-read";

/// Shares the demo member's works: one in every state that a shared work may have.
pub async fn demo(app: &App, member: &MemberId, shared: &[WorkId]) -> Result<(), Error> {
    let now = now_ms();
    let hash = accounts::hash_password(app, DEMO_PASSWORD.to_owned()).await?;
    let states = [
        (Visibility::Public, Direction::Left, None, false),
        (Visibility::Link, Direction::Continuous, None, false),
        (Visibility::Password, Direction::Left, None, false),
        (Visibility::Private, Direction::Left, None, false),
        (Visibility::Link, Direction::Right, None, true),
        (Visibility::Link, Direction::Left, Some(now - 1), false),
    ];
    let plain = states.map(|state| (state, None));
    // one is sold, and older, so that lists of shares begin with one that is not
    let sold = ((Visibility::Public, Direction::Left, None, false), Some(DEMO_SALE));
    let last = shared.iter().rev().take(1).filter(|_| shared.len() > plain.len()).map(|work| (work, sold));
    for (index, (work, ((visibility, direction, ends_at, is_withdrawn), sale))) in
        shared.iter().zip(plain).chain(last).enumerate()
    {
        let is_first = index == 0;
        let at = if sale.is_some() { now - DAY_MS } else { now };
        let made = works::for_owner(app, work, member).await?;
        let share = Share {
            work: work.clone(),
            member: member.clone(),
            settings: Settings {
                visibility,
                password_hash: (visibility == Visibility::Password).then(|| hash.clone()),
                ends_at,
                direction,
                title: made.document.title.clone(),
                description: "一本用自己的照片做成的书，每一页都和印出来的一样。".into(),
                card_page: 0,
                embed_sites: Vec::new(),
                pdf: is_first,
                epub: is_first,
                sale,
                markup: (is_first || sale.is_some()).then_some(Fen(500)),
            },
            revision: made.revision,
            facts: Facts::of(&made.document, Vec::new()),
            picture_key: new_picture_key(),
            published_at: at,
            updated_at: at,
            withdrawn_at: None,
            withdrawn_reason: None,
            is_trashed: false,
        };
        let mut tx = app.db.begin().await?;
        publish(&mut tx, &share, &made.document, now + DEMO_REST_MS).await?;
        if is_withdrawn {
            store::withdraw(&mut tx, work, &new_picture_key(), None, now).await?;
        }
        tx.commit().await?;
        if is_first {
            areas::all_kinds(app, work, member, &made.document).await?;
        }
        words::prepare(app, work, made.revision).await?;
    }
    Ok(())
}
