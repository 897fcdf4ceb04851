//! SQL of the PDFs that works are made of.

use std::collections::BTreeMap;

use base::db::{self, Db, Sql, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{FileDigest, MemberId, PhotoId};
use press::manuscript::{Markup, Style};
use press::pdf::PdfFacts;
use serde::{Deserialize, Serialize};

use super::bundle::MOST_ADDRESSES;

/// A PDF of a member.
#[derive(Debug, Clone)]
pub struct PdfFile {
    pub sha256: FileDigest,
    pub file_name: String,
    pub bytes: u64,
    pub facts: PdfFacts,
    /// What was left out when it was made, each as a sentence.
    pub notes: Vec<String>,
    /// What it was set from; nothing for an uploaded one.
    pub source: Option<Source>,
    /// Pages that could not be drawn.
    pub undrawable: u32,
}

impl PdfFile {
    /// The photos that the text shows from which it was set.
    pub fn pictures(&self) -> impl Iterator<Item = &PhotoId> {
        self.source.iter().flat_map(|source| source.pictures.values()).take(MOST_ADDRESSES)
    }
}

/// A text, and how it was set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    pub text: String,
    pub markup: Markup,
    pub style: Style,
    /// Photos of the library, by the addresses under which the text shows them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pictures: BTreeMap<String, PhotoId>,
}

#[derive(sqlx::FromRow)]
struct Row {
    sha256: String,
    file_name: String,
    bytes: i64,
    facts: String,
    notes: String,
    source: Option<String>,
    undrawable: i64,
}

impl TryFrom<Row> for PdfFile {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            sha256: row.sha256.try_into().map_err(Error::internal)?,
            file_name: row.file_name,
            bytes: u64::try_from(row.bytes).map_err(Error::internal)?,
            facts: db::json("facts", &row.facts)?,
            notes: db::json("notes", &row.notes)?,
            source: row.source.map(|text| db::json("source", &text)).transpose()?,
            undrawable: u32::try_from(row.undrawable).unwrap_or(u32::MAX),
        })
    }
}

/// Bytes of a member's PDFs.
pub const KEEPS: Sql =
    sql!("select cast(coalesce(sum(bytes), 0) as bigint) from pdf_files where member_id = $1");

/// Adds a PDF; the same bytes once more are the same PDF, and its time begins anew.
pub async fn insert(tx: &mut Tx, member: &MemberId, file: &PdfFile, now: i64) -> Result<(), Error> {
    let source = file.source.as_ref().map(serde_json::to_string).transpose()?;
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into pdf_files (member_id, sha256, file_name, bytes, facts, notes, source, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (member_id, sha256) do update
         set file_name = excluded.file_name, notes = excluded.notes, source = excluded.source,
             created_at = excluded.created_at",
        )
        .bind(member.as_str())
        .bind(file.sha256.as_str())
        .bind(&file.file_name)
        .bind(i64::try_from(file.bytes).map_err(Error::internal)?)
        .bind(serde_json::to_string(&file.facts)?)
        .bind(serde_json::to_string(&file.notes)?)
        .bind(source)
        .bind(now)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// One of a member's own PDFs.
pub async fn find_for_owner(db: &Db, file: &FileDigest, member: &MemberId) -> Result<Option<PdfFile>, Error> {
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(
        "select sha256, file_name, bytes, facts, notes, source, undrawable from pdf_files
         where sha256 = $1 and member_id = $2",
    )
    .bind(file.as_str())
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    row.map(PdfFile::try_from).transpose()
}

/// Whether a PDF was brought before a moment; it is held until the transaction ends.
pub async fn is_older(tx: &mut Tx, file: &FileDigest, member: &MemberId, before: i64) -> Result<bool, Error> {
    let held = with_tx!(tx, |conn| {
        sqlx::query(
        "update pdf_files set created_at = created_at where sha256 = $1 and member_id = $2 and created_at <= $3"
    )
    .bind(file.as_str())
    .bind(member.as_str())
    .bind(before)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(held == 1)
}

/// Begins a PDF's time anew; false where it is not there.
pub async fn renew(tx: &mut Tx, file: &FileDigest, member: &MemberId, now: i64) -> Result<bool, Error> {
    let renewed = with_tx!(tx, |conn| {
        sqlx::query("update pdf_files set created_at = $3 where sha256 = $1 and member_id = $2")
            .bind(file.as_str())
            .bind(member.as_str())
            .bind(now)
            .execute(conn)
            .await
            .map(|done| done.rows_affected())
    })?;
    Ok(renewed == 1)
}

/// Notes that a page could not be drawn.
pub async fn count_undrawable(db: &Db, file: &FileDigest, member: &MemberId) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query(
        "update pdf_files set undrawable = undrawable + 1 where sha256 = $1 and member_id = $2"
    )
    .bind(file.as_str())
    .bind(member.as_str())
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}

/// Forgets a member's PDF.
pub async fn forget(tx: &mut Tx, file: &FileDigest, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from pdf_files where sha256 = $1 and member_id = $2")
        .bind(file.as_str())
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Some of a member's PDFs, whose digests follow one.
pub async fn some_of_member(
    db: &Db,
    member: &MemberId,
    after: &str,
    most: i64,
) -> Result<Vec<FileDigest>, Error> {
    let files: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select sha256 from pdf_files where member_id = $1 and sha256 > $2 order by sha256 limit $3"
    )
    .bind(member.as_str())
    .bind(after)
    .bind(most)
    .fetch_all(pool)
    .await)?;
    files.into_iter().map(|file| file.try_into().map_err(Error::internal)).collect()
}
