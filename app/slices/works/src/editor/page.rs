//! The editor's page, at three addresses: the pages that one has open, all pages in small, what preflight found, and the
//! forms. The island takes the place of all that.

use base::error::Error;
use domain::calendar::is_calendar;
use domain::document::Document;
use domain::ids::WorkId;
use domain::layout::{is_free, margin_of};
use leptos::prelude::*;
use press::{Finding, LAYER_MARGIN_MM, PageRef};
use web::assets;
use web::islands::{Island, Props, ReactIsland, When};
use web::render::{Ahead, HeadSlot, here, loaded, use_path, use_query};
use web::ui::parts::height_of;
use web::ui::shell::Shell;

use super::calls::begun_with;
use super::props::{EditorCover, EditorProps};
use super::{ALBUMS, address_at, type_code};
use crate::cover::{UsualCover, cover_address, usual_cover};
use crate::findings::{FindingItem, listed_findings, preflight};
use crate::pages::Cover;
use crate::picture_address;
use crate::pictures::page_of;
use crate::store::{self, Filter, Shelf, Sort, Work};
use photos::{self, uploader_props};

/// Albums to go on with.
const ALBUMS_SHOWN: i64 = 12;

/// GET /manager/opus_list_edit: the albums that were changed last; with `?id=` the editor.
#[component]
pub fn EditPage() -> impl IntoView {
    if use_query("id").is_some_and(|id| !id.is_empty()) {
        return view! { <EditorPage/> }.into_any();
    }
    let here = here();
    let load = async move {
        let here = here?;
        let filter = Filter { shelf: Shelf::Kind("album"), sort: Sort::Changed, search: String::new() };
        let works = store::page_of_member(&here.app.db, &here.member.id, &filter, None, ALBUMS_SHOWN).await?;
        Ok((here.member, works))
    };
    loaded(load, |(member, works)| {
        let make = (!works.is_empty())
            .then(|| view! { <a class="button primary" href="/manager/make_ebook">"做书"</a> });
        let body = if works.is_empty() {
            view! {
                <section class="trim empty">
                    <h2>"还没有画册"</h2>
                    <p class="quiet">"放进几张照片，自动排好以后，再来一页一页地细调。"</p>
                    <a class="button primary" href="/manager/make_ebook">"做第一本画册"</a>
                </section>
            }
            .into_any()
        } else {
            let books: Vec<_> = works
                .into_iter()
                .map(|work| {
                    let href = address_at(ALBUMS, &work.id);
                    view! { <li><Cover work href/></li> }
                })
                .collect();
            view! { <ul class="shelf">{books}</ul> }.into_any()
        };
        view! {
            <Shell member title="编辑画册".to_owned() assets=&["works.css"]>
                <header class="head">
                    <div>
                        <h1>"编辑画册"</h1>
                        <p class="quiet">"接着改最近的画册，照片、文字和图形都可以自己摆。"</p>
                    </div>
                    {make}
                </header>
                {body}
            </Shell>
        }
    })
    .into_any()
}

/// A page of the work: 0 is the cover.
fn number_of(document: &Document, name: &str) -> Result<usize, Error> {
    Ok(match page_of(document, name)? {
        PageRef::Cover => 0,
        PageRef::Inner(index) => index + 1,
    })
}

/// The page with which the editor begins: the cover unless another is named. An address from before pages were left out
/// opens the last one.
fn open_at(document: &Document, name: &str) -> Result<usize, Error> {
    match name.parse::<usize>() {
        Ok(number) if number > document.pages.len() => Ok(document.pages.len()),
        _ if name.is_empty() => Ok(0),
        _ => number_of(document, name),
    }
}

fn page_ref(number: usize) -> PageRef {
    number.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner)
}

fn name_of(number: usize) -> String {
    if number == 0 { "封面".to_owned() } else { format!("第 {number} 页") }
}

/// What a page is called in addresses.
fn word_of(number: usize) -> String {
    if number == 0 { "cover".to_owned() } else { number.to_string() }
}

/// The pages that are seen at once with this one: the cover and the first stand alone, others face each other. A
/// calendar's hang one by one.
fn spread_of(number: usize, count: usize, is_single: bool) -> Vec<usize> {
    if number < 2 || is_single {
        return vec![number];
    }
    let left = number - number % 2;
    [left, left + 1].into_iter().filter(|page| *page <= count).collect()
}

