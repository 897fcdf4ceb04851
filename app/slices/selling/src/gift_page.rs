//! /manager/gifts 送出的礼物 and /manager/gift/{sale}: what a giver gave, where it stands, its code, its card; sent again and taken
//! back.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::gift::{GiftState, NotSent, Way};
use domain::ids::SaleId;
use domain::sale::NotRefunded;
use leptos::prelude::*;
use press::GiftCard;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form, Here, here, loaded, parameter, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::files::pdf_file;
use web::ui::lists::Pager;
use web::ui::parts::{Ask, ErrorSummary, Moment, Money};
use web::ui::qr;
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::gifts::{self, Unsent, own_address};
use super::refunds::Kept;
use super::store::gifts::{self as store, Gift};
use super::store::sales::{self as sold, Sale};
use super::{GIFTS, STUDY};

/// Gifts on one page.
const PAGE: usize = 20;

/// One of a giver's own that was paid.
async fn own(app: &App, member: &Member, id: &SaleId) -> Result<(Sale, Gift), Error> {
    let sale = sold::find_for_buyer(&app.db, id, &member.id).await?;
    let mut tx = app.db.begin_snapshot().await?;
    let gift = store::find(&mut tx, id).await?;
    if gift.facts(&sale).state(now_ms()) == GiftState::Unpaid {
        Err(Error::NotFound)
    } else {
        Ok((sale, gift))
    }
}

fn mark(state: GiftState) -> &'static str {
    match state {
        GiftState::Open => "badge warn",
        GiftState::Taken => "badge good",
        GiftState::Unpaid | GiftState::Waiting | GiftState::Back => "badge",
    }
}

/// To whom it is, in words.
fn whom(gift: &Gift) -> String {
    match (gift.receiver.is_empty(), gift.address.is_empty()) {
        (false, _) => gift.receiver.clone(),
        (true, false) => gift.address.clone(),
        (true, true) => "—".to_owned(),
    }
}

/// GET /manager/gifts?before=….
#[component]
pub fn GiftsPage() -> impl IntoView {
    let here = here();
    let before = use_query("before").unwrap_or_default();
    loaded(
        async move {
            let Here { app, member } = here?;
            let mut ids = store::of_giver(&app.db, &member.id, &before, PAGE as i64 + 1).await?;
            let more = ids.len() > PAGE;
            ids.truncate(PAGE);
            let next = ids.last().filter(|_| more).map(|id| format!("{GIFTS}?before={id}"));
            let mut tx = app.db.begin_snapshot().await?;
            let mut given = Vec::new();
            for id in ids {
                given.push((sold::find_within(&mut tx, &id).await?, store::find(&mut tx, &id).await?));
            }
            Ok((member, given, (!before.is_empty()).then(|| GIFTS.to_owned()), next))
        },
        |(member, given, first, next)| {
            let now = now_ms();
            let rows: Vec<_> = given
                .into_iter()
                .map(|(sale, gift)| {
                    let state = gift.facts(&sale).state(now);
                    let own = own_address(&sale.id);
                    let about = format!("：{}，{}", sale.title, whom(&gift));
                    Record::new()
                        .cell("内容", view! { <a class="link" href=own.clone()>{sale.title.clone()}</a> })
                        .cell("送给", whom(&gift))
                        .moment("付款时间", sale.paid_at)
                        .cell("状态", view! { <span class=mark(state)>{state.name()}</span> })
                        .money("金额", sale.amount)
                        .acts(view! { <a class="link" href=own>"查看"<span class="sr">{about}</span></a> })
                })
                .collect();
            let body = if rows.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有送出过礼物"</h2>
                        <p class="quiet">"在套餐或作品的购买页按“送给别人”，可以发到对方邮箱，也可以打印成贺卡。"</p>
                        <a class="button" href=STUDY>"去书房"</a>
                    </section>
                }
                .into_any()
            } else {
                view! {
                    <Records rows/>
                    <Pager first next back="最新的" further="更早的"/>
                }
                .into_any()
            };
            view! {
                <Shell member title="送出的礼物".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=STUDY>"书房"</a></p>
                            <h1>"送出的礼物"</h1>
                        </div>
                    </header>
                    {body}
                </Shell>
            }
        },
    )
}

