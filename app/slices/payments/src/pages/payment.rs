//! /manager/payment/{id}: one payment from outside, while it waits and afterwards.

use base::db::now_ms;
use domain::ids::PaymentId;
use domain::money::Fen;
use domain::payment::{Method, PaymentState, RefundState};
use leptos::prelude::*;
use web::render::{self, here, loaded, parameter, use_query};
use web::ui::parts::{BuyingSteps, Moment, Money};
use web::ui::qr;
use web::ui::shell::Shell;

use crate::config::Bank;
use crate::store::refunds::{self as rows, Refund};
use crate::store::{self, Payment};

/// GET /manager/payment/{id}; `asked`, `silent` and `returned` say what led here.
#[component]
pub fn PaymentPage() -> impl IntoView {
    // it says whom to pay: nobody should pay once more
    render::unkept();
    let here = here();
    let id = parameter::<PaymentId>("id");
    let told = Told {
        asked: use_query("asked").is_some(),
        silent: use_query("silent").is_some(),
        returned: use_query("returned").is_some(),
    };
    loaded(
        async move {
            let here = here?;
            let payment = store::find_for_owner(&here.app.db, &id?, &here.member.id).await?;
            let refunds = rows::of_payment(&here.app.db, &payment.id).await?;
            let order = match &payment.order {
                Some(id) => Some(orders::find_for_owner(&here.app.db, id, &here.member.id).await?),
                None => None,
            };
            Ok((here.member, payment, refunds, order, crate::ways(&here.app)?.bank.clone()))
        },
        move |(member, payment, refunds, order, bank)| {
            let now = now_ms();
            let steps = payment.order.is_some().then(|| {
                let at = if payment.paid_order { 4 } else { 2 };
                view! { <BuyingSteps at/> }
            });
            let (title, body) = if payment.state == PaymentState::Paid {
                let paid = order.is_some_and(|order| order.paid_at.is_some());
                (
                    "已收到付款",
                    view! { <Arrived payment refunds order_paid=paid balance=member.balance/> }.into_any(),
                )
            } else if payment.is_over(now) {
                ("付款已过期", view! { <Over payment told/> }.into_any())
            } else {
                (payment.method.name(), view! { <Waiting payment bank told/> }.into_any())
            };
            view! {
                <Shell member title=title.to_owned() assets=&["payments.css", "payment.js"]>
                    {steps}
                    <div class="till"><div class="trim stack payment"><h1>{title}</h1>{body}</div></div>
                </Shell>
            }
        },
    )
}

/// What led to the page.
#[derive(Debug, Clone, Copy)]
struct Told {
    asked: bool,
    silent: bool,
    returned: bool,
}

#[component]
fn Waiting(payment: Payment, bank: Option<Bank>, told: Told) -> impl IntoView {
    let state = format!("/manager/payment/{}/state", payment.id);
    let way = match payment.method {
        Method::Wechat => view! { <Code payment=payment.clone()/> }.into_any(),
        Method::Alipay => view! { <Away payment=payment.clone()/> }.into_any(),
        Method::Transfer => view! { <Transfer payment=payment.clone() bank/> }.into_any(),
        Method::Demo => view! { <Pretence id=payment.id.clone()/> }.into_any(),
    };
    let news = if told.silent {
        Some(format!("{}现在没有回应，请稍后再查询。", payment.method))
    } else if told.asked {
        Some("还没有收到付款。如果刚刚付过，请等几秒再查询。".to_owned())
    } else {
        told.returned.then(|| "如果已经付款，请查询结果。".to_owned())
    };
    let news = news.map(|text| view! { <p class="notice warn" role="status">{text}</p> });
    let question = asks_provider(payment.method)
        .then(|| view! { <Question id=payment.id.clone() returned=told.returned/> });
    view! {
        <p class="due">
            <span class="quiet">{payment.title()}</span>" "<strong><Money amount=payment.amount/></strong>
        </p>
        {news}
        {way}
        <p class="quiet">"请在 "<Moment at=payment.expires_at/>" 前付款。"</p>
        // a script says here that it follows
        {(payment.method != Method::Demo).then(|| view! { <p class="hint" role="status" data-follow=state></p> })}
        {question}
        <Ways payment/>
    }
}

/// Whether there is somebody to ask who may know more than we do.
fn asks_provider(method: Method) -> bool {
    matches!(method, Method::Wechat | Method::Alipay)
}

/// The button that stands for a provider's own page.
#[component]
fn Pretence(id: PaymentId) -> impl IntoView {
    view! {
        <p>"这是演示站点，不收钱，也不会真的印刷和寄出。"</p>
        <form method="post" action=format!("/manager/payment/{id}/pretence")>
            <button class="button primary wide">"完成付款"</button>
        </form>
    }
}

/// The code that a phone scans.
#[component]
fn Code(payment: Payment) -> impl IntoView {
    let Some(picture) = payment.pay_url.and_then(|text| qr::picture(&text, "微信支付二维码").ok())
    else {
        return view! { <p class="notice warn">"没有拿到付款码，请重新发起付款。"</p> }.into_any();
    };
    view! {
        <div class="code" inner_html=picture></div>
        <p>"请打开手机微信，用“扫一扫”付款。"</p>
        <p class="hint on-phone">"微信不识别截图和长按的付款码，请在另一块屏幕上打开本页再扫。"</p>
    }
    .into_any()
}

/// The way to the provider's own page.
#[component]
fn Away(payment: Payment) -> impl IntoView {
    match payment.pay_url {
        Some(address) => view! { <a class="button primary wide" href=address>"去支付宝付款"</a> }.into_any(),
        None => view! { <p class="notice warn">"没有拿到付款地址，请重新发起付款。"</p> }.into_any(),
    }
}

