//! The shelf: a member's works as covers, by kind, and the trash.

use std::hash::Hash;

use base::db::now_ms;
use base::error::Error;
use base::lists;
use leptos::prelude::*;
use press::PageRef;
use web::render::{self, here, loaded, parameter, use_query};
use web::session::Member;
use web::ui::lists::{Pager, Search};
use web::ui::parts::{Ask, Book, Moment};
use web::ui::shell::Shell;

use crate::actions::SHELVES;
use crate::formats::size_text;
use crate::store::{self, Filter, Position, Shelf, Sort, Summary};
use crate::{KINDS, TRASH_MS, picture_address};

/// Works on one page.
const PAGE: usize = 48;
/// How long the shelf offers to take a work out of the trash again, in ms.
const UNDO_MS: i64 = 10 * 60_000;
/// Works that it offers so at once.
const UNDONE: i64 = 3;

/// What a page of the shelf shows.
struct Shown {
    member: Member,
    /// The word in the address.
    kind: String,
    filter: Filter,
    /// The kinds of which there are works.
    kinds: Vec<String>,
    works: Vec<Summary>,
    is_later: bool,
    next: Option<Position>,
    /// Works put into the trash a moment ago: id and title.
    trashed: Vec<(String, String)>,
    /// What was just made by copying: id and title.
    copied: Option<(String, String)>,
    /// What was taken out of the trash a moment ago.
    restored: Option<(String, String)>,
}

impl Shown {
    /// The address of another order of the same works, or from another place on.
    fn address(&self, sort: Sort, after: Option<&Position>) -> String {
        let after = after.map(ToString::to_string).unwrap_or_default();
        let values = [("sort", sort.code()), ("q", &self.filter.search), ("after", &after)];
        lists::address(&format!("{SHELVES}{}", self.kind), &values)
    }
}

fn shelf_named(kind: &str) -> Result<Shelf, Error> {
    match kind {
        "all" => Ok(Shelf::All),
        "trash" => Ok(Shelf::Trash),
        _ => KINDS
            .iter()
            .find(|(known, _)| *known == kind)
            .map(|(known, _)| Shelf::Kind(known))
            .ok_or(Error::NotFound),
    }
}

/// The form of all books.
const FORM: &str = "shelf";

/// GET /manager/opus_list/{type}?sort=…&q=…&after=….
#[component]
pub fn WorksPage() -> impl IntoView {
    let here = here();
    let kind = parameter::<String>("type");
    let query = |name| use_query(name).unwrap_or_default();
    let (sort, search, after, copied) = (query("sort"), query("q"), query("after"), query("copied"));
    let restored = query("restored");
    loaded(
        async move {
            let (here, kind) = (here?, kind?);
            let sort = Sort::ALL.into_iter().find(|known| known.code() == sort).ok_or(Error::NotFound)?;
            let filter = Filter { shelf: shelf_named(&kind)?, sort, search: lists::search_text(&search) };
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let (db, member) = (&here.app.db, &here.member.id);
            let most = PAGE as i64 + 1;
            let mut works = store::page_of_member(db, member, &filter, after.as_ref(), most).await?;
            let more = works.len() > PAGE;
            works.truncate(PAGE);
            let next = works.last().filter(|_| more).map(|last| filter.position(last));
            let trashed = if filter.shelf == Shelf::Trash {
                Vec::new()
            } else {
                store::recently_trashed(db, member, now_ms() - UNDO_MS, UNDONE).await?
            };
            let copied = match copied.parse() {
                Ok(id) => store::find_for_owner(db, &id, member).await.ok(),
                Err(_) => None,
            };
            let copied = copied.map(|work| (work.id.to_string(), work.document.title));
            let restored = match restored.parse() {
                Ok(id) => {
                    store::find_for_owner(db, &id, member).await.ok().filter(|work| work.trashed_at.is_none())
                }
                Err(_) => None,
            };
            let restored = restored.map(|work| (work.id.to_string(), work.document.title));
            let kinds = store::kinds_of_member(db, member).await?;
            let is_later = after.is_some();
            Ok(Shown {
                member: here.member,
                kind,
                filter,
                kinds,
                works,
                is_later,
                next,
                trashed,
                copied,
                restored,
            })
        },
        |shown| {
            let is_trash = shown.filter.shelf == Shelf::Trash;
            let is_searched = !shown.filter.search.is_empty();
            let here = shown.address(shown.filter.sort, None);
            let make = (!shown.works.is_empty() && !is_trash).then(|| {
                let (desk, label) = desk(&shown.kind);
                view! { <a class="button primary" href=desk>{label}</a> }
            });
            let search = (is_searched || !shown.works.is_empty()).then(|| {
                let kept = vec![("sort", shown.filter.sort.code().to_owned())];
                let (action, search) = (format!("{SHELVES}{}", shown.kind), shown.filter.search.clone());
                view! { <Search action label="书名" search kept/> }
            });
            let order = (shown.works.len() > 1 && !is_trash).then(|| view! { <Order shown=&shown/> });
            let tabs = view! { <Tabs shown=&shown/> };
            let first = shown.is_later.then(|| here.clone());
            let next = shown.next.as_ref().map(|next| shown.address(shown.filter.sort, Some(next)));
            let title = if is_trash { "回收站" } else { "作品" };
            let said = shown.copied.map(|(id, title)| {
                view! {
                    <div class="notice good" role="status">
                        "已复制，新的一本是"<a href=format!("/manager/opus/{id}")>{format!("《{title}》")}</a>"。"
                    </div>
                }
            });
            let back = shown.restored.map(|(id, title)| {
                view! {
                    <div class="notice good" role="status">
                        <a href=format!("/manager/opus/{id}")>{format!("《{title}》")}</a>"已放回书架，里面的书页和照片都在。"
                    </div>
                }
            });
            let body = if shown.works.is_empty() {
                empty(&shown.filter, &shown.kind).into_any()
            } else if is_trash {
                let in_trash = |work| {
                    render::kept("in trash", mark(&work), move || view! { <InTrash work/> }.into_any())
                };
                let books = shown.works.into_iter().map(in_trash).collect::<Vec<_>>().concat();
                view! {
                    <p class="quiet">"作品在这里保留 30 天，之后自动彻底删除。已下的订单不受影响，照片仍在素材里。"</p>
                    <ul class="shelf" inner_html=books></ul>
                }
                .into_any()
            } else {
                let on_shelf = |work| {
                    render::kept("on shelf", mark(&work), move || view! { <OnShelf work/> }.into_any())
                };
                let books = shown.works.into_iter().map(on_shelf).collect::<Vec<_>>().concat();
                // one form for all: each button says where it goes; pressed twice, it makes one copy
                render::once_at_end(FORM, "copy");
                view! {
                    <form id=FORM method="post">
                        <input type="hidden" name="shelf" value=here.clone()/>
                        <ul class="shelf" inner_html=books></ul>
                    </form>
                }
                .into_any()
            };
            view! {
                <Shell member=shown.member title=title.to_owned() assets=&["works.css"]>
                    <header class="head"><h1>{title}</h1>{make}{search}</header>
                    {said}
                    {back}
                    <Undo trashed=shown.trashed shelf=here/>
                    {tabs}
                    {order}
                    {body}
                    <Pager first next back="回到第一页" further="下一页"/>
                </Shell>
            }
        },
    )
}

