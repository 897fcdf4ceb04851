//! /manager/yearbook 毕业册: a member's year books.

use base::db::now_ms;
use base::time;
use domain::yearbook::LinkState;
use leptos::prelude::*;
use web::render::{Here, here, loaded, use_query};
use web::ui::shell::Shell;

use super::store::{self, Book};
use super::{PAGE, address};

struct Line {
    book: Book,
    people: i64,
    sent: i64,
}

/// GET /manager/yearbook.
#[component]
pub fn ShelfPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let Here { app, member } = here?;
            let mut lines = Vec::new();
            for book in store::of_member(&app.db, &member.id).await? {
                let (people, sent) = store::counts(&app.db, &book.id).await?;
                lines.push(Line { book, people, sent });
            }
            Ok((member, lines))
        },
        |(member, lines)| {
            let done = (use_query("done").as_deref() == Some("deleted")).then(|| {
                view! { <div class="notice good" role="status">"已删除。照片还在素材里，做好的书还在作品里。"</div> }
            });
            let body = if lines.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有毕业册"</h2>
                        <p class="quiet">"放上全班的名单，每人一个链接，自己传照片、写一句话，不用注册。收齐了排成一本书，一次下单：每本封面印着自己的名字，前面有自己的一页。"</p>
                        <a class="button primary" href=format!("{PAGE}/new")>"新建毕业册"</a>
                    </section>
                }
                .into_any()
            } else {
                let items: Vec<_> = lines.into_iter().map(|line| view! { <Item line/> }).collect();
                view! { <ul class="yearbooks">{items}</ul> }.into_any()
            };
            view! {
                <Shell member title="毕业册".to_owned() assets=&["yearbooks.css"]>
                    <header class="head">
                        <div>
                            <h1>"毕业册"</h1>
                            <p class="quiet">"每人一页，每本不同，一次下单。"</p>
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
    let Line { book, people, sent } = line;
    let is_open = LinkState::of(book.until, None, false, now_ms()) == LinkState::Open;
    let (class, state) = if is_open { ("badge good", "正在收") } else { ("badge", "已截止") };
    let last = time::day(book.until - 1);
    view! {
        <li>
            <a href=address(&book.id)>
                <strong>{book.title}</strong>
                <span class="quiet num">{format!("{people} 位，交了 {sent} 位；收到 {last}")}</span>
                <span class="row"><span class=class>{state}</span></span>
            </a>
        </li>
    }
}
