//! /staff/payments/{id}: one payment, what went back of it, and what can be done now.

use base::db::now_ms;
use domain::ids::{MemberId, PaymentId};
use domain::money::Fen;
use domain::payment::{Method, PaymentState, RefundState, refundable};
use domain::staff::Capability;
use leptos::prelude::*;
use web::approvals;
use web::render::{self, loaded, parameter, use_form};
use web::staff::here;
use web::ui::parts::{ErrorSummary, Field, FieldError, Moment, Money};
use web::ui::staff::{Approvals, CodeField, StaffShell};

use super::{Answer, LIST, Purpose, address, state_of};
use crate::operate::{self, LONGEST_NUMBER, left};
use crate::refund;
use crate::store::Payment;
use crate::store::refunds::{self as rows, Refund};
use crate::store::staff::{self as listed, Listed};

/// GET /staff/payments/{id}.
#[component]
pub fn StaffPaymentPage() -> impl IntoView {
    let here = here();
    let id = parameter::<PaymentId>("id");
    loaded(
        async move {
            let here = here?;
            let db = &here.app.db;
            let Listed { payment, account, .. } = listed::find(db, &id?).await?;
            let refunds = rows::of_payment(db, &payment.id).await?;
            let requests = approvals::of(db, refund::thing(&payment.id)).await?;
            let arrivals = approvals::of(db, operate::arrival(&payment.id)).await?;
            let unsent = approvals::of(db, refund::back(&payment.id)).await?;
            let mut tx = db.begin_snapshot().await?;
            let balance = ledger::balance(&mut tx, &payment.member).await?;
            Ok((here.staff, payment, account, refunds, (requests, arrivals, unsent), balance))
        },
        |(staff, payment, account, refunds, (requests, arrivals, unsent), balance)| {
            let sees_members = staff.may(Capability::SeeMembers);
            let second = format!("{}/second", address(&payment.id));
            let arrived = format!("{}/arrival_second", address(&payment.id));
            let not_sent = format!("{}/refund_end_second", address(&payment.id));
            let waits = arrivals.iter().any(|request| request.decided_at.is_none());
            let decides = Some(staff.name);
            let (mark, state) = state_of(&payment, waits, now_ms());
            let title = format!("{} ¥{}", payment.method, payment.amount.grouped());
            let arrival =
                (payment.method == Method::Transfer && payment.state != PaymentState::Paid && !waits)
                    .then(|| view! { <Arrival payment=payment.clone()/> });
            let rest = left(&payment, &refunds);
            let back = (payment.state == PaymentState::Paid && rest > Fen::ZERO)
                .then(|| view! { <Back payment=payment.clone() refunds=refunds.clone() rest balance/> });
            let member = sees_members.then(|| payment.member.clone());
            let (created_at, payment_amount) = (payment.created_at, payment.amount);
            view! {
                <StaffShell title=title.clone() assets=&["payments.css", "staff.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LIST>"收款"</a></p>
                            <h1>{title}</h1>
                            <p><span class=mark>{state}</span>" "<span class="quiet">"发起于 "<Moment at=created_at/></span></p>
                        </div>
                    </header>
                    <ErrorSummary title="没有办成"/>
                    <div class="parts">
                        <div class="stack">
                            <Facts payment=payment.clone() account member balance/>
                            <Refunds payment refunds/>
                        </div>
                        <aside class="stack" aria-label="办理">
                            {arrival}
                            <Approvals
                                requests=arrivals decides=decides.clone() action=arrived rest=payment_amount what="到账"
                            />
                            <Approvals
                                requests=unsent decides=decides.clone() action=not_sent rest=payment_amount what="退回余额"
                            />
                            <Approvals requests decides action=second rest/>
                            {back}
                        </aside>
                    </div>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Facts(payment: Payment, account: String, member: Option<MemberId>, balance: Fen) -> impl IntoView {
    let member = member.map(|member| {
        view! { " "<a class="link" href=format!("/staff/members/{member}")>"看这位会员"</a> }
    });
    let number = |name: &'static str, number: Option<String>| {
        number.map(|number| view! { <dt>{name}</dt><dd class="num long">{number}</dd> })
    };
    let moment =
        |name: &'static str, at: Option<i64>| at.map(|at| view! { <dt>{name}</dt><dd><Moment at/></dd> });
    let is_paid = payment.state == PaymentState::Paid;
    let went = is_paid.then(|| {
        let place = match (payment.paid_order, &payment.order, &payment.bill) {
            (true, Some(_), _) => "付了这份订单",
            (true, None, _) => "付了这笔账单",
            (false, None, None) => "充入会员余额",
            (false, ..) => "存入会员余额：到账时已经不需要付了",
        };
        view! { <dt>"钱去了哪里"</dt><dd>{place}</dd> }
    });
    let until = (!is_paid).then_some(payment.expires_at);
    view! {
        <section class="sheet">
            <h2>"付款"</h2>
            <dl class="facts">
                <dt>"会员"</dt><dd>{account}{member}</dd>
                <dt>"会员余额"</dt><dd><Money amount=balance/></dd>
                <dt>"方式"</dt><dd>{payment.method.name()}</dd>
                <dt>"金额"</dt><dd><Money amount=payment.amount class="price"/></dd>
                {number("转账附言", payment.reference)}
                {number("流水号", payment.provider_number)}
                <dt>"用途"</dt>
                <dd><Purpose order=payment.order bill=payment.bill.map(|bill| bill.title)/></dd>
                {moment("有效期到", until)}
                {moment("到账", payment.paid_at)}
                {went}
                <dt>"编号"</dt><dd class="num long">{payment.id.to_string()}</dd>
            </dl>
        </section>
    }
}

/// A transfer that has not arrived, or came late.
#[component]
fn Arrival(payment: Payment) -> impl IntoView {
    let reference = payment.reference.clone().unwrap_or_default();
    let late = payment.is_over(now_ms()).then(|| {
        view! {
            <p class="notice warn">
                "这笔转账已过有效期。钱到了仍然可以确认：还没有付的照样付上，已经不需要付的存入会员余额。"
            </p>
        }
    });
    view! {
        <section class="sheet stack">
            <h2>"确认到账"</h2>
            {late}
            <p>
                "会员应转 "<Money amount=payment.amount/>"，附言 "<strong class="num">{reference}</strong>
                "。请照银行流水填写，不要照这一页抄。"
            </p>
            <form class="fields" method="post" action=format!("{}/arrival", address(&payment.id))>
                <Field name="amount" label="到账金额（元）" most=20 inputmode="decimal" autocomplete="off"/>
                <Field name="number" label="银行流水号（可不填）" most=LONGEST_NUMBER as u32 autocomplete="off"/>
                <p class="hint">"填了流水号，同一笔银行流水就不会确认两次。"</p>
                <CodeField/>
                <button class="button primary wide">"确认到账"</button>
            </form>
        </section>
    }
}

/// Money that can go back.
#[component]
fn Back(payment: Payment, refunds: Vec<Refund>, rest: Fen, balance: Fen) -> impl IntoView {
    let form = use_form();
    // pressed twice it sends once; a refund's own key is what a form beside this one was sent with
    let sent = form.get("key");
    let was_sent = !sent.is_empty() && refunds.iter().all(|refund| refund.request_key != sent);
    let key = if was_sent { sent.to_owned() } else { render::once::<String>() };
    let part = if was_sent { form.get("part").to_owned() } else { String::new() };
    let most = refundable(rest, Fen::ZERO, balance);
    let short = (most < rest).then(|| {
        view! { <p class="notice warn">"会员余额只有 "<Money amount=balance/>"，花掉的钱退不回去。"</p> }
    });
    let how = if payment.method == Method::Transfer {
        "钱先从会员余额里冻结；请从银行转出去，再回到这一页记下结果。"
    } else {
        "钱先从会员余额里冻结，再由支付平台自动退到付款的账户。"
    };
    view! {
        <details class="sheet fold" open=was_sent>
            <summary>"原路退回"</summary>
            <form class="fields" method="post" action=format!("{}/refund", address(&payment.id))>
                <input type="hidden" name="key" value=key/>
                {short}
                <fieldset class="choices" id="part">
                    <legend class="sr">"退多少"</legend>
                    <label>
                        <input type="radio" name="part" value="whole" checked=part == "whole"/>
                        <span>"全部退回 "<Money amount=rest/></span>
                    </label>
                    <label>
                        <input type="radio" name="part" value="some" checked=part == "some"/>
                        <span>"退一部分，最多 "<Money amount=most/></span>
                    </label>
                    <FieldError name="part".to_owned()/>
                </fieldset>
                <Field name="amount" label="部分退回的金额（元）" most=20 inputmode="decimal" autocomplete="off"/>
                <Code id="code-of-back".to_owned() was_sent/>
                <p class="hint">{how}</p>
                <button class="button danger wide">"退回"</button>
            </form>
        </details>
    }
}

/// What went back, or is on its way.
#[component]
fn Refunds(payment: Payment, refunds: Vec<Refund>) -> impl IntoView {
    if refunds.is_empty() {
        return None;
    }
    let by_hand = payment.method == Method::Transfer;
    let items: Vec<_> = refunds
        .into_iter()
        .map(|refund| {
            let mark = match refund.state {
                RefundState::Pending => "badge warn",
                RefundState::Done => "badge good",
                RefundState::Failed => "badge bad",
            };
            let state = match refund.state {
                RefundState::Pending if by_hand => "待汇出",
                RefundState::Failed => "已退回余额",
                state => state.name(),
            };
            // what a provider says of it; of what was done here the log tells more
            let reason = refund.reason.clone().filter(|reason| reason != "by hand");
            let reason = reason.map(|reason| view! { <p class="quiet">{reason}</p> });
            let (amount, at) = (refund.amount, refund.created_at);
            let is_pending = refund.state == RefundState::Pending;
            let again = (is_pending && !by_hand)
                .then(|| view! { <AskAgain payment=payment.id.clone() refund=refund.clone()/> });
            let end = is_pending.then(|| view! { <End payment=payment.id.clone() by_hand refund/> });
            view! {
                <li class="stack">
                    <p>
                        <Money amount/>" "<span class=mark>{state}</span>" "
                        <span class="quiet"><Moment at/></span>
                    </p>
                    {reason}
                    {again}
                    {end}
                </li>
            }
        })
        .collect();
    Some(view! { <section class="sheet"><h2>"退回"</h2><ul class="stack">{items}</ul></section> })
}

/// Where a refund stands at a provider, and a button that has it asked now.
#[component]
fn AskAgain(payment: PaymentId, refund: Refund) -> impl IntoView {
    view! {
        <div class="stack">
            <p><Answer standing=refund.standing now=now_ms()/></p>
            <form method="post" action=format!("{}/refund_again", address(&payment))>
                <input type="hidden" name="key" value=refund.request_key/>
                <button class="button">"现在再问平台"</button>
            </form>
        </div>
    }
}

/// How a refund ended that somebody has to send, or that no provider sends.
#[component]
fn End(payment: PaymentId, refund: Refund, by_hand: bool) -> impl IntoView {
    let form = use_form();
    let was_sent = form.get("key") == refund.request_key;
    let end = if was_sent { form.get("end").to_owned() } else { String::new() };
    let wrong = was_sent.then(|| view! { <FieldError name="end".to_owned()/> });
    let sent = by_hand.then(|| {
        view! {
            <label>
                <input type="radio" name="end" value="sent" checked=end == "sent" required=true/>
                <span>"已汇出：钱已从银行转给会员"</span>
            </label>
        }
    });
    let opened = by_hand || was_sent;
    let (title, hint) = if by_hand {
        ("记下结果", "结果记下后不能再改。")
    } else {
        ("退不出去？", "支付平台会自动退回。只有平台没有受理时才能退回余额；结果记下后不能再改。")
    };
    view! {
        <details class="fold" open=opened>
            <summary>{title}</summary>
            <form class="fields" method="post" action=format!("{}/refund_end", address(&payment))>
                <input type="hidden" name="key" value=refund.request_key/>
                <fieldset class="choices" id=was_sent.then_some("end")>
                    <legend class="sr">"退回的结果"</legend>
                    {sent}
                    <label>
                        <input type="radio" name="end" value="withdrawn" checked=end == "withdrawn" required=true/>
                        <span>"退回余额：钱退不出去，回到会员余额"</span>
                    </label>
                    {wrong}
                </fieldset>
                <Code id=format!("code-of-{}", refund.id) was_sent/>
                <p class="hint">{hint}</p>
                <button class="button wide">"记下结果"</button>
            </form>
        </details>
    }
}

/// The field for a code, where several forms of a page have one: that of the form which was sent has what is wrong beside it,
/// and the name to which the summary leads.
#[component]
fn Code(id: String, was_sent: bool) -> impl IntoView {
    let id = if was_sent { "code".to_owned() } else { id };
    let error = was_sent.then(|| use_form().error("code")).flatten();
    let described = error.is_some().then_some("code-error");
    let error = error.map(|message| view! { <p class="error" id="code-error">{message}</p> });
    view! {
        <div class="field short">
            <label for=id.clone()>"动态验证码"</label>
            <input
                id=id
                name="code"
                type="text"
                maxlength="8"
                inputmode="numeric"
                autocomplete="one-time-code"
                aria-invalid=described.map(|_| "true")
                aria-describedby=described
            />
            {error}
        </div>
    }
}
