//! SQL of a work's revisions: its line, numbered from 1, and beside it the saves that were refused.

use base::db::{self, Db, Sql, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};
use domain::versions::{self, Keep};
use web::app::App;

use super::{edits, page_count, titles, uses};

/// Why a revision was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Made,
    Copied,
    Imported,
    Texts,
    Settings,
    Design,
    Format,
    Style,
    Restored,
    Months,
    Photos,
    Pages,
    Edited,
}

impl Cause {
    const ALL: [Self; 13] = [
        Self::Made,
        Self::Copied,
        Self::Imported,
        Self::Texts,
        Self::Settings,
        Self::Design,
        Self::Format,
        Self::Style,
        Self::Restored,
        Self::Months,
        Self::Photos,
        Self::Pages,
        Self::Edited,
    ];

    fn code(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Copied => "copied",
            Self::Imported => "imported",
            Self::Texts => "texts",
            Self::Settings => "settings",
            Self::Design => "design",
            Self::Format => "format",
            Self::Style => "style",
            Self::Restored => "restored",
            Self::Months => "months",
            Self::Photos => "photos",
            Self::Pages => "pages",
            Self::Edited => "edited",
        }
    }

    /// Whether another page may stand in a page's place afterwards.
    fn moves_pages(self) -> bool {
        matches!(self, Self::Pages | Self::Restored | Self::Format | Self::Style | Self::Months)
    }

    pub(super) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    /// What members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Made => "新建",
            Self::Copied => "复制而来",
            Self::Imported => "导入",
            Self::Texts => "改文字",
            Self::Settings => "改设置",
            Self::Design => "改版式",
            Self::Format => "换开本",
            Self::Style => "换整本样式",
            Self::Restored => "还原",
            Self::Months => "改月份与纪念日",
            Self::Photos => "换照片",
            Self::Pages => "整理书页",
            Self::Edited => "在编辑器里改",
        }
    }
}

/// A revision without its document.
#[derive(Debug, Clone)]
pub struct Revision {
    /// From 1 on in the work's line; negative for a refused save beside it.
    pub number: i64,
    pub at: i64,
    /// `None` for what is older than this note.
    pub cause: Option<Cause>,
    /// The revision it was made from: of a restored one the one restored, of a refused save the one it began with.
    pub source: Option<i64>,
}

type Row = (i64, i64, String, Option<i64>);

impl From<Row> for Revision {
    fn from((number, at, cause, source): Row) -> Self {
        Self { number, at, cause: Cause::from_code(&cause), source }
    }
}

/// What became of a save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// It is this revision.
    As(i64),
    /// Another save came first: nothing was written.
    Stale,
}

