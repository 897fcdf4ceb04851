//! What shared works show: a published revision has photos and PDFs of its own, whatever its work shows now.

use async_trait::async_trait;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};

use platform::db::{self, Tx, with_tx};
use platform::error::Error;
use platform::slice::Shows;
use platform::uses::{self, Holder, Shown};

const KIND: &str = "share";

/// Notes what readers of a work are shown from now on, as part of the transaction that publishes it.
pub async fn published(
    tx: &mut Tx,
    work: &WorkId,
    member: &MemberId,
    document: &Document,
) -> Result<(), Error> {
    let holder = Holder { kind: KIND, id: work.as_str() };
    uses::show(tx, member, holder, 0, &Shown::in_document(document)).await
}

/// Before a share is forgotten.
pub async fn forget(tx: &mut Tx, work: &WorkId) -> Result<(), Error> {
    uses::forget(tx, Holder { kind: KIND, id: work.as_str() }).await.map(drop)
}

/// See [`Shows`].
pub struct AtUses;

#[async_trait]
impl Shows for AtUses {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn table(&self) -> &'static str {
        "(select work_id as id from shares)"
    }

    async fn names(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<(String, String)>, Error> {
        Ok(with_tx!(tx, |conn| {
            sqlx::query_as(
            "select work_id, '分享的《' || title || '》' from shares where member_id = $1 order by published_at desc"
        )
        .bind(member.as_str())
        .fetch_all(conn)
        .await
        })?)
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
