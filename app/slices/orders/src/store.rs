//! SQL of orders. Frozen copies are written once and never changed.

use std::collections::HashMap;
use std::sync::Arc;

use domain::coupon::Taken;
use domain::document::Document;
use domain::goods::Goods;
use domain::ids::{CartLineId, MemberId, OrderId};
use domain::money::Fen;
use domain::order_state::{OrderState, Times};
use domain::parcel::is_same_waybill;
use domain::price::Quote;
use domain::print_options::Choice;
use domain::review::Said;

use accounts::Address;
use base::db::{self, Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use production::Told;

pub mod check;
pub mod closing;
pub mod daily;
pub mod list;
pub mod parcels;
mod printed;
pub mod refunded;
mod refunds;
pub mod uses;

pub use list::{Filter, page_of_member, staff_page};
pub use printed::{LastOrder, Sold, last_of_works, sold_copies};
pub use refunds::{
    CancellationRequest, decide_request, insert_refund, insert_request, open_request, refund_amount, request,
};

/// A place in a list of orders.
pub type Position = base::lists::Position<OrderId>;

/// An order without its lines.
#[derive(Debug, Clone)]
pub struct Order {
    pub id: OrderId,
    pub member: MemberId,
    pub state: OrderState,
    /// What its lines cost together, with what a coupon takes off them.
    pub goods_total: Fen,
    pub shipping: Fen,
    pub total: Fen,
    pub address: Address,
    pub created_at: i64,
    pub paid_at: Option<i64>,
    /// What was given back so far; never more than the total.
    pub refunded: Fen,
    /// When it came into its state, epoch ms.
    pub state_since: i64,
    /// Of the last of its parcels.
    pub waybill: Option<Waybill>,
    /// Whose work it prints, where that is somebody else's.
    pub royalty: Option<Royalty>,
    /// The coupon that it was placed with.
    pub coupon: Option<Taken>,
    /// What gift cards pay of it: set aside on them as long as it is unpaid.
    pub by_cards: Fen,
    /// What of that went back to them.
    pub back_to_cards: Fen,
}

/// What the maker of an ordered work has from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Royalty {
    pub maker: MemberId,
    /// What of the price is the maker's.
    pub markup: Fen,
    /// What of that waits for the copies to be received.
    pub held: Fen,
}

impl Order {
    /// Whose photos and PDFs it prints.
    pub fn maker(&self) -> &MemberId {
        self.royalty.as_ref().map_or(&self.member, |royalty| &royalty.maker)
    }

    /// What of the payment was not given back.
    pub fn kept(&self) -> Fen {
        self.total.minus(self.refunded).unwrap_or_default()
    }

    /// What is left to pay beside gift cards.
    pub fn due(&self) -> Fen {
        self.total.minus(self.by_cards).unwrap_or(self.total)
    }

    /// What gift cards paid of it and have not got back.
    pub fn kept_by_cards(&self) -> Fen {
        self.by_cards.minus(self.back_to_cards).unwrap_or_default()
    }

    /// What of the payment was not given back, beside gift cards: who pays with one gets no invoice of that (国家税务总局公告 2016
    /// 年第 53 号 第三条).
    pub fn invoiced(&self) -> Fen {
        self.kept().minus(self.kept_by_cards()).unwrap_or_default()
    }

    /// What of an amount that is given back goes to gift cards: they come first (`domain::gift_card::back`).
    pub fn to_cards(&self, amount: Fen) -> Fen {
        amount.min(self.kept_by_cards())
    }

    /// Where an amount goes that is given back, in words.
    pub fn way_back(&self, amount: Fen) -> String {
        let cards = self.to_cards(amount);
        let rest = amount.minus(cards).unwrap_or_default();
        match (cards > Fen::ZERO, rest > Fen::ZERO) {
            (true, true) => format!("礼品卡 ¥{}、余额 ¥{}", cards.grouped(), rest.grouped()),
            (true, false) => format!("礼品卡 ¥{}", cards.grouped()),
            (false, _) => format!("余额 ¥{}", amount.grouped()),
        }
    }

