//! What shared works show: a published revision has photos and PDFs of its own, whatever its work shows now, and hot areas
//! have photos beside it.

use async_trait::async_trait;
use base::db::{self, Sql, Tx, sql, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};
use web::slice::Shows;
use web::uses::{self, Holder, Shown};

use super::areas;

const KIND: &str = "share";

/// Notes what readers of a work are shown from now on, as part of the transaction that publishes it.
pub async fn published(
    tx: &mut Tx,
    work: &WorkId,
    member: &MemberId,
    document: &Document,
) -> Result<(), Error> {
    let holder = Holder { kind: KIND, id: work.as_str() };
    let mut files = Shown::in_document(document);
    files.extend(areas::photos_of(tx, work).await?.into_iter().map(Shown::Photo));
    uses::show(tx, member, holder, 0, &files).await
}

/// The same where the hot areas of a work have changed, published or not.
pub async fn areas_changed(tx: &mut Tx, work: &WorkId, member: &MemberId) -> Result<(), Error> {
    let document: Option<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select document from shares where work_id = $1")
            .bind(work.as_str())
            .fetch_optional(conn)
            .await)?;
    if let Some(document) = document {
        return published(tx, work, member, &db::json("document", &document)?).await;
    }
    let files = areas::photos_of(tx, work).await?.into_iter().map(Shown::Photo).collect();
    uses::show(tx, member, Holder { kind: KIND, id: work.as_str() }, 0, &files).await
}

/// See [`Shows`].
pub struct AtUses;

/// Whose uses are of what is there no more.
const GONE: &str = "not exists (select 1 from shares s where s.work_id = file_uses.holder)
     and not exists (select 1 from hot_areas a where a.work_id = file_uses.holder)";

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
        let mut names = Vec::new();
        for sql in [
            sql!("select work_id, '分享的《' || title || '》' from shares where member_id || '' = $1 and work_id in ([?])"),
            sql!(
                "select distinct a.work_id, '作品的热区' from hot_areas a where a.member_id || '' = $1
                    and not exists (select 1 from shares s where s.work_id = a.work_id) and a.work_id in ([?])"
            ),
        ] {
            let sql = sql.repeated(ids.len());
            let some: Vec<(String, String)> = with_tx!(&mut *tx, |conn| {
                let query = sqlx::query_as(sql.text()).bind(member.as_str());
                ids.iter().fold(query, |query, id| query.bind(id)).fetch_all(conn).await
            })?;
            names.extend(some);
        }
        Ok(names)
    }

    /// Every program that shares works notes what they show.
    async fn unnoted(
        &self,
        _tx: &mut Tx,
        _member: Option<&MemberId>,
        _after: &str,
        _most: i64,
    ) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    async fn note(&self, tx: &mut Tx, id: &str) -> Result<(), Error> {
        let row: Option<(String, String)> =
            with_tx!(tx, |conn| sqlx::query_as("select member_id, document from shares where work_id = $1")
                .bind(id)
                .fetch_optional(conn)
                .await)?;
        let Some((member, document)) = row else { return Ok(()) };
        let work: WorkId = id.parse().map_err(Error::internal)?;
        let member: MemberId = member.try_into().map_err(Error::internal)?;
        published(tx, &work, &member, &db::json("document", &document)?).await
    }
}
