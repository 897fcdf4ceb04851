//! Payments as a file: all of them that a search finds, the newest first.

use async_trait::async_trait;
use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::staff::Capability;
use web::app::App;
use web::exports::{Cell, Export, Rows};
use web::render::Form;

use super::state_of;
use crate::store::staff::{self as listed, Position};

/// Payments at once.
const AT_ONCE: i64 = 500;

/// A row for each payment.
#[derive(Debug)]
pub struct Payments;

#[async_trait]
impl Export for Payments {
    fn kind(&self) -> &'static str {
        "payments"
    }

    fn name(&self) -> &'static str {
        "收款"
    }

    fn needs(&self) -> Capability {
        Capability::Payments
    }

    fn columns(&self) -> &'static [&'static str] {
        &["编号", "时间", "会员", "方式", "附言", "流水号", "订单", "用途", "状态", "金额"]
    }

    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error> {
        let search = lists::search_text(query.get("q"));
        let after: Option<Position> = after.map(str::parse).transpose()?;
        let mut found = listed::newest(&app.db, &search, after.as_ref(), AT_ONCE + 1).await?;
        let more = found.len() as i64 > AT_ONCE;
        found.truncate(AT_ONCE as usize);
        let next = found.last().filter(|_| more).map(|payment| payment.position().to_string());
        let now = now_ms();
        let rows = found.into_iter().map(|listed| {
            let payment = listed.payment;
            let (_, state) = state_of(&payment, listed.waits, now);
            vec![
                Cell::text(payment.id.to_string()),
                Cell::Moment(payment.created_at),
                Cell::text(listed.account),
                Cell::text(payment.method.name()),
                Cell::text(payment.reference.unwrap_or_default()),
                Cell::text(payment.provider_number.unwrap_or_default()),
                Cell::text(payment.order.map(|order| order.to_string()).unwrap_or_default()),
                Cell::text(payment.bill.map(|bill| bill.title).unwrap_or_default()),
                Cell::text(state),
                Cell::Money(payment.amount),
            ]
        });
        Ok((rows.collect(), next))
    }
}
