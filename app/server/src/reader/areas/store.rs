//! SQL of hot areas.

use std::collections::HashMap;

use domain::hot_area::{Kind, Place};
use domain::ids::{HotAreaId, MemberId, PageId, WorkId};

use super::HotArea;
use platform::db::{Db, Tx, with_db, with_tx};
use platform::error::Error;

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    page_id: String,
    kind: String,
    x: i64,
    y: i64,
    width: i64,
    height: i64,
    name: String,
    target: String,
    words: String,
}

impl TryFrom<Row> for HotArea {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let side = |value: i64| u32::try_from(value).map_err(Error::internal);
        let place = Place::new(side(row.x)?, side(row.y)?, side(row.width)?, side(row.height)?);
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            page: row.page_id.try_into().map_err(Error::internal)?,
            kind: Kind::of_code(&row.kind).ok_or_else(|| Error::internal("no such kind of area"))?,
            place: place.ok_or_else(|| Error::internal("an area outside its page"))?,
            name: row.name,
            target: row.target,
            words: row.words,
        })
    }
}

/// The areas of a page, in the order in which they are read.
pub async fn of_page(db: &Db, work: &WorkId, page: &PageId) -> Result<Vec<HotArea>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| {
        sqlx::query_as(
            "select id, page_id, kind, x, y, width, height, name, target, words from hot_areas
             where work_id = $1 and page_id = $2 order by y, x, id",
        )
        .bind(work.as_str())
        .bind(page.as_str())
        .fetch_all(pool)
        .await
    })?;
    rows.into_iter().map(HotArea::try_from).collect()
}

/// How many areas the pages of a work have; pages without any are not named.
pub async fn counts(db: &Db, work: &WorkId) -> Result<HashMap<String, i64>, Error> {
    let rows: Vec<(String, i64)> = with_db!(db, |pool| {
        sqlx::query_as("select page_id, count(*) from hot_areas where work_id = $1 group by page_id")
            .bind(work.as_str())
            .fetch_all(pool)
            .await
    })?;
    Ok(rows.into_iter().collect())
}

/// Keeps an area, a new one or in the place of what it was. False where the id is another work's.
pub async fn keep(
    tx: &mut Tx,
    work: &WorkId,
    member: &MemberId,
    area: &HotArea,
    now: i64,
) -> Result<bool, Error> {
    let kept = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into hot_areas (id, work_id, member_id, page_id, kind, x, y, width, height, name, target, words, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict (id) do update set page_id = excluded.page_id, kind = excluded.kind, x = excluded.x,
            y = excluded.y, width = excluded.width, height = excluded.height, name = excluded.name,
            target = excluded.target, words = excluded.words, updated_at = excluded.updated_at
         where hot_areas.work_id = excluded.work_id",
    )
    .bind(area.id.as_str())
    .bind(work.as_str())
    .bind(member.as_str())
    .bind(area.page.as_str())
    .bind(area.kind.code())
    .bind(i64::from(area.place.x))
    .bind(i64::from(area.place.y))
    .bind(i64::from(area.place.width))
    .bind(i64::from(area.place.height))
    .bind(&area.name)
    .bind(&area.target)
    .bind(&area.words)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(kept == 1)
}

/// Takes an area of a work away; one that is gone already is gone.
pub async fn remove(tx: &mut Tx, work: &WorkId, area: &HotAreaId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from hot_areas where id = $1 and work_id = $2")
        .bind(area.as_str())
        .bind(work.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Forgets all areas of a member's works.
pub async fn forget_all(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from hot_areas where member_id = $1")
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
