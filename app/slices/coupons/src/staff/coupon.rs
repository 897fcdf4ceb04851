//! /staff/coupons/{id}: what it is good for, what waits for another clerk, its codes, and the orders that use it.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::coupon::Day;
use domain::ids::CouponId;
use domain::money::Fen;
use leptos::prelude::*;
use web::approvals::{self, Request};
use web::render::{loaded, parameter, use_query};
use web::staff::here;
use web::ui::lists::Pager;
use web::ui::parts::{Ask, ErrorSummary, Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::staff::{CodeField, StaffShell};

use super::list::called;
use super::{address, mark};
use crate::LIST;
use crate::make::thing;
use crate::store::{self, Coupon, Use, UsePosition};

/// Uses on one page.
const PAGE: usize = 50;

/// GET /staff/coupons/{id}?after=….
#[component]
pub fn CouponPage() -> impl IntoView {
    let here = here();
    let id = parameter::<CouponId>("id");
    let after = use_query("after").unwrap_or_default();
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let db = &here.app.db;
            let after: Option<UsePosition> = if after.is_empty() { None } else { Some(after.parse()?) };
            let coupon = store::find(db, &id).await?;
            let mut uses = store::uses(db, &id, after.as_ref(), PAGE as i64 + 1).await?;
            let more = uses.len() > PAGE;
            uses.truncate(PAGE);
            let next = uses.last().filter(|_| more).map(Use::position);
            let given = store::given(db, &id).await?;
            let waiting = approvals::of(db, thing(&id)).await?;
            let waiting = waiting.into_iter().find(|request| request.decided_at.is_none());
            let mut names = Vec::new();
            for goods in &coupon.rule.goods {
                let found = match catalog::find(&here.app, goods).await {
                    Err(Error::NotFound) => None,
                    found => Some(found?),
                };
                names.push(found.map_or_else(|| goods.to_string(), |goods| goods.name.clone()));
            }
            Ok((here.staff.name, coupon, names, given, waiting, (uses, after.is_some(), next)))
        },
        |(name, coupon, names, given, waiting, (uses, is_later, next))| {
            let own = address(&coupon.id);
            let first = is_later.then(|| own.clone());
            let next = next.map(|next| lists::address(&own, &[("after", &next.to_string())]));
            let (class, state) = mark(&coupon, now_ms());
            view! {
                <StaffShell title="优惠券".to_owned() assets=&["staff.css", "coupons.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LIST>"优惠券"</a></p>
                            <h1>{coupon.name.clone()}</h1>
                            <p>
                                <span class=class>{state}</span>" "
                                <span class="quiet">{coupon.made_by.clone()}" 做于 "<Moment at=coupon.created_at/></span>
                            </p>
                        </div>
                    </header>
                    <ErrorSummary title="没有办成"/>
                    <div class="parts">
                        <div class="stack">
                            <Good coupon=coupon.clone() names given/>
                            <section class="sheet">
                                <h2>"用它的订单"</h2>
                                <Uses uses/>
                                <Pager first next back="最新的" further="更早的"/>
                            </section>
                        </div>
                        <aside class="stack" aria-label="操作">
                            {waiting.map(|request| view! { <Waiting own=own.clone() request name/> })}
                            <Actions coupon/>
                        </aside>
                    </div>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Good(coupon: Coupon, names: Vec<String>, given: Fen) -> impl IntoView {
    let rule = &coupon.rule;
    let goods = if names.is_empty() { "所有商品".to_owned() } else { names.join("、") };
    let uses = match rule.most {
        Some(most) => format!("{} / {most} 单", coupon.used),
        None => format!("{} 单，次数不限", coupon.used),
    };
    view! {
        <section class="sheet">
            <h2>"这张优惠券"</h2>
            <dl class="facts">
                <dt>"优惠码"</dt><dd class="num">{called(&coupon)}</dd>
                <dt>"优惠"</dt><dd>{rule.to_string()}</dd>
                <dt>"商品"</dt><dd>{goods}</dd>
                <dt>"有效期"</dt>
                <dd class="num">{format!("{} 至 {}", Day(rule.from), Day(rule.until - 1))}</dd>
                <dt>"每位会员"</dt><dd>{if rule.once { "一次" } else { "次数不限" }}</dd>
                <dt>"已用"</dt><dd class="num">{uses}</dd>
                <dt>"一共减了"</dt><dd><Money amount=given/></dd>
            </dl>
        </section>
    }
}

#[component]
fn Uses(uses: Vec<Use>) -> impl IntoView {
    if uses.is_empty() {
        return view! { <p class="quiet">"还没有订单用过。"</p> }.into_any();
    }
    let rows: Vec<_> = uses
        .into_iter()
        .map(|one| {
            let (class, state) = match one.returned_at {
                Some(_) => ("badge", "已退回"),
                None => ("badge good", "在用"),
            };
            let order = one.order.to_string();
            let own = format!("/staff/orders/{order}");
            Record::new()
                .cell("订单", view! { <a class="link num" href=own>{order}</a> })
                .num("优惠码", one.code)
                .moment("时间", one.used_at)
                .cell("状态", view! { <span class=class>{state}</span> })
                .money("减了", one.amount)
        })
        .collect();
    view! { <Records rows/> }.into_any()
}

/// What another clerk is asked for.
#[component]
fn Waiting(own: String, request: Request, name: String) -> impl IntoView {
    let form = |word: &'static str, class: &'static str, label: &'static str, asks: bool| {
        view! {
            <form class="fields" method="post" action=format!("{own}/second")>
                <input type="hidden" name="request" value=request.id.clone()/>
                <input type="hidden" name="decision" value=word/>
                {asks.then(|| view! { <CodeField/> })}
                <button class=class>{label}</button>
            </form>
        }
    };
    let most = match request.amount {
        Some(amount) => view! { <p>"一共最多减 "<Money amount=Fen(amount)/></p> }.into_any(),
        None => view! { <p>"一共能减多少没有上限"</p> }.into_any(),
    };
    let decision = if name == request.asked_by {
        view! {
            <p class="hint">"等另一位同事复核；也可以自己撤回。"</p>
            {form("decline", "button wide", "撤回", false)}
        }
        .into_any()
    } else {
        view! {
            {form("grant", "button primary wide", "同意", true)}
            {form("decline", "button wide", "不同意", false)}
        }
        .into_any()
    };
    view! {
        <section class="sheet warned stack">
            <h2>"待复核"</h2>
            {most}
            <p class="quiet">{request.asked_by.clone()}" 提出于 "<Moment at=request.asked_at/></p>
            {decision}
        </section>
    }
}

#[component]
fn Actions(coupon: Coupon) -> impl IntoView {
    let own = address(&coupon.id);
    let has_file = coupon.salt.is_some() && coupon.file_until.is_some_and(|until| now_ms() < until);
    let file = (coupon.codes > 0).then(|| {
        if has_file {
            view! {
                <section class="sheet stack">
                    <h2>"券码"</h2>
                    <p class="quiet">"到 "<Moment at=coupon.file_until.unwrap_or(0)/>" 为止可以下载，之后谁也看不到了。每次下载都记入操作日志。"</p>
                    <form method="post" action=format!("{own}/codes")>
                        <button class="button primary wide">"下载 CSV"</button>
                    </form>
                </section>
            }
            .into_any()
        } else {
            view! {
                <section class="sheet">
                    <h2>"券码"</h2>
                    <p class="quiet">"文件已过了 7 天的下载期。券码只以摘要保存，不能再取出。"</p>
                </section>
            }
            .into_any()
        }
    });
    let end = (coupon.agreed_at.is_some() && coupon.ended_at.is_none()).then(|| {
        view! {
            <Ask
                label="停用"
                question="停用以后谁也不能再用，不能恢复；已经下的订单不变。".to_owned()
                confirm="停用这张优惠券"
                action=format!("{own}/end")
            />
        }
    });
    view! { {file}{end} }
}
