//! /staff/webhooks/{id}: what was sent there, and how it went.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::jobs;
use domain::ids::WebhookId;
use domain::notices::Kind;
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::render::{self, loaded, parameter, use_form};
use web::router::Parameter;
use web::staff::here;
use web::ui::forms::read_form;
use web::ui::parts::ErrorSummary;
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, said};

use super::WEBHOOKS;
use super::send::{self, SendWebhook, TEST};
use super::store::webhooks::{self, Delivery, Webhook};
use super::webhooks::standing;

/// POST /staff/webhooks/{id}: `step` is `test`, `again` with the `notice`, `end` or `begin`.
pub async fn step(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<WebhookId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let page = format!("{WEBHOOKS}/{id}");
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let mut webhook = webhooks::lock(&mut tx, id.as_str()).await?.ok_or(Error::NotFound)?;
    let (step, is_open) = (form.get("step").to_owned(), webhook.ended_at.is_none());
    let mut detail = json!({});
    let is_done = match step.as_str() {
        "test" if is_open => {
            let notice: String = new_id();
            let body = send::body(&app, &notice, TEST, now, None);
            webhooks::insert_delivery(&mut tx, id.as_str(), &notice, TEST, &body, now).await?;
            let job = SendWebhook { webhook: id.to_string(), notice, tries: 0 };
            jobs::enqueue(&mut tx, &job).await?;
            true
        }
        "again" if is_open => {
            let notice = form.get("notice").to_owned();
            detail = json!({ "notice": notice });
            let tries = webhooks::again(&mut tx, id.as_str(), &notice, now).await?;
            if let Some(tries) = tries {
                jobs::enqueue(&mut tx, &SendWebhook { webhook: id.to_string(), notice, tries }).await?;
            }
            tries.is_some()
        }
        "end" => {
            webhook.ended_at = Some(now);
            webhook.ended_why = Some(format!("由 {} 停用", audit::actor()));
            webhooks::set_standing(&mut tx, &webhook).await?;
            is_open
        }
        "begin" => {
            (webhook.ended_at, webhook.ended_why, webhook.failing_since) = (None, None, None);
            webhooks::set_standing(&mut tx, &webhook).await?;
            !is_open
        }
        "test" | "again" => {
            form.refuse("", "这个地址停用了，先启用再推送");
            false
        }
        _ => {
            form.refuse("", "请选择要做什么");
            false
        }
    };
    if form.is_refused() {
        drop(tx);
        return render::again(&app, parts, &page, form).await;
    }
    if !is_done {
        audit::unchanged();
        return Ok(Redirect::to(&said(&page, false)).into_response());
    }
    audit::note(&mut tx, &format!("webhook {step}"), id.as_str(), &detail).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&said(&page, true)).into_response())
}

/// GET /staff/webhooks/{id}.
#[component]
pub fn WebhookPage() -> impl IntoView {
    let (here, id) = (here(), parameter::<WebhookId>("id"));
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let webhook = webhooks::find(&here.app.db, id.as_str()).await?.ok_or(Error::NotFound)?;
            let deliveries = webhooks::newest(&here.app.db, id.as_str()).await?;
            Ok((webhook, deliveries))
        },
        |(webhook, deliveries)| {
            let (words, is_bad) = standing(&webhook);
            let kinds = webhook.kinds().into_iter().map(Kind::name).collect::<Vec<_>>().join("、");
            let action = format!("{WEBHOOKS}/{}", webhook.id);
            let secret = use_form().or("secret", "");
            let secret = (!secret.is_empty()).then(|| {
                view! {
                    <section class="sheet warned stack">
                        <h2>"密钥"</h2>
                        <p><code class="num long">{secret}</code></p>
                        <p class="hint">"请现在抄进收推送的程序，以后不再显示。"</p>
                    </section>
                }
            });
            let is_open = webhook.ended_at.is_none();
            view! {
                <StaffShell title="推送".to_owned() assets=&["staff.css", "notices.css"]>
                    <header class="head"><h1>"推送"</h1><a class="button" href=WEBHOOKS>"全部地址"</a></header>
                    <ErrorSummary title="没有办成"/>
                    {secret}
                    <section class="sheet">
                        <dl class="facts">
                            <dt>"地址"</dt><dd class="long">{webhook.address.clone()}</dd>
                            <dt>"推送"</dt><dd>{kinds}</dd>
                            <dt>"现在"</dt><dd class=if is_bad { "late" } else { "" }>{words}</dd>
                        </dl>
                        <Steps webhook action=action.clone()/>
                    </section>
                    <Deliveries deliveries action is_open/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Steps(webhook: Webhook, action: String) -> impl IntoView {
    let button = |step: &'static str, name: &'static str| {
        view! { <button class="button" name="step" value=step>{name}</button> }
    };
    let buttons = match webhook.ended_at {
        None => vec![button("test", "推送一次试试"), button("end", "停用")],
        Some(_) => vec![button("begin", "重新启用")],
    };
    view! { <form class="row" method="post" action=action>{buttons}</form> }
}

/// How a delivery stands, in words.
fn how(delivery: &Delivery) -> (String, bool) {
    match (delivery.next_at, delivery.arrived_at) {
        (Some(_), _) if delivery.tries == delivery.tries_before => ("正在推送".to_owned(), false),
        (Some(at), _) => (format!("没有收下，{} 再试", base::time::stamp(at)), true),
        (None, Some(_)) if delivery.reason.is_none() => ("收下了".to_owned(), false),
        (None, _) => ("没有收下，不再试了".to_owned(), true),
    }
}

#[component]
fn Deliveries(deliveries: Vec<Delivery>, action: String, is_open: bool) -> impl IntoView {
    if deliveries.is_empty() {
        return view! { <section class="trim empty"><h2>"还没有推送过"</h2><p class="quiet">"推送过的在这里留三十天。"</p></section> }
            .into_any();
    }
    let rows: Vec<_> = deliveries
        .into_iter()
        .map(|delivery| {
            let (words, is_bad) = how(&delivery);
            let name = Kind::of(&delivery.kind).map_or("试推送", Kind::name);
            let again = (is_open && delivery.next_at.is_none()).then(|| {
                view! {
                    <form method="post" action=action.clone()>
                        <input type="hidden" name="notice" value=delivery.notice.clone()/>
                        <button class="button small" name="step" value="again">"再推送"</button>
                    </form>
                }
            });
            let answer = delivery.status.map(|status| format!("答复 {status}"));
            let answer = delivery.reason.clone().or(answer).unwrap_or_default();
            let how = view! { <span class=is_bad.then_some("late")>{words}</span><span class="detail">{answer}</span> };
            Record::new()
                .cell("什么事", view! { {name}<span class="detail num">{delivery.notice.clone()}</span> })
                .cell("结果", how)
                .num("次数", delivery.tries)
                .moment("时间", delivery.tried_at.unwrap_or(delivery.made_at))
                .acts(again)
        })
        .collect();
    view! { <Records rows/> }.into_any()
}
