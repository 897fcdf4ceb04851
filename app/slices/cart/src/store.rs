//! SQL of cart lines.

use std::collections::{BTreeSet, HashMap};

use domain::document::{CopyName, Trim};
use domain::ids::{CartLineId, GoodsId, MemberId, WorkId};
use domain::print_options::{Choice, Quantity};
use domain::tier::Tier;

use base::db::{Db, Tx, formatcp, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::forgetting;
use web::app::App;
use works::{OUTLINE_COLUMNS, Outline, OutlineRow};

/// A line as it is kept.
#[derive(Debug, Clone)]
pub struct Stored {
    pub id: CartLineId,
    pub work: WorkId,
    pub goods: GoodsId,
    pub choice: Choice,
    pub quantity: Quantity,
    pub remark: String,
    /// Which copies of a run that differ; empty where it is all of them.
    pub copies: Vec<CopyName>,
    pub updated_at: i64,
    pub proof: Option<Proof>,
}

/// A proof that the member confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// Of the work.
    pub revision: i64,
    /// Epoch ms.
    pub at: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    work_id: String,
    goods_id: String,
    cnums: String,
    artwork: String,
    quantity: i64,
    remark: String,
    copies: Option<String>,
    updated_at: i64,
    proofed_revision: Option<i64>,
    proofed_at: Option<i64>,
}

impl TryFrom<Row> for Stored {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let quantity = u32::try_from(row.quantity).map_err(Error::internal)?;
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            work: row.work_id.try_into().map_err(Error::internal)?,
            goods: row.goods_id.try_into().map_err(Error::internal)?,
            choice: Choice::kept(&row.cnums, &row.artwork).map_err(Error::internal)?,
            quantity: quantity.try_into().map_err(Error::internal)?,
            remark: row.remark,
            copies: row.copies.map_or(Ok(Vec::new()), |copies| serde_json::from_str(&copies))?,
            updated_at: row.updated_at,
            proof: row.proofed_revision.zip(row.proofed_at).map(|(revision, at)| Proof { revision, at }),
        })
    }
}

/// A member's lines, the newest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Stored>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| {
        sqlx::query_as(
            "select id, work_id, goods_id, cnums, artwork, quantity, remark, copies, updated_at,
                proofed_revision, proofed_at
         from cart_lines where member_id = $1 and removed_at is null order by created_at desc, id desc",
        )
        .bind(member.as_str())
        .fetch_all(pool)
        .await
    })?;
    rows.into_iter().map(Stored::try_from).collect()
}

/// One of a member's own lines.
pub async fn find_for_owner(db: &Db, id: &CartLineId, member: &MemberId) -> Result<Stored, Error> {
    let row: Option<Row> = with_db!(db, |pool| {
        sqlx::query_as(
            "select id, work_id, goods_id, cnums, artwork, quantity, remark, copies, updated_at,
                proofed_revision, proofed_at
         from cart_lines where id = $1 and member_id = $2 and removed_at is null",
        )
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await
    })?;
    row.ok_or(Error::NotFound)?.try_into()
}

#[derive(sqlx::FromRow)]
struct RowWithWork {
    #[sqlx(flatten)]
    line: Row,
    #[sqlx(flatten)]
    work: OutlineRow,
}

impl TryFrom<RowWithWork> for (Stored, Outline) {
    type Error = Error;
    fn try_from(row: RowWithWork) -> Result<Self, Error> {
        let line = Stored::try_from(row.line)?;
        let work = row.work.of(line.work.clone())?;
        Ok((line, work))
    }
}

/// Lines of one cart.
pub const MOST_LINES: i64 = 500;

const WITH_WORKS: &str = formatcp!(
    "select c.id, c.work_id, c.goods_id, c.cnums, c.artwork, c.quantity, c.remark, c.copies, c.updated_at, c.proofed_revision,
            c.proofed_at, {OUTLINE_COLUMNS}
     from cart_lines c join works w on w.id = c.work_id and w.member_id = c.member_id
     where c.member_id = $1 and c.removed_at is null"
);

