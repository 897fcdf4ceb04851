//! Issues as something whose reading is counted.

use async_trait::async_trait;
use base::error::Error;
use domain::document::Rect;
use domain::ids::{IssueId, MemberId};
use web::app::App;
use web::slice::{Countable, Read, ReadArea, ReadArticle, ReadPage};

use super::joined::Joined;
use super::store::articles::Article;
use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication};
use super::{ISSUE_KIND, address};

/// Issues that are listed.
const MOST: i64 = 500;

/// See [`Countable`].
pub struct CountedIssues;

/// One that readers see or saw.
async fn find(app: &App, id: &str) -> Result<Option<(Publication, Issue)>, Error> {
    let Ok(id) = id.parse::<IssueId>() else { return Ok(None) };
    let issue = match issues::find(&app.db, &id).await {
        Ok(issue) if issue.state.was_public() => issue,
        Ok(_) | Err(Error::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some((publications::find(&app.db, &issue.publication).await?, issue)))
}

#[async_trait]
impl Countable for CountedIssues {
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
        let titles = publications::of_member(&app.db, member, None).await?;
        let issues = issues::public_of_member(&app.db, member, MOST).await?;
        let read = |issue: Issue| {
            let title = titles.iter().find(|title| title.id == issue.publication)?;
            Some(Read {
                id: issue.id.to_string(),
                title: format!("{} {} {}", title.name, issue.day, issue.title()),
                pages: issue.pages,
                cover: Some(address::picture(title, &issue, 1, 360)),
                address: address::issue(title, &issue),
            })
        };
        Ok(issues.into_iter().filter_map(read).collect())
    }

    async fn pages(&self, app: &App, id: &str, numbers: &[usize]) -> Result<Vec<ReadPage>, Error> {
        let Some((title, issue)) = find(app, id).await? else { return Ok(Vec::new()) };
        let there = numbers.iter().filter(|number| (1..=issue.pages).contains(*number));
        let page = |number: &usize| ReadPage {
            number: *number,
            address: address::page(&title, &issue, *number),
            picture: address::picture(&title, &issue, *number, 360),
            large: address::picture(&title, &issue, *number, 1080),
            ratio: issue.trim.height / issue.trim.width,
        };
        Ok(there.map(page).collect())
    }

    async fn areas(&self, app: &App, id: &str, page: usize) -> Result<Vec<ReadArea>, Error> {
        let Some((_, issue)) = find(app, id).await? else { return Ok(Vec::new()) };
        let joined = Joined::headlines(&app.db, &issue.id).await?;
        let area = |article: &Article| {
            let place = *article.areas.first()?;
            let frame = Rect {
                x: place.x.into(),
                y: place.y.into(),
                width: place.width.into(),
                height: place.height.into(),
            };
            Some(ReadArea { id: area_of(&joined, article), name: article.title.clone(), frame })
        };
        Ok(joined.all().iter().filter(|article| article.page == page).filter_map(area).collect())
    }

    async fn articles(&self, app: &App, id: &str) -> Result<Vec<ReadArticle>, Error> {
        let Some((title, issue)) = find(app, id).await? else { return Ok(Vec::new()) };
        let joined = Joined::headlines(&app.db, &issue.id).await?;
        // what was opened before parts were joined counts for the article
        let article = |part: &Article| {
            let first = joined.first_of(part.number).unwrap_or(part);
            ReadArticle {
                id: area_id(part.number),
                page: first.page,
                address: address::article(&title, &issue, first.number),
                title: first.title.clone(),
            }
        };
        Ok(joined.all().iter().map(article).collect())
    }
}

/// What an article is called where its openings are counted, and its areas where presses on them are.
pub fn area_id(number: i64) -> String {
    format!("article-{number}")
}

/// What the areas of a part are called: before the dot stands the article that they open.
pub fn area_of(joined: &Joined, part: &Article) -> String {
    match joined.first_of(part.number) {
        Some(first) => format!("{}.{}", area_id(first.number), part.number),
        None => area_id(part.number),
    }
}
