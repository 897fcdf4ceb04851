//! Past issues of a newspaper, month by month.

use std::collections::BTreeSet;

use base::error::Error;
use domain::publication::{Day, MonthOf, Weekdays};
use leptos::prelude::*;
use web::app::App;

use crate::store::issues::{self, Issue};
use crate::store::publications::Publication;

/// A month of a newspaper.
pub struct Month {
    publication: Publication,
    month: MonthOf,
    /// Days on which it came out.
    days: BTreeSet<Day>,
    /// The months beside it that have issues, or lie between such.
    before: bool,
    after: bool,
}

/// The issues of the month that a query names, or of the one of a day.
pub async fn month_of(
    app: &App,
    publication: &Publication,
    asked: Option<&str>,
    day: Day,
) -> Result<Month, Error> {
    let month = asked.and_then(|text| text.parse().ok()).unwrap_or_else(|| MonthOf::of(day));
    let found = issues::published_in(&app.db, &publication.id, &month.to_string()).await?;
    let (_, all) = month.days();
    let (mut before, mut after) = (false, false);
    if let (Some(first), Some(last)) = (all.first(), all.last()) {
        before = issues::beside(&app.db, &publication.id, (*first, 0)).await?.0.is_some();
        after = issues::beside(&app.db, &publication.id, (*last, i64::MAX)).await?.1.is_some();
    }
    let days = found.iter().map(|issue: &Issue| issue.day).collect();
    Ok(Month { publication: publication.clone(), month, days, before, after })
}

/// The calendar of a month; the day of the issue that is read is marked.
#[component]
pub fn Calendar(month: Month, #[prop(optional)] at: Option<Day>) -> impl IntoView {
    let Month { publication, month, days, before, after } = month;
    let path = publication.path();
    let (earlier, later) = month.neighbours();
    let turn = |month: MonthOf, there: bool, rel: &'static str, sign: &'static str, name: &'static str| {
        if there {
            let href = format!("{path}?month={month}#calendar");
            view! { <a href=href rel=rel><span aria-hidden="true">{sign}</span><span class="sr">{name}</span></a> }.into_any()
        } else {
            view! { <span></span> }.into_any()
        }
    };
    let heads: Vec<_> = Weekdays::NAMES
        .into_iter()
        .map(|name| view! { <th scope="col"><abbr title=name>{name.trim_start_matches('周')}</abbr></th> })
        .collect();
    let (empty, all) = month.days();
    let mut cells: Vec<Option<Day>> = vec![None; usize::from(empty)];
    cells.extend(all.into_iter().map(Some));
    let weeks: Vec<_> = cells
        .chunks(7)
        .map(|week| {
            let cells: Vec<_> = week
                .iter()
                .map(|day| {
                    let Some(day) = *day else { return view! { <td></td> }.into_any() };
                    if days.contains(&day) {
                        let current = (Some(day) == at).then_some("date");
                        view! { <td><a href=format!("{path}/{day}/1") aria-current=current>{day.number()}</a></td> }
                            .into_any()
                    } else {
                        view! { <td>{day.number()}</td> }.into_any()
                    }
                })
                .collect();
            view! { <tr>{cells}</tr> }
        })
        .collect();
    view! {
        <section class="calendar" id="calendar" aria-labelledby="calendar-title">
            <h2 id="calendar-title">"往期"</h2>
            <table>
                <caption>
                    <span>
                        {turn(earlier, before, "prev", "‹", "上个月")}
                        {format!("{} 年 {} 月", month.year, month.month)}
                        {turn(later, after, "next", "›", "下个月")}
                    </span>
                </caption>
                <thead><tr>{heads}</tr></thead>
                <tbody>{weeks}</tbody>
            </table>
        </section>
    }
}
