//! SQL of members' tiers.

use domain::ids::MemberId;
use domain::membership::Standing;
use domain::tier::Tier;

use std::collections::HashMap;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;

/// What a member's row says of its tier.
pub fn standing(tier: &str, until: Option<i64>, after: Option<&str>) -> Result<Standing, Error> {
    let tier: Tier = tier.parse().map_err(Error::internal)?;
    let after = match (until, after) {
        (None, _) => tier,
        (Some(_), None) => Tier::default(),
        (Some(_), Some(after)) => after.parse().map_err(Error::internal)?,
    };
    Ok(Standing { tier, until, after })
}

/// A member's tier, whose row is held until the transaction ends.
pub async fn hold(tx: &mut Tx, member: &MemberId) -> Result<Standing, Error> {
    let row: Option<(String, Option<i64>, Option<String>)> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "update members set name = name where id = $1 and closed_at is null returning tier, tier_until, tier_after",
    )
    .bind(member.as_str())
    .fetch_optional(conn)
    .await
    })?;
    let (tier, until, after) = row.ok_or(Error::NotFound)?;
    standing(&tier, until, after.as_deref())
}

/// The same without holding it.
pub async fn find(tx: &mut Tx, member: &MemberId) -> Result<Standing, Error> {
    let row: Option<(String, Option<i64>, Option<String>)> = with_tx!(tx, |conn| sqlx::query_as(
        "select tier, tier_until, tier_after from members where id = $1 and closed_at is null",
    )
    .bind(member.as_str())
    .fetch_optional(conn)
    .await)?;
    let (tier, until, after) = row.ok_or(Error::NotFound)?;
    standing(&tier, until, after.as_deref())
}

/// Members that one question names.
const AT_ONCE: usize = 100;

/// The tiers of many members, by their ids; those whose accounts are closed are not among them.
pub async fn of_all(db: &Db, members: &[MemberId]) -> Result<HashMap<MemberId, Standing>, Error> {
    type Row = (String, String, Option<i64>, Option<String>);
    let sql =
        sql!("select id, tier, tier_until, tier_after from members where closed_at is null and id in ([?])");
    let mut found = HashMap::new();
    for part in members.chunks(AT_ONCE) {
        let sql = sql.repeated(part.len());
        let rows: Vec<Row> = with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text());
            part.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all(pool).await
        })?;
        for (id, tier, until, after) in rows {
            found.insert(id.try_into().map_err(Error::internal)?, standing(&tier, until, after.as_deref())?);
        }
    }
    Ok(found)
}

/// Writes it.
pub async fn set(tx: &mut Tx, member: &MemberId, standing: Standing) -> Result<(), Error> {
    let after = standing.until.map(|_| standing.after.name());
    with_tx!(tx, |conn| sqlx::query(
        "update members set tier = $2, tier_until = $3, tier_after = $4 where id = $1"
    )
    .bind(member.as_str())
    .bind(standing.tier.name())
    .bind(standing.until)
    .bind(after)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
