//! /staff/scan: a scanner that types, or somebody who does, names a job; at a station it is moved on at once.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{Db, now_ms};
use base::error::Error;
use base::lists;
use domain::ids::OrderId;
use domain::production::{Scanned, Stage};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, loaded, use_form, use_query};
use web::staff::here;
use web::ui::forms::read_form;
use web::ui::staff::StaffShell;

use super::act::{Act, act};
use super::floor::place;
use super::store::{self, Line};
use super::{FLOOR, SCAN, address};

/// The page of a station, which says what was done there last: to which lines, and whether now.
fn station(at: &str, lines: &[Line], now: bool) -> String {
    let numbers: Vec<String> = lines.iter().map(|line| line.line.to_string()).collect();
    let last = lines.first().map(|line| format!("{}:{}", line.order, numbers.join(","))).unwrap_or_default();
    lists::address(SCAN, &[("at", at), (if now { "done" } else { "before" }, &last)])
}

/// The lines that [`station`] names.
async fn last_of(db: &Db, text: &str) -> Result<Vec<Line>, Error> {
    let Some((order, numbers)) = text.split_once(':') else { return Ok(Vec::new()) };
    let Ok(order) = order.parse::<OrderId>() else { return Ok(Vec::new()) };
    let mut lines = store::of_order(db, &order).await?;
    lines.retain(|line| numbers.split(',').any(|number| number.parse() == Ok(line.line)));
    Ok(lines)
}

/// The station that a word names; nothing leads to the end, which is a parcel.
fn station_of(word: &str) -> Result<Option<Stage>, Error> {
    match word.parse() {
        Ok(Stage::Shipping) => Err(Error::NotFound),
        Ok(stage) => Ok(Some(stage)),
        Err(_) if word.is_empty() => Ok(None),
        Err(_) => Err(Error::NotFound),
    }
}

/// The order's lines that a code names.
async fn named(app: &App, text: &str) -> Result<Result<Vec<Line>, String>, Error> {
    let scanned = match Scanned::parse(text, app.config.public_url.as_deref()) {
        Ok(scanned) => scanned,
        Err(refused) => return Ok(Err(refused.to_string())),
    };
    let unknown = || Ok(Err(format!("没有这个订单：{}", scanned.order)));
    let Ok(order) = scanned.order.parse::<OrderId>() else { return unknown() };
    let mut lines = store::of_order(&app.db, &order).await?;
    if let Some(number) = scanned.line {
        lines.retain(|line| line.line == number);
    }
    if lines.is_empty() { unknown() } else { Ok(Ok(lines)) }
}

/// POST /staff/scan: the fields `code`, and `at` for a station. Without a station it leads to what was scanned.
pub async fn scanned(
    State(app): State<App>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let at = form.get("at").to_owned();
    let stage = station_of(&at)?;
    let code = form.get("code").to_owned();
    // what is scanned next would be typed behind it
    form.forget("code");
    let lines = match named(&app, &code).await? {
        Ok(lines) => lines,
        Err(refused) => {
            form.refuse("code", refused);
            form.set("scanned", &code);
            return render::again(&app, parts, &station(&at, &[], true), form).await;
        }
    };
    let Some(stage) = stage else {
        audit::unchanged();
        let place = match lines.as_slice() {
            [line] => address(&line.number()),
            [line, ..] => format!("{FLOOR}/{}", line.order),
            [] => FLOOR.to_owned(),
        };
        return Ok(Redirect::to(&place).into_response());
    };
    let moved = move_on(&app, lines, stage).await?;
    if moved.done.is_empty() {
        audit::unchanged();
    }
    for reason in moved.refused {
        form.refuse("code", reason);
    }
    if form.is_refused() {
        if !moved.done.is_empty() {
            form.refuse("code", format!("{}已经交给下一道", titles(&moved.done)));
        }
        form.set("scanned", &code);
        return render::again(&app, parts, &station(&at, &[], true), form).await;
    }
    let now = !moved.done.is_empty();
    let lines = if now { moved.done } else { moved.before };
    Ok(Redirect::to(&station(&at, &lines, now)).into_response())
}

/// What became of the lines that a code names.
#[derive(Default)]
struct Moved {
    done: Vec<Line>,
    before: Vec<Line>,
    refused: Vec<String>,
}

