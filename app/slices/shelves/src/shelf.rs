//! GET /shelf/{name}: a shelf as its readers see it.

use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use base::error::Error;
use domain::shelf::ShelfName;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use percent_encoding::percent_decode_str;
use serde_json::json;
use web::app::App;
use web::assets;
use web::origin::Origin;
use web::render::{Card, HeadSlot, loaded, parameter, use_member};
use web::slice::{Publication, Reach};
use web::ui::parts::{Book, Cloth};
use web::ui::shell::{Head, Mark};

use super::store::{self, Shelf};
use super::{SHELVES, address, cover_of, on_shelf};

/// A shelf that somebody asks for.
pub struct Asked {
    pub shelf: Shelf,
    pub is_owner: bool,
    /// Whether it was asked for by its name of today, as that is written.
    pub is_by_name: bool,
}

/// The shelf of this request's `name`, where whoever asks may look at it: an old name leads to it, too.
pub async fn asked(
    app: &App,
    name: Result<String, Error>,
    member: Option<domain::ids::MemberId>,
) -> Result<Asked, Error> {
    let raw = name?;
    let decoded = percent_decode_str(&raw).decode_utf8().map_err(|_| Error::NotFound)?;
    let name: ShelfName = decoded.parse().map_err(|_| Error::NotFound)?;
    let shelf = store::find_by_name(&app.db, &name).await?.ok_or(Error::NotFound)?;
    let is_owner = member.is_some_and(|member| member == shelf.member);
    if !is_owner && !shelf.is_public {
        return Err(Error::NotFound);
    }
    if !is_owner && shelf.withdrawn_reason.is_some() {
        return Err(Error::Gone("这个书架已被下架，不能再看了。".into()));
    }
    Ok(Asked { is_by_name: decoded == shelf.name.as_str(), shelf, is_owner })
}

/// See the module.
#[component]
pub fn ShelfPage() -> impl IntoView {
    let (app, parts) = (use_context::<App>(), use_context::<Parts>());
    let name = parameter::<String>("name");
    let member = use_member().map(|member| member.id);
    let answer = use_context::<ResponseOptions>();
    loaded(
        async move {
            let outside = || Error::internal("a page outside a request");
            let (app, parts) = (app.ok_or_else(outside)?, parts.ok_or_else(outside)?);
            let asked = asked(&app, name, member).await?;
            let mut shown = on_shelf(&app, &asked.shelf).await?;
            let all = shown.len();
            shown.retain(|one| one.reach == Reach::Public);
            let hidden = all - shown.len();
            Ok((asked, shown, hidden, Origin::of(&app.config, &parts.headers)))
        },
        move |(Asked { shelf, is_owner, is_by_name }, shown, hidden, base)| {
            let to = address(&shelf.name);
            if !is_by_name
                && let Some(answer) = answer
                && let Ok(to) = HeaderValue::from_str(&to)
            {
                // an old name leads to the new one for good
                answer.set_status(StatusCode::PERMANENT_REDIRECT);
                answer.insert_header(header::LOCATION, to);
            }
            if shelf.is_open() {
                present(&shelf, &shown, &base);
            } else if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            view! { <Whole shelf is_owner shown hidden/> }
        },
    )
}