    /// What its lines cost together before a coupon.
    pub fn printing(&self) -> Fen {
        let off = self.coupon.as_ref().map_or(Fen::ZERO, |taken| taken.amount);
        self.goods_total.plus(off).unwrap_or(self.goods_total)
    }

    /// Where a list by when orders were placed goes on behind this one.
    pub fn position(&self) -> Position {
        Position { at: self.created_at, id: self.id.clone() }
    }

    /// The moments that its transitions depend on.
    pub fn times(&self, now: i64) -> Times {
        Times { paid_at: self.paid_at, now }
    }
}

/// A parcel's papers 运单: who carries it, under which number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waybill {
    pub carrier: String,
    pub tracking: String,
}

impl Waybill {
    /// Whether it is the same, whatever the carrier is called there.
    pub fn is(&self, other: &Self) -> bool {
        is_same_waybill((&self.carrier, &self.tracking), (&other.carrier, &other.tracking))
    }
}

/// One frozen line of an order.
#[derive(Debug, Clone)]
pub struct OrderLine {
    pub position: i64,
    pub work_id: String,
    pub title: String,
    pub remark: String,
    /// Lines that print the same share it.
    pub document: Arc<Document>,
    pub goods: Goods,
    pub choice: Choice,
    pub quote: Quote,
    /// When the member confirmed the proof of exactly this, epoch ms.
    pub proofed_at: Option<i64>,
    /// Who had looked at the work when it was ordered, and what they had said of it.
    pub reviewed: Vec<Said>,
}

impl OrderLine {
    /// What is made of the document.
    pub fn making(&self) -> Option<(Goods, Choice)> {
        Some((self.goods.clone(), self.choice.clone()))
    }

    /// As production is told of it.
    pub fn told(&self) -> Told {
        Told {
            line: self.position,
            title: self.title.clone(),
            goods: self.goods.clone(),
            choice: self.choice.clone(),
            copies: self.quote.count.get(),
            pages: self.quote.pages,
        }
    }

    /// As a list names it.
    pub fn named(&self) -> Title {
        let quantity = i64::from(self.quote.count.get());
        Title { position: self.position, title: self.title.clone(), quantity }
    }

    /// The chosen items, step by step.
    pub fn choices(&self) -> Vec<(String, String)> {
        super::choices(&self.goods, &self.choice)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    state: String,
    goods_total: i64,
    shipping: i64,
    total: i64,
    address: String,
    created_at: i64,
    paid_at: Option<i64>,
    refunded: i64,
    state_since: i64,
    carrier: Option<String>,
    tracking: Option<String>,
    maker_id: Option<String>,
    markup: i64,
    markup_held: i64,
    coupon_id: Option<String>,
    coupon_code: Option<String>,
    coupon_rule: Option<String>,
    discount: i64,
    by_cards: i64,
    back_to_cards: i64,
}

impl TryFrom<Row> for Order {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            state: row.state.parse().map_err(Error::internal)?,
            goods_total: Fen(row.goods_total),
            shipping: Fen(row.shipping),
            total: Fen(row.total),
            address: db::json("address", &row.address)?,
            created_at: row.created_at,
            paid_at: row.paid_at,
            refunded: Fen(row.refunded),
            state_since: row.state_since,
            waybill: row.carrier.zip(row.tracking).map(|(carrier, tracking)| Waybill { carrier, tracking }),
            royalty: match row.maker_id {
                None => None,
                Some(maker) => Some(Royalty {
                    maker: maker.try_into().map_err(Error::internal)?,
                    markup: Fen(row.markup),
                    held: Fen(row.markup_held),
                }),
            },
            coupon: row.coupon_id.map(|coupon| Taken {
                coupon,
                code: row.coupon_code.unwrap_or_default(),
                rule: row.coupon_rule.unwrap_or_default(),
                amount: Fen(row.discount),
            }),
            by_cards: Fen(row.by_cards),
            back_to_cards: Fen(row.back_to_cards),
        })
    }
}

const COLUMNS: &str = "id, member_id, state, goods_total, shipping, total, address, created_at, paid_at, refunded, \
                       state_since, carrier, tracking, maker_id, markup, markup_held, coupon_id, coupon_code, coupon_rule, \
                       discount, by_cards, back_to_cards";

