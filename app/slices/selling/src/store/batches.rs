//! SQL of batches of redeem codes.

use base::db::{Db, Tx, new_id, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{BatchId, MemberId, PackageId};
use domain::redeem_code::BatchTimes;

/// Codes that were made together.
#[derive(Debug, Clone)]
pub struct Batch {
    pub id: BatchId,
    pub package: PackageId,
    /// The package as it is called now.
    pub title: String,
    pub seller: MemberId,
    pub note: String,
    pub codes: i64,
    /// How many of them, the last ones, nobody can redeem yet: they are still to be written.
    pub unwritten: i64,
    /// What the codes are made of; `None` when nobody can have them any more.
    pub salt: Option<String>,
    pub file_until: i64,
    pub times: BatchTimes,
    pub created_at: i64,
    /// How many were redeemed.
    pub redeemed: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    package_id: String,
    title: String,
    seller_id: String,
    note: String,
    codes: i64,
    unwritten: i64,
    salt: Option<String>,
    file_until: i64,
    activated_at: Option<i64>,
    voided_at: Option<i64>,
    expires_at: Option<i64>,
    created_at: i64,
    redeemed: i64,
}

impl TryFrom<Row> for Batch {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            package: row.package_id.try_into().map_err(Error::internal)?,
            title: row.title,
            seller: row.seller_id.try_into().map_err(Error::internal)?,
            note: row.note,
            codes: row.codes,
            unwritten: row.unwritten,
            salt: row.salt,
            file_until: row.file_until,
            times: BatchTimes {
                activated_at: row.activated_at,
                voided_at: row.voided_at,
                expires_at: row.expires_at,
            },
            created_at: row.created_at,
            redeemed: row.redeemed,
        })
    }
}

const SELECT: &str = "select b.id, b.package_id, p.title, b.seller_id, b.note, b.codes, b.unwritten, b.salt, b.file_until, b.activated_at,
        b.voided_at, b.expires_at, b.created_at,
        (select count(*) from redeem_codes c where c.batch_id = b.id and c.redeemed_at is not null) as redeemed
    from code_batches b join packages p on p.id = b.package_id";

/// Writes a new batch without its codes; false when the same form made it before.
pub async fn insert(tx: &mut Tx, batch: &Batch) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into code_batches (id, package_id, seller_id, note, codes, unwritten, salt, file_until, activated_at,
                                   expires_at, created_at)
         values ($1, $2, $3, $4, $5, $11, $6, $7, $8, $9, $10) on conflict (id) do nothing",
    )
    .bind(batch.id.as_str())
    .bind(batch.package.as_str())
    .bind(batch.seller.as_str())
    .bind(&batch.note)
    .bind(batch.codes)
    .bind(batch.salt.as_deref())
    .bind(batch.file_until)
    .bind(batch.times.activated_at)
    .bind(batch.times.expires_at)
    .bind(batch.created_at)
    .bind(batch.unwritten)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Writes some of a batch's codes, from a number on.
pub async fn insert_codes(tx: &mut Tx, batch: &BatchId, first: i64, digests: &[String]) -> Result<(), Error> {
    let sql = sql!("insert into redeem_codes (digest, batch_id, number) values [(?, $1, ?)]");
    let sql = sql.repeated(digests.len());
    with_tx!(tx, |conn| {
        let query = digests
            .iter()
            .zip(first..)
            .fold(sqlx::query(sql.text()).bind(batch.as_str()), |query, (digest, number)| {
                query.bind(digest).bind(number)
            });
        query.execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// Notes that some more of a batch's codes are written; false where somebody else has written them.
pub async fn wrote(tx: &mut Tx, id: &BatchId, unwritten: i64, codes: usize) -> Result<bool, Error> {
    let codes = i64::try_from(codes).map_err(Error::internal)?;
    let noted = with_tx!(tx, |conn| sqlx::query(
        "update code_batches set unwritten = unwritten - $3 where id = $1 and unwritten = $2"
    )
    .bind(id.as_str())
    .bind(unwritten)
    .bind(codes)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(noted == 1)
}

/// Ends what is left to be written of a batch that nobody can redeem any more.
pub async fn write_no_more(db: &Db, id: &BatchId) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update code_batches set unwritten = 0 where id = $1")
        .bind(id.as_str())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// How many codes of a seller can be redeemed, now or once they are activated.
pub async fn open_codes(tx: &mut Tx, seller: &MemberId, now: i64) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select cast(coalesce(sum(b.codes - (select count(*) from redeem_codes c
                                             where c.batch_id = b.id and c.redeemed_at is not null)), 0) as bigint)
         from code_batches b
         where b.seller_id = $1 and b.voided_at is null and (b.expires_at is null or b.expires_at > $2)",
    )
    .bind(seller.as_str())
    .bind(now)
    .fetch_one(conn)
    .await
    })?)
}

