//! SQL of gifts. Whoever holds a gift's sale holds the gift.

use std::str::FromStr;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::gift::{Gift as Facts, Way};
use domain::ids::{MemberId, SaleId};

use super::sales::Sale;

/// What goes with a sale that is a gift.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gift {
    pub sale: SaleId,
    pub way: Way,
    pub address: String,
    pub receiver: String,
    pub giver: String,
    pub words: String,
    /// What its code is made of; `None` when nobody can redeem it any more.
    pub salt: Option<String>,
    pub digest: String,
    pub send_at: Option<i64>,
    pub sent: i64,
    pub sent_at: Option<i64>,
    pub taken_by: Option<MemberId>,
    pub taken_at: Option<i64>,
}

impl Gift {
    /// What decides about it.
    pub fn facts(&self, sale: &Sale) -> Facts {
        Facts {
            way: self.way,
            sale: sale.state,
            taken_at: self.taken_at,
            send_at: self.send_at,
            sent: self.sent,
            sent_at: self.sent_at,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    sale_id: String,
    way: String,
    address: String,
    receiver: String,
    giver: String,
    words: String,
    salt: Option<String>,
    digest: String,
    send_at: Option<i64>,
    sent: i64,
    sent_at: Option<i64>,
    taken_by: Option<String>,
    taken_at: Option<i64>,
}

impl TryFrom<Row> for Gift {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            sale: row.sale_id.try_into().map_err(Error::internal)?,
            way: Way::from_str(&row.way).map_err(Error::internal)?,
            address: row.address,
            receiver: row.receiver,
            giver: row.giver,
            words: row.words,
            salt: row.salt,
            digest: row.digest,
            send_at: row.send_at,
            sent: row.sent,
            sent_at: row.sent_at,
            taken_by: row.taken_by.map(TryInto::try_into).transpose().map_err(Error::internal)?,
            taken_at: row.taken_at,
        })
    }
}

const COLUMNS: &str = "sale_id, way, address, receiver, giver, words, salt, digest, send_at, sent, sent_at, taken_by, \
                       taken_at";

/// Writes a new one.
pub async fn insert(tx: &mut Tx, gift: &Gift) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into gifts (sale_id, way, address, receiver, giver, words, salt, digest, send_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(gift.sale.as_str())
    .bind(gift.way.code())
    .bind(&gift.address)
    .bind(&gift.receiver)
    .bind(&gift.giver)
    .bind(&gift.words)
    .bind(gift.salt.as_deref())
    .bind(&gift.digest)
    .bind(gift.send_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Writes anew what its giver typed.
pub async fn rewrite(tx: &mut Tx, gift: &Gift) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update gifts set way = $2, address = $3, receiver = $4, giver = $5, words = $6, send_at = $7
         where sale_id = $1",
    )
    .bind(gift.sale.as_str())
    .bind(gift.way.code())
    .bind(&gift.address)
    .bind(&gift.receiver)
    .bind(&gift.giver)
    .bind(&gift.words)
    .bind(gift.send_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// The gift of a sale.
pub async fn find(tx: &mut Tx, sale: &SaleId) -> Result<Gift, Error> {
    let sql = sql!("select {COLUMNS} from gifts where sale_id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(sale.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The one whose code has this digest.
pub async fn by_digest(tx: &mut Tx, digest: &str) -> Result<Option<Gift>, Error> {
    let sql = sql!("select {COLUMNS} from gifts where digest = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(digest).fetch_optional(conn).await)?;
    row.map(Gift::try_from).transpose()
}

/// Gives it to a reader, if nobody has it: one of any number at once is the first, and no other finds it open.
pub async fn take(tx: &mut Tx, sale: &SaleId, reader: &MemberId, now: i64) -> Result<bool, Error> {
    let taken = with_tx!(tx, |conn| sqlx::query(
        "update gifts set taken_by = $2, taken_at = $3, salt = null
         where sale_id = $1 and taken_at is null and salt is not null
           and exists (select 1 from sales s where s.id = gifts.sale_id and s.state = 'paid')",
    )
    .bind(sale.as_str())
    .bind(reader.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(taken == 1)
}

/// Forgets what its code is made of and where it was sent: nobody can redeem it any more.
pub async fn close(tx: &mut Tx, sale: &SaleId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update gifts set salt = null, address = '' where sale_id = $1")
        .bind(sale.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes that a message left.
pub async fn set_sent(tx: &mut Tx, sale: &SaleId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update gifts set sent = sent + 1, sent_at = $2 where sale_id = $1")
        .bind(sale.as_str())
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Whether a member took the gift whose code has this digest.
pub async fn is_taken_by(db: &Db, digest: &str, member: &MemberId) -> Result<bool, Error> {
    let count: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from gifts where digest = $1 and taken_by = $2"
    )
    .bind(digest)
    .bind(member.as_str())
    .fetch_one(pool)
    .await)?;
    Ok(count > 0)
}

/// The sales of a giver's paid gifts, the newest first, from behind one on.
pub async fn of_giver(db: &Db, giver: &MemberId, before: &str, most: i64) -> Result<Vec<SaleId>, Error> {
    let ids: Vec<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select id from sales where buyer_id = $1 and is_gift = 1 and state <> 'unpaid' and ($2 = '' or id < $2)
         order by id desc limit $3",
    )
    .bind(giver.as_str())
    .bind(before)
    .bind(most)
    .fetch_all(pool)
    .await
    })?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// How many paid gifts of a thing, by itself and in packages that held it when they were paid, nobody has taken.
pub async fn count_open(db: &Db, kind: &str, item: &str) -> Result<usize, Error> {
    // each way to it by its own index
    let count: i64 = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select count(*) from sales s join gifts g on g.sale_id = s.id
         where s.state = 'paid' and s.is_gift = 1 and g.taken_at is null and s.id in (
             select id from sales where is_gift = 1 and kind = $1 and item_id = $2
             union select s2.id from package_contents c join sales s2 on s2.package_id = c.package_id and s2.is_gift = 1
                 where c.kind = $1 and c.item_id = $2 and (c.removed_at is null or c.removed_at > s2.paid_at))",
    )
    .bind(kind)
    .bind(item)
    .fetch_one(pool)
    .await
    })?;
    usize::try_from(count).map_err(Error::internal)
}

/// How many paid gifts of a giver nobody has taken.
pub async fn untaken(tx: &mut Tx, giver: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from gifts g join sales s on s.id = g.sale_id
         where s.buyer_id = $1 and s.state = 'paid' and s.is_gift = 1 and g.taken_at is null",
    )
    .bind(giver.as_str())
    .fetch_one(conn)
    .await)?)
}
