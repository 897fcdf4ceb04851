//! /manager/gift-cards 礼品卡: take one in, buy one, those that one has, and those that were bought.

use base::db::now_ms;
use base::lists;
use domain::contact::LONGEST;
use domain::days::DAY_MS;
use domain::gift::{NAME_LENGTH, WORDS_LENGTH, Way};
use domain::gift_card::FACES;
use leptos::prelude::*;
use web::render::{self, Here, here, loaded, use_form, use_query};
use web::ui::lists::Pager;
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, Money, area_text};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use crate::PAGE;
use crate::cards::own_address;
use crate::store::{self, Card, Position};
use crate::using::short;

/// Cards on one page.
const SHOWN: usize = 20;

/// How long one that nobody has paid is still among those that were bought, in ms: a week.
const UNPAID_MS: i64 = 7 * DAY_MS;

/// Of one's own as many are shown, those with something on them first.
const MOST_MINE: i64 = 100;

/// GET /manager/gift-cards, perhaps `?code=…` of one that is to be taken in.
#[component]
pub fn GiftCardsPage() -> impl IntoView {
    let here = here();
    let after = use_query("after").unwrap_or_default();
    let code = use_query("code").unwrap_or_default();
    loaded(
        async move {
            let Here { app, member } = here?;
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let most = SHOWN as i64 + 1;
            let since = now_ms() - UNPAID_MS;
            let mut cards = store::of_buyer(&app.db, &member.id, since, after.as_ref(), most).await?;
            let more = cards.len() > SHOWN;
            cards.truncate(SHOWN);
            let next = cards.last().filter(|_| more).map(Card::position);
            let mine = store::of_holder(&app.db, &member.id, MOST_MINE).await?;
            Ok((member, cards, mine, after.is_some(), next))
        },
        move |(member, cards, mine, is_later, next)| {
            let first = is_later.then(|| PAGE.to_owned());
            let next = next.map(|next| lists::address(PAGE, &[("after", &next.to_string())]));
            let done = match use_query("done").as_deref() {
                Some("kept") => Some("收下了。付订单时在付款页选这张卡就能用。"),
                Some("redeemed") => Some("卡里的钱都转入您的余额了。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let (giver, balance, has_some) = (member.name.clone(), member.balance, !mine.is_empty());
            view! {
                <Shell member title="礼品卡".to_owned() assets=&["giftcards.css"]>
                    <header class="head"><h1>"礼品卡"</h1></header>
                    {done}
                    <ErrorSummary title="没有办成"/>
                    <div class="gift-cards">
                        <section class="sheet stack">
                            <h2>"收到礼品卡？"</h2>
                            <p class="quiet">"输入卡号收下，付订单时用，可以分几次用完。也可以马上全部转入账户余额（现在 "<Money amount=balance/>"），余额还能付会员和阅读。"</p>
                            <form class="redeem" method="post" action=format!("{PAGE}/kept")>
                                <Field name="code" label="卡号（16 位）" value=code most=40 autocomplete="off" inputmode="text"/>
                                <div class="row">
                                    <button class="button primary">"收下"</button>
                                    <button class="button" formaction=format!("{PAGE}/redemption")>"全部转入余额"</button>
                                </div>
                            </form>
                        </section>
                        <section class="sheet stack">
                            <h2>"买一张送人"</h2>
                            <Buy giver/>
                        </section>
                    </div>
                    {has_some.then(|| view! { <section class="bought"><h2>"我的卡"</h2><Mine cards=mine/></section> })}
                    <section class="bought">
                        <h2>"我买的"</h2>
                        <Bought cards/>
                        <Pager first next back="最新的" further="更早的"/>
                    </section>
                </Shell>
            }
        },
    )
}

/// The form of a new card.
#[component]
fn Buy(giver: String) -> impl IntoView {
    let form = use_form();
    // the other form of this page has none of these
    let is_sent = !form.get("card").is_empty();
    let key: String = render::once();
    let chosen = if is_sent { form.get("face").to_owned() } else { FACES[1].to_string() };
    let faces: Vec<_> = FACES
        .into_iter()
        .map(|face| {
            let value = face.to_string();
            let whole = value.strip_suffix(".00").unwrap_or(&value).to_owned();
            view! {
                <label>
                    <input type="radio" name="face" value=value.clone() checked=chosen == value/>
                    <span>{format!("{whole} 元")}</span>
                </label>
            }
        })
        .collect();
    let chosen = form.or("way", Way::Mail.code());
    let ways: Vec<_> = Way::ALL
        .into_iter()
        .enumerate()
        .map(|(at, way)| {
            let name = if way == Way::Card { "打印出来" } else { way.name() };
            view! {
                <label>
                    <input
                        type="radio" id=(at == 0).then_some("way") name="way" value=way.code()
                        checked=chosen == way.code()
                    />
                    <span>{name}</span>
                </label>
            }
        })
        .collect();
    let giver: String = giver.chars().take(NAME_LENGTH).collect();
    let words = form.or("words", "");
    view! {
        <form class="fields gift-card-form" method="post" action=PAGE>
            <input type="hidden" name="card" value=form.or("card", &key)/>
            <fieldset class="chips"><legend>"面值"</legend><div>{faces}</div></fieldset>
            <Field name="amount" label="其他金额（10 到 1,000 元），填写后以此为准" most=12 inputmode="decimal" autocomplete="off"/>
            <fieldset class="chips">
                <legend>"怎么送"</legend>
                <div>{ways}</div>
                <FieldError name="way".to_owned()/>
            </fieldset>
            <div class="by-mail">
                <Field name="email" label="对方的邮箱" kind="email" most=LONGEST as u32 autocomplete="off" inputmode="email"/>
            </div>
            <div class="fields two">
                <Field name="receiver" label="对方的称呼（可不填）" most=20 autocomplete="off"/>
                <Field name="giver" label="您的落款" value=giver most=20 required=true/>
            </div>
            <div class="field">
                <label for="words">"寄语（可不填）"</label>
                <Limit name="words" most=WORDS_LENGTH.to_string()/>
                <textarea id="words" name="words" rows="3" maxlength=WORDS_LENGTH.to_string() aria-describedby="words-limit" inner_html=area_text(&words)></textarea>
                <FieldError name="words".to_owned()/>
            </div>
            <button class="button primary">"去付款"</button>
            <p class="hint">"从付款那天起三年有效，收下以后长期有效；付订单可以分几次用完，不能提现。还没有人收下的可以联系本店退回您的余额；过期的，钱不作废，可以重新激活。"</p>
        </form>
    }
}

/// Those that the member has.
#[component]
fn Mine(cards: Vec<Card>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = cards
        .into_iter()
        .map(|card| {
            let (class, state) = card.mark(now);
            let number = short(card.id.as_str());
            let about = format!("：礼品卡 {number}");
            let own = own_address(&card.id);
            Record::new()
                .num("卡", number)
                .moment("收下时间", card.held_at)
                .cell("状态", view! { <span class=class>{state}</span> })
                .money("面值", card.amount)
                .end("还有", view! { <strong><Money amount=card.rest()/></strong> })
                .acts(view! { <a class="link" href=own>"查看"<span class="sr">{about}</span></a> })
        })
        .collect();
    view! { <Records rows/> }
}

#[component]
fn Bought(cards: Vec<Card>) -> impl IntoView {
    if cards.is_empty() {
        return view! { <p class="quiet">"还没有买过礼品卡。"</p> }.into_any();
    }
    let now = now_ms();
    let rows: Vec<_> = cards
        .into_iter()
        .map(|card| {
            let (class, state) = card.given_mark(now);
            let own = own_address(&card.id);
            let until = card.until();
            let about = format!("：{} 元，{}", card.amount, card.whom());
            let until = card.paid_at.is_some().then_some(until);
            let open = if card.paid_at.is_some() { "查看" } else { "去付款" };
            Record::new()
                .cell("送给", card.whom())
                .moment("付款时间", card.paid_at)
                .num("有效期至", until)
                .cell("状态", view! { <span class=class>{state}</span> })
                .money("金额", card.amount)
                .acts(view! { <a class="link" href=own>{open}<span class="sr">{about}</span></a> })
        })
        .collect();
    view! { <Records rows/> }.into_any()
}
