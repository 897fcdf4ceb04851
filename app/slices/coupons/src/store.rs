//! SQL of coupons.

use base::db::{self, Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::coupon::{Benefit, Rule, Standing};
use domain::ids::{CouponId, MemberId, OrderId};
use domain::money::Fen;

mod uses;

pub use uses::{Use, UsePosition, given, uses};

/// A place in the list.
pub type Position = base::lists::Position<CouponId>;

/// A coupon, with what became of it.
#[derive(Debug, Clone)]
pub struct Coupon {
    pub id: CouponId,
    pub name: String,
    /// What everybody may type; none for a batch of codes.
    pub word: Option<String>,
    pub rule: Rule,
    /// Orders that use it now.
    pub used: u32,
    /// How many codes it has; 0 for a word.
    pub codes: i64,
    /// What its codes are made of; none when nobody can have them any more.
    pub salt: Option<String>,
    pub file_until: Option<i64>,
    pub made_by: String,
    pub created_at: i64,
    pub agreed_at: Option<i64>,
    pub ended_at: Option<i64>,
}

impl Coupon {
    /// What became of it, for nobody.
    pub fn standing(&self) -> Standing {
        Standing {
            agreed: self.agreed_at.is_some(),
            ended: self.ended_at.is_some(),
            used: self.used,
            ..Standing::default()
        }
    }

    /// Where the list goes on behind it.
    pub fn position(&self) -> Position {
        Position { at: self.created_at, id: self.id.clone() }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    name: String,
    word: Option<String>,
    benefit: String,
    value: i64,
    cap: Option<i64>,
    least: i64,
    goods: String,
    valid_from: i64,
    valid_until: i64,
    once_a_member: i64,
    most: Option<i64>,
    used: i64,
    codes: i64,
    salt: Option<String>,
    file_until: Option<i64>,
    made_by: String,
    created_at: i64,
    agreed_at: Option<i64>,
    ended_at: Option<i64>,
}

const COLUMNS: &str = "id, name, word, benefit, value, cap, least, goods, valid_from, valid_until, once_a_member, most, used, \
                       codes, salt, file_until, made_by, created_at, agreed_at, ended_at";

impl TryFrom<Row> for Coupon {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let count = |count: i64| u32::try_from(count).map_err(Error::internal);
        let benefit = match row.benefit.as_str() {
            "amount" => Benefit::Amount(Fen(row.value)),
            "percent" => Benefit::Percent { off: count(row.value)?, cap: row.cap.map(Fen) },
            other => return Err(Error::internal(format!("a coupon of {other}"))),
        };
        let rule = Rule {
            benefit,
            least: Fen(row.least),
            goods: db::json("goods", &row.goods)?,
            from: row.valid_from,
            until: row.valid_until,
            once: row.once_a_member == 1,
            most: row.most.map(count).transpose()?,
        };
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            name: row.name,
            word: row.word,
            rule,
            used: count(row.used)?,
            codes: row.codes,
            salt: row.salt,
            file_until: row.file_until,
            made_by: row.made_by,
            created_at: row.created_at,
            agreed_at: row.agreed_at,
            ended_at: row.ended_at,
        })
    }
}

/// What became of a new coupon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inserted {
    Now,
    /// The same form made it before.
    Before,
    /// Another one has its word.
    WordTaken,
}

/// Writes a new coupon without its codes.
pub async fn insert(tx: &mut Tx, coupon: &Coupon) -> Result<Inserted, Error> {
    let rule = &coupon.rule;
    let (benefit, value, cap) = match rule.benefit {
        Benefit::Amount(amount) => ("amount", amount.0, None),
        Benefit::Percent { off, cap } => ("percent", off.into(), cap.map(|cap| cap.0)),
    };
    let inserted = with_tx!(&mut *tx, |conn| {
        sqlx::query(
            "insert into coupons (id, name, word, benefit, value, cap, least, goods, valid_from, valid_until, once_a_member,
                                  most, codes, salt, file_until, made_by, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) on conflict do nothing",
        )
        .bind(coupon.id.as_str())
        .bind(&coupon.name)
        .bind(coupon.word.as_deref())
        .bind(benefit)
        .bind(value)
        .bind(cap)
        .bind(rule.least.0)
        .bind(serde_json::to_string(&rule.goods)?)
        .bind(rule.from)
        .bind(rule.until)
        .bind(i64::from(rule.once))
        .bind(rule.most.map(i64::from))
        .bind(coupon.codes)
        .bind(coupon.salt.as_deref())
        .bind(coupon.file_until)
        .bind(&coupon.made_by)
        .bind(coupon.created_at)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    if inserted == 1 {
        return Ok(Inserted::Now);
    }
    let known: Option<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select id from coupons where id = $1")
            .bind(coupon.id.as_str())
            .fetch_optional(conn)
            .await)?;
    Ok(if known.is_some() { Inserted::Before } else { Inserted::WordTaken })
}

