//! /staff/audit: what operators did, in the back office and on the command line.

use leptos::prelude::*;

use platform::audit::{self, Broken, Checked, Noted};
use platform::error::Error;
use platform::lists::{self, Pager, Search};
use platform::render::{loaded, use_query};
use platform::staff::here;
use platform::ui::parts::Moment;
use platform::ui::staff::StaffShell;

/// Rows on one page.
const PAGE: usize = 50;
const PATH: &str = "/staff/audit";

/// GET /staff/audit?q=…&after=….
#[component]
pub fn LogPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (search, after) = (lists::search_text(&query("q")), query("after"));
    loaded(
        async move {
            let here = here?;
            let mut rows = audit::found(&here.app.db, &search, &after, PAGE as i64 + 1).await?;
            let more = rows.len() > PAGE;
            rows.truncate(PAGE);
            let next = rows.last().filter(|_| more).map(|row| row.id.clone());
            let checked = audit::check(&here.app.db).await?;
            Ok::<_, Error>((search, !after.is_empty(), rows, next, checked))
        },
        |(search, is_later, rows, next, checked)| {
            let Checked { rows: count, older, broken } = checked;
            let chain = match broken {
                None => {
                    let older = (older > 0).then(|| format!("另有 {older} 条是从前的，那时还没有前后相连。"));
                    view! { <p class="notice good">{format!("{count} 条记录前后相连，没有被改过。")}{older}</p> }.into_any()
                }
                Some(Broken::Row(number)) => view! {
                    <p class="notice bad" role="alert">{format!("第 {number} 条与前后对不上：它或前一条被改过、删过。请保留数据库的备份，查明原因。")}</p>
                }
                .into_any(),
                Some(Broken::Beside(count)) => view! {
                    <p class="notice bad" role="alert">{format!("有 {count} 条记录对不上：它们不在前后相连的记录里，是另外加进来的。请保留数据库的备份，查明原因。")}</p>
                }
                .into_any(),
            };
            let address = |after: &str| lists::address(PATH, &[("q", &search), ("after", after)]);
            let (first, next) = (is_later.then(|| address("")), next.map(|next| address(&next)));
            let rows: Vec<_> = rows.into_iter().map(|row| view! { <Row row/> }).collect();
            view! {
                <StaffShell title="操作日志".to_owned() assets=&["staff.css"]>
                    <header class="head">
                        <h1>"操作日志"</h1>
                        <Search action=PATH.to_owned() label="人、动作、对象" search=search.clone() kept=vec![]/>
                    </header>
                    {chain}
                    <table class="records">
                        <thead>
                            <tr>
                                <th scope="col">"时间"</th>
                                <th scope="col">"谁"</th>
                                <th scope="col">"做了什么"</th>
                                <th scope="col">"对象"</th>
                                <th scope="col">"细节"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                    <Pager first next back="回到最新" further="更早的记录"/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Row(row: Noted) -> impl IntoView {
    let detail = if row.detail == "{}" { String::new() } else { row.detail };
    view! {
        <tr>
            <td data-label="时间"><Moment at=row.happened_at/></td>
            <td data-label="谁">{row.actor}</td>
            <td data-label="做了什么">{row.action}</td>
            <td data-label="对象"><span class="num">{row.subject}</span></td>
            <td data-label="细节"><span class="detail">{detail}</span></td>
        </tr>
    }
}
