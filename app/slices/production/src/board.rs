//! /staff/floor: what is on the floor, by stage, the first to be promised first.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::production::Stage;
use domain::staff::Capability;
use leptos::prelude::*;
use web::render::{loaded, use_form, use_query};
use web::staff::{Staff, here};
use web::ui::lists::Pager;
use web::ui::parts::ErrorSummary;
use web::ui::staff::{StaffShell, waited};

use super::store::{self, Line, Position, View};
use super::{FLOOR, PLAN, SCAN, address, due_of, today};

/// Lines on one page.
const PAGE: usize = 50;

/// The address of a view.
pub fn address_of(view: &str) -> String {
    lists::address(FLOOR, &[("view", view)])
}

/// What a word in the address lists; nothing where there is no such view.
fn view_of(word: &str, staff: &Staff) -> Option<View> {
    Some(match word {
        "" => View::All,
        "waiting" => View::Waiting,
        "late" => View::Late(today()),
        "held" => View::Held,
        "mine" => View::Of(staff.name.clone()),
        code => View::At(code.parse().ok()?),
    })
}

/// GET /staff/floor?view=…&after=….
#[component]
pub fn FloorPage() -> impl IntoView {
    let here = here();
    let (word, after) = (use_query("view").unwrap_or_default(), use_query("after").unwrap_or_default());
    loaded(
        async move {
            let here = here?;
            let view = view_of(&word, &here.staff).ok_or(Error::NotFound)?;
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let db = &here.app.db;
            let mut lines = store::page(db, &view, after.as_ref(), PAGE as i64 + 1).await?;
            let more = lines.len() > PAGE;
            lines.truncate(PAGE);
            let next = lines.last().filter(|_| more).map(Line::position);
            let counts = Counts::read(db).await?;
            Ok((here.staff, word, view, lines, counts, after.is_some(), next))
        },
        |(staff, word, view, lines, counts, is_later, next)| {
            let place = |after: Option<&Position>| {
                let after = after.map(ToString::to_string).unwrap_or_default();
                lists::address(FLOOR, &[("view", &word), ("after", &after)])
            };
            let first = is_later.then(|| place(None));
            let next = next.map(|next| place(Some(&next)));
            let prints = staff.may(Capability::Print);
            // what waits for its parcel is moved by it
            let at = if let View::At(stage) = view { Some(stage) } else { None };
            let at = at.filter(|stage| prints && *stage != Stage::Shipping && !lines.is_empty());
            let ways = prints.then(|| {
                // where lines are moved by hand, that is what the page is for
                let class = if at.is_some() { "button" } else { "button primary" };
                view! {
                    <a class=class href=SCAN>"扫码"</a>
                    <a class="button" href=PLAN>"产能与交期"</a>
                }
            });
            let body = if lines.is_empty() {
                view! {
                    <section class="trim empty"><h2>"这里没有要做的"</h2><p class="quiet">"订单开印以后，会按工序排在这里，交期早的在前。"</p></section>
                }
                .into_any()
            } else {
                view! { <Lines lines at/> }.into_any()
            };
            view! {
                <StaffShell title="生产".to_owned() assets=&["staff.css", "production.css"]>
                    <header class="head"><h1>"生产"</h1><div class="ways">{ways}</div></header>
                    <ErrorSummary title="没有办成"/>
                    <Views word counts/>
                    {body}
                    <Pager first next back="回到开头" further="下一页"/>
                </StaffShell>
            }
        },
    )
}

/// How much there is in each view.
struct Counts {
    stages: Vec<(Option<Stage>, i64)>,
    late: i64,
    held: i64,
}

impl Counts {
    async fn read(db: &base::db::Db) -> Result<Self, Error> {
        let stages = store::count_by_stage(db).await?;
        let (late, _) = store::count_late(db, today()).await?;
        let (held, _) = store::count_held(db).await?;
        Ok(Self { stages, late, held })
    }

