//! SQL of articles.

use std::collections::HashSet;

use base::db::{self, Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::hot_area::Place;
use domain::ids::{ArticleId, IssueId, PhotoId};
use domain::publication::MOST_PAGES;
use press::media::MediaFormat;
use serde::{Deserialize, Serialize};

use super::search;
use crate::open::Rights;
use crate::sound::Sound;

/// An article in an issue.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Article {
    pub id: ArticleId,
    /// Its part of public addresses.
    pub number: i64,
    /// From 1.
    #[serde(default)]
    pub page: usize,
    pub position: i64,
    /// Whether its maker has not looked at it yet: readers don't see it.
    pub is_proposed: bool,
    /// 引题.
    pub kicker: String,
    pub title: String,
    /// 副题.
    pub subtitle: String,
    pub author: String,
    pub text: String,
    pub areas: Vec<Place>,
    pub photos: Vec<ArticlePhoto>,
    /// It read aloud; a file, which no step of its page touches.
    #[serde(skip)]
    pub sound: Option<Sound>,
    /// What its maker has to look at since the page was replaced; readers see it as it was.
    #[serde(default)]
    pub doubt: Option<Doubt>,
    /// 下转: the article of another page that it goes on with.
    #[serde(default)]
    pub goes_on: Option<ArticleId>,
    #[serde(default)]
    pub updated_at: i64,
}

/// What the page that took the place of an article's has of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doubt {
    /// Other words, these.
    Changed(Found),
    /// Nothing.
    Gone,
}

/// The words of an article as they were read off a page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Found {
    pub kicker: String,
    pub title: String,
    pub subtitle: String,
    pub author: String,
    pub text: String,
}

impl Doubt {
    fn code(&self) -> &'static str {
        match self {
            Self::Changed(_) => "changed",
            Self::Gone => "gone",
        }
    }

    /// What stands in the columns `doubt` and `found`.
    fn columns(doubt: Option<&Self>) -> Result<(Option<&'static str>, Option<String>), Error> {
        let found = match doubt {
            Some(Self::Changed(found)) => Some(serde_json::to_string(found)?),
            _ => None,
        };
        Ok((doubt.map(Self::code), found))
    }

    fn read(code: &str, found: Option<&str>) -> Result<Self, Error> {
        match code {
            "changed" => Ok(Self::Changed(match found {
                Some(text) => db::json("found", text)?,
                None => Found::default(),
            })),
            "gone" => Ok(Self::Gone),
            other => Err(Error::internal(format!("{other} is no doubt"))),
        }
    }
}

/// A photo that stands in an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticlePhoto {
    pub photo: PhotoId,
    #[serde(default)]
    pub caption: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    number: i64,
    page: i64,
    position: i64,
    is_proposed: i64,
    kicker: String,
    title: String,
    subtitle: String,
    author: String,
    text: String,
    areas: String,
    photos: String,
    sound: Option<String>,
    sound_format: Option<String>,
    sound_name: Option<String>,
    sound_bytes: Option<i64>,
    doubt: Option<String>,
    found: Option<String>,
    goes_on: Option<String>,
    updated_at: i64,
}

impl TryFrom<Row> for Article {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            number: row.number,
            page: usize::try_from(row.page).map_err(Error::internal)?,
            position: row.position,
            is_proposed: row.is_proposed == 1,
            kicker: row.kicker,
            title: row.title,
            subtitle: row.subtitle,
            author: row.author,
            text: row.text,
            areas: db::json("areas", &row.areas)?,
            photos: db::json("photos", &row.photos)?,
            sound: row
                .sound
                .map(|sha256| sound(sha256, row.sound_format, row.sound_name, row.sound_bytes))
                .transpose()?,
            doubt: row.doubt.map(|code| Doubt::read(&code, row.found.as_deref())).transpose()?,
            goes_on: row.goes_on.map(ArticleId::try_from).transpose().map_err(Error::internal)?,
            updated_at: row.updated_at,
        })
    }
}