/// GET /manager/gift/{sale}.
#[component]
pub fn GiftPage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    let id = parameter::<SaleId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let (sale, gift) = own(&app, &member, &id?).await?;
            let open = match gifts::code(&app, &gift) {
                Some(code) => {
                    let link = Origin::of(&app.config, &parts.headers).join(&gifts::address(&code));
                    Some((code.to_string(), qr::picture(&link, "礼物的二维码")?, link))
                }
                None => None,
            };
            Ok((member, sale, gift, open))
        },
        |(member, sale, gift, open)| {
            let state = gift.facts(&sale).state(now_ms());
            let done = match use_query("done").as_deref() {
                Some("sent") => Some("又发了一封。"),
                Some("back") if state == GiftState::Back => Some("礼物已收回，全款退到了账户余额。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let words = (!gift.words.is_empty())
                .then(|| view! { <blockquote class="gift-words">{gift.words.clone()}</blockquote> });
            let when = match (gift.way, gift.sent_at, gift.send_at) {
                (Way::Card, ..) => None,
                (_, Some(at), _) => Some(format!("{} 发出，共 {} 次", time::stamp(at), gift.sent)),
                (_, None, Some(at)) => Some(format!("{} 寄出", time::stamp(at))),
                (_, None, None) => Some("正在寄出".to_owned()),
            };
            let when = when.map(|when| view! { <dt>"邮件"</dt><dd>{when}</dd> });
            let address = (!gift.address.is_empty())
                .then(|| view! { <dt>"邮箱"</dt><dd class="long">{gift.address.clone()}</dd> });
            let taken = gift.taken_at.map(|at| view! { <dt>"领取时间"</dt><dd><Moment at/></dd> });
            view! {
                <Shell member title="送出的礼物".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=GIFTS>"送出的礼物"</a></p>
                            <h1>{sale.title.clone()}</h1>
                            <p><span class=mark(state)>{state.name()}</span></p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="没有办成"/>
                    <div class="parts">
                        <div class="stack">
                            <section class="sheet">
                                <h2>"礼物"</h2>
                                <dl class="facts">
                                    <dt>"送给"</dt><dd>{whom(&gift)}</dd>
                                    <dt>"落款"</dt><dd>{gift.giver.clone()}</dd>
                                    <dt>"期限"</dt><dd>{format!("{}，从收下的那天起算", sale.term)}</dd>
                                    <dt>"金额"</dt><dd><Money amount=sale.amount/></dd>
                                    {address}
                                    {when}
                                    {taken}
                                </dl>
                                {words}
                            </section>
                            {open.map(|(code, picture, link)| view! { <Code sale=sale.id.clone() code picture link/> })}
                        </div>
                        <aside class="stack" aria-label="操作"><Actions sale gift state/></aside>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Code(sale: SaleId, code: String, picture: String, link: String) -> impl IntoView {
    view! {
        <section class="sheet stack">
            <h2>"兑换码"</h2>
            <p class="gift-code num">{code}</p>
            <div class="gift-qr" inner_html=picture></div>
            <p class="hint">"扫码或打开链接就能收下；也可以登录后在“书房”里输入兑换码。谁先收下就归谁，请只给要送的人。"</p>
            <p class="num long">{link}</p>
            <p><a class="button" href=format!("{}/card.pdf", own_address(&sale)) download>"下载贺卡 PDF"</a></p>
        </section>
    }
}

#[component]
fn Actions(sale: Sale, gift: Gift, state: GiftState) -> impl IntoView {
    let own = own_address(&sale.id);
    let send = (state.is_open() && gift.way == Way::Mail).then(|| {
        let label = if state == GiftState::Waiting { "现在就寄出" } else { "再发一次" };
        view! {
            <form method="post" action=format!("{own}/sending")>
                <button class="button wide">{label}</button>
            </form>
        }
    });
    let back = state.is_open().then(|| {
        let amount = sale.amount.grouped();
        view! {
            <Ask
                label="收回礼物"
                question=format!("收回{}？兑换码马上作废，¥{amount} 全部退到您的账户余额。", sale.title)
                confirm="收回"
                action=format!("{own}/return")
            />
        }
    });
    view! { {send}{back} }
}

async fn refused(app: &App, parts: Parts, id: &SaleId, reason: String) -> Result<Response, Error> {
    let mut form = Form::default();
    form.refuse("", reason);
    render::again(app, parts, &own_address(id), form).await
}

/// POST /manager/gift/{sale}/sending: the message once more, or before its day.
pub async fn send(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SaleId>,
    parts: Parts,
) -> Result<Response, Error> {
    own(&app, &member, &id).await?;
    match gifts::send_again(&app, &id, &member.id, now_ms()).await {
        // pressed twice
        Ok(()) | Err(Unsent::Not(NotSent::JustNow)) => {
            Ok(Redirect::to(&format!("{}?done=sent", own_address(&id))).into_response())
        }
        Err(Unsent::Failed(Error::TooMany(wait))) => {
            let mut answer = refused(&app, parts, &id, Error::TooMany(wait).message()).await?;
            *answer.status_mut() = axum::http::StatusCode::TOO_MANY_REQUESTS;
            answer.headers_mut().insert("retry-after", wait.seconds.into());
            Ok(answer)
        }
        Err(Unsent::Failed(error)) => Err(error),
        Err(Unsent::Not(reason)) => refused(&app, parts, &id, reason.to_string()).await,
    }
}

/// POST /manager/gift/{sale}/return: all of it back, until somebody has taken it.
pub async fn take_back(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SaleId>,
    parts: Parts,
) -> Result<Response, Error> {
    own(&app, &member, &id).await?;
    match gifts::take_back(&app, &id, &member.id, now_ms()).await {
        Ok(()) | Err(Kept::Not(NotRefunded::Before)) => {
            Ok(Redirect::to(&format!("{}?done=back", own_address(&id))).into_response())
        }
        Err(Kept::Failed(error)) => Err(error),
        Err(Kept::Taken) => refused(&app, parts, &id, "礼物已经被领取，不能收回了".to_owned()).await,
        Err(reason) => refused(&app, parts, &id, reason.to_string()).await,
    }
}

/// GET /manager/gift/{sale}/card.pdf: a card to print.
pub async fn card(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SaleId>,
    parts: Parts,
) -> Result<Response, Error> {
    let (sale, gift) = own(&app, &member, &id).await?;
    let gone = || Error::Conflict("礼物已经被领取或收回，不能再打印贺卡。".into());
    let code = gifts::code(&app, &gift).ok_or_else(gone)?;
    let base = Origin::of(&app.config, &parts.headers);
    let link = base.join(&gifts::address(&code));
    let place = base.join("").trim_start_matches("https://").trim_start_matches("http://").to_owned();
    let press = app.press;
    let title = sale.title.clone();
    let made = app
        .compute(move || {
            press.gift_card(&GiftCard {
                title: &title,
                term: &format!("{}，从收下的那天起算", sale.term),
                receiver: &gift.receiver,
                giver: &gift.giver,
                words: &gift.words,
                code: &code.to_string(),
                address: &link,
                invitation: &format!("扫码收下；或打开 {place}，登录后在“书房”输入兑换码"),
            })
        })
        .await?
        .map_err(Error::internal)?;
    Ok(pdf_file("gift.pdf", "贺卡.pdf", made))
}
