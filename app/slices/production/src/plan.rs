//! /staff/floor/plan: what each stage does in a day, when the shop is closed, what of the next weeks is taken, and what will be
//! late.

use std::collections::BTreeMap;

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::time::{date, day_near};
use domain::production::{FloorPlan, Stage, read_days, write_days};
use domain::typed::typed;
use leptos::prelude::*;
use serde_json::json;
use time::Date;
use web::app::App;
use web::render::{self, Form, loaded, use_form};
use web::staff::here;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, FieldError, area_text};
use web::ui::staff::{StaffShell, said};

use super::store::plan::{self, Open, Shop};
use super::{FLOOR, PLAN, address, due_of};

/// The most that a stage is said to do in a day.
const MOST: u64 = 100_000_000;
/// The most days on which a shop may say that it is closed.
const MOST_CLOSED: usize = 400;
/// Working days that are shown.
const DAYS: usize = 20;
/// Late lines that are named.
const NAMED: usize = 50;

/// What a form says of the shop; what is wrong with it is said in the form.
fn typed_shop(form: &mut Form) -> Shop {
    let mut capacity = BTreeMap::new();
    for stage in Stage::ALL {
        let text = typed(form.get(stage.code()));
        match text.parse::<u64>() {
            Ok(units) if (1..=MOST).contains(&units) => drop(capacity.insert(stage, units)),
            _ if text.is_empty() => {}
            _ => form.refuse(stage.code(), format!("{stage}：请写 1 到 {MOST} 的整数，不限就空着")),
        }
    }
    let closed = match read_days(form.get("closed")) {
        Ok(days) if days.len() <= MOST_CLOSED => days,
        Ok(_) => {
            form.refuse("closed", format!("停工日最多 {MOST_CLOSED} 天"));
            Vec::new()
        }
        Err(line) => {
            form.refuse("closed", format!("看不懂“{line}”：请写成 2027-02-10，或 2027-02-10 至 2027-02-20"));
            Vec::new()
        }
    };
    Shop { capacity, closed }
}

/// What a page has seen of the shop's settings.
fn mark(shop: &Shop) -> String {
    let capacity: Vec<String> =
        shop.capacity.iter().map(|(stage, units)| format!("{} {units}", stage.code())).collect();
    format!("{}|{}", capacity.join(", "), write_days(&shop.closed).replace('\n', ", "))
}

/// POST /staff/floor/plan: a field for each stage, `closed`, and `seen`.
pub async fn set(State(app): State<App>, parts: Parts, RawForm(body): RawForm) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if !form.is_sent() {
        form.refuse("", "表单是空的");
    }
    let mut shop = typed_shop(&mut form);
    // days that are over close nothing
    shop.closed.retain(|day| *day >= date(now_ms()));
    if form.is_refused() {
        return render::again(&app, parts, PLAN, form).await;
    }
    let mut tx = app.db.begin().await?;
    let known = plan::shop(&mut tx).await?;
    if known == shop {
        audit::unchanged();
        return Ok(Redirect::to(&said(PLAN, false)).into_response());
    }
    if mark(&known) != form.get("seen") {
        form.set("seen", &mark(&known));
        form.refuse(
            "",
            "在您打开这一页以后有人改过。现在记着的是下面的表里那样；确实要照您写的改，就再按一次“记下”",
        );
        drop(tx);
        return render::again(&app, parts, PLAN, form).await;
    }
    plan::write(&mut tx, &shop).await?;
    let capacity: BTreeMap<&str, u64> =
        shop.capacity.iter().map(|(stage, units)| (stage.code(), *units)).collect();
    let detail = json!({ "capacity": capacity, "closed": write_days(&shop.closed) });
    audit::note(&mut tx, "production plan", "", &detail).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(PLAN, true)).into_response())
}

/// A line that will be made after its promised day.
pub struct Late {
    pub line: Open,
    /// None where it is further off than anybody plans.
    pub ready: Option<Date>,
}

/// What of the next days is taken, and which lines will be late.
pub fn planned(shop: &Shop, open: Vec<Open>, today: Date) -> (FloorPlan, Vec<Late>) {
    let mut plan = FloorPlan::new(today, &shop.capacity, &shop.closed);
    let mut late = Vec::new();
    for line in open {
        let ready = plan.take(&line.work).map(|(last, _)| last);
        let Some(due) = line.due else { continue };
        if ready.is_none_or(|ready| ready > date(due)) {
            late.push(Late { line, ready });
        }
    }
    (plan, late)
}

/// GET /staff/floor/plan.
#[component]
pub fn PlanPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let (shop, open) = plan::read(&here.app.db).await?;
            let (plan, late) = planned(&shop, open, date(now_ms()));
            Ok((shop, plan, late))
        },
        |(shop, plan, late)| {
            view! {
                <StaffShell title="产能与交期".to_owned() assets=&["staff.css", "production.css"]>
                    <header class="head"><div><p><a class="link" href=FLOOR>"生产"</a></p><h1>"产能与交期"</h1></div></header>
                    <ErrorSummary title="没有记下"/>
                    <div class="job">
                        <div class="stack">
                            <Days plan/>
                            <LateLines late/>
                        </div>
                        <Settings shop/>
                    </div>
                </StaffShell>
            }
        },
    )
}

