//! /staff/statements 对账: the statements that were taken, the days without one, and what differs.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use base::time;
use domain::days::DAY_MS;
use domain::payment::Method;
use domain::statement::{Part, fee_in_fen};
use leptos::prelude::*;
use web::app::App;
use web::render::{loaded, use_form, use_query};
use web::staff::here;
use web::ui::lists::{Pager, Search};
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::records::{Record, Records};
use web::ui::staff::{ExportButtons, StaffShell};

use super::differences::Table;
use super::{ALL, LIST, OPEN, address, days_of, net, state_of};
use crate::statements::MOST_BYTES;
use crate::statements::store::{self, Differing, Statement, Wanted};
use crate::ways;

/// Rows on one page.
const PAGE: usize = 30;
/// How far back days without a statement are looked for; WeChat Pay keeps bills for three months.
const LOOKED_BACK: i64 = 31;
/// The views: a word for the address and a name.
const VIEWS: [(&str, &str); 3] = [("", "账单"), (OPEN, "未处理的差异"), (ALL, "全部差异")];

/// What people call a view of the differences; those of one statement are `of:` and its id.
pub fn view_name(view: &str) -> String {
    VIEWS.iter().find(|(word, _)| *word == view).map_or("一份账单里的", |(_, name)| name).to_owned()
}

enum Rows {
    Statements(Vec<Statement>, Vec<(Method, Vec<String>)>),
    Differences(Vec<Differing>),
}

/// Days of a way, to yesterday, of which payments or refunds have no statement.
async fn missing(app: &App, method: Method) -> Result<Vec<String>, Error> {
    let Some(first) = store::first_paid(&app.db, method).await? else { return Ok(Vec::new()) };
    let today = time::date(now_ms());
    let mut day = time::date(first.max(now_ms() - LOOKED_BACK * DAY_MS));
    let known = store::days(&app.db, method, day).await?;
    let mut missing = Vec::new();
    while day < today {
        let text = day.to_string();
        if known.iter().filter(|known| **known == text).count() < Part::ALL.len() {
            missing.push(text);
        }
        let Some(next) = day.next_day() else { break };
        day = next;
    }
    Ok(missing)
}

/// GET /staff/statements?view=…&q=…&after=….
#[component]
pub fn StatementsPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (view, search, after) = (query("view"), lists::search_text(&query("q")), query("after"));
    loaded(
        async move {
            let here = here?;
            let db = &here.app.db;
            if VIEWS.iter().all(|(word, _)| *word != view) {
                return Err(Error::NotFound);
            }
            let most = PAGE as i64 + 1;
            let (rows, next) = if view.is_empty() {
                let place = after.split_once('.');
                let mut rows = store::newest(db, place, most).await?;
                let more = rows.len() > PAGE;
                rows.truncate(PAGE);
                let next = rows.last().filter(|_| more).map(|row| format!("{}.{}", row.from_day, row.id));
                let ways = ways(&here.app)?;
                let mut days = Vec::new();
                for method in [Method::Wechat, Method::Alipay] {
                    if ways.has(method) {
                        days.push((method, missing(&here.app, method).await?));
                    }
                }
                (Rows::Statements(rows, days), next)
            } else {
                let wanted =
                    Wanted { is_open: view == OPEN, search: search.clone(), statement: String::new() };
                let mut rows = store::differing(db, &wanted, &after, most).await?;
                let more = rows.len() > PAGE;
                rows.truncate(PAGE);
                let next = rows.last().filter(|_| more).map(|row| row.id.clone());
                (Rows::Differences(rows), next)
            };
            Ok((view, search, rows, !after.is_empty(), next))
        },
        |(view, search, rows, is_later, next)| {
            let place = |view: &str, after: &str| {
                lists::address(LIST, &[("view", view), ("q", &search), ("after", after)])
            };
            let tabs: Vec<_> = VIEWS
                .iter()
                .map(|(word, name)| {
                    let current = (*word == view).then_some("page");
                    view! { <a href=lists::address(LIST, &[("view", word)]) aria-current=current>{*name}</a> }
                })
                .collect();
            let first = is_later.then(|| place(&view, ""));
            let next = next.map(|next| place(&view, &next));
            let kept = vec![("view", view.clone())];
            let searched = (!view.is_empty()).then(|| {
                view! { <Search action=LIST.to_owned() label="付款编号、单号、说明" search=search.clone() kept/> }
            });
            let exported = (!view.is_empty()).then(|| {
                let kept = vec![("view", view.clone()), ("q", search.clone())];
                view! { <ExportButtons kind="differences" kept/> }
            });
            let body = match rows {
                Rows::Statements(rows, days) => view! {
                    <Take/>
                    <Missing days/>
                    <Statements rows/>
                }
                .into_any(),
                Rows::Differences(rows) if rows.is_empty() => view! {
                    <section class="trim empty">
                        <h2>"没有差异"</h2>
                        <p class="quiet">"账单和本店的记录对不上的地方会列在这里。"</p>
                    </section>
                }
                .into_any(),
                Rows::Differences(rows) => view! { <Table rows is_of_one=false/> }.into_any(),
            };
            view! {
                <StaffShell title="对账".to_owned() assets=&["payments.css", "staff.css"]>
                    <header class="head"><h1>"对账"</h1>{searched}</header>
                    <nav class="filter" aria-label="对账">{tabs}</nav>
                    {body}
                    <Pager first next back="回到开头" further="下一页"/>
                    {exported}
                </StaffShell>
            }
        },
    )
}

