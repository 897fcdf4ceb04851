//! The list of invoices, and one invoice.

use domain::ids::InvoiceId;
use domain::invoice::InvoiceState;
use domain::money::Fen;
use leptos::prelude::*;
use web::render::{here, loaded, parameter, use_query};
use web::ui::parts::{Ask, Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::LIST;
use super::bill::Bill;
use super::red::RedInvoices;
use super::store::to_invoice::{ToInvoice, to_invoice};
use super::store::{self, Invoice};

/// Invoices, and bills, on one page.
const PAGE: usize = 50;

/// GET /manager/invoice: `before` is the last invoice of the page before, `orders` the last thing that can be invoiced of it.
#[component]
pub fn InvoicesPage() -> impl IntoView {
    let here = here();
    let before = use_query("before").and_then(|text| text.parse::<InvoiceId>().ok());
    let orders_before = use_query("orders").and_then(|text| text.parse().ok());
    loaded(
        async move {
            let here = here?;
            let (db, member) = (&here.app.db, &here.member.id);
            // one more than is shown says whether there is another page
            let most = PAGE as i64 + 1;
            let invoices = store::of_member(db, member, before.as_ref(), most).await?;
            let bills = to_invoice(db, member, orders_before.as_ref(), most).await?;
            let first = before.is_none() && orders_before.is_none();
            Ok((here.member, first, invoices, bills))
        },
        |(member, first, invoices, bills)| {
            let body = if first && invoices.is_empty() && bills.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有可以开票的付款"</h2>
                        <p class="quiet">"订单和会员付款以后，在这里申请发票。"</p>
                        <a class="button primary" href="/manager/order">"看看我的订单"</a>
                    </section>
                }
                .into_any()
            } else {
                view! { <div class="stack"><Bills bills/><Invoices invoices/></div> }.into_any()
            };
            view! {
                <Shell member title="发票".to_owned() assets=&["invoices.css"]>
                    <header class="head">
                        <h1>"发票"</h1>
                        <a class="button" href="/manager/invoice/titles">"发票抬头"</a>
                    </header>
                    {body}
                </Shell>
            }
        },
    )
}

/// The link to the next page of a list that had one row too many; that row is taken out.
fn pager<T>(
    rows: &mut Vec<T>,
    name: &'static str,
    label: &'static str,
    key: impl Fn(&T) -> String,
) -> AnyView {
    if rows.len() <= PAGE {
        return ().into_any();
    }
    rows.truncate(PAGE);
    let next = rows.last().map(key).unwrap_or_default();
    view! { <nav class="pager" aria-label=label><a class="button" href=format!("{LIST}?{name}={next}")>{label}</a></nav> }
        .into_any()
}

#[component]
fn Bills(mut bills: Vec<ToInvoice>) -> impl IntoView {
    if bills.is_empty() {
        return None;
    }
    let pager = pager(&mut bills, "orders", "更早的付款", |bill| bill.position().to_string());
    let rows: Vec<_> = bills
        .into_iter()
        .map(|bill| {
            let (of, id) = (bill.of.to_string(), bill.of.id().to_owned());
            let apply = view! {
                <a class="button" href=bill.of.form()>"申请发票"<span class="sr">{format!("：{of}")}</span></a>
            };
            Record::new()
                .cell("内容", bill.content)
                .cell("编号", view! { <a class="link num" href=bill.of.page()>{id}</a> })
                .moment("付款时间", bill.paid_at)
                .money("可开金额", bill.rest)
                .acts(apply)
        })
        .collect();
    Some(view! {
        <section>
            <h2>"可以开票的付款"</h2>
            <Records rows/>
            {pager}
        </section>
    })
}

#[component]
fn Invoices(mut invoices: Vec<Invoice>) -> impl IntoView {
    if invoices.is_empty() {
        return None;
    }
    let pager = pager(&mut invoices, "before", "更早的发票", |invoice| invoice.id.to_string());
    let rows: Vec<_> = invoices
        .into_iter()
        .map(|invoice| {
            let own = format!("{LIST}/{}", invoice.id);
            let about = format!("：{}，{}", invoice.content, invoice.title.name());
            let action = if invoice.state == InvoiceState::Issued {
                view! { <a class="button" href=format!("{own}/file")>"下载 PDF"<span class="sr">{about}</span></a> }
            } else {
                view! { <a class="button" href=own.clone()>"查看"<span class="sr">{about}</span></a> }
            };
            Record::new()
                .cell("内容", view! { <a class="link" href=own>{invoice.content.clone()}</a> })
                .cell("抬头", invoice.title.name().to_owned())
                .moment("申请时间", invoice.requested_at)
                .cell("状态", view! { <StateBadge state=invoice.state/> })
                .money("金额", invoice.amount)
                .acts(action.into_any())
        })
        .collect();
    Some(view! {
        <section>
            <h2>"申请过的发票"</h2>
            <Records rows/>
            {pager}
        </section>
    })
}

/// An invoice's state as a mark.
#[component]
pub fn StateBadge(state: InvoiceState) -> impl IntoView {
    let class = match state {
        InvoiceState::Requested => "badge warn",
        InvoiceState::Issued => "badge good",
        InvoiceState::Rejected => "badge bad",
        InvoiceState::Cancelled | InvoiceState::Voided => "badge",
    };
    view! { <span class=class>{state.name()}</span> }
}

