//! The orders' lines of a day's summary.

use async_trait::async_trait;
use base::error::Error;
use domain::money::Fen;
use domain::staff::Capability;
use web::app::App;
use web::slice::{Daily, Figure};

use crate::store::daily;

use super::LIST;

/// See [`Daily`].
#[derive(Debug)]
pub struct AtDay;

#[async_trait]
impl Daily for AtDay {
    async fn figures(&self, app: &App, from: i64, to: i64) -> Result<Vec<Figure>, Error> {
        let (orders, income) = daily::paid(&app.db, from, to).await?;
        let (refunds, back) = daily::given_back(&app.db, from, to).await?;
        let parcels = daily::sent(&app.db, from, to).await?;
        let figure = |name, value, needs| Figure {
            name,
            value,
            href: Some(LIST.to_owned()),
            needs,
            is_of_the_day: true,
        };
        let yuan = |amount: i64| format!("¥{}", Fen(amount).grouped());
        Ok(vec![
            figure("付款的订单", format!("{orders} 单"), Capability::SeeOrders),
            figure("寄出的包裹", format!("{parcels} 个"), Capability::SeeOrders),
            // who counts money sees money
            figure("订单收入", yuan(income), Capability::Payments),
            figure("退款", format!("{}（{refunds} 笔）", yuan(back)), Capability::Payments),
        ])
    }
}
