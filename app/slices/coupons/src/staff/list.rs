//! /staff/coupons: all coupons, the newest first.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::coupon::Day;
use leptos::prelude::*;
use web::render::{loaded, use_query};
use web::staff::here;
use web::ui::lists::Pager;
use web::ui::records::{Record, Records};
use web::ui::staff::StaffShell;

use super::{address, mark};
use crate::store::{self, Coupon, Position};
use crate::{LIST, NEW};

/// Rows on one page.
const PAGE: usize = 30;

/// What is typed for a coupon.
pub fn called(coupon: &Coupon) -> String {
    coupon.word.clone().unwrap_or_else(|| format!("{} 个券码", coupon.codes))
}

/// GET /staff/coupons?after=….
#[component]
pub fn CouponsPage() -> impl IntoView {
    let here = here();
    let after = use_query("after").unwrap_or_default();
    loaded(
        async move {
            let db = &here?.app.db;
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let mut coupons = store::newest(db, after.as_ref(), PAGE as i64 + 1).await?;
            let more = coupons.len() > PAGE;
            coupons.truncate(PAGE);
            let next = coupons.last().filter(|_| more).map(Coupon::position);
            Ok::<_, Error>((coupons, after.is_some(), next))
        },
        |(coupons, is_later, next)| {
            let first = is_later.then(|| LIST.to_owned());
            let next = next.map(|next| lists::address(LIST, &[("after", &next.to_string())]));
            // where there is none, the page says what to do by itself
            let new =
                (!coupons.is_empty()).then(|| view! { <a class="button primary" href=NEW>"新建优惠券"</a> });
            let body = if coupons.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有优惠券"</h2>
                        <p class="quiet">"可以是一个大家都能用的词，也可以是一批各用一次的券码；只减印刷，不减运费。"</p>
                        <a class="button primary" href=NEW>"新建优惠券"</a>
                    </section>
                }
                .into_any()
            } else {
                view! { <Coupons coupons/> }.into_any()
            };
            view! {
                <StaffShell title="优惠券".to_owned() assets=&["staff.css", "coupons.css"]>
                    <header class="head"><h1>"优惠券"</h1>{new}</header>
                    {body}
                    <Pager first next back="最新的" further="更早的"/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Coupons(coupons: Vec<Coupon>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = coupons
        .into_iter()
        .map(|coupon| {
            let (class, state) = mark(&coupon, now);
            let most = coupon.rule.most.map(|most| format!(" / {most}")).unwrap_or_default();
            let days = format!("{} 至 {}", Day(coupon.rule.from), Day(coupon.rule.until - 1));
            Record::new()
                .cell("名称", view! { <a class="link" href=address(&coupon.id)>{coupon.name.clone()}</a> })
                .num("优惠码", called(&coupon))
                .cell("优惠", coupon.rule.to_string())
                .num("有效期", days)
                .cell("状态", view! { <span class=class>{state}</span> })
                .count("已用", format!("{}{most}", coupon.used))
        })
        .collect();
    view! { <Records rows/> }
}
