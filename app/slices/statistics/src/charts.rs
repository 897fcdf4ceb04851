//! Charts, drawn as SVG. They stretch with their place, so words stand beside them in HTML and not inside.

use leptos::prelude::*;

use super::days;

/// Units of a day's width in a chart.
const STEP: i64 = 10;
/// Fewer days than this leave room at both sides.
const FEWEST: i64 = 12;
/// Units of a chart's height.
const HIGH: i64 = 100;

/// A number with its thousands apart: `12,345`.
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("\u{2212}{text}") } else { text }
}

/// Tenths of a per cent: `12.3%`.
pub fn percent(per_mille: Option<i64>) -> String {
    per_mille.map_or_else(|| "—".to_owned(), |share| format!("{}.{}%", share / 10, (share % 10).abs()))
}

/// A time in ms as people read it: `8.4 秒`, `2 分 05 秒`.
pub fn duration(ms: i64) -> String {
    match ms {
        0 => "—".to_owned(),
        1..60_000 => format!("{}.{} 秒", ms / 1_000, ms % 1_000 / 100),
        60_000..3_600_000 => format!("{} 分 {:02} 秒", ms / 60_000, ms % 60_000 / 1_000),
        _ => format!("{} 小时 {:02} 分", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

/// The end of a scale: the next even number of the kind 4, 10, 20, 40, 100 … that is not smaller.
pub fn scale(most: i64) -> i64 {
    let mut power = 1;
    loop {
        for step in [4, 10, 20] {
            if step * power >= most {
                return step * power;
            }
        }
        power *= 10;
    }
}

/// What one day is in a chart.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub day: i64,
    pub column: i64,
    /// Drawn as a line over the columns.
    pub line: Option<i64>,
}

/// Columns by day, with a line over them where there is one. Weekends are shaded.
#[component]
pub fn DayChart(
    points: Vec<Point>,
    /// What the columns and the line are.
    names: (&'static str, &'static str),
    /// As numbers are written in it.
    #[prop(default = grouped)]
    write: fn(i64) -> String,
) -> impl IntoView {
    let most = points.iter().map(|point| point.column.max(point.line.unwrap_or(0))).max().unwrap_or(0);
    let top = scale(most);
    let count = i64::try_from(points.len()).unwrap_or(0);
    let (wide, left) = (count.max(FEWEST) * STEP, (count.max(FEWEST) - count) * STEP / 2);
    let at = |index: usize| left + i64::try_from(index).unwrap_or(0) * STEP;
    let high = |value: i64| value * HIGH / top;
    let weekends: Vec<_> = points
        .iter()
        .enumerate()
        .filter(|(_, point)| matches!(days::weekday(point.day), 0 | 6))
        .map(|(index, _)| view! { <rect x=at(index).to_string() y="0" width=STEP.to_string() height=HIGH.to_string()></rect> })
        .collect();
    let has_line = points.iter().any(|point| point.line.is_some());
    let columns: Vec<_> = points
        .iter()
        .enumerate()
        .map(|(index, point)| {
            let line = point.line.map(|line| format!("，{} {}", names.1, write(line))).unwrap_or_default();
            let title = format!("{}：{} {}{line}", days::written(point.day), names.0, write(point.column));
            let (x, height) = ((at(index) + 2).to_string(), high(point.column));
            // the whole height answers the pointer
            view! {
                <g>
                    <title>{title}</title>
                    <rect class="reach" x=at(index).to_string() y="0" width=STEP.to_string() height=HIGH.to_string()></rect>
                    <rect class="column" x=x y=(HIGH - height).to_string() width=(STEP - 4).to_string() height=height.to_string()></rect>
                </g>
            }
        })
        .collect();
    let line = has_line.then(|| {
        let spots: Vec<String> = points
            .iter()
            .enumerate()
            .map(|(index, point)| {
                format!("{},{}", at(index) + STEP / 2, HIGH - high(point.line.unwrap_or(0)))
            })
            .collect();
        view! { <polyline class="over" points=spots.join(" ")></polyline> }
    });
    let label = format!("{}，按日的柱形图；同样的数字在下面的表里", names.0);
    let (first, last) = (points.first().map(|point| point.day), points.last().map(|point| point.day));
    let middle = first.zip(last).map(|(first, last)| first.midpoint(last));
    let short = |day: Option<i64>| day.map(|day| days::written(day)[5..].to_owned()).unwrap_or_default();
    let axis: Vec<_> = if count > 2 {
        [first, middle, last].map(|day| view! { <span>{short(day)}</span> }).into_iter().collect()
    } else {
        [first, last]
            .into_iter()
            .take(usize::try_from(count).unwrap_or(0))
            .map(|day| view! { <span>{short(day)}</span> })
            .collect()
    };
    let legend = has_line.then(|| view! { <span class="over">{names.1}</span> });
    view! {
        <figure class="chart" class:few=(count <= 2)>
            <figcaption><span class="column">{names.0}</span>{legend}</figcaption>
            <div class="plot">
                <p class="scale num" aria-hidden="true"><span>{write(top)}</span><span>{write(top / 2)}</span><span>"0"</span></p>
                <svg viewBox=format!("0 0 {wide} {HIGH}") preserveAspectRatio="none" role="img" aria-label=label>
                    <g class="weekends">{weekends}</g>
                    <path class="grid" d=format!("M0 0H{wide}M0 {}H{wide}M0 {HIGH}H{wide}", HIGH / 2)></path>
                    {columns}
                    {line}
                </svg>
            </div>
            <p class="axis num" aria-hidden="true">{axis}</p>
        </figure>
    }
}

/// Columns by page: how far readers come. The values are per mille.
#[component]
pub fn PageChart(values: Vec<i64>) -> impl IntoView {
    let top = values.iter().copied().max().unwrap_or(0).max(1_000);
    let wide = i64::try_from(values.len().max(8)).unwrap_or(8) * STEP;
    let columns: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(page, value)| {
            let height = (value * HIGH / top).max(i64::from(*value > 0));
            let x = i64::try_from(page).unwrap_or(0) * STEP + 1;
            let title = format!("{}：{}", page_name(page), percent(Some(*value)));
            view! {
                <g>
                    <title>{title}</title>
                    <rect class="reach" x=x.to_string() y="0" width=(STEP - 2).to_string() height=HIGH.to_string()></rect>
                    <rect class="column" x=x.to_string() y=(HIGH - height).to_string() width=(STEP - 2).to_string() height=height.to_string()></rect>
                </g>
            }
        })
        .collect();
    let full = HIGH - 1_000 * HIGH / top;
    let last = page_name(values.len().saturating_sub(1));
    view! {
        <figure class="chart pages">
            <div class="plot">
                <svg viewBox=format!("0 0 {wide} {HIGH}") preserveAspectRatio="none" role="img" aria-label="每一页有多少人次看到的柱形图；同样的数字在各页图片下面">
                    <path class="grid" d=format!("M0 {full}H{wide}M0 {HIGH}H{wide}")></path>
                    {columns}
                </svg>
            </div>
            <p class="axis num" aria-hidden="true"><span>"封面"</span><span>{last}</span></p>
        </figure>
    }
}

/// A page as it is called; 0 is the cover.
pub fn page_name(page: usize) -> String {
    if page == 0 { "封面".to_owned() } else { format!("第 {page} 页") }
}

/// A bar as long as a share, in per mille.
#[component]
pub fn Bar(share: i64) -> impl IntoView {
    let width = share.clamp(0, 1_000).to_string();
    view! {
        <svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="rest" width="1000" height="8"></rect>
            <rect class="part" width=width height="8"></rect>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567, -1_500].map(grouped),
            ["0", "999", "1,000", "1,234,567", "\u{2212}1,500"]
        );
        assert_eq!(
            [0, 8_450, 125_000, 7_260_000].map(duration),
            ["—", "8.4 秒", "2 分 05 秒", "2 小时 01 分"]
        );
        assert_eq!([Some(123), Some(1_000), None].map(percent), ["12.3%", "100.0%", "—"]);
    }

    #[test]
    fn a_scale_ends_above_everything_at_an_even_number() {
        for (most, top) in
            [(0, 4), (4, 4), (5, 10), (11, 20), (21, 40), (41, 100), (150, 200), (2_001, 4_000)]
        {
            assert_eq!(scale(most), top, "{most}");
        }
    }
}
