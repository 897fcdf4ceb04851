//! /staff/gift-cards: what is owed for cards, what each paid, and giving one back or making it good again.

use async_trait::async_trait;
use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::gift_card::{Stored, is_over};
use domain::ids::{GiftCardId, MemberId};
use domain::ledger::Account;
use domain::staff::Capability;
use leptos::prelude::*;
use web::app::App;
use web::approvals::{self, By, Decision, Outcome};
use web::render::{self, loaded, parameter, use_query};
use web::router::Parameter;
use web::slice::{Queue, Queues};
use web::staff::{Staff, asks_code, here};
use web::ui::forms::{check_length, read_form};
use web::ui::lists::{Pager, Search};
use web::ui::parts::{ErrorSummary, Field, Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::staff::{Approvals, CodeField, ExportButtons, StaffShell, said};

use crate::LIST;
use crate::cards;
use crate::pages::book::Book;
use crate::store::uses;
use crate::store::{self, Card, Position};

/// Rows on one page.
const PAGE: usize = 30;
/// Characters of a reason.
const REASON: usize = 100;
/// The views of the list: a word for the address, a name.
const VIEWS: [(&str, &str); 2] = [("", "全部"), (SECOND, "待复核")];
/// The one of what waits for another clerk.
const SECOND: &str = "second";
const HOUR_MS: i64 = 60 * 60_000;

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let (count, oldest) = approvals::count(&app.db, cards::REFUND).await?;
        Ok(vec![Queue {
            name: "待复核的礼品卡退款",
            href: format!("{LIST}?view={SECOND}"),
            count,
            oldest,
            needs: Capability::Refund,
            late_after_ms: 24 * HOUR_MS,
        }])
    }
}

fn address(id: &GiftCardId) -> String {
    format!("{LIST}/{id}")
}

fn done(id: &GiftCardId, outcome: impl Into<Outcome>) -> Response {
    let outcome = outcome.into();
    if outcome.is_unchanged() {
        audit::unchanged();
    }
    Redirect::to(&said(&address(id), outcome)).into_response()
}

/// POST /staff/gift-cards/{id}/refund: all of one that nobody has used, to its buyer's balance.
pub async fn refund(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<GiftCardId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let card = store::find(&app.db, &id).await?;
    let asked = approvals::of(&app.db, cards::thing(&id)).await?;
    if card.state == Stored::Refunded {
        return Ok(done(&id, false));
    }
    if asked.iter().any(|request| request.decided_at.is_none()) {
        return Ok(done(&id, Outcome::AskedBefore));
    }
    let mut form = read_form(&body)?;
    check_length(&mut form, "reason", "原因", 1, REASON);
    if card.state != Stored::Open {
        form.refuse("", cards::not_refunded(&card, now_ms()));
    }
    asks_code(&app, &parts, &staff, &mut form).await?;
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    let reason = form.get("reason");
    match cards::refund_by(&app, &id, reason, By::OwnRight, now_ms()).await? {
        Some(is_now) => Ok(done(&id, is_now)),
        None => {
            let is_now = cards::ask_refund(&app, &card, reason, staff.name, asked.len()).await?;
            Ok(done(&id, Outcome::asked(is_now)))
        }
    }
}

/// POST /staff/gift-cards/{id}/second: somebody else decides on a refund; the fields `request` and `decision` say which and how.
pub async fn decide(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<GiftCardId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let decision = Decision::read(&app, &parts, staff, &mut form, cards::thing(&id)).await?;
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    match cards::decide_refund(&app, &id, &decision).await {
        Ok(is_now) => Ok(done(&id, decision.outcome(is_now))),
        Err(Error::Conflict(reason)) => {
            form.refuse("", reason);
            render::again(&app, parts, &address(&id), form).await
        }
        Err(error) => Err(error),
    }
}