/// All that a work is shown by on a shelf.
fn mark(work: &Summary) -> impl Hash + use<> {
    let Summary {
        id,
        title,
        trim,
        pages,
        revision,
        updated_at,
        created_at: _,
        trashed_at,
        ebook_at,
        is_calendar,
    } = work.clone();
    let trim = (trim.width.to_bits(), trim.height.to_bits());
    (id, title, trim, pages, revision, updated_at, trashed_at, ebook_at, is_calendar)
}

/// The kinds that there are works of, and the trash.
#[component]
fn Tabs<'a>(shown: &'a Shown) -> impl IntoView + use<> {
    let is_here = |word: &str| (word == shown.kind).then_some("page");
    let mut tabs = vec![("all", "全部")];
    tabs.extend(
        KINDS
            .into_iter()
            .filter(|(kind, _)| *kind == shown.kind || shown.kinds.iter().any(|known| known == kind)),
    );
    tabs.push(("trash", "回收站"));
    let tabs: Vec<_> = tabs
        .into_iter()
        .map(
            |(word, name)| view! { <a href=format!("{SHELVES}{word}") aria-current=is_here(word)>{name}</a> },
        )
        .collect();
    view! { <nav class="filter" aria-label="作品类型">{tabs}</nav> }
}

/// The orders that the shelf can be shown in.
#[component]
fn Order<'a>(shown: &'a Shown) -> impl IntoView + use<> {
    let orders: Vec<_> = Sort::ALL
        .into_iter()
        .map(|sort| {
            let name = match sort {
                Sort::Changed => "最近修改",
                Sort::Made => "最新制作",
                Sort::Title => "书名",
            };
            let current = (sort == shown.filter.sort).then_some("true");
            view! { <a href=shown.address(sort, None) aria-current=current>{name}</a> }
        })
        .collect();
    view! { <nav class="sorts" aria-label="排序">{orders}</nav> }
}

