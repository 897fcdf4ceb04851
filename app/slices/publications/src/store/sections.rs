//! SQL of sections 栏目: pages of one name in the issues of a title.

use std::collections::BTreeMap;

use base::db::{Db, sql, with_db};
use base::error::Error;
use domain::ids::{IssueId, PublicationId};
use domain::publication::{Day, section, spellings};

/// Names that are looked at for a list of sections: a magazine may call each page something else.
const MOST_NAMES: i64 = 400;
/// Issues that are looked at for it: everybody who comes to a title is shown the list.
const MOST_ISSUES: i64 = 60;

/// A section among those of a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    /// Pages that are called so.
    pub pages: i64,
}

/// The sections of the newest issues that came out after a day, those with the most pages first, at most so many; of as many pages
/// those that stand further in front. Names that stand in fewer issues than `least` are chapters, not sections.
pub async fn since(
    db: &Db,
    publication: &PublicationId,
    day: Day,
    least: i64,
    most: usize,
) -> Result<Vec<Section>, Error> {
    let rows: Vec<(String, i64, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select p.name, count(*), min(p.page) from (
             select id from issues where publication_id = $1 and state = 'published' and day > $2
             order by day desc, total desc limit $4) i join issue_pages p on p.issue_id = i.id
         where p.name <> '' group by p.name having count(distinct p.issue_id) >= $5
         order by 2 desc, 3, 1 limit $3"
    )
    .bind(publication.as_str())
    .bind(day.to_string())
    .bind(MOST_NAMES)
    .bind(MOST_ISSUES)
    .bind(least)
    .fetch_all(pool)
    .await)?;
    // one name may be written in two ways
    let mut all: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for (name, pages, first) in rows {
        // what its page would not find is not listed
        let Some(section) = section(&name).filter(|section| spellings(section).contains(&name)) else {
            continue;
        };
        let sum = all.entry(section).or_insert((0, first));
        *sum = (sum.0 + pages, sum.1.min(first));
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(_, (pages, first))| (std::cmp::Reverse(*pages), *first));
    all.truncate(most);
    Ok(all.into_iter().map(|(name, (pages, _))| Section { name, pages }).collect())
}

/// Pages of a section in published issues, the newest first, after so many and at most so many.
pub async fn pages(
    db: &Db,
    publication: &PublicationId,
    section: &str,
    (after, most): (i64, i64),
) -> Result<Vec<(IssueId, usize)>, Error> {
    let [composed, decomposed] = spellings(section);
    let rows: Vec<(String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select p.issue_id, p.page from issues i join issue_pages p on p.issue_id = i.id
         where i.publication_id = $1 and i.state = 'published' and p.name in ($2, $3)
         order by i.day desc, i.total desc, p.page limit $4 offset $5"
    )
    .bind(publication.as_str())
    .bind(composed)
    .bind(decomposed)
    .bind(most)
    .bind(after)
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(issue, page)| {
            let page = usize::try_from(page).map_err(Error::internal)?;
            Ok((issue.try_into().map_err(Error::internal)?, page))
        })
        .collect()
}

/// The headline of an article.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Headline {
    pub issue_id: String,
    pub page: i64,
    pub number: i64,
    pub kicker: String,
    pub title: String,
    pub subtitle: String,
}

/// The headlines on a section's pages of some issues that readers see, in the order of each page.
pub async fn headlines(db: &Db, section: &str, issues: &[IssueId]) -> Result<Vec<Headline>, Error> {
    if issues.is_empty() {
        return Ok(Vec::new());
    }
    let [composed, decomposed] = spellings(section);
    let sql = sql!(
        "select a.issue_id, a.page, a.number, a.kicker, a.title, a.subtitle
         from issue_pages p join articles a on a.issue_id = p.issue_id and a.page = p.page
         where p.name in ($1, $2) and a.is_proposed = 0 and p.issue_id in ([?])
         order by a.issue_id, a.page, a.position, a.number"
    )
    .repeated(issues.len());
    Ok(with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text()).bind(composed).bind(decomposed);
        issues.iter().fold(query, |query, issue| query.bind(issue.as_str())).fetch_all(pool).await
    })?)
}
