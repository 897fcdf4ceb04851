//! SQL of lists of orders, in keyset pages: a page begins after the last order of the one before, so that new
//! orders move nothing.

use base::db::{Db, formatcp, joined, sql, with_db};
use base::error::Error;
use base::lists::pattern;
use domain::ids::{MemberId, OrderId};
use domain::order_state::OrderState;

use super::{COLUMNS, Order, Position, Row};

/// Which orders a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only these states; all of them where it is empty.
    pub states: Vec<OrderState>,
    /// Part of a number or of a title, in any case; for operators of a receiver, a phone or a parcel's number, too. Empty
    /// for all.
    pub search: String,
    /// Only those that were paid before this, epoch ms.
    pub paid_before: Option<i64>,
    /// Only those whose members ask to cancel them.
    pub asked: bool,
    /// Only those of which a refund waits for a second person.
    pub second: bool,
    pub sort: Sort,
}

/// What comes first in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// The newest order.
    #[default]
    Newest,
    /// The one that has been in its state for the longest time.
    Waiting,
}

impl Sort {
    /// Where a list goes on behind an order.
    pub fn position(self, order: &Order) -> Position {
        let at = match self {
            Self::Newest => order.created_at,
            Self::Waiting => order.state_since,
        };
        Position { at, id: order.id.clone() }
    }
}

impl Filter {
    /// The states between commas with one at each end, so that one is found by `,code,`.
    fn codes(&self) -> String {
        let codes: String = self.states.iter().map(|state| format!("{},", state.code())).collect();
        if codes.is_empty() { codes } else { format!(",{codes}") }
    }
}

/// A member's orders, the newest first.
pub async fn page_of_member(
    db: &Db,
    member: &MemberId,
    filter: &Filter,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Order>, Error> {
    page(db, member.as_str(), filter, after, most).await
}

/// Everybody's orders, for the operator.
pub async fn staff_page(
    db: &Db,
    filter: &Filter,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Order>, Error> {
    page(db, "", filter, after, most).await
}

/// The states are `$2`.
const IN_STATES: &str = "($2 = '' or $2 like '%,' || state || ',%')";
/// The search is `$3`.
const TITLED: &str = "exists (select 1 from order_lines
                           where order_id = orders.id and lower(title) like lower($3) escape '\\')";
/// The number of an earlier parcel is looked for, too.
const SENT: &str = "exists (select 1 from parcels
                         where order_id = orders.id and lower(parcels.tracking) like lower($3) escape '\\')";
/// The moment before which it was paid is `$4`.
const PAID: &str = "($4 = 0 or paid_at < $4)";

/// The member is `$1`.
const OF_MEMBER: &str = formatcp!(
    "from orders where member_id = $1 and {IN_STATES}
       and ($3 = '%%' or id like lower($3) escape '\\' or {TITLED}) and {PAID}"
);
/// The address is JSON: a receiver and a phone stand in it as they were typed.
const OF_EVERYBODY: &str = formatcp!(
    "from orders where $1 = '' and {IN_STATES}
       and ($3 = '%%' or id like lower($3) escape '\\'
            or lower(address) like lower($3) escape '\\' or lower(coalesce(tracking, '')) like lower($3) escape '\\'
            or {SENT} or {TITLED}) and {PAID}"
);

/// See [`Filter::asked`].
fn asked(filter: &Filter) -> &'static str {
    if filter.asked {
        "and id in (select order_id from cancellation_requests where state = 'open')"
    } else {
        ""
    }
}

/// See [`Filter::second`].
fn second(filter: &Filter) -> &'static str {
    if filter.second {
        "and id in (select about from approvals where kind = 'order' and decided_at is null)"
    } else {
        ""
    }
}

const SELECT: &str = formatcp!("select {COLUMNS}");

const NEWEST: &str = "and (created_at < $5 or created_at = $5 and id < $6)
         order by created_at desc, id desc limit $7";
const WAITING: &str = "and (state_since > $5 or state_since = $5 and id > $6)
         order by state_since asc, id asc limit $7";

/// How many of everybody's orders are in some states, and since when the first of them is in its own; of those that were paid
/// before a moment (epoch ms), where one is given.
pub async fn count(
    db: &Db,
    states: &[OrderState],
    paid_before: Option<i64>,
) -> Result<(i64, Option<i64>), Error> {
    let sql = sql!(
        "select count(*), min(state_since) from orders where ($1 = 0 or paid_at < $1) and state in ([?])"
    )
    .repeated(states.len());
    Ok(with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text()).bind(paid_before.unwrap_or(0));
        states.iter().fold(query, |query, state| query.bind(state.code())).fetch_one(pool).await
    })?)
}

/// All orders in some states.
pub async fn in_states(db: &Db, states: &[OrderState]) -> Result<Vec<(OrderId, OrderState)>, Error> {
    let sql = sql!("select id, state from orders where state in ([?])").repeated(states.len());
    let rows: Vec<(String, String)> = with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text());
        states.iter().fold(query, |query, state| query.bind(state.code())).fetch_all(pool).await
    })?;
    rows.into_iter()
        .map(|(id, state)| {
            Ok((id.try_into().map_err(Error::internal)?, state.parse().map_err(Error::internal)?))
        })
        .collect()
}

/// All orders of those states that a member can't cancel by itself any more (paid before `paid_before`, epoch ms, or begun), and
/// whether its member asks for that.
pub async fn in_states_past_the_hour(
    db: &Db,
    states: &[OrderState],
    paid_before: i64,
) -> Result<Vec<(OrderId, bool)>, Error> {
    let sql = sql!(
        "select id, (select count(*) from cancellation_requests c where c.order_id = orders.id and c.state = 'open')
         from orders where state in ([?]) and (state <> 'paid' or paid_at < $1)"
    )
    .repeated(states.len());
    let rows: Vec<(String, i64)> = with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text()).bind(paid_before);
        states.iter().fold(query, |query, state| query.bind(state.code())).fetch_all(pool).await
    })?;
    rows.into_iter().map(|(id, asks)| Ok((id.try_into().map_err(Error::internal)?, asks > 0))).collect()
}

/// How many ask to be cancelled, and since when the first of them has been in its state.
pub async fn count_asked(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(state_since) from orders
         where id in (select order_id from cancellation_requests where state = 'open')"
    )
    .fetch_one(pool)
    .await)?)
}

async fn page(
    db: &Db,
    member: &str,
    filter: &Filter,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Order>, Error> {
    let whose = if member.is_empty() { OF_EVERYBODY } else { OF_MEMBER };
    let (order, first) = match filter.sort {
        Sort::Newest => (NEWEST, i64::MAX),
        Sort::Waiting => (WAITING, i64::MIN),
    };
    let sql = joined(&[SELECT, whose, asked(filter), second(filter), order]);
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member)
        .bind(filter.codes())
        .bind(pattern(&filter.search))
        .bind(filter.paid_before.unwrap_or(0))
        .bind(after.map_or(first, |after| after.at))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Order::try_from).collect()
}