/// POST /staff/gift-cards/{id}/activation: one whose time is over is good for a year more.
pub async fn activate(
    State(app): State<App>,
    Parameter(id): Parameter<GiftCardId>,
) -> Result<Response, Error> {
    Ok(done(&id, cards::activate(&app, &id, now_ms()).await?))
}

/// GET /staff/gift-cards?view=…&q=…&after=….
#[component]
pub fn StaffGiftCardsPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (view, search, after) = (query("view"), lists::search_text(&query("q")), query("after"));
    loaded(
        async move {
            let db = &here?.app.db;
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let most = PAGE as i64 + 1;
            let mut cards = match view.as_str() {
                "" => store::newest(db, &search, after.as_ref(), most).await?,
                SECOND => store::to_decide(db, &search, after.as_ref(), most).await?,
                _ => return Err(Error::NotFound),
            };
            let more = cards.len() > PAGE;
            cards.truncate(PAGE);
            let next = cards.last().filter(|_| more).map(Card::position);
            let owed = ledger::balance_of(&mut db.begin_snapshot().await?, &Account::GiftCards).await?;
            Ok(((view, search), cards, after.is_some(), next, owed))
        },
        |((view, search), cards, is_later, next, owed)| {
            let place = |view: &str, after: &str| {
                lists::address(LIST, &[("view", view), ("q", &search), ("after", after)])
            };
            let tabs: Vec<_> = VIEWS
                .iter()
                .map(|(word, name)| {
                    let current = (*word == view).then_some("page");
                    view! { <a href=place(word, "") aria-current=current>{*name}</a> }
                })
                .collect();
            let first = is_later.then(|| place(&view, ""));
            let next = next.map(|next| place(&view, &next.to_string()));
            let kept = vec![("view", view.clone())];
            // the file has all cards that a search finds
            let exported = view.is_empty().then(|| {
                view! { <ExportButtons kind="gift-cards" kept=vec![("q", search.clone())]/> }
            });
            let body = if cards.is_empty() {
                let said = match (view.as_str(), search.is_empty()) {
                    (SECOND, true) => "没有要复核的礼品卡",
                    (_, true) => "还没有卖出礼品卡",
                    (_, false) => "没有这个编号的礼品卡",
                };
                view! { <section class="trim empty"><h2>{said}</h2><p class="quiet">"会员在“礼品卡”里买。编号在买的人那一页上。"</p></section> }
                    .into_any()
            } else {
                view! { <Cards cards/> }.into_any()
            };
            view! {
                <StaffShell title="礼品卡".to_owned() assets=&["staff.css"]>
                    <header class="head">
                        <h1>"礼品卡"</h1>
                        <Search action=LIST.to_owned() label="编号" search=search.clone() kept/>
                    </header>
                    <nav class="filter" aria-label="礼品卡状态">{tabs}</nav>
                    <p class="quiet">"卡里还没有用的一共 "<Money amount=owed/>"，是欠持卡人的钱。"</p>
                    {body}
                    <Pager first next back="最新的" further="更早的"/>
                    {exported}
                </StaffShell>
            }
        },
    )
}

#[component]
fn Cards(cards: Vec<Card>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = cards
        .into_iter()
        .map(|card| {
            let (class, state) = card.mark(now);
            let until = card.until();
            Record::new()
                .cell("编号", view! { <a class="link num" href=address(&card.id)>{card.id.to_string()}</a> })
                .moment("付款时间", card.paid_at)
                .num("有效期至", until)
                .cell("状态", view! { <span class=class>{state}</span> })
                .money("面值", card.amount)
                .money("还有", card.rest())
        })
        .collect();
    view! { <Records rows/> }
}

