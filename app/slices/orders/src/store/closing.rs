//! SQL of orders that an account waits for before it is closed.

use base::db::{Tx, sql, with_tx};
use base::error::Error;
use domain::ids::MemberId;
use domain::order_state::OrderState;

/// A member's orders that have not ended, the newest first.
pub async fn unended(tx: &mut Tx, member: &MemberId) -> Result<Vec<(String, OrderState)>, Error> {
    let ended: Vec<OrderState> = OrderState::ALL.into_iter().filter(|state| state.is_ended()).collect();
    let sql = sql!(
        "select id, state from orders where member_id = $1 and state not in ([?])
         order by created_at desc, id desc"
    );
    let sql = sql.repeated(ended.len());
    let rows: Vec<(String, String)> = with_tx!(tx, |conn| {
        let query = sqlx::query_as(sql.text()).bind(member.as_str());
        ended.iter().fold(query, |query, state| query.bind(state.code())).fetch_all(conn).await
    })?;
    rows.into_iter().map(|(id, state)| Ok((id, state.parse().map_err(Error::internal)?))).collect()
}

/// How many copies of a maker's works were ordered by others and are not received yet.
pub async fn awaited(tx: &mut Tx, maker: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select count(*) from orders where maker_id = $1 and state in ('paid', 'in_production', 'shipped', 'reprint')"
    )
    .bind(maker.as_str())
    .fetch_one(conn)
    .await
    })?)
}