/// Writes a new order and its first event. `None` when it is new; the id of the earlier one when the same
/// form placed it before.
pub async fn insert(tx: &mut Tx, order: &Order, request_key: &str) -> Result<Option<OrderId>, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into orders
            (id, member_id, request_key, state, goods_total, shipping, total, address, created_at, state_since, noted,
             maker_id, markup, coupon_id, coupon_code, coupon_rule, discount)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, 1, $10, $11, $12, $13, $14, $15) on conflict (member_id, request_key) do nothing",
    )
    .bind(order.id.as_str())
    .bind(order.member.as_str())
    .bind(request_key)
    .bind(order.state.code())
    .bind(order.goods_total.0)
    .bind(order.shipping.0)
    .bind(order.total.0)
    .bind(serde_json::to_string(&order.address)?)
    .bind(order.created_at)
    .bind(order.royalty.as_ref().map(|royalty| royalty.maker.as_str()))
    .bind(order.royalty.as_ref().map_or(0, |royalty| royalty.markup.0))
    .bind(order.coupon.as_ref().map(|taken| taken.coupon.as_str()))
    .bind(order.coupon.as_ref().map(|taken| taken.code.as_str()))
    .bind(order.coupon.as_ref().map(|taken| taken.rule.as_str()))
    .bind(order.coupon.as_ref().map_or(0, |taken| taken.amount.0))
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if inserted == 1 {
        add_event(tx, &order.id, order.state, "", order.created_at).await?;
        return Ok(None);
    }
    let (id,): (String,) = with_tx!(tx, |conn| sqlx::query_as(
        "select id from orders where member_id = $1 and request_key = $2"
    )
    .bind(order.member.as_str())
    .bind(request_key)
    .fetch_one(conn)
    .await)?;
    Ok(Some(id.try_into().map_err(Error::internal)?))
}

/// The order that a form placed before, if it did.
pub async fn placed_by(db: &Db, member: &MemberId, request_key: &str) -> Result<Option<OrderId>, Error> {
    let row: Option<(String,)> = with_db!(db, |pool| sqlx::query_as(
        "select id from orders where member_id = $1 and request_key = $2"
    )
    .bind(member.as_str())
    .bind(request_key)
    .fetch_optional(pool)
    .await)?;
    row.map(|(id,)| id.try_into().map_err(Error::internal)).transpose()
}

/// One line as it is written, once.
#[derive(Debug, Clone)]
pub struct FrozenLine {
    pub position: i64,
    pub work_id: String,
    pub title: String,
    pub remark: String,
    pub quantity: i64,
    pub total: Fen,
    /// What a coupon takes off it.
    pub discount: Fen,
    /// These are JSON.
    pub document: Arc<str>,
    pub goods: String,
    pub quote: String,
    pub choice: String,
    pub artwork: String,
    pub proofed_at: Option<i64>,
    pub cart_line: Option<CartLineId>,
}

/// Lines that are written by one statement, and bytes of their documents: from there on another one begins.
const AT_ONCE: usize = 100;
const BYTES_AT_ONCE: usize = 4 << 20;

/// Writes an order's lines, each with what reviewers had said of it (JSON).
pub async fn insert_lines(
    tx: &mut Tx,
    order: &OrderId,
    lines: &[FrozenLine],
    reviewed: &[Option<String>],
) -> Result<(), Error> {
    let sql = sql!(
        "insert into order_lines (order_id, position, work_id, title, quantity, remark, total, document, goods, cnums, quote,
                                  proofed_at, artwork, reviewed, discount, cart_line)
         values [($1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)]"
    );
    let mut rest: Vec<_> = lines.iter().zip(reviewed).collect();
    while !rest.is_empty() {
        let mut bytes = 0;
        let part = rest.iter().take(AT_ONCE).take_while(|(line, _)| {
            let is_first_or_fits = bytes < BYTES_AT_ONCE;
            bytes += line.document.len();
            is_first_or_fits
        });
        let count = part.count();
        let later = rest.split_off(count);
        let sql = sql.repeated(rest.len());
        with_tx!(&mut *tx, |conn| {
            let query = sqlx::query(sql.text()).bind(order.as_str());
            rest.iter()
                .fold(query, |query, (line, reviewed)| {
                    query
                        .bind(line.position)
                        .bind(&line.work_id)
                        .bind(&line.title)
                        .bind(line.quantity)
                        .bind(&line.remark)
                        .bind(line.total.0)
                        .bind(&*line.document)
                        .bind(&line.goods)
                        .bind(&line.choice)
                        .bind(&line.quote)
                        .bind(line.proofed_at)
                        .bind(&line.artwork)
                        .bind(reviewed.as_deref())
                        .bind(line.discount.0)
                        .bind(line.cart_line.as_ref().map(CartLineId::as_str))
                })
                .execute(conn)
                .await
                .map(drop)
        })?;
        rest = later;
    }
    Ok(())
}

