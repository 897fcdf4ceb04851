//! What other programs follow a title by: Atom feeds of its newest issues and of its newest articles (RFC 4287), and catalogues of
//! all issues (OPDS 1.2 and 2.0).

mod catalogue;
mod opds;
mod opds_json;
mod stories;

use std::fmt::Write as _;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::names::urn;
use base::time;
use domain::xml::escaped;
use web::app::App;
use web::conditional::{self, Shown};
use web::origin::Origin;

use super::joined::Joined;
use super::pictures::kind_of;
use super::store::issues;
use super::store::publications::{self, Publication};
use super::{address, naming};

pub use opds::opds;
pub use opds_json::opds_json;
pub use stories::stories;

/// Issues in the Atom feed.
const MOST: i64 = 30;
/// Media types, of which the feeds' own names are made, too: they never change.
const ATOM: &str = "application/atom+xml";
const OPDS: &str = "application/atom+xml;profile=opds-catalog;kind=acquisition";
const OPDS_JSON: &str = "application/opds+json";

/// The feeds of a title, with their media types.
pub fn of(publication: &Publication) -> [(String, &'static str); 4] {
    let path = publication.path();
    [
        (format!("{path}/feed.atom"), ATOM),
        (format!("{path}/opds.xml"), OPDS),
        (format!("{path}/opds.json"), OPDS_JSON),
        (format!("{path}/articles.atom"), ATOM),
    ]
}

/// An element of an Atom document with a text in it.
fn element(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "<{name}>{}</{name}>", escaped(text));
}

/// A link of an Atom document.
fn link(out: &mut String, rel: &str, kind: &str, href: &str) {
    let _ = writeln!(out, "<link rel=\"{rel}\" type=\"{kind}\" href=\"{}\"/>", escaped(href));
}

/// What every Atom document of a title says of itself. `id` is its name, `changed` its last change, epoch ms.
fn head(out: &mut String, base: &Origin, publication: &Publication, id: &str, changed: i64) {
    element(out, "id", id);
    element(out, "title", &publication.name);
    if !publication.description.is_empty() {
        element(out, "subtitle", &publication.description);
    }
    element(out, "updated", &time::rfc3339(changed));
    let _ = writeln!(out, "<author><name>{}</name></author>", escaped(&publication.organiser));
    link(out, "alternate", "text/html", &base.join(&publication.path()));
}

/// GET /epaper/{title}/feed.atom: each issue with its headlines; texts are read on the pages.
pub async fn atom(
    State(app): State<App>,
    Path(title): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let publication = publications::at_address(&app.db, kind_of(&parts)?, &title).await?;
    let issues = issues::published(&app.db, &publication.id, MOST).await?;
    if issues.is_empty() {
        return Err(Error::NotFound);
    }
    let changes = issues::changes(&app.db, &publication.id).await?;
    let changed = changes.of_all.max(publication.updated_at);
    let base = Origin::of(&app.config, &parts.headers);
    let [(own, kind), ..] = of(&publication);
    let mut feed = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"zh-CN\">\n",
    );
    head(&mut feed, &base, &publication, &urn(ATOM, publication.id.as_str()), changed);
    link(&mut feed, "self", kind, &base.join(&own));
    for issue in &issues {
        feed.push_str("<entry>\n");
        element(&mut feed, "id", &naming::entry_urn(issue));
        element(&mut feed, "title", &naming::issue(&publication, issue));
        element(&mut feed, "published", &time::rfc3339(issue.published_at.unwrap_or(issue.updated_at)));
        element(&mut feed, "updated", &time::rfc3339(changes.of(issue)));
        link(&mut feed, "alternate", "text/html", &base.join(&address::issue(&publication, issue)));
        let mut headlines = String::from("<ul>");
        for article in Joined::headlines(&app.db, &issue.id).await?.firsts() {
            let href = base.join(&address::article(&publication, issue, article.number));
            let _ = write!(headlines, "<li><a href=\"{href}\">{}</a></li>", escaped(&article.title));
        }
        headlines.push_str("</ul>");
        let _ = writeln!(feed, "<content type=\"html\">{}</content>\n</entry>", escaped(&headlines));
    }
    feed.push_str("</feed>\n");
    let shown = Shown {
        body: feed,
        kind: "application/atom+xml; charset=utf-8",
        changed: Some(changed),
        is_personal: false,
    };
    Ok(conditional::answer(&parts.headers, shown))
}
