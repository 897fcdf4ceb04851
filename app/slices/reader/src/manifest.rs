//! GET /read/{work}/manifest.json: a shared work for programs that read, a Readium Web Publication whose pages are pictures,
//! each with the page that holds its words beside it; as much of it as whoever asks may read.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::names::urn;
use base::time;
use domain::ids::WorkId;
use domain::sharing::{Access, Direction};
use domain::webpub::{self, Link, Metadata, Progression};
use web::app::App;
use web::conditional::{self, Shown};
use web::origin::Origin;

use super::open::{self, Opened};
use super::published::KIND;
use super::store::Share;
use super::{downloads, pictures};
use works::{self, BookFormat};

/// How wide the pictures are that it names.
const WIDTH: u32 = 1440;

/// Where it is.
pub fn address(work: &WorkId) -> String {
    format!("/read/{work}/manifest.json")
}

/// See the module.
pub async fn serve(
    State(app): State<App>,
    Path(work): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(&app, &parts, &work).await?;
    if access == Access::Locked {
        return Err(Error::Forbidden("这本书要密码才能看。"));
    }
    let base = Origin::of(&app.config, &parts.headers);
    let shown = Shown {
        body: manifest(&base, &share, access).to_string(),
        kind: webpub::PICTURES,
        // who may read how much changes without the work
        changed: None,
        is_personal: true,
    };
    Ok(conditional::answer(&parts.headers, shown))
}

fn manifest(base: &Origin, share: &Share, access: Access) -> serde_json::Value {
    let home = format!("/read/{}", share.work);
    let pages: Vec<Link> = (0..=share.facts.pages)
        .filter(|page| access.opens(*page))
        .map(|page| {
            let place = if page == 0 { home.clone() } else { format!("{home}/{page}") };
            Link {
                rel: if page == 0 { "cover" } else { "" },
                size: Some(works::picture_size(share.facts.trim, WIDTH)),
                alternate: vec![Link::new("", "text/html", base.join(&place))],
                ..Link::new("", "image/jpeg", base.join(&pictures::jpeg_address(share, page, WIDTH)))
            }
        })
        .collect();
    let mut links = vec![
        Link::new("self", webpub::PICTURES, base.join(&address(&share.work))),
        Link::new("alternate", "text/html", base.join(&home)),
    ];
    if access == Access::Whole {
        let files =
            BookFormat::ALL.into_iter().filter(|format| downloads::is_allowed(*format, &share.settings));
        links.extend(files.map(|format| {
            let place = base.join(&downloads::address(&share.work, format));
            Link::new("alternate", format.media_type(), place)
        }));
    }
    let metadata = Metadata {
        kind: "Book",
        title: share.settings.title.clone(),
        identifier: urn(KIND, share.work.as_str()),
        author: share.facts.author.clone(),
        description: share.settings.description.clone(),
        published: time::rfc3339(share.published_at),
        modified: time::rfc3339(share.updated_at),
        pages: share.facts.pages + 1,
        ..Metadata::default()
    };
    let progression = match share.settings.direction {
        Direction::Left => Progression::LeftToRight,
        Direction::Right => Progression::RightToLeft,
        Direction::Continuous => Progression::Scrolled,
    };
    let contents: Vec<(String, usize)> =
        share.facts.chapters.iter().map(|(page, name)| (name.clone(), *page)).collect();
    webpub::manifest(&metadata, progression, &links, &pages, &contents)
}
