//! SQL of readers' rights.

use std::collections::HashMap;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{EntitlementId, MemberId, PackageId};
use domain::package::{Span, in_turn, in_turn_each, runs_until};

use super::Subject;

/// A reader's right to something for a time.
#[derive(Debug, Clone)]
pub struct Entitlement {
    pub id: EntitlementId,
    pub member: MemberId,
    pub subject: Subject,
    pub title: String,
    pub span: Span,
    /// `sale`, `code` or `trial`, and its id or digest.
    pub source: String,
    pub source_id: String,
    /// The last characters of a code.
    pub hint: Option<String>,
    pub told_at: Option<i64>,
    /// It opens what its package held then.
    pub created_at: i64,
    /// When its reader got it, which is later where it is a gift.
    pub granted_at: i64,
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
    granted_at: i64,
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
            granted_at: row.granted_at,
        })
    }
}

const COLUMNS: &str = "id, member_id, package_id, kind, item_id, title, starts_at, ends_at, source, source_id, hint, told_at, \
                       created_at, granted_at";

/// Writes a right.
pub async fn insert(tx: &mut Tx, right: &Entitlement) -> Result<(), Error> {
    let item = right.subject.item();
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into entitlements (id, member_id, package_id, kind, item_id, title, starts_at, ends_at, source,
                                   source_id, hint, created_at, granted_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
    .bind(right.granted_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Whether a right `e` opens the item of the kind `$1` and the id `$2`: it is one to it, or to a package that holds it or held
/// it when it was got. A package without anything in it is an item itself.
const OPENS: &str = "(e.kind = $1 and e.item_id = $2 or $1 = 'package' and e.package_id = $2 or exists (
             select 1 from package_contents c where c.package_id = e.package_id and c.kind = $1 and c.item_id = $2
                 and (c.removed_at is null or c.removed_at > e.created_at)))";

/// When the rights of the reader `$3` run.
const SPANS: &str = "select e.starts_at, e.ends_at from entitlements e where e.member_id = $3";

/// A reader's rights to an item, by themselves and through packages, as they are used one after the other.
pub async fn spans_of_item(db: &Db, member: &MemberId, kind: &str, item: &str) -> Result<Vec<Span>, Error> {
    let sql = sql!("{SPANS} and {OPENS}");
    let rows: Vec<(i64, Option<i64>)> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(kind)
        .bind(item)
        .bind(member.as_str())
        .fetch_all(pool)
        .await)?;
    Ok(in_turn(&spans(rows)))
}

/// The same without what was tried free, which yet has its turn.
pub async fn bought_spans_of_item(
    db: &Db,
    member: &MemberId,
    kind: &str,
    item: &str,
) -> Result<Vec<Span>, Error> {
    let sql = sql!(
        "select e.starts_at, e.ends_at, e.source from entitlements e where e.member_id = $3 and {OPENS}"
    );
    let rows: Vec<(i64, Option<i64>, String)> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(kind)
        .bind(item)
        .bind(member.as_str())
        .fetch_all(pool)
        .await)?;
    let rights = rows.into_iter().map(|(from, until, source)| (Span { from, until }, source != TRIAL));
    let turns = in_turn_each(rights.collect());
    Ok(turns.into_iter().filter_map(|(span, is_bought)| is_bought.then_some(span)).collect())
}

/// The source of what is tried free.
pub const TRIAL: &str = "trial";

fn spans(rows: Vec<(i64, Option<i64>)>) -> Vec<Span> {
    rows.into_iter().map(|(from, until)| Span { from, until }).collect()
}

/// What is opened by something that was bought at a moment, or is from now on where that is the end of time, by kind and id.
pub async fn opened_by(tx: &mut Tx, subject: &Subject, since: i64) -> Result<Vec<(String, String)>, Error> {
    let package = match subject {
        Subject::Item { kind, id } => return Ok(vec![(kind.clone(), id.clone())]),
        Subject::Package(id) => id,
    };
    let mut contents: Vec<(String, String)> = with_tx!(tx, |conn| sqlx::query_as(
        "select distinct kind, item_id from package_contents
         where package_id = $1 and (removed_at is null or removed_at > $2)"
    )
    .bind(package.as_str())
    .bind(since)
    .fetch_all(conn)
    .await)?;
    if contents.is_empty() {
        contents.push((PACKAGE.to_owned(), package.to_string()));
    }
    Ok(contents)
}

/// The word for a package among items.
const PACKAGE: &str = "package";

/// A reader's rights to each thing that a package holds, or to the one that is bought, in a transaction that holds the
/// reader.
pub async fn spans_of_each(
    tx: &mut Tx,
    member: &MemberId,
    subject: &Subject,
    since: i64,
) -> Result<Vec<Vec<Span>>, Error> {
    let sql = sql!("{SPANS} and {OPENS}");
    let mut each = Vec::new();
    for (kind, item) in opened_by(tx, subject, since).await? {
        let rows = with_tx!(&mut *tx, |conn| sqlx::query_as(sql.text())
            .bind(&kind)
            .bind(&item)
            .bind(member.as_str())
            .fetch_all(conn)
            .await)?;
        each.push(spans(rows));
    }
    Ok(each)
}

