//! What the shop hears of: mails to clerks about what happens, webhooks to the shop's other programs, the day's summary.
//!
//! Whoever something happens to tells it (`web::notices`) and knows nobody who listens. What stands in a summary is said by
//! the slices ([`web::slice::Daily`]).

mod clerk;
mod daily;
mod mail;
mod send;
mod settings;
mod store;
mod summary;
mod webhook;
mod webhooks;

use async_trait::async_trait;
use axum::routing::post;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use domain::notices::{Kind, hears};
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::notices::{Notified, Told};
use web::route::Route;
use web::slice::{Colleague, Slice, StaffEntry};

/// What a clerk hears of.
const MINE: &str = "/staff/notices";
/// Where the shop's other programs are told.
const WEBHOOKS: &str = "/staff/webhooks";
/// A day, summed up.
const SUMMARY: &str = "/staff/summary";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/staff/notices", Policy::StaffAny)
        .page(|| clerk::MinePage().into_any())
        .handled(|| post(clerk::choose)),
    Route::new("/staff/notices/confirm", Policy::StaffAny).handled(|| post(clerk::confirm)),
    Route::new("/staff/summary", Policy::StaffAny).page(|| summary::SummaryPage().into_any()),
    Route::new("/staff/webhooks", Policy::Staff(Capability::Webhooks))
        .page(|| webhooks::WebhooksPage().into_any())
        .handled(|| post(webhooks::add)),
    Route::new("/staff/webhooks/{id}", Policy::Staff(Capability::Webhooks))
        .page(|| webhook::WebhookPage().into_any())
        .handled(|| post(webhook::step)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    staff_navigation: &[StaffEntry { href: WEBHOOKS, name: "推送", rank: 85, needs: Capability::Webhooks }],
    jobs: |handlers| {
        handlers.with::<mail::MailNotices>().with::<send::SendWebhook>().with::<summary::MailSummary>()
    },
    background: &[daily::DISK, daily::SUM_UP, daily::FORGET],
    tables: &["notice_clerks", "webhooks"],
    passing: &["notice_mails", "summaries", "summary_mails", "webhook_deliveries"],
    notified: Some(&Listeners),
    daily: Some(&daily::AtDay),
    variables: settings::VARIABLES,
    audited: &[
        ("notices set", "设置通知"),
        ("notices confirm", "确认收通知的邮箱"),
        ("webhook add", "添加推送地址"),
        ("webhook test", "推送一次试试"),
        ("webhook again", "再推送"),
        ("webhook end", "停用推送地址"),
        ("webhook begin", "重新启用推送地址"),
    ],
    ..Slice::new("notices")
};

/// Who hears of what.
#[derive(Debug)]
struct Listeners;

#[async_trait]
impl Notified for Listeners {
    async fn pass_on(
        &self,
        app: &App,
        tx: &mut Tx,
        colleagues: &[Colleague],
        told: &Told,
    ) -> Result<(), Error> {
        // a newer version's event is nothing to this one
        let Some(kind) = Kind::of(&told.kind) else { return Ok(()) };
        let now = now_ms();
        for wish in store::listening(tx).await? {
            let colleague = colleagues.iter().find(|colleague| colleague.id == wish.clerk);
            if colleague.is_some_and(|colleague| hears(&colleague.roles, &wish.kinds(), kind)) {
                mail::add(tx, &wish.clerk, told, now).await?;
            }
        }
        let body = send::body(app, &told.id, kind.code(), told.happened_at, Some((kind.thing(), told)));
        for webhook in store::webhooks::open(tx).await? {
            if webhook.kinds().contains(&kind) {
                store::webhooks::insert_delivery(tx, &webhook.id, &told.id, kind.code(), &body, now).await?;
                let job = send::SendWebhook { webhook: webhook.id, notice: told.id.clone(), tries: 0 };
                jobs::enqueue(tx, &job).await?;
            }
        }
        Ok(())
    }
}
