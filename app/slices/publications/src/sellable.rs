//! Titles, and single issues of them, as something that their members may sell; and what readers follow.

use async_trait::async_trait;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::{Followed, Item, News, Sellable};

use super::store::{following, issues, publications};
use super::{ISSUE_KIND, TITLE_KIND, address};

/// See [`Sellable`]: what a package holds.
pub struct Titles;

#[async_trait]
impl Sellable for Titles {
    fn kind(&self) -> &'static str {
        TITLE_KIND
    }

    fn name(&self) -> &'static str {
        "报刊"
    }

    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Item>, Error> {
        let titles = publications::of_member(&app.db, member, None).await?;
        let item = |title: publications::Publication| Item {
            address: self.address(app, title.id.as_str()),
            id: title.id.to_string(),
            title: title.name,
        };
        Ok(titles.into_iter().rev().map(item).collect())
    }

    fn address(&self, _app: &App, id: &str) -> Option<String> {
        Some(format!("/manager/publication/{id}"))
    }
}

/// See [`Sellable`]: an issue is sold alone, for ever, and in no package.
pub struct Issues;

#[async_trait]
impl Sellable for Issues {
    fn kind(&self) -> &'static str {
        ISSUE_KIND
    }

    fn name(&self) -> &'static str {
        "单期"
    }

    async fn of_member(&self, _app: &App, _member: &MemberId) -> Result<Vec<Item>, Error> {
        Ok(Vec::new())
    }

    fn address(&self, _app: &App, id: &str) -> Option<String> {
        Some(format!("/manager/issue/{id}"))
    }
}

/// See [`News`].
pub struct Newsstand;

#[async_trait]
impl News for Newsstand {
    async fn followed_by(&self, app: &App, reader: &MemberId) -> Result<Vec<Followed>, Error> {
        let mut all = Vec::new();
        for id in following::of_reader(&app.db, reader).await? {
            let publication = publications::find(&app.db, &id).await?;
            let newest = issues::published(&app.db, &id, 1).await?.pop();
            all.push(Followed {
                address: publication.path(),
                settings: format!("/manager/publication/{id}/following"),
                newest: newest.map(|issue| {
                    let title = format!("{} {}", issue.day, issue.title());
                    let at = issue.published_at.unwrap_or(issue.updated_at);
                    (title, address::issue(&publication, &issue), at)
                }),
                title: publication.name,
            });
        }
        all.sort_by_key(|followed| std::cmp::Reverse(followed.newest.as_ref().map(|(_, _, at)| *at)));
        Ok(all)
    }
}