/// What is said of a shelf where it has no description of its own.
fn description(shelf: &Shelf, shown: &[Publication]) -> String {
    if !shelf.description.is_empty() {
        return shelf.description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let names: Vec<_> = shown.iter().take(4).map(|one| format!("《{}》", one.title)).collect();
    let whose = if shelf.byline.is_empty() { String::new() } else { format!("{}的", shelf.byline) };
    format!(
        "{whose}书架“{}”，共 {} 件作品{}{}。",
        shelf.title,
        shown.len(),
        if names.is_empty() { "" } else { "：" },
        names.concat()
    )
}

/// Tells search engines and messengers what is here.
fn present(shelf: &Shelf, shown: &[Publication], base: &Origin) {
    let Some(slot) = use_context::<HeadSlot>() else { return };
    let home = base.join(&address(&shelf.name));
    let card = cover_of(shelf, shown).and_then(|one| one.card.clone());
    let picture = base.join(&card.unwrap_or_else(|| assets::address("sample-card.jpg")));
    let items: Vec<_> = (1..)
        .zip(shown)
        .map(|(position, one): (usize, _)| {
            let mut item = json!({
                "@type": if one.kind == "work" { "Book" } else { "Periodical" },
                "name": one.title,
                "url": base.join(&one.address),
            });
            if let Some(cover) = &one.cover {
                item["image"] = json!(base.join(cover));
            }
            if !one.author.is_empty() {
                item["author"] = json!({ "@type": "Person", "name": one.author });
            }
            json!({ "@type": "ListItem", "position": position, "item": item })
        })
        .collect();
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "@id": home,
        "url": home,
        "name": shelf.title,
        "inLanguage": "zh-CN",
        "dateModified": base::time::rfc3339(shelf.updated_at),
        "mainEntity": { "@type": "ItemList", "numberOfItems": items.len(), "itemListElement": items },
    });
    if !shelf.byline.is_empty() {
        data["author"] = json!({ "@type": "Person", "name": shelf.byline });
    }
    if !shelf.description.is_empty() {
        data["description"] = json!(shelf.description);
    }
    slot.present(Card {
        kind: "website",
        description: description(shelf, shown),
        address: home,
        picture,
        data,
    });
}

#[component]
fn Whole(shelf: Shelf, is_owner: bool, shown: Vec<Publication>, hidden: usize) -> impl IntoView {
    let note = is_owner.then(|| {
        let state = match (&shelf.withdrawn_reason, shelf.is_public) {
            (Some(reason), _) => format!("这是您的书架，已被下架（{reason}），别人看不到。"),
            (None, false) => "这是您的书架，还没有公开，别人看不到。".to_owned(),
            (None, true) => "这是您的书架，别人看到的就是这样。".to_owned(),
        };
        let unseen = (hidden > 0).then(|| format!("有 {hidden} 件没有公开，不在这里。"));
        view! {
            <p class="notice owner">{state}{unseen}<a href=format!("{SHELVES}/{}", shelf.id)>"整理书架"</a></p>
        }
    });
    let count = (!shown.is_empty()).then(|| format!("{} 件", shown.len()));
    let line: Vec<String> =
        (!shelf.byline.is_empty()).then(|| shelf.byline.clone()).into_iter().chain(count).collect();
    let description = (!shelf.description.is_empty())
        .then(|| view! { <p class="description">{shelf.description.clone()}</p> });
    let body = if shown.is_empty() {
        view! { <p class="quiet nothing">"架上暂时没有可以看的作品，请过些时候再来。"</p> }.into_any()
    } else {
        let books: Vec<_> = shown.into_iter().map(|one| view! { <Standing one/> }).collect();
        view! { <ul class="shelf">{books}</ul> }.into_any()
    };
    let report = format!("{}/report", address(&shelf.name));
    view! {
        <Head title=shelf.title.clone() assets=&["shelves.css"]/>
        <a class="skip" href="#main">"跳到正文"</a>
        <header class="shelfbar"><a class="brand" href="/about" aria-label="书坊"><Mark/></a></header>
        <main id="main" class="public-shelf" tabindex="-1">
            {note}
            <header>
                <h1>{shelf.title.clone()}</h1>
                <p class="quiet num">{line.join(" · ")}</p>
                {description}
            </header>
            {body}
        </main>
        <footer class="shelffoot">
            <a href=report rel="nofollow">"举报"</a>
            <p class="quiet">"在"<a href="/about">"书坊"</a>"制作"</p>
        </footer>
    }
}

/// A bound book on the board; where it has no cover, one of cloth.
#[component]
fn Standing(one: Publication) -> impl IntoView {
    let front = match one.cover {
        Some(src) => view! { <Book src trim=one.trim alt=String::new() lazy=true/> }.into_any(),
        None => view! { <Cloth title=one.title.clone()/> }.into_any(),
    };
    let author = (!one.author.is_empty()).then(|| view! { <small>{one.author}</small> });
    view! {
        <li>
            <a href=one.address>
                <span class="stand">{front}</span>
                <strong>{one.title}</strong>
                {author}
            </a>
        </li>
    }
}
