//! /manager/epaper_order/readers 读者留存: of the readers who first bought a package of a seller's in a month, how many still had a
//! bought right at the end of each month since.

use axum::extract::State;
use axum::response::Response;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::csv as table;
use domain::days::{DAY_MS, day_start};
use domain::ids::MemberId;
use domain::statistics::per_mille;
use leptos::prelude::*;
use web::app::App;
use web::render::{Here, here, loaded};
use web::session::Member;
use web::ui::files::csv_file;
use web::ui::shell::Shell;

use super::ORDERS;
use super::store::entitlements::{self as store, StillReading};

/// Months that are shown, this one among them.
const MONTHS: usize = 12;

/// One month's new readers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cohort {
    /// `2026-11`.
    month: String,
    readers: i64,
    /// How many of them could read at the end of their own month and of each one since; now, of this one.
    left: Vec<i64>,
}

/// The last months with their ends (epoch ms), the oldest first; this one ends now.
///
/// # Errors
/// A moment out of the calendar.
pub fn months(now: i64) -> Result<Vec<(String, i64)>, Error> {
    let mut months = Vec::new();
    let (mut name, mut end) = (time::day(now)[..7].to_owned(), now);
    for _ in 0..MONTHS {
        let start = day_start(&format!("{name}-01")).ok_or_else(|| Error::internal("no month"))?;
        months.push((name, end));
        name = time::day(start - DAY_MS)[..7].to_owned();
        end = start - 1;
    }
    months.reverse();
    Ok(months)
}

/// The cohorts of the last months in which there are any.
async fn cohorts(app: &App, seller: &MemberId, now: i64) -> Result<Vec<Cohort>, Error> {
    let months = months(now)?;
    let since = day_start(&format!("{}-01", months[0].0)).ok_or_else(|| Error::internal("no month"))?;
    let month_of = |day: i64| time::day(day * DAY_MS - 8 * 60 * 60_000)[..7].to_owned();
    let counted = |rows: &[StillReading], month: &str| -> i64 {
        rows.iter().filter(|row| month_of(row.day) == month).map(|row| row.readers).sum()
    };
    let mut tx = app.db.begin_snapshot().await?;
    let all = store::first_bought(&mut tx, seller, since, None).await?;
    let mut found: Vec<Cohort> = months
        .iter()
        .map(|(month, _)| Cohort { month: month.clone(), readers: counted(&all, month), left: Vec::new() })
        .collect();
    for (at, (_, end)) in months.iter().enumerate() {
        let still = store::first_bought(&mut tx, seller, since, Some(*end)).await?;
        for cohort in &mut found[..=at] {
            let left = counted(&still, &cohort.month);
            cohort.left.push(left);
        }
    }
    found.retain(|cohort| cohort.readers > 0);
    Ok(found)
}

/// GET /manager/epaper_order/readers.csv.
pub async fn csv(State(app): State<App>, member: Member) -> Result<Response, Error> {
    let mut text = table::BOM.to_owned();
    let ends = (0..MONTHS).map(|at| format!("第 {at} 个月末还在读"));
    text.push_str(&table::row(["首次购买", "读者"].map(str::to_owned).into_iter().chain(ends)));
    for Cohort { month, readers, left } in cohorts(&app, &member.id, now_ms()).await? {
        let cells = [month, readers.to_string()].into_iter().chain(left.iter().map(ToString::to_string));
        text.push_str(&table::row(cells));
    }
    Ok(csv_file("readers.csv", text))
}

/// GET /manager/epaper_order/readers.
#[component]
pub fn CohortsPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let Here { app, member } = here?;
            let cohorts = cohorts(&app, &member.id, now_ms()).await?;
            Ok((member, cohorts))
        },
        |(member, cohorts)| {
            let body = if cohorts.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有人订阅"</h2>
                        <p class="quiet">"有人买了套餐，这里按月份看他们后来还读不读。"</p>
                    </section>
                }
                .into_any()
            } else {
                view! { <Table cohorts/> }.into_any()
            };
            view! {
                <Shell member title="读者留存".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=ORDERS>"销售订单"</a></p>
                            <h1>"读者留存"</h1>
                        </div>
                    </header>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Table(cohorts: Vec<Cohort>) -> impl IntoView {
    let columns = cohorts.iter().map(|cohort| cohort.left.len()).max().unwrap_or(0);
    let head: Vec<_> = (0..columns)
        .map(|at| {
            let name = if at == 0 { "当月末".to_owned() } else { format!("{at} 个月后") };
            view! { <th scope="col" class="end">{name}</th> }
        })
        .collect();
    let rows: Vec<_> = cohorts
        .into_iter()
        .rev()
        .map(|Cohort { month, readers, left }| {
            let cells: Vec<_> = left
                .into_iter()
                .map(|left| {
                    let share = per_mille(left, readers).unwrap_or(0);
                    // in steps of a fifth, each with its shade
                    let class = format!("end num kept-{}", (share + 100) / 200);
                    view! { <td class=class>{format!("{}%", (share + 5) / 10)}<small>{left.to_string()}</small></td> }
                })
                .collect();
            view! {
                <tr>
                    <th scope="row" class="num">{month}</th>
                    <td class="end num">{readers.to_string()}</td>
                    {cells}
                </tr>
            }
        })
        .collect();
    view! {
        <p class="hint">
            "每一行是某个月第一次买您套餐的读者；后面是他们到那个月末还能读的有多少。兑换码、试读和团体席位不算。"
            <a class="link" href=format!("{ORDERS}/readers.csv")>"下载 CSV"</a>
        </p>
        <div class="cohorts-frame" tabindex="0" role="region" aria-label="读者留存">
            <table class="cohorts">
                <thead>
                    <tr>
                        <th scope="col">"首次购买"</th>
                        <th scope="col" class="end">"读者"</th>
                        {head}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