/// The next working days, each with what of it is taken.
#[component]
fn Days(plan: FloorPlan) -> impl IntoView {
    let bounded: Vec<Stage> =
        Stage::ALL.into_iter().filter(|stage| plan.capacity(*stage).is_some()).collect();
    if bounded.is_empty() {
        return view! {
            <section class="sheet">
                <h2>"往后的日子"</h2>
                <p class="quiet">"还没有写每天能做多少：交期只按商品的制作天数算。写了以后，这里会排出每天的活，新订单的交期也照着排。"</p>
            </section>
        }
        .into_any();
    }
    let heads: Vec<_> = bounded
        .iter()
        .map(|stage| view! { <th scope="col">{format!("{stage}（{}）", stage.unit())}</th> })
        .collect();
    let today = date(now_ms());
    let rows: Vec<_> = plan
        .days()
        .iter()
        .copied()
        .take(DAYS)
        .map(|day| {
            let cells: Vec<_> = bounded
                .iter()
                .map(|stage| {
                    let (taken, most) = (plan.taken(*stage, day), plan.capacity(*stage).unwrap_or(0));
                    view! {
                        <td data-label=stage.name()>
                            <meter min="0" max=most.to_string() value=taken.to_string() aria-hidden="true"></meter>
                            <span class="num">{format!("{taken} / {most}")}</span>
                        </td>
                    }
                })
                .collect();
            view! { <tr><th scope="row">{day_near(day, today)}</th>{cells}</tr> }
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"往后的日子"</h2>
            <div class="scroll"><table class="load"><thead><tr><th scope="col">"日期"</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>
            <p class="hint">"按交期先后，把还没有做的都排进去：周末、法定假日和停工日不排。"</p>
        </section>
    }
    .into_any()
}

#[component]
fn LateLines(late: Vec<Late>) -> impl IntoView {
    if late.is_empty() {
        return None;
    }
    let count = late.len();
    let rows: Vec<_> = late
        .into_iter()
        .take(NAMED)
        .map(|Late { line, ready }| {
            let ready = ready.map_or("两年以后".to_owned(), |ready| day_near(ready, date(now_ms())));
            view! {
                <li>
                    <a class="link" href=address(&line.number)>{line.title}</a>
                    <span class="quiet">{format!("交期 {}，", due_of(line.due).0)}<span class="late">{format!("排到 {ready}")}</span></span>
                </li>
            }
        })
        .collect();
    let more =
        (count > NAMED).then(|| view! { <p class="hint">{format!("还有 {} 件。", count - NAMED)}</p> });
    Some(view! {
        <section class="sheet warned"><h2>{format!("照现在的排法，{count} 件赶不上交期")}</h2><ul class="files">{rows}</ul>{more}</section>
    })
}

#[component]
fn Settings(shop: Shop) -> impl IntoView {
    let form = use_form();
    let fields: Vec<_> = Stage::ALL
        .into_iter()
        .map(|stage| {
            let code = stage.code();
            let known = shop.capacity.get(&stage).map(u64::to_string).unwrap_or_default();
            let error = form.error(code).is_some();
            view! {
                <div class="field">
                    <label for=code>{format!("{stage}，每天（{}）", stage.unit())}</label>
                    <input
                        id=code name=code inputmode="numeric" maxlength="12" class="num" value=form.or(code, &known) placeholder="不限"
                        aria-invalid=error.then_some("true") aria-describedby=error.then(|| format!("{code}-error"))
                    />
                    <FieldError name=code.to_owned()/>
                </div>
            }
        })
        .collect();
    let error = form.error("closed").is_some();
    let closed = form.or("closed", &write_days(&shop.closed));
    view! {
        <form class="sheet fields" method="post" action=PLAN>
            <h2>"每天能做多少"</h2>
            <input type="hidden" name="seen" value=form.or("seen", &mark(&shop))/>
            <div class="capacities">{fields}</div>
            <p class="hint">"P 是印的面数：本数 × 每本页数。空着就是不限。"</p>
            <div class="field">
                <label for="closed">"停工日"</label>
                <textarea
                    id="closed" name="closed" rows="3" class="num" placeholder="2027-02-10 至 2027-02-20"
                    aria-invalid=error.then_some("true") aria-describedby=error.then_some("closed-error")
                >
                    {area_text(&closed)}
                </textarea>
                <FieldError name="closed".to_owned()/>
            </div>
            <p class="hint">"已经答应会员的日子不变；往后付款的订单照新的排。"</p>
            <button class="button primary">"记下"</button>
        </form>
    }
}
