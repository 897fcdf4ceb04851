//! /staff/orders/{id}: everything about one order, and what can be done to it now.

mod refund;
mod sent;

use base::audit::{self, Noted};
use base::db::now_ms;
use base::time;
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_state::{Actor, OrderState};
use domain::parcel;
use domain::staff::Capability;
use leptos::prelude::*;
use press::{Finding, PageRef, Severity};
use web::approvals;
use web::audit_words;
use web::render::{loaded, parameter, use_form};
use web::staff::{Staff, here};
use web::ui::parts::{ErrorSummary, FieldError, Moment, Money, area_text, height_of};
use web::ui::staff::{Approvals, StaffShell};

use self::refund::Refund;
use self::sent::{Carriers, Parcels, PrintAgain, Reprints, Sent, Ship};
use super::{LIST, address, second};
use crate::pages::{
    CardAndBackSums, LineItem, PrintingSum, Proofed, RefundedCopies, StateBadge, Timeline, before_coupon,
};
use crate::print_files::{self, Listing};
use crate::sending::in_words;
use crate::store::{self, CancellationRequest, Order, OrderLine, refunded};
use production::Stations;
use reviews::SaidLines;
use works::{self, FindingItem, RunOf};

/// GET /staff/orders/{id}.
#[component]
pub fn OrderPage() -> impl IntoView {
    let here = here();
    let id = parameter::<OrderId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let db = &here.app.db;
            let order = store::find(db, &id).await?;
            let mut lines = Vec::new();
            for line in store::lines(db, &id).await? {
                let findings = print_files::preflight(&here.app, &order, &line).await?;
                lines.push((line, works::listed_findings(findings)));
            }
            let events = store::events(db, &id).await?;
            let request = store::request(db, &id).await?;
            let files = print_files::listed(&here.app, &order).await?;
            let noted = audit::newest(db, Some(id.as_str()), 100).await?;
            let noted: Vec<Noted> =
                noted.into_iter().map(|row| audit_words::in_words(row, here.app.house)).collect();
            let closed_at = accounts::closed_at(&here.app, &order.member).await?;
            let floor = production::on_the_floor(db, &id).await?;
            let titles = store::titles(db, &id).await?;
            let mut tx = db.begin_snapshot().await?;
            let sending = store::parcels::sending(&mut tx, &order).await?;
            let prices = refunded::paid(&mut tx, &order).await?;
            drop(tx);
            let mut seconds = approvals::of(db, second::thing(&id)).await?;
            for request in seconds.iter_mut().filter(|request| request.decided_at.is_none()) {
                if let Some((copies, with_shipping)) = refunded::asked_of(db, &request.id).await? {
                    let shipping = if with_shipping { "和运费" } else { "" };
                    let what = in_words(&titles, &copies);
                    request.reason = format!("退{what}{shipping}：{}", request.reason);
                }
            }
            let sent = Sent { order, sending, titles, prices };
            Ok((here.staff, sent, lines, events, (request, seconds), files, noted, (closed_at, floor)))
        },
        |(staff, sent, lines, events, (request, seconds), files, noted, (closed_at, floor))| {
            let order = sent.order.clone();
            let id = order.id.clone();
            let items: Vec<_> = lines
                .into_iter()
                .map(|(line, findings)| {
                    let refunded = sent.sending.refunded_of(line.position);
                    view! { <FrozenLine order=id.clone() line findings refunded/> }
                })
                .collect();
            let closed = closed_at.map(|at| {
                view! { <p class="notice warn">{format!("会员已于 {} 注销账号，收不到通知。", time::stamp(at))}</p> }
            });
            let member = staff.may(Capability::SeeMembers).then(|| {
                view! { <p><a class="link" href=format!("/staff/members/{}", order.member)>"看这位会员"</a></p> }
            });
            let prints = staff.may(Capability::Print);
            view! {
                <StaffShell title=format!("订单 {id}") assets=&["orders.css", "cart.css", "staff.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LIST>"订单"</a></p>
                            <h1>"订单 "<span class="num">{id.to_string()}</span></h1>
                            <p><StateBadge state=order.state/>" "<span class="quiet">"下单于 "<Moment at=order.created_at/></span></p>
                        </div>
                    </header>
                    <ErrorSummary title="没有办成"/>
                    {closed}
                    <div class="parts">
                        <div class="stack">
                            <section class="sheet">
                                <h2>"收货地址"</h2>
                                <p>
                                    <strong>{order.address.receiver.clone()}</strong>" "
                                    <span class="num">{order.address.phone.clone()}</span><br/>
                                    {order.address.spaced()}
                                </p>
                                {member}
                            </section>
                            {prints.then(|| view! { <PrintFiles order=order.clone() files/> })}
                            {(!floor.is_empty()).then(|| view! { <section class="sheet"><h2>"生产"</h2><Stations lines=floor/></section> })}
                            <section class="sheet"><h2>"印刷内容"</h2><ul class="lines">{items}</ul></section>
                            {prints.then(|| view! { <Carriers/> })}
                            <Parcels sent=sent.clone() prints/>
                            <Reprints sent=sent.clone()/>
                        </div>
                        <aside class="stack" aria-label="办理">
                            <Approvals
                                requests=seconds
                                decides=staff.may(Capability::Refund).then(|| staff.name.clone())
                                action=format!("{}/second", address(&order.id))
                                rest=order.kept()
                            />
                            <Actions staff sent request/>
                            <Sums order=order.clone()/>
                            <section class="sheet"><h2>"进度"</h2><Timeline state=order.state events/></section>
                            <Log noted/>
                        </aside>
                    </div>
                </StaffShell>
            }
        },
    )
}

