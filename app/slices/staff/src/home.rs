//! /staff: what waits, how long, and for whom.

use base::db::now_ms;
use base::error::Error;
use domain::staff::Capability;
use leptos::prelude::*;
use web::render::loaded;
use web::slice::Queue;
use web::staff::here;
use web::ui::staff::{StaffShell, waited};

use crate::setup;

/// GET /staff.
#[component]
pub fn HomePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let queues = here.app.house.queues(&here.app, |needs| here.staff.may(needs)).await?;
            let missing = match here.staff.may(Capability::Machine) {
                true => setup::missing(&here.app.config),
                false => Vec::new(),
            };
            Ok::<_, Error>((here.staff, queues, missing))
        },
        |(staff, queues, missing)| {
            let now = now_ms();
            let (waiting, empty): (Vec<_>, Vec<_>) = queues.into_iter().partition(|queue| queue.count > 0);
            let none = waiting.is_empty().then(|| {
                view! {
                    <section class="trim empty"><h2>"都办完了"</h2><p class="quiet">"现在没有等着处理的事。"</p></section>
                }
            });
            let cards: Vec<_> =
                waiting.into_iter().map(|queue| view! { <li><Waiting queue now/></li> }).collect();
            let empty: Vec<_> = empty
                .into_iter()
                .map(|queue| view! { <li><a class="link" href=queue.href>{queue.name}</a></li> })
                .collect();
            let empty = (!empty.is_empty()).then(|| {
                view! { <section class="queues-empty"><h2>"没有等着的"</h2><ul>{empty}</ul></section> }
            });
            let missing = (!missing.is_empty()).then(|| {
                let missing: Vec<_> = missing.into_iter().map(|words| view! { <li>{words}</li> }).collect();
                view! {
                    <section class="notice">
                        <p>"书坊还没有设好，请在服务器上运行 "<code>"bindery setup"</code>"："</p>
                        <ul>{missing}</ul>
                    </section>
                }
            });
            let search = staff.may(Capability::SeeOrders).then(|| {
                view! {
                    <form class="search" role="search" action="/staff/orders">
                        <label class="sr" for="q">"找订单"</label>
                        <input id="q" name="q" type="search" maxlength="100" placeholder="订单号、手机、运单"/>
                        <button class="button">"找订单"</button>
                    </form>
                }
            });
            view! {
                <StaffShell title="待办".to_owned() assets=&["staff.css"]>
                    <header class="head">
                        <h1>"待办"</h1>
                        <nav class="row" aria-label="汇总和通知">
                            <a class="button" href="/staff/summary">"汇总"</a>
                            <a class="button" href="/staff/notices">"通知"</a>
                        </nav>
                        {search}
                    </header>
                    {missing}
                    {none}
                    <ul class="queues">{cards}</ul>
                    {empty}
                </StaffShell>
            }
        },
    )
}

#[component]
fn Waiting(queue: Queue, now: i64) -> impl IntoView {
    let is_late = queue.oldest.is_some_and(|oldest| now - oldest > queue.late_after_ms);
    let oldest = queue.oldest.map(|oldest| {
        let words = format!("最早的等了 {}", waited(oldest, now));
        view! { <span class=if is_late { "late" } else { "quiet" }>{words}</span> }
    });
    view! {
        <a href=queue.href class=is_late.then_some("is-late")>
            <span>{queue.name}</span>
            <strong class="num">{queue.count}</strong>
            {oldest}
        </a>
    }
}
