//! /staff/webhooks: addresses of the shop's other programs.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::WebhookId;
use domain::notices::{Kind, write_kinds};
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::render::{self, loaded, use_form};
use web::staff::{Staff, here};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, said};

use super::clerk::{Kinds, chosen};
use super::store::webhooks::{self, Webhook};
use super::{WEBHOOKS, send, settings};

/// Addresses at once.
const MOST: usize = 20;

/// POST /staff/webhooks: `webhook` (the form's own id), `address`, `kind` for each event. Answers with its page, which shows
/// the secret this once.
pub async fn add(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let id: Option<WebhookId> = form.get("webhook").parse().ok();
    let id = id.unwrap_or_else(new_id);
    let address = send::read_address(form.get("address"), settings::allows_private());
    if let Err(reason) = address {
        form.refuse("address", reason);
    }
    let kinds = chosen(&form);
    if kinds.is_empty() {
        form.refuse("kind", "请选择推送哪些事");
    }
    let all = webhooks::all(&app.db).await?;
    if all.iter().filter(|webhook| webhook.ended_at.is_none() && webhook.id != id.as_str()).count() >= MOST {
        form.refuse("", format!("最多 {MOST} 个地址，请先停用不要的"));
    }
    let Some(address) = address.ok().filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, WEBHOOKS, form).await;
    };
    let page = format!("{WEBHOOKS}/{id}");
    let webhook = Webhook {
        id: id.to_string(),
        address: address.to_string(),
        kinds: write_kinds(&kinds),
        made_by: staff.name.clone(),
        made_at: now_ms(),
        failing_since: None,
        ended_at: None,
        ended_why: None,
    };
    let mut tx = app.db.begin().await?;
    if !webhooks::insert(&mut tx, &webhook).await? {
        drop(tx);
        audit::unchanged();
        return Ok(Redirect::to(&said(&page, false)).into_response());
    }
    let detail = json!({ "address": webhook.address, "kinds": webhook.kinds });
    audit::note(&mut tx, "webhook add", id.as_str(), &detail).await?;
    tx.commit().await?;
    // shown in this answer alone, which no address repeats
    let mut shown = render::Form::default();
    shown.set("secret", &send::shown_secret(&app, id.as_str()));
    render::again(&app, parts, &page, shown).await
}

/// How a webhook stands, in words, and whether it is in trouble.
pub fn standing(webhook: &Webhook) -> (String, bool) {
    match (webhook.ended_at, webhook.failing_since) {
        (Some(_), _) => (format!("停用：{}", webhook.ended_why.as_deref().unwrap_or_default()), false),
        (None, Some(_)) => ("推送不到，还在重试".to_owned(), true),
        (None, None) => ("启用".to_owned(), false),
    }
}

/// GET /staff/webhooks.
#[component]
pub fn WebhooksPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            webhooks::all(&here.app.db).await
        },
        |all| {
            let form = use_form();
            let id: WebhookId = form.get("webhook").parse().unwrap_or_else(|_| new_id());
            let kinds = if form.is_sent() { chosen(&form) } else { Vec::new() };
            view! {
                <StaffShell title="推送".to_owned() assets=&["staff.css", "notices.css"]>
                    <header class="head">
                        <div><h1>"推送"</h1><p class="quiet">"发生了什么，告诉您自己的其他程序（webhook）"</p></div>
                    </header>
                    <ErrorSummary title="还没有添加"/>
                    <List all/>
                    <form class="sheet fields" method="post" action=WEBHOOKS>
                        <h2>"添加地址"</h2>
                        <input type="hidden" name="webhook" value=id.to_string()/>
                        <Field name="address" label="地址" kind="url" most=500 autocomplete="off"/>
                        <Kinds open=Kind::ALL.to_vec() kinds/>
                        <FieldError name="kind".to_owned()/>
                        <p class="hint">
                            "每件事是一个 POST 请求，内容是 JSON：version、id、type、timestamp、data；不含会员的姓名、电话和地址。"
                            "签名照 Standard Webhooks：webhook-id、webhook-timestamp、webhook-signature。"
                            "答复 2xx 才算收下，否则在一天内再试九次；三天没有收下的停用。"
                        </p>
                        <button class="button primary">"添加"</button>
                    </form>
                </StaffShell>
            }
        },
    )
}

#[component]
fn List(all: Vec<Webhook>) -> impl IntoView {
    if all.is_empty() {
        return view! { <section class="trim empty"><h2>"还没有地址"</h2><p class="quiet">"在下面添加。"</p></section> }
            .into_any();
    }
    let rows: Vec<_> = all
        .into_iter()
        .map(|webhook| {
            let (standing, is_bad) = standing(&webhook);
            let own = format!("{WEBHOOKS}/{}", webhook.id);
            Record::new()
                .cell("地址", view! { <a class="link long" href=own>{webhook.address}</a> })
                .cell("现在", view! { <span class=if is_bad { "late" } else { "quiet" }>{standing}</span> })
                .cell("谁", webhook.made_by)
                .moment("添加于", webhook.made_at)
        })
        .collect();
    view! { <Records rows/> }.into_any()
}
