//! /staff/audit: what operators did, in the back office and on the command line.

use base::audit::{self, Broken, Checked, Head, Noted};
use base::error::Error;
use base::lists;
use leptos::prelude::*;
use web::audit_words;
use web::render::{loaded, use_query};
use web::staff::here;
use web::ui::lists::{Pager, Search};
use web::ui::records::{Record, Records};
use web::ui::staff::StaffShell;

/// Rows on one page.
const PAGE: usize = 50;
const PATH: &str = "/staff/audit";

/// What is said of the log as a whole.
enum Whole {
    /// It was read to its end, which takes the longer the more is in it: where somebody asks for that.
    Checked(Checked),
    /// Where it ends; none before its first row.
    Ends(Option<Head>),
}

/// GET /staff/audit?q=…&after=…; with `check` the whole log is checked.
#[component]
pub fn LogPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (search, after, check) = (lists::search_text(&query("q")), query("after"), query("check"));
    loaded(
        async move {
            let app = here?.app;
            let actions = audit_words::keys_of(app.house, &search);
            let mut rows = audit::found(&app.db, &search, &actions, &after, PAGE as i64 + 1).await?;
            let more = rows.len() > PAGE;
            rows.truncate(PAGE);
            let next = rows.last().filter(|_| more).map(|row| row.id.clone());
            let rows: Vec<Noted> =
                rows.into_iter().map(|row| audit_words::in_words(row, app.house)).collect();
            let whole = if check.is_empty() {
                Whole::Ends(audit::head(&app.db).await?)
            } else {
                Whole::Checked(audit::check(&app.db, &[]).await?)
            };
            Ok::<_, Error>((search, !after.is_empty(), rows, next, whole))
        },
        |(search, is_later, rows, next, whole)| {
            let address = |after: &str| lists::address(PATH, &[("q", &search), ("after", after)]);
            let (first, next) = (is_later.then(|| address("")), next.map(|next| address(&next)));
            let body = if rows.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"没有符合的记录"</h2>
                        <p><a class="link" href=PATH>"看全部"</a></p>
                    </section>
                }
                .into_any()
            } else {
                view! { <Rows rows/> }.into_any()
            };
            view! {
                <StaffShell title="操作日志".to_owned() assets=&["staff.css"]>
                    <header class="head">
                        <h1>"操作日志"</h1>
                        <Search action=PATH.to_owned() label="人、动作、对象、细节" search=search.clone() kept=vec![]/>
                    </header>
                    <Chain whole/>
                    {body}
                    <Pager first next back="回到最新" further="更早的记录"/>
                </StaffShell>
            }
        },
    )
}

/// Whether the log is whole, or the way to ask, and its end.
#[component]
fn Chain(whole: Whole) -> impl IntoView {
    match whole {
        Whole::Ends(head) => view! {
            <form class="row" action=PATH>
                <button class="button" name="check" value="1">"核对整份日志"</button>
            </form>
            {head.map(|head| view! { <End head/> })}
        }
        .into_any(),
        Whole::Checked(checked) if checked.broken.is_empty() => {
            let head = checked.head();
            let Checked { rows, older, .. } = checked;
            let older = (older > 0).then(|| format!("另有 {older} 条是从前的，那时还没有前后相连。"));
            view! {
                <p class="notice good">{format!("{rows} 条记录前后相连，没有被改过。")}{older}</p>
                <End head/>
            }
            .into_any()
        }
        Whole::Checked(checked) => {
            let named: Vec<_> =
                checked.broken.into_iter().map(|broken| view! { <li>{sentence(broken)}</li> }).collect();
            view! {
                <div class="notice bad" role="alert">
                    <h2>"操作日志对不上，请保留数据库的备份，查明原因"</h2>
                    <ul>{named}</ul>
                </div>
            }
            .into_any()
        }
    }
}

/// The log's end, to be kept elsewhere.
#[component]
fn End(head: Head) -> impl IntoView {
    view! {
        <p class="hint">"末条的编号和校验值，抄在别处，以后用 bindery audit --check --head 核对："<span class="num long">{head.to_string()}</span></p>
    }
}

fn sentence(broken: Broken) -> String {
    match broken {
        Broken::Row(number) => format!("第 {number} 条与前后对不上：它或前一条被改过。"),
        Broken::Missing(first, last) if first == last => format!("第 {first} 条不见了。"),
        Broken::Missing(first, last) => format!("第 {first} 到 {last} 条不见了。"),
        Broken::End(there, known) => format!("末条是第 {there} 条，而最后记下的是第 {known} 条。"),
        Broken::Beside(count) => format!("有 {count} 条没有编号：它们是另外加进来的，或者编号被抹掉了。"),
        Broken::Older(count) => format!("从前的记录少了 {count} 条。"),
        Broken::Another(number) => format!("第 {number} 条与另存的校验值对不上：整串记录被重新算过。"),
    }
}

#[component]
fn Rows(rows: Vec<Noted>) -> impl IntoView {
    let rows: Vec<_> = rows
        .into_iter()
        .map(|row| {
            // a card says nothing of what there is not
            let detail = (!row.detail.is_empty()).then_some(row.detail);
            Record::new()
                .moment("时间", row.happened_at)
                .cell("谁", row.actor)
                .cell("做了什么", row.action)
                .cell("对象", view! { <span class="num">{row.subject}</span> })
                .cell("细节", detail.map(|detail| view! { <span class="detail">{detail}</span> }))
        })
        .collect();
    view! { <Records rows/> }
}
