//! GET /manager/book-shelf 书架: a member's shelves.

use leptos::prelude::*;
use web::render::{Here, here, loaded, use_query};
use web::slice::{Publication, Reach};
use web::ui::parts::{Book, Cloth};
use web::ui::shell::Shell;

use super::store::{self, Shelf};
use super::{SHELVES, address, cover_of, on_shelf};

/// Covers that show what is on a shelf.
const SHOWN: usize = 6;

/// See the module.
#[component]
pub fn ShelvesPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let Here { app, member } = here?;
            let mut shelves = Vec::new();
            for shelf in store::list(&app.db, Some(&member.id)).await? {
                let on_it = on_shelf(&app, &shelf).await?;
                shelves.push((shelf, on_it));
            }
            Ok((member, shelves))
        },
        |(member, shelves)| {
            let done = match use_query("done").as_deref() {
                Some("removed") => Some("书架已拆掉，上面的作品都还在。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let add = (!shelves.is_empty())
                .then(|| view! { <a class="button primary" href=format!("{SHELVES}/new")>"新书架"</a> });
            let body = if shelves.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有书架"</h2>
                        <p class="quiet">"把发布了的作品摆成一架，起个好记的地址，发给读者看。"</p>
                        <a class="button primary" href=format!("{SHELVES}/new")>"做第一个书架"</a>
                    </section>
                }
                .into_any()
            } else {
                let rows: Vec<_> =
                    shelves.into_iter().map(|(shelf, on_it)| view! { <Row shelf on_it/> }).collect();
                view! { <ul class="shelves">{rows}</ul> }.into_any()
            };
            view! {
                <Shell member title="书架".to_owned() assets=&["shelves.css"]>
                    <header class="head"><h1>"书架"</h1>{add}</header>
                    {done}
                    {body}
                </Shell>
            }
        },
    )
}

/// Who may look at a shelf, in a word with the class of its mark.
pub fn standing(shelf: &Shelf) -> (&'static str, &'static str) {
    match (&shelf.withdrawn_reason, shelf.is_public) {
        (Some(_), _) => ("badge bad", "已被下架"),
        (None, true) => ("badge good", "公开"),
        (None, false) => ("badge", "只有自己看得到"),
    }
}

#[component]
fn Row(shelf: Shelf, on_it: Vec<Publication>) -> impl IntoView {
    let (mark, standing) = standing(&shelf);
    let hidden = on_it.iter().filter(|one| one.reach != Reach::Public).count();
    let count = on_it.len();
    let said = match (count, hidden) {
        (0, _) => "还空着".to_owned(),
        (count, 0) => format!("{count} 件"),
        (count, hidden) => format!("{count} 件，其中 {hidden} 件没有公开，读者看不到"),
    };
    // what stands for it comes first
    let first = cover_of(&shelf, &on_it).cloned();
    let others = on_it.iter().filter(|one| Some(*one) != first.as_ref()).cloned();
    let covers: Vec<_> = first
        .iter()
        .cloned()
        .chain(others)
        .take(SHOWN)
        .map(|one| {
            let is_hidden = one.reach != Reach::Public;
            view! { <li class:hidden-one=is_hidden><Front one/></li> }
        })
        .collect();
    let edit = format!("{SHELVES}/{}", shelf.id);
    view! {
        <li class="sheet">
            <header>
                <h2><a href=edit.clone()>{shelf.title.clone()}</a></h2>
                <span class=mark>{standing}</span>
            </header>
            <p class="quiet">{said}</p>
            <a class="spines" href=edit.clone() aria-hidden="true" tabindex="-1"><ul>{covers}</ul></a>
            <div class="row">
                <a class="link" href=edit>"整理"<span class="sr">{format!("：{}", shelf.title)}</span></a>
                <a class="link" href=address(&shelf.name)>"打开看看"<span class="sr">{format!("：{}", shelf.title)}</span></a>
                <span class="quiet">{format!("/shelf/{}", shelf.name)}</span>
            </div>
        </li>
    }
}

/// A publication's cover as its maker sees it: its picture, else cloth with its title.
#[component]
pub fn Front(one: Publication) -> impl IntoView {
    match one.cover {
        Some(src) => view! { <Book src trim=one.trim alt=String::new() lazy=true/> }.into_any(),
        None => view! { <Cloth title=one.title/> }.into_any(),
    }
}
