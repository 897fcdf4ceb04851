//! SQL of issues and their pages.

use std::collections::HashMap;

use base::db::{self, Db, Sql, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::document::{Document, Trim};
use domain::ids::{IssueId, MemberId, PublicationId};
use domain::issue_state::IssueState;
use domain::publication::{Day, Kind, Numbers};
use domain::typed::words;

use super::search;
use reader::PageLink;

/// An issue, without what its pages show.
#[derive(Debug, Clone)]
pub struct Issue {
    pub id: IssueId,
    pub publication: PublicationId,
    pub member: MemberId,
    pub day: Day,
    pub numbers: Numbers,
    /// 春节特刊; may be empty.
    pub name: String,
    pub state: IssueState,
    pub scheduled_at: Option<i64>,
    pub published_at: Option<i64>,
    /// Why the house withdrew it, where it did.
    pub withdrawn_reason: Option<String>,
    pub trim: Trim,
    pub pages: usize,
    pub picture_key: String,
    /// How often its pages were replaced.
    pub edition: i64,
    /// Of what its forms are filled in over.
    pub revision: i64,
    pub updated_at: i64,
}

impl Issue {
    /// What readers call it: 第 12 期, with its own name where it has one.
    pub fn title(&self) -> String {
        let number = format!("第 {} 期", self.numbers.number);
        if self.name.is_empty() { number } else { format!("{number} {}", self.name) }
    }

    /// Its part of addresses.
    pub fn key(&self, kind: Kind) -> String {
        match kind {
            Kind::Epaper => self.day.to_string(),
            Kind::Magazine => self.numbers.total.to_string(),
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    publication_id: String,
    member_id: String,
    day: String,
    number: i64,
    total: i64,
    name: String,
    state: String,
    scheduled_at: Option<i64>,
    published_at: Option<i64>,
    withdrawn_reason: Option<String>,
    width: f64,
    height: f64,
    pages: i64,
    picture_key: String,
    edition: i64,
    revision: i64,
    updated_at: i64,
}

impl TryFrom<Row> for Issue {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            publication: row.publication_id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            day: row.day.parse().map_err(Error::internal)?,
            numbers: Numbers { number: row.number, total: row.total },
            name: row.name,
            state: row.state.parse().map_err(Error::internal)?,
            scheduled_at: row.scheduled_at,
            published_at: row.published_at,
            withdrawn_reason: row.withdrawn_reason,
            trim: Trim { width: row.width, height: row.height },
            pages: usize::try_from(row.pages).map_err(Error::internal)?,
            picture_key: row.picture_key,
            edition: row.edition,
            revision: row.revision,
            updated_at: row.updated_at,
        })
    }
}

const COLUMNS: &str = "id, publication_id, member_id, day, number, total, name, state, scheduled_at, published_at, \
                       withdrawn_reason, width, height, pages, picture_key, edition, revision, updated_at";

async fn rows(
    db: &Db,
    sql: Sql,
    publication: &PublicationId,
    text: &str,
    most: i64,
) -> Result<Vec<Issue>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(publication.as_str())
        .bind(text)
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Issue::try_from).collect()
}