/// A right with what it opens, by kind and id.
#[derive(Debug, Clone)]
pub struct Opening {
    pub right: Entitlement,
    pub items: Vec<(String, String)>,
}

/// All rights of a reader, in the order in which they were got.
pub async fn openings(tx: &mut Tx, member: &MemberId) -> Result<Vec<Opening>, Error> {
    let sql = sql!("select {COLUMNS} from entitlements where member_id = $1 order by granted_at, id");
    let rows: Vec<Row> =
        with_tx!(&mut *tx, |conn| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(conn).await)?;
    let held: Vec<(String, String, String)> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "select distinct e.id, c.kind, c.item_id from entitlements e join package_contents c on c.package_id = e.package_id
         where e.member_id = $1 and (c.removed_at is null or c.removed_at > e.created_at)"
    )
    .bind(member.as_str())
    .fetch_all(conn)
    .await
    })?;
    let mut by_right: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for (right, kind, item) in held {
        by_right.entry(right).or_default().push((kind, item));
    }
    let opening = |row| {
        let right = Entitlement::try_from(row)?;
        let items = match &right.subject {
            Subject::Item { kind, id } => vec![(kind.clone(), id.clone())],
            Subject::Package(id) => {
                let held = by_right.remove(right.id.as_str());
                held.unwrap_or_else(|| vec![(PACKAGE.to_owned(), id.to_string())])
            }
        };
        Ok(Opening { right, items })
    };
    rows.into_iter().map(opening).collect()
}

/// Every reader's rights to an item, reader by reader.
async fn rights_to(db: &Db, kind: &str, item: &str) -> Result<Vec<(String, Vec<Span>)>, Error> {
    // each way to it by its own index: together they would be looked for in everybody's
    let sql = sql!(
        "select member_id, starts_at, ends_at from entitlements where id in (
             select id from entitlements where kind = $1 and item_id = $2
             union select id from entitlements where $1 = 'package' and package_id = $2
             union select e.id from package_contents c join entitlements e on e.package_id = c.package_id
                 where c.kind = $1 and c.item_id = $2 and (c.removed_at is null or c.removed_at > e.created_at))
         order by member_id"
    );
    let rows: Vec<(String, i64, Option<i64>)> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(kind).bind(item).fetch_all(pool).await)?;
    let of_one = |rows: &[(String, i64, Option<i64>)]| {
        let rights = rows.iter().map(|(_, from, until)| Span { from: *from, until: *until });
        (rows[0].0.clone(), in_turn(&rights.collect::<Vec<_>>()))
    };
    Ok(rows.chunk_by(|(one, ..), (other, ..)| one == other).map(of_one).collect())
}

/// Readers who may read an item at a moment, by their ids.
pub async fn readers_of_item(db: &Db, kind: &str, item: &str, moment: i64) -> Result<Vec<MemberId>, Error> {
    let rights = rights_to(db, kind, item).await?.into_iter();
    let readers = rights.filter(|(_, spans)| runs_until(spans, moment).is_some());
    readers.map(|(reader, _)| reader.try_into().map_err(Error::internal)).collect()
}

/// How many readers may read an item at a moment or later.
pub async fn count_lasting(db: &Db, kind: &str, item: &str, moment: i64) -> Result<usize, Error> {
    let lasts = |spans: &[Span]| {
        spans.iter().any(|span| span.until.is_none_or(|until| until > moment.max(span.from)))
    };
    Ok(rights_to(db, kind, item).await?.iter().filter(|(_, spans)| lasts(spans)).count())
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

/// Whether a reader's free trial of a package runs.
pub async fn is_tried(db: &Db, member: &MemberId, package: &PackageId, now: i64) -> Result<bool, Error> {
    let count: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from entitlements
         where member_id = $1 and package_id = $2 and source = 'trial' and ends_at > $3"
    )
    .bind(member.as_str())
    .bind(package.as_str())
    .bind(now)
    .fetch_one(pool)
    .await)?;
    Ok(count > 0)
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

/// Readers who first bought on a day.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct StillReading {
    /// From 1970-01-01, in China's time zone.
    pub day: i64,
    pub readers: i64,
}

/// How many readers first bought a package of a seller's since a moment, by day: all of them, or those who had a bought right to
/// one at another moment.
pub async fn first_bought(
    tx: &mut Tx,
    seller: &MemberId,
    since: i64,
    at: Option<i64>,
) -> Result<Vec<StillReading>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select (f.first_at + 28800000) / 86400000 as day, count(*) as readers
         from (select e.member_id, min(e.granted_at) as first_at
               from entitlements e join packages p on p.id = e.package_id
               where p.seller_id = $1 and e.source = 'sale' group by e.member_id) f
         where f.first_at >= $2 and ($3 < 0 or exists (
             select 1 from entitlements e join packages p on p.id = e.package_id
             where e.member_id = f.member_id and p.seller_id = $1 and e.source = 'sale'
               and e.starts_at <= $3 and (e.ends_at is null or e.ends_at > $3)))
         group by (f.first_at + 28800000) / 86400000 order by 1"
    )
    .bind(seller.as_str())
    .bind(since)
    .bind(at.unwrap_or(-1))
    .fetch_all(conn)
    .await)?)
}
