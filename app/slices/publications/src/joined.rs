//! The articles of an issue as its readers have them: one that goes on on another page is one article, at the address of its first
//! part.

use std::collections::HashMap;

use base::db::{Db, now_ms};
use base::error::Error;
use domain::ids::IssueId;
use domain::jump::{self, Part, Ways};
use web::app::App;

use super::address;
use super::store::articles::{self, Article};
use super::store::corrections;
use super::store::issues::Issue;
use super::store::jumps;
use super::store::publications::Publication;

/// See the module.
#[derive(Debug)]
pub struct Joined {
    all: Vec<Article>,
    /// Where each number is among them.
    places: HashMap<i64, usize>,
    ways: Ways,
}

impl Joined {
    /// Of all articles that readers see of an issue, in their order.
    pub fn of(all: Vec<Article>) -> Self {
        let ids: Vec<_> = all.iter().map(|article| (article.id.clone(), article.goes_on.clone())).collect();
        let places = all.iter().enumerate().map(|(place, article)| (article.number, place)).collect();
        Self { ways: Ways::of(&ids), places, all }
    }

    /// The headlines of an issue.
    pub async fn headlines(db: &Db, issue: &IssueId) -> Result<Self, Error> {
        Ok(Self::of(articles::headlines(db, issue, false).await?))
    }

    /// Every part by itself.
    pub fn all(&self) -> &[Article] {
        &self.all
    }

    /// The first parts: each article once.
    pub fn firsts(&self) -> impl Iterator<Item = &Article> {
        self.all
            .iter()
            .enumerate()
            .filter(|(place, _)| self.ways.is_first(*place))
            .map(|(_, article)| article)
    }

    /// All parts of the article that one is a part of, in the order in which they are read; nothing where there is none.
    pub fn parts(&self, number: i64) -> Vec<&Article> {
        let first = self.places.get(&number).map(|place| self.ways.first(*place));
        let parts = first.map(|first| self.ways.parts(first)).unwrap_or_default();
        parts.into_iter().filter_map(|place| self.all.get(place)).collect()
    }

    /// The first part of the article that one is a part of, where it is not the first itself.
    pub fn first_of(&self, number: i64) -> Option<&Article> {
        let place = self.places.get(&number)?;
        self.all.get(self.ways.first(*place)).filter(|first| first.number != number)
    }

    /// Where a part is read.
    pub fn address(&self, publication: &Publication, issue: &Issue, number: i64) -> String {
        match self.first_of(number) {
            Some(first) => {
                format!("{}#{}", address::article(publication, issue, first.number), part_id(number))
            }
            None => address::article(publication, issue, number),
        }
    }
}

/// Where a part begins on its article's page.
pub fn part_id(number: i64) -> String {
    format!("part-{number}")
}

/// Joins proposals whose marks name each other's pages: 下转03版 here, 上接01版 there.
pub async fn join_proposals(app: &App, issue: &IssueId) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    corrections::hold_pages(&mut tx, issue).await?;
    let proposed = articles::proposed(&mut tx, issue).await?;
    let there = articles::ids(&mut tx, issue).await?;
    let parts: Vec<Part<'_>> = proposed
        .iter()
        .map(|article| Part { page: article.page, title: &article.title, text: &article.text })
        .collect();
    let now = now_ms();
    for (from, to) in jump::joins(&parts) {
        // one that went on with what is gone goes on with nothing
        if proposed[from].goes_on.as_ref().is_none_or(|on| !there.contains(on)) {
            jumps::set(&mut tx, issue, &proposed[from].id, Some(proposed[to].id.as_str()), now).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// An article whose words say that it goes on, where nobody has said with which one.
#[derive(Debug, Clone)]
pub struct LooseEnd {
    /// Where its mark stands.
    pub page: usize,
    pub title: String,
    /// The page that the mark names.
    pub leads_to: usize,
}

/// All loose ends of an issue, proposals' among them.
pub async fn loose_ends(db: &Db, issue: &IssueId) -> Result<Vec<LooseEnd>, Error> {
    let marked = jumps::marked(db, issue).await?;
    let loose = |(page, title, text): (i64, String, String)| {
        let leads_to = jump::leads_on(&text)?.page;
        Some(LooseEnd { page: usize::try_from(page).ok()?, title, leads_to })
    };
    Ok(marked.into_iter().filter_map(loose).collect())
}
