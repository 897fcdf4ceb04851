//! What both catalogues of a title list: its issues, page by page, all or those of a year, each with the ways in which whoever
//! asks gets it.

use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::names::urn;
use domain::webpub::Link;
use web::app::App;
use web::conditional::{self, Shown};
use web::origin::Origin;
use web::ui::forms::read_form;

use crate::address;
use crate::open::{self, Rights};
use crate::pictures::kind_of;
use crate::store::issues::{self, Changes, Issue};
use crate::store::publications::{self, Publication};

/// Issues on a page of a catalogue.
pub const ON_A_PAGE: i64 = 30;
/// Widths of a cover and of a small one, in pixels.
const COVER: u32 = 1080;
const THUMBNAIL: u32 = 360;

/// A page of a catalogue.
pub struct Catalogue {
    pub base: Origin,
    pub publication: Publication,
    /// The year that it is of, where it is of one.
    pub year: Option<i64>,
    /// All years in which issues came out, the newest first.
    pub years: Vec<i64>,
    /// From 1.
    pub page: i64,
    /// Issues on all pages.
    pub total: i64,
    pub issues: Vec<(Issue, Rights)>,
    /// The last change of anything in it, epoch ms.
    pub changed: i64,
    /// Whether it is for who asks alone: what is sold is got in other ways by who bought it.
    pub is_personal: bool,
    changes: Changes,
}

impl Catalogue {
    /// The page that a request asks for.
    pub async fn load(app: &App, parts: &Parts, title: &str) -> Result<Self, Error> {
        let publication = publications::at_address(&app.db, kind_of(parts)?, title).await?;
        let query = read_form(parts.uri.query().unwrap_or_default().as_bytes())?;
        let number = |name: &str| match query.get(name) {
            "" => Ok(None),
            text => text.parse::<i64>().ok().filter(|number| *number > 0).map(Some).ok_or(Error::NotFound),
        };
        let (year, page) = (number("year")?, number("page")?.unwrap_or(1));
        let within = year.map(|year| format!("{year:04}")).unwrap_or_default();
        let total = issues::count_in(&app.db, &publication.id, &within).await?;
        let before = (page - 1).checked_mul(ON_A_PAGE).ok_or(Error::NotFound)?;
        if before >= total {
            return Err(Error::NotFound);
        }
        let member = open::visitor(parts).filter(|_| publication.sale.is_some());
        let mut listed = Vec::new();
        for issue in issues::page_of(&app.db, &publication.id, &within, (before, ON_A_PAGE)).await? {
            let rights = open::rights_in_lists(app, member, &publication, &issue).await?;
            listed.push((issue, rights));
        }
        let changes = issues::changes(&app.db, &publication.id).await?;
        Ok(Self {
            base: Origin::of(&app.config, &parts.headers),
            year,
            years: issues::years(&app.db, &publication.id).await?,
            page,
            total,
            issues: listed,
            changed: changes.of_all.max(publication.updated_at),
            is_personal: open::visitor(parts).is_some(),
            changes,
            publication,
        })
    }

    /// The answer to a request, whose body is of a kind.
    pub fn answer(&self, request: &Parts, kind: &'static str, body: String) -> Response {
        let changed = (!self.is_personal).then_some(self.changed);
        conditional::answer(&request.headers, Shown { body, kind, changed, is_personal: self.is_personal })
    }

    /// Its name in a form: the pages of a list are one feed (RFC 5005, section 3).
    pub fn id(&self, form: &str) -> String {
        match self.year {
            Some(year) => urn(form, &format!("{} {year}", self.publication.id)),
            None => urn(form, self.publication.id.as_str()),
        }
    }

    /// The last change of an issue's entry, epoch ms: what it costs is the title's.
    pub fn changed(&self, issue: &Issue) -> i64 {
        self.changes.of(issue).max(self.publication.updated_at)
    }

    /// The query of a page.
    pub fn query(year: Option<i64>, page: i64) -> String {
        let year = year.map(|year| format!("year={year}"));
        let page = (page > 1).then(|| format!("page={page}"));
        let all: Vec<String> = year.into_iter().chain(page).collect();
        if all.is_empty() { String::new() } else { format!("?{}", all.join("&")) }
    }

    /// The other pages, by their relations to this one.
    pub fn others(&self) -> Vec<(&'static str, i64)> {
        let last = (self.total + ON_A_PAGE - 1) / ON_A_PAGE;
        let all = [("first", 1), ("previous", self.page - 1), ("next", self.page + 1), ("last", last)];
        all.into_iter().filter(|(_, page)| last > 1 && (1..=last).contains(page)).collect()
    }

    /// Its cover, large and small, for who may read the first page.
    pub fn images(&self, issue: &Issue, rights: Rights) -> Vec<Link> {
        let of = |(rel, width)| Link {
            size: Some(works::picture_size(issue.trim, width)),
            ..Link::new(rel, "image/jpeg", self.base.join(&address::jpeg(&self.publication, issue, 1, width)))
        };
        let all =
            [("http://opds-spec.org/image", COVER), ("http://opds-spec.org/image/thumbnail", THUMBNAIL)];
        if rights.opens(1) { all.map(of).to_vec() } else { Vec::new() }
    }

    /// How whoever asks gets an issue: as a file, where its maker allows one, else on its pages; or where it is bought.
    pub fn ways(&self, issue: &Issue, rights: Rights) -> Vec<Link> {
        let publication = &self.publication;
        let page = self.base.join(&address::issue(publication, issue));
        let Some(sale) = publication.sale.filter(|_| rights != Rights::Whole) else {
            let rel = match publication.sale {
                None => "http://opds-spec.org/acquisition/open-access",
                Some(_) => "http://opds-spec.org/acquisition",
            };
            let mut ways: Vec<Link> = publication
                .files()
                .map(|format| {
                    let file = self.base.join(&address::file(publication, issue, format));
                    Link::new(rel, format.media_type(), file)
                })
                .collect();
            if ways.is_empty() {
                ways.push(Link::new(rel, "text/html", page));
            }
            return ways;
        };
        let rel = match sale.issue_price {
            Some(_) => "http://opds-spec.org/acquisition/buy",
            None => "http://opds-spec.org/acquisition/subscribe",
        };
        let mut ways = vec![Link {
            price: sale.issue_price,
            becomes: publication.files().map(works::BookFormat::media_type).collect(),
            ..Link::new(rel, "text/html", page.clone())
        }];
        if rights.opens(1) {
            ways.push(Link::new("http://opds-spec.org/acquisition/sample", "text/html", page));
        }
        ways
    }
}
