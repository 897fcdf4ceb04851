//! A work's own page.

use domain::calendar::is_calendar;
use domain::compare::Place;
use domain::document::{Document, Page, SAFE_MM, TextRole, Trim};
use domain::ids::{GoodsId, WorkId};
use domain::layout::is_free;
use domain::sub_member::Role;
use domain::titles::is_followed;
use std::collections::BTreeMap;

use leptos::prelude::*;
use press::{Finding, FindingCode, PageRef, Severity};
use web::render::{self, here, loaded, parameter, use_acting, use_form, use_query};
use web::ui::parts::{Book, ErrorSummary, Field, FieldError, Moment, area_text, height_of};
use web::ui::shell::Shell;

use super::calendar::CalendarNews;
use super::changes::{place_name, version_name};
use super::ebook::EbookOfWork;
use crate::documents::{self, PdfFile};
use crate::editor;
use crate::findings::{Findings, preflight};
use crate::formats::size_text;
use crate::store::Cause;
use crate::{TRASH_MS, copy_address, picture_address, store};

/// GET /manager/opus/{id}: what will be printed, spread by spread, and its texts.
#[component]
pub fn WorkPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?;
            let files = documents::of_document(&here.app, &here.member.id, &work.document).await?;
            let findings = preflight(&here.app, &here.member.id, &work.document, None).await?;
            let kept = store::kept(&here.app.db, &id).await?;
            let newest = store::of_work(&here.app.db, &id, i64::MAX, 1).await?.pop();
            let only = catalog::only_of(&here.app, work.document.trim, work.document.pages.len()).await?;
            Ok((here.member, work, findings, kept, newest, files, only.map(|goods| goods.id.clone())))
        },
        |(member, work, findings, kept, newest, files, only)| {
            let document = work.document.clone();
            let form = use_form();
            let saved = use_query("saved").filter(|_| !form.is_sent()).map(|what| {
                let words = match what.as_str() {
                    "settings" => "设置已保存。",
                    "design" => "这一页已换成新的版式。",
                    "months" => "月历已更新，照片和文字都在原处。",
                    "restored" => "已还原成选中的版本，之前的版本也都留着。",
                    _ => "已保存，书页已按新的文字重排。",
                };
                view! { <div class="notice good" role="status">{words}</div> }
            });
            let is_trashed = work.trashed_at.is_some();
            let changes = use_acting().is_none_or(|acting| acting.role == Role::Editor);
            let theme = press::themes().iter().find(|theme| theme.name == document.theme);
            let author = (!document.author.is_empty())
                .then(|| view! { <p class="quiet">{document.author.clone()}</p> });
            let category =
                document.category.map(|category| view! { <dt>"分类"</dt><dd>{category.name()}</dd> });
            let description = (!document.description.is_empty())
                .then(|| view! { <p class="description">{document.description.clone()}</p> });
            view! {
                <Shell member=member.clone() title=document.title.clone() assets=&["works.css", "drafts.js"]>
                    {saved}
                    <ErrorSummary title="还没有保存"/>
                    <Reformatted work=work.clone() newest/>
                    <Kept work=work.clone() kept/>
                    <CalendarNews work=work.clone()/>
                    <InTrash work=work.clone()/>
                    <header class="head work">
                        <div>
                            <h1>{document.title.clone()}</h1>
                            {author}
                            <p class="quiet num">
                                {size_text(document.trim)}" · "{document.pages.len()}" 页"
                                {theme.map(|theme| format!(" · {}", theme.title))}
                            </p>
                        </div>
                        {(!is_trashed && changes).then(|| view! { <Acts work=work.clone() only=only.clone()/> })}
                    </header>
                    <section>
                        <h2 class="sr">"书页"</h2>
                        <Spreads work=work.clone() changeable={!is_trashed && changes} marks=marks(&findings)/>
                    </section>
                    <div class="stack" id="about">
                        <Findings findings/>
                        <section>
                            <h2>"关于这件作品"</h2>
                            {description}
                            <dl class="facts">
                                {category}
                                <Manuscripts files=files.into_values().collect()/>
                                <dt>"保存于"</dt>
                                <dd>
                                    <Moment at=work.updated_at/>"，"
                                    <a href=format!("/manager/opus/{}/revisions", work.id)>
                                        {version_name(work.revision)}
                                    </a>
                                </dd>
                            </dl>
                        </section>
                        {(!is_trashed && use_acting().is_none()).then(|| view! {
                            <EbookOfWork member=member.clone() work=work.clone()/>
                        })}
                        {(!is_trashed && changes).then(|| view! {
                            <Texts id=work.id.clone() revision=work.revision document=document.clone()/>
                        })}
                    </div>
                </Shell>
            }
        },
    )
}