/// One of a member's own, of a kind.
pub async fn find_for_owner(db: &Db, id: &IssueId, member: &MemberId, kind: Kind) -> Result<Issue, Error> {
    let sql = sql!(
        "select {COLUMNS} from issues where id = $1 and member_id = $2
           and publication_id in (select id from publications where kind = $3)"
    );
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .bind(kind.code())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// What a closed account publishes is nothing to anybody, from that moment on.
const STANDS: &str = "(select m.closed_at from members m where m.id = issues.member_id) is null";

/// Any one.
pub async fn find(db: &Db, id: &IssueId) -> Result<Issue, Error> {
    let sql = sql!("select {COLUMNS} from issues where id = $1 and {STANDS}");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Those of some ids, in no order.
pub async fn of_ids(db: &Db, ids: &[IssueId]) -> Result<Vec<Issue>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!("select {COLUMNS} from issues where id in ([?]) and {STANDS}").repeated(ids.len());
    let rows: Vec<Row> = with_db!(db, |pool| {
        ids.iter().fold(sqlx::query_as(sql.text()), |query, id| query.bind(id.as_str())).fetch_all(pool).await
    })?;
    rows.into_iter().map(Issue::try_from).collect()
}

/// The one that an address names, in whatever state: a day of a newspaper, a total number of a magazine.
pub async fn at(db: &Db, publication: &PublicationId, kind: Kind, key: &str) -> Result<Option<Issue>, Error> {
    // of several of a day the one that readers see; what is withdrawn says so, and a draft is nothing
    const FIRST: &str =
        "case state when 'published' then 0 when 'withdrawn' then 1 else 2 end, total desc limit $3";
    let sql = match kind {
        Kind::Epaper => {
            sql!("select {COLUMNS} from issues where publication_id = $1 and day = $2 order by {FIRST}")
        }
        Kind::Magazine => sql!(
            "select {COLUMNS} from issues where publication_id = $1 and cast(total as text) = $2 order by {FIRST}"
        ),
    };
    Ok(rows(db, sql, publication, key, 1).await?.pop())
}

/// The first one of a day, in whatever state.
pub async fn on_day(db: &Db, publication: &PublicationId, day: Day) -> Result<Option<Issue>, Error> {
    let sql =
        sql!("select {COLUMNS} from issues where publication_id = $1 and day = $2 order by total limit $3");
    Ok(rows(db, sql, publication, &day.to_string(), 1).await?.pop())
}

/// A publication's published issues, the newest first.
pub async fn published(db: &Db, publication: &PublicationId, most: i64) -> Result<Vec<Issue>, Error> {
    let sql = sql!(
        "select {COLUMNS} from issues where publication_id = $1 and state = 'published' and $2 = ''
         order by day desc, total desc limit $3"
    );
    rows(db, sql, publication, "", most).await
}

/// How many published issues there are, or how many of a year, `2026`.
pub async fn count_in(db: &Db, publication: &PublicationId, year: &str) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from issues where publication_id = $1 and state = 'published'
           and ($2 = '' or day like $2 || '-%')"
    )
    .bind(publication.as_str())
    .bind(year)
    .fetch_one(pool)
    .await)?)
}

/// Some of them, the newest first, after so many and at most so many.
pub async fn page_of(
    db: &Db,
    publication: &PublicationId,
    year: &str,
    (after, most): (i64, i64),
) -> Result<Vec<Issue>, Error> {
    let sql = sql!(
        "select {COLUMNS} from issues where publication_id = $1 and state = 'published'
           and ($2 = '' or day like $2 || '-%') order by day desc, total desc limit $3 offset $4"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(publication.as_str())
        .bind(year)
        .bind(most)
        .bind(after)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Issue::try_from).collect()
}

/// When what readers see of a publication's issues was changed last, epoch ms: of each, and of all that ever came out. That one
/// was withdrawn is a change, too.
pub struct Changes {
    pub of_all: i64,
    of_each: HashMap<String, i64>,
}

impl Changes {
    /// Of one.
    pub fn of(&self, issue: &Issue) -> i64 {
        self.of_each.get(issue.id.as_str()).copied().unwrap_or(0).max(issue.updated_at)
    }
}

/// See [`Changes`].
pub async fn changes(db: &Db, publication: &PublicationId) -> Result<Changes, Error> {
    let rows: Vec<(String, i64, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select i.id, i.updated_at, cast(coalesce(max(a.updated_at), 0) as bigint) from issues i
         left join articles a on a.issue_id = i.id and a.is_proposed = 0
         where i.publication_id = $1 and i.state in ('published', 'withdrawn') group by i.id, i.updated_at"
    )
    .bind(publication.as_str())
    .fetch_all(pool)
    .await)?;
    let of_each: HashMap<String, i64> =
        rows.into_iter().map(|(id, issue, articles)| (id, issue.max(articles))).collect();
    Ok(Changes { of_all: of_each.values().copied().max().unwrap_or(0), of_each })
}

/// The published issues of a month, `2026-11`, or of a year, in their order.
pub async fn published_in(db: &Db, publication: &PublicationId, time: &str) -> Result<Vec<Issue>, Error> {
    let sql = sql!(
        "select {COLUMNS} from issues where publication_id = $1 and state = 'published' and day like $2 || '-%'
         order by day, total limit $3"
    );
    rows(db, sql, publication, time, 400).await
}

/// The published issues before and after a day: the nearest of each.
pub async fn beside(
    db: &Db,
    publication: &PublicationId,
    (day, total): (Day, i64),
) -> Result<(Option<Issue>, Option<Issue>), Error> {
    let at = day.to_string();
    let before = sql!(
        "select {COLUMNS} from issues where publication_id = $1 and state = 'published'
           and (day < $2 or (day = $2 and total < $3)) order by day desc, total desc limit 1"
    );
    let after = sql!(
        "select {COLUMNS} from issues where publication_id = $1 and state = 'published'
           and (day > $2 or (day = $2 and total > $3)) order by day, total limit 1"
    );
    let before = rows(db, before, publication, &at, total).await?.pop();
    Ok((before, rows(db, after, publication, &at, total).await?.pop()))
}