/// A member's lines with their works, the newest first: rows, since a document may be large.
pub async fn of_member_with_works(db: &Db, member: &MemberId) -> Result<Vec<(Stored, Outline)>, Error> {
    let sql = sql!("{WITH_WORKS} order by c.created_at desc, c.id desc");
    let rows: Vec<RowWithWork> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// One of a member's own lines with its work.
pub async fn find_with_work(db: &Db, id: &CartLineId, member: &MemberId) -> Result<(Stored, Outline), Error> {
    let sql = sql!("{WITH_WORKS} and c.id = $2");
    let row: Option<RowWithWork> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(id.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Adds a line unless its id is known; it keeps the line's own time. False where the member has [`MOST_LINES`] others.
pub async fn insert(db: &Db, member: &MemberId, line: &Stored) -> Result<bool, Error> {
    let copies = (!line.copies.is_empty()).then(|| serde_json::to_string(&line.copies)).transpose()?;
    Ok(with_write!(db, |pool| {
        sqlx::query(
            "insert into cart_lines (id, member_id, work_id, goods_id, cnums, artwork, quantity, remark, copies, created_at, updated_at)
             select $1, $2, $3, $4, $5, $10, cast($6 as bigint), $7, $11, cast($8 as bigint), cast($8 as bigint)
             where (select count(*) from cart_lines where member_id = $2) < $9 on conflict (id) do nothing",
        )
        .bind(line.id.as_str())
        .bind(member.as_str())
        .bind(line.work.as_str())
        .bind(line.goods.as_str())
        .bind(line.choice.to_string())
        .bind(i64::from(line.quantity.get()))
        .bind(&line.remark)
        .bind(line.updated_at)
        .bind(MOST_LINES)
        .bind(line.choice.artwork().to_string())
        .bind(copies.as_deref())
        .execute(pool)
        .await?;
        let known: i64 = sqlx::query_scalar("select count(*) from cart_lines where id = $1")
            .bind(line.id.as_str())
            .fetch_one(pool)
            .await?;
        Ok::<_, sqlx::Error>(known == 1)
    })?)
}

/// Saves a line's choices. What is printed otherwise is to be looked at again.
pub async fn save(
    db: &Db,
    id: &CartLineId,
    member: &MemberId,
    choice: &Choice,
    quantity: Quantity,
    remark: &str,
    now: i64,
) -> Result<(), Error> {
    let saved = with_write!(db, |pool| sqlx::query(
        "update cart_lines set proofed_at = case when cnums = $3 and artwork = $7 then proofed_at end,
                               cnums = $3, artwork = $7, quantity = $4, remark = $5, updated_at = $6
         where id = $1 and member_id = $2 and removed_at is null",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(choice.to_string())
    .bind(i64::from(quantity.get()))
    .bind(remark)
    .bind(now)
    .bind(choice.artwork().to_string())
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if saved == 1 { Ok(()) } else { Err(Error::NotFound) }
}

/// Notes that the member confirmed the proof of a line.
pub async fn confirm_proof(
    db: &Db,
    id: &CartLineId,
    member: &MemberId,
    Proof { revision, at }: Proof,
) -> Result<(), Error> {
    let noted = with_write!(db, |pool| sqlx::query(
        "update cart_lines set proofed_revision = $3, proofed_at = $4
         where id = $1 and member_id = $2 and removed_at is null",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(revision)
    .bind(at)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if noted == 1 { Ok(()) } else { Err(Error::NotFound) }
}

/// Saves a line's quantity alone.
pub async fn save_quantity(
    db: &Db,
    id: &CartLineId,
    member: &MemberId,
    quantity: Quantity,
    now: i64,
) -> Result<(), Error> {
    let saved = with_write!(db, |pool| sqlx::query(
        "update cart_lines set quantity = $3, updated_at = $4
         where id = $1 and member_id = $2 and removed_at is null",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(i64::from(quantity.get()))
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if saved == 1 { Ok(()) } else { Err(Error::NotFound) }
}

/// Takes a line out of the cart, or puts it back where `removed_at` is `None`. Doing it twice is no error.
pub async fn set_removed(
    db: &Db,
    id: &CartLineId,
    member: &MemberId,
    removed_at: Option<i64>,
) -> Result<(), Error> {
    let set = with_write!(db, |pool| sqlx::query(
        "update cart_lines set removed_at = $3 where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(removed_at)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if set == 1 { Ok(()) } else { Err(Error::NotFound) }
}

/// Forgets a member's lines that were removed before a time.
pub async fn forget_removed(db: &Db, member: &MemberId, before: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from cart_lines where member_id = $1 and removed_at < $2")
        .bind(member.as_str())
        .bind(before)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// The lines removed since a time with their works' titles, the last removed first.
pub async fn removed_since(db: &Db, member: &MemberId, since: i64) -> Result<Vec<(String, String)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select c.id, w.title from cart_lines c join works w on w.id = c.work_id
         where c.member_id = $1 and c.removed_at >= $2 order by c.removed_at desc",
    )
    .bind(member.as_str())
    .bind(since)
    .fetch_all(pool)
    .await)?)
}

/// Removes lines, each as it was saved at a time; false where somebody saved one since.
pub async fn delete_unchanged(
    tx: &mut Tx,
    lines: impl ExactSizeIterator<Item = (&CartLineId, i64)>,
    member: &MemberId,
) -> Result<bool, Error> {
    let count = lines.len();
    if count == 0 {
        return Ok(true);
    }
    let sql = sql!(
        "delete from cart_lines where member_id = $1 and removed_at is null
         and (id, updated_at) in (values [(?, cast(? as bigint))])"
    );
    let sql = sql.repeated(count);
    let lines: Vec<_> = lines.collect();
    let deleted = with_tx!(tx, |conn| {
        let query = sqlx::query(sql.text()).bind(member.as_str());
        let query = lines.iter().fold(query, |query, (id, saved)| query.bind(id.as_str()).bind(saved));
        query.execute(conn).await.map(|done| done.rows_affected())
    })?;
    Ok(deleted == count as u64)
}

/// Forgets all of a member's lines.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let lines =
        sql!("delete from cart_lines where id in (select id from cart_lines where member_id = $1 limit $2)");
    forgetting::some(tx, &[(lines, 1)], member.as_str()).await
}

/// Deletes the lines that hold a work.
pub async fn forget_work(tx: &mut Tx, work: &WorkId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from cart_lines where work_id = $1")
        .bind(work.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// What a price needs of a line in anybody's cart.
#[derive(Debug, Clone)]
pub struct Held {
    pub choice: Choice,
    pub quantity: Quantity,
    /// The member's.
    pub tier: Tier,
    /// The work's.
    pub trim: Trim,
    pub pages: u32,
    pub is_in_trash: bool,
}

#[derive(sqlx::FromRow)]
struct HeldRow {
    member_id: String,
    cnums: String,
    quantity: i64,
    trim_width: f64,
    trim_height: f64,
    pages: i64,
    trashed_at: Option<i64>,
}

impl HeldRow {
    fn at(self, tier: Tier) -> Result<Held, Error> {
        let quantity = u32::try_from(self.quantity).map_err(Error::internal)?;
        Ok(Held {
            choice: Choice::parse(&self.cnums),
            quantity: quantity.try_into().map_err(Error::internal)?,
            tier,
            trim: Trim { width: self.trim_width, height: self.trim_height },
            pages: u32::try_from(self.pages).map_err(Error::internal)?,
            is_in_trash: self.trashed_at.is_some(),
        })
    }
}

/// The lines that hold goods, in all carts, the newest first.
pub async fn of_goods(app: &App, goods: &GoodsId, most: i64, now: i64) -> Result<Vec<Held>, Error> {
    let rows: Vec<HeldRow> = with_db!(&app.db, |pool| {
        sqlx::query_as(
            "select c.member_id, c.cnums, c.quantity, w.trim_width, w.trim_height, w.pages, w.trashed_at
         from cart_lines c join works w on w.id = c.work_id and w.member_id = c.member_id
         where c.goods_id = $1 and c.removed_at is null order by c.created_at desc, c.id desc limit $2",
        )
        .bind(goods.as_str())
        .bind(most)
        .fetch_all(pool)
        .await
    })?;
    let member = |row: &HeldRow| MemberId::try_from(row.member_id.clone()).map_err(Error::internal);
    let members: BTreeSet<MemberId> = rows.iter().map(member).collect::<Result<_, _>>()?;
    let standings = accounts::standings(app, &members.into_iter().collect::<Vec<_>>()).await?;
    let mut held = Vec::with_capacity(rows.len());
    for row in rows {
        if let Some(standing) = standings.get(&member(&row)?) {
            held.push(row.at(standing.at(now).0)?);
        }
    }
    Ok(held)
}

/// How many lines of all carts hold each goods, by their ids.
pub async fn count_by_goods(db: &Db) -> Result<HashMap<String, i64>, Error> {
    let rows: Vec<(String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select c.goods_id, count(*)
         from cart_lines c join works w on w.id = c.work_id and w.member_id = c.member_id
         where c.removed_at is null group by c.goods_id",
    )
    .fetch_all(pool)
    .await)?;
    Ok(rows.into_iter().collect())
}