/// The file of a row that has one.
fn sound(
    sha256: String,
    format: Option<String>,
    name: Option<String>,
    bytes: Option<i64>,
) -> Result<Sound, Error> {
    let format = format.and_then(|format| MediaFormat::of_extension(&format));
    Ok(Sound {
        sha256,
        format: format.ok_or_else(|| Error::internal("no such format"))?,
        file_name: name.unwrap_or_default(),
        bytes: u64::try_from(bytes.unwrap_or(0)).unwrap_or(0),
    })
}

const COLUMNS: &str = "id, number, page, position, is_proposed, kicker, title, subtitle, author, text, areas, photos, sound, \
                       sound_format, sound_name, sound_bytes, doubt, found, goes_on, updated_at";
/// The same without texts, which are long.
const HEADLINES: &str = "id, number, page, position, is_proposed, kicker, title, subtitle, author, '' as text, areas, '[]' as photos, \
                         sound, sound_format, sound_name, sound_bytes, doubt, null as found, goes_on, updated_at";

/// The headlines of an issue that readers see, in their order; or all of them for its maker.
pub async fn headlines(db: &Db, issue: &IssueId, with_proposals: bool) -> Result<Vec<Article>, Error> {
    let sql = sql!(
        "select {HEADLINES} from articles where issue_id = $1 and (is_proposed = 0 or $2 = 1)
         order by page, position, number"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(issue.as_str())
        .bind(i64::from(with_proposals))
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Article::try_from).collect()
}

/// The articles of an issue that readers see, in their order; without texts and photos where their pages are closed to them.
pub async fn open_to(db: &Db, issue: &IssueId, rights: Rights) -> Result<Vec<Article>, Error> {
    let sql = sql!(
        "select {COLUMNS} from articles where issue_id = $1 and is_proposed = 0 and page <= $2
         order by page, position, number"
    );
    let last = i64::try_from(rights.of(MOST_PAGES)).map_err(Error::internal)?;
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(issue.as_str())
        .bind(last)
        .fetch_all(pool)
        .await)?;
    let mut open = rows.into_iter().map(Article::try_from).collect::<Result<Vec<_>, _>>()?;
    if rights != Rights::Whole {
        let all = headlines(db, issue, false).await?;
        open.extend(all.into_iter().filter(|article| !rights.opens(article.page)));
    }
    Ok(open)
}

/// One that readers see, by its number.
pub async fn at(db: &Db, issue: &IssueId, number: i64) -> Result<Article, Error> {
    let sql = sql!("select {COLUMNS} from articles where issue_id = $1 and number = $2 and is_proposed = 0");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(issue.as_str())
        .bind(number)
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of an issue, by its id.
pub async fn find(db: &Db, issue: &IssueId, id: &ArticleId) -> Result<Option<Article>, Error> {
    let sql = sql!("select {COLUMNS} from articles where issue_id = $1 and id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(issue.as_str())
        .bind(id.as_str())
        .fetch_optional(pool)
        .await)?;
    row.map(Article::try_from).transpose()
}

/// How many there are.
pub async fn count(tx: &mut Tx, issue: &IssueId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from articles where issue_id = $1")
        .bind(issue.as_str())
        .fetch_one(conn)
        .await)?)
}

/// The first of so many numbers that no article of an issue ever had: links and 更正 name them.
pub async fn take_numbers(tx: &mut Tx, issue: &IssueId, many: i64) -> Result<i64, Error> {
    if many == 0 {
        return Ok(0);
    }
    let last: i64 = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "update issues set article_number = $2 + (select case when coalesce(max(a.number), 0) > issues.article_number
             then max(a.number) else issues.article_number end from articles a where a.issue_id = $1)
         where id = $1 returning article_number"
    )
    .bind(issue.as_str())
    .bind(many)
    .fetch_one(conn)
    .await
    })?;
    Ok(last - many + 1)
}