/// What a document was made of, and what of that was left out.
#[component]
fn Manuscripts(files: Vec<PdfFile>) -> impl IntoView {
    files
        .into_iter()
        .map(|file| {
            let name = match (file.file_name.as_str(), &file.source) {
                ("", _) => "粘贴的文字".to_owned(),
                (name, _) => name.to_owned(),
            };
            let notes: Vec<_> = file.notes.into_iter().map(|note| view! { <small>{note}</small> }).collect();
            view! { <dt>"原稿"</dt><dd class="manuscript">{name}{notes}</dd> }
        })
        .collect::<Vec<_>>()
}

/// The form of what can be done with the work.
const ACTS: &str = "acts";

/// The form that has the work printed.
const PRINT: &str = "print";

/// What can be done with the work. Where there are `only` certain goods to choose, they are chosen.
#[component]
fn Acts(work: store::Work, only: Option<GoodsId>) -> impl IntoView {
    let base = format!("/manager/opus/{}", work.id);
    // pressed twice, it makes one copy
    render::once_at_end(ACTS, "copy");
    // who works for a house neither orders nor publishes there
    let own = use_acting().is_none().then(|| {
        let place = format!("/manager/add_shopping/{}", work.id);
        let print = match only {
            Some(goods) => {
                // pressed twice, it puts one line in the cart
                render::once_at_end(PRINT, "line");
                view! {
                    <form id=PRINT method="post" action=place>
                        <input type="hidden" name="goods" value=goods.to_string()/>
                        <button class="button primary">"选择印刷方式"</button>
                    </form>
                }
                .into_any()
            }
            None => view! { <a class="button primary" href=place>"选择印刷方式"</a> }.into_any(),
        };
        view! {
            {print}
            <a class="button" href=format!("/manager/opus_share_edit/{}", work.id)>"分享"</a>
        }
    });
    let months = is_calendar(&work.document)
        .then(|| view! { <a class="link" href=format!("{base}/calendar")>"改月份与纪念日"</a> });
    let pages = is_free(&work.document)
        .then(|| view! { <a class="link" href=format!("{base}/pages")>"整理书页"</a> });
    view! {
        <div class="row acts">
            {own}
            <a class="button" href=editor::address(&work)>"编辑"</a>
            <a class="button" href=format!("{base}/reviews")>"请人看样"</a>
            <details class="menu more">
                <summary class="button">"更多"</summary>
                <form id=ACTS class="drop" method="post">
                    {pages}
                    {months}
                    <a class="link" href=format!("/manager/opus_setting/{}", work.id)>"设置"</a>
                    <a class="link" href=format!("{}&page=cover", editor::address(&work))>"改封面"</a>
                    <a class="link" href=format!("{base}/style")>"换整本样式"</a>
                    <a class="link" href=format!("{base}/format")>"换开本"</a>
                    <a class="link" href=format!("{base}/revisions")>"所有版本"</a>
                    <a class="link" href=format!("{base}/export") download>"导出作品"</a>
                    <button class="link" formaction=format!("{base}/copy")>"复制一本"</button>
                    <button class="link danger" formaction=format!("{base}/trash")>"移到回收站"</button>
                </form>
            </details>
        </div>
    }
}

/// How many findings, notes left out, each page has; the cover's under `None`.
fn marks(findings: &[Finding]) -> BTreeMap<Option<usize>, usize> {
    let mut marks = BTreeMap::new();
    for finding in findings
        .iter()
        .filter(|finding| finding.severity > Severity::Note || finding.code == FindingCode::BlankPage)
    {
        let page = match finding.page {
            Some(PageRef::Inner(index)) => Some(index),
            Some(PageRef::Cover) => None,
            None => continue,
        };
        *marks.entry(page).or_insert(0) += 1;
    }
    marks
}

/// How many there are on a page, leading to it.
#[component]
fn Mark(count: Option<usize>, address: String, name: String) -> impl IntoView {
    count.map(|count| {
        view! {
            <a class="mark" href=address aria-label=format!("{name}有 {count} 处要看")><span class="num">{count}</span></a>
        }
    })
}

/// As long as nothing else was saved: that the page size or the style was changed, what that changed, and the one step back.
#[component]
fn Reformatted(work: store::Work, newest: Option<store::Revision>) -> impl IntoView {
    let newest = newest.filter(|_| work.trashed_at.is_none())?;
    let (words, undo) = match newest.cause {
        Some(Cause::Format) => {
            (format!("开本已换成 {}，书页已重新排好。", size_text(work.document.trim)), "撤销换开本")
        }
        Some(Cause::Style) => ("整本已换好样式。".to_owned(), "撤销换样式"),
        _ => return None,
    };
    let (base, number) = (format!("/manager/opus/{}", work.id), newest.number);
    let before = number - 1;
    Some(view! {
        <div class="notice good" role="status">
            <form class="row" method="post" action=format!("{base}/revisions/{before}/restoration")>
                <input type="hidden" name="revision" value=number.to_string()/>
                <p>
                    {words}
                    <a href=format!("{base}/comparison?before={before}&after={number}")>"看看变了什么"</a>
                </p>
                <button class="button small">{undo}</button>
            </form>
        </div>
    })
}

