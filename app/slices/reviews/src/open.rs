//! Opening a link: whose it is, which round it shows, who looks.

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use domain::document::Document;
use domain::ids::ReviewerId;
use domain::review::opens;
use leptos::prelude::*;
use web::app::App;
use web::session::Visitor;

use super::code;
use super::store::{self, Link, Reviewer, Round};
use works::{self, Work};

/// What a link opens.
#[derive(Debug, Clone)]
pub struct Opened {
    pub code: String,
    pub link: Link,
    pub work: Work,
    /// The newest.
    pub round: Round,
    /// What that round shows.
    pub document: Document,
    /// None while nobody has said who it is.
    pub reviewer: Option<Reviewer>,
    /// Whether the one whose work it is looks at it.
    pub is_maker: bool,
}

impl Opened {
    /// Where it is.
    pub fn home(&self) -> String {
        format!("/review/{}", self.code)
    }

    /// Where a page is, 0 for the cover.
    pub fn page(&self, page: usize) -> String {
        format!("{}/page/{}", self.home(), page_code(page))
    }

    /// A picture of a page of a round.
    pub fn picture(&self, round: i64, page: usize, width: u32) -> String {
        format!("{}/picture/{round}/{}/{width}", self.home(), page_code(page))
    }

    /// Who looks, where that is known.
    pub fn who(&self) -> Option<&ReviewerId> {
        self.reviewer.as_ref().map(|reviewer| &reviewer.id)
    }
}

/// A page's name in addresses.
pub fn page_code(page: usize) -> String {
    if page == 0 { "cover".to_owned() } else { page.to_string() }
}

/// The page of a name in addresses.
pub fn page_of(document: &Document, name: &str) -> Result<usize, Error> {
    match name.parse::<usize>() {
        _ if name == "cover" => Ok(0),
        Ok(page) if (1..=document.pages.len()).contains(&page) => Ok(page),
        _ => Err(Error::NotFound),
    }
}

/// The page of a number as the press knows it.
pub fn page_ref(page: usize) -> press::PageRef {
    page.checked_sub(1).map_or(press::PageRef::Cover, press::PageRef::Inner)
}

/// What a code opens for whoever sends a request. One that was never given out is none; one that ended says so.
pub async fn open(app: &App, parts: &Parts, typed: &str) -> Result<Opened, Error> {
    let id = code::link(&app.key, typed).ok_or(Error::NotFound)?;
    let link = store::link(&app.db, &id).await?.ok_or(Error::NotFound)?;
    let round = store::newest(&app.db, &link.work).await?.ok_or(Error::NotFound)?;
    let work = works::for_owner(app, &link.work, &link.member).await?;
    let is_withdrawn = link.withdrawn_at.is_some();
    opens(is_withdrawn, work.trashed_at.is_some(), round.rule(), now_ms())
        .map_err(|shut| Error::Gone(shut.to_string()))?;
    let document = if work.revision == round.revision {
        work.document.clone()
    } else {
        works::document_at(app, &work.id, &link.member, round.revision).await?
    };
    let reviewer = reviewer(app, parts, &link).await?;
    let visitor = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    let is_maker = visitor.is_some_and(|member| member.id == link.member);
    Ok(Opened { code: typed.to_owned(), link, work, round, document, reviewer, is_maker })
}

async fn reviewer(app: &App, parts: &Parts, link: &Link) -> Result<Option<Reviewer>, Error> {
    if !link.is_open() {
        let own = link.id.as_str().parse().map_err(Error::internal)?;
        return store::reviewer(&app.db, &own, &link.id).await;
    }
    for id in code::reviewers(app, &parts.headers) {
        if let Some(found) = store::reviewer(&app.db, &id, &link.id).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The same for a page that is being made.
pub async fn opened(
    app: Option<App>,
    parts: Option<Parts>,
    typed: Result<String, Error>,
) -> Result<(App, Opened), Error> {
    let outside = || Error::internal("a page outside a request");
    let (app, parts) = (app.ok_or_else(outside)?, parts.ok_or_else(outside)?);
    let opened = open(&app, &parts, &typed?).await?;
    Ok((app, opened))
}

/// Program and request of the page that is being made.
pub fn asked() -> (Option<App>, Option<Parts>) {
    (use_context::<App>(), use_context::<Parts>())
}
