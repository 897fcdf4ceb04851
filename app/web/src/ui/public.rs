//! What pages for everybody have in common: the links at their foot, and what they tell search engines of the shop.

use base::config::Contact;
use leptos::prelude::*;
use serde_json::{Value, json};

use crate::app::App;
use crate::assets;
use crate::origin::Origin;
use crate::render::{Card, HeadSlot};
use crate::slice::PublicPage;

/// Links to all public pages, for the foot of a page.
#[component]
pub fn AboutLinks(#[prop(optional)] at: &'static str) -> impl IntoView {
    let house = use_context::<App>().map(|app| app.house);
    let pages = house.into_iter().flat_map(|house| house.each(|slice| slice.public));
    let links: Vec<_> = pages.map(|page| view! { <li><PublicLink page at/></li> }).collect();
    view! { <nav class="about-links" aria-label="关于书坊"><ul>{links}</ul></nav> }
}

/// A link to a public page, on the page at a path.
#[component]
pub fn PublicLink(page: &'static PublicPage, at: &'static str) -> impl IntoView {
    view! { <a href=page.path aria-current=(page.path == at).then_some("page")>{page.name}</a> }
}

/// Tells search engines and messengers what the page at a path is; `data` is what is on it in schema.org's words, beside
/// the shop.
pub fn present(base: &Origin, path: &str, description: &str, data: Vec<Value>) {
    let (Some(slot), Some(app)) = (use_context::<HeadSlot>(), use_context::<App>()) else { return };
    let home = app.house.each(|slice| slice.public).next().map_or("/", |page| page.path);
    let graph: Vec<Value> =
        std::iter::once(organization(base, home, &app.config.contact)).chain(data).collect();
    slot.present(Card {
        kind: "website",
        description: description.to_owned(),
        address: base.join(path),
        picture: base.join(&assets::address("sample-card.jpg")),
        data: json!({ "@context": "https://schema.org", "@graph": graph }),
    });
}

/// Who sells; contacts only where they are known.
fn organization(base: &Origin, home: &str, contact: &Contact) -> Value {
    let mut shop = json!({
        "@type": "Organization",
        "@id": organization_id(base),
        "name": contact.company.as_deref().unwrap_or("书坊"),
        "url": base.join(home),
    });
    for (key, value) in [("email", &contact.email), ("telephone", &contact.phone)] {
        if let Some(value) = value {
            shop[key] = json!(value);
        }
    }
    shop
}

/// What the shop is called in schema.org's words.
pub fn organization_id(base: &Origin) -> String {
    base.join("/about#organization")
}
