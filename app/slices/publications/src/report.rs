//! /epaper/{title}/report 举报, and of magazines.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, HeadSlot, loaded, parameter, use_query};
use web::router::Parameter;
use web::ui::forms::read_form;
use web::ui::shell::{Head, Mark};

use super::store::{issues, publications};
use super::{kind_here, kind_of};
use domain::publication::Kind;
use reader::{self, ReportForm, Reported};

/// A title that readers see.
async fn title_at(app: &App, kind: Kind, address: &str) -> Result<publications::Publication, Error> {
    let title = publications::at_address(&app.db, kind, address).await?;
    let is_out = !issues::published(&app.db, &title.id, 1).await?.is_empty();
    if is_out { Ok(title) } else { Err(Error::NotFound) }
}

/// POST /epaper/{title}/report.
pub async fn send(
    State(app): State<App>,
    Parameter(address): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let title = title_at(&app, kind_of(parts.uri.path())?, &address).await?;
    let mut form = read_form(&body)?;
    let path = title.path();
    let page = format!("{path}/report");
    let reported = Reported { id: title.id.as_str(), title: &title.name, address: &path };
    if !reader::report(&app, &parts, &mut form, &reported).await? {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&format!("{page}?sent=1")).into_response())
}

/// GET /epaper/{title}/report.
#[component]
pub fn ReportPage() -> impl IntoView {
    let (app, kind, address) = (use_context::<App>(), kind_here(), parameter::<String>("title"));
    let is_sent = use_query("sent").is_some();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            title_at(&app, kind?, &address?).await
        },
        move |title| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            let path = title.path();
            let body = if is_sent {
                view! {
                    <h1>"已收到，谢谢您告诉我们"</h1>
                    <p class="quiet">"我们会尽快查看；确实有问题的会下架。"</p>
                }
                .into_any()
            } else {
                view! {
                    <ReportForm
                        title=format!("举报《{}》", title.name)
                        action=format!("{path}/report")
                        hint="请说得具体一点，比如是哪一期的哪一篇"
                    />
                }
                .into_any()
            };
            view! {
                <Head title="举报".to_owned() assets=&["reader.css"]/>
                <main id="main" class="reader locked report">
                    <a class="brand" href="/about"><Mark/>"书坊"</a>
                    {body}
                    <p><a class="link" href=path>{format!("回到《{}》", title.name)}</a></p>
                </main>
            }
        },
    )
}
