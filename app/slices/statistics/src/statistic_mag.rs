//! /manager/statisticMag 统计: how what a member publishes is read.

use axum::http::StatusCode;
use base::db::now_ms;
use domain::money::Fen;
use domain::statistics::growth;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::render::{here, loaded, use_query};
use web::ui::parts::Money;
use web::ui::shell::Shell;

use super::STATISTICS;
use super::asked::{Asked, Own, SPANS, Span};
use super::charts::{DayChart, Point, duration, grouped, percent};
use super::days::{self, day_of};
use super::definitions::Definitions;
use super::inside::{Articles, Pages, Pressed, Searches, Shares, Things};
use super::report::{DayLine, Report, Totals, report};

/// GET /manager/statisticMag?of=…&span=…&from=…&until=….
#[component]
pub fn StatisticsPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let asked = Asked {
        of: query("of"),
        span: query("span"),
        from: query("from"),
        until: query("until"),
        pages: query("pages"),
    };
    let answer = use_context::<ResponseOptions>();
    loaded(
        async move {
            let here = here?;
            let report = report(&here.app, &here.member.id, &asked, day_of(now_ms())).await?;
            Ok((here.member, asked, report))
        },
        move |(member, asked, report)| {
            if let (Some(answer), Some(_)) = (answer, report.wrong) {
                answer.set_status(StatusCode::UNPROCESSABLE_ENTITY);
            }
            let body = if report.things.is_empty() {
                view! { <Nothing/> }.into_any()
            } else {
                view! { <Numbers asked report/> }.into_any()
            };
            view! {
                <Shell member title="统计".to_owned() assets=&["statistics.css"]>
                    <header class="head"><h1>"统计"</h1></header>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <section class="trim empty">
            <h2>"还没有可以统计的作品"</h2>
            <p class="quiet">"把作品分享出去，有人打开、有人读，这里就有数字：不用 Cookie，也不留读者的地址。"</p>
            <a class="button primary" href="/manager/opus_list/all">"去分享一件作品"</a>
        </section>
        <Definitions/>
    }
}

#[component]
fn Numbers(asked: Asked, report: Report) -> impl IntoView {
    let Report { things, chosen, span, wrong, totals, before, days, .. } = report;
    let has_sales = totals.sold > 0;
    let charts = view! { <Days days=days.clone() has_sales/> };
    let wrong = wrong.map(|message| view! { <div class="notice bad" role="alert">{message}</div> });
    let csv = asked.address(&format!("{STATISTICS}/days.csv"), &[]);
    let articles = view! {
        <Articles
            lines=report.articles
            of_one=chosen.is_some()
            csv=asked.address(&format!("{STATISTICS}/articles.csv"), &[])
        />
    };
    let inside = match &chosen {
        None => view! {
            <Things lines=report.of_things asked=asked.clone()/>
        }
        .into_any(),
        Some(own) => view! {
            <Pages
                lines=report.pages
                opens=totals.opens
                own=own.clone()
                more=report.has_more_pages.then(|| asked.address(STATISTICS, &[("pages", "all")]))
                csv=asked.address(&format!("{STATISTICS}/pages.csv"), &[])
            />
            <Pressed pages=report.pressed/>
        }
        .into_any(),
    };
    let regions = (!report.regions.is_empty())
        .then(|| view! { <Shares title="地区" of="次打开" rows=report.regions nothing=""/> });
    view! {
        <Filter things chosen=chosen.clone() asked span/>
        {wrong}
        {chosen.map(|own| view! { <Chosen own/> })}
        <Key totals before span/>
        {charts}
        {inside}
        {articles}
        <div class="beside">
            <Shares title="来源" of="次打开" rows=report.sources nothing="这段时间还没有人打开。"/>
            <Shares title="设备" of="次打开" rows=report.devices nothing="这段时间还没有人打开。"/>
            {regions}
        </div>
        <Searches rows=report.searches/>
        <DayTable days csv/>
        <Definitions/>
    }
}

/// What the numbers are of.
#[component]
fn Chosen(own: Own) -> impl IntoView {
    let cover = own.read.cover.map(|src| view! { <img src=src width="72" height="72" alt=""/> });
    let pages = (own.read.pages > 0).then(|| format!(" · {} 页", own.read.pages));
    view! {
        <header class="chosen">
            {cover}
            <div>
                <h2>{own.read.title}</h2>
                <p class="quiet">{own.kind_name}{pages}" · "<a href=own.read.address>"打开"</a></p>
            </div>
        </header>
    }
}

#[component]
fn Filter(things: Vec<Own>, chosen: Option<Own>, asked: Asked, span: Span) -> impl IntoView {
    let options: Vec<_> = things
        .into_iter()
        .map(|own| {
            let selected = chosen.as_ref().is_some_and(|chosen| chosen.code() == own.code());
            let name = format!("{}《{}》", own.kind_name, own.read.title);
            view! { <option value=own.code() selected=selected>{name}</option> }
        })
        .collect();
    let spans: Vec<_> = SPANS
        .iter()
        .map(|(word, name, length)| {
            let current = asked.span == *word || (asked.span.is_empty() && *length == 30);
            let address =
                asked.address(STATISTICS, &[("span", word), ("from", ""), ("until", ""), ("pages", "")]);
            view! { <a href=address aria-current=current.then_some("page")>{*name}</a> }
        })
        .collect();
    let own_days = asked.span == "days";
    let (from, until) = if own_days && !asked.from.is_empty() {
        (asked.from.clone(), asked.until.clone())
    } else {
        (days::written(span.from), days::written(span.until))
    };
    let span_word = asked.span.clone();
    view! {
        <div class="asked">
            <form class="of" action=STATISTICS>
                <label for="of">"看哪一件"</label>
                <select id="of" name="of" class="input">
                    <option value="">"全部"</option>
                    {options}
                </select>
                <input type="hidden" name="span" value=span_word/>
                {own_days.then(|| view! {
                    <input type="hidden" name="from" value=from.clone()/>
                    <input type="hidden" name="until" value=until.clone()/>
                })}
                <button class="button">"查看"</button>
            </form>
            <nav class="filter" aria-label="时间">{spans}</nav>
            <details class="own-days" open=own_days>
                <summary>"自选日期"</summary>
                <form action=STATISTICS>
                    <input type="hidden" name="of" value=asked.of/>
                    <input type="hidden" name="span" value="days"/>
                    <label>"从"<input class="input" type="date" name="from" value=from.clone()/></label>
                    <label>"到"<input class="input" type="date" name="until" value=until.clone()/></label>
                    <button class="button">"查看"</button>
                </form>
            </details>
        </div>
    }
}

#[component]
fn Key(totals: Totals, before: Totals, span: Span) -> impl IntoView {
    let length = span.length();
    let readers = if length == 1 {
        ("读者", grouped(totals.visits), None)
    } else {
        let average = format!("{}.{}", totals.visits / length, totals.visits * 10 / length % 10);
        (
            "每日读者",
            average,
            Some(format!(
                "共 {} 人次，最多的一天 {} 人",
                grouped(totals.visits),
                grouped(totals.most_readers)
            )),
        )
    };
    let since = if length == 1 { "比前一天".to_owned() } else { format!("比前 {length} 天") };
    let figure =
        |name: &'static str, value: String, unit: &'static str, now: i64, old: i64, note: Option<String>| {
            view! {
                <div>
                    <dt>{name}</dt>
                    <dd><strong class="num">{value}</strong>" "<span class="unit">{unit}</span></dd>
                    {note.map(|note| view! { <dd class="unit">{note}</dd> })}
                    <dd class="growth"><Growth now before=old since=since.clone()/></dd>
                </div>
            }
        };
    let has_sales = totals.sold > 0 || before.sold > 0 || totals.trials > 0;
    let sales = has_sales.then(|| {
        view! {
            <div>
                <dt>"销售"</dt>
                <dd><strong><Money amount=Fen(totals.amount)/></strong>" "<span class="unit num">{format!("{} 笔{}", grouped(totals.sold), beside(totals.refunded, totals.trials))}</span></dd>
                <dd class="growth"><Growth now=totals.amount before=before.amount since=since.clone()/></dd>
            </div>
        }
    });
    view! {
        <dl class="key" class:five=has_sales>
            {figure("打开", grouped(totals.opens), "次", totals.opens, before.opens, None)}
            {figure("阅读", grouped(totals.reads), "页次", totals.reads, before.reads, None)}
            {figure(readers.0, readers.1, "人", totals.visits, before.visits, readers.2)}
            {figure("平均每页", duration(totals.per_read()), "", totals.per_read(), before.per_read(), None)}
            {sales}
        </dl>
    }
}

#[component]
fn Growth(now: i64, before: i64, since: String) -> impl IntoView {
    match growth(now, before) {
        None => view! { <span>"之前没有数字"</span> }.into_any(),
        Some(0) => view! { <span>{format!("{since}持平")}</span> }.into_any(),
        Some(change) => {
            let (class, sign) = if change > 0 { ("up", "+") } else { ("down", "\u{2212}") };
            view! { <span>{since}" "<b class=class>{format!("{sign}{}", percent(Some(change.abs())))}</b></span> }.into_any()
        }
    }
}

#[component]
fn Days(days: Vec<DayLine>, has_sales: bool) -> impl IntoView {
    let points = |value: fn(&DayLine) -> (i64, Option<i64>)| -> Vec<Point> {
        let point = |line: &DayLine| {
            let (column, over) = value(line);
            Point { day: line.day.day, column, line: over }
        };
        days.iter().map(point).collect()
    };
    let reads = points(|line| (line.day.reads, None));
    let opens = points(|line| (line.day.opens, Some(line.day.readers)));
    let sales = has_sales.then(|| {
        let sold = points(|line| (line.sold.amount, None));
        let write: fn(i64) -> String = |amount| format!("¥{}", grouped(amount / 100));
        view! { <DayChart points=sold names=("销售", "") write/> }
    });
    view! {
        <section class="charts" aria-label="每天">
            <DayChart points=reads names=("阅读（页次）", "")/>
            <DayChart points=opens names=("打开（次）", "读者（人）")/>
            {sales}
        </section>
    }
}

/// How many of the sales beside it were given back, and how many readers began a free trial.
fn beside(refunded: i64, trials: i64) -> String {
    let parts = [("退", refunded), ("试读", trials)].into_iter().filter(|(_, count)| *count > 0);
    let parts: Vec<_> = parts.map(|(word, count)| format!("{word} {}", grouped(count))).collect();
    if parts.is_empty() { String::new() } else { format!("（{}）", parts.join("，")) }
}

#[component]
fn DayTable(days: Vec<DayLine>, csv: String) -> impl IntoView {
    let has_sales = days.iter().any(|line| line.sold.count > 0 || line.sold.trials > 0);
    let rows: Vec<_> = days
        .iter()
        .rev()
        .map(|DayLine { day, sold }| {
            let spent = if day.reads > 0 { day.spent / day.reads } else { 0 };
            let sales = has_sales.then(|| {
                view! { <td class="end num">{format!("{}{}", grouped(sold.count), beside(sold.refunded, sold.trials))}</td><td class="end"><Money amount=Fen(sold.amount)/></td> }
            });
            view! {
                <tr>
                    <th scope="row" class="num">{days::written(day.day)[5..].to_owned()}<span class="phone-less quiet">{format!(" {}", WEEKDAYS[usize::try_from(days::weekday(day.day)).unwrap_or(0)])}</span></th>
                    <td class="end num">{grouped(day.opens)}</td>
                    <td class="end num">{grouped(day.reads)}</td>
                    <td class="end num">{grouped(day.readers)}<span class="phone-less quiet">{(day.members > 0).then(|| format!("（登录 {}）", grouped(day.members)))}</span></td>
                    <td class="end num">{duration(spent)}</td>
                    {sales}
                </tr>
            }
        })
        .collect();
    let is_short = days.len() <= 7;
    let heading = has_sales
        .then(|| view! { <th scope="col" class="end">"笔"</th><th scope="col" class="end">"销售"</th> });
    view! {
        <section class="part" aria-labelledby="by-day">
            <header>
                <h2 id="by-day">"按日的数字"</h2>
                <a class="link" href=csv>"下载 CSV"</a>
            </header>
            <details class="by-day" open=is_short>
                <summary>{format!("{} 天的表", days.len())}</summary>
                <table class="figures" class:wide=has_sales>
                    <thead>
                        <tr>
                            <th scope="col">"日期"</th>
                            <th scope="col" class="end">"打开"</th>
                            <th scope="col" class="end">"阅读"</th>
                            <th scope="col" class="end">"读者"</th>
                            <th scope="col" class="end">"每页"</th>
                            {heading}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </details>
        </section>
    }
}

/// Days of the week, Sunday first.
const WEEKDAYS: [&str; 7] = ["周日", "周一", "周二", "周三", "周四", "周五", "周六"];