/// GET …?id={work}&page={page}: the editor of a work.
#[component]
pub fn EditorPage() -> impl IntoView {
    let here = here();
    let id = use_query("id").unwrap_or_default();
    let page = use_query("page").unwrap_or_default();
    let base = use_path();
    let load = async move {
        let here = here?;
        let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
        let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
        let number = open_at(&work.document, &page)?;
        let found = preflight(&here.app, &here.member.id, &work.document, None).await?;
        let kept = photos::kept(&here.app, &here.member.id).await?;
        let begun = begun_with(&here.app, &here.member.id, &work.document).await?;
        let cover = usual_cover(&here.app, &work.document).await?;
        Ok((here.member, work, number, listed_findings(found), kept, begun, cover))
    };
    loaded(load, move |(member, work, number, findings, kept, (shown, looks), cover)| {
        let document = &work.document;
        let is_single = is_calendar(document);
        let sheet = cover.as_ref().map(EditorCover::from);
        let props = EditorProps {
            work: work.id.to_string(),
            feditor_type: type_code(&base),
            page: number,
            is_free: is_free(document),
            is_single,
            layer_margin: LAYER_MARGIN_MM,
            page_margin: margin_of(document.trim),
            ornaments: assets::address("ornaments.webp"),
            cover: sheet,
            uploads: uploader_props("上传新照片", &member, kept, false),
            revision: work.revision,
            document: document.clone(),
            shown,
            looks,
        };
        let title = format!("编辑《{}》", document.title);
        let address = address_at(&base, &work.id);
        fetch_ahead(&work, number);
        view! {
            <Shell member title=title.clone() assets=&["editor.css", "islands.js"]>
                <ReactIsland island=Island::new(&props) when=When::Load>
                    <div class="editing">
                        <header class="head">
                            <div>
                                <h1>{title}</h1>
                                <p class="quiet">
                                    <a href=format!("/manager/opus/{}", work.id)>"回到作品"</a>
                                    "。照片、文字和版式用下面的表单改；打开 JavaScript 还可以直接拖动。"
                                </p>
                            </div>
                        </header>
                        <Spread work=work.clone() number is_single address=address.clone()/>
                        {cover.filter(|_| number == 0).map(|cover| view! { <WholeCover work=work.clone() cover/> })}
                        <FoundHere findings address=address.clone()/>
                        <Pages work=work.clone() number address/>
                    </div>
                </ReactIsland>
                <Alone/>
            </Shell>
        }
    })
}

/// What the editor begins with, on its way while the page is read: not when one script has found out about the next.
///
/// The largest script first, which goes over the connection that a browser has open beside the page's own: it comes where a slow
/// line would else carry nothing, until the others are open. Then the open page, as it is what one looks at.
fn fetch_ahead(work: &Work, number: usize) {
    let Some(slot) = use_context::<HeadSlot>() else { return };
    let mut scripts = assets::scripts_of(EditorProps::NAME);
    scripts.by_ref().take(1).for_each(|script| slot.ahead(Ahead::Script(script)));
    let (address, widths) = picture_of(work, number);
    slot.ahead(Ahead::Picture { address, widths, sizes: SIZES, media: "(min-width: 600px)" });
    let (address, widths) = (picture_address(&work.id, work.revision, page_ref(number), 320), String::new());
    slot.ahead(Ahead::Picture { address, widths, sizes: "", media: PHONE });
    scripts.for_each(|script| slot.ahead(Ahead::Script(script)));
}

/// Small pages and the one beside that which a phone shows are not fetched where the island takes their place (editor.css).
/// Scripts run in turn: where this one finds that the islands' did not come, they are shown.
#[component]
fn Alone() -> impl IntoView {
    const SCRIPT: &str = "for (const island of document.querySelectorAll(\"react-island:not(:defined)\")) island.dataset.left = \"\";";
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.allow(SCRIPT);
    }
    view! { <script type="module" inner_html=SCRIPT></script> }
}

/// Telephones where the island takes the place of the page: it begins with the smallest picture, and a finer one comes when the
/// page can be worked on.
const PHONE: &str = "(scripting: enabled) and (width < 600px)";

/// How wide an open page is: two beside each other, on a phone one below the other.
const SIZES: &str = "(min-width: 70em) 480px, (min-width: 600px) 48vw, 100vw";

/// The picture of an open page, and its widths.
fn picture_of(work: &Work, number: usize) -> (String, String) {
    let picture = |width| picture_address(&work.id, work.revision, page_ref(number), width);
    (picture(720), format!("{} 320w, {} 720w, {} 1280w", picture(320), picture(720), picture(1280)))
}