/// Saves that were refused because another one had come first.
#[component]
fn Kept(work: store::Work, kept: Vec<store::Revision>) -> impl IntoView {
    if kept.is_empty() || work.trashed_at.is_some() {
        return None;
    }
    let base = format!("/manager/opus/{}", work.id);
    let rows: Vec<_> = kept
        .into_iter()
        .map(|revision| {
            let number = revision.number;
            let comparison = format!("{base}/comparison?before={}&after={number}", work.revision);
            view! {
                <li>
                    <a href=format!("{base}/revisions/{number}")>{version_name(number)}</a>
                    "（"<Moment at=revision.at/>"）："<a href=comparison>"与最新的比较"</a>
                </li>
            }
        })
        .collect();
    Some(view! {
        <div class="notice warn">
            <h2>"有改动还没有并进来"</h2>
            <p>"保存时这本书已在别处改过，那次的改动另存了："</p>
            <ul>{rows}</ul>
        </div>
    })
}

/// That the work lies in the trash, and the way back.
#[component]
fn InTrash(work: store::Work) -> impl IntoView {
    let until = work.trashed_at? + TRASH_MS;
    Some(view! {
        <div class="notice warn">
            <form method="post" action=format!("/manager/opus/{}/restoration", work.id)>
                "这件作品在回收站里，"<Moment at=until/>" 删除。"
                <button class="link">"还原"</button>
            </form>
        </div>
    })
}

/// The first page stands alone on the right; after it two and two face each other.
#[component]
fn Spreads(
    work: store::Work,
    /// Shows the safe area.
    #[prop(optional)]
    guides: bool,
    /// Links each page to the editor.
    #[prop(optional)]
    changeable: bool,
    /// How many findings each page has.
    #[prop(optional)]
    marks: BTreeMap<Option<usize>, usize>,
    /// The key of the copy of a run whose pages they are.
    #[prop(optional_no_strip)]
    copy: Option<String>,
) -> impl IntoView {
    let editor = editor::address(&work);
    let place_of = |index: usize| format!("{editor}&page={}", index + 1);
    let cover_place = format!("{editor}&page=cover");
    let cover = (!guides).then(|| {
        let edit = changeable.then(|| {
            view! { <span class="designs"><a class="link" href=cover_place.clone()>"改封面"</a></span> }
        });
        view! {
            <figure class="cover">
                <div class="trim">
                    <Book
                        src=picture_address(&work.id, work.revision, PageRef::Cover, 720)
                        trim=work.document.trim
                        alt=format!("《{}》封面", work.document.title)
                        hung=is_calendar(&work.document)
                    />
                    <Mark count=marks.get(&None).copied() address=cover_place.clone() name="封面".to_owned()/>
                </div>
                <figcaption>"封面"{edit}</figcaption>
            </figure>
        }
    });
    let count = work.document.pages.len();
    let mut spreads = vec![vec![0]];
    spreads.extend((1..count).collect::<Vec<_>>().chunks(2).map(<[usize]>::to_vec));
    let figures: Vec<_> = spreads
        .into_iter()
        .map(|pages| {
            let label = match pages.as_slice() {
                [only] => (only + 1).to_string(),
                [first, .., last] => format!("{}–{}", first + 1, last + 1),
                [] => String::new(),
            };
            // the last page of an even count is a left one
            let class = match pages.as_slice() {
                [0] => "pair single",
                [_] => "pair single last",
                _ => "pair",
            };
            let designs = changeable.then(|| {
                let design = |index: &usize| {
                    view! { <a class="link" href=place_of(*index)>{format!("改第 {} 页", index + 1)}</a> }
                };
                view! { <span class="designs">{pages.iter().map(design).collect::<Vec<_>>()}</span> }
            });
            let links: Vec<_> = pages
                .into_iter()
                .map(|index| {
                    let address = |width| copy_address(&work, copy.as_deref(), PageRef::Inner(index), width);
                    let name = format!("第 {} 页", index + 1);
                    let mark = view! { <Mark count=marks.get(&Some(index)).copied() address=place_of(index) name/> };
                    let href = if changeable { place_of(index) } else { address(1280) };
                    view! {
                        <span class="side">{mark}<a id=format!("page-{}", index + 1) href=href>
                            <img
                                src=address(720)
                                srcset=format!("{} 320w, {} 720w, {} 1280w", address(320), address(720), address(1280))
                                sizes="(min-width: 70em) 480px, 48vw"
                                width="720"
                                height=height_of(work.document.trim, 720)
                                alt=format!("第 {} 页", index + 1)
                                loading=(index > 2).then_some("lazy")
                            />
                            {guides.then(|| view! { <Guides trim=work.document.trim/> })}
                        </a></span>
                    }
                })
                .collect();
            view! {
                <figure>
                    <div class=class>{links}</div>
                    <figcaption>"第 "<span class="num">{label}</span>" 页"{designs}</figcaption>
                </figure>
            }
        })
        .collect();
    // a calendar's pages hang one by one
    let class = if is_calendar(&work.document) { "spreads ringed" } else { "spreads" };
    view! { <div class=class>{cover}{figures}</div> }
}

