//! /staff/coupons: all coupons, the newest first.

use domain::coupon::Day;
use leptos::prelude::*;

use super::{address, mark};
use crate::store::{self, Coupon, Position};
use crate::{LIST, NEW};
use platform::db::now_ms;
use platform::error::Error;
use platform::lists::{self, Pager};
use platform::render::{loaded, use_query};
use platform::staff::here;
use platform::ui::staff::StaffShell;

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
            view! {
                <tr>
                    <td data-label="名称"><a class="link" href=address(&coupon.id)>{coupon.name.clone()}</a></td>
                    <td data-label="优惠码" class="num">{called(&coupon)}</td>
                    <td data-label="优惠">{coupon.rule.to_string()}</td>
                    <td data-label="有效期" class="num">{days}</td>
                    <td data-label="状态"><span class=class>{state}</span></td>
                    <td class="end num" data-label="已用">{format!("{}{most}", coupon.used)}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <table class="records">
            <thead>
                <tr>
                    <th scope="col">"名称"</th>
                    <th scope="col">"优惠码"</th>
                    <th scope="col">"优惠"</th>
                    <th scope="col">"有效期"</th>
                    <th scope="col">"状态"</th>
                    <th scope="col" class="end">"已用"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
