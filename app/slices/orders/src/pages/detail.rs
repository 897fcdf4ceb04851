//! GET /manager/order/{id}: everything as it was frozen, how far it is, and what the member may do now.

use base::db::{Db, now_ms};
use base::error::Error;
use base::time;
use domain::calendar::is_calendar;
use domain::goods::Days;
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_state::{Actor, OrderState, RECEIPT_MS, SELF_CANCEL_MS, UNPAID_MS};
use domain::parcel::Copies;
use leptos::prelude::*;
use press::{Finding, PageRef};
use web::render::{here, loaded, parameter, use_form};
use web::ui::parts::{ErrorSummary, FieldError, Limit, Moment, Money, area_text, described_by, height_of};
use web::ui::shell::Shell;

use super::{
    CardAndBackSums, LineItem, PrintingSum, Proofed, RefundedCopies, StateBadge, UNSAID, before_coupon,
    if_paid_today,
};
use crate::print_files;
use crate::sending::in_words;
use crate::store::parcels::Parcel;
use crate::store::{self, CancellationRequest, Event, Order, OrderLine, Title};
use crate::{picture_address, progress};
use cart::PriceLines;
use production::Told;
use reviews::SaidLines;
use works::{self, FindingItem, RunOf};

/// GET /manager/order/{id}.
#[component]
pub fn OrderPage() -> impl IntoView {
    let here = here();
    let id = parameter::<OrderId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let db = &here.app.db;
            let order = store::find_for_owner(db, &id, &here.member.id).await?;
            let mut lines = Vec::new();
            for line in store::lines(db, &id).await? {
                let findings = print_files::preflight(&here.app, &order, &line).await?;
                lines.push((line, works::listed_findings(findings)));
            }
            let events = store::events(db, &id).await?;
            let request = store::request(db, &id).await?;
            let told: Vec<Told> = lines.iter().map(|(line, _)| line.told()).collect();
            let made = when_made(db, &order, &told).await?;
            let mut tx = db.begin_snapshot().await?;
            let sending = store::parcels::sending(&mut tx, &order).await?;
            Ok((here.member, order, lines, events, request, (made, sending)))
        },
        |(member, order, lines, events, request, (made, sending))| {
            let id = order.id.clone();
            let titles: Vec<Title> = lines.iter().map(|(line, _)| line.named()).collect();
            let left = sending.rest(order.state);
            let items: Vec<_> = lines
                .into_iter()
                .map(|(line, findings)| {
                    let refunded = sending.refunded_of(line.position);
                    view! { <FrozenLine order=id.clone() line findings refunded/> }
                })
                .collect();
            view! {
                <Shell member title=format!("订单 {id}") assets=&["orders.css", "cart.css"]>
                    <header class="head">
                        <div>
                            <h1>"订单 "<span class="num">{id.to_string()}</span></h1>
                            <p>
                                <StateBadge state=order.state/>" "
                                <span class="quiet">"下单于 "<Moment at=order.created_at/></span>
                            </p>
                        </div>
                    </header>
                    <ErrorSummary title="没有提交"/>
                    <div class="parts">
                        <div class="stack">
                            <section class="sheet">
                                <h2>"印刷内容"</h2>
                                <ul class="lines">{items}</ul>
                            </section>
                            <section class="sheet">
                                <h2>"收货地址"</h2>
                                <p>
                                    <strong>{order.address.receiver.clone()}</strong>" "
                                    <span class="num">{order.address.phone.clone()}</span><br/>
                                    {order.address.spaced()}
                                </p>
                                <Parcels parcels=sending.parcels left titles/>
                            </section>
                        </div>
                        <aside class="stack" aria-label="进度与金额">
                            <section class="sheet">
                                <h2>"进度"</h2>
                                <Timeline state=order.state events/>
                                {made.map(|said| view! { <p class="hint">{said}</p> })}
                            </section>
                            <Sums order=order.clone()/>
                            <Actions order request/>
                        </aside>
                    </div>
                </Shell>
            }
        },
    )
}

/// When it is made, as long as it is not; what is late, or printed once more, is promised no day that is over.
async fn when_made(db: &Db, order: &Order, told: &[Told]) -> Result<Option<String>, Error> {
    let days = Days::together(told.iter().map(|line| line.goods.making_days));
    match (order.state, order.paid_at.zip(days)) {
        (OrderState::Unpaid, _) => if_paid_today(db, told).await,
        (OrderState::Paid | OrderState::InProduction, Some((paid_at, days))) => {
            let (first, last) = days.after(time::date(paid_at));
            let today = time::date(now_ms());
            let Some(promised) = production::promised_day(db, &order.id).await? else {
                return Ok(Some(UNSAID.to_owned()));
            };
            if promised < today {
                return Ok(None);
            }
            let day = time::day_near(promised, today);
            Ok(Some(if promised == last && first < last {
                format!("预计 {}至 {day}做好寄出。", time::day_near(first, today))
            } else {
                format!("最晚 {day}做好寄出。")
            }))
        }
        _ => Ok(None),
    }
}

