//! Titles and issues as something that their members publish. Shelves and studies show a title by its newest issue; an issue
//! stands on no shelf by itself, but is read, marked and written on page by page.

use async_trait::async_trait;
use axum::http::request::Parts;
use base::db::Tx;
use base::error::Error;
use domain::document::Trim;
use domain::ids::{IssueId, MemberId, PublicationId};
use domain::issue_state::IssueState;
use domain::publication::Kind;
use web::app::App;
use web::slice::{Publication, Published, Reach, Readable};

use super::store::issues::{self, Issue};
use super::store::publications as store;
use super::{ISSUE_KIND, TITLE_KIND, address, open};

/// The width of a cover on a shelf, in pixels.
const COVER_WIDTH: u32 = 360;

/// See [`Published`].
pub struct PublishedTitles;

/// A title by its newest issue. Of what is sold a stranger sees the first page where anybody may try it.
fn publication(title: store::Publication, newest: Option<Issue>) -> Publication {
    let shows = title.sale.is_none_or(|sale| sale.preview_pages > 0);
    let shown = newest.as_ref().filter(|_| shows);
    Publication {
        kind: TITLE_KIND,
        id: title.id.to_string(),
        address: title.path(),
        cover: shown.map(|issue| address::picture(&title, issue, 1, COVER_WIDTH)),
        card: shown.map(|issue| address::card(&title, issue)),
        trim: newest.as_ref().map_or(Trim { width: 3.0, height: 4.0 }, |issue| issue.trim),
        reach: if newest.is_some() { Reach::Public } else { Reach::Over },
        published_at: newest.as_ref().and_then(|issue| issue.published_at).unwrap_or(0),
        member: title.member,
        title: title.name,
        author: title.organiser,
        description: title.description,
    }
}

/// Those of these titles of which an issue came out.
async fn published(app: &App, titles: Vec<store::Publication>) -> Result<Vec<Publication>, Error> {
    let mut all = Vec::new();
    for title in titles {
        let newest = issues::published(&app.db, &title.id, 1).await?.pop();
        all.push(publication(title, newest));
    }
    Ok(all)
}

#[async_trait]
impl Published for PublishedTitles {
    fn kind(&self) -> &'static str {
        TITLE_KIND
    }

    fn name(&self) -> &'static str {
        "报刊"
    }

    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Publication>, Error> {
        let titles = store::of_member(&app.db, member, None).await?;
        let mut all = published(app, titles).await?;
        all.retain(|title| title.published_at > 0);
        all.sort_by_key(|title| std::cmp::Reverse(title.published_at));
        Ok(all)
    }

    async fn find(&self, app: &App, ids: &[&str]) -> Result<Vec<Publication>, Error> {
        let mut titles = Vec::new();
        for id in ids {
            let Ok(id) = id.parse::<PublicationId>() else { continue };
            match store::find(&app.db, &id).await {
                Ok(title) => titles.push(title),
                Err(Error::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        published(app, titles).await
    }

    /// What may be read of its newest issue.
    async fn readable(&self, app: &App, parts: &Parts, id: &str) -> Result<Option<Readable>, Error> {
        let Ok(id) = id.parse::<PublicationId>() else { return Ok(None) };
        let title = match store::find(&app.db, &id).await {
            Ok(title) => title,
            Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(newest) = issues::published(&app.db, &title.id, 1).await?.pop() else { return Ok(None) };
        let key = newest.key(title.kind);
        let opened = open::open(app, parts, title.kind, title.address.as_str(), &key).await?;
        let pages = newest.pages;
        let open = opened.rights.of(pages);
        Ok(Some(Readable { publication: publication(title, Some(newest)), pages, open }))
    }
}

/// See [`Published`].
pub struct PublishedIssues;

/// An issue that there is, with its title.
async fn issue(app: &App, id: &str) -> Result<Option<(store::Publication, Issue)>, Error> {
    let Ok(id) = id.parse::<IssueId>() else { return Ok(None) };
    let issue = match issues::find(&app.db, &id).await {
        Ok(issue) => issue,
        Err(Error::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some((store::find(&app.db, &issue.publication).await?, issue)))
}

/// It by its first page, as far as a stranger sees that.
fn of_issue(title: store::Publication, issue: Issue) -> Publication {
    let address = address::base(&title, &issue);
    let name = match title.kind {
        Kind::Epaper => format!("{} {}", title.name, issue.day),
        Kind::Magazine => format!("{} {} 年{}", title.name, issue.day.year(), issue.title()),
    };
    let reach = if issue.state == IssueState::Published { Reach::Public } else { Reach::Over };
    let (id, published_at) = (issue.id.to_string(), issue.published_at.unwrap_or(0));
    let shown = publication(title, Some(issue));
    Publication { kind: ISSUE_KIND, id, address, title: name, reach, published_at, ..shown }
}

#[async_trait]
impl Published for PublishedIssues {
    fn kind(&self) -> &'static str {
        ISSUE_KIND
    }

    fn name(&self) -> &'static str {
        "报刊"
    }

    /// Shelves show titles.
    async fn of_member(&self, _app: &App, _member: &MemberId) -> Result<Vec<Publication>, Error> {
        Ok(Vec::new())
    }

    async fn find(&self, app: &App, ids: &[&str]) -> Result<Vec<Publication>, Error> {
        let mut all = Vec::new();
        for id in ids {
            if let Some((title, found)) = issue(app, id).await? {
                all.push(of_issue(title, found));
            }
        }
        Ok(all)
    }

    async fn readable(&self, app: &App, parts: &Parts, id: &str) -> Result<Option<Readable>, Error> {
        let Some((title, found)) = issue(app, id).await? else { return Ok(None) };
        let opened =
            match open::open(app, parts, title.kind, title.address.as_str(), &found.key(title.kind)).await {
                Ok(opened) => opened,
                Err(Error::NotFound | Error::Gone(_)) => return Ok(None),
                Err(error) => return Err(error),
            };
        // another one of the same day is another one
        if opened.issue.id != found.id {
            return Ok(None);
        }
        let (pages, open) = (found.pages, opened.rights.of(found.pages));
        Ok(Some(Readable { publication: of_issue(title, found), pages, open }))
    }

    /// One that was removed is none any more, either.
    async fn is_withdrawn(&self, tx: &mut Tx, id: &str) -> Result<bool, Error> {
        Ok(!issues::is_out(tx, id).await?)
    }
}
