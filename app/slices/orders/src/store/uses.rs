//! What orders show, for the table of uses: the photos and PDFs of their frozen documents, as long as there are orders.

use std::collections::BTreeSet;

use async_trait::async_trait;
use base::db::{self, Sql, Tx, sql, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::{MemberId, OrderId};
use web::slice::Shows;
use web::uses::{self, Holder, Shown};

/// The word for orders in the table of uses.
const KIND: &str = "order";

/// What documents show.
pub fn shown<'d>(documents: impl Iterator<Item = &'d Document>) -> BTreeSet<Shown> {
    documents.flat_map(Shown::in_document).collect()
}

/// Notes what a new order shows.
pub async fn placed(
    tx: &mut Tx,
    id: &OrderId,
    member: &MemberId,
    files: &BTreeSet<Shown>,
) -> Result<(), Error> {
    uses::show(tx, member, Holder { kind: KIND, id: id.as_str() }, 0, files).await
}

/// See [`Shows`].
pub struct AtUses;

/// Whose uses are of what is there no more.
const GONE: &str = "not exists (select 1 from orders t where t.id = file_uses.holder)";

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
            "select id, case when member_id = $1 then '订单 ' || id else '读者订的印刷本' end from orders
             where id in ([?]) and coalesce(maker_id, member_id) = $1
             order by created_at desc, id desc"
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
            Some(_) => {
                sql!(
                    "select id from orders where noted = 0 and member_id = $1 and id > $2 order by id limit $3"
                )
            }
            None => {
                sql!("select id from orders where noted = 0 and $1 = '' and id > $2 order by id limit $3")
            }
        };
        Ok(with_tx!(tx, |conn| sqlx::query_scalar(sql.text())
            .bind(member.map_or("", MemberId::as_str))
            .bind(after)
            .bind(most)
            .fetch_all(conn)
            .await)?)
    }

    async fn note(&self, tx: &mut Tx, id: &str) -> Result<(), Error> {
        let member: Option<String> = with_tx!(tx, |conn| sqlx::query_scalar(
            "update orders set noted = 1 where id = $1 returning coalesce(maker_id, member_id)"
        )
        .bind(id)
        .fetch_optional(conn)
        .await)?;
        let Some(member) = member else { return Ok(()) };
        let texts: Vec<String> =
            with_tx!(tx, |conn| sqlx::query_scalar("select document from order_lines where order_id = $1")
                .bind(id)
                .fetch_all(conn)
                .await)?;
        let documents: Vec<Document> =
            texts.iter().map(|text| db::json("document", text)).collect::<Result<_, _>>()?;
        let (order, member) =
            (id.parse().map_err(Error::internal)?, member.try_into().map_err(Error::internal)?);
        placed(tx, &order, &member, &shown(documents.iter())).await
    }
}
