//! /card/{code}: a member's card for everybody, with the file for address books.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use base::time;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::card::{Contact, Field};
use leptos::prelude::*;
use press::ShareCover;
use serde_json::json;
use web::app::App;
use web::assets;
use web::origin::Origin;
use web::render::{self, HeadSlot, loaded, parameter, use_member};
use web::slice::Publication;
use web::ui::files::file;
use web::ui::parts::height_of;
use web::ui::qr;
use web::ui::shell::{Head, Mark};

use super::card_view::CardView;
use super::store::{self, Card};
use super::{PAGE, key_of, published};

/// Cards in the sitemap.
const MOST_LISTED: i64 = 20_000;

/// The addresses of cards that search engines may have, with the moment of the last change (epoch ms).
pub async fn addresses(app: &App) -> Result<Vec<(String, i64)>, Error> {
    let listed = store::listed(&app.db, MOST_LISTED).await?;
    Ok(listed.into_iter().map(|(code, at)| (address(&code), at)).collect())
}

/// Where a card is.
pub fn address(code: &str) -> String {
    format!("/card/{code}")
}

/// The address of a card's picture, where it shows one.
pub fn picture_address(card: &Card, sha256: &str) -> String {
    format!("{}/picture?v={}", address(&card.code), &sha256[..12.min(sha256.len())])
}

/// The picture of whose card it is, where the card shows it.
async fn shown_picture(app: &App, card: &Card) -> Result<Option<(String, Vec<u8>)>, Error> {
    if !card.shown.contains(&Field::Picture) {
        return Ok(None);
    }
    accounts::picture_of(app, &card.member).await
}

/// GET /card/{code}/picture.
pub async fn picture(State(app): State<App>, Path(code): Path<String>) -> Result<Response, Error> {
    let card = store::by_code(&app.db, &code).await?;
    let (_, bytes) = shown_picture(&app, &card).await?.ok_or(Error::NotFound)?;
    let headers = [(header::CONTENT_TYPE, "image/webp"), (header::CACHE_CONTROL, "private, max-age=300")];
    Ok((headers, bytes).into_response())
}

/// GET /card/{code}/card.jpg: what messengers show beside the link.
pub async fn preview(State(app): State<App>, Path(code): Path<String>) -> Result<Response, Error> {
    let card = store::by_code(&app.db, &code).await?;
    let (_, bytes) = shown_picture(&app, &card).await?.ok_or(Error::NotFound)?;
    let (press, name) = (app.press, card.name.clone());
    let about = [card.seen(Field::Title), card.seen(Field::Company)];
    let about = about.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("，");
    let drawn = app.compute(move || press.share_card(ShareCover::Picture(&bytes), &name, &about)).await?;
    let mut response = drawn.map_err(Error::internal)?.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    Ok(response)
}

/// GET /card/{code}/card.vcf: what everybody may see, for a phone's address book.
pub async fn vcard(
    State(app): State<App>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let card = store::by_code(&app.db, &code).await?;
    let base = Origin::of(&app.config, &headers);
    let picture = match shown_picture(&app, &card).await? {
        Some((_, bytes)) => {
            let press = app.press;
            let jpeg = app.compute(move || press.face(&bytes)).await?.map_err(Error::internal)?;
            STANDARD.encode(jpeg)
        }
        None => String::new(),
    };
    let url = base.join(&address(&card.code));
    let text = domain::card::vcard(&Contact {
        name: &card.name,
        title: card.seen(Field::Title),
        company: card.seen(Field::Company),
        phone: card.seen(Field::Phone),
        email: card.seen(Field::Email),
        weixin: card.seen(Field::Weixin),
        address: card.seen(Field::Address),
        introduction: card.seen(Field::Introduction),
        url: &url,
        picture: &picture,
    });
    let name = format!("{}.vcf", card.name);
    Ok(file("text/vcard; charset=utf-8", "card.vcf", &name, text.into_bytes()))
}

/// What the page works with.
struct Shown {
    card: Card,
    picture: Option<String>,
    works: Vec<Publication>,
    /// What each is called, and where it is.
    shelves: Vec<(String, String)>,
    code: String,
    base: Origin,
}

/// GET /card/{code}.
#[component]
pub fn CardPage() -> impl IntoView {
    let (app, parts, code) = (use_context::<App>(), use_context::<Parts>(), parameter::<String>("code"));
    loaded(
        async move {
            let outside = || Error::internal("a page outside a request");
            let (app, parts) = (app.ok_or_else(outside)?, parts.ok_or_else(outside)?);
            let card = store::by_code(&app.db, &code?).await?;
            let picture =
                shown_picture(&app, &card).await?.map(|(sha256, _)| picture_address(&card, &sha256));
            let works = shown_works(&app, &card).await?;
            let shelves = if card.shown.contains(&Field::Works) {
                shelves::open_shelves(&app, &card.member).await?
            } else {
                Vec::new()
            };
            let base = Origin::of(&app.config, &parts.headers);
            let code = qr::picture(&base.join(&address(&card.code)), "这张名片的二维码")?;
            Ok(Shown { card, picture, works, shelves, code, base })
        },
        |shown| {
            present(&shown);
            view! { <Whole shown/> }
        },
    )
}

