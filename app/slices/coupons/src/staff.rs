//! Coupons in the back office 后台: the list, a new one, and each with the orders that use it.

pub mod coupon;
pub mod forms;
pub mod list;
pub mod new;

use base::error::Error;
use domain::coupon::{Refused, Standing};
use domain::staff::Capability;
use web::app::App;
use web::approvals;
use web::slice::{Queue, Queues};

use crate::store::Coupon;
use crate::{KIND, LIST};

const HOUR_MS: i64 = 60 * 60_000;

/// The page of a coupon.
pub fn address(id: &domain::ids::CouponId) -> String {
    format!("{LIST}/{id}")
}

/// The class of its mark and what that says.
pub fn mark(coupon: &Coupon, now: i64) -> (&'static str, &'static str) {
    let nobody = Standing { by_member: 0, ..coupon.standing() };
    match coupon.rule.check(nobody, now) {
        Err(_) if coupon.ended_at.is_some() && coupon.agreed_at.is_none() => ("badge", "没有通过"),
        Ok(()) => ("badge good", "可用"),
        Err(Refused::Unknown) => ("badge warn", "待复核"),
        Err(Refused::Ended) => ("badge", "已停用"),
        Err(Refused::NotYet(_)) => ("badge warn", "未开始"),
        Err(Refused::Over(_)) => ("badge", "已过期"),
        Err(_) => ("badge", "已用完"),
    }
}

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let (count, oldest) = approvals::count(&app.db, KIND).await?;
        Ok(vec![Queue {
            name: "待复核的优惠券",
            href: LIST.to_owned(),
            count,
            oldest,
            needs: Capability::Coupons,
            late_after_ms: 24 * HOUR_MS,
        }])
    }
}