/// GET /staff/gift-cards/{id}.
#[component]
pub fn StaffGiftCardPage() -> impl IntoView {
    let here = here();
    let id = parameter::<GiftCardId>("id");
    let card = async move {
        let here = here?;
        let db = &here.app.db;
        let card = store::find(db, &id?).await?;
        let mut tx = db.begin_snapshot().await?;
        let moves = uses::moves(&mut tx, &card.id).await?;
        let buyer = accounts::called(&mut tx, &card.buyer).await?;
        let holder = match &card.holder {
            Some(holder) => Some(accounts::called(&mut tx, holder).await?),
            None => None,
        };
        drop(tx);
        let requests = approvals::of(db, cards::thing(&card.id)).await?;
        Ok((here.staff, card, (buyer, holder), moves, requests))
    };
    loaded(card, |(staff, card, (buyer, holder), moves, requests)| {
        let now = now_ms();
        let (class, state) = card.mark(now);
        let own = address(&card.id);
        let sees_members = staff.may(Capability::SeeMembers);
        let member = |label: &'static str, id: &MemberId, (name, account): (String, String)| {
            let page = sees_members.then(|| {
                let href = format!("/staff/members/{id}");
                view! { " "<a class="link" href=href>"看这位会员"<span class="sr">"："{label}</span></a> }
            });
            view! { <dt>{label}</dt><dd>{name}" "<span class="quiet">{account}</span>{page}</dd> }
        };
        let buyer = member("买的人", &card.buyer, buyer);
        let holder = card.holder.as_ref().zip(holder).map(|(id, called)| member("收下的人", id, called));
        let held_at = card.held_at.map(|at| view! { <dt>"收下时间"</dt><dd><Moment at/></dd> });
        let book = card.holder.is_some().then(|| {
            view! { <h2>"明细"</h2><Book card=card.clone() moves orders="/staff/orders/"/> }
        });
        let activate = (card.state == Stored::Open && is_over(card.expires_at, now)).then(|| {
            view! {
                <form class="sheet stack" method="post" action=format!("{own}/activation")>
                    <h2>"重新激活"</h2>
                    <p class="quiet">"过期的卡，钱还是持卡人的；激活后再有效一年。"</p>
                    <button class="button primary wide">"激活"</button>
                </form>
            }
        });
        let waits = requests.iter().any(|request| request.decided_at.is_none());
        let second = format!("{own}/second");
        let decides = Some(staff.name);
        let refund = (card.state == Stored::Open && !waits).then(|| {
            view! {
                <form class="sheet fields" method="post" action=format!("{own}/refund")>
                    <h2>"退给买卡的人"</h2>
                    <p class="quiet">"全部退到买卡会员的余额，卡号马上作废。请先确认卡还没有送出去，或者已经收回。"</p>
                    <Field name="reason" label="原因（会员看得到）" most=100 required=true/>
                    <CodeField/>
                    <button class="button danger wide">"退款"</button>
                </form>
            }
        });
        view! {
            <StaffShell title="礼品卡".to_owned() assets=&["staff.css", "giftcards.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=LIST>"礼品卡"</a></p>
                        <h1>{format!("¥{} 礼品卡", card.amount.grouped())}</h1>
                        <p><span class=class>{state}</span></p>
                    </div>
                </header>
                <ErrorSummary title="没有办成"/>
                <div class="parts">
                    <section class="sheet">
                        <h2>"这张卡"</h2>
                        <dl class="facts">
                            <dt>"编号"</dt><dd class="num long">{card.id.to_string()}</dd>
                            <dt>"面值"</dt><dd><Money amount=card.amount/></dd>
                            <dt>"还有"</dt><dd><Money amount=card.rest()/></dd>
                            {buyer}
                            <dt>"付款时间"</dt><dd><Moment at=card.paid_at.unwrap_or_default()/></dd>
                            <dt>"有效期至"</dt><dd class="num">{card.until()}</dd>
                            {holder}
                            {held_at}
                        </dl>
                        {book}
                    </section>
                    <div class="stack">
                        {activate}
                        <Approvals requests decides action=second rest=card.amount/>
                        {refund}
                    </div>
                </div>
            </StaffShell>
        }
    })
}
