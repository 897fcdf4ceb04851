//! /staff/parcels: many parcels at once, as a carrier's list says them: a line each with the order, the carrier and the number.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::ids::OrderId;
use domain::typed::{is_blank, typed};
use leptos::prelude::*;

use super::PARCELS;
use crate::progress::{self, Done, Step};
use crate::store::Parcel;
use platform::app::App;
use platform::audit;
use platform::db::now_ms;
use platform::error::Error;
use platform::render::{self, loaded, use_form};
use platform::staff::here;
use platform::ui::forms::read_form;
use platform::ui::parts::{ErrorSummary, area_text};
use platform::ui::staff::{StaffShell, said};

/// Lines at once.
const MOST: usize = 200;

/// A line as it was pasted.
pub fn read(line: &str) -> Result<(OrderId, Parcel), &'static str> {
    let parts: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || ",，".contains(c)).filter(|part| !is_blank(part)).collect();
    let [order, carrier, tracking] = parts.as_slice() else {
        return Err("一行要有订单号、承运人、运单号三项");
    };
    let id = typed(order).parse().map_err(|_| "订单号写得不对")?;
    let parcel = super::forms::read_parcel(carrier, tracking).map_err(|(_, sentence)| sentence)?;
    Ok((id, parcel))
}

/// POST /staff/parcels. What is right is done; what is not stays in the form, each line with its reason.
pub async fn ship_many(
    State(app): State<App>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let sent = form.or("lines", "");
    let lines: Vec<String> =
        sent.lines().map(|line| line.trim().to_owned()).filter(|line| !is_blank(line)).collect();
    if lines.is_empty() || lines.len() > MOST {
        form.refuse("lines", format!("请填 1 到 {MOST} 行"));
        return render::again(&app, parts, PARCELS, form).await;
    }
    let (mut done, mut left) = (0, Vec::new());
    for line in lines {
        let outcome = match read(&line) {
            Ok((id, parcel)) => match progress::take_step(&app, &id, &Step::Ship(parcel), now_ms()).await {
                Ok(Done::Now) => {
                    done += 1;
                    Ok(())
                }
                Ok(Done::Before) => Ok(()),
                Err(Error::NotFound) => Err("没有这个订单".to_owned()),
                Err(Error::Conflict(reason)) => Err(reason),
                Err(error) => return Err(error),
            },
            Err(reason) => Err(reason.to_owned()),
        };
        if let Err(reason) = outcome {
            form.refuse("lines", format!("{line}：{reason}"));
            left.push(line);
        }
    }
    if done == 0 {
        audit::unchanged();
    }
    if left.is_empty() {
        return Ok(Redirect::to(&said(PARCELS, done > 0)).into_response());
    }
    form.set("lines", &left.join("\n"));
    form.set("done", &done.to_string());
    render::again(&app, parts, PARCELS, form).await
}

/// GET /staff/parcels.
#[component]
pub fn ParcelsPage() -> impl IntoView {
    let here = here();
    loaded(async move { here }, |_| {
        let form = use_form();
        let done: Option<usize> = form.get("done").parse().ok().filter(|done| *done > 0);
        let done = done.map(|done| {
            view! { <p class="notice good" role="status">{format!("{done} 个包裹已记下，会员已收到通知。下面的几行还没有。")}</p> }
        });
        view! {
            <StaffShell title="批量填运单".to_owned() assets=&["staff.css"]>
                <header class="head"><h1>"批量填运单"</h1></header>
                {done}
                <ErrorSummary title="这几行没有办成"/>
                <form class="sheet fields" method="post" action=PARCELS>
                    <div class="field">
                        <label for="lines">"每行一个包裹：订单号、承运人、运单号"</label>
                        <textarea
                            id="lines" name="lines" rows="12" spellcheck="false" class="num" required
                            placeholder="订单号 顺丰 SF1234567890"
                            aria-invalid=form.error("lines").map(|_| "true")
                        >
                            {area_text(&form.or("lines", ""))}
                        </textarea>
                    </div>
                    <p class="hint">"可以从表格里整块粘贴；三项之间用空格、逗号或制表符隔开。填过的订单再填一次，就是更正运单号。"</p>
                    <button class="button primary">"记下并通知会员"</button>
                </form>
            </StaffShell>
        }
    })
}