/// Ends a stage of those lines that stand there; where none does, of all, so that each says why not.
async fn move_on(app: &App, mut lines: Vec<Line>, stage: Stage) -> Result<Moved, Error> {
    if lines.iter().any(|line| line.stage == Some(stage)) {
        lines.retain(|line| line.stage == Some(stage));
    }
    let is_here = lines.iter().any(|line| line.stage == Some(stage));
    let mut moved = Moved::default();
    for line in lines {
        match act(app, &line.number(), &Act::Done(stage), None, now_ms()).await {
            Ok((line, true)) => moved.done.push(line),
            Ok((line, false)) => moved.before.push(line),
            Err(Error::Conflict(reason)) => moved.refused.push(reason),
            Err(error) => return Err(error),
        }
    }
    if !is_here && !moved.before.is_empty() {
        // read twice: those that never come here are no fault
        moved.refused.clear();
    }
    Ok(moved)
}

fn titles(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("《{}》", line.title)).collect()
}

/// GET /staff/scan?at=…&done=….
#[component]
pub fn ScanPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (at, done, before) = (query("at"), query("done"), query("before"));
    loaded(
        async move {
            let here = here?;
            let at = station_of(&at)?;
            let now = !done.is_empty();
            let last = last_of(&here.app.db, if now { &done } else { &before }).await?;
            Ok((at, last, now))
        },
        |(at, last, now)| {
            let form = use_form();
            let is_shown = !last.is_empty() && !form.is_refused();
            let last = is_shown.then(|| view! { <Last lines=last now/> });
            let error = form.error("code").map(|_| "code-error");
            let options: Vec<_> = Stage::ALL
                .into_iter()
                .filter(|stage| *stage != Stage::Shipping)
                .map(|stage| {
                    let current = (at == Some(stage)).then_some("page");
                    view! { <a href=station(stage.code(), &[], true) aria-current=current>{format!("{stage}完成")}</a> }
                })
                .collect();
            let open = at.is_none().then_some("page");
            let does = match at {
                None => "扫到哪一件，就打开哪一件。".to_owned(),
                Some(stage) => format!("扫一件，这一件的{stage}就算完成。"),
            };
            view! {
                <StaffShell title="扫码".to_owned() assets=&["staff.css", "production.css"]>
                    <header class="head"><h1>"扫码"</h1></header>
                    <nav class="filter" aria-label="扫到以后">
                        <a href=SCAN aria-current=open>"打开"</a>
                        {options}
                    </nav>
                    {last}
                    <Refused form=form.clone()/>
                    <form class="sheet fields scan" method="post" action=SCAN>
                        <input type="hidden" name="at" value=at.map_or("", Stage::code)/>
                        <div class="field">
                            <label for="code">"工单上的码，或者订单号"</label>
                            <input
                                id="code" name="code" class="num" autofocus autocomplete="off" autocapitalize="none"
                                spellcheck="false" maxlength="300" required aria-invalid=error.map(|_| "true") aria-describedby=error
                            />
                        </div>
                        <p class="hint">{does}"扫码枪扫完会自己回车；手机用相机扫工单上的码，打开的就是那一件。"</p>
                        <button class="button primary">"确定"</button>
                    </form>
                </StaffShell>
            }
        },
    )
}

/// What was scanned before this, large enough to be seen from the machine.
#[component]
fn Last(lines: Vec<Line>, now: bool) -> impl IntoView {
    let (at, copies) = (now_ms(), lines.iter().map(|line| line.copies).sum::<u32>());
    let places: Vec<_> = lines.iter().map(|line| place(line, at)).collect();
    let said = if now { "已交给下一道：" } else { "以前已经办过，现在：" };
    let class = if now { "notice good scanned" } else { "notice scanned" };
    let way = match lines.as_slice() {
        [line] => address(&line.number()),
        [line, ..] => format!("{FLOOR}/{}", line.order),
        [] => FLOOR.to_owned(),
    };
    view! {
        <div class=class role="status">
            <strong>{titles(&lines)}</strong>
            <p>{said}{places.join("；")}"。"{format!("{copies} 本。")}<a class="link" href=way>"打开"</a></p>
        </div>
    }
}

/// Why nothing was done, in the same place.
#[component]
fn Refused(form: Form) -> impl IntoView {
    let reasons: Vec<_> =
        form.errors().iter().map(|error| view! { <p>{error.message.clone()}</p> }).collect();
    let scanned = form.get("scanned").to_owned();
    let scanned = (!scanned.is_empty()).then(|| view! { <p class="num">"扫到的是："{scanned}</p> });
    (!reasons.is_empty()).then(|| {
        view! { <div class="notice bad scanned" role="alert" id="code-error"><strong>"没有办成"</strong>{reasons}{scanned}</div> }
    })
}
