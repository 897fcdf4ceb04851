//! SQL of sales.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::lists;
use domain::ids::{MemberId, SaleId};
use domain::money::{Fen, Rate};
use domain::package::{Span, Term};
use domain::sale::{Earning, SaleState};

use super::{Subject, term};
use crate::SoldDay;

/// Something that somebody buys.
#[derive(Debug, Clone)]
pub struct Sale {
    pub id: SaleId,
    pub buyer: MemberId,
    pub buyer_name: String,
    pub seller: MemberId,
    pub subject: Subject,
    pub title: String,
    pub term: Term,
    /// What it is sold for.
    pub amount: Fen,
    /// What of it is counted from earlier terms.
    pub credit: Fen,
    pub rate: Rate,
    /// Its reader is whoever has its code.
    pub is_gift: bool,
    pub state: SaleState,
    /// `balance`, or a way of payment from outside.
    pub way: Option<String>,
    /// What it is earned over; none while it is unpaid, and of a gift that nobody has taken.
    pub span: Option<Span>,
    pub earned: Fen,
    pub refunded: Fen,
    pub next_earning_at: Option<i64>,
    pub created_at: i64,
    pub paid_at: Option<i64>,
    pub refunded_at: Option<i64>,
    /// What took its place, of one whose rest went into that.
    pub replaced_by: Option<SaleId>,
}

impl Sale {
    /// Its money, when it was paid.
    pub fn earning(&self) -> Option<Earning> {
        let Self { amount, rate, span, earned, refunded, .. } = *self;
        (self.state != SaleState::Unpaid).then_some(Earning { amount, rate, span, earned, refunded })
    }

    /// What its buyer pays, beside what is counted.
    pub fn due(&self) -> Fen {
        self.amount.minus(self.credit).unwrap_or_default().max(Fen::ZERO)
    }

    /// Its state, as people read it.
    pub fn standing(&self) -> &'static str {
        if self.replaced_by.is_some() { "已换订" } else { self.state.name() }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    buyer_id: String,
    buyer_name: String,
    seller_id: String,
    package_id: Option<String>,
    kind: Option<String>,
    item_id: Option<String>,
    title: String,
    term_unit: String,
    term_count: i64,
    amount: i64,
    credit: i64,
    fee_rate: String,
    is_gift: i64,
    state: String,
    way: Option<String>,
    span_from: Option<i64>,
    span_until: Option<i64>,
    earned: i64,
    refunded: i64,
    next_earning_at: Option<i64>,
    created_at: i64,
    paid_at: Option<i64>,
    refunded_at: Option<i64>,
    replaced_by: Option<String>,
}

impl TryFrom<Row> for Sale {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            buyer: row.buyer_id.try_into().map_err(Error::internal)?,
            buyer_name: row.buyer_name,
            seller: row.seller_id.try_into().map_err(Error::internal)?,
            subject: Subject::of(row.package_id, row.kind, row.item_id)?,
            title: row.title,
            term: term(&row.term_unit, row.term_count)?,
            amount: Fen(row.amount),
            credit: Fen(row.credit),
            is_gift: row.is_gift == 1,
            rate: row.fee_rate.parse().map_err(Error::internal)?,
            state: row.state.parse().map_err(Error::internal)?,
            way: row.way,
            span: row.span_from.map(|from| Span { from, until: row.span_until }),
            earned: Fen(row.earned),
            refunded: Fen(row.refunded),
            next_earning_at: row.next_earning_at,
            created_at: row.created_at,
            paid_at: row.paid_at,
            refunded_at: row.refunded_at,
            replaced_by: row.replaced_by.map(TryInto::try_into).transpose().map_err(Error::internal)?,
        })
    }
}

const COLUMNS: &str = "id, buyer_id, buyer_name, seller_id, package_id, kind, item_id, title, term_unit, term_count, amount, \
                       credit, fee_rate, is_gift, state, way, span_from, span_until, earned, refunded, next_earning_at, \
                       created_at, paid_at, refunded_at, replaced_by";

