//! From chosen cart lines to an order: what it would cost, and placing it.

use domain::ids::{CartLineId, OrderId};
use domain::money::Fen;
use domain::order_state::OrderState;
use domain::shipping;
use rand::Rng;

use super::store::{self, Order, OrderLine};
use crate::accounts::Address;
use crate::app::App;
use crate::cart::{self, Line};
use crate::db::now_ms;
use crate::error::Error;
use crate::session::Member;

/// The chosen lines with their sums. Without an address the shipping is not known yet.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub lines: Vec<Line>,
    pub goods_total: Fen,
    pub grams: u64,
}

impl Proposal {
    /// Shipping to an address.
    pub fn shipping(&self, address: &Address) -> Result<Fen, shipping::ShippingError> {
        shipping::cost(&address.province, self.grams)
    }
}

/// Reads `id,id,…` as cart lines of the member; every one of them must be its own. One that was removed meanwhile is
/// named.
pub async fn propose(app: &App, member: &Member, ids: &str) -> Result<Proposal, Error> {
    let mut wanted: Vec<CartLineId> = Vec::new();
    for id in ids.split(',') {
        let id: CartLineId = id.parse().map_err(|_| Error::NotFound)?;
        if !wanted.contains(&id) {
            wanted.push(id);
        }
    }
    let mut lines = cart::lines(app, member).await?;
    lines.retain(|line| wanted.contains(&line.id));
    let missing = wanted.iter().find(|id| lines.iter().all(|line| line.id != **id));
    if let Some(missing) = missing {
        let title = cart::removed_title(app, missing, member).await?.ok_or(Error::NotFound)?;
        return Err(Error::Conflict(format!(
            "《{title}》已从购物车移除。请回到购物车，撤销移除或重新选择后再结算。"
        )));
    }
    let goods_total = Fen::sum(lines.iter().map(|line| line.quote.total)).map_err(Error::internal)?;
    let grams = lines.iter().map(Line::weight_grams).fold(0u64, u64::saturating_add);
    Ok(Proposal { lines, goods_total, grams })
}

/// What stands in the way of ordering a line, as a sentence; `None` when nothing does.
pub async fn obstacle(app: &App, member: &Member, line: &Line) -> Result<Option<String>, Error> {
    if let Some(step) = line.evaluation.stuck().next() {
        return Ok(Some(format!("这本书共 {} 页，{}没有可选的选项", line.pages, step.name)));
    }
    let missing = crate::works::missing_originals(app, &member.id, &line.work.document).await?;
    Ok((!missing.is_empty()).then(|| format!("缺少原图：{}", missing.join("、"))))
}

/// Places an order, or finds the one that the same form placed before.
pub async fn place(
    app: &App,
    member: &Member,
    proposal: Proposal,
    address: Address,
    request_key: &str,
) -> Result<OrderId, Error> {
    let now = now_ms();
    let shipping = proposal.shipping(&address).map_err(|error| Error::BadRequest(error.to_string()))?;
    let total = proposal.goods_total.plus(shipping).map_err(Error::internal)?;
    let order = Order {
        id: new_order_id(now)?,
        member: member.id.clone(),
        state: OrderState::Unpaid,
        goods_total: proposal.goods_total,
        shipping,
        total,
        address,
        created_at: now,
        paid_at: None,
    };
    let mut tx = app.db.begin().await?;
    if let Some(before) = store::insert(&mut tx, &order, request_key).await? {
        return Ok(before);
    }
    for (position, line) in proposal.lines.into_iter().enumerate() {
        if !cart::take(&mut tx, &line, &member.id).await? {
            return Err(Error::Conflict("购物车刚刚有变化，请回到购物车核对后再下单。".into()));
        }
        let frozen = OrderLine {
            position: position as i64 + 1,
            work_id: line.work.id.to_string(),
            title: line.work.document.title.clone(),
            remark: line.remark,
            choice: line.evaluation.choice(),
            document: line.work.document,
            goods: line.goods,
            quote: line.quote,
        };
        store::insert_line(&mut tx, &order.id, &frozen).await?;
    }
    tx.commit().await?;
    Ok(order.id)
}

/// An order number that people can read out: the day, then ten random digits.
fn new_order_id(now: i64) -> Result<OrderId, Error> {
    let day = crate::ui::time::day(now).replace('-', "");
    let number: u64 = rand::rng().random_range(0..10_000_000_000);
    format!("{day}{number:010}").parse().map_err(Error::internal)
}