fn empty(filter: &Filter, kind: &str) -> impl IntoView + use<> {
    let name = KINDS.iter().find(|(known, _)| *known == kind).map(|(_, name)| *name);
    let (title, text, way) = match (&filter.shelf, filter.search.is_empty()) {
        (_, false) => (
            format!("没有书名里带“{}”的作品", filter.search),
            "换几个字再找，或者看看全部作品。",
            (format!("{SHELVES}{kind}"), "不搜索了"),
        ),
        (Shelf::Trash, true) => (
            "回收站是空的".to_owned(),
            "移到回收站的作品会在这里保留 30 天。",
            (format!("{SHELVES}all"), "看全部作品"),
        ),
        (Shelf::Kind(_), true) if kind == "calendar" => (
            "还没有台历".to_owned(),
            "选十几张照片，农历、节气和节日都会排好。",
            (desk(kind).0.to_owned(), "做第一本台历"),
        ),
        (Shelf::Kind(_), true) if kind == "ebook" => (
            "还没有电子书".to_owned(),
            "做好一件作品，就可以发布为电子书，在手机上翻看，也可以下载。",
            ("/manager/make_ebook#ebook".to_owned(), "怎样发布电子书"),
        ),
        (Shelf::Kind(_), true) if kind != "album" => (
            format!("还没有{}", name.unwrap_or("作品")),
            "书架上的其他作品都在“全部”里。",
            (format!("{SHELVES}all"), "看全部作品"),
        ),
        _ => (
            "书架还空着".to_owned(),
            "放进几张照片，几分钟就能看到第一本书的样子。",
            ("/manager/make_ebook".to_owned(), "做第一本书"),
        ),
    };
    let (href, label) = way;
    view! {
        <section class="trim empty">
            <h2>{title}</h2>
            <p class="quiet">{text}</p>
            <a class="button primary" href=href>{label}</a>
        </section>
    }
}

/// What was put into the trash a moment ago, and the way back.
#[component]
fn Undo(trashed: Vec<(String, String)>, shelf: String) -> impl IntoView {
    if trashed.is_empty() {
        return None;
    }
    let rows: Vec<_> = trashed
        .into_iter()
        .map(|(id, title)| {
            view! {
                <li>
                    <form method="post" action=format!("/manager/opus/{id}/restoration")>
                        <input type="hidden" name="shelf" value=shelf.clone()/>
                        {format!("《{title}》已移到回收站。")}
                        <button class="link">"撤销"<span class="sr">{format!("：把《{title}》放回书架")}</span></button>
                    </form>
                </li>
            }
        })
        .collect();
    Some(view! { <div class="notice" role="status"><ul class="plain">{rows}</ul></div> })
}

/// A work as a cover, with the link that it is.
#[component]
pub fn Cover(
    work: Summary,
    /// Where it leads; its own page where nothing is said.
    #[prop(optional, into)]
    href: Option<String>,
) -> impl IntoView {
    let src = picture_address(&work.id, work.revision, PageRef::Cover, 320);
    let at = work.updated_at;
    let is_ebook = work.ebook_at.map(|_| " · 电子书");
    view! {
        <a href=href.unwrap_or_else(|| format!("/manager/opus/{}", work.id))>
            <span class="stand"><Book src trim=work.trim alt=String::new() lazy=true hung=work.is_calendar/></span>
            <strong>{work.title}</strong>
            <small><span class="num">{size_text(work.trim)}" · "{work.pages}" 页"</span>{is_ebook}</small>
            {work.trashed_at.is_none().then(|| view! { <small><Moment at/></small> })}
        </a>
    }
}

#[component]
fn OnShelf(work: Summary) -> impl IntoView {
    let (id, title) = (work.id.clone(), work.title.clone());
    view! {
        <li>
            <Cover work/>
            <details class="menu more" name="work">
                <summary>"更多"<span class="sr">{format!("：{title}")}</span></summary>
                <div class="drop">
                    <a class="link" href=format!("/manager/opus_setting/{id}")>"改名与设置"</a>
                    <button class="link" formaction=format!("/manager/opus/{id}/copy")>"复制"</button>
                    <button class="link danger" formaction=format!("/manager/opus/{id}/trash")>"移到回收站"</button>
                </div>
            </details>
        </li>
    }
}

#[component]
fn InTrash(work: Summary) -> impl IntoView {
    let (id, title) = (work.id.clone(), work.title.clone());
    let until = work.trashed_at.unwrap_or_default() + TRASH_MS;
    view! {
        <li>
            <Cover work/>
            <div class="fate">
                <small><Moment at=until/>" 删除"</small>
                <form method="post" action=format!("/manager/opus/{id}/restoration")>
                    <input type="hidden" name="shelf" value=format!("{SHELVES}trash")/>
                    <button class="button small">"还原"<span class="sr">{format!("：{title}")}</span></button>
                </form>
                <Ask
                    label="彻底删除"
                    question=format!("《{title}》的书页和所有版本都会删除，不能再找回。")
                    confirm="彻底删除"
                    action=format!("/manager/opus/{id}/deletion")
                    about=title.clone()
                />
            </div>
        </li>
    }
}

/// Where a work of a kind is made.
fn desk(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "calendar" => (crate::calendar::DESK, "做一本台历"),
        _ => ("/manager/make_ebook", "做一本书"),
    }
}
