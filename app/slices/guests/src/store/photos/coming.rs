//! SQL of photos of which a small copy stands while their originals are on the way.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::guests::Counts;
use domain::ids::{CollectionId, GuestPhotoId, MemberId};

use super::{COLUMNS, Facts, Piece, Row};

/// A guest's photo of these bytes, whole or by a small copy.
pub async fn of_file(tx: &mut Tx, guest: &str, sha256: &str) -> Result<Option<Piece>, Error> {
    let sql = sql!("select {COLUMNS} from guest_photos where guest_id = $1 and sha256 = $2");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(guest).bind(sha256).fetch_optional(conn).await)?;
    row.map(Piece::try_from).transpose()
}

/// Digests that one question names.
const ASKED: usize = 100;

/// Those of the named files that a guest has sent: digest, photo, and whether only a small copy stands there.
pub async fn known(db: &Db, guest: &str, asked: &[String]) -> Result<Vec<(String, String, bool)>, Error> {
    let sql = sql!(
        "select sha256, id, cast(case when preview is null then 0 else 1 end as bigint) from guest_photos
         where guest_id = $1 and sha256 in ([?])"
    );
    let mut found = Vec::new();
    for part in asked.chunks(ASKED) {
        let sql = sql.repeated(part.len());
        let rows: Vec<(String, String, i64)> = with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text()).bind(guest);
            part.iter().fold(query, |query, sha256| query.bind(sha256)).fetch_all(pool).await
        })?;
        found.extend(rows.into_iter().map(|(sha256, id, coming)| (sha256, id, coming == 1)));
    }
    Ok(found)
}

/// How many are on the way in a collection, and of one of its guests.
pub async fn count(tx: &mut Tx, collection: &CollectionId, guest: &str) -> Result<Counts, Error> {
    let (all, own): (i64, i64) = with_tx!(tx, |conn| sqlx::query_as(
        "select count(*), cast(coalesce(sum(case when guest_id = $2 then 1 else 0 end), 0) as bigint)
         from guest_photos where collection_id = $1 and preview is not null"
    )
    .bind(collection.as_str())
    .bind(guest)
    .fetch_one(conn)
    .await)?;
    Ok(Counts { all, own })
}

/// Notes that the original of a photo is here, as what it turned out to be.
pub async fn arrived(tx: &mut Tx, id: &GuestPhotoId, bytes: u64, facts: &Facts) -> Result<(), Error> {
    let facts = serde_json::to_string(facts).map_err(Error::internal)?;
    with_tx!(tx, |conn| {
        sqlx::query(
            "update guest_photos set bytes = $2, facts = $3, preview = null, is_broken = 0 where id = $1",
        )
        .bind(id.as_str())
        .bind(i64::try_from(bytes).map_err(Error::internal)?)
        .bind(&facts)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Forgets a guest's photo of a file of which only the small copy is there; what that is called.
pub async fn give_up(tx: &mut Tx, guest: &str, sha256: &str) -> Result<Option<String>, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "delete from guest_photos where guest_id = $1 and sha256 = $2 and preview is not null returning preview"
    )
    .bind(guest)
    .bind(sha256)
    .fetch_optional(conn)
    .await
    })?)
}

/// A small copy that went.
#[derive(Debug)]
pub struct Gone {
    pub collection: CollectionId,
    pub guest: String,
    pub member: MemberId,
    pub sha256: String,
    pub preview: String,
}

/// Forgets small copies that came before a moment, so many at once.
pub async fn forget_before(tx: &mut Tx, before: i64, most: i64) -> Result<Vec<Gone>, Error> {
    let rows: Vec<(String, String, String, String, String)> = with_tx!(tx, |conn| {
        sqlx::query_as(
            "delete from guest_photos where id in (
             select id from guest_photos where preview is not null and created_at <= $1 limit $2)
             returning collection_id, guest_id, member_id, sha256, preview",
        )
        .bind(before)
        .bind(most)
        .fetch_all(conn)
        .await
    })?;
    let read = |(collection, guest, member, sha256, preview): (String, _, String, _, _)| {
        Ok(Gone {
            collection: collection.try_into().map_err(Error::internal)?,
            guest,
            member: member.try_into().map_err(Error::internal)?,
            sha256,
            preview,
        })
    };
    rows.into_iter().map(read).collect()
}

/// How many of a collection's photos wait for their originals, and for their owner's word.
pub async fn count_waiting(db: &Db, collection: &CollectionId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from guest_photos
         where collection_id = $1 and preview is not null and state = 'waiting'"
    )
    .bind(collection.as_str())
    .fetch_one(pool)
    .await)?)
}
