//! /staff/floor/{order} and /staff/floor/{order}/{line}: where the codes on a job ticket lead. The next step stands first and
//! is as large as a thumb.

use base::db::now_ms;
use base::error::Error;
use domain::ids::OrderId;
use domain::production::Stage;
use domain::staff::Capability;
use leptos::prelude::*;
use web::render::{loaded, parameter, use_form};
use web::staff::{Staff, here};
use web::ui::parts::{ErrorSummary, Field, Moment};
use web::ui::staff::{StaffShell, waited};

use super::forms::WORDS;
use super::store::{self, Ended, Event, Kind, Line};
use super::{FLOOR, address, due_of};

/// GET /staff/floor/{order}: its lines, each with the way to its next step.
#[component]
pub fn OrderPage() -> impl IntoView {
    let (here, order) = (here(), parameter::<OrderId>("order"));
    loaded(
        async move {
            let (here, order) = (here?, order?);
            let lines = store::of_order(&here.app.db, &order).await?;
            if lines.is_empty() { Err(Error::NotFound) } else { Ok((order, lines)) }
        },
        |(order, lines)| {
            view! {
                <StaffShell title=format!("生产 {order}") assets=&["staff.css", "production.css"]>
                    <header class="head"><h1>"生产 "<span class="num long">{order.to_string()}</span></h1></header>
                    <Stations lines/>
                    <p><OrderLink order/></p>
                </StaffShell>
            }
        },
    )
}

#[component]
fn OrderLink(order: OrderId) -> impl IntoView {
    view! { <a class="link" href=format!("/staff/orders/{order}")>"看订单和印刷文件"</a> }
}

/// Where each line of an order stands, for its own page and for the order's.
#[component]
pub fn Stations(lines: Vec<Line>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = lines
        .into_iter()
        .map(|line| {
            let held = line.held.is_some().then(|| view! { <span class="badge warn">"暂停"</span> });
            view! {
                <li>
                    <a class="link" href=address(&line.number())>{line.title.clone()}</a>
                    <span class="quiet">{held}" "{place(&line, now)}</span>
                </li>
            }
        })
        .collect();
    view! { <ul class="files">{rows}</ul> }
}

/// Where a line is, in words.
pub fn place(line: &Line, now: i64) -> String {
    match (line.ended, line.stage) {
        (Some(Ended::Shipped), _) => "已寄出".to_owned(),
        (Some(Ended::Dropped), _) => "已撤单".to_owned(),
        (None, None) => "待开印".to_owned(),
        (None, Some(stage)) => format!("{stage}，{}", waited(line.since, now)),
    }
}