/// Any batch.
pub async fn find(db: &Db, id: &BatchId) -> Result<Batch, Error> {
    let sql = sql!("{SELECT} where b.id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same within a transaction.
pub async fn find_within(tx: &mut Tx, id: &BatchId) -> Result<Batch, Error> {
    let sql = sql!("{SELECT} where b.id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a seller's own.
pub async fn find_for_owner(db: &Db, id: &BatchId, seller: &MemberId) -> Result<Batch, Error> {
    let batch = find(db, id).await?;
    if batch.seller == *seller { Ok(batch) } else { Err(Error::NotFound) }
}

/// Any batch, whose row is held until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &BatchId) -> Result<Batch, Error> {
    with_tx!(tx, |conn| sqlx::query("update code_batches set codes = codes where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    find_within(tx, id).await
}

/// Writes what decides about the codes that nobody has redeemed.
pub async fn set_times(tx: &mut Tx, id: &BatchId, times: &BatchTimes) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update code_batches set activated_at = $2, voided_at = $3, expires_at = $4 where id = $1"
    )
    .bind(id.as_str())
    .bind(times.activated_at)
    .bind(times.voided_at)
    .bind(times.expires_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A seller's batches, the newest first, from behind one on.
pub async fn of_seller(
    db: &Db,
    seller: &MemberId,
    before: Option<&BatchId>,
    most: i64,
) -> Result<Vec<Batch>, Error> {
    let sql = sql!("{SELECT} where b.seller_id = $1 and ($2 = '' or b.id < $2) order by b.id desc limit $3");
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(seller.as_str())
        .bind(before.map_or("", BatchId::as_str))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Batch::try_from).collect()
}

/// Redeems a code, if it can be: the batch that it is of. One of any number at once is the first, and no other finds it
/// open.
pub async fn redeem(
    tx: &mut Tx,
    digest: &str,
    member: &MemberId,
    now: i64,
) -> Result<Option<BatchId>, Error> {
    let batch: Option<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
            "update redeem_codes set redeemed_by = $2, redeemed_at = $3
         where digest = $1 and redeemed_at is null and exists (
             select 1 from code_batches b where b.id = redeem_codes.batch_id and b.activated_at is not null
                 and b.voided_at is null and (b.expires_at is null or b.expires_at > $3))
         returning batch_id",
        )
        .bind(digest)
        .bind(member.as_str())
        .bind(now)
        .fetch_optional(conn)
        .await
    })?;
    batch.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Whether a code was redeemed by this member.
pub async fn is_redeemed_by(db: &Db, digest: &str, member: &MemberId) -> Result<bool, Error> {
    let count: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from redeem_codes where digest = $1 and redeemed_by = $2"
    )
    .bind(digest)
    .bind(member.as_str())
    .fetch_one(pool)
    .await)?;
    Ok(count > 0)
}

/// A time at which the file of a batch was taken away.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Download {
    pub who: String,
    pub address: String,
    pub downloaded_at: i64,
}

/// Notes that somebody takes the file away.
pub async fn note_download(
    tx: &mut Tx,
    batch: &BatchId,
    who: &str,
    address: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into code_downloads (id, batch_id, who, address, downloaded_at) values ($1, $2, $3, $4, $5)"
    )
    .bind(new_id::<String>())
    .bind(batch.as_str())
    .bind(who)
    .bind(address)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Every time that it was taken away, the last first.
pub async fn downloads(db: &Db, batch: &BatchId) -> Result<Vec<Download>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select who, address, downloaded_at from code_downloads where batch_id = $1 order by id desc limit 200"
    )
    .bind(batch.as_str())
    .fetch_all(pool)
    .await
    })?)
}

/// Forgets what the codes of a batch are made of, when its file can't be had any more.
pub async fn forget_salt(db: &Db, batch: &BatchId, now: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query(
        "update code_batches set salt = null where id = $1 and file_until <= $2 and unwritten = 0"
    )
    .bind(batch.as_str())
    .bind(now)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}
