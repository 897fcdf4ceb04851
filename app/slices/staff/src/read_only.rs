//! The part of /staff/machine that lets nothing be written while the host moves or mends something.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::time;
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::read_only::{self, ReadOnly};
use web::render::{self, Form, use_form};
use web::ui::forms::{check_length, read_form};
use web::ui::parts::Field;
use web::ui::staff::said;

use super::machine::PATH as MACHINE;

pub const PATH: &str = "/staff/machine/read-only";
/// What the log says was changed.
const SUBJECT: &str = "site";
/// Characters of a reason.
const REASON_LENGTH: usize = 60;

/// When a form says that it ends; what is wrong with that stands in the form.
fn until_in(form: &mut Form, now: i64) -> Option<i64> {
    if form.get("on").is_empty() && form.get("at").is_empty() {
        return None;
    }
    let until = time::moment(form.get("on"), form.get("at"));
    match until {
        None => form.refuse("on", "日期写成 2026-11-28，时间写成 18:00；还说不准，就都空着"),
        Some(at) if at <= now => form.refuse("on", "这个时间已经过去了"),
        Some(_) => {}
    }
    until
}

/// POST /staff/machine/read-only: `act` is begin or end.
pub async fn change(State(app): State<App>, parts: Parts, RawForm(body): RawForm) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if app.read_only.is_by_host() {
        return Err(Error::Conflict("只读是由 BINDERY_READ_ONLY 设置的，请在那里改，再重新启动。".into()));
    }
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let changed = match form.get("act") {
        "begin" => {
            check_length(&mut form, "reason", "原因", 1, REASON_LENGTH);
            let until = until_in(&mut form, now);
            if form.is_refused() {
                drop(tx);
                return render::again(&app, parts, MACHINE, form).await;
            }
            let reason = form.get("reason").to_owned();
            let detail = json!({ "reason": reason, "until": until.map(time::stamp) });
            read_only::begin(&mut tx, &ReadOnly { reason, until }, now).await?;
            audit::note(&mut tx, "read-only begin", SUBJECT, &detail).await?;
            true
        }
        "end" => {
            let ended = read_only::end(&mut tx).await?;
            if ended {
                audit::note(&mut tx, "read-only end", SUBJECT, &json!({})).await?;
            }
            ended
        }
        _ => return Err(Error::Incomplete),
    };
    tx.commit().await?;
    read_only::refresh(&app).await?;
    if !changed {
        audit::unchanged();
    }
    // jobs waited
    app.bell.ring();
    Ok(Redirect::to(&said(MACHINE, changed)).into_response())
}

/// What holds now, and the form that changes it.
#[component]
pub fn ReadOnlyForm(now: Option<ReadOnly>, by_host: bool) -> impl IntoView {
    let form = use_form();
    let state = match &now {
        Some(now) => view! { <p class="notice warn">{now.sentence(now_ms())}</p> }.into_any(),
        None => view! {
            <p class="hint">
                "搬数据库、换磁盘的时候用：大家照常浏览、阅读，交上来的都不收，任务等着；没有交成的表单，填的内容还在。到了预计的时间不会自动恢复。"
            </p>
        }
        .into_any(),
    };
    if by_host {
        return view! {
            <section class="sheet stack" id="read-only">
                <h2>"只读"</h2>
                {state}
                <p class="hint">"由 BINDERY_READ_ONLY 设置，请在那里改，再重新启动。"</p>
            </section>
        }
        .into_any();
    }
    let end = now.is_some().then(|| {
        view! {
            <form method="post" action=PATH>
                <button class="button primary" name="act" value="end">"恢复写入"</button>
            </form>
        }
    });
    let begin = if now.is_some() { "改说明" } else { "改为只读" };
    let (reason, until) = now.map_or((String::new(), None), |now| (now.reason, now.until));
    let (on, at) = until.map_or_else(Default::default, |until| (time::day(until), time::clock(until)));
    view! {
        <section class="sheet stack" id="read-only">
            <h2>"只读"</h2>
            {state}
            {end}
            <details class="fold" open=form.is_refused()>
                <summary>{begin}</summary>
                <form class="stack" method="post" action=PATH>
                    <Field name="reason" label="原因，大家看得到" value=reason most=60 required=true/>
                    <div class="row">
                        <Field name="on" label="预计恢复的日期（可不填）" value=on kind="date"/>
                        <Field name="at" label="时间" value=at kind="time"/>
                    </div>
                    <p><button class="button danger" name="act" value="begin">{begin}</button></p>
                </form>
            </details>
        </section>
    }
    .into_any()
}