/// Keeps an article, a new one or in the place of what it was: number, page and sound stay. False where the id is another issue's.
pub async fn keep(tx: &mut Tx, issue: &IssueId, article: &Article) -> Result<bool, Error> {
    let (doubt, found) = Doubt::columns(article.doubt.as_ref())?;
    let kept = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into articles (id, issue_id, number, page, position, is_proposed, kicker, title, subtitle, author, text,
            areas, photos, updated_at, doubt, found, goes_on)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         on conflict (id) do update set position = excluded.position, is_proposed = excluded.is_proposed,
            kicker = excluded.kicker, title = excluded.title, subtitle = excluded.subtitle, author = excluded.author,
            text = excluded.text, areas = excluded.areas, photos = excluded.photos, updated_at = excluded.updated_at,
            doubt = excluded.doubt, found = excluded.found, goes_on = excluded.goes_on
         where articles.issue_id = excluded.issue_id",
    )
    .bind(article.id.as_str())
    .bind(issue.as_str())
    .bind(article.number)
    .bind(i64::try_from(article.page).map_err(Error::internal)?)
    .bind(article.position)
    .bind(i64::from(article.is_proposed))
    .bind(&article.kicker)
    .bind(&article.title)
    .bind(&article.subtitle)
    .bind(&article.author)
    .bind(&article.text)
    .bind(serde_json::to_string(&article.areas)?)
    .bind(serde_json::to_string(&article.photos)?)
    .bind(article.updated_at)
    .bind(doubt)
    .bind(found)
    .bind(article.goes_on.as_ref().map(ArticleId::as_str))
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    search::leave(tx, issue, i64::try_from(article.page).map_err(Error::internal)?).await?;
    Ok(kept == 1)
}

/// The articles of a page as they are, to be compared with the page that takes its place.
pub async fn of_page(tx: &mut Tx, issue: &IssueId, page: usize) -> Result<Vec<Article>, Error> {
    let sql =
        sql!("select {COLUMNS} from articles where issue_id = $1 and page = $2 order by position, number");
    let page = i64::try_from(page).map_err(Error::internal)?;
    let rows: Vec<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(issue.as_str())
        .bind(page)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Article::try_from).collect()
}

/// The ids of all articles of an issue.
pub async fn ids(tx: &mut Tx, issue: &IssueId) -> Result<HashSet<ArticleId>, Error> {
    let ids: Vec<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select id from articles where issue_id = $1")
            .bind(issue.as_str())
            .fetch_all(conn)
            .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// An issue's proposals, in their order.
pub async fn proposed(tx: &mut Tx, issue: &IssueId) -> Result<Vec<Article>, Error> {
    let sql = sql!(
        "select {COLUMNS} from articles where issue_id = $1 and is_proposed = 1 order by page, position, number"
    );
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(issue.as_str()).fetch_all(conn).await)?;
    rows.into_iter().map(Article::try_from).collect()
}

