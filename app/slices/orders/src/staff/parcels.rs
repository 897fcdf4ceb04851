//! /staff/parcels: many parcels at once, as a carrier's list says them: a line each with the order, the carrier and the number.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::ids::OrderId;
use domain::parcel::CARRIERS;
use domain::typed::{is_blank, typed};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, loaded, use_form};
use web::staff::here;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, FieldError, area_text};
use web::ui::staff::{StaffShell, said};

use super::{LIST, PARCELS};
use crate::progress::Done;
use crate::sending;
use crate::store::Waybill;

/// Lines at once.
const MOST: usize = 200;

/// A line as it was pasted; a number that does not look like its carrier's is taken where the clerk says that it is right.
pub fn read(line: &str, is_sure: bool) -> Result<(OrderId, Waybill), String> {
    let parts: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || ",，".contains(c)).filter(|part| !is_blank(part)).collect();
    let [order, carrier, tracking] = parts.as_slice() else {
        return Err("一行要有订单号、承运人、运单号三项".to_owned());
    };
    let id = typed(order).parse().map_err(|_| "订单号写得不对".to_owned())?;
    let waybill = super::forms::read_waybill(carrier, tracking, is_sure).map_err(|(_, sentence)| sentence)?;
    Ok((id, waybill))
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
    let is_sure = !form.get("sure").is_empty();
    let (mut done, mut left) = (0, Vec::new());
    // a second parcel of an order would be taken for the first one's number put right
    let named = |line: &str| read(line, true).map(|(id, _)| id).ok();
    let twice: Vec<OrderId> = lines
        .iter()
        .filter_map(|line| named(line))
        .filter(|id| lines.iter().filter(|line| named(line).as_ref() == Some(id)).count() > 1)
        .collect();
    for line in lines {
        let outcome = match read(&line, is_sure) {
            Ok((id, _)) if twice.contains(&id) => {
                Err("这个订单有两行。分几个包裹寄的，请在订单页上分别登记".to_owned())
            }
            Ok((id, waybill)) => match sending::send(&app, &id, &waybill, None, now_ms()).await {
                Ok(Done::Now) => {
                    done += 1;
                    Ok(())
                }
                Ok(Done::Before) => Ok(()),
                Err(Error::NotFound) => Err("没有这个订单".to_owned()),
                Err(Error::Conflict(reason)) => Err(reason),
                Err(error) => return Err(error),
            },
            Err(reason) => Err(reason),
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

/// The codes of carriers, each with a name.
fn codes() -> String {
    let codes: Vec<String> = CARRIERS
        .iter()
        .filter(|carrier| carrier.code != carrier.name)
        .map(|carrier| format!("{} {}", carrier.code, carrier.name))
        .collect();
    codes.join("、")
}

/// GET /staff/parcels.
#[component]
pub fn ParcelsPage() -> impl IntoView {
    let here = here();
    loaded(async move { here }, |_| {
        let form = use_form();
        // asked once something was refused
        let sure = form.error("lines").map(|_| {
            view! {
                <label class="check">
                    <input type="checkbox" name="sure" value="1" checked=!form.get("sure").is_empty()/>
                    <span>"运单号都核对过，样子特别的也照记"</span>
                </label>
            }
        });
        let done: Option<usize> = form.get("done").parse().ok().filter(|done| *done > 0);
        let done = done.map(|done| {
            view! { <p class="notice good" role="status">{format!("{done} 个包裹已记下，会员已收到通知。下面的几行还没有。")}</p> }
        });
        view! {
            <StaffShell title="批量填运单".to_owned() assets=&["staff.css"]>
                <header class="head">
                    <div><p><a class="link" href=LIST>"订单"</a></p><h1>"批量填运单"</h1></div>
                </header>
                {done}
                <ErrorSummary title="没有办成"/>
                <form class="sheet fields" method="post" action=PARCELS>
                    <div class="field">
                        <label for="lines">"每行一个包裹：订单号、承运人、运单号"</label>
                        <textarea
                            id="lines" name="lines" rows="12" spellcheck="false" class="num" required
                            placeholder="订单号 顺丰 SF1234567890"
                            aria-invalid=form.error("lines").map(|_| "true")
                            aria-describedby=form.error("lines").map(|_| "lines-error")
                        >
                            {area_text(&form.or("lines", ""))}
                        </textarea>
                        <FieldError name="lines".to_owned()/>
                    </div>
                    {sure}
                    <p class="hint">
                        "可以从表格里整块粘贴；三项之间用空格、逗号或制表符隔开。每行把订单里还没有寄的全部寄出；只有一个包裹的订单再填一次，就是更正运单号。承运人可以写代码："{codes()}"。"
                    </p>
                    <button class="button primary">"记下并通知会员"</button>
                </form>
            </StaffShell>
        }
    })
}
