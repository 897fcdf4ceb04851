//! SQL of lists of orders, in keyset pages: a page begins after the last order of the one before, so that new
//! orders move nothing.

use domain::ids::MemberId;
use domain::order_state::OrderState;

use super::{COLUMNS, Order, Position, Row};
use platform::db::{Db, with_db};
use platform::error::Error;
use platform::lists::pattern;

/// Which orders a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only these states; all of them where it is empty.
    pub states: Vec<OrderState>,
    /// Part of a number or of a title, in any case; empty for all.
    pub search: String,
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

async fn page(
    db: &Db,
    member: &str,
    filter: &Filter,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Order>, Error> {
    let whose = if member.is_empty() { "$1 = ''" } else { "member_id = $1" };
    let sql = format!(
        "select {COLUMNS} from orders where {whose} and ($2 = '' or $2 like '%,' || state || ',%')
           and ($3 = '%%' or id like lower($3) escape '\\'
                or exists (select 1 from order_lines
                           where order_id = orders.id and lower(title) like lower($3) escape '\\'))
           and (created_at < $4 or created_at = $4 and id < $5)
         order by created_at desc, id desc limit $6"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(&sql)
        .bind(member)
        .bind(filter.codes())
        .bind(pattern(&filter.search))
        .bind(after.map_or(i64::MAX, |after| after.at))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Order::try_from).collect()
}