/// Writes a new sale that nobody has paid.
pub async fn insert(tx: &mut Tx, sale: &Sale) -> Result<(), Error> {
    let item = sale.subject.item();
    with_tx!(tx, |conn| sqlx::query(
        "insert into sales (id, buyer_id, buyer_name, seller_id, package_id, kind, item_id, title, term_unit,
                            term_count, amount, fee_rate, state, created_at, credit, is_gift)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(sale.id.as_str())
    .bind(sale.buyer.as_str())
    .bind(&sale.buyer_name)
    .bind(sale.seller.as_str())
    .bind(sale.subject.package())
    .bind(item.map(|(kind, _)| kind))
    .bind(item.map(|(_, id)| id))
    .bind(&sale.title)
    .bind(sale.term.unit())
    .bind(i64::from(sale.term.count()))
    .bind(sale.amount.0)
    .bind(sale.rate.to_string())
    .bind(sale.state.code())
    .bind(sale.created_at)
    .bind(sale.credit.0)
    .bind(i64::from(sale.is_gift))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// The sale of the same thing on the same terms that a buyer has begun since a moment and not paid.
pub async fn open_like(tx: &mut Tx, sale: &Sale, since: i64) -> Result<Option<SaleId>, Error> {
    let (kind, item) = sale.subject.item().unzip();
    let id: Option<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select id from sales where buyer_id = $1 and state = 'unpaid' and coalesce(package_id, '') = $2
           and coalesce(kind, '') = $3 and coalesce(item_id, '') = $4 and title = $5 and term_unit = $6
           and term_count = $7 and amount = $8 and fee_rate = $9 and created_at >= $10 and credit = $11 and is_gift = 0
         order by id desc limit 1",
    )
    .bind(sale.buyer.as_str())
    .bind(sale.subject.package().unwrap_or_default())
    .bind(kind.unwrap_or_default())
    .bind(item.unwrap_or_default())
    .bind(&sale.title)
    .bind(sale.term.unit())
    .bind(i64::from(sale.term.count()))
    .bind(sale.amount.0)
    .bind(sale.rate.to_string())
    .bind(since)
    .bind(sale.credit.0)
    .fetch_optional(conn)
    .await
    })?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// One of a buyer's own.