/// What left, parcel by parcel, and what follows.
#[component]
fn Parcels(parcels: Vec<Parcel>, left: Copies, titles: Vec<Title>) -> impl IntoView {
    let many = parcels.len() > 1 || !left.is_empty();
    let follows = (!parcels.is_empty() && !left.is_empty()).then(|| {
        view! { <p class="hint">{format!("还没有寄：{}。", in_words(&titles, &left))}</p> }
    });
    let parcels: Vec<_> = parcels
        .into_iter()
        .map(|Parcel { number, waybill, contents, .. }| {
            let which = many.then(|| {
                let contents = in_words(&titles, &contents);
                view! { <dt>{format!("第 {number} 个包裹")}</dt><dd>{contents}</dd> }
            });
            view! {
                <dl class="facts">
                    {which}
                    <dt>"承运"</dt><dd>{waybill.carrier}</dd>
                    <dt>"运单号"</dt><dd class="num">{waybill.tracking}</dd>
                </dl>
            }
        })
        .collect();
    view! { {parcels}{follows} }
}

#[component]
fn Sums(order: Order) -> impl IntoView {
    let paid = if order.paid_at.is_some() { "实付" } else { "应付" };
    // what was paid back is no turnover
    let is_turnover = order.paid_at.is_some() && order.invoiced() > Fen::ZERO;
    let invoice = is_turnover.then(|| {
        view! { <p><a class="link" href=format!("/manager/invoice/new?order={}", order.id)>"发票"</a></p> }
    });
    view! {
        <section class="sheet">
            <h2>"金额"</h2>
            <dl class="facts sums">
                <PrintingSum printing=order.printing() coupon=order.coupon.clone()/>
                <dt>"运费"</dt><dd><Money amount=order.shipping/></dd>
                <dt class="sum">{paid}</dt>
                <dd class="sum"><Money amount=order.total class="price"/></dd>
                <CardAndBackSums order=order.clone()/>
            </dl>
            {invoice}
        </section>
    }
}

#[component]
fn FrozenLine(order: OrderId, line: OrderLine, findings: Vec<Finding>, refunded: u32) -> impl IntoView {
    let (trim, position) = (line.document.trim, line.position);
    let pages: Vec<_> = (1..=line.document.pages.len())
        .map(|page| {
            let address = |width| picture_address(&order, position, &page.to_string(), width);
            view! {
                <li>
                    <a href=address(1280)>
                        <img
                            src=address(320) width="320" height=height_of(trim, 320)
                            alt=format!("第 {page} 页") loading="lazy"
                        />
                    </a>
                </li>
            }
        })
        .collect();
    let count = pages.len();
    let weighty = works::count_above_notes(&findings);
    let found = match (weighty, findings.len()) {
        (0, 0) => "没有发现问题".to_owned(),
        (0, notes) => format!("没有发现问题，{notes} 处提示"),
        (weighty, _) => format!("{weighty} 处请留意"),
    };
    let findings: Vec<_> = findings
        .into_iter()
        .map(|finding| {
            let page = match finding.page {
                Some(PageRef::Inner(index)) => (index + 1).to_string(),
                Some(PageRef::Cover) | None => "cover".to_owned(),
            };
            view! { <FindingItem place=picture_address(&order, position, &page, 1280) finding/> }
        })
        .collect();
    let preflight = if findings.is_empty() {
        view! { <p class="quiet">"印前检查："{found}</p> }.into_any()
    } else {
        view! {
            <details class="fold">
                <summary>"印前检查："{found}</summary>
                <ul class="findings">{findings}</ul>
            </details>
        }
        .into_any()
    };
    let names = line.document.copy_names();
    view! {
        <LineItem
            src=picture_address(&order, position, "cover", 320)
            trim
            hung=is_calendar(&line.document)
            goods=line.goods.name.clone()
            pages=line.quote.pages
            copies=line.quote.count.get()
            choices=line.choices()
            remark=line.remark.clone()
            total=before_coupon(&line.quote)
            title=line.title
        >
            <RunOf names/>
            <RefundedCopies copies=refunded/>
            <Proofed at=line.proofed_at see=None/>
            <SaidLines said=line.reviewed/>
            {preflight}
            <details class="fold">
                <summary>"价格怎么来的"</summary>
                <PriceLines quote=line.quote/>
            </details>
            <details class="fold">
                <summary>"下单时的书页（"<span class="num">{count}</span>" 页）"</summary>
                <ol class="leaves">{pages}</ol>
            </details>
        </LineItem>
    }
}