/// The first of a member's orders that wait to be paid, where there are more than so many; the one that was just written counts.
pub async fn first_unpaid(tx: &mut Tx, member: &MemberId, most: i64) -> Result<Option<OrderId>, Error> {
    let waiting: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select id from orders where member_id = $1 and state = 'unpaid' order by created_at, id limit $2"
    )
    .bind(member.as_str())
    .bind(most.saturating_add(1))
    .fetch_all(conn)
    .await)?;
    if waiting.len() as i64 <= most {
        return Ok(None);
    }
    waiting.into_iter().next().map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// The order of a member's that a line of the cart became part of.
pub async fn ordered(db: &Db, line: &CartLineId, member: &MemberId) -> Result<Option<OrderId>, Error> {
    let order: Option<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
            "select o.id from order_lines l join orders o on o.id = l.order_id
             where l.cart_line = $1 and o.member_id = $2",
        )
        .bind(line.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await
    })?;
    order.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Bytes of all documents of an order's lines.
pub async fn document_bytes(db: &Db, id: &OrderId) -> Result<u64, Error> {
    let bytes: i64 = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select cast(coalesce(sum(octet_length(document)), 0) as bigint) from order_lines where order_id = $1"
    )
    .bind(id.as_str())
    .fetch_one(pool)
    .await
    })?;
    u64::try_from(bytes).map_err(Error::internal)
}

/// Reads a member's order and holds its row, so that only one request at a time moves it. The write that changes
/// nothing is the portable form of `for update`.
pub async fn lock_for_owner(tx: &mut Tx, id: &OrderId, member: &MemberId) -> Result<Order, Error> {
    let sql = sql!("update orders set state = state where id = $1 and member_id = $2 returning {COLUMNS}");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same of any order, for the operator and for deadlines.
pub async fn lock(tx: &mut Tx, id: &OrderId) -> Result<Order, Error> {
    let sql = sql!("update orders set state = state where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Moves an order and notes it in the timeline.
pub async fn set_state(
    tx: &mut Tx,
    id: &OrderId,
    state: OrderState,
    note: &str,
    now: i64,
) -> Result<(), Error> {
    let paid_at = (state == OrderState::Paid).then_some(now);
    with_tx!(tx, |conn| sqlx::query(
        "update orders set state = $2, state_since = $3, paid_at = coalesce($4, paid_at) where id = $1"
    )
    .bind(id.as_str())
    .bind(state.code())
    .bind(now)
    .bind(paid_at)
    .execute(conn)
    .await
    .map(drop))?;
    add_event(tx, id, state, note, now).await
}

/// Keeps what of an order's price waits for its maker, and what the maker has of it by now.
pub async fn set_markup(tx: &mut Tx, id: &OrderId, held: Fen, earned: Fen) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update orders set markup_held = $2, markup_earned = markup_earned + $3 where id = $1"
    )
    .bind(id.as_str())
    .bind(held.0)
    .bind(earned.0)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Keeps what gift cards pay of a locked order.
pub async fn set_by_cards(tx: &mut Tx, id: &OrderId, amount: Fen) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update orders set by_cards = $2 where id = $1")
        .bind(id.as_str())
        .bind(amount.0)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Keeps the papers of an order's last parcel: lists and older programs read them here.
pub async fn set_waybill(tx: &mut Tx, id: &OrderId, waybill: Option<&Waybill>) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update orders set carrier = $2, tracking = $3 where id = $1")
        .bind(id.as_str())
        .bind(waybill.map(|waybill| waybill.carrier.as_str()))
        .bind(waybill.map(|waybill| waybill.tracking.as_str()))
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Adds a line to the timeline.
pub async fn add_event(
    tx: &mut Tx,
    id: &OrderId,
    state: OrderState,
    note: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into order_events (order_id, position, state, note, happened_at)
         values ($1, (select count(*) from order_events where order_id = $1), $2, $3, $4)",
    )
    .bind(id.as_str())
    .bind(state.code())
    .bind(note)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// One of a member's own orders.
pub async fn find_for_owner(db: &Db, id: &OrderId, member: &MemberId) -> Result<Order, Error> {
    let sql = sql!("select {COLUMNS} from orders where id = $1 and member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any order, for the operator.
pub async fn find(db: &Db, id: &OrderId) -> Result<Order, Error> {
    let sql = sql!("select {COLUMNS} from orders where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// What a list shows of a line.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Title {
    pub position: i64,
    pub title: String,
    pub quantity: i64,
}

/// An order's titles, without the frozen copies.
pub async fn titles(db: &Db, id: &OrderId) -> Result<Vec<Title>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select position, title, quantity from order_lines where order_id = $1 order by position"
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?)
}

/// The same within a transaction.
pub async fn titles_in(tx: &mut Tx, id: &OrderId) -> Result<Vec<Title>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select position, title, quantity from order_lines where order_id = $1 order by position"
    )
    .bind(id.as_str())
    .fetch_all(conn)
    .await)?)
}

