//! /staff/payments: bank transfers that are awaited, all payments, and money that somebody has to send back.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::payment::{Method, PaymentState};
use leptos::prelude::*;
use web::render::{loaded, use_query};
use web::staff::here;
use web::ui::lists::{Pager, Search};
use web::ui::records::{Record, Records};
use web::ui::staff::{ExportButtons, StaffShell, waited};

use super::{Answer, LATE_MS, LIST, Numbers, Purpose, REFUNDS, SECOND, STUCK, address, state_of, stuck};
use crate::store::staff::{self as listed, Ends, Listed, Position, ToSend};

/// Rows on one page.
const PAGE: usize = 30;
/// The view of all payments.
const ALL: &str = "all";
/// The views: a word for the address, a name, and what an empty one says.
const VIEWS: [(&str, &str, &str); 5] = [
    ("", "待到账的转账", "没有在等的转账"),
    (REFUNDS, "待汇出的退款", "没有要汇出的退款"),
    (STUCK, "平台没有退成的退款", "没有卡在平台的退款"),
    (SECOND, "待复核", "没有要复核的收款和退款"),
    (ALL, "全部", "还没有收款"),
];

/// What a view lists.
enum Rows {
    Payments(Vec<Listed>),
    Refunds(Vec<ToSend>),
}

impl Rows {
    fn is_empty(&self) -> bool {
        match self {
            Self::Payments(rows) => rows.is_empty(),
            Self::Refunds(rows) => rows.is_empty(),
        }
    }
}

/// Takes out the row that was one too many, and answers where the list goes on.
fn cut<T>(rows: &mut Vec<T>, position: impl Fn(&T) -> Position) -> Option<Position> {
    let more = rows.len() > PAGE;
    rows.truncate(PAGE);
    rows.last().filter(|_| more).map(position)
}

/// GET /staff/payments?view=…&q=…&after=….
#[component]
pub fn StaffPaymentsPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (view, search, after) = (query("view"), lists::search_text(&query("q")), query("after"));
    loaded(
        async move {
            let here = here?;
            let db = &here.app.db;
            let (_, _, empty) = VIEWS.iter().find(|(word, ..)| *word == view).ok_or(Error::NotFound)?;
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            // one more than is shown says whether there is another page
            let most = PAGE as i64 + 1;
            let ends = match view.as_str() {
                REFUNDS => Some(Ends::ByHand),
                STUCK => Some(stuck()),
                _ => None,
            };
            let (rows, next) = if let Some(ends) = ends {
                let mut rows = listed::to_send(db, ends, &search, after.as_ref(), most).await?;
                let next = cut(&mut rows, ToSend::position);
                (Rows::Refunds(rows), next)
            } else {
                let mut rows = match view.as_str() {
                    ALL => listed::newest(db, &search, after.as_ref(), most).await?,
                    SECOND => listed::to_decide(db, &search, after.as_ref(), most).await?,
                    _ => listed::awaited(db, &search, after.as_ref(), most).await?,
                };
                let next = cut(&mut rows, Listed::position);
                (Rows::Payments(rows), next)
            };
            Ok((view, search, *empty, rows, after.is_some(), next))
        },
        |(view, search, empty, rows, is_later, next)| {
            let place = |view: &str, after: Option<&Position>| {
                let after = after.map(ToString::to_string).unwrap_or_default();
                lists::address(LIST, &[("view", view), ("q", &search), ("after", &after)])
            };
            let tabs: Vec<_> = VIEWS
                .iter()
                .map(|(word, name, _)| {
                    let current = (*word == view).then_some("page");
                    view! { <a href=place(word, None) aria-current=current>{*name}</a> }
                })
                .collect();
            let first = is_later.then(|| place(&view, None));
            let next = next.map(|next| place(&view, Some(&next)));
            let kept = vec![("view", view.clone())];
            // the file has all payments that a search finds
            let exported = (view == ALL)
                .then(|| view! { <ExportButtons kind="payments" kept=vec![("q", search.clone())]/> });
            let body = if rows.is_empty() {
                let (title, hint) = if search.is_empty() {
                    (empty, "会员的付款，和要退回去的钱，会列在这里。")
                } else {
                    ("没有符合的收款", "换一个状态，或者搜索别的附言、流水号、账号和订单号。")
                };
                view! { <section class="trim empty"><h2>{title}</h2><p class="quiet">{hint}</p></section> }
                    .into_any()
            } else {
                match rows {
                    Rows::Payments(rows) => view! { <Payments rows/> }.into_any(),
                    Rows::Refunds(rows) => view! { <Refunds rows of_provider=view == STUCK/> }.into_any(),
                }
            };
            view! {
                <StaffShell title="收款".to_owned() assets=&["payments.css", "staff.css"]>
                    <header class="head">
                        <h1>"收款"</h1>
                        <Search action=LIST.to_owned() label="附言、流水号、账号、订单号" search kept/>
                    </header>
                    <nav class="filter" aria-label="收款状态">{tabs}</nav>
                    {body}
                    <Pager first next back="回到开头" further="下一页"/>
                    {exported}
                </StaffShell>
            }
        },
    )
}

#[component]
fn Payments(rows: Vec<Listed>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|Listed { payment, account, waits }| {
            let (mark, state) = state_of(&payment, waits, now);
            let is_awaited = payment.state == PaymentState::Pending && payment.method == Method::Transfer;
            let own = address(&payment.id);
            let about = format!("：{account}，{} 元", payment.amount);
            let (number, bill) = (payment.provider_number, payment.bill.map(|bill| bill.title));
            let act = if is_awaited || waits { "办理" } else { "查看" };
            Record::new()
                .moment("时间", payment.created_at)
                .cell("会员", account)
                .cell("方式", payment.method.name())
                .cell("附言、流水号", view! { <Numbers reference=payment.reference number/> })
                .cell("用途", view! { <Purpose order=payment.order bill/> })
                .cell("状态", view! { <span class=mark>{state}</span> })
                .cell("等了", view! { <Waits since=is_awaited.then_some(payment.created_at) now/> })
                .money("金额", payment.amount)
                .acts(view! { <a class="link" href=own>{act}<span class="sr">{about}</span></a> })
        })
        .collect();
    view! { <Records rows/> }
}

#[component]
fn Refunds(rows: Vec<ToSend>, of_provider: bool) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|row| {
            let own = address(&row.payment);
            let about = format!("：{}，{} 元", row.account, row.amount);
            let original = view! {
                <span>
                    {row.method.name()}" "
                    <Numbers reference=row.reference number=row.provider_number/>
                </span>
            };
            Record::new()
                .moment("时间", row.created_at)
                .cell("会员", row.account)
                .cell("原来的付款", original)
                .cell("原来的用途", view! { <Purpose order=row.order bill=row.bill/> })
                .when(of_provider, |record| {
                    record.cell("平台的回答", view! { <Answer standing=row.standing now/> })
                })
                .cell("等了", view! { <Waits since=Some(row.created_at) now/> })
                .money("要退的金额", row.amount)
                .acts(view! { <a class="link" href=own>"办理"<span class="sr">{about}</span></a> })
        })
        .collect();
    view! { <Records rows/> }
}

/// How long something has waited, where it waits.
#[component]
fn Waits(since: Option<i64>, now: i64) -> impl IntoView {
    since.map(|since| {
        let class = (now - since > LATE_MS).then_some("late");
        view! { <span class=class>{waited(since, now)}</span> }
    })
}
