//! SQL of a member's kept titles. Adding locks the member's row: several at once must not make one too many.

use base::db::{Db, Tx, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{MemberId, TitleId};
use domain::invoice::Title;

/// A title that a member keeps.
#[derive(Debug, Clone)]
pub struct Kept {
    pub id: TitleId,
    pub title: Title,
}

type Row = (String, String, Option<String>);

/// A title from its columns.
pub fn title(name: String, code: Option<String>) -> Result<Title, Error> {
    let code = code.map(|code| code.parse().map_err(Error::internal)).transpose()?;
    Ok(Title::new(name, code))
}

fn kept((id, name, code): Row) -> Result<Kept, Error> {
    Ok(Kept { id: id.try_into().map_err(Error::internal)?, title: title(name, code)? })
}

/// A member's titles, the oldest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Kept>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(
        "select id, name, credit_code from invoice_titles where member_id = $1 order by created_at, id",
    )
    .bind(member.as_str())
    .fetch_all(pool)
    .await)?;
    rows.into_iter().map(kept).collect()
}

/// One of a member's own titles.
pub async fn find_for_owner(db: &Db, id: &TitleId, member: &MemberId) -> Result<Kept, Error> {
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(
        "select id, name, credit_code from invoice_titles where id = $1 and member_id = $2",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    row.map(kept).ok_or(Error::NotFound)?
}

/// Keeps a title; one that is kept already stays once. False when the member has `most` already.
pub async fn insert(tx: &mut Tx, member: &MemberId, kept: &Kept, most: i64, now: i64) -> Result<bool, Error> {
    let (name, code) = (kept.title.name(), kept.title.code().map(|code| code.as_str()));
    accounts::hold_member(tx, member).await?;
    let (known, same): (i64, i64) = with_tx!(tx, |conn| {
        sqlx::query_as(
            "select count(*), count(case when name = $2 and coalesce(credit_code, '') = $3 then 1 end)
             from invoice_titles where member_id = $1",
        )
        .bind(member.as_str())
        .bind(name)
        .bind(code.unwrap_or_default())
        .fetch_one(&mut *conn)
        .await
    })?;
    if same > 0 || known >= most {
        return Ok(same > 0);
    }
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into invoice_titles (id, member_id, name, credit_code, created_at) values ($1, $2, $3, $4, $5)
         on conflict (id) do nothing",
    )
    .bind(kept.id.as_str())
    .bind(member.as_str())
    .bind(name)
    .bind(code)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(true)
}

/// Changes one of a member's own titles; false when it has no such title. Invoices keep what they froze.
pub async fn update(db: &Db, member: &MemberId, kept: &Kept) -> Result<bool, Error> {
    let changed = with_write!(db, |pool| sqlx::query(
        "update invoice_titles set name = $3, credit_code = $4 where id = $1 and member_id = $2",
    )
    .bind(kept.id.as_str())
    .bind(member.as_str())
    .bind(kept.title.name())
    .bind(kept.title.code().map(|code| code.as_str()))
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Removes one of a member's own titles; false when it has no such title.
pub async fn delete(db: &Db, member: &MemberId, id: &TitleId) -> Result<bool, Error> {
    let removed =
        with_write!(db, |pool| sqlx::query("delete from invoice_titles where id = $1 and member_id = $2")
            .bind(id.as_str())
            .bind(member.as_str())
            .execute(pool)
            .await
            .map(|done| done.rows_affected()))?;
    Ok(removed == 1)
}