/// The usual way of an order.
const WAY: [OrderState; 6] = [
    OrderState::Unpaid,
    OrderState::Paid,
    OrderState::InProduction,
    OrderState::Shipped,
    OrderState::Received,
    OrderState::Completed,
];

/// How far an order is, and the usual way on.
#[component]
pub fn Timeline(state: OrderState, events: Vec<Event>) -> impl IntoView {
    let last = events.len().saturating_sub(1);
    let mut before = None;
    let mut items: Vec<AnyView> = events
        .into_iter()
        .enumerate()
        .map(|(index, event)| {
            // a second line in the same state tells of something else than the state
            let name = match event.state {
                state if before == Some(state) => None,
                OrderState::Unpaid => Some("提交订单"),
                state => Some(state.name()),
            };
            before = Some(event.state);
            let note = (!event.note.is_empty()).then(|| view! { <span>{event.note}</span> });
            view! {
                <li class="done" aria-current=(index == last).then_some("step")>
                    {name.map(|name| view! { <strong>{name}</strong> })}
                    {note}
                    <Moment at=event.at/>
                </li>
            }
            .into_any()
        })
        .collect();
    if let Some(place) = WAY.iter().position(|step| *step == state) {
        items.extend(
            WAY[place + 1..].iter().map(|step| view! { <li class="next">{step.name()}</li> }.into_any()),
        );
    }
    view! { <ol class="timeline">{items}</ol> }
}

/// What the member may do now.
#[component]
fn Actions(order: Order, request: Option<CancellationRequest>) -> impl IntoView {
    let now = now_ms();
    let address = |action: &str| format!("/manager/order/{}/{action}", order.id);
    let pay = (order.state == OrderState::Unpaid).then(|| {
        let pay = format!("/manager/shopping/pay?order={}", order.id);
        let until = time::stamp(order.state_since + UNPAID_MS);
        view! {
            <a class="button primary wide" href=pay>"去付款"</a>
            <p class="hint">{until}" 之前没有付款，订单会自动关闭。"</p>
        }
    });
    let moves: Vec<OrderState> = order.state.next(Actor::Member, order.times(now)).collect();
    let receive = moves.contains(&OrderState::Received).then(|| {
        let until = time::stamp(order.state_since + RECEIPT_MS);
        view! {
            <form class="stack" method="post" action=address("receipt")>
                <button class="button primary wide">"确认收货"</button>
                <p class="hint">{until}" 会自动确认收货。"</p>
            </form>
        }
    });
    let cancel = moves.contains(&OrderState::Cancelled).then(|| {
        let hint = order.paid_at.map(|paid_at| {
            let (until, back) = (time::stamp(paid_at + SELF_CANCEL_MS), order.way_back(order.kept()));
            view! { <p class="hint">{until}" 之前可以自行取消，退回"{back}"。"</p> }
        });
        view! {
            <form class="stack" method="post" action=address("cancellation")>
                <button class="button danger wide">{format!("取消订单 {}", order.id)}</button>
                {hint}
            </form>
        }
    });
    let ask = progress::may_request(&order, now)
        .then(|| view! { <AskToCancel action=address("cancellation_request") request/> });
    let again = (order.state != OrderState::Unpaid && order.royalty.is_none())
        .then(|| view! { <a class="button wide" href=address("reorder")>"照这份再订一次"</a> });
    view! { {pay}{receive}{again}{cancel}{ask} }
}

#[component]
fn AskToCancel(action: String, request: Option<CancellationRequest>) -> impl IntoView {
    let form = use_form();
    let open = request.as_ref().is_some_and(CancellationRequest::is_open);
    if open {
        return view! { <p class="notice" role="status">"已申请取消，我们会尽快答复。"</p> }.into_any();
    }
    let declined = request.map(|request| {
        view! { <p class="notice warn" role="status">"上次的申请没有通过："{request.answer}</p> }
    });
    let refused = form.is_sent();
    let is_wrong = form.error("reason").is_some();
    view! {
        {declined}
        <details class="fold" open=refused>
            <summary>"申请取消"</summary>
            <form class="stack" method="post" action=action>
                <div class="field">
                    <label for="reason">"取消的原因"</label>
                    <Limit name="reason" most="200".to_owned()/>
                    <textarea
                        id="reason" name="reason" rows="3" maxlength="200" required
                        aria-invalid=is_wrong.then_some("true")
                        aria-describedby=described_by("reason", true, is_wrong)
                    >
                        {area_text(&form.or("reason", ""))}
                    </textarea>
                    <FieldError name="reason".to_owned()/>
                </div>
                <p class="hint">"已经过了可以自行取消的 60 分钟。若还没有开印，我们会为您取消并退款。"</p>
                <button class="button wide">"提交申请"</button>
            </form>
        </details>
    }
    .into_any()
}
