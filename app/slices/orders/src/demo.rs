//! Orders of the demo: placed and paid like any other, at a moment that is past.

use domain::ids::{CartLineId, OrderId};

use super::place::{Source, place_at, propose};
use super::progress;
use accounts::Address;
use ledger::Refusal;
use platform::app::App;
use platform::db::new_id;
use platform::error::Error;
use platform::session::Member;

/// Orders lines of a member's cart and pays them from its balance. Their print files are made when somebody asks for them.
pub async fn demo(
    app: &App,
    member: &Member,
    lines: &[CartLineId],
    address: Address,
    paid_at: i64,
) -> Result<OrderId, Error> {
    let lines = lines.iter().map(CartLineId::as_str).collect::<Vec<_>>().join(",");
    let proposal = propose(app, member, &Source::Cart(lines)).await?;
    let order = place_at(app, member, proposal, address, &new_id::<String>(), paid_at).await?;
    let mut tx = app.db.begin().await?;
    match progress::pay_alone(&mut tx, &order, &member.id, paid_at).await {
        Ok(_) => tx.commit().await?,
        Err(Refusal::Failed(error)) => return Err(error),
        Err(refusal) => return Err(Error::internal(refusal)),
    }
    Ok(order)
}
