//! What issues show: photos and PDFs of their own, whatever the works that they were made of show now.

use async_trait::async_trait;
use base::db::{self, Sql, Tx, sql, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::{IssueId, MemberId};
use web::slice::Shows;
use web::uses::{self, Holder, Shown};

use super::store::articles;

const KIND: &str = "issue";

/// Notes what an issue shows: its pages, and the photos of its articles.
pub async fn shown(
    tx: &mut Tx,
    issue: &IssueId,
    member: &MemberId,
    document: &Document,
) -> Result<(), Error> {
    let mut files = Shown::in_document(document);
    files.extend(articles::photos(tx, issue).await?.into_iter().map(Shown::Photo));
    uses::show(tx, member, Holder { kind: KIND, id: issue.as_str() }, 0, &files).await
}

/// Before an issue is forgotten: its PDFs go, too, where nothing else shows them.
pub async fn forget(tx: &mut Tx, issue: &IssueId, now: i64) -> Result<(), Error> {
    let released = uses::forget(tx, Holder { kind: KIND, id: issue.as_str() }).await?;
    works::queue_forgetting_of(tx, released, now).await
}

/// See [`Shows`].
pub struct AtUses;

/// Whose uses are of what is there no more.
const GONE: &str = "not exists (select 1 from issues t where t.id = file_uses.holder)";

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
            "select i.id, '《' || p.name || '》' || i.day from issues i
             join publications p on p.id = i.publication_id where i.member_id || '' = $1 and i.id in ([?])
             order by i.day desc, i.id desc"
        )
        .repeated(ids.len());
        Ok(with_tx!(tx, |conn| {
            let query = sqlx::query_as(sql.text()).bind(member.as_str());
            ids.iter().fold(query, |query, id| query.bind(id)).fetch_all(conn).await
        })?)
    }

    /// Every program that makes issues notes what they show.
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
            with_tx!(tx, |conn| sqlx::query_as("select member_id, document from issues where id = $1")
                .bind(id)
                .fetch_optional(conn)
                .await)?;
        let Some((member, document)) = row else { return Ok(()) };
        let issue: IssueId = id.parse().map_err(Error::internal)?;
        let member: MemberId = member.try_into().map_err(Error::internal)?;
        shown(tx, &issue, &member, &db::json("document", &document)?).await
    }
}
