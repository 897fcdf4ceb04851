//! SQL of what was made of a member's works.

use std::collections::HashMap;

use base::db::{self, Db, sql, with_db};
use base::error::Error;
use domain::goods::Goods;
use domain::ids::{MemberId, OrderId, WorkId};
use domain::money::Fen;
use domain::order_state::OrderState;
use domain::price::Quote;
use domain::print_options::Choice;

/// The newest order of a work that was not called off.
#[derive(Debug, Clone)]
pub struct LastOrder {
    pub order: OrderId,
    pub state: OrderState,
    /// When it was placed, epoch ms.
    pub placed_at: i64,
    pub goods: Goods,
    pub choice: Choice,
    /// What was agreed on then.
    pub quote: Quote,
    /// In how many orders the work is, this one among them.
    pub orders: usize,
}

/// Where a work stands in an order.
struct Place {
    order: String,
    position: i64,
    state: String,
    placed_at: i64,
    orders: usize,
}

/// The newest orders of some of a member's works.
pub async fn last_of_works(
    db: &Db,
    member: &MemberId,
    works: &[WorkId],
) -> Result<HashMap<String, LastOrder>, Error> {
    let mut last = HashMap::new();
    for (work, place) in newest(db, member, works).await? {
        let (goods, cnums, artwork, quote): (String, String, String, String) =
            with_db!(db, |pool| sqlx::query_as(
                "select goods, cnums, artwork, quote from order_lines where order_id = $1 and position = $2"
            )
            .bind(&place.order)
            .bind(place.position)
            .fetch_one(pool)
            .await)?;
        let order = LastOrder {
            order: place.order.try_into().map_err(Error::internal)?,
            state: place.state.parse().map_err(Error::internal)?,
            placed_at: place.placed_at,
            goods: db::json("goods", &goods)?,
            choice: Choice::kept(&cnums, &artwork).map_err(Error::internal)?,
            quote: db::json("quote", &quote)?,
            orders: place.orders,
        };
        last.insert(work, order);
    }
    Ok(last)
}

/// Where each work was ordered last. Frozen copies are large, so they are not read here.
async fn newest(db: &Db, member: &MemberId, works: &[WorkId]) -> Result<HashMap<String, Place>, Error> {
    let mut newest: HashMap<String, Place> = HashMap::new();
    if works.is_empty() {
        return Ok(newest);
    }
    let sql = sql!(
        "select l.work_id, o.id, l.position, o.state, o.created_at
         from order_lines l join orders o on o.id = l.order_id
         where o.member_id || '' = $1 and o.state <> $2 and l.work_id in ([?])
         order by o.created_at desc, o.id desc, l.position"
    );
    let sql = sql.repeated(works.len());
    let rows: Vec<(String, String, i64, String, i64)> = with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text()).bind(member.as_str()).bind(OrderState::Cancelled.code());
        works.iter().fold(query, |query, work| query.bind(work.as_str())).fetch_all(pool).await
    })?;
    for (work, order, position, state, placed_at) in rows {
        let place = Place { order, position, state, placed_at, orders: 0 };
        newest.entry(work).or_insert(place).orders += 1;
    }
    Ok(newest)
}

/// What others have ordered of a work, and what its maker has of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sold {
    pub copies: i64,
    /// Received by their buyers, and the maker's.
    pub earned: Fen,
    /// On their way.
    pub held: Fen,
}

/// Counts that; what was called off or given back does not count.
pub async fn sold_copies(db: &Db, maker: &MemberId, work: &WorkId) -> Result<Sold, Error> {
    let (copies, earned, held): (i64, i64, i64) = with_db!(db, |pool| {
        sqlx::query_as(
        "select cast(coalesce(sum(l.quantity - (select coalesce(sum(r.copies), 0) from refunded_copies r
                                               where r.order_id = l.order_id and r.line = l.position)), 0) as bigint),
                cast(coalesce(sum(o.markup_earned), 0) as bigint),
                cast(coalesce(sum(o.markup_held), 0) as bigint)
         from orders o join order_lines l on l.order_id = o.id
         where o.maker_id = $1 and l.work_id = $2 and o.paid_at is not null
           and o.state not in ('cancelled', 'refunded')",
    )
    .bind(maker.as_str())
    .bind(work.as_str())
    .fetch_one(pool)
    .await
    })?;
    Ok(Sold { copies, earned: Fen(earned), held: Fen(held) })
}