#[component]
fn Transfer(payment: Payment, bank: Option<Bank>) -> impl IntoView {
    let reference = payment.reference.unwrap_or_default();
    let account = bank.map(|bank| {
        view! {
            <dt>"户名"</dt><dd>{bank.holder}</dd>
            <dt>"开户行"</dt><dd>{bank.name}</dd>
            <dt>"账号"</dt><dd class="num">{bank.account}</dd>
        }
    });
    view! {
        <dl class="facts">
            {account}
            <dt>"金额"</dt><dd><Money amount=payment.amount/></dd>
            <dt>"转账附言"</dt><dd><strong class="reference num">{reference}</strong></dd>
        </dl>
        <p>"转账时请在附言（备注、用途）里写上面这 8 个字符，金额不要改动。到账后由我们确认，一般在一个工作日内。"</p>
    }
}

#[component]
fn Question(id: PaymentId, #[prop(optional)] returned: bool) -> impl IntoView {
    view! {
        <form method="post" action=format!("/manager/payment/{id}/question") data-ask=returned.then_some("")>
            <button class="button wide">"我已付款，查询结果"</button>
        </form>
    }
}

/// Another way, for whoever can't go on in this one.
#[component]
fn Ways(payment: Payment) -> impl IntoView {
    let (address, text) = again(&payment, "换一种方式付款");
    view! { <p><a class="link" href=address>{text}</a></p> }
}

fn again(payment: &Payment, text: &'static str) -> (String, &'static str) {
    match (&payment.order, &payment.bill) {
        (Some(order), _) => (format!("/manager/shopping/pay?order={order}"), text),
        (None, Some(bill)) => (bill.page.clone(), text),
        (None, None) => (format!("/manager/recharge?amount={}", payment.amount), text),
    }
}

#[component]
fn Over(payment: Payment, told: Told) -> impl IntoView {
    let (address, text) = again(&payment, "重新付款");
    let news = (told.asked || told.silent).then(|| {
        let text = if told.silent {
            "现在问不到结果，请稍后再查询。"
        } else {
            "没有查到付款。"
        };
        view! { <p class="notice warn" role="status">{text}</p> }
    });
    let late = if payment.method == Method::Transfer {
        "已经转出的款不会丢：到账确认后存入您的账户余额。"
    } else {
        "如果已经付了款，款项不会丢：收到后会记到您的账户。"
    };
    // one that was closed can't be paid any more; the provider tells by itself if it was
    let question = (asks_provider(payment.method) && payment.state == PaymentState::Pending)
        .then(|| view! { <Question id=payment.id.clone()/> });
    view! {
        <p class="due">
            <span class="quiet">{payment.title()}</span>" "<strong><Money amount=payment.amount/></strong>
        </p>
        {news}
        <p>"这笔付款已于 "<Moment at=payment.expires_at/>" 过期，没有扣款。"</p>
        <p class="quiet">{late}</p>
        <a class="button primary wide" href=address>{text}</a>
        {question}
    }
}

#[component]
fn Arrived(payment: Payment, refunds: Vec<Refund>, order_paid: bool, balance: Fen) -> impl IntoView {
    let amount = payment.amount;
    let at = payment.paid_at.map(|at| view! { <dt>"时间"</dt><dd><Moment at/></dd> });
    let number = payment
        .provider_number
        .clone()
        .map(|number| view! { <dt>"流水号"</dt><dd class="num">{number}</dd> });
    let text = match (&payment.order, payment.paid_order) {
        (None, true) => view! { <p>"已付款，现在就可以用了。"</p> }.into_any(),
        (None, false) if payment.bill.is_some() => view! {
            <p class="notice warn" role="status">
                "这一笔在这之前已经付过款，或者不再需要付款。收到的 "<Money amount/>" 已存入您的账户余额，没有重复付款。余额 "
                <Money amount=balance/>"。"
            </p>
        }
        .into_any(),
        (None, false) => view! { <p>"已存入您的账户，余额 "<Money amount=balance/>"。"</p> }.into_any(),
        (Some(_), true) => view! { <p>"订单已付款，接下来我们会检查文件，然后开印。"</p> }.into_any(),
        (Some(_), false) => {
            let why = if order_paid {
                "订单在这之前已经付过款"
            } else {
                "订单在这之前已经取消"
            };
            view! {
                <p class="notice warn" role="status">
                    {why}"，这笔 "<Money amount/>" 已存入您的账户余额，没有重复付款。余额 "<Money amount=balance/>"。"
                </p>
            }
            .into_any()
        }
    };
    let back: Vec<_> = refunds
        .into_iter()
        .filter(|refund| refund.state != RefundState::Failed)
        .map(|refund| {
            view! { <li>{refund.state.name()}" "<Money amount=refund.amount/>" · "<Moment at=refund.created_at/></li> }
        })
        .collect();
    let back = (!back.is_empty()).then(|| view! { <ul class="back">{back}</ul> });
    let on = match (&payment.order, &payment.bill) {
        (None, Some(bill)) => view! {
            <a class="button primary wide" href=bill.page.clone()>"继续"</a>
        }
        .into_any(),
        (Some(order), _) => view! {
            <a class="button primary wide" href=format!("/manager/order/{order}")>"查看订单"</a>
        }
        .into_any(),
        (None, None) => view! {
            <a class="button primary wide" href="/manager/order">"查看订单"</a>
            <a class="link" href="/manager/recharge">"付款记录"</a>
        }
        .into_any(),
    };
    view! {
        <p class="due"><span class="quiet">{payment.title()}</span>" "<strong><Money amount/></strong></p>
        {text}
        <dl class="facts">
            <dt>"方式"</dt><dd>{payment.method.name()}</dd>
            {at}
            {number}
        </dl>
        {back}
        {on}
    }
}