/// The pages that are open, each with its forms, and the way to those before and after.
#[component]
fn Spread(work: Work, number: usize, is_single: bool, address: String) -> impl IntoView {
    let count = work.document.pages.len();
    let pages = spread_of(number, count, is_single);
    let before = pages.first().and_then(|first| first.checked_sub(1));
    let after = pages.last().map(|last| last + 1).filter(|next| *next <= count);
    let way = |to: Option<usize>, words: &'static str, rel: &'static str| {
        to.map(|to| view! { <a class="button" rel=rel href=format!("{address}&page={}", word_of(to))>{words}</a> })
    };
    let class = match pages.as_slice() {
        [_] => "open-pages alone",
        _ => "open-pages",
    };
    let figures: Vec<_> = pages
        .into_iter()
        .map(|page| {
            let (src, widths) = picture_of(&work, page);
            let small = picture_address(&work.id, work.revision, page_ref(page), 320);
            let is_beside = page != number;
            let form = format!("/manager/opus/{}/page/{}", work.id, word_of(page));
            let photos = (page > 0 && !is_single)
                .then(|| view! { <a class="link" href=format!("{form}/photos")>"照片"</a> });
            view! {
                <figure class=is_beside.then_some("beside")>
                    <picture>
                        <source media=PHONE srcset=small/>
                        <img
                            src=src
                            srcset=widths
                            sizes=SIZES
                            width="720"
                            height=height_of(work.document.trim, 720)
                            alt=name_of(page)
                            data-number=page
                            loading=is_beside.then_some("lazy")
                        />
                    </picture>
                    <figcaption>
                        {name_of(page)}
                        <span class="row acts">
                            <a class="link" href=form>"版式与底色"</a>
                            {photos}
                        </span>
                    </figcaption>
                </figure>
            }
        })
        .collect();
    view! {
        <section>
            <h2 class="sr">"打开的书页"</h2>
            <div class=class>{figures}</div>
            <p class="row turning">{way(before, "上一页", "prev")}{way(after, "下一页", "next")}</p>
        </section>
    }
}

/// The cover as one sheet, where the front is open.
#[component]
fn WholeCover(work: Work, cover: UsualCover) -> impl IntoView {
    let picture = |width| cover_address(&work.id, work.revision, width);
    view! {
        <figure class="whole-cover">
            <img
                src=picture(720)
                srcset=format!("{} 720w, {} 1280w", picture(720), picture(1280))
                sizes="(min-width: 60em) 720px, 100vw"
                width="720"
                height=height_of(cover.sheet.sheet(), 720)
                alt="整张封面：左边封底，中间书脊，右边封面"
                loading="lazy"
            />
            <figcaption>
                {format!("整张封面，按“{}”画的。书脊和封底上的书名、作者在", cover.binding)}
                <a class="link" href=format!("/manager/opus_setting/{}", work.id)>"作品设置"</a>
                "里改。"
            </figcaption>
        </figure>
    }
}

/// What to look at before printing; each leads to its page here.
#[component]
fn FoundHere(findings: Vec<Finding>, address: String) -> impl IntoView {
    if findings.is_empty() {
        return view! { <section><h2>"印前检查"</h2><p class="quiet">"没有发现问题，可以付印。"</p></section> }
            .into_any();
    }
    let items: Vec<_> = findings
        .into_iter()
        .map(|finding| {
            let page = match finding.page {
                Some(PageRef::Inner(index)) => index + 1,
                Some(PageRef::Cover) | None => 0,
            };
            view! { <FindingItem finding place=format!("{address}&page={}", word_of(page))/> }
        })
        .collect();
    view! { <section><h2>"印前检查"</h2><ul class="findings">{items}</ul></section> }.into_any()
}

/// All pages in small, and the forms that concern the whole work.
#[component]
fn Pages(work: Work, number: usize, address: String) -> impl IntoView {
    let base = format!("/manager/opus/{}", work.id);
    let items: Vec<_> = (0..=work.document.pages.len())
        .map(|page| {
            view! {
                <li>
                    <a href=format!("{address}&page={}", word_of(page)) aria-current=(page == number).then_some("page")>
                        <img
                            src=picture_address(&work.id, work.revision, page_ref(page), 320)
                            width="320"
                            height=height_of(work.document.trim, 320)
                            alt=""
                            loading="lazy"
                        />
                        {name_of(page)}
                    </a>
                </li>
            }
        })
        .collect();
    let order = is_free(&work.document)
        .then(|| view! { <a class="link" href=format!("{base}/pages")>"增减和移动书页"</a> });
    let months = is_calendar(&work.document)
        .then(|| view! { <a class="link" href=format!("{base}/calendar")>"改月份与纪念日"</a> });
    view! {
        <section>
            <h2>"所有书页"</h2>
            <p class="row acts">
                <a class="link" href=format!("{base}#texts")>"改所有文字"</a>
                {order}
                {months}
                <a class="link" href=format!("{base}/revisions")>"所有版本"</a>
            </p>
            <ol class="all-pages">{items}</ol>
        </section>
    }
}