#[component]
fn PrintFiles(order: Order, files: Listing) -> impl IntoView {
    if !order.state.is_paid_for() {
        return view! { <section class="sheet"><h2>"印刷文件"</h2><p class="quiet">"付款以后才有印刷文件。"</p></section> }
            .into_any();
    }
    if let Some(until) = print_files::cancellable_until(&order, now_ms()) {
        let said = format!("会员在 {} 之前还可以取消，到时才给文件。", time::clock(until));
        return view! { <section class="sheet"><h2>"印刷文件"</h2><p class="quiet">{said}</p></section> }
            .into_any();
    }
    let settings: Vec<_> = files
        .settings
        .into_iter()
        .map(|(title, follows)| {
            let (class, said) = match follows {
                Ok(said) => ("", said),
                Err(reason) => ("notice warn", reason),
            };
            view! { <dt>{format!("《{title}》")}</dt><dd class=class>{said}</dd> }
        })
        .collect();
    let rows: Vec<_> = files
        .files
        .into_iter()
        .map(|file| {
            let size = match file.bytes {
                Some(bytes @ ..1_000_000) => format!("{} KB", bytes.div_ceil(1000)),
                Some(bytes) => format!("{:.1} MB", bytes as f64 / 1e6),
                None => "点开时生成".to_owned(),
            };
            view! {
                <li>
                    <a class="link" href=format!("{}/file/{}", address(&order.id), file.name) download>{file.title}</a>
                    <span class="quiet num">{size}</span>
                </li>
            }
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"印刷文件"</h2>
            <dl class="facts">{settings}</dl>
            <ul class="files">{rows}</ul>
            <p class="hint">"文件都经过印前检查；同一份订单、同样的印刷设置，每次下载都是同样的文件。"</p>
        </section>
    }
    .into_any()
}

#[component]
fn FrozenLine(order: OrderId, line: OrderLine, findings: Vec<Finding>, refunded: u32) -> impl IntoView {
    let (trim, position) = (line.document.trim, line.position);
    let picture =
        move |page: &str, width: u32| format!("{}/line/{position}/page/{page}/{width}", address(&order));
    let pages: Vec<_> = (1..=line.document.pages.len())
        .map(|page| {
            let name = page.to_string();
            view! {
                <li>
                    <a href=picture(&name, 1280)>
                        <img
                            src=picture(&name, 320) width="320" height=height_of(trim, 320)
                            alt=format!("第 {page} 页") loading="lazy"
                        />
                    </a>
                </li>
            }
        })
        .collect();
    let count = pages.len();
    let found = findings.len();
    let is_serious = findings.iter().any(|finding| finding.severity == Severity::Serious);
    let cover = picture("cover", 320);
    let findings: Vec<_> = findings
        .into_iter()
        .map(|mut finding| {
            let page = match finding.page {
                Some(PageRef::Inner(index)) => (index + 1).to_string(),
                Some(PageRef::Cover) | None => "cover".to_owned(),
            };
            // a member's roster is not the shop's
            finding.copies.iter_mut().for_each(|copy| copy.person = None);
            view! { <FindingItem place=picture(&page, 1280) finding/> }
        })
        .collect();
    let preflight = if found == 0 {
        view! { <p class="quiet">"印前检查：没有发现问题"</p> }.into_any()
    } else {
        // what nobody has to mend is there for whoever wants it: an order of many lines stays one that is seen through
        view! {
            <details class="fold" open=is_serious>
                <summary>{format!("印前检查：{found} 处")}</summary>
                <ul class="findings">{findings}</ul>
            </details>
        }
        .into_any()
    };
    let names = line.document.copy_names();
    view! {
        <LineItem
            src=cover
            trim
            hung=domain::calendar::is_calendar(&line.document)
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
                <summary>"书页（"<span class="num">{count}</span>" 页）"</summary>
                <ol class="leaves">{pages}</ol>
            </details>
        </LineItem>
    }
}

#[component]
fn Sums(order: Order) -> impl IntoView {
    view! {
        <section class="sheet">
            <h2>"金额"</h2>
            <dl class="facts sums">
                <PrintingSum printing=order.printing() coupon=order.coupon.clone()/>
                <dt>"运费"</dt><dd><Money amount=order.shipping/></dd>
                <dt class="sum">{if order.paid_at.is_some() { "实付" } else { "应付" }}</dt>
                <dd class="sum"><Money amount=order.total class="price"/></dd>
                <CardAndBackSums order=order.clone()/>
            </dl>
        </section>
    }
}

/// What somebody may do with the order now.
#[component]
fn Actions(staff: Staff, sent: Sent, request: Option<CancellationRequest>) -> impl IntoView {
    let (now, order) = (now_ms(), sent.order.clone());
    let moves: Vec<OrderState> = order.state.next(Actor::Staff, order.times(now)).collect();
    let asks = request.filter(CancellationRequest::is_open);
    let (prints, refunds) = (staff.may(Capability::Print), staff.may(Capability::Refund));
    let step = format!("{}/step", address(&order.id));
    let one = |word: &'static str, name: &'static str, hint: &'static str| {
        view! {
            <form class="stack" method="post" action=step.clone()>
                <input type="hidden" name="step" value=word/>
                <button class="button primary wide">{name}</button>
                <p class="hint">{hint}</p>
            </form>
        }
    };
    let start =
        (prints && asks.is_none() && moves.contains(&OrderState::InProduction)).then(|| match order.state {
            OrderState::Reprint => one("start", "开始重印", "做好以后再发货；已经做好的，可以直接填运单。"),
            _ => one("start", "开始印制", "开印后会员不能再取消。"),
        });
    let ship = (prints && moves.contains(&OrderState::Shipped))
        .then(|| view! { <Ship action=step.clone() sent=sent.clone()/> });
    let deliver = (prints && moves.contains(&OrderState::Received))
        .then(|| one("deliver", "已签收", "承运方说包裹已送到时点这里；会员也可以自己确认收货。"));
    let reprint = (prints && moves.contains(&OrderState::Reprint))
        .then(|| view! { <PrintAgain action=step.clone() sent=sent.clone()/> });
    let gone = (!sent.sending.parcels.is_empty()).then(|| {
        let gone = parcel::sum(sent.sending.parcels.iter().map(|parcel| &parcel.contents));
        format!("已经寄出：{}。全部退款以前请先商量。", in_words(&sent.titles, &gone))
    });
    let asked = asks.map(|request| {
        let decline = refunds.then(|| view! { <Decline action=format!("{}/decline", address(&order.id))/> });
        view! {
            <section class="sheet warned">
                <h2>"会员申请取消"</h2>
                <p>{request.reason}</p>
                <p class="quiet"><Moment at=request.requested_at/></p>
                {gone.map(|gone| view! { <p>{gone}</p> })}
                <p class="hint">"同意：在下面全部退款。"</p>
                {decline}
            </section>
        }
    });
    let refund = (refunds && order.state.is_paid_for() && order.kept() > Fen::ZERO)
        .then(|| view! { <Refund action=format!("{}/refund", address(&order.id)) sent=sent.clone()/> });
    let any = start.is_some() || ship.is_some() || deliver.is_some() || reprint.is_some();
    let steps = any.then(|| {
        view! { <section class="sheet stack"><h2>"下一步"</h2>{start}{ship}{deliver}{reprint}</section> }
    });
    view! { {asked}{steps}{refund} }
}

