//! GET /epaper/{title}/opds.xml, and of magazines: the catalogue in Atom's words (OPDS 1.2).

use std::fmt::Write as _;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::time;
use domain::webpub::Link;
use domain::xml::escaped;
use web::app::App;

use super::catalogue::Catalogue;
use super::{OPDS, element, head, link};
use crate::open::Rights;
use crate::store::issues::Issue;
use crate::{address, naming};

/// See the module.
pub async fn opds(
    State(app): State<App>,
    Path(title): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let catalogue = Catalogue::load(&app, &parts, &title).await?;
    let kind = "application/atom+xml;profile=opds-catalog;kind=acquisition; charset=utf-8";
    Ok(catalogue.answer(&parts, kind, feed(&catalogue)))
}

fn feed(catalogue: &Catalogue) -> String {
    let Catalogue { base, publication, year, page, changed, .. } = catalogue;
    let [_, (own, _), (json, json_kind), _] = super::of(publication);
    let (own, query) = (base.join(&own), Catalogue::query(*year, *page));
    let id = catalogue.id(OPDS);
    let mut feed = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"http://purl.org/dc/terms/\" \
         xmlns:opds=\"http://opds-spec.org/2010/catalog\" xml:lang=\"zh-CN\">\n",
    );
    head(&mut feed, base, publication, &id, *changed);
    link(&mut feed, "self", OPDS, &format!("{own}{query}"));
    link(&mut feed, "start", OPDS, &own);
    link(&mut feed, "alternate", json_kind, &format!("{}{query}", base.join(&json)));
    for (rel, page) in catalogue.others() {
        link(&mut feed, rel, OPDS, &format!("{own}{}", Catalogue::query(*year, page)));
    }
    if catalogue.years.len() > 1 {
        let all = std::iter::once(None).chain(catalogue.years.iter().copied().map(Some));
        for other in all {
            let name = other.map_or_else(|| "全部".to_owned(), |year| format!("{year} 年"));
            let active = if other == *year { " opds:activeFacet=\"true\"" } else { "" };
            let _ = writeln!(
                feed,
                "<link rel=\"http://opds-spec.org/facet\" type=\"{OPDS}\" href=\"{own}{}\" title=\"{name}\" \
                 opds:facetGroup=\"年份\"{active}/>",
                Catalogue::query(other, 1),
            );
        }
    }
    for (issue, rights) in &catalogue.issues {
        entry(&mut feed, catalogue, issue, *rights);
    }
    feed.push_str("</feed>\n");
    feed
}

fn entry(feed: &mut String, catalogue: &Catalogue, issue: &Issue, rights: Rights) {
    let Catalogue { base, publication, .. } = catalogue;
    feed.push_str("<entry>\n");
    element(feed, "id", &naming::entry_urn(issue));
    element(feed, "title", &naming::issue(publication, issue));
    element(feed, "published", &time::rfc3339(issue.published_at.unwrap_or(issue.updated_at)));
    element(feed, "updated", &time::rfc3339(catalogue.changed(issue)));
    element(feed, "dc:identifier", &naming::book_urn(issue));
    element(feed, "dc:language", "zh-CN");
    element(feed, "dc:issued", &issue.day.to_string());
    element(feed, "dc:publisher", &publication.organiser);
    let words = format!("总第 {} 期，{} {}", issue.numbers.total, issue.pages, publication.kind.page_word());
    let _ = writeln!(feed, "<summary type=\"text\">{}</summary>", escaped(&words));
    link(feed, "alternate", "text/html", &base.join(&address::issue(publication, issue)));
    for way in catalogue.ways(issue, rights) {
        acquisition(feed, &way);
    }
    for image in catalogue.images(issue, rights) {
        link(feed, image.rel, image.kind, &image.href);
    }
    feed.push_str("</entry>\n");
}

/// A link to a way of getting something (OPDS 1.2, section 5.4).
fn acquisition(feed: &mut String, way: &Link) {
    let Link { rel, kind, href, price, becomes, .. } = way;
    let _ = write!(feed, "<link rel=\"{rel}\" type=\"{kind}\" href=\"{}\">", escaped(href));
    if let Some(price) = price {
        let _ = write!(feed, "<opds:price currencycode=\"CNY\">{price}</opds:price>");
    }
    for kind in becomes {
        let _ = write!(feed, "<opds:indirectAcquisition type=\"{kind}\"/>");
    }
    feed.push_str("</link>\n");
}