/// Says where an article stands on the page that took the place of its own, and what is to be looked at.
pub async fn set_found(
    tx: &mut Tx,
    id: &ArticleId,
    areas: &[Place],
    doubt: Option<&Doubt>,
) -> Result<(), Error> {
    let (doubt, found) = Doubt::columns(doubt)?;
    with_tx!(tx, |conn| sqlx::query("update articles set areas = $2, doubt = $3, found = $4 where id = $1")
        .bind(id.as_str())
        .bind(serde_json::to_string(areas)?)
        .bind(doubt)
        .bind(found)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Before a page is read again: what nobody looked at is proposed anew.
pub async fn remove_proposed(tx: &mut Tx, issue: &IssueId, page: usize) -> Result<(), Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    with_tx!(&mut *tx, |conn| sqlx::query(
        "delete from articles where issue_id = $1 and page = $2 and is_proposed = 1"
    )
    .bind(issue.as_str())
    .bind(page)
    .execute(conn)
    .await
    .map(drop))?;
    search::leave(tx, issue, page).await
}

/// Puts an article in another place among those of its page.
pub async fn set_position(tx: &mut Tx, id: &ArticleId, position: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update articles set position = $2 where id = $1")
        .bind(id.as_str())
        .bind(position)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Takes proposals as they are: those of a page, or of all pages where it is 0.
pub async fn accept(tx: &mut Tx, issue: &IssueId, page: usize, now: i64) -> Result<(), Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    with_tx!(&mut *tx, |conn| sqlx::query(
        "update articles set is_proposed = 0, updated_at = $3
         where issue_id = $1 and is_proposed = 1 and ($2 = 0 or page = $2)"
    )
    .bind(issue.as_str())
    .bind(page)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    search::leave(tx, issue, page).await
}

/// Gives an article a file to be heard, or takes it away; the SHA-256 of the one that it had.
pub async fn set_sound(
    tx: &mut Tx,
    id: &ArticleId,
    sound: Option<&Sound>,
    now: i64,
) -> Result<Option<String>, Error> {
    let bytes = sound.map(|sound| i64::try_from(sound.bytes)).transpose().map_err(Error::internal)?;
    let before: Option<Option<String>> = with_tx!(tx, |conn| {
        // held before it is read: another program may be changing it, too
        sqlx::query("update articles set updated_at = $2 where id = $1")
            .bind(id.as_str())
            .bind(now)
            .execute(&mut *conn)
            .await?;
        let before = sqlx::query_scalar("select sound from articles where id = $1")
            .bind(id.as_str())
            .fetch_optional(&mut *conn)
            .await?;
        sqlx::query("update articles set sound = $2, sound_format = $3, sound_name = $4, sound_bytes = $5 where id = $1")
            .bind(id.as_str())
            .bind(sound.map(|sound| &*sound.sha256))
            .bind(sound.map(|sound| sound.format.extension()))
            .bind(sound.map(|sound| &*sound.file_name))
            .bind(bytes)
            .execute(&mut *conn)
            .await?;
        before
    });
    before.ok_or(Error::NotFound)
}

/// Takes an article away; one that is gone already is gone.
pub async fn remove(tx: &mut Tx, issue: &IssueId, id: &ArticleId) -> Result<(), Error> {
    let page: Option<i64> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "delete from articles where id = $1 and issue_id = $2 returning page"
    )
    .bind(id.as_str())
    .bind(issue.as_str())
    .fetch_optional(conn)
    .await)?;
    match page {
        Some(page) => search::leave(tx, issue, page).await,
        None => Ok(()),
    }
}

/// The photos of all articles of an issue.
pub async fn photos(tx: &mut Tx, issue: &IssueId) -> Result<Vec<PhotoId>, Error> {
    let lists: Vec<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select photos from articles where issue_id = $1")
            .bind(issue.as_str())
            .fetch_all(conn)
            .await)?;
    let mut all = Vec::new();
    for list in lists {
        let photos: Vec<ArticlePhoto> = db::json("photos", &list)?;
        all.extend(photos.into_iter().map(|photo| photo.photo));
    }
    Ok(all)
}

/// The numbers of articles that search engines may have, of published issues: the issue, the number, the last change.
pub async fn listed(db: &Db, most: i64) -> Result<Vec<(String, i64, i64)>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select a.issue_id, a.number, a.updated_at from articles a join issues i on i.id = a.issue_id
         where i.state = 'published' and a.is_proposed = 0 and not exists (
             select 1 from articles b where b.goes_on = a.id and b.issue_id = a.issue_id and b.is_proposed = 0)
             and (select m.closed_at from members m where m.id = i.member_id) is null
         order by i.day desc, i.id desc, a.number limit $1",
    )
    .bind(most)
    .fetch_all(pool)
    .await
    })?)
}