#[component]
fn Decline(action: String) -> impl IntoView {
    let form = use_form();
    let error = form.error("answer").map(|_| "answer-error");
    view! {
        <details class="fold" open=error.is_some()>
            <summary>"不同意"</summary>
            <form class="fields" method="post" action=action>
                <div class="field">
                    <label for="answer">"给会员的答复"</label>
                    <textarea
                        id="answer" name="answer" rows="3" maxlength="200" required
                        aria-invalid=error.map(|_| "true") aria-describedby=error
                    >
                        {area_text(&form.or("answer", ""))}
                    </textarea>
                    <FieldError name="answer".to_owned()/>
                </div>
                <button class="button wide">"发给会员"</button>
            </form>
        </details>
    }
}

#[component]
fn Log(noted: Vec<Noted>) -> impl IntoView {
    if noted.is_empty() {
        return None;
    }
    let rows: Vec<_> = noted
        .into_iter()
        .map(|row| {
            view! {
                <li>
                    <strong>{row.actor}</strong>" "{row.action}" "<Moment at=row.happened_at/>
                    <span class="detail">{row.detail}</span>
                </li>
            }
        })
        .collect();
    Some(view! { <section class="sheet"><h2>"操作记录"</h2><ul class="log">{rows}</ul></section> })
}
