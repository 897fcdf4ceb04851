//! GET /epaper/{title}/opds.json, and of magazines: the catalogue in JSON (OPDS 2.0).

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::time;
use domain::webpub::{self, Link};
use domain::xml::held;
use serde_json::{Value, json};
use web::app::App;

use super::catalogue::{Catalogue, ON_A_PAGE};
use super::{OPDS, OPDS_JSON};
use crate::open::Rights;
use crate::store::issues::Issue;
use crate::{address, manifest};

/// See the module.
pub async fn opds_json(
    State(app): State<App>,
    Path(title): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let catalogue = Catalogue::load(&app, &parts, &title).await?;
    Ok(catalogue.answer(&parts, OPDS_JSON, feed(&catalogue).to_string()))
}

fn feed(catalogue: &Catalogue) -> Value {
    let Catalogue { base, publication, year, page, total, .. } = catalogue;
    let [_, (xml, _), (own, _), _] = super::of(publication);
    let (own, query) = (base.join(&own), Catalogue::query(*year, *page));
    let page_of = |rel, page| Link::new(rel, OPDS_JSON, format!("{own}{}", Catalogue::query(*year, page)));
    let mut links = vec![
        page_of("self", *page),
        Link::new("start", OPDS_JSON, own.clone()),
        Link::new("alternate", "text/html", base.join(&publication.path())),
        Link::new("alternate", OPDS, format!("{}{query}", base.join(&xml))),
    ];
    links.extend(catalogue.others().into_iter().map(|(rel, page)| page_of(rel, page)));
    let id = catalogue.id(OPDS_JSON);
    let mut feed = json!({
        "metadata": {
            "title": held(&publication.name),
            "identifier": id,
            "modified": time::rfc3339(catalogue.changed),
            "numberOfItems": total,
            "itemsPerPage": ON_A_PAGE,
            "currentPage": page,
        },
        "links": links.iter().map(Link::json).collect::<Vec<_>>(),
        "publications": catalogue.issues.iter().map(|(issue, rights)| listed(catalogue, issue, *rights)).collect::<Vec<_>>(),
    });
    if !publication.description.is_empty() {
        feed["metadata"]["description"] = json!(held(&publication.description));
    }
    if catalogue.years.len() > 1 && year.is_none() {
        let of = |year: &i64| Link {
            title: format!("{year} 年"),
            ..Link::new("subsection", OPDS_JSON, format!("{own}{}", Catalogue::query(Some(*year), 1)))
        };
        feed["navigation"] = catalogue.years.iter().map(|year| of(year).json()).collect();
    }
    feed
}

fn listed(catalogue: &Catalogue, issue: &Issue, rights: Rights) -> Value {
    let Catalogue { base, publication, .. } = catalogue;
    let mut links = catalogue.ways(issue, rights);
    if rights.opens(1) {
        let rel = match (rights, publication.sale) {
            (Rights::Whole, None) => "http://opds-spec.org/acquisition/open-access",
            (Rights::Whole, Some(_)) => "http://opds-spec.org/acquisition",
            (Rights::Preview(_), _) => "http://opds-spec.org/acquisition/sample",
        };
        links.push(Link::new(rel, webpub::PICTURES, base.join(&address::manifest(publication, issue))));
    }
    links.push(Link::new("alternate", "text/html", base.join(&address::issue(publication, issue))));
    let mut listed = json!({
        "metadata": manifest::metadata(publication, issue, catalogue.changed(issue)).json(),
        "links": links.iter().map(Link::json).collect::<Vec<_>>(),
    });
    let images = catalogue.images(issue, rights);
    if !images.is_empty() {
        // these are told apart by their sizes
        listed["images"] = images.into_iter().map(|image| Link { rel: "", ..image }.json()).collect();
    }
    listed
}
