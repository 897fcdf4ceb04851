//! Issues as something whose reading is counted: a page and the articles on it are one page.

use async_trait::async_trait;
use domain::ids::{IssueId, MemberId};
use domain::issue_state::IssueState;
use leptos::prelude::*;

use super::open::Opened;
use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication};
use super::{ISSUE_KIND, address};
use platform::app::App;
use platform::error::Error;
use platform::slice::{Countable, Read, ReadArea, ReadPage};
use platform::ui::counted::Counted;

/// The most issues of a title that are listed.
const MOST: i64 = 400;

/// Counts the reading of a page, from 1, or of an issue's cover, 0. Its maker is not counted, nor is who may not read it.
#[component]
pub fn CountedPage(opened: Opened, page: usize) -> impl IntoView {
    let is_read = opened.issue.state == IssueState::Published && opened.rights.opens(page);
    (is_read && !opened.is_owner).then(|| {
        let home = address::base(&opened.publication, &opened.issue);
        view! { <Counted kind=ISSUE_KIND id=opened.issue.id.to_string() home first=page/> }
    })
}

/// See [`Countable`].
pub struct ReadIssues;

async fn find(app: &App, id: &str) -> Result<Option<(Publication, Issue)>, Error> {
    let Ok(id) = id.parse::<IssueId>() else { return Ok(None) };
    let issue = match issues::find(&app.db, &id).await {
        Ok(issue) => issue,
        Err(Error::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let publication = publications::find(&app.db, &issue.publication).await?;
    Ok(Some((publication, issue)))
}

#[async_trait]
impl Countable for ReadIssues {
    fn kind(&self) -> &'static str {
        ISSUE_KIND
    }

    fn name(&self) -> &'static str {
        "报刊"
    }

    async fn owner(&self, app: &App, id: &str) -> Result<Option<MemberId>, Error> {
        Ok(find(app, id).await?.map(|(_, issue)| issue.member))
    }

    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Read>, Error> {
        let mut all = Vec::new();
        for publication in publications::of_member(&app.db, member, None).await? {
            let published = issues::published(&app.db, &publication.id, MOST).await?;
            all.extend(published.into_iter().map(|issue| Read {
                id: issue.id.to_string(),
                title: format!("{} {} {}", publication.name, issue.day, issue.title()),
                pages: issue.pages,
                cover: Some(address::picture(&publication, &issue, 1, 360)),
                address: address::issue(&publication, &issue),
            }));
        }
        Ok(all)
    }

    async fn pages(&self, app: &App, id: &str, numbers: &[usize]) -> Result<Vec<ReadPage>, Error> {
        let Some((publication, issue)) = find(app, id).await? else { return Ok(Vec::new()) };
        let there = numbers.iter().filter(|number| (1..=issue.pages).contains(*number));
        let page = |number: &usize| ReadPage {
            number: *number,
            address: address::page(&publication, &issue, *number),
            picture: address::picture(&publication, &issue, *number, 360),
            large: address::picture(&publication, &issue, *number, 1080),
            ratio: issue.trim.height / issue.trim.width,
        };
        Ok(there.map(page).collect())
    }

    /// Articles are pages of their own: who presses one reads on.
    async fn areas(&self, _app: &App, _id: &str, _page: usize) -> Result<Vec<ReadArea>, Error> {
        Ok(Vec::new())
    }
}
