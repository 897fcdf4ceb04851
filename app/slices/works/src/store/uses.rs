//! What works show, for the table of uses: one run of versions for each file while it stays, and a version of its own for
//! each refused save.

use std::collections::BTreeSet;

use async_trait::async_trait;
use base::db::{self, Sql, Tx, now_ms, sql, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};
use web::slice::Shows;
use web::uses::{self, Holder, Shown};

use crate::KIND;
use crate::documents::queue_forgetting_of;

fn holder(id: &WorkId) -> Holder<'_> {
    Holder { kind: KIND, id: id.as_str() }
}

/// Notes what a version shows that was just saved; below zero it stands beside the work's line.
pub async fn saved(
    tx: &mut Tx,
    id: &WorkId,
    member: &MemberId,
    version: i64,
    document: &Document,
) -> Result<(), Error> {
    let files = Shown::in_document(document);
    if version < 0 {
        uses::show_once(tx, member, holder(id), version, &files).await
    } else {
        uses::show(tx, member, holder(id), version, &files).await
    }
}

/// Before versions of a work are deleted: holds its row, so that one transaction at a time does so, and knows what each of
/// them shows.
pub async fn lock(tx: &mut Tx, id: &WorkId) -> Result<(), Error> {
    let unnoted: Option<i64> = with_tx!(tx, |conn| sqlx::query_scalar(
        "update works set revision = revision where id = $1 returning revision + refused - noted"
    )
    .bind(id.as_str())
    .fetch_optional(conn)
    .await)?;
    match unnoted {
        None | Some(0) => Ok(()),
        Some(_) => AtUses.note(tx, id.as_str()).await,
    }
}

/// After versions of a work were deleted: forgets what only they showed.
pub async fn thinned(tx: &mut Tx, id: &WorkId, now: i64) -> Result<(), Error> {
    let versions: Vec<i64> =
        with_tx!(tx, |conn| sqlx::query_scalar("select revision from work_revisions where work_id = $1")
            .bind(id.as_str())
            .fetch_all(conn)
            .await)?;
    let released = uses::thin(tx, holder(id), &BTreeSet::from_iter(versions)).await?;
    queue_forgetting_of(tx, released, now).await
}

/// Before a work is deleted.
pub async fn forget(tx: &mut Tx, id: &WorkId, now: i64) -> Result<(), Error> {
    lock(tx, id).await?;
    release(tx, id, now).await
}

async fn release(tx: &mut Tx, id: &WorkId, now: i64) -> Result<(), Error> {
    let released = uses::forget(tx, holder(id)).await?;
    queue_forgetting_of(tx, released, now).await
}

/// See [`Shows`].
pub struct AtUses;

/// Whose uses are of what is there no more.
const GONE: &str = "not exists (select 1 from works t where t.id = file_uses.holder)";

#[async_trait]
impl Shows for AtUses {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn gone(&self) -> Sql {
        sql!("select distinct holder from file_uses where holder_kind = $1 and {GONE} limit 500")
    }

    fn forget_gone(&self) -> Sql {
        sql!("delete from file_uses where holder_kind = $1 and holder = $2 and {GONE}")
    }

    async fn names(
        &self,
        tx: &mut Tx,
        member: &MemberId,
        ids: &[String],
    ) -> Result<Vec<(String, String)>, Error> {
        let sql = sql!(
            "select id, '作品《' || title || '》' from works where member_id || '' = $1 and id in ([?])
             order by updated_at desc, id desc"
        )
        .repeated(ids.len());
        Ok(with_tx!(tx, |conn| {
            let query = sqlx::query_as(sql.text()).bind(member.as_str());
            ids.iter().fold(query, |query, id| query.bind(id)).fetch_all(conn).await
        })?)
    }

    async fn unnoted(
        &self,
        tx: &mut Tx,
        member: Option<&MemberId>,
        after: &str,
        most: i64,
    ) -> Result<Vec<String>, Error> {
        let sql = match member {
            // along the index of those that are not noted, of which there are none
            Some(_) => sql!(
                "select id from works where noted <> revision + refused and member_id = $1 and id > $2
                 order by id limit $3"
            ),
            None => sql!(
                "select id from works where noted <> revision + refused and $1 = '' and id > $2 order by id limit $3"
            ),
        };
        Ok(with_tx!(tx, |conn| sqlx::query_scalar(sql.text())
            .bind(member.map_or("", MemberId::as_str))
            .bind(after)
            .bind(most)
            .fetch_all(conn)
            .await)?)
    }

    /// Its versions are gone over from the first on, one at a time: together they may be more than memory holds.
    async fn note(&self, tx: &mut Tx, id: &str) -> Result<(), Error> {
        let held: Option<(String, i64, String)> = with_tx!(tx, |conn| {
            sqlx::query_as(
            "update works set noted = revision + refused where id = $1 returning member_id, revision, document"
        )
        .bind(id)
        .fetch_optional(conn)
        .await
        })?;
        let Some((member, newest, document)) = held else { return Ok(()) };
        let member: MemberId = member.try_into().map_err(Error::internal)?;
        let work: WorkId = id.parse().map_err(Error::internal)?;
        release(tx, &work, now_ms()).await?;
        let versions: Vec<i64> = with_tx!(tx, |conn| sqlx::query_scalar(
            "select revision from work_revisions where work_id = $1 and revision <> $2 order by revision"
        )
        .bind(id)
        .bind(newest)
        .fetch_all(conn)
        .await)?;
        for version in versions {
            let text: String = with_tx!(tx, |conn| sqlx::query_scalar(
                "select document from work_revisions where work_id = $1 and revision = $2"
            )
            .bind(id)
            .bind(version)
            .fetch_one(conn)
            .await)?;
            saved(tx, &work, &member, version, &db::json("document", &text)?).await?;
        }
        saved(tx, &work, &member, newest, &db::json("document", &document)?).await
    }
}
