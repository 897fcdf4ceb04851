//! SQL of hot areas.

use std::collections::HashMap;

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::hot_area::{Kind, Place};
use domain::ids::{HotAreaId, MemberId, PageId, PhotoId, WorkId};
use domain::print_code::PrintCode;
use press::media::MediaFormat;

use super::{HotArea, Media};

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    page_id: String,
    kind: String,
    x: i64,
    y: i64,
    width: i64,
    height: i64,
    more_places: String,
    name: String,
    target: String,
    words: String,
    photos: String,
    media_id: Option<String>,
    sha256: Option<String>,
    format: Option<String>,
    file_name: Option<String>,
    bytes: Option<i64>,
}

impl TryFrom<Row> for HotArea {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let side = |value: i64| u32::try_from(value).map_err(Error::internal);
        let media = match (row.media_id, row.sha256, row.format) {
            (Some(id), Some(sha256), Some(format)) => Some(Media {
                id: id.try_into().map_err(Error::internal)?,
                sha256,
                format: MediaFormat::of_extension(&format)
                    .ok_or_else(|| Error::internal("no such format"))?,
                file_name: row.file_name.unwrap_or_default(),
                bytes: row.bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0),
            }),
            _ => None,
        };
        let place = Place::new(side(row.x)?, side(row.y)?, side(row.width)?, side(row.height)?);
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            page: row.page_id.try_into().map_err(Error::internal)?,
            kind: Kind::of_code(&row.kind).ok_or_else(|| Error::internal("no such kind of area"))?,
            place: place.ok_or_else(|| Error::internal("an area outside its page"))?,
            more: row.more_places.split(';').filter_map(|place| place.parse().ok()).collect(),
            name: row.name,
            target: row.target,
            words: row.words,
            photos: ids(&row.photos),
            media,
        })
    }
}

const COLUMNS: &str =
    "a.id, a.page_id, a.kind, a.x, a.y, a.width, a.height, a.more_places, a.name, a.target, a.words, a.photos, a.media_id,
    m.sha256, m.format, m.file_name, m.bytes from hot_areas a left join hot_media m on m.id = a.media_id";

/// Ids between commas.
fn ids(text: &str) -> Vec<PhotoId> {
    text.split(',').filter_map(|id| id.parse().ok()).collect()
}

/// One area of a work.
pub async fn find(db: &Db, work: &WorkId, area: &HotAreaId) -> Result<Option<HotArea>, Error> {
    let sql = sql!("select {COLUMNS} where a.work_id = $1 and a.id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(work.as_str())
        .bind(area.as_str())
        .fetch_optional(pool)
        .await)?;
    row.map(HotArea::try_from).transpose()
}

/// Every photo that the areas of a work show.
pub async fn photos_of(tx: &mut Tx, work: &WorkId) -> Result<Vec<PhotoId>, Error> {
    let texts: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select photos from hot_areas where work_id = $1 and photos <> ''"
    )
    .bind(work.as_str())
    .fetch_all(conn)
    .await)?;
    Ok(texts.iter().flat_map(|text| ids(text)).collect())
}

/// The areas of a page, in the order in which they are read.
pub async fn of_page(db: &Db, work: &WorkId, page: &PageId) -> Result<Vec<HotArea>, Error> {
    let sql = sql!("select {COLUMNS} where a.work_id = $1 and a.page_id = $2 order by a.y, a.x, a.id");
    let rows: Vec<Row> = with_db!(db, |pool| {
        sqlx::query_as(sql.text()).bind(work.as_str()).bind(page.as_str()).fetch_all(pool).await
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

/// What the areas of a work are known by: how many they are, and when they were kept.
pub async fn stamp(db: &Db, work: &WorkId) -> Result<(i64, i64), Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select count(*), cast(coalesce(sum(updated_at), 0) as bigint) from hot_areas where work_id = $1",
        )
        .bind(work.as_str())
        .fetch_one(pool)
        .await
    })?)
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
        "insert into hot_areas (id, work_id, member_id, page_id, kind, x, y, width, height, name, target, words, updated_at,
            media_id, photos, more_places)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         on conflict (id) do update set page_id = excluded.page_id, kind = excluded.kind, x = excluded.x,
            y = excluded.y, width = excluded.width, height = excluded.height, name = excluded.name,
            target = excluded.target, words = excluded.words, updated_at = excluded.updated_at,
            media_id = excluded.media_id, photos = excluded.photos,
            more_places = excluded.more_places
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
    .bind(area.media.as_ref().map(|media| media.id.as_str()))
    .bind(area.photos.iter().map(PhotoId::as_str).collect::<Vec<_>>().join(","))
    .bind(area.more.iter().map(Place::to_string).collect::<Vec<_>>().join(";"))
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

/// The code that an area has on paper.
pub async fn print_code(db: &Db, area: &HotAreaId) -> Result<Option<PrintCode>, Error> {
    let code: Option<String> = with_db!(db, |pool| {
        sqlx::query_scalar("select code from print_codes where area_id = $1")
            .bind(area.as_str())
            .fetch_optional(pool)
            .await
    })?;
    code.map(|code| code.parse().map_err(Error::internal)).transpose()
}

/// Gives an area a code; nothing where it has one, or the code is another's.
pub async fn keep_print_code(
    db: &Db,
    code: &PrintCode,
    work: &WorkId,
    area: &HotAreaId,
    now: i64,
) -> Result<(), Error> {
    with_write!(db, |pool| {
        sqlx::query(
            "insert into print_codes (code, work_id, area_id, created_at) values ($1, $2, $3, $4)
             on conflict do nothing",
        )
        .bind(code.as_str())
        .bind(work.as_str())
        .bind(area.as_str())
        .bind(now)
        .execute(pool)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// What a code on paper leads to: a work and an area, which need not be there any more.
pub async fn printed(db: &Db, code: &PrintCode) -> Result<Option<(WorkId, HotAreaId)>, Error> {
    let row: Option<(String, String)> = with_db!(db, |pool| {
        sqlx::query_as("select work_id, area_id from print_codes where code = $1")
            .bind(code.as_str())
            .fetch_optional(pool)
            .await
    })?;
    let read = |(work, area): (String, String)| {
        Ok::<_, Error>((work.try_into().map_err(Error::internal)?, area.try_into().map_err(Error::internal)?))
    };
    row.map(read).transpose()
}
