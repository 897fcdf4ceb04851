//! GET /read/{work}/report 举报.

use axum::http::request::Parts;
use base::error::Error;
use domain::ids::WorkId;
use domain::sharing::Access;
use leptos::prelude::*;
use web::app::App;
use web::render::{HeadSlot, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::{Head, Mark};

use crate::open;
use crate::reports::{CONTACT_LENGTH, REASONS, WORDS_LENGTH};

/// The form; what it is about stands in its address.
#[component]
pub fn ReportPage() -> impl IntoView {
    let (app, parts, work) = (use_context::<App>(), use_context::<Parts>(), parameter::<WorkId>("work"));
    let is_sent = use_query("sent").is_some();
    loaded(
        async move {
            let outside = || Error::internal("a page outside a request");
            let (app, parts, work) = (app.ok_or_else(outside)?, parts.ok_or_else(outside)?, work?);
            let opened = open::open_for(&app, &parts, &work).await?;
            let title = match opened.access {
                Access::Locked => String::new(),
                _ => format!("《{}》", opened.share.settings.title),
            };
            Ok((work, title))
        },
        move |(work, title)| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            let back = format!("/read/{work}");
            let body = if is_sent {
                view! {
                    <h1>"已收到，谢谢您告诉我们"</h1>
                    <p class="quiet">"我们会尽快查看；确实有问题的会下架。"</p>
                }
                .into_any()
            } else {
                view! {
                    <ReportForm
                        title=format!("举报{title}")
                        action=format!("/read/{work}/report")
                        hint="请说得具体一点，比如在第几页"
                    />
                }
                .into_any()
            };
            view! {
                <Head title="举报".to_owned() assets=&["reader.css"]/>
                <main id="main" class="reader locked report">
                    <a class="brand" href="/about"><Mark/>"书坊"</a>
                    {body}
                    <p><a class="link" href=back>"回到这本书"</a></p>
                </main>
            }
        },
    )
}

/// The form, for whatever is reported.
#[component]
pub fn ReportForm(title: String, action: String, hint: &'static str) -> impl IntoView {
    let form = use_form();
    let chosen = form.get("reason").to_owned();
    let reasons: Vec<_> = REASONS
        .into_iter()
        .map(|(code, name)| {
            view! {
                <label class="choice">
                    <input type="radio" name="reason" value=code checked=code == chosen/>
                    <span>{name}</span>
                </label>
            }
        })
        .collect();
    view! {
        <h1>{title}</h1>
        <ErrorSummary title="还没有发出"/>
        <form method="post" action=action>
            <fieldset id="reason">
                <legend>"有什么问题"</legend>
                {reasons}
                <FieldError name="reason".to_owned()/>
            </fieldset>
            <div class="field">
                <label for="words">{hint}</label>
                <Limit name="words" most=WORDS_LENGTH.to_string()/>
                <textarea id="words" name="words" rows="4" maxlength=WORDS_LENGTH.to_string() aria-describedby="words-limit">
                    {area_text(form.get("words"))}
                </textarea>
                <FieldError name="words".to_owned()/>
            </div>
            <Field name="contact" label="怎样联系您（可以不填）" most=CONTACT_LENGTH as u32/>
            <button class="button primary wide">"发出"</button>
        </form>
    }
}
