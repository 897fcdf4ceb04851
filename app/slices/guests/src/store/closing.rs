//! SQL of collections that go.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::ids::{CollectionId, MemberId};

/// Notes that a collection is to go; false where it does already.
pub async fn set_deleted(tx: &mut Tx, id: &CollectionId, now: i64) -> Result<bool, Error> {
    let done = with_tx!(tx, |conn| sqlx::query(
        "update guest_collections set deleted_at = $2 where id = $1 and deleted_at is null"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(done == 1)
}

/// The same of all of a member's; which they are.
pub async fn set_all_deleted(tx: &mut Tx, member: &MemberId, now: i64) -> Result<Vec<CollectionId>, Error> {
    let ids: Vec<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "update guest_collections set deleted_at = $2 where member_id = $1 and deleted_at is null returning id"
    )
    .bind(member.as_str())
    .bind(now)
    .fetch_all(conn)
    .await
    })?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// Whose a collection was that is to go; nobody's where it is not.
pub async fn owner_of_deleted(tx: &mut Tx, id: &CollectionId) -> Result<Option<MemberId>, Error> {
    let member: Option<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select member_id from guest_collections where id = $1 and deleted_at is not null"
    )
    .bind(id.as_str())
    .fetch_optional(conn)
    .await)?;
    member.map(|member| member.try_into().map_err(Error::internal)).transpose()
}

/// Originals by their SHA-256, each with the small copy that stands for one that is not there.
type Files = Vec<(String, Option<String>)>;

/// Forgets so many of a collection's photos, whichever they are, and answers the originals of all that nobody accepted.
pub async fn forget_some(tx: &mut Tx, id: &CollectionId, most: i64) -> Result<Option<Files>, Error> {
    let rows: Vec<(String, String, Option<String>)> = with_tx!(tx, |conn| {
        sqlx::query_as(
            "delete from guest_photos where id in (select id from guest_photos where collection_id = $1 limit $2)
         returning sha256, state, preview",
        )
        .bind(id.as_str())
        .bind(most)
        .fetch_all(conn)
        .await
    })?;
    if rows.is_empty() {
        return Ok(None);
    }
    let unaccepted = rows.into_iter().filter(|(_, state, _)| state != "accepted");
    Ok(Some(unaccepted.map(|(sha256, _, preview)| (sha256, preview)).collect()))
}

/// Forgets a collection whose photos are gone, with its guests.
pub async fn forget(tx: &mut Tx, id: &CollectionId) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from guests where collection_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(tx, |conn| sqlx::query("delete from guest_collections where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
