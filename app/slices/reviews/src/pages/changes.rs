//! What changed since the round before, old and new side by side, for reviewers and for the maker.

use std::sync::Arc;

use base::error::Error;
use domain::compare::{Comparison, Fact, PageChange, Place, compare};
use domain::document::{Document, Trim};
use domain::ids::WorkId;
use domain::review::page_name;
use leptos::prelude::*;
use web::app::App;
use web::render::{here, loaded, parameter};
use web::ui::shell::Shell;
use works::picture_address;

use super::front::Name;
use super::parts::{Frame, Picture};
use crate::open::{Opened, asked, opened, page_ref};
use crate::store::{self, Round};

/// Pages that are shown; more are counted.
const SHOWN: usize = 40;

/// The address of a picture: of a round, of a page, as wide.
type Address = Arc<dyn Fn(i64, usize, u32) -> String + Send + Sync>;

/// A round with what it shows.
#[derive(Debug, Clone)]
struct Side {
    number: i64,
    document: Document,
}

/// GET /review/{code}/changes: the newest round beside the one before.
#[component]
pub fn ChangesPage() -> impl IntoView {
    let ((app, parts), code) = (asked(), parameter::<String>("code"));
    loaded(
        async move {
            let (app, opened) = opened(app, parts, code).await?;
            let after = Side { number: opened.round.number, document: opened.document.clone() };
            let before =
                store::round(&app.db, &opened.work.id, after.number - 1).await?.ok_or(Error::NotFound)?;
            let document =
                works::document_at(&app, &opened.work.id, &opened.link.member, before.revision).await?;
            Ok((opened, Side { number: before.number, document }, after))
        },
        |(opened, before, after)| {
            let is_known = opened.reviewer.is_some() || opened.is_maker;
            let body = if is_known {
                whole(&opened, before, after)
            } else {
                view! { <Name opened=opened.clone()/> }.into_any()
            };
            view! { <Frame opened title="改了什么".to_owned()>{body}</Frame> }
        },
    )
}

fn whole(opened: &Opened, before: Side, after: Side) -> AnyView {
    let title = format!("第 {} 稿改了什么", after.number);
    let pictures = opened.clone();
    let address: Address = Arc::new(move |round, page, width| pictures.picture(round, page, width));
    let look = opened.clone();
    let to_page = Arc::new(move |page: usize| (look.page(page), "看这一页"));
    view! {
        <h1>{title}</h1>
        <Changes before after address to_page/>
        <p class="row"><a class="button primary" href=opened.page(0)>"从封面看起"</a><a class="link" href=opened.home()>"回到看样"</a></p>
    }
    .into_any()
}

/// GET /manager/opus/{id}/reviews/changes/{round}: the same for the maker, of any round.
#[component]
pub fn MakerChangesPage() -> impl IntoView {
    let here = here();
    let (id, number) = (parameter::<WorkId>("id"), parameter::<i64>("round"));
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = works::for_owner(&here.app, &id, &here.member.id).await?;
            let after = side(&here.app, &work, &here.member.id, number?).await?;
            let before = side(&here.app, &work, &here.member.id, after.0.number - 1).await?;
            Ok((here.member, work, before, after))
        },
        |(member, work, (before, before_round), (after, after_round))| {
            let title = format!("第 {} 稿改了什么", after.number);
            let id = work.id.clone();
            let revisions = (before_round.number, before_round.revision, after_round.revision);
            let address: Address = Arc::new(move |round, page, width| {
                let revision = if round == revisions.0 { revisions.1 } else { revisions.2 };
                picture_address(&id, revision, page_ref(page), width)
            });
            let editor = works::editor_address(&work);
            let to_page = Arc::new(move |page: usize| {
                (format!("{editor}&page={}", crate::open::page_code(page)), "编辑这一页")
            });
            view! {
                <Shell member title=title.clone() assets=&["reviews.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=crate::desk(&work.id)>"请人看样"</a></p>
                            <h1>{title}</h1>
                            <p class="quiet">{format!("《{}》", work.document.title)}</p>
                        </div>
                    </header>
                    <div class="review"><Changes before after address to_page/></div>
                </Shell>
            }
        },
    )
}

async fn side(
    app: &App,
    work: &works::Work,
    member: &domain::ids::MemberId,
    number: i64,
) -> Result<(Side, Round), Error> {
    let round = store::round(&app.db, &work.id, number).await?.ok_or(Error::NotFound)?;
    let document = works::document_at(app, &work.id, member, round.revision).await?;
    Ok((Side { number, document }, round))
}