/// The safe area's border over a page's picture.
#[component]
fn Guides(trim: Trim) -> impl IntoView {
    view! {
        <svg class="guides" viewBox=format!("0 0 {} {}", trim.width, trim.height) aria-hidden="true">
            <rect
                x=SAFE_MM
                y=SAFE_MM
                width=trim.width - 2.0 * SAFE_MM
                height=trim.height - 2.0 * SAFE_MM
            />
        </svg>
    }
}

/// Cover and pages as a proof, with the safe area's border; of one copy of a run, or of the work itself.
#[component]
pub fn ProofSheets(work: store::Work, #[prop(optional_no_strip)] copy: Option<String>) -> impl IntoView {
    let trim = work.document.trim;
    view! {
        <figure class="proof-cover">
            <div class="trim">
                <Book
                    src=copy_address(&work, copy.as_deref(), PageRef::Cover, 720)
                    trim
                    alt=format!("《{}》封面", work.document.title)
                />
            </div>
            <figcaption class="quiet">"封面"</figcaption>
        </figure>
        <Spreads work guides=true copy/>
    }
}

/// The form for title, author and every text on the pages that is not one of the two.
#[component]
fn Texts(id: WorkId, revision: i64, document: Document) -> impl IntoView {
    let mut places = texts_of(&document, Place::Cover, &document.cover);
    for (index, page) in document.pages.iter().enumerate() {
        places.extend(texts_of(&document, Place::Inner(index), page));
    }
    let form = use_form();
    let fields = text_fields(places);
    view! {
        <section class="sheet">
            <form class="stack" method="post" action=format!("/manager/opus/{id}/texts") data-draft>
                <input type="hidden" name="revision" value=form.or("revision", &revision.to_string())/>
                <h2>"书名与图说"</h2>
                <div class="fields two">
                    <Field name="title" label="书名" value=document.title most=60 required=true/>
                    <Field name="author" label="作者" value=document.author most=40/>
                </div>
                <div class="captions">{fields}</div>
                <div class="row"><button class="button">"保存文字"</button></div>
            </form>
        </section>
    }
}

/// Fields for texts, each with its name and its label.
pub fn text_fields(places: Vec<(String, String, String)>) -> Vec<impl IntoView + use<>> {
    let form = use_form();
    places
        .into_iter()
        .map(|(name, label, text)| {
            let error = form.error(&name);
            let value = form.or(&name, &text);
            view! {
                <div class="field">
                    <label for=name.clone()>{label}</label>
                    <textarea
                        id=name.clone()
                        name=name.clone()
                        maxlength="500"
                        rows="2"
                        aria-invalid=error.is_some().then_some("true")
                        aria-describedby=error.is_some().then(|| format!("{name}-error"))
                    >
                        {area_text(&value)}
                    </textarea>
                    <FieldError name/>
                </div>
            }
        })
        .collect()
}

/// Field name, label and text of a page's own texts.
pub fn texts_of(document: &Document, place: Place, page: &Page) -> Vec<(String, String, String)> {
    let label = place_name(Some(place));
    let code = match place {
        Place::Cover => "cover".to_owned(),
        Place::Inner(index) => index.to_string(),
    };
    let mut texts = Vec::new();
    for (index, element) in page.elements.iter().enumerate() {
        let domain::document::Element::Text(block) = element else { continue };
        // these follow the title and the author
        if is_followed(document, place, block) {
            continue;
        }
        let role = match block.role {
            TextRole::Title => "标题",
            TextRole::Subtitle => "副标题",
            TextRole::Heading => "章名",
            TextRole::Caption => "图说",
            TextRole::Body => "正文",
        };
        texts.push((format!("text-{code}-{index}"), format!("{label}的{role}"), block.text.clone()));
    }
    texts
}