/// The years in which issues came out, the newest first.
pub async fn years(db: &Db, publication: &PublicationId) -> Result<Vec<i64>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_scalar(
        "select distinct year from issues where publication_id = $1 and state = 'published' order by year desc"
    )
    .bind(publication.as_str())
    .fetch_all(pool)
    .await
    })?)
}

/// All of a publication's issues for its maker, the newest day first, from an offset on.
pub async fn of_publication(
    db: &Db,
    publication: &PublicationId,
    before: &str,
    most: i64,
) -> Result<Vec<Issue>, Error> {
    let sql = sql!(
        "select {COLUMNS} from issues where publication_id = $1 and ($2 = '' or day < $2)
         order by day desc, total desc limit $3"
    );
    rows(db, sql, publication, before, most).await
}

/// What its issues are counted by, with their days.
pub async fn numbers(
    tx: &mut Tx,
    publication: &PublicationId,
) -> Result<Vec<(IssueId, Day, Numbers)>, Error> {
    let rows: Vec<(String, String, i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select id, day, number, total from issues where publication_id = $1"
    )
    .bind(publication.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter()
        .map(|(id, day, number, total)| {
            let (id, day) = (id.try_into().map_err(Error::internal)?, day.parse().map_err(Error::internal)?);
            Ok((id, day, Numbers { number, total }))
        })
        .collect()
}

/// Writes a new draft with its pages; false where the same form made it before.
pub async fn insert(
    tx: &mut Tx,
    issue: &Issue,
    document: &Document,
    names: &[String],
) -> Result<bool, Error> {
    let text = serde_json::to_string(document)?;
    let written = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into issues (id, publication_id, member_id, day, year, number, total, name, state, document, width, height,
            pages, picture_key, created_at, updated_at, published_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16) on conflict (id) do nothing",
    )
    .bind(issue.id.as_str())
    .bind(issue.publication.as_str())
    .bind(issue.member.as_str())
    .bind(issue.day.to_string())
    .bind(i64::from(issue.day.year()))
    .bind(issue.numbers.number)
    .bind(issue.numbers.total)
    .bind(&issue.name)
    .bind(issue.state.code())
    .bind(text)
    .bind(issue.trim.width)
    .bind(issue.trim.height)
    .bind(i64::try_from(issue.pages).map_err(Error::internal)?)
    .bind(&issue.picture_key)
    .bind(issue.updated_at)
    .bind(issue.published_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if written == 0 {
        return Ok(false);
    }
    for (page, name) in (1i64..).zip(names) {
        with_tx!(tx, |conn| sqlx::query(
            "insert into issue_pages (issue_id, page, name, links, letters) values ($1, $2, $3, '[]', 0)"
        )
        .bind(issue.id.as_str())
        .bind(page)
        .bind(words(name))
        .execute(conn)
        .await
        .map(drop))?;
    }
    Ok(true)
}

/// Writes what its maker says of it; false where it was changed since the revision that was seen.
pub async fn set_facts(tx: &mut Tx, issue: &Issue, now: i64) -> Result<bool, Error> {
    let written = with_tx!(&mut *tx, |conn| {
        sqlx::query(
            "update issues set day = $2, year = $3, number = $4, total = $5, name = $6, updated_at = $7,
            revision = revision + 1 where id = $1 and revision = $8",
        )
        .bind(issue.id.as_str())
        .bind(issue.day.to_string())
        .bind(i64::from(issue.day.year()))
        .bind(issue.numbers.number)
        .bind(issue.numbers.total)
        .bind(&issue.name)
        .bind(now)
        .bind(issue.revision)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    if written == 0 {
        return Ok(false);
    }
    // it is found at its day
    search::leave(tx, &issue.id, 0).await?;
    Ok(true)
}

/// Moves an issue from the state that it was seen in; false where it was moved meanwhile. A scheduled one keeps its moment,
/// one that comes out gets it, once. What the house withdrew does not come out again.
pub async fn set_state(
    tx: &mut Tx,
    id: &IssueId,
    (from, to): (IssueState, IssueState),
    scheduled_at: Option<i64>,
    now: i64,
) -> Result<bool, Error> {
    let moved = with_tx!(tx, |conn| sqlx::query(
        "update issues set state = $3, scheduled_at = $4, updated_at = $5,
            published_at = case when $3 = 'published' then coalesce(published_at, $5) else published_at end,
            withdrawn_at = case when $3 = 'withdrawn' then $5 else null end
         where id = $1 and state = $2 and withdrawn_reason is null",
    )
    .bind(id.as_str())
    .bind(from.code())
    .bind(to.code())
    .bind(scheduled_at)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(moved == 1)
}

/// The house withdraws an issue that readers see or saw; false where it did so before, for the same reason, or where none saw it.
pub async fn bar(tx: &mut Tx, id: &IssueId, reason: &str, now: i64) -> Result<bool, Error> {
    let barred = with_tx!(tx, |conn| {
        sqlx::query(
        "update issues set state = 'withdrawn', withdrawn_at = coalesce(withdrawn_at, $3), withdrawn_reason = $2,
            updated_at = $3
         where id = $1 and state in ('published', 'withdrawn') and coalesce(withdrawn_reason, '') <> $2",
    )
    .bind(id.as_str())
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(barred == 1)
}

/// Takes that back: its maker may publish it again; false where the house had not withdrawn it.
pub async fn allow(tx: &mut Tx, id: &IssueId, now: i64) -> Result<bool, Error> {
    let allowed = with_tx!(tx, |conn| sqlx::query(
        "update issues set withdrawn_reason = null, updated_at = $2
         where id = $1 and withdrawn_reason is not null",
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(allowed == 1)
}

/// Whether readers see an issue, as part of a transaction.
pub async fn is_out(tx: &mut Tx, id: &str) -> Result<bool, Error> {
    let count: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from issues where id = $1 and state = 'published'"
    )
    .bind(id)
    .fetch_one(conn)
    .await)?;
    Ok(count > 0)
}

/// Brings a scheduled issue out whose moment has come, and answers whose it is; `None` for one that was moved, or came out already.
pub async fn come_out(tx: &mut Tx, id: &IssueId, at: i64, now: i64) -> Result<Option<MemberId>, Error> {
    let maker: Option<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "update issues set state = 'published', published_at = coalesce(published_at, $3), updated_at = $3
         where id = $1 and state = 'scheduled' and scheduled_at = $2 returning member_id",
    )
    .bind(id.as_str())
    .bind(at)
    .bind(now)
    .fetch_optional(conn)
    .await
    })?;
    maker.map(|maker| maker.try_into().map_err(Error::internal)).transpose()
}

/// Something of it changed that readers see.
pub async fn touch(tx: &mut Tx, id: &IssueId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update issues set updated_at = $2 where id = $1")
        .bind(id.as_str())
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Deletes an issue that readers don't see, with all that belongs to it; false where they do. One that they saw goes only at the
/// revision that its maker saw.
pub async fn remove(tx: &mut Tx, id: &IssueId, revision: i64) -> Result<bool, Error> {
    let removed = with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "delete from issues where id = $1 and (state in ('draft', 'scheduled') or (state = 'withdrawn' and revision = $2))"
    )
    .bind(id.as_str())
    .bind(revision)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if removed == 1 {
        with_tx!(tx, |conn| sqlx::query("delete from given_articles where issue_id = $1")
            .bind(id.as_str())
            .execute(conn)
            .await
            .map(drop))?;
    }
    Ok(removed == 1)
}

/// A member's issues that readers see or saw, the newest first.
pub async fn public_of_member(db: &Db, member: &MemberId, most: i64) -> Result<Vec<Issue>, Error> {
    let sql = sql!(
        "select {COLUMNS} from issues where member_id = $1 and state in ('published', 'withdrawn')
         order by day desc, id desc limit $2"
    );
    let rows: Vec<Row> = with_db!(db, |pool| {
        sqlx::query_as(sql.text()).bind(member.as_str()).bind(most).fetch_all(pool).await
    })?;
    rows.into_iter().map(Issue::try_from).collect()
}

/// What its pages show.
pub async fn document(db: &Db, id: &IssueId) -> Result<Document, Error> {
    let text: String = with_db!(db, |pool| sqlx::query_scalar("select document from issues where id = $1")
        .bind(id.as_str())
        .fetch_one(pool)
        .await)?;
    Ok(db::json("document", &text)?)
}

/// Issues that are forgotten at once.
const ISSUES: i64 = 10;

/// Forgets some of a member's issues, with all that belongs to them; whether there may be more. What they showed is looked at by the
/// jobs that go over all of its photos and PDFs.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let issues: Vec<String> =
        with_tx!(&mut *tx, |conn| sqlx::query_scalar("select id from issues where member_id = $1 limit $2")
            .bind(member.as_str())
            .bind(ISSUES)
            .fetch_all(conn)
            .await)?;
    let parts = [
        (
            sql!(
                "delete from issue_news where (issue_id, member_id) in (
                     select issue_id, member_id from issue_news where issue_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from given_articles where id in (select id from given_articles where issue_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from file_uses where (holder_kind, holder, kind, file, first_version) in (
                     select holder_kind, holder, kind, file, first_version from file_uses
                     where holder_kind = 'issue' and holder in ([?]) limit $1)"
            ),
            1,
        ),
        // each with all pairs of letters that its words have
        (
            sql!(
                "delete from search_entries where place in (
                     select place from search_entries where issue_id in ([?]) limit $1)"
            ),
            10,
        ),
        (
            sql!(
                "delete from search_pages where (issue_id, page) in (
                     select issue_id, page from search_pages where issue_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from issue_words where (issue_id, page) in (
                     select issue_id, page from issue_words where issue_id in ([?]) limit $1)"
            ),
            10,
        ),
        (
            sql!(
                "delete from page_steps where (issue_id, page, revision) in (
                     select issue_id, page, revision from page_steps where issue_id in ([?]) limit $1)"
            ),
            5,
        ),
        (
            sql!(
                "delete from corrections where id in (select id from corrections where issue_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from articles where id in (select id from articles where issue_id in ([?]) limit $1)"
            ),
            5,
        ),
        (
            sql!(
                "delete from issue_pages where (issue_id, page) in (
                     select issue_id, page from issue_pages where issue_id in ([?]) limit $1)"
            ),
            1,
        ),
        (sql!("delete from issues where id in (select id from issues where id in ([?]) limit $1)"), 50),
    ];
    Ok(forgetting::some_of(tx, &parts, &issues).await? || issues.len() as i64 == ISSUES)
}

