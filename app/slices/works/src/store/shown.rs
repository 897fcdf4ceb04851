//! What is asked of the photos that works show, when all that matters is whether they can be printed.

use std::collections::HashMap;

use base::db::{Db, in_parts, sql, with_db};
use base::error::Error;
use domain::ids::{MemberId, PhotoId};

/// A photo, as far as printing it goes.
#[derive(Debug)]
pub struct Mark {
    pub sha256: String,
    pub file_name: String,
    /// Its original is on the way.
    pub is_coming: bool,
    /// It could not be decoded.
    pub is_broken: bool,
}

type Row = (String, String, String, String, Option<String>);

/// Those of the named photos that are the member's. The library may be much larger than what works show of it.
pub async fn marks(db: &Db, member: &MemberId, ids: &[&PhotoId]) -> Result<HashMap<PhotoId, Mark>, Error> {
    let mut found = HashMap::new();
    let sql = sql!(
        "select id, sha256, file_name, state, preview from photos where member_id || '' = $1 and id in ([?])"
    );
    for part in in_parts(ids) {
        let sql = sql.repeated(part.len());
        let rows: Vec<Row> = with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text()).bind(member.as_str());
            part.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all(pool).await
        })?;
        for (id, sha256, file_name, state, preview) in rows {
            let mark = Mark { sha256, file_name, is_coming: preview.is_some(), is_broken: state == "broken" };
            found.insert(id.try_into().map_err(Error::internal)?, mark);
        }
    }
    Ok(found)
}
