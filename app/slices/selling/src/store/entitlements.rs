//! SQL of readers' rights.

use domain::ids::{EntitlementId, MemberId};
use domain::package::Span;

use super::Subject;
use platform::db::{Db, Tx, sql, with_db, with_tx};
use platform::error::Error;

/// A reader's right to something for a time.
#[derive(Debug, Clone)]
pub struct Entitlement {
    pub id: EntitlementId,
    pub member: MemberId,
    pub subject: Subject,
    pub title: String,
    pub span: Span,
    /// `sale` or `code`, and its id or digest.
    pub source: String,
    pub source_id: String,
    /// The last characters of a code.
    pub hint: Option<String>,
    pub told_at: Option<i64>,
    pub created_at: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    package_id: Option<String>,
    kind: Option<String>,
    item_id: Option<String>,
    title: String,
    starts_at: i64,
    ends_at: Option<i64>,
    source: String,
    source_id: String,
    hint: Option<String>,
    told_at: Option<i64>,
    created_at: i64,
}

impl TryFrom<Row> for Entitlement {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            subject: Subject::of(row.package_id, row.kind, row.item_id)?,
            title: row.title,
            span: Span { from: row.starts_at, until: row.ends_at },
            source: row.source,
            source_id: row.source_id,
            hint: row.hint,
            told_at: row.told_at,
            created_at: row.created_at,
        })
    }
}

const COLUMNS: &str = "id, member_id, package_id, kind, item_id, title, starts_at, ends_at, source, source_id, hint, told_at, \
                       created_at";

/// Writes a right.
pub async fn insert(tx: &mut Tx, right: &Entitlement) -> Result<(), Error> {
    let item = right.subject.item();
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into entitlements (id, member_id, package_id, kind, item_id, title, starts_at, ends_at, source,
                                   source_id, hint, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(right.id.as_str())
    .bind(right.member.as_str())
    .bind(right.subject.package())
    .bind(item.map(|(kind, _)| kind))
    .bind(item.map(|(_, id)| id))
    .bind(&right.title)
    .bind(right.span.from)
    .bind(right.span.until)
    .bind(&right.source)
    .bind(&right.source_id)
    .bind(right.hint.as_deref())
    .bind(right.created_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// The times of a reader's right to one thing, package or item itself, in a transaction that holds the reader.
pub async fn spans_of(tx: &mut Tx, member: &MemberId, subject: &Subject) -> Result<Vec<Span>, Error> {
    let rights = of_subject(tx, member, subject).await?;
    Ok(rights.into_iter().map(|right| right.span).collect())
}

/// A reader's rights to one thing, the earliest first.
pub async fn of_subject(
    tx: &mut Tx,
    member: &MemberId,
    subject: &Subject,
) -> Result<Vec<Entitlement>, Error> {
    let (kind, item) = subject.item().unzip();
    let sql = sql!(
        "select {COLUMNS} from entitlements where member_id = $1 and coalesce(package_id, '') = $2
           and coalesce(kind, '') = $3 and coalesce(item_id, '') = $4 order by starts_at, id"
    );
    let rows: Vec<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(subject.package().unwrap_or_default())
        .bind(kind.unwrap_or_default())
        .bind(item.unwrap_or_default())
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Entitlement::try_from).collect()
}

/// The times in which a reader may read an item: its own, and those of packages that hold it or held it when they were got.
pub async fn spans_of_item(db: &Db, member: &MemberId, kind: &str, item: &str) -> Result<Vec<Span>, Error> {
    let rows: Vec<(i64, Option<i64>)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select e.starts_at, e.ends_at from entitlements e
         where e.member_id = $1 and (e.kind = $2 and e.item_id = $3 or exists (
             select 1 from package_contents c where c.package_id = e.package_id and c.kind = $2 and c.item_id = $3
                 and (c.removed_at is null or c.removed_at > e.created_at)))",
    )
    .bind(member.as_str())
    .bind(kind)
    .bind(item)
    .fetch_all(pool)
    .await
    })?;
    Ok(rows.into_iter().map(|(from, until)| Span { from, until }).collect())
}

/// Readers who may read an item at a moment, by their ids.
pub async fn readers_of_item(db: &Db, kind: &str, item: &str, moment: i64) -> Result<Vec<MemberId>, Error> {
    let readers: Vec<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select distinct e.member_id from entitlements e
         where e.starts_at <= $3 and (e.ends_at is null or e.ends_at > $3) and (e.kind = $1 and e.item_id = $2 or exists (
             select 1 from package_contents c where c.package_id = e.package_id and c.kind = $1 and c.item_id = $2
                 and (c.removed_at is null or c.removed_at > e.created_at)))
         order by e.member_id",
    )
    .bind(kind)
    .bind(item)
    .bind(moment)
    .fetch_all(pool)
    .await
    })?;
    readers.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// A reader's rights, the newest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Entitlement>, Error> {
    let sql = sql!("select {COLUMNS} from entitlements where member_id = $1 order by id desc limit 1000");
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Entitlement::try_from).collect()
}

/// The right that came of something, such as a sale.
pub async fn of_source(tx: &mut Tx, source: &str, id: &str) -> Result<Option<Entitlement>, Error> {
    let sql = sql!("select {COLUMNS} from entitlements where source = $1 and source_id = $2");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(source).bind(id).fetch_optional(conn).await)?;
    row.map(Entitlement::try_from).transpose()
}

/// One, which may be gone.
pub async fn find(tx: &mut Tx, id: &EntitlementId) -> Result<Option<Entitlement>, Error> {
    let sql = sql!("select {COLUMNS} from entitlements where id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.map(Entitlement::try_from).transpose()
}

/// Puts a right at another time.
pub async fn set_span(tx: &mut Tx, id: &EntitlementId, span: Span) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update entitlements set starts_at = $2, ends_at = $3 where id = $1")
        .bind(id.as_str())
        .bind(span.from)
        .bind(span.until)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes that the reader was told of the end; false when it was told before.
pub async fn set_told(tx: &mut Tx, id: &EntitlementId, now: i64) -> Result<bool, Error> {
    let set = with_tx!(tx, |conn| sqlx::query(
        "update entitlements set told_at = $2 where id = $1 and told_at is null"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(set == 1)
}
