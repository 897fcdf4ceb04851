//! SQL of what can be invoiced.

use base::db::{Db, sql, with_db};
use base::error::Error;
use domain::ids::MemberId;
use domain::invoice::is_invoiced;
use domain::money::Fen;
use domain::order_state::OrderState;

use crate::bill::Billed;
use orders::content;

/// A place in the list of what can be invoiced.
pub type Position = base::lists::Position<String>;

/// An order or a term that can be invoiced.
#[derive(Debug, Clone)]
pub struct ToInvoice {
    pub of: Billed,
    /// An order's first title, and how many there are; what was bought of a membership.
    pub content: String,
    pub paid_at: i64,
    /// What is left of it.
    pub rest: Fen,
}

impl ToInvoice {
    /// Where the list goes on behind this one.
    pub fn position(&self) -> Position {
        Position { at: self.paid_at, id: self.of.id().to_owned() }
    }
}

/// What a member paid, of which something is left and no invoice counts, the last paid first.
pub async fn to_invoice(
    db: &Db,
    member: &MemberId,
    before: Option<&Position>,
    limit: i64,
) -> Result<Vec<ToInvoice>, Error> {
    let states: Vec<OrderState> = OrderState::ALL.into_iter().filter(|state| is_invoiced(*state)).collect();
    let sql = sql!(
        "select * from (
             select id, '' as term, paid_at, total - refunded - (by_cards - back_to_cards) as rest,
                    (select title from order_lines l where l.order_id = o.id order by position limit 1) as title,
                    (select count(*) from order_lines l where l.order_id = o.id) as things
             from orders o
             where member_id = $1 and state in ([?]) and paid_at is not null
               and total - refunded > by_cards - back_to_cards
               and not exists (select 1 from invoices i where i.order_id = o.id and i.state in ('requested', 'issued'))
             union all
             select id, id as term, paid_at, amount - given_back as rest, tier || ' ' || months || ' 个月' as title, 1 as things
             from membership_terms m
             where member_id = $1 and paid_at is not null and amount > given_back
               and not exists (select 1 from invoices i where i.term_id = m.id and i.state in ('requested', 'issued'))) b
         where paid_at < $2 or (paid_at = $2 and id < $3)
         order by paid_at desc, id desc limit $4"
    );
    let sql = sql.repeated(states.len());
    let rows: Vec<(String, String, i64, i64, Option<String>, i64)> = with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text())
            .bind(member.as_str())
            .bind(before.map_or(i64::MAX, |before| before.at))
            .bind(before.map_or("", |before| before.id.as_str()))
            .bind(limit);
        states.iter().fold(query, |query, state| query.bind(state.code())).fetch_all(pool).await
    })?;
    rows.into_iter()
        .map(|(id, term, paid_at, rest, title, things)| {
            let title = title.unwrap_or_default();
            let (order, content) =
                if term.is_empty() { (&*id, content(&title, things)) } else { ("", title) };
            let of = Billed::read(order, &term).map_err(Error::internal)?;
            Ok(ToInvoice { of, content, paid_at, rest: Fen(rest) })
        })
        .collect()
}
