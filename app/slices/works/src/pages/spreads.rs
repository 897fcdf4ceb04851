//! GET /manager/opus/{id}/pages: all pages in small, and what can be done with each pair of them.

use domain::ids::WorkId;
use domain::layout::left_pages;
use leptos::prelude::*;
use press::PageRef;
use web::render::{here, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, height_of};
use web::ui::shell::Shell;

use crate::spreads::{Act, free_for_owner};
use crate::store::Cause;
use crate::{picture_address, store};

/// The form for adding, leaving out and moving pages.
#[component]
pub fn PagesPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = free_for_owner(&here.app, &id, &here.member).await?;
            let newest = store::of_work(&here.app.db, &id, i64::MAX, 1).await?.pop();
            Ok((here.member, work, newest))
        },
        |(member, work, newest)| {
            let form = use_form();
            let count = work.document.pages.len();
            let lefts: Vec<usize> = left_pages(&work.document).collect();
            let last_pair = lefts.last().copied();
            let alone = (count > 1 && count.is_multiple_of(2)).then(|| {
                view! { <li><Pair work=work.clone() pages=vec![count - 1] acts=Vec::new()/></li> }
            });
            let pairs: Vec<_> = lefts
                .iter()
                .map(|left| {
                    let can = |act: &Act| match act {
                        Act::Earlier => *left > 1,
                        Act::Later => Some(*left) != last_pair,
                        Act::Add | Act::Copy | Act::Remove => true,
                    };
                    let acts: Vec<Act> = Act::ALL.into_iter().filter(can).collect();
                    view! { <li><Pair work=work.clone() pages=vec![*left, left + 1] acts/></li> }
                })
                .collect();
            view! {
                <Shell member title="整理书页".to_owned() assets=&["works.css"]>
                    <Done work=work.clone() newest/>
                    <header class="head">
                        <div>
                            <h1>"整理书页"</h1>
                            <p class="quiet">
                                <a href=format!("/manager/opus/{}", work.id)>{format!("《{}》", work.document.title)}</a>
                                {format!("，共 {count} 页。页数能做成哪些商品，看")}
                                <a href=format!("/manager/add_shopping/{}", work.id)>"印刷方式"</a>
                                "。左右相对的两页总在一起。"
                            </p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <form method="post" action=format!("/manager/opus/{}/pages", work.id)>
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <ol class="pairs">
                            <li><Pair work=work.clone() pages=vec![0] acts=vec![Act::Add]/></li>
                            {pairs}
                            {alone}
                        </ol>
                    </form>
                </Shell>
            }
        },
    )
}

/// What was just done, and as long as nothing else was saved the one step back.
#[component]
fn Done(work: store::Work, newest: Option<store::Revision>) -> impl IntoView {
    newest.filter(|newest| newest.cause == Some(Cause::Pages))?;
    let done = use_query("done").filter(|_| !use_form().is_sent())?;
    let act = Act::ALL.into_iter().find(|act| act.code() == done)?;
    let words = match act {
        Act::Add => "已加上 2 页。",
        Act::Copy => "已在后面复制了这 2 页。",
        Act::Remove => "已删去 2 页，上面的照片仍在素材里。",
        Act::Earlier | Act::Later => "已移好。",
    };
    let before = work.revision - 1;
    Some(view! {
        <div class="notice good stays" role="status">
            <form class="row" method="post" action=format!("/manager/opus/{}/revisions/{before}/restoration", work.id)>
                <input type="hidden" name="revision" value=work.revision.to_string()/>
                <p>{words}</p>
                <button class="button small">"撤销"</button>
            </form>
        </div>
    })
}

/// One page, or two that face each other, with its buttons.
#[component]
fn Pair(work: store::Work, pages: Vec<usize>, acts: Vec<Act>) -> impl IntoView {
    let number = pages.first().map_or(0, |first| first + 1);
    let name = match pages.as_slice() {
        [first, last] => format!("第 {}–{} 页", first + 1, last + 1),
        _ => format!("第 {number} 页"),
    };
    let class = match pages.as_slice() {
        [0] => "pair single",
        [_] => "pair single last",
        _ => "pair",
    };
    // the caption says which pages they are
    let images: Vec<_> = pages
        .into_iter()
        .map(|index| {
            view! {
                <img
                    src=picture_address(&work.id, work.revision, PageRef::Inner(index), 320)
                    width="320"
                    height=height_of(work.document.trim, 320)
                    alt=""
                    loading=(index > 4).then_some("lazy")
                />
            }
        })
        .collect();
    let buttons: Vec<_> = acts
        .into_iter()
        .map(|act| {
            let (words, class) = match act {
                Act::Earlier => ("前移", "link"),
                Act::Later => ("后移", "link"),
                Act::Add => ("后面加 2 页", "link"),
                Act::Copy => ("复制", "link"),
                Act::Remove => ("删去", "link danger"),
            };
            view! {
                <button class=class name=act.code() value=number.to_string() aria-label=format!("{name}：{words}")>
                    {words}
                </button>
            }
        })
        .collect();
    view! {
        <figure id=format!("page-{number}")>
            <div class=class>{images}</div>
            <figcaption>{name.clone()}<span class="row acts">{buttons}</span></figcaption>
        </figure>
    }
}