/// Where a page of the newer side is looked at, and what that is called.
type ToPage = Arc<dyn Fn(usize) -> (String, &'static str) + Send + Sync>;

#[component]
fn Changes(before: Side, after: Side, address: Address, to_page: ToPage) -> impl IntoView {
    let comparison = compare(&before.document, &after.document);
    let all = after.document.pages.len() + 1;
    let changed = comparison.pages.iter().filter(|change| change.after.is_some()).count();
    let same = all - changed;
    let whole = about_all(&comparison);
    let shown = comparison.pages.len();
    let more = shown.checked_sub(SHOWN).filter(|more| *more > 0).map(|more| {
        view! { <p class="quiet">{format!("还有 {more} 页也有变化，没有在这里列出。")}</p> }
    });
    let items: Vec<_> = comparison
        .pages
        .iter()
        .take(SHOWN)
        .map(|change| {
            let (old, new) = (change.before.map(number_of), change.after.map(number_of));
            let name = page_name(new.or(old).unwrap_or(0));
            let link = new.map(|page| {
                let (href, words) = to_page(page);
                view! { <a class="link" href=href>{words}</a> }
            });
            view! {
                <li>
                    <h2>{name}</h2>
                    <p class="quiet">{said(change)}" "{link}</p>
                    <div class="sides">
                        <Version side=before.clone() page=old address=address.clone()/>
                        <Version side=after.clone() page=new address=address.clone()/>
                    </div>
                </li>
            }
        })
        .collect();
    let count = match (shown, same) {
        (0, _) => format!("和第 {} 稿比，没有一页不同。", before.number),
        (shown, 0) => format!("和第 {} 稿比，{shown} 页都有变化。", before.number),
        (shown, same) => {
            format!("和第 {} 稿比，{shown} 页有变化；另外 {same} 页没有变，不在这里列出。", before.number)
        }
    };
    view! {
        <p>{count}</p>
        {whole.map(|words| view! { <p class="notice">{words}</p> })}
        <ul class="changes">{items}</ul>
        {more}
    }
}

fn number_of(place: Place) -> usize {
    match place {
        Place::Cover => 0,
        Place::Inner(index) => index + 1,
    }
}

/// What was changed for all pages at once, as a sentence: each may look another way then.
fn about_all(comparison: &Comparison) -> Option<String> {
    let name = |fact: &Fact| match fact {
        Fact::Trim => Some("开本"),
        Fact::Theme => Some("风格"),
        Fact::Emoji => Some("表情符号的样子"),
        Fact::Title => Some("书名"),
        Fact::Author => Some("作者"),
        Fact::PageCount | Fact::Description | Fact::Category | Fact::Variants => None,
    };
    let names: Vec<&str> = comparison.facts.iter().filter_map(name).collect();
    (!names.is_empty()).then(|| format!("换了{}，印着它们的页都会跟着变，请整本再看一遍。", names.join("、")))
}

/// What happened to a page.
fn said(change: &PageChange) -> String {
    let mut parts = Vec::new();
    match (change.before, change.after) {
        (None, _) => return "新的一页。".to_owned(),
        (_, None) => return "去掉的一页。".to_owned(),
        _ => {}
    }
    for (count, words) in [
        (change.photos_added, "张新照片"),
        (change.photos_removed, "张照片拿掉了"),
        (change.cropped.len(), "张照片裁切不同"),
        (change.texts.len(), "处文字不同"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    }
    if change.pdfs_differ || change.months {
        parts.push("版面内容不同".to_owned());
    }
    if change.look {
        parts.push("风格或底色不同".to_owned());
    }
    if change.moved || parts.is_empty() {
        parts.push("位置或大小不同".to_owned());
    }
    format!("{}。", parts.join("，"))
}

#[component]
fn Version(side: Side, page: Option<usize>, address: Address) -> impl IntoView {
    let number = side.number;
    let caption = match page {
        Some(page) => format!("第 {number} 稿 · {}", page_name(page)),
        None => format!("第 {number} 稿"),
    };
    let Some(page) = page else {
        return view! { <figure><p class="none">"没有这一页"</p><figcaption>{caption}</figcaption></figure> }
            .into_any();
    };
    let trim: Trim = side.document.trim;
    let alt = caption.clone();
    view! {
        <figure>
            <Picture
                address=Arc::new(move |width| address(number, page, width))
                trim
                alt
                sizes="(min-width: 40em) 400px, 92vw"
                lazy=true
            />
            <figcaption>{caption}</figcaption>
        </figure>
    }
    .into_any()
}