    fn at(&self, stage: Option<Stage>) -> i64 {
        self.stages.iter().find(|(at, _)| *at == stage).map_or(0, |(_, count)| *count)
    }
}

/// The stages in the order of the work, with what stands at each, and what asks for somebody.
#[component]
fn Views(word: String, counts: Counts) -> impl IntoView {
    let tile = |code: &'static str, name: &'static str, count: i64, class: &'static str| {
        let current = (code == word).then_some("page");
        view! {
            <li class=class><a href=address_of(code) aria-current=current><span>{name}</span><strong class="num">{count}</strong></a></li>
        }
    };
    let all = counts.stages.iter().map(|(_, count)| count).sum();
    let stages: Vec<_> = Stage::ALL
        .into_iter()
        .map(|stage| tile(stage.code(), stage.name(), counts.at(Some(stage)), "stage"))
        .collect();
    let asks = |count: i64| if count > 0 { "asks" } else { "" };
    let mine = (word == "mine").then_some("page");
    view! {
        <nav aria-label="环节">
            <ul class="stations">
                {tile("", "全部", all, "")}
                {tile("waiting", "待开印", counts.at(None), "stage")}
                {stages}
                {tile("late", "过了交期", counts.late, asks(counts.late))}
                {tile("held", "暂停", counts.held, asks(counts.held))}
                <li><a href=address_of("mine") aria-current=mine><span>"我手上的"</span></a></li>
            </ul>
        </nav>
    }
}

/// The lines of a view; those of a stage may be moved together.
#[component]
fn Lines(lines: Vec<Line>, at: Option<Stage>) -> impl IntoView {
    let now = now_ms();
    let form = use_form();
    let rows: Vec<_> = lines
        .into_iter()
        .map(|line| {
            // refused ones stay ticked
            let name = format!("{}.", line.number());
            let ticked = at.map(|_| form.all("line").any(|sent| sent.starts_with(&name)));
            row(line, now, ticked)
        })
        .collect();
    let list = view! { <ul class="floor">{rows}</ul> };
    let Some(at) = at else { return list.into_any() };
    view! {
        <form method="post" action=format!("{FLOOR}/many")>
            <input type="hidden" name="at" value=at.code()/>
            {list}
            <div class="actionbar">
                <button class="button" name="step" value="take">"我来做"</button>
                <button class="button primary" name="step" value="done">{format!("{at}完成")}</button>
            </div>
        </form>
    }
    .into_any()
}

fn row(line: Line, now: i64, ticked: Option<bool>) -> impl IntoView {
    let number = line.number();
    // with what this page has seen of it
    let name = format!("{number}.{}", line.version);
    let choice = ticked.map(|checked| {
        view! {
            <label class="check">
                <input type="checkbox" name="line" value=name.clone() checked=checked aria-label=format!("选择《{}》", line.title)/>
            </label>
        }
    });
    let (due, is_late) = due_of(line.due);
    let place = line.stage.map_or("待开印", Stage::name);
    let sides = (line.pages > 0).then(|| format!(" × {} P", line.pages));
    let held = line
        .held
        .clone()
        .map(|why| view! { <p class="why"><span class="badge warn">"暂停"</span>" "{why}</p> });
    let holder = line.holder.clone().map(|name| view! { <span class="holder">{name}</span> });
    view! {
        <li class=line.held.is_some().then_some("is-held")>
            {choice}
            <p class="title"><a class="link" href=address(&number)>{line.title.clone()}</a></p>
            <p class="due"><span class="sr">"交期："</span><span class=is_late.then_some("late")>{due}</span></p>
            <p class="what quiet">
                <span class="badge">{place}</span>
                <span class="num">{format!("{} 本", line.copies)}{sides}</span>
                <span class="goods">{line.goods.clone()}</span>
            </p>
            <p class="wait quiet">{holder}<span>{waited(line.since, now)}</span></p>
            {held}
        </li>
    }
}
