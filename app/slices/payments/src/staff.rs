//! Payments in the back office 后台: bank transfers that are awaited, and money that goes back.

pub mod exports;
mod forms;
mod list;
mod payment;
pub mod statements;

use base::db::now_ms;
use base::error::Error;
use domain::days::DAY_MS;
use domain::ids::{OrderId, PaymentId};
use domain::payment::{Method, PaymentState};
use domain::staff::Capability;
use leptos::prelude::*;
use web::app::App;
use web::approvals;
use web::slice::{Queue, Queues};
use web::ui::staff::waited;

use super::store::Payment;
use super::store::refunds::Standing;
use super::store::staff::{self as listed, Ends};
use crate::operate::ARRIVAL;
use crate::refund as refunds;

pub use forms::{arrival, ask_again, decide, decide_arrival, decide_back, end_refund, refund};
pub use list::StaffPaymentsPage;
pub use payment::StaffPaymentPage;

/// Where payments are listed.
const LIST: &str = "/staff/payments";
/// The view of the list that has what somebody has to send back.
const REFUNDS: &str = "refunds";
/// The one that has what a provider does not send back.
const STUCK: &str = "stuck";
/// And the one that has what waits for another person.
const SECOND: &str = "second";
/// How long anything here may wait before it is late, in ms.
const LATE_MS: i64 = DAY_MS;

/// Refunds that hang at a provider.
fn stuck() -> Ends {
    Ends::Provider { now: now_ms() }
}

/// The page of a payment.
fn address(id: &PaymentId) -> String {
    format!("{LIST}/{id}")
}

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let queue = |name, href, (count, oldest)| Queue {
            name,
            href,
            count,
            oldest,
            needs: Capability::Payments,
            late_after_ms: LATE_MS,
        };
        let awaited = listed::count_awaited(&app.db).await?;
        let to_send = listed::count_to_send(&app.db, Ends::ByHand).await?;
        let stuck = listed::count_to_send(&app.db, stuck()).await?;
        let differing = crate::statements::store::count_open(&app.db).await?;
        let to_decide = approvals::count(&app.db, refunds::KIND).await?;
        let arrived = approvals::count(&app.db, ARRIVAL).await?;
        let unsent = approvals::count(&app.db, refunds::BACK).await?;
        Ok(vec![
            queue("待核对的转账", LIST.to_owned(), awaited),
            queue("待汇出的退款", format!("{LIST}?view={REFUNDS}"), to_send),
            queue("平台没有退成的退款", format!("{LIST}?view={STUCK}"), stuck),
            queue("对账的差异", format!("{}?view={}", statements::LIST, statements::OPEN), differing),
            queue("待复核的收款退款", format!("{LIST}?view={SECOND}"), to_decide),
            queue("待复核的到账", format!("{LIST}?view={SECOND}"), arrived),
            queue("待复核的退回余额", format!("{LIST}?view={SECOND}"), unsent),
        ])
    }
}

/// A payment's state for whoever takes the money, with the class of its mark; `waits` where somebody says that it arrived and
/// another one has to agree.
fn state_of(payment: &Payment, waits: bool, now: i64) -> (&'static str, &'static str) {
    match payment.state {
        PaymentState::Paid => ("badge good", "已到账"),
        PaymentState::Closed | PaymentState::Pending if waits => ("badge warn", "待复核"),
        PaymentState::Closed => ("badge", "已关闭"),
        PaymentState::Pending if payment.is_over(now) => ("badge", "已过期"),
        PaymentState::Pending if payment.method == Method::Transfer => ("badge warn", "待到账"),
        PaymentState::Pending => ("badge warn", "待付款"),
    }
}

/// What money is for.
#[component]
fn Purpose(order: Option<OrderId>, bill: Option<String>) -> impl IntoView {
    match (order, bill) {
        (Some(order), _) => {
            let number = order.to_string();
            view! { "订单 "<a class="link num" href=format!("/staff/orders/{order}")>{number}</a> }.into_any()
        }
        (None, Some(title)) => view! { <span>{title}</span> }.into_any(),
        (None, None) => view! { <span>"充值"</span> }.into_any(),
    }
}

/// What a provider said last of a refund, how often in vain, and when.
#[component]
fn Answer(standing: Standing, now: i64) -> impl IntoView {
    let Standing { asked_at, trouble, troubles } = standing;
    let said = match (trouble, asked_at) {
        (Some(trouble), _) => trouble,
        (None, Some(_)) => "平台已经受理，还没有退成".to_owned(),
        (None, None) => "还没有问过平台".to_owned(),
    };
    let times = (troubles > 1).then(|| format!("接连 {troubles} 次"));
    let ago = asked_at.map(|at| format!("{}前", waited(at, now)));
    let when = [times, ago].into_iter().flatten().collect::<Vec<_>>().join("，");
    let when = (!when.is_empty()).then(|| view! { " "<span class="quiet">{when}</span> });
    view! { <span>{said}{when}</span> }
}

/// What a statement of the bank names it by.
#[component]
fn Numbers(reference: Option<String>, number: Option<String>) -> impl IntoView {
    // a cell with nothing in it is none on a phone
    if reference.is_none() && number.is_none() {
        return None;
    }
    let reference = reference.map(|text| view! { <strong class="num">{text}</strong> });
    let number = number.map(|text| view! { <span class="num quiet">{text}</span> });
    let between = (reference.is_some() && number.is_some()).then_some(" ");
    Some(view! { <span>{reference}{between}{number}</span> })
}
