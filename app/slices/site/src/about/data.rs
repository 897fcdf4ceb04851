//! What the public pages say in schema.org's words.

use serde_json::{Value, json};
use web::origin::Origin;
use web::slice::PublicPage;
use web::ui::public::organization_id;

use super::PLACES;
use super::offers::Offer;

/// The way to a page.
pub fn breadcrumbs(base: &Origin, place: &PublicPage) -> Value {
    let items: Vec<Value> = [&PLACES[0], place]
        .iter()
        .zip(1..)
        .map(|(place, position)| {
            json!({ "@type": "ListItem", "position": position, "name": place.name, "item": base.join(place.path) })
        })
        .collect();
    json!({ "@type": "BreadcrumbList", "itemListElement": items })
}

/// Goods that can be ordered, with the price that the page shows.
pub fn product(base: &Origin, offer: &Offer) -> Value {
    let goods = &offer.goods;
    let address = base.join(&format!("/about/products#{}", goods.id));
    let mut product = json!({
        "@type": "Product",
        "@id": address,
        "name": goods.name,
        "description": goods.description,
        "brand": { "@id": organization_id(base) },
        "offers": {
            "@type": "Offer",
            "url": address,
            "name": offer.terms(),
            "price": offer.quote.total.to_string(),
            "priceCurrency": "CNY",
            "availability": "https://schema.org/InStock",
            "seller": { "@id": organization_id(base) },
        },
    });
    if let Some(sample) = offer.sample {
        product["image"] = json!(base.join(&web::assets::address(sample.cover)));
    }
    product
}

/// Questions and their answers.
pub fn questions(questions: &[(&str, String)]) -> Value {
    let questions: Vec<Value> = questions
        .iter()
        .map(|(question, answer)| {
            json!({
                "@type": "Question",
                "name": question,
                "acceptedAnswer": { "@type": "Answer", "text": answer },
            })
        })
        .collect();
    json!({ "@type": "FAQPage", "mainEntity": questions })
}
