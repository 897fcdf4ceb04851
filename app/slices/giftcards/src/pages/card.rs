//! /manager/gift-cards/{id}: what is to be paid for a card; afterwards its code, its PDF, and where it stands. Who has it sees what is
//! left.

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::gift::Way;
use domain::gift_card::{Stored, Whose, is_over};
use domain::ids::GiftCardId;
use domain::money::Fen;
use domain::payment::{Method, way_name};
use leptos::prelude::*;
use payments::WaysToPay;
use web::app::App;
use web::origin::Origin;
use web::render::{Here, here, loaded, parameter, use_query};
use web::session::Member;
use web::ui::parts::{ErrorSummary, Moment, Money};
use web::ui::qr;
use web::ui::shell::Shell;

use super::mine::Mine;
use crate::PAGE;
use crate::cards::{address, code, own_address};
use crate::store::uses::{self, Moved};
use crate::store::{self, Card};

/// What a card's page shows.
enum Shown {
    /// Its buyer still has to pay.
    Due { ways: Vec<Method>, asks_again: bool },
    /// Its buyer sees the code and the picture of its link, until somebody has it.
    Bought { open: Option<(String, String)> },
    /// Who has it sees its book, and the orders that wait for their payment.
    Mine { moves: Vec<Moved>, waiting: Vec<(String, Fen)> },
}

async fn shown(app: &App, parts: &Parts, member: &Member, card: &Card) -> Result<Shown, Error> {
    if card.whose(&member.id) == Whose::Own {
        let mut tx = app.db.begin_snapshot().await?;
        let moves = uses::moves(&mut tx, &card.id).await?;
        return Ok(Shown::Mine { moves, waiting: uses::waiting(&mut tx, &card.id).await? });
    }
    if card.state == Stored::Unpaid {
        let ways = payments::ways(app)?.all().collect();
        return Ok(Shown::Due { ways, asks_again: accounts::asks_again(app, member).await? });
    }
    let open = match code(app, card) {
        Some(code) => {
            let link = Origin::of(&app.config, &parts.headers).join(&address(&code));
            Some((code.to_string(), qr::picture(&link, "收下的二维码")?))
        }
        None => None,
    };
    Ok(Shown::Bought { open })
}

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
            let card = store::find_theirs(&app.db, &id?, &member.id).await?;
            let shown = shown(&app, &parts, &member, &card).await?;
            Ok((member, card, shown))
        },
        |(member, card, shown)| match shown {
            Shown::Due { ways, asks_again } => view! { <Due member card ways asks_again/> }.into_any(),
            Shown::Bought { open } => view! { <Bought member card open/> }.into_any(),
            Shown::Mine { moves, waiting } => view! { <Mine member card moves waiting/> }.into_any(),
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
fn Bought(member: Member, card: Card, open: Option<(String, String)>) -> impl IntoView {
    let now = now_ms();
    let (class, state) = card.given_mark(now);
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
    let held = card.held_at.map(|at| view! { <dt>"收下时间"</dt><dd><Moment at/></dd> });
    let words = (!card.words.is_empty())
        .then(|| view! { <blockquote class="gift-words">{card.words.clone()}</blockquote> });
    let until = card.until();
    let is_open = open.is_some();
    let shown = open.map(|(code, picture)| {
        view! {
            <section class="sheet stack">
                <h2>"卡号"</h2>
                <p class="gift-code num">{code}</p>
                <div class="gift-qr" inner_html=picture></div>
                <p class="hint">"扫码，或登录后在“礼品卡”里输入卡号。谁先收下就归谁，请只给要送的人；有人收下以后这里不再显示。"</p>
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
                        {held}
                        <dt>"编号"</dt><dd class="num long">{card.id.to_string()}</dd>
                    </dl>
                    {words}
                </section>
                <div class="stack">{shown}{send}</div>
            </div>
        </Shell>
    }
}