/// GET /staff/floor/{order}/{line}.
#[component]
pub fn LinePage() -> impl IntoView {
    let (here, order, line) = (here(), parameter::<OrderId>("order"), parameter::<i64>("line"));
    loaded(
        async move {
            let (here, order, number) = (here?, order?, line?);
            let lines = store::of_order(&here.app.db, &order).await?;
            let line = lines.into_iter().find(|line| line.line == number).ok_or(Error::NotFound)?;
            let events = store::events(&here.app.db, &order).await?;
            let events: Vec<Event> = events.into_iter().filter(|event| event.line == number).collect();
            Ok((here.staff, line, events))
        },
        |(staff, line, events)| {
            let prints = staff.may(Capability::Print);
            let now = now_ms();
            let (due, is_over) = due_of(line.due);
            let is_late = is_over && line.ended.is_none();
            let sides = (line.pages > 0).then(|| format!("，每本 {} P", line.pages));
            let holder = line.holder.clone().map(|name| view! { <dt>"经手"</dt><dd>{name}</dd> });
            let goods =
                (!line.goods.is_empty()).then(|| view! { <dt>"商品"</dt><dd>{line.goods.clone()}</dd> });
            view! {
                <StaffShell title=format!("生产：{}", line.title) assets=&["staff.css", "production.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=FLOOR>"生产"</a></p>
                            <h1>{line.title.clone()}</h1>
                            <p><span class="badge">{place(&line, now)}</span></p>
                        </div>
                    </header>
                    <ErrorSummary title="没有办成"/>
                    <div class="job">
                        <aside class="stack" aria-label="办理">
                            <NextStep line=line.clone() prints/>
                            {prints.then(|| view! { <Others line=line.clone() staff/> })}
                        </aside>
                        <div class="stack">
                            <section class="sheet">
                                <h2>"这一件"</h2>
                                <dl class="facts">
                                    <dt>"交期"</dt><dd class=is_late.then_some("late")>{due}</dd>
                                    <dt>"数量"</dt><dd>{format!("{} 本", line.copies)}{sides}</dd>
                                    {goods}
                                    {holder}
                                    <dt>"订单"</dt><dd><OrderLink order=line.order.clone()/></dd>
                                </dl>
                            </section>
                            <Table line=line.clone() events=events.clone() now/>
                            <History events/>
                        </div>
                    </div>
                </StaffShell>
            }
        },
    )
}

/// What a form asks for, and the version of the line on this page.
#[component]
fn Asked(step: &'static str, seen: i64) -> impl IntoView {
    view! {
        <input type="hidden" name="step" value=step/>
        <input type="hidden" name="seen" value=seen.to_string()/>
    }
}

/// What comes next, and nothing else.
#[component]
fn NextStep(line: Line, prints: bool) -> impl IntoView {
    let order = format!("/staff/orders/{}", line.order);
    let action = format!("{}/step", address(&line.number()));
    let said = |text: String| view! { <section class="sheet next"><p>{text}</p></section> }.into_any();
    let seen = line.version;
    if let Some(why) = line.held.filter(|_| line.ended.is_none()) {
        let release = prints.then(|| {
            view! {
                <form method="post" action=action>
                    <Asked step="release" seen/>
                    <button class="button primary wide">"放行"</button>
                </form>
            }
        });
        return view! { <section class="sheet warned next"><h2>"暂停"</h2><p>{why}</p>{release}</section> }
            .into_any();
    }
    let (stage, next) = match (line.ended, line.stage) {
        (Some(Ended::Shipped), _) => return said("已经寄出，没有要做的了。".into()),
        (Some(Ended::Dropped), _) => return said("订单已取消或退款，不用再做。".into()),
        (None, None) => {
            return view! {
                <section class="sheet next">
                    <p>"订单还没有开印。"</p>
                    <a class="button primary wide" href=order>"到订单里开印"</a>
                </section>
            }
            .into_any();
        }
        (None, Some(stage)) => (stage, line.stages.after(stage)),
    };
    let Some(next) = next else {
        return view! {
            <section class="sheet next">
                <p>"都做好了，等着寄出。"</p>
                <a class="button primary wide" href=order>"填运单"</a>
            </section>
        }
        .into_any();
    };
    if !prints {
        return said(format!("{stage}做完，交给{next}。"));
    }
    view! {
        <section class="sheet next">
            <form method="post" action=action>
                <Asked step="done" seen/>
                <input type="hidden" name="at" value=stage.code()/>
                <button class="button primary wide">{format!("{stage}完成")}</button>
                <p class="quiet">{format!("接下来：{next}")}</p>
            </form>
        </section>
    }
    .into_any()
}

/// What else can be done to it: who has it, hold, back, a word for the shop.
#[component]
fn Others(line: Line, staff: Staff) -> impl IntoView {
    let action = format!("{}/step", address(&line.number()));
    let form = use_form();
    let opened = |step: &str| form.get("step") == step;
    let seen = line.version;
    let is_open = line.ended.is_none();
    let (hold_action, back_action, note_action) = (action.clone(), action.clone(), action.clone());
    let promise_action = action.clone();
    let working = line.stage.filter(|_| is_open && line.held.is_none());
    let take = working.map(|stage| {
        let is_mine = line.holder.as_ref() == Some(&staff.name);
        let (step, name) = if is_mine { ("leave", "我放下了") } else { ("take", "我来做") };
        view! {
            <form method="post" action=action>
                <Asked step seen/>
                <input type="hidden" name="at" value=stage.code()/>
                <button class="button wide">{name}</button>
            </form>
        }
    });
    // what was typed when somebody else was first stays
    let hold = (is_open && line.held.is_none() || opened("hold")).then(|| {
        view! {
            <details class="fold" open=opened("hold")>
                <summary>"暂停"</summary>
                <form class="fields" method="post" action=hold_action>
                    <Asked step="hold" seen/>
                    <Field name="hold_why" label="为什么（会员看不到）" most=WORDS as u32 required=true/>
                    <button class="button wide">"暂停，不再往下做"</button>
                </form>
            </details>
        }
    });
    let earlier: Vec<Stage> = working.map(|stage| line.stages.before(stage).collect()).unwrap_or_default();
    let back = working.filter(|_| !earlier.is_empty()).map(|at| {
        let to = form.or("to", "");
        let options: Vec<_> = earlier
            .into_iter()
            .rev()
            .map(|stage| view! { <option value=stage.code() selected={to == stage.code()}>{stage.name()}</option> })
            .collect();
        view! {
            <details class="fold" open=opened("back")>
                <summary>"退回前面的工序"</summary>
                <form class="fields" method="post" action=back_action>
                    <Asked step="back" seen/>
                    <input type="hidden" name="at" value=at.code()/>
                    <div class="field"><label for="to">"退回到"</label><select id="to" name="to">{options}</select></div>
                    <Field name="back_why" label="为什么" most=WORDS as u32 required=true/>
                    <button class="button wide">"退回"</button>
                </form>
            </details>
        }
    });
    let promise = is_open.then(|| {
        view! {
            <details class="fold" open=opened("promise")>
                <summary>"改交期"</summary>
                <form class="fields" method="post" action=promise_action>
                    <Asked step="promise" seen/>
                    <Field name="day" label="最晚哪天寄出（会员会看到）" most=20 required=true/>
                    <button class="button wide">"改到这一天"</button>
                </form>
            </details>
        }
    });
    view! {
        <section class="sheet stack">
            {take}
            {hold}
            {back}
            {promise}
            <form class="fields" method="post" action=note_action>
                <input type="hidden" name="step" value="note"/>
                <Field name="note" label="内部备注" most=WORDS as u32 required=true/>
                <button class="button wide">"记下"</button>
            </form>
        </section>
    }
}

/// A stage as it went: when it began and ended, and who ended it.
struct Passed {
    stage: Stage,
    from: i64,
    to: Option<i64>,
    by: String,
}

/// The stages of this round, those that were gone through twice as often.
fn passed(line: &Line, events: &[Event]) -> Vec<Passed> {
    let mut passed: Vec<Passed> = Vec::new();
    let mut from = None;
    for event in events.iter().filter(|event| event.round == line.round) {
        match event.kind() {
            Some(Kind::Begun) => from = Some(event.happened_at),
            Some(Kind::Done | Kind::Back | Kind::Shipped) => {
                if let (Some(stage), Some(began)) = (event.stage(), from) {
                    let (to, by) = (Some(event.happened_at), event.actor.clone());
                    passed.push(Passed { stage, from: began, to, by });
                }
                from = Some(event.happened_at);
            }
            _ => {}
        }
    }
    if let Some(stage) = line.stage {
        let by = line.holder.clone().unwrap_or_default();
        passed.push(Passed { stage, from: line.since, to: None, by });
    }
    passed
}

#[component]
fn Table(line: Line, events: Vec<Event>, now: i64) -> impl IntoView {
    let rows: Vec<_> = passed(&line, &events)
        .into_iter()
        .map(|passed| {
            let to = passed.to.map(|at| view! { <Moment at=at/> });
            let by = (!passed.by.is_empty()).then_some(passed.by);
            view! {
                <tr>
                    <th scope="row">{passed.stage.name()}</th>
                    <td data-label="进入"><Moment at=passed.from/></td>
                    <td data-label="完成">{to}</td>
                    <td data-label="用时">{waited(passed.from, passed.to.unwrap_or(now))}</td>
                    <td data-label="谁">{by}</td>
                </tr>
            }
        })
        .collect();
    let ahead: Vec<_> = line
        .stage
        .iter()
        .flat_map(|at| line.stages.rest(*at).skip(1))
        .map(|stage| view! { <tr class="ahead"><th scope="row">{stage.name()}</th><td colspan="4"><span class="sr">"还没有到"</span></td></tr> })
        .collect();
    // nothing was begun, and nothing is ahead
    if rows.is_empty() && ahead.is_empty() {
        return None;
    }
    Some(view! {
        <section class="sheet">
            <h2>"工序"</h2>
            <table class="passed">
                <thead><tr><th scope="col">"环节"</th><th scope="col">"进入"</th><th scope="col">"完成"</th><th scope="col">"用时"</th><th scope="col">"谁"</th></tr></thead>
                <tbody>{rows}{ahead}</tbody>
            </table>
        </section>
    })
}

/// All that happened, the newest first.
#[component]
fn History(events: Vec<Event>) -> impl IntoView {
    let rows: Vec<_> = events
        .into_iter()
        .rev()
        .map(|event| {
            let stage = event.stage().map_or("", Stage::name);
            let what = event.kind().map_or(String::new(), |kind| match kind {
                Kind::Note => "备注".to_owned(),
                kind => format!("{stage}{}", kind.name()),
            });
            let note = (!event.note.is_empty()).then(|| view! { <span class="words">{event.note.clone()}</span> });
            view! { <li><strong>{event.actor.clone()}</strong>" "{what}" "<Moment at=event.happened_at/>" "{note}</li> }
        })
        .collect();
    view! { <section class="sheet"><h2>"经过"</h2><ul class="log">{rows}</ul></section> }
}
