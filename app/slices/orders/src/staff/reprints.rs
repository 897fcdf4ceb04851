//! /staff/reprints: what was printed once more, why, and what it cost, a month at a time.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use base::time::{date, start_of};
use domain::money::Fen;
use domain::parcel::Reason;
use domain::typed;
use leptos::prelude::*;
use time::{Date, Month};
use web::render::{loaded, use_query};
use web::staff::here;
use web::ui::parts::{Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::staff::StaffShell;

use super::{LIST, REPRINTS, address};
use crate::store::parcels::{self, Counted, Listed};

/// Months that may be chosen.
const MONTHS: usize = 12;
/// How many are listed.
const MOST: i64 = 200;

/// The first day of a month and of the next one.
fn bounds(year: i32, month: Month) -> Option<(Date, Date)> {
    let first = Date::from_calendar_date(year, month, 1).ok()?;
    let year = if month == Month::December { year.checked_add(1)? } else { year };
    Some((first, Date::from_calendar_date(year, month.next(), 1).ok()?))
}

fn code(day: Date) -> String {
    format!("{:04}-{:02}", day.year(), u8::from(day.month()))
}

/// The month that is asked for, as `2026-11`; this one where none is.
fn asked(text: &str, today: Date) -> Result<(Date, Date), Error> {
    if text.is_empty() {
        return bounds(today.year(), today.month()).ok_or(Error::NotFound);
    }
    let first = typed::date(&format!("{text}-01")).ok_or(Error::NotFound)?;
    bounds(first.year(), first.month()).ok_or(Error::NotFound)
}

/// The months that may be chosen, this one first.
fn months(today: Date) -> Vec<Date> {
    let first = today.replace_day(1).unwrap_or(today);
    let earlier = |month: &Date| month.previous_day().and_then(|last| last.replace_day(1).ok());
    std::iter::successors(Some(first), earlier).take(MONTHS).collect()
}

/// GET /staff/reprints?month=2026-11.
#[component]
pub fn ReprintsPage() -> impl IntoView {
    let here = here();
    let month = use_query("month").unwrap_or_default();
    loaded(
        async move {
            let db = &here?.app.db;
            let today = date(now_ms());
            let (first, next) = asked(&month, today)?;
            let (from, until) = (start_of(first), start_of(next));
            let mut tx = db.begin_snapshot().await?;
            let counted = parcels::count_reprints(&mut tx, from, until).await?;
            let sent = parcels::count_sent(&mut tx, from, until).await?;
            let newest = parcels::newest_reprints(&mut tx, from, until, MOST).await?;
            Ok((today, first, counted, sent, newest))
        },
        |(today, first, counted, sent, newest)| {
            let tabs: Vec<_> = months(today)
                .into_iter()
                .map(|month| {
                    let current = (month == first).then_some("page");
                    let place = lists::address(REPRINTS, &[("month", code(month).as_str())]);
                    view! { <a href=place aria-current=current class="num">{code(month)}</a> }
                })
                .collect();
            let body = if counted.is_empty() {
                view! {
                    <section class="trim empty"><h2>"这个月没有重印"</h2><p class="quiet">{format!("寄出 {sent} 本。")}</p></section>
                }
                .into_any()
            } else {
                view! { <div class="stack"><Sums counted sent/><Newest newest/></div> }.into_any()
            };
            view! {
                <StaffShell title="重印".to_owned() assets=&["staff.css"]>
                    <header class="head"><div><p><a class="link" href=LIST>"订单"</a></p><h1>"重印"</h1></div></header>
                    <nav class="filter" aria-label="月份">{tabs}</nav>
                    {body}
                </StaffShell>
            }
        },
    )
}

fn reason_name(code: &str) -> String {
    code.parse::<Reason>().map_or_else(|_| code.to_owned(), |reason| reason.name().to_owned())
}

#[component]
fn Sums(mut counted: Vec<Counted>, sent: i64) -> impl IntoView {
    counted.sort_by_key(|row| std::cmp::Reverse(row.cost));
    let copies: i64 = counted.iter().map(|row| row.copies).sum();
    let cost: i64 = counted.iter().map(|row| row.cost).sum();
    let times: i64 = counted.iter().map(|row| row.times).sum();
    // parcels hold what was printed again, too
    let share = if sent > 0 {
        format!("，是寄出的 {sent} 本的 {:.1}%", copies as f64 * 100.0 / sent as f64)
    } else {
        String::new()
    };
    let rows: Vec<_> = counted
        .into_iter()
        .map(|row| {
            Record::new()
                .name("原因", reason_name(&row.reason))
                .count("次数", row.times)
                .count("本数", row.copies)
                .money("成本", Fen(row.cost))
        })
        .collect();
    view! {
        <section>
            <h2>{format!("重印 {times} 次，{copies} 本{share}；成本 ")}<Money amount=Fen(cost)/></h2>
            <Records rows/>
        </section>
    }
}

#[component]
fn Newest(newest: Vec<Listed>) -> impl IntoView {
    let rows: Vec<_> = newest
        .into_iter()
        .map(|row| {
            let by = if row.actor.is_empty() { "命令行".to_owned() } else { row.actor };
            let own = row.order_id.parse().map(|id| address(&id)).unwrap_or_default();
            Record::new()
                .cell("订单号", view! { <a class="link num" href=own>{row.order_id}</a> })
                .cell("原因", reason_name(&row.reason))
                .cell("说明", row.note)
                .count("本数", row.copies)
                .money("成本", Fen(row.cost))
                .cell("经手", view! { {by}" "<Moment at=row.ordered_at/> })
        })
        .collect();
    view! { <Records rows/> }
}
