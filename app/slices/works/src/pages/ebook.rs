//! 发布为电子书: what it is, and the way there; on the making desk and on a work's page. The form itself is the reader's.

use base::error::opened_by;
use domain::tier::{Feature, allows};
use leptos::prelude::*;
use press::PageRef;
use web::app::App;
use web::session::Member;
use web::ui::parts::{Book, Moment};

use crate::picture_address;
use crate::store::{Summary, Work};

/// Where a work is published as an e-book, as its slice names the route.
const PUBLISHING: &str = "/manager/opus/{id}/ebook";
const UPGRADE: &str = "/manager/upgrade";

/// What publishing as an e-book is, in a sentence.
const WHAT: &str = "读者用手机就能翻看，可以定价出售，也可以让读者下载 EPUB 和 PDF。";

/// Which tiers may, and the way to one.
#[component]
fn Upgrade() -> impl IntoView {
    let is_there = use_context::<App>().is_some_and(|app| app.policy(UPGRADE).is_some());
    let (href, name) =
        if is_there { (UPGRADE, "会员升级") } else { ("/about/contact", "联系我们开通") };
    view! {
        <p class="quiet">{format!("发布电子书由{}开通。", opened_by(Feature::Ebook))}</p>
        <a class="button" href=href>{name}</a>
    }
}

/// On a work's page.
#[component]
pub fn EbookOfWork(member: Member, work: Work) -> impl IntoView {
    let address = PUBLISHING.replace("{id}", work.id.as_str());
    let body = match (work.ebook_at, allows(member.tier, Feature::Ebook)) {
        (Some(at), may) => {
            let way = may.then(|| view! { <a class="link" href=address>"电子书设置"</a> });
            view! {
                <p><Moment at/>" 发布为电子书。"</p>
                <p class="row"><a class="link" href=format!("/read/{}", work.id)>"打开阅读页"</a>{way}</p>
            }
            .into_any()
        }
        (None, true) => view! {
            <p class="quiet">{WHAT}</p>
            <a class="button" href=address>"发布为电子书"</a>
        }
        .into_any(),
        (None, false) => view! { <p class="quiet">{WHAT}</p><Upgrade/> }.into_any(),
    };
    view! { <section class="ebook" aria-labelledby="ebook"><h2 id="ebook">"电子书"</h2>{body}</section> }
}

/// On the making desk: a choice of works to publish.
#[component]
pub fn EbookOnDesk(member: Member, works: Vec<Summary>) -> impl IntoView {
    let body = if !allows(member.tier, Feature::Ebook) {
        view! { <Upgrade/> }.into_any()
    } else if works.is_empty() {
        view! { <p class="quiet">"先在上面做一本，做好以后就可以发布为电子书。"</p> }.into_any()
    } else {
        let books: Vec<_> = works
            .into_iter()
            .map(|work| {
                let src = picture_address(&work.id, work.revision, PageRef::Cover, 320);
                view! {
                    <li>
                        <a href=PUBLISHING.replace("{id}", work.id.as_str())>
                            <span class="stand"><Book src trim=work.trim alt=String::new() lazy=true hung=work.is_calendar/></span>
                            <strong><span class="sr">"发布为电子书："</span>{work.title}</strong>
                        </a>
                    </li>
                }
            })
            .collect();
        view! {
            <p class="quiet">"选一件做好的作品："</p>
            <ul class="shelf">{books}</ul>
            <p><a class="link" href="/manager/opus_list/ebook">"已发布的电子书"</a></p>
        }
        .into_any()
    };
    view! {
        <section class="ebook" aria-labelledby="ebook">
            <h2 id="ebook">"发布为电子书"</h2>
            <p class="quiet">{WHAT}</p>
            {body}
        </section>
    }
}
