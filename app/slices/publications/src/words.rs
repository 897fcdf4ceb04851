//! The words on the pages of issues, as they are marked and searched.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use base::error::Error;
use base::jobs;
use domain::reading::{excerpt, folded};
use reader::room::{Hit, Volume, words_kept};
use reader::{self, PageBlock};
use web::app::App;

use super::jobs::ReadWords;
use super::open::Opened;
use super::store::issues::{self, Issue};
use super::store::words as store;
use super::{ISSUE_KIND, address};

/// How long somebody waits who searches an issue that nobody has read yet; a job reads the rest.
const WAIT: Duration = Duration::from_secs(2);

/// The words of a page, from 1.
pub async fn of_page(app: &App, issue: &Issue, page: usize) -> Result<Vec<PageBlock>, Error> {
    let number = i64::try_from(page).map_err(Error::internal)?;
    if let Some(blocks) = store::find(&app.db, issue, number).await? {
        return Ok(serde_json::from_str(&blocks)?);
    }
    let document = issues::document(&app.db, &issue.id).await?;
    let blocks = reader::read_page(app, &issue.member, &document, page).await?.blocks;
    let mut tx = app.db.begin().await?;
    let kept = (words_kept(&blocks), serde_json::to_string(&blocks)?);
    store::keep(&mut tx, issue, number, (&kept.0, &kept.1)).await?;
    tx.commit().await?;
    Ok(blocks)
}

/// Reads the pages that nobody has read, up to one; within a time, or all. Whether none is left.
pub async fn prepare(app: &App, issue: &Issue, last: usize, within: Option<Duration>) -> Result<bool, Error> {
    let started = Instant::now();
    let read: BTreeSet<i64> = store::read(&app.db, issue).await?.into_iter().collect();
    for page in 1..=last {
        if read.contains(&i64::try_from(page).map_err(Error::internal)?) {
            continue;
        }
        if within.is_some_and(|within| started.elapsed() > within) {
            return Ok(false);
        }
        of_page(app, issue, page).await?;
    }
    Ok(true)
}

/// What was found in an issue.
#[derive(Debug)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// Whether all pages were looked through that may be.
    pub is_all: bool,
}

/// Where a text stands in what whoever asks may read: in articles, and on pages in whose articles it is not.
pub async fn search(app: &App, opened: &Opened, volume: &Volume, asked: &str) -> Result<Found, Error> {
    debug_assert_eq!(volume.kind, ISSUE_KIND);
    let Opened { publication, issue, .. } = opened;
    let wanted = folded(asked);
    if wanted.is_empty() {
        return Ok(Found { hits: Vec::new(), is_all: true });
    }
    let is_all = prepare(app, issue, volume.open, Some(WAIT)).await?;
    if !is_all {
        let mut tx = app.db.begin().await?;
        jobs::at_once(&mut tx, &ReadWords { issue: issue.id.clone() }).await?;
        tx.commit().await?;
    }
    let last = i64::try_from(volume.open).map_err(Error::internal)?;
    let mut found: Vec<(i64, Hit)> = Vec::new();
    for article in store::articles(&app.db, &issue.id, last).await? {
        let texts = [&article.title, &article.kicker, &article.subtitle, &article.author];
        let texts = texts.into_iter().map(String::as_str).chain(article.text.lines());
        if let Some(around) = excerpt(texts, &wanted) {
            let address = address::article(publication, issue, article.number);
            found.push((article.page, Hit { name: article.title, address, around }));
        }
    }
    let with_articles: BTreeSet<i64> = found.iter().map(|(page, _)| *page).collect();
    for (page, blocks) in store::pages_with(&app.db, issue, &wanted, last).await? {
        let blocks: Vec<PageBlock> = serde_json::from_str(&blocks)?;
        let around = excerpt(blocks.iter().map(|block| &*block.text), &wanted);
        if let Some(around) = around.filter(|_| !with_articles.contains(&page)) {
            let number = usize::try_from(page).map_err(Error::internal)?;
            found.push((page, Hit { name: volume.name(number), address: volume.address(number), around }));
        }
    }
    found.sort_by_key(|(page, _)| *page);
    Ok(Found { hits: found.into_iter().map(|(_, hit)| hit).collect(), is_all })
}
