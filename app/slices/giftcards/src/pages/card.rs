//! /manager/gift-cards/{id}: what is to be paid for a card; afterwards its code, its PDF, and where it stands.

use axum::http::request::Parts;
use domain::gift::Way;
use domain::gift_card::{Stored, is_over};
use domain::ids::GiftCardId;
use domain::payment::{Method, way_name};
use leptos::prelude::*;
use payments::WaysToPay;

use crate::PAGE;
use crate::cards::{address, code, own_address};
use crate::store::{self, Card};
use platform::base::Base;
use platform::db::now_ms;
use platform::error::Error;
use platform::render::{Here, here, loaded, parameter, use_query};
use platform::session::Member;
use platform::ui::parts::{ErrorSummary, Moment, Money};
use platform::ui::qr;
use platform::ui::shell::Shell;
use platform::ui::time;

/// GET /manager/gift-cards/{id}.
#[component]
pub fn GiftCardPage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    let id = parameter::<GiftCardId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let card = store::find_own(&app.db, &id?, &member.id).await?;
            let ways: Vec<Method> = payments::ways(&app)?.all().collect();
            let asks_again = accounts::asks_again(&app, &member).await?;
            let open = match code(&app, &card) {
                Some(code) => {
                    let link = Base::of(&app.config, &parts.headers).join(&address(&code));
                    Some((code.to_string(), qr::picture(&link, "兑换的二维码")?))
                }
                None => None,
            };
            Ok((member, card, open, ways, asks_again))
        },
        |(member, card, open, ways, asks_again)| {
            if card.state == Stored::Unpaid {
                return view! { <Due member card ways asks_again/> }.into_any();
            }
            view! { <Paid member card open/> }.into_any()
        },
    )
}

#[component]
fn Due(member: Member, card: Card, ways: Vec<Method>, asks_again: bool) -> impl IntoView {
    let (balance, amount) = (member.balance, card.amount);
    let mail = (card.way == Way::Mail)
        .then(|| view! { <dt>"邮箱"</dt><dd class="long">{card.address.clone()}</dd> });
    view! {
        <Shell member=member.clone() title="付款".to_owned() assets=&["payments.css", "giftcards.css"]>
            <div class="till">
                <h1>"付款"</h1>
                <ErrorSummary title="没有付款"/>
                <div class="trim stack">
                    <p class="due"><span class="quiet">"应付"</span>" "<strong><Money amount/></strong></p>
                    <dl class="facts sums">
                        <dt>"内容"</dt><dd>"礼品卡"</dd>
                        <dt>"送给"</dt><dd>{card.whom()}</dd>
                        <dt>"落款"</dt><dd>{card.giver.clone()}</dd>
                        {mail}
                        <dt>"账户余额"</dt><dd><Money amount=balance/></dd>
                    </dl>
                    <WaysToPay member amount page=own_address(&card.id) ways asks_again/>
                </div>
            </div>
        </Shell>
    }
}

#[component]
fn Paid(member: Member, card: Card, open: Option<(String, String)>) -> impl IntoView {
    let now = now_ms();
    let (class, state) = card.mark(now);
    let own = own_address(&card.id);
    let done = (use_query("done").as_deref() == Some("sent"))
        .then(|| view! { <div class="notice good" role="status">"又发了一封。"</div> });
    let over = (card.state == Stored::Open && is_over(card.expires_at, now)).then(|| {
        view! { <p class="notice warn" role="status">"这张卡过期了，钱没有作废："<a class="link" href="/about/contact">"联系本店"</a>"重新激活，或者退回您的余额。"</p> }
    });
    let sent = match (card.way, card.sent_at) {
        (Way::Card, _) => None,
        (Way::Mail, Some(at)) => Some(format!("{} 发出，共 {} 次", time::stamp(at), card.sent)),
        (Way::Mail, None) => Some("正在寄出".to_owned()),
    };
    let sent = sent.map(|sent| view! { <dt>"邮件"</dt><dd>{sent}</dd> });
    let address = (!card.address.is_empty())
        .then(|| view! { <dt>"邮箱"</dt><dd class="long">{card.address.clone()}</dd> });
    let redeemed = card.redeemed_at.map(|at| view! { <dt>"兑换时间"</dt><dd><Moment at/></dd> });
    let words = (!card.words.is_empty())
        .then(|| view! { <blockquote class="gift-words">{card.words.clone()}</blockquote> });
    let until = card.expires_at.map(|at| time::day(at - 1)).unwrap_or_default();
    let is_open = open.is_some();
    let shown = open.map(|(code, picture)| {
        view! {
            <section class="sheet stack">
                <h2>"卡号"</h2>
                <p class="gift-code num">{code}</p>
                <div class="gift-qr" inner_html=picture></div>
                <p class="hint">"扫码，或登录后在“礼品卡”里输入卡号。谁先兑换就归谁，请只给要送的人；用掉以后这里不再显示。"</p>
                <p><a class="button" href=format!("{own}/card.pdf") download>"下载 PDF"</a></p>
            </section>
        }
    });
    let send = (is_open && card.way == Way::Mail && !is_over(card.expires_at, now)).then(|| {
        view! {
            <form method="post" action=format!("{own}/sending")><button class="button wide">"再发一次"</button></form>
        }
    });
    view! {
        <Shell member title="礼品卡".to_owned() assets=&["giftcards.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=PAGE>"礼品卡"</a></p>
                    <h1>{format!("¥{} 礼品卡", card.amount.grouped())}</h1>
                    <p><span class=class>{state}</span></p>
                </div>
            </header>
            {done}
            {over}
            <ErrorSummary title="没有办成"/>
            <div class="parts">
                <section class="sheet">
                    <h2>"这张卡"</h2>
                    <dl class="facts">
                        <dt>"送给"</dt><dd>{card.whom()}</dd>
                        <dt>"落款"</dt><dd>{card.giver.clone()}</dd>
                        <dt>"金额"</dt><dd><Money amount=card.amount/></dd>
                        <dt>"付款"</dt>
                        <dd>{way_name(card.pay_way.as_deref())}" "<Moment at=card.paid_at.unwrap_or_default()/></dd>
                        <dt>"有效期至"</dt><dd class="num">{until}</dd>
                        {address}
                        {sent}
                        {redeemed}
                        <dt>"编号"</dt><dd class="num long">{card.id.to_string()}</dd>
                    </dl>
                    {words}
                </section>
                <div class="stack">{shown}{send}</div>
            </div>
        </Shell>
    }
}