/// Saves a document as the next revision after `base`. The same document once more, with the same reason, is the same
/// save.
pub async fn save(
    app: &App,
    id: &WorkId,
    member: &MemberId,
    base: i64,
    document: &Document,
    (cause, source): (Cause, Option<i64>),
    now: i64,
) -> Result<Saved, Error> {
    let document = &identified(document, base + 1)?;
    let text = written(document)?;
    let mut tx = app.db.begin().await?;
    let saved = with_tx!(&mut tx, |conn| {
        sqlx::query(
        "update works set document = $4, title = $5, updated_at = $6, trim_width = $7, trim_height = $8, pages = $9,
                          revision = revision + 1, noted = noted + 1
         where id = $1 and member_id = $2 and revision = $3 and trashed_at is null",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(base)
    .bind(&text)
    .bind(&document.title)
    .bind(now)
    .bind(document.trim.width)
    .bind(document.trim.height)
    .bind(page_count(document)?)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if saved == 1 {
        insert(&mut tx, id, base + 1, &text, cause, source, now).await?;
        titles::keep(&mut tx, member, id, &document.title).await?;
        uses::saved(&mut tx, id, member, base + 1, document).await?;
        tx.commit().await?;
        thin_after(app, id, base + 1, now).await?;
        return Ok(Saved::As(base + 1));
    }
    drop(tx);
    let newest = super::find_for_owner(&app.db, id, member).await?.on_shelf()?;
    let made = revision(&app.db, id, member, newest.revision).await?.0;
    let same = newest.document == *document && made.cause == Some(cause) && newest.revision == base + 1;
    Ok(if same { Saved::As(newest.revision) } else { Saved::Stale })
}

/// After so many saves old versions are looked over.
const THIN_EVERY: i64 = 10;
/// Bytes that the versions of one work may have before fewer of them are kept.
const MOST_BYTES: i64 = 64 << 20;

/// Whether something outside this slice refers to a revision.
pub(super) async fn is_referred(app: &App, tx: &mut Tx, id: &WorkId, revision: i64) -> Result<bool, Error> {
    for sql in app.house.each(|slice| slice.revisions) {
        let some: Vec<i64> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(sql.text())
            .bind(id.as_str())
            .fetch_all(conn)
            .await)?;
        if some.contains(&revision) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks over a work's old versions after some of its saves.
pub(super) async fn thin_after(app: &App, id: &WorkId, revision: i64, now: i64) -> Result<(), Error> {
    if revision % THIN_EVERY == 0 { thin(app, id, now).await } else { Ok(()) }
}

/// Deletes old versions by the rule of [`versions::superfluous`]. Those that a proof in the cart, another version or a
/// refused save refers to stay; orders have copies of their own.
pub async fn thin(app: &App, id: &WorkId, now: i64) -> Result<(), Error> {
    let db = &app.db;
    let known: Vec<(i64, i64, i64, Option<i64>)> = with_db!(db, |pool| sqlx::query_as(
        "select revision, created_at, bytes, source from work_revisions where work_id = $1
         order by created_at desc, abs(revision) desc",
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?;
    let mut proofed: Vec<i64> = Vec::new();
    for sql in app.house.each(|slice| slice.revisions) {
        let some: Vec<i64> =
            with_db!(db, |pool| sqlx::query_scalar(sql.text()).bind(id.as_str()).fetch_all(pool).await)?;
        proofed.extend(some);
    }
    let sources = known.iter().filter(|(number, ..)| *number < 0).filter_map(|(.., source)| *source);
    let referred = sources.chain(proofed).collect();
    let bytes: i64 = known.iter().map(|(_, _, bytes, _)| bytes).sum();
    let is_crowded = bytes > MOST_BYTES;
    edits::forget_steps(db, id, is_crowded, now).await?;
    let keep = if is_crowded { Keep::TIGHT } else { Keep::ROOMY };
    let line: Vec<(i64, i64)> = known.iter().map(|(number, at, ..)| (*number, *at)).collect();
    let gone = versions::superfluous(&line, &referred, keep, now);
    if gone.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    uses::lock(&mut tx, id).await?;
    for number in gone {
        // the newest is never among them, unless the line has moved meanwhile
        with_tx!(&mut tx, |conn| sqlx::query(
            "delete from work_revisions where work_id = $1 and revision = $2
                 and revision <> (select revision from works where id = $1)",
        )
        .bind(id.as_str())
        .bind(number)
        .execute(conn)
        .await
        .map(drop))?;
    }
    uses::thinned(&mut tx, id, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Bytes of all versions of a member's works, refused saves included, for what the member may keep.
pub const KEEPS: Sql = sql!(
    "select cast(coalesce(sum(r.bytes), 0) as bigint) from works w
     join work_revisions r on r.work_id = w.id where w.member_id = $1"
);

/// See [`KEEPS`].
pub(super) async fn bytes_of_member(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(KEEPS.text()).bind(member.as_str()).fetch_one(conn).await)?)
}

/// Keeps a refused save beside the work's line and answers its number; the same one twice is kept once.
pub async fn keep_refused(
    app: &App,
    id: &WorkId,
    base: i64,
    document: &Document,
    cause: Cause,
    now: i64,
) -> Result<i64, Error> {
    let text = written(&identified(document, base + 1)?)?;
    let mut tx = app.db.begin().await?;
    // a number is never used again: pictures of it may be kept somewhere, and another tab may be about to forget it
    let (refused, member): (i64, String) = with_tx!(&mut tx, |conn| {
        sqlx::query_as(
        "update works set refused = refused + 1, noted = noted + 1 where id = $1 returning refused, member_id"
    )
    .bind(id.as_str())
    .fetch_one(conn)
    .await
    })?;
    let known: Option<i64> = with_tx!(&mut tx, |conn| {
        sqlx::query_scalar(
        "select revision from work_revisions where work_id = $1 and revision < 0 and source = $2 and document = $3",
    )
    .bind(id.as_str())
    .bind(base)
    .bind(&text)
    .fetch_optional(conn)
    .await
    })?;
    if let Some(known) = known {
        return Ok(known);
    }
    let number = -refused;
    insert(&mut tx, id, number, &text, cause, Some(base), now).await?;
    let member: MemberId = member.try_into().map_err(Error::internal)?;
    uses::saved(&mut tx, id, &member, number, document).await?;
    tx.commit().await?;
    thin(app, id, now).await?;
    Ok(number)
}

/// A document in which everything has an id, where it becomes this revision.
pub(super) fn identified(document: &Document, revision: i64) -> Result<Document, Error> {
    let mut document = document.clone();
    document.identify(revision).map_err(Error::internal)?;
    Ok(document)
}

/// A document as it is stored, unless it is more than a work may be.
pub(super) fn written(document: &Document) -> Result<String, Error> {
    document.check_size().map_err(|reason| Error::TooLarge(format!("{reason}。")))?;
    Ok(serde_json::to_string(document)?)
}

/// Forgets a refused save; none is forgotten, too.
pub async fn drop_kept(db: &Db, id: &WorkId, number: i64) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    uses::lock(&mut tx, id).await?;
    with_tx!(&mut tx, |conn| sqlx::query(
        "delete from work_revisions where work_id = $1 and revision = $2 and revision < 0"
    )
    .bind(id.as_str())
    .bind(number)
    .execute(conn)
    .await
    .map(drop))?;
    uses::thinned(&mut tx, id, db::now_ms()).await?;
    tx.commit().await?;
    Ok(())
}

/// One revision of a member's own work.
pub async fn revision(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    number: i64,
) -> Result<(Revision, Document), Error> {
    let row: Option<(i64, i64, String, Option<i64>, String)> = with_db!(db, |pool| sqlx::query_as(
        "select r.revision, r.created_at, r.cause, r.source, r.document
         from work_revisions r join works w on w.id = r.work_id
         where r.work_id = $1 and w.member_id = $2 and r.revision = $3",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(number)
    .fetch_optional(pool)
    .await)?;
    if let Some((number, at, cause, source, document)) = row {
        return Ok(((number, at, cause, source).into(), db::json("document", &document)?));
    }
    // one that passed within a sitting
    let mut tx = db.begin_snapshot().await?;
    let newest: Option<i64> = with_tx!(&mut tx, |conn| sqlx::query_scalar(
        "select revision from works where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(conn)
    .await)?;
    if number < 1 || newest.is_none_or(|newest| number > newest) {
        return Err(Error::NotFound);
    }
    let (at, document) = edits::rebuilt(&mut tx, id, number).await?.ok_or(Error::NotFound)?;
    Ok((Revision { number, at, cause: Some(Cause::Edited), source: None }, document))
}

/// A work's line below a number, the newest first. Reads no documents.
pub async fn of_work(db: &Db, id: &WorkId, below: i64, most: i64) -> Result<Vec<Revision>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(
        "select revision, created_at, cause, source from work_revisions
         where work_id = $1 and revision > 0 and revision < $2 order by revision desc limit $3",
    )
    .bind(id.as_str())
    .bind(below)
    .bind(most)
    .fetch_all(pool)
    .await)?;
    Ok(rows.into_iter().map(Revision::from).collect())
}

/// Whether pages may have moved since a revision.
pub async fn moved_since(db: &Db, id: &WorkId, base: i64) -> Result<bool, Error> {
    let causes: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select distinct cause from work_revisions where work_id = $1 and revision > $2"
    )
    .bind(id.as_str())
    .bind(base)
    .fetch_all(pool)
    .await)?;
    Ok(causes.iter().any(|code| Cause::from_code(code).is_none_or(Cause::moves_pages)))
}

/// The refused saves that are kept beside a work's line, the newest first.
pub async fn kept(db: &Db, id: &WorkId) -> Result<Vec<Revision>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(
        "select revision, created_at, cause, source from work_revisions
         where work_id = $1 and revision < 0 order by revision",
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?;
    Ok(rows.into_iter().map(Revision::from).collect())
}

/// Adds a revision as part of a transaction.
pub(super) async fn insert(
    tx: &mut Tx,
    id: &WorkId,
    number: i64,
    document: &str,
    cause: Cause,
    source: Option<i64>,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into work_revisions (work_id, revision, document, created_at, cause, source, bytes)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id.as_str())
    .bind(number)
    .bind(document)
    .bind(now)
    .bind(cause.code())
    .bind(source)
    .bind(i64::try_from(document.len()).map_err(Error::internal)?)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
