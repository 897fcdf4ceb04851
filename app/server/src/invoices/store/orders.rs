//! SQL of the orders that can be invoiced.

use domain::ids::{MemberId, OrderId};
use domain::invoice::is_invoiced;
use domain::money::Fen;
use domain::order_state::OrderState;

use crate::orders::content;
use platform::db::{Db, with_db};
use platform::error::Error;

/// A place in the list of orders that can be invoiced.
pub type Position = platform::lists::Position<OrderId>;

/// An order that can be invoiced.
#[derive(Debug, Clone)]
pub struct ToInvoice {
    pub id: OrderId,
    /// Its first title, and how many there are.
    pub content: String,
    pub paid_at: i64,
    /// What is left of it.
    pub rest: Fen,
}

impl ToInvoice {
    /// Where the list goes on behind this order.
    pub fn position(&self) -> Position {
        Position { at: self.paid_at, id: self.id.clone() }
    }
}

/// A member's orders that are paid, of which something is left and no invoice counts, the last paid first.
pub async fn to_invoice(
    db: &Db,
    member: &MemberId,
    before: Option<&Position>,
    limit: i64,
) -> Result<Vec<ToInvoice>, Error> {
    let states: Vec<String> = OrderState::ALL
        .into_iter()
        .filter(|state| is_invoiced(*state))
        .map(|state| format!("'{}'", state.code()))
        .collect();
    let sql = format!(
        "select id, paid_at, total - refunded,
                (select title from order_lines l where l.order_id = o.id order by position limit 1),
                (select count(*) from order_lines l where l.order_id = o.id)
         from orders o
         where member_id = $1 and state in ({}) and paid_at is not null and total > refunded
           and (paid_at < $2 or (paid_at = $2 and id < $3))
           and not exists (select 1 from invoices i where i.order_id = o.id and i.state in ('requested', 'issued'))
         order by paid_at desc, id desc limit $4",
        states.join(", ")
    );
    let rows: Vec<(String, i64, i64, Option<String>, i64)> = with_db!(db, |pool| sqlx::query_as(&sql)
        .bind(member.as_str())
        .bind(before.map_or(i64::MAX, |before| before.at))
        .bind(before.map_or("", |before| before.id.as_str()))
        .bind(limit)
        .fetch_all(pool)
        .await)?;
    rows.into_iter()
        .map(|(id, paid_at, rest, title, lines)| {
            let id = id.try_into().map_err(Error::internal)?;
            let content = content(&title.unwrap_or_default(), lines);
            Ok(ToInvoice { id, content, paid_at, rest: Fen(rest) })
        })
        .collect()
}