/// What each line of an order costs, and how many copies of it there are.
pub async fn totals(tx: &mut Tx, id: &OrderId) -> Result<Vec<(i64, Fen, u64)>, Error> {
    let rows: Vec<(i64, i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select position, total, quantity from order_lines where order_id = $1"
    )
    .bind(id.as_str())
    .fetch_all(conn)
    .await)?;
    let read =
        |(line, total, quantity)| Ok((line, Fen(total), u64::try_from(quantity).map_err(Error::internal)?));
    rows.into_iter().map(read).collect()
}

#[derive(sqlx::FromRow)]
struct LineRow {
    position: i64,
    work_id: String,
    title: String,
    remark: String,
    document: String,
    goods: String,
    cnums: String,
    artwork: String,
    quote: String,
    proofed_at: Option<i64>,
    reviewed: Option<String>,
}

impl LineRow {
    /// The line; `known` are the documents of those before.
    fn line(self, known: &mut HashMap<String, Arc<Document>>) -> Result<OrderLine, Error> {
        let document = match known.get(&self.document) {
            Some(document) => document.clone(),
            None => {
                let document = Arc::new(db::json("document", &self.document)?);
                known.insert(self.document, Arc::clone(&document));
                document
            }
        };
        Ok(OrderLine {
            position: self.position,
            work_id: self.work_id,
            title: self.title,
            remark: self.remark,
            document,
            goods: db::json("goods", &self.goods)?,
            choice: Choice::kept(&self.cnums, &self.artwork).map_err(Error::internal)?,
            quote: db::json("quote", &self.quote)?,
            proofed_at: self.proofed_at,
            reviewed: self.reviewed.map_or(Ok(Vec::new()), |said| db::json("reviewed", &said))?,
        })
    }
}