/// A page 版.
#[derive(Debug, Clone)]
pub struct IssuePage {
    /// From 1.
    pub page: usize,
    pub name: String,
    pub links: Vec<PageLink>,
    pub read_at: Option<i64>,
    /// Characters that were read.
    pub letters: i64,
    /// Of what the page's forms are filled in over.
    pub revision: i64,
}

/// The pages of an issue, in their order.
pub async fn pages(db: &Db, id: &IssueId) -> Result<Vec<IssuePage>, Error> {
    let rows: Vec<(i64, String, String, Option<i64>, i64, i64)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select page, name, links, read_at, letters, revision from issue_pages where issue_id = $1 order by page"
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await
    })?;
    rows.into_iter()
        .map(|(page, name, links, read_at, letters, revision)| {
            let page = usize::try_from(page).map_err(Error::internal)?;
            Ok(IssuePage { page, name, links: db::json("links", &links)?, read_at, letters, revision })
        })
        .collect()
}

/// Names a page.
pub async fn set_page_name(tx: &mut Tx, id: &IssueId, page: usize, name: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update issue_pages set name = $3 where issue_id = $1 and page = $2")
        .bind(id.as_str())
        .bind(i64::try_from(page).map_err(Error::internal)?)
        .bind(name)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes that a page of an edition was read; false where it was before, or was replaced meanwhile.
pub async fn set_read(
    tx: &mut Tx,
    (id, edition): (&IssueId, i64),
    page: usize,
    links: &[PageLink],
    letters: i64,
    now: i64,
) -> Result<bool, Error> {
    let noted = with_tx!(tx, |conn| sqlx::query(
        "update issue_pages set links = $3, letters = $4, read_at = $5, revision = revision + 1
         where issue_id = $1 and page = $2 and read_at is null
           and exists (select 1 from issues where id = $1 and edition = $6)",
    )
    .bind(id.as_str())
    .bind(i64::try_from(page).map_err(Error::internal)?)
    .bind(serde_json::to_string(links)?)
    .bind(letters)
    .bind(now)
    .bind(edition)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(noted == 1)
}

/// A published issue for search engines: kind, address, day, total, pages, last change, id.
pub type Listed = (String, String, String, i64, i64, i64, String);

/// Published issues of everybody, the newest first.
pub async fn listed(db: &Db, most: i64) -> Result<Vec<Listed>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select p.kind, p.address, i.day, i.total, i.pages, i.updated_at, i.id from issues i
         join publications p on p.id = i.publication_id
         where i.state = 'published'
             and (select m.closed_at from members m where m.id = i.member_id) is null
         order by i.day desc, i.id desc limit $1",
    )
    .bind(most)
    .fetch_all(pool)
    .await)?)
}
