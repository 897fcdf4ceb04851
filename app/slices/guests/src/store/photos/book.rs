//! SQL of what a book is made of.

use base::db::{Db, with_db};
use base::error::Error;
use domain::ids::{CollectionId, MemberId, PhotoId};

/// The photos of its library that a member accepted in a collection, in the order in which they were sent.
pub async fn accepted(
    db: &Db,
    collection: &CollectionId,
    member: &MemberId,
    most: i64,
) -> Result<Vec<PhotoId>, Error> {
    let ids: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select photo_id from guest_photos
         where collection_id = $1 and member_id = $2 and state = 'accepted' and photo_id is not null
         order by id limit $3"
    )
    .bind(collection.as_str())
    .bind(member.as_str())
    .bind(most)
    .fetch_all(pool)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// What guests say of the photos that a member accepted in a collection: each with its guest's name and its caption, by the
/// first who sent it.
pub async fn words(
    db: &Db,
    collection: &CollectionId,
    member: &MemberId,
    most: i64,
) -> Result<Vec<(String, String, String)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select p.photo_id, g.name, p.caption from guest_photos p join guests g on g.id = p.guest_id
         where p.collection_id = $1 and p.member_id = $2 and p.state = 'accepted' and p.photo_id is not null
         order by p.id limit $3"
    )
    .bind(collection.as_str())
    .bind(member.as_str())
    .bind(most)
    .fetch_all(pool)
    .await)?)
}