/// What its member chose of what it publishes, as far as everybody may see it still.
async fn shown_works(app: &App, card: &Card) -> Result<Vec<Publication>, Error> {
    if !card.shown.contains(&Field::Works) {
        return Ok(Vec::new());
    }
    let mut all = published(app, &card.member).await?;
    all.retain(|published| card.works.contains(&key_of(published)));
    Ok(all)
}

/// Tells search engines and messengers whose card it is.
fn present(shown: &Shown) {
    let Some(slot) = use_context::<HeadSlot>() else { return };
    let Shown { card, picture, base, .. } = shown;
    if !card.is_listed {
        slot.hide();
    }
    let own = base.join(&address(&card.code));
    let mut person =
        json!({ "@type": "Person", "@id": format!("{own}#person"), "name": card.name, "url": own });
    for (key, field) in [
        ("jobTitle", Field::Title),
        ("telephone", Field::Phone),
        ("email", Field::Email),
        ("address", Field::Address),
        ("description", Field::Introduction),
    ] {
        if !card.seen(field).is_empty() {
            person[key] = json!(card.seen(field));
        }
    }
    if !card.seen(Field::Company).is_empty() {
        person["worksFor"] = json!({ "@type": "Organization", "name": card.seen(Field::Company) });
    }
    if let Some(picture) = picture {
        person["image"] = json!(base.join(picture));
    }
    let card_picture = match picture {
        Some(_) => base.join(&format!("{}/card.jpg?v={}", address(&card.code), card.updated_at)),
        None => base.join(&assets::address("sample-card.jpg")),
    };
    slot.present(render::Card {
        kind: "profile",
        description: description(card),
        address: own.clone(),
        picture: card_picture,
        data: json!({
            "@context": "https://schema.org",
            "@type": "ProfilePage",
            "url": own,
            "dateModified": time::rfc3339(card.updated_at),
            "mainEntity": person,
        }),
    });
}

/// A sentence about whoever it is.
fn description(card: &Card) -> String {
    let introduction = card.seen(Field::Introduction).split_whitespace().collect::<Vec<_>>().join(" ");
    if !introduction.is_empty() {
        return introduction.chars().take(150).collect();
    }
    let about = [card.seen(Field::Company), card.seen(Field::Title)];
    let about: Vec<&str> = about.into_iter().filter(|text| !text.is_empty()).collect();
    let about = if about.is_empty() { String::new() } else { format!("，{}", about.join("")) };
    format!("{}{about}的名片，在书坊。", card.name)
}

#[component]
fn Whole(shown: Shown) -> impl IntoView {
    let Shown { card, picture, works, shelves, code, .. } = shown;
    let is_own = use_member().is_some_and(|member| member.id == card.member);
    let own = is_own.then(|| {
        let state = if card.is_listed {
            "搜索引擎可以收录"
        } else {
            "有链接的人都能看，搜索引擎不收录"
        };
        view! { <p class="notice owner">{format!("这是您的名片，{state}。")}" "<a href=PAGE>"修改"</a></p> }
    });
    let dialled: String =
        card.seen(Field::Phone).chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
    let phone = (!dialled.is_empty()).then(|| {
        view! { <a class="button" href=format!("tel:{dialled}")>"打电话"</a> }
    });
    let email = (!card.seen(Field::Email).is_empty()).then(|| {
        view! { <a class="button" href=format!("mailto:{}", card.seen(Field::Email))>"写邮件"</a> }
    });
    let introduction = (!card.seen(Field::Introduction).is_empty()).then(|| {
        view! { <section class="introduction"><h2 class="sr">"介绍"</h2><p>{card.seen(Field::Introduction).to_owned()}</p></section> }
    });
    let works = (!works.is_empty()).then(|| view! { <Works works/> });
    let shelves = (!shelves.is_empty()).then(|| {
        let links: Vec<_> = shelves
            .into_iter()
            .map(|(title, address)| view! { <li><a class="button" href=address>{title}</a></li> })
            .collect();
        view! {
            <nav class="shelves" aria-label="书架">
                <ul class="row">{links}</ul>
            </nav>
        }
    });
    let file = format!("{}/card.vcf", address(&card.code));
    let name = card.name.clone();
    view! {
        <Head title=format!("{name}的名片") assets=&["card.css"]/>
        <main id="main" class="cardpage">
            {own}
            <CardView card=card picture heading=true/>
            <div class="row acts">
                <a class="button primary" href=file download="card.vcf">"存到通讯录"</a>
                {phone}
                {email}
            </div>
            {introduction}
            {works}
            {shelves}
            <figure class="code">
                <div inner_html=code></div>
                <figcaption>"扫码打开这张名片"</figcaption>
            </figure>
        </main>
        <footer class="cardfoot"><a href="/about"><Mark/>"在书坊制作"</a></footer>
    }
}

/// What its member publishes, as a shelf of covers.
#[component]
fn Works(works: Vec<Publication>) -> impl IntoView {
    let items: Vec<_> = works
        .into_iter()
        .map(|work| {
            let cover = match work.cover {
                Some(src) => view! { <img src=src width="180" height=height_of(work.trim, 180) alt="" loading="lazy"/> }.into_any(),
                None => view! { <span class="plain"></span> }.into_any(),
            };
            view! { <li><a href=work.address><span class="stand">{cover}</span><span class="name">{work.title}</span></a></li> }
        })
        .collect();
    view! {
        <section class="works" aria-labelledby="works">
            <h2 id="works">"作品"</h2>
            <ul>{items}</ul>
        </section>
    }
}
