//! What year books show, for the table of uses: the photos that people sent stay in the library as long as they are on a roster.

use std::collections::BTreeSet;

use async_trait::async_trait;
use base::db::{Sql, Tx, sql, with_tx};
use base::error::Error;
use domain::ids::{MemberId, YearBookId};
use web::slice::Shows;
use web::uses::{self, Holder, Shown};

/// The word for year books in the table of uses.
const KIND: &str = "yearbook";

fn holder(id: &YearBookId) -> Holder<'_> {
    Holder { kind: KIND, id: id.as_str() }
}

/// Notes what a book shows by now.
pub async fn note(tx: &mut Tx, id: &YearBookId, member: &MemberId) -> Result<(), Error> {
    let mut files = BTreeSet::new();
    for person in super::people_within(tx, id).await? {
        files
            .extend([person.portrait, person.own].into_iter().flatten().map(|sent| Shown::Photo(sent.photo)));
    }
    uses::show(tx, member, holder(id), 0, &files).await
}

/// Forgets what a book showed.
pub async fn forget(tx: &mut Tx, id: &YearBookId) -> Result<(), Error> {
    uses::forget(tx, holder(id)).await.map(drop)
}

/// See [`Shows`].
pub struct AtUses;

/// Whose uses are of what is there no more.
const GONE: &str = "not exists (select 1 from yearbooks t where t.id = file_uses.holder)";

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
            "select id, '毕业册《' || title || '》' from yearbooks where member_id || '' = $1 and id in ([?])
             order by created_at desc, id desc"
        )
        .repeated(ids.len());
        Ok(with_tx!(tx, |conn| {
            let query = sqlx::query_as(sql.text()).bind(member.as_str());
            ids.iter().fold(query, |query, id| query.bind(id)).fetch_all(conn).await
        })?)
    }

    /// None: every program that knows year books knows uses.
    async fn unnoted(
        &self,
        _tx: &mut Tx,
        _member: Option<&MemberId>,
        _after: &str,
        _most: i64,
    ) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    async fn note(&self, _tx: &mut Tx, _id: &str) -> Result<(), Error> {
        Ok(())
    }
}