/// The form that takes a file.
#[component]
fn Take() -> impl IntoView {
    let form = use_form();
    let refused = form.error("file").is_some();
    let hint = format!(
        "微信支付的交易账单（CSV），支付宝的业务明细或账务明细（CSV，或下载来的 ZIP）。最大 {} MB，没有通过时要重新选择。",
        MOST_BYTES >> 20
    );
    view! {
        <ErrorSummary title="没有收下账单"/>
        <form class="sheet fields" method="post" action=LIST enctype="multipart/form-data">
            <div class="field">
                <label for="file">"账单文件"</label>
                <input
                    id="file"
                    class="input"
                    name="file"
                    type="file"
                    accept=".csv,.zip,.txt"
                    required=true
                    aria-invalid=refused.then_some("true")
                    aria-describedby=if refused { "file-error" } else { "file-hint" }
                />
                <p class="hint" id="file-hint">{hint}</p>
                <FieldError name="file".to_owned()/>
            </div>
            <Field name="day" label="账单日期（微信账单里没有付款时才要填）" kind="date" class="short"/>
            <button class="button primary">"上传并核对"</button>
        </form>
    }
}

/// The days of which no statement was taken.
#[component]
fn Missing(days: Vec<(Method, Vec<String>)>) -> impl IntoView {
    days.into_iter()
        .filter(|(_, days)| !days.is_empty())
        .map(|(method, days)| {
            let count = days.len();
            view! {
                <details class="sheet warned">
                    <summary>{format!("{}：最近有 {count} 天还没有账单", method.name())}</summary>
                    <p class="num words">{days.join("　")}</p>
                </details>
            }
        })
        .collect::<Vec<_>>()
}

#[component]
fn Statements(rows: Vec<Statement>) -> impl IntoView {
    if rows.is_empty() {
        return view! {
            <section class="trim empty">
                <h2>"还没有账单"</h2>
                <p class="quiet">"从微信支付商户平台、支付宝商家中心下载前一天的账单，在上面上传。"</p>
            </section>
        }
        .into_any();
    }
    let rows: Vec<_> = rows
        .into_iter()
        .map(|statement| {
            let own = address(&statement.id);
            let (mark, state) = state_of(&statement);
            Record::new()
                .cell("日期", view! { <a class="link num" href=own>{days_of(&statement)}</a> })
                .cell("账单", statement.format.name())
                .count("笔数", statement.lines())
                .money("收款", statement.paid)
                .money("退款", statement.refunded)
                .money("手续费", fee_in_fen(statement.fees))
                .money("净额", net(&statement))
                .cell("核对", view! { <span class=mark>{state}</span> })
        })
        .collect();
    view! { <Records rows/> }.into_any()
}
