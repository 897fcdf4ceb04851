//! The provider of a demo: its page is ours, and whoever presses the button there has paid, with no money.

use axum::http::HeaderMap;
use domain::ids::PaymentId;

use super::{Bill, Failure, Provider, Receipt, Sending, Sent, Standing};

/// See the module.
pub struct StandIn;

impl StandIn {
    /// What it says of a payment whose button was pressed.
    pub fn receipt(payment: &PaymentId, amount: domain::money::Fen) -> Receipt {
        Receipt { payment: payment.clone(), number: Some(format!("demo-{payment}")), amount }
    }
}

#[async_trait::async_trait]
impl Provider for StandIn {
    async fn begin(&self, bill: &Bill<'_>, _: i64) -> Result<String, Failure> {
        Ok(format!("/manager/payment/{}", bill.id))
    }

    /// What was pressed is settled already.
    async fn query(&self, _: &PaymentId, _: i64) -> Result<Standing, Failure> {
        Ok(Standing::Open)
    }

    async fn close(&self, _: &PaymentId, _: i64) -> Result<(), Failure> {
        Ok(())
    }

    async fn refund(&self, sending: &Sending<'_>, _: i64) -> Result<Sent, Failure> {
        Ok(Sent::Done(format!("demo-{}", sending.id)))
    }

    async fn refund_standing(&self, _: &Sending<'_>, _: i64) -> Result<Option<Sent>, Failure> {
        Ok(None)
    }

    fn read_notification(&self, _: &HeaderMap, _: &[u8], _: i64) -> Result<Option<Receipt>, Failure> {
        Err(Failure::Doubtful("nobody notifies"))
    }
}