/// Writes some of its codes, from a number on.
pub async fn insert_codes(tx: &mut Tx, id: &CouponId, first: i64, digests: &[String]) -> Result<(), Error> {
    let sql = sql!("insert into coupon_codes (digest, coupon_id, number) values [(?, $1, ?)]");
    let sql = sql.repeated(digests.len());
    with_tx!(tx, |conn| {
        let query = sqlx::query(sql.text()).bind(id.as_str());
        let numbered = digests.iter().zip(first..);
        let query = numbered.fold(query, |query, (digest, number)| query.bind(digest).bind(number));
        query.execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// Notes that it is good: another one agreed, or nobody had to.
pub async fn agree(tx: &mut Tx, id: &CouponId, now: i64) -> Result<bool, Error> {
    let agreed = with_tx!(tx, |conn| sqlx::query(
        "update coupons set agreed_at = $2 where id = $1 and agreed_at is null and ended_at is null"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(agreed == 1)
}

/// Ends it; false where it was ended before.
pub async fn end(tx: &mut Tx, id: &CouponId, now: i64) -> Result<bool, Error> {
    let ended = with_tx!(tx, |conn| sqlx::query(
        "update coupons set ended_at = $2 where id = $1 and ended_at is null"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(ended == 1)
}

/// Forgets what its codes are made of.
pub async fn forget_salt(db: &Db, id: &CouponId) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update coupons set salt = null where id = $1")
        .bind(id.as_str())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Any of them.
pub async fn find(db: &Db, id: &CouponId) -> Result<Coupon, Error> {
    let sql = sql!("select {COLUMNS} from coupons where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The one with a word.
pub async fn with_word(db: &Db, word: &str) -> Result<Option<Coupon>, Error> {
    let sql = sql!("select {COLUMNS} from coupons where word = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(word).fetch_optional(pool).await)?;
    row.map(Coupon::try_from).transpose()
}

/// The one that a code is of, and whether an order uses that.
pub async fn with_code(db: &Db, digest: &str) -> Result<Option<(Coupon, bool)>, Error> {
    let found: Option<(String, Option<String>)> = with_db!(db, |pool| sqlx::query_as(
        "select coupon_id, order_id from coupon_codes where digest = $1"
    )
    .bind(digest)
    .fetch_optional(pool)
    .await)?;
    let Some((id, order)) = found else { return Ok(None) };
    let coupon = find(db, &id.try_into().map_err(Error::internal)?).await?;
    Ok(Some((coupon, order.is_some())))
}

const USES_OF_MEMBER: &str =
    "select count(*) from coupon_uses where coupon_id = $1 and member_id = $2 and returned_at is null";

/// How many orders of a member's use it.
pub async fn uses_of(db: &Db, id: &CouponId, member: &MemberId) -> Result<u32, Error> {
    let sql = sql!("{USES_OF_MEMBER}");
    let uses: i64 = with_db!(db, |pool| sqlx::query_scalar(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_one(pool)
        .await)?;
    u32::try_from(uses).map_err(Error::internal)
}

/// The same within a transaction that has counted one use more ([`count_one`]): nobody else counts one meanwhile.
pub async fn uses_within(tx: &mut Tx, id: &CouponId, member: &MemberId) -> Result<u32, Error> {
    let sql = sql!("{USES_OF_MEMBER}");
    let uses: i64 = with_tx!(tx, |conn| sqlx::query_scalar(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_one(conn)
        .await)?;
    u32::try_from(uses).map_err(Error::internal)
}

/// Counts one use more and holds its row; as it was before that.
pub async fn count_one(tx: &mut Tx, id: &CouponId) -> Result<Coupon, Error> {
    let sql = sql!("update coupons set used = used + 1 where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    let coupon = Coupon::try_from(row.ok_or(Error::NotFound)?)?;
    Ok(Coupon { used: coupon.used.saturating_sub(1), ..coupon })
}

/// Gives a code to an order; false where another one has it.
pub async fn take_code(tx: &mut Tx, digest: &str, order: &OrderId) -> Result<bool, Error> {
    let taken = with_tx!(tx, |conn| sqlx::query(
        "update coupon_codes set order_id = $2 where digest = $1 and order_id is null"
    )
    .bind(digest)
    .bind(order.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(taken == 1)
}

/// Notes that an order uses it.
pub async fn insert_use(
    tx: &mut Tx,
    id: &CouponId,
    order: &OrderId,
    member: &MemberId,
    (code, amount): (&str, Fen),
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into coupon_uses (order_id, coupon_id, member_id, code, amount, used_at) values ($1, $2, $3, $4, $5, $6)"
    )
    .bind(order.as_str())
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(code)
    .bind(amount.0)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// An order uses its coupon no more: it, and its code, can be used again.
pub async fn give_back(tx: &mut Tx, order: &OrderId, now: i64) -> Result<(), Error> {
    let coupon: Option<String> = with_tx!(&mut *tx, |conn| {
        sqlx::query_scalar(
        "update coupon_uses set returned_at = $2 where order_id = $1 and returned_at is null returning coupon_id"
    )
    .bind(order.as_str())
    .bind(now)
    .fetch_optional(conn)
    .await
    })?;
    let Some(coupon) = coupon else { return Ok(()) };
    with_tx!(tx, |conn| {
        sqlx::query("update coupons set used = used - 1 where id = $1")
            .bind(&coupon)
            .execute(&mut *conn)
            .await?;
        sqlx::query("update coupon_codes set order_id = null where order_id = $1")
            .bind(order.as_str())
            .execute(conn)
            .await?;
    });
    Ok(())
}

/// The newest, behind a place.
pub async fn newest(db: &Db, after: Option<&Position>, most: i64) -> Result<Vec<Coupon>, Error> {
    let sql = sql!(
        "select {COLUMNS} from coupons where $1 = '' or created_at < $2 or created_at = $2 and id < $1
         order by created_at desc, id desc limit $3"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(after.map_or(0, |after| after.at))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Coupon::try_from).collect()
}
