//! /manager/guests 来宾照片: a member's collections.

use base::db::now_ms;
use base::time;
use leptos::prelude::*;
use web::render::{Here, here, loaded, use_query};
use web::ui::shell::Shell;

use super::PAGE;
use super::store::{self, Collection};
use domain::guests::{CollectionState, PieceState};

/// The class of a state's mark.
pub fn mark(state: CollectionState) -> &'static str {
    match state {
        CollectionState::Open => "badge good",
        CollectionState::Over | CollectionState::Ended => "badge",
    }
}

struct Line {
    collection: Collection,
    waiting: i64,
    all: i64,
}

/// GET /manager/guests.
#[component]
pub fn CollectionsPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let Here { app, member } = here?;
            let mut lines = Vec::new();
            for collection in store::of_member(&app.db, &member.id).await? {
                let counts = store::photos::count_by_state(&app.db, &collection.id).await?;
                let waiting = counts.get(PieceState::Waiting.code()).copied().unwrap_or(0);
                lines.push(Line { collection, waiting, all: counts.values().sum() });
            }
            Ok((member, lines))
        },
        |(member, lines)| {
            let done = (use_query("done").as_deref() == Some("deleted")).then(|| {
                view! { <div class="notice good" role="status">"已删除。收下过的照片还在素材里。"</div> }
            });
            let body = if lines.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有收过来宾的照片"</h2>
                        <p class="quiet">"婚礼、聚会、班级活动：建一个页面，把二维码放在桌上。来的人扫一扫就能把照片发给您，不用注册；您挑好的，可以做成一本书。"</p>
                        <a class="button primary" href=format!("{PAGE}/new")>"开始收照片"</a>
                    </section>
                }
                .into_any()
            } else {
                let items: Vec<_> = lines.into_iter().map(|line| view! { <Item line/> }).collect();
                view! { <ul class="collections">{items}</ul> }.into_any()
            };
            view! {
                <Shell member title="来宾照片".to_owned() assets=&["guests.css"]>
                    <header class="head">
                        <div>
                            <h1>"来宾照片"</h1>
                            <p class="quiet">"来的人扫码就能发照片给您，不用注册。"</p>
                        </div>
                        <a class="button" href=format!("{PAGE}/new")>"新建"</a>
                    </header>
                    {done}
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Item(line: Line) -> impl IntoView {
    let Line { collection, waiting, all } = line;
    let state = collection.state(now_ms());
    let waits =
        (waiting > 0).then(|| view! { <span class="badge warn">{format!("{waiting} 张待看")}</span> });
    let last = time::day(collection.until - 1);
    view! {
        <li>
            <a href=format!("{PAGE}/{}", collection.id)>
                <strong>{collection.title}</strong>
                <span class="quiet num">{format!("{all} 张，收到 {last}")}</span>
                <span class="row"><span class=mark(state)>{state.name()}</span>{waits}</span>
            </a>
        </li>
    }
}