pub async fn find_for_buyer(db: &Db, id: &SaleId, buyer: &MemberId) -> Result<Sale, Error> {
    let sql = sql!("select {COLUMNS} from sales where id = $1 and buyer_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(buyer.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a seller's own that was paid.
pub async fn find_for_seller(db: &Db, id: &SaleId, seller: &MemberId) -> Result<Sale, Error> {
    let sql = sql!("select {COLUMNS} from sales where id = $1 and seller_id = $2 and state <> 'unpaid'");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(seller.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any sale.
pub async fn find_within(tx: &mut Tx, id: &SaleId) -> Result<Sale, Error> {
    let sql = sql!("select {COLUMNS} from sales where id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a buyer's own within a transaction, where there is one.
pub async fn find_own(tx: &mut Tx, id: &SaleId, buyer: &MemberId) -> Result<Option<Sale>, Error> {
    let sql = sql!("select {COLUMNS} from sales where id = $1 and buyer_id = $2");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(buyer.as_str())
        .fetch_optional(conn)
        .await)?;
    row.map(Sale::try_from).transpose()
}

/// Any sale, whose row is held until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &SaleId) -> Result<Sale, Error> {
    let sql = sql!("update sales set state = state where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Writes what can change of a sale that is held.
pub async fn update(tx: &mut Tx, sale: &Sale) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update sales set state = $2, way = $3, span_from = $4, span_until = $5, earned = $6, refunded = $7,
                          next_earning_at = $8, paid_at = $9, refunded_at = $10, amount = $11, credit = $12,
                          replaced_by = $13
         where id = $1",
    )
    .bind(sale.id.as_str())
    .bind(sale.state.code())
    .bind(sale.way.as_deref())
    .bind(sale.span.map(|span| span.from))
    .bind(sale.span.and_then(|span| span.until))
    .bind(sale.earned.0)
    .bind(sale.refunded.0)
    .bind(sale.next_earning_at)
    .bind(sale.paid_at)
    .bind(sale.refunded_at)
    .bind(sale.amount.0)
    .bind(sale.credit.0)
    .bind(sale.replaced_by.as_ref().map(SaleId::as_str))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Which of a seller's sales are listed: those in a state, and with a search in title, buyer or number.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub state: Option<SaleState>,
    pub search: String,
}

/// A seller's paid sales, the newest first, from behind one on.
pub async fn of_seller(
    db: &Db,
    seller: &MemberId,
    filter: &Filter,
    before: Option<&SaleId>,
    most: i64,
) -> Result<Vec<Sale>, Error> {
    let sql = sql!(
        "select {COLUMNS} from sales where seller_id = $1 and state <> 'unpaid' and ($2 = '' or state = $2)
           and ($3 = '%%' or lower(title) like lower($3) escape '\\' or lower(buyer_name) like lower($3) escape '\\'
                or lower(id) like lower($3) escape '\\')
           and ($4 = '' or id < $4) order by id desc limit $5"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(seller.as_str())
        .bind(filter.state.map_or("", SaleState::code))
        .bind(lists::pattern(&filter.search))
        .bind(before.map_or("", SaleId::as_str))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Sale::try_from).collect()
}

/// Sales of a seller in a span of time, by day; of a thing alone and of packages that hold it, where one is named.
pub async fn by_day(
    db: &Db,
    seller: &MemberId,
    thing: Option<(&str, &str)>,
    (from, until): (i64, i64),
) -> Result<Vec<SoldDay>, Error> {
    let (kind, item) = thing.unwrap_or_default();
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select (paid_at + 28800000) / 86400000 as day, count(*) as count,
            cast(sum(amount - refunded) as bigint) as amount,
            cast(sum(case when state = 'refunded' then 1 else 0 end) as bigint) as refunded
         from sales where seller_id = $1 and state <> 'unpaid' and paid_at >= $2 and paid_at < $3
           and ($4 = '' or (kind = $4 and item_id = $5) or package_id in
             (select package_id from package_contents where kind = $4 and item_id = $5))
         group by (paid_at + 28800000) / 86400000 order by 1",
    )
    .bind(seller.as_str())
    .bind(from)
    .bind(until)
    .bind(kind)
    .bind(item)
    .fetch_all(pool)
    .await)?)
}

/// Forgets sales of a thing by itself that nobody has paid: it is offered no more.
pub async fn forget_unpaid(tx: &mut Tx, seller: &MemberId, kind: &str, item: &str) -> Result<(), Error> {
    for sql in [
        sql!(
            "delete from gifts where sale_id in (select id from sales
             where seller_id = $1 and kind = $2 and item_id = $3 and state = 'unpaid')"
        ),
        sql!("delete from sales where seller_id = $1 and kind = $2 and item_id = $3 and state = 'unpaid'"),
    ] {
        with_tx!(&mut *tx, |conn| sqlx::query(sql.text())
            .bind(seller.as_str())
            .bind(kind)
            .bind(item)
            .execute(conn)
            .await
            .map(drop))?;
    }
    Ok(())
}

/// Sales of a thing by itself that were paid and not given back.
pub async fn paid_singles(db: &Db, seller: &MemberId, kind: &str, item: &str) -> Result<Vec<Sale>, Error> {
    let sql = sql!(
        "select {COLUMNS} from sales where seller_id = $1 and kind = $2 and item_id = $3 and state = 'paid' order by id"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(seller.as_str())
        .bind(kind)
        .bind(item)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Sale::try_from).collect()
}

/// A reader's paid packages of a seller that run or are to come, gifts to others apart.
pub async fn running(
    tx: &mut Tx,
    reader: &MemberId,
    seller: &MemberId,
    now: i64,
) -> Result<Vec<Sale>, Error> {
    let sql = sql!(
        "select {COLUMNS} from sales where buyer_id = $1 and seller_id = $2 and state = 'paid' and is_gift = 0
           and package_id is not null and span_until > $3 order by id"
    );
    let rows: Vec<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(reader.as_str())
        .bind(seller.as_str())
        .bind(now)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Sale::try_from).collect()
}

/// Every paid sale behind one, for checking the books.
pub async fn paid_after(tx: &mut Tx, after: &str, most: i64) -> Result<Vec<Sale>, Error> {
    let sql = sql!("select {COLUMNS} from sales where state <> 'unpaid' and id > $1 order by id limit $2");
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(after).bind(most).fetch_all(conn).await)?;
    rows.into_iter().map(Sale::try_from).collect()
}