/// GET /manager/invoice/{id}.
#[component]
pub fn InvoicePage() -> impl IntoView {
    let here = here();
    let id = parameter::<InvoiceId>("id");
    loaded(
        async move {
            let here = here?;
            let invoice = store::find_for_owner(&here.app.db, &id?, &here.member.id).await?;
            let bill = Bill::find(&here.app.db, &invoice.of, &here.member.id).await?;
            let live = store::live(&here.app.db, &invoice.of).await?;
            let again = live.is_none() && bill.obstacle.is_none();
            let reds = store::red::of_invoice(&here.app.db, &invoice.id).await?;
            Ok((here.member, invoice, again, reds))
        },
        |(member, invoice, again, reds)| {
            let place = format!("{LIST}/{}", invoice.id);
            view! {
                <Shell member title="发票详情".to_owned() assets=&["invoices.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LIST>"发票"</a></p>
                            <h1>{format!("{}的发票", invoice.content)}</h1>
                            <p>
                                <StateBadge state=invoice.state/>" "
                                <span class="quiet">"申请于 "<Moment at=invoice.requested_at/></span>
                            </p>
                        </div>
                    </header>
                    <Said state=invoice.state noun=invoice.of.noun()/>
                    <Notes invoice=invoice.clone()/>
                    <div class="parts">
                        <section class="sheet"><h2>"发票信息"</h2><Facts invoice=invoice.clone()/></section>
                        <aside class="stack" aria-label="进度与操作">
                            <section class="sheet"><h2>"进度"</h2><Timeline invoice=invoice.clone()/></section>
                            <RedInvoices reds place/>
                            <Actions invoice again/>
                        </aside>
                    </div>
                </Shell>
            }
        },
    )
}

/// What the last form did.
#[component]
fn Said(state: InvoiceState, noun: &'static str) -> impl IntoView {
    let (class, text) = match use_query("done").as_deref() {
        Some("requested") if state == InvoiceState::Requested => {
            ("notice good", "申请已提交。开好后会通知您，在这一页下载。".to_owned())
        }
        Some("already") => ("notice", format!("这个{noun}已经申请过发票，没有重复申请。")),
        Some("cancelled") if state == InvoiceState::Cancelled => ("notice good", "申请已撤销。".to_owned()),
        Some("late") => ("notice warn", format!("没有撤销：这张发票{}。", state.name())),
        _ => return None,
    };
    Some(view! { <div class=class role="status">{text}</div> })
}

/// What the member has to know of this invoice.
#[component]
fn Notes(invoice: Invoice) -> impl IntoView {
    let reason = invoice.reason.clone().map(|reason| {
        let label = match invoice.state {
            InvoiceState::Rejected => "没有通过的原因：",
            InvoiceState::Voided => "作废的原因：",
            _ => "撤销的原因：",
        };
        let class = if invoice.state == InvoiceState::Rejected { "notice bad" } else { "notice" };
        view! { <div class=class>{label}{reason}</div> }
    });
    let correction = invoice.needs_correction().then(|| {
        view! {
            <div class="notice warn">
                {format!(
                    "开票以后{}有退款，这张发票要用红字发票更正。我们开好会通知您，红字发票也在这一页下载。",
                    invoice.of.noun(),
                )}
            </div>
        }
    });
    view! { {reason}{correction} }
}

#[component]
fn Facts(invoice: Invoice) -> impl IntoView {
    let row = |name: &'static str, value: Option<String>| {
        value.map(|value| view! { <dt>{name}</dt><dd>{value}</dd> })
    };
    let stands = (invoice.corrected > Fen::ZERO).then(|| {
        view! { <dt>"红冲后有效"</dt><dd><Money amount=invoice.issued().stands_for()/></dd> }
    });
    view! {
        <dl class="facts">
            <dt>"抬头"</dt>
            <dd>{invoice.title.name().to_owned()}" "<span class="badge">{invoice.title.kind()}</span></dd>
            {row("统一社会信用代码", invoice.title.code().map(ToString::to_string))}
            <dt>"金额"</dt>
            <dd><Money amount=invoice.amount class="price"/></dd>
            {stands}
            <dt>{invoice.of.noun()}</dt>
            <dd><a class="link num" href=invoice.of.page()>{invoice.of.id().to_owned()}</a></dd>
            {row("接收邮箱", invoice.email)}
            {row("发票号码", invoice.number)}
        </dl>
    }
}

#[component]
fn Timeline(invoice: Invoice) -> impl IntoView {
    let mut reached = vec![("提交申请", invoice.requested_at)];
    reached.extend(invoice.issued_at.map(|at| (InvoiceState::Issued.name(), at)));
    reached.extend(invoice.ended_at.map(|at| (invoice.state.name(), at)));
    let last = reached.len() - 1;
    let items: Vec<_> = reached
        .into_iter()
        .enumerate()
        .map(|(index, (name, at))| {
            let current = (index == last).then_some("step");
            view! { <li class="done" aria-current=current><strong>{name}</strong><Moment at/></li> }
        })
        .collect();
    let next = (invoice.state == InvoiceState::Requested)
        .then(|| view! { <li class="next">{InvoiceState::Issued.name()}</li> });
    view! { <ol class="timeline">{items}{next}</ol> }
}

/// What the member may do now.
#[component]
fn Actions(invoice: Invoice, again: bool) -> impl IntoView {
    let own = format!("{LIST}/{}", invoice.id);
    match invoice.state {
        InvoiceState::Issued => {
            view! { <a class="button primary wide" href=format!("{own}/file")>"下载 PDF"</a> }.into_any()
        }
        InvoiceState::Requested => view! {
            <Ask
                label="撤销申请"
                question=format!("撤销{}的发票申请？撤销后可以重新申请。", invoice.content)
                confirm="撤销这份申请"
                action=format!("{own}/cancellation")
            />
        }
        .into_any(),
        _ if again => {
            let form = format!("{}&from={}", invoice.of.form(), invoice.id);
            view! { <a class="button primary wide" href=form>"重新申请"</a> }.into_any()
        }
        _ => ().into_any(),
    }
}
