//! GET /epaper/{title}/{issue}/manifest.json, and of magazines: an issue for programs that read, a Readium Web Publication whose
//! pages are pictures, each with the page that holds its words beside it; as much of it as whoever asks may read.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::time;
use domain::webpub::{self, Link, Metadata, Progression};
use web::app::App;
use web::conditional::{self, Shown};
use web::origin::Origin;

use super::open::{self, Opened, Rights};
use super::pictures::kind_of;
use super::store::issues::{self, Issue, IssuePage};
use super::store::publications::Publication;
use super::{address, naming};

/// How wide the pictures are that it names.
const WIDTH: u32 = 1440;

/// See the module.
pub async fn serve(
    State(app): State<App>,
    Path((title, issue)): Path<(String, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, kind_of(&parts)?, &title, &issue).await?;
    if !opened.rights.opens(1) {
        return Err(Error::Forbidden("这一期订阅或购买以后阅读。"));
    }
    let pages = issues::pages(&app.db, &opened.issue.id).await?;
    let base = Origin::of(&app.config, &parts.headers);
    let shown = Shown {
        body: manifest(&base, &opened, &pages).to_string(),
        kind: webpub::PICTURES,
        // who may read how much changes without the issue
        changed: None,
        is_personal: true,
    };
    Ok(conditional::answer(&parts.headers, shown))
}

/// What is said of an issue in manifests and catalogues; `changed` is its last change, epoch ms.
pub fn metadata(publication: &Publication, issue: &Issue, changed: i64) -> Metadata {
    let kind = match publication.kind {
        domain::publication::Kind::Epaper => "newspaper",
        domain::publication::Kind::Magazine => "magazine",
    };
    Metadata {
        kind: "PublicationIssue",
        title: naming::issue(publication, issue),
        identifier: naming::book_urn(issue),
        publisher: publication.organiser.clone(),
        description: publication.description.clone(),
        published: issue.day.to_string(),
        modified: time::rfc3339(changed),
        pages: issue.pages,
        issue_of: Some((kind, publication.name.clone(), issue.numbers.total)),
        ..Metadata::default()
    }
}

fn manifest(base: &Origin, opened: &Opened, pages: &[IssuePage]) -> serde_json::Value {
    let Opened { publication, issue, rights, .. } = opened;
    let shown: Vec<Link> = (1..=issue.pages)
        .filter(|page| rights.opens(*page))
        .map(|page| Link {
            rel: if page == 1 { "cover" } else { "" },
            size: Some(works::picture_size(issue.trim, WIDTH)),
            alternate: vec![Link::new("", "text/html", base.join(&address::page(publication, issue, page)))],
            ..Link::new("", "image/jpeg", base.join(&address::jpeg(publication, issue, page, WIDTH)))
        })
        .collect();
    let mut links = vec![
        Link::new("self", webpub::PICTURES, base.join(&address::manifest(publication, issue))),
        Link::new("alternate", "text/html", base.join(&address::issue(publication, issue))),
    ];
    if *rights == Rights::Whole {
        links.extend(publication.files().map(|format| {
            let place = base.join(&address::file(publication, issue, format));
            Link::new("alternate", format.media_type(), place)
        }));
    }
    let contents: Vec<(String, usize)> = pages
        .iter()
        .map(|page| (publication.kind.page_title(page.page, &page.name), page.page - 1))
        .collect();
    let metadata = metadata(publication, issue, issue.updated_at);
    webpub::manifest(&metadata, Progression::LeftToRight, &links, &shown, &contents)
}
