//! /shelf/{name}/report 举报.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, HeadSlot, loaded, parameter, use_member, use_query};
use web::router::Parameter;
use web::session::Visitor;
use web::ui::forms::read_form;
use web::ui::shell::{Head, Mark};

use super::address;
use super::shelf::{Asked, asked};
use reader::{self, ReportForm, Reported};

/// POST /shelf/{name}/report.
pub async fn send(
    State(app): State<App>,
    Parameter(name): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let member = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    let Asked { shelf, .. } = asked(&app, Ok(name), member.map(|member| member.id.clone())).await?;
    let mut form = read_form(&body)?;
    let address = address(&shelf.name);
    let page = format!("{address}/report");
    let reported = Reported { id: shelf.id.as_str(), title: &shelf.title, address: &address };
    if !reader::report(&app, &parts, &mut form, &reported).await? {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&format!("{page}?sent=1")).into_response())
}

/// GET /shelf/{name}/report.
#[component]
pub fn ReportPage() -> impl IntoView {
    let (app, name) = (use_context::<App>(), parameter::<String>("name"));
    let member = use_member().map(|member| member.id);
    let is_sent = use_query("sent").is_some();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            Ok(asked(&app, name, member).await?.shelf)
        },
        move |shelf| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            let address = address(&shelf.name);
            let body = if is_sent {
                view! {
                    <h1>"已收到，谢谢您告诉我们"</h1>
                    <p class="quiet">"我们会尽快查看；确实有问题的会下架。"</p>
                }
                .into_any()
            } else {
                view! {
                    <ReportForm
                        title=format!("举报书架“{}”", shelf.title)
                        action=format!("{address}/report")
                        hint="请说得具体一点，比如是哪一件作品"
                    />
                }
                .into_any()
            };
            view! {
                <Head title="举报".to_owned() assets=&["reader.css"]/>
                <main id="main" class="reader locked report">
                    <a class="brand" href="/about"><Mark/>"书坊"</a>
                    {body}
                    <p><a class="link" href=address>"回到这个书架"</a></p>
                </main>
            }
        },
    )
}
