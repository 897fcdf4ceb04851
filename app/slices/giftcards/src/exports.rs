//! Gift cards as a file: all that were paid, the newest first, with what is owed on each.

use async_trait::async_trait;
use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::staff::Capability;
use web::app::App;
use web::exports::{Cell, Export, Rows};
use web::render::Form;

use crate::store::{self, Card, Position};

/// Cards at once.
const AT_ONCE: i64 = 500;

/// A row for each card.
#[derive(Debug)]
pub struct GiftCards;

#[async_trait]
impl Export for GiftCards {
    fn kind(&self) -> &'static str {
        "gift-cards"
    }

    fn name(&self) -> &'static str {
        "礼品卡"
    }

    fn needs(&self) -> Capability {
        Capability::Refund
    }

    fn columns(&self) -> &'static [&'static str] {
        &["编号", "状态", "面值", "还有", "付款", "有效期至", "买的会员", "收下的会员", "收下"]
    }

    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error> {
        let search = lists::search_text(query.get("q"));
        let after: Option<Position> = after.map(str::parse).transpose()?;
        let mut found = store::newest(&app.db, &search, after.as_ref(), AT_ONCE + 1).await?;
        let more = found.len() as i64 > AT_ONCE;
        found.truncate(AT_ONCE as usize);
        let next = found.last().filter(|_| more).map(|card| card.position().to_string());
        let now = now_ms();
        let rows = found.into_iter().map(|card: Card| {
            vec![
                Cell::text(card.id.to_string()),
                Cell::text(card.named(now)),
                Cell::Money(card.amount),
                Cell::Money(card.rest()),
                Cell::at(card.paid_at),
                Cell::at(card.expires_at),
                Cell::text(card.buyer.to_string()),
                Cell::text(card.holder.map(|holder| holder.to_string()).unwrap_or_default()),
                Cell::at(card.held_at),
            ]
        });
        Ok((rows.collect(), next))
    }
}