/// An order's frozen lines.
pub async fn lines(db: &Db, id: &OrderId) -> Result<Vec<OrderLine>, Error> {
    let rows: Vec<LineRow> = with_db!(db, |pool| {
        sqlx::query_as(
        "select position, work_id, title, remark, document, goods, cnums, artwork, quote, proofed_at, reviewed
         from order_lines where order_id = $1 order by position",
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await
    })?;
    let mut known = HashMap::new();
    rows.into_iter().map(|row| row.line(&mut known)).collect()
}

/// A line of an order without its document.
#[derive(Debug, Clone)]
pub struct SoldLine {
    pub position: i64,
    pub title: String,
    pub remark: String,
    pub goods: Goods,
    pub choice: Choice,
    pub quote: Quote,
}

/// An order's lines without their documents, which are most of them.
pub async fn sold_lines(db: &Db, id: &OrderId) -> Result<Vec<SoldLine>, Error> {
    let rows: Vec<(i64, String, String, String, String, String, String)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select position, title, remark, goods, cnums, artwork, quote from order_lines where order_id = $1 order by position"
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await
    })?;
    rows.into_iter()
        .map(|(position, title, remark, goods, cnums, artwork, quote)| {
            let choice = Choice::kept(&cnums, &artwork).map_err(Error::internal)?;
            let (goods, quote) = (db::json("goods", &goods)?, db::json("quote", &quote)?);
            Ok(SoldLine { position, title, remark, goods, choice, quote })
        })
        .collect()
}

/// What of an order is made now, as production is told of it ([`parcels::Sending::making`]). `state` is the one that it comes
/// into.
pub async fn to_make(tx: &mut Tx, order: &Order, state: OrderState) -> Result<Vec<Told>, Error> {
    let mut told = told(tx, &order.id).await?;
    let order = Order { state, ..order.clone() };
    let making = parcels::sending(tx, &order).await?.making(state);
    told.retain(|line| making.contains_key(&line.line));
    for line in &mut told {
        line.copies = making.get(&line.line).copied().unwrap_or(line.copies);
    }
    Ok(told)
}

/// An order's lines as production is told of them.
async fn told(tx: &mut Tx, id: &OrderId) -> Result<Vec<Told>, Error> {
    let rows: Vec<(i64, String, String, String, String, String)> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "select position, title, goods, cnums, artwork, quote from order_lines where order_id = $1 order by position"
    )
    .bind(id.as_str())
    .fetch_all(conn)
    .await
    })?;
    rows.into_iter()
        .map(|(line, title, goods, cnums, artwork, quote)| {
            let choice = Choice::kept(&cnums, &artwork).map_err(Error::internal)?;
            let quote: Quote = db::json("quote", &quote)?;
            let (copies, pages) = (quote.count.get(), quote.pages);
            let goods = db::json("goods", &goods)?;
            Ok(Told { line, title, goods, choice, copies, pages })
        })
        .collect()
}

/// The frozen document of one line of a member's own order, and whose photos it shows.
pub async fn document(
    db: &Db,
    id: &OrderId,
    position: i64,
    member: &MemberId,
) -> Result<(Document, MemberId), Error> {
    let found: Option<(String, String)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select l.document, coalesce(o.maker_id, o.member_id) from order_lines l join orders o on o.id = l.order_id
         where o.id = $1 and l.position = $2 and o.member_id = $3",
    )
    .bind(id.as_str())
    .bind(position)
    .bind(member.as_str())
    .fetch_optional(pool)
    .await
    })?;
    let (document, maker) = found.ok_or(Error::NotFound)?;
    Ok((db::json("document", &document)?, maker.try_into().map_err(Error::internal)?))
}

/// A line of an order's timeline.
#[derive(Debug, Clone)]
pub struct Event {
    pub state: OrderState,
    /// What a person should know about it; may be empty.
    pub note: String,
    pub at: i64,
}

/// An order's timeline, the first first.
pub async fn events(db: &Db, id: &OrderId) -> Result<Vec<Event>, Error> {
    let rows: Vec<(String, String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select state, note, happened_at from order_events where order_id = $1 order by position"
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(state, note, at)| Ok(Event { state: state.parse().map_err(Error::internal)?, note, at }))
        .collect()
}

/// What is said of a number of lines, the first of which has this title.
pub fn content(title: &str, lines: i64) -> String {
    if lines > 1 { format!("《{title}》等 {lines} 件") } else { format!("《{title}》") }
}

/// An order's content in a few words.
pub async fn content_of(tx: &mut Tx, id: &OrderId) -> Result<String, Error> {
    let titles: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select title from order_lines where order_id = $1 order by position"
    )
    .bind(id.as_str())
    .fetch_all(conn)
    .await)?;
    Ok(content(titles.first().map_or("", String::as_str), titles.len() as i64))
}
