//! The making desk, the shelf, and a work's own page.

use domain::document::{Document, Page, TextRole};
use domain::ids::WorkId;
use leptos::prelude::*;
use press::{Finding, Originals, PageRef, Severity};

use super::formats::{FORMATS, size_text};
use super::{picture_address, pictures, store};
use crate::error::Error;
use crate::photos::{PhotoInput, PhotoPicker};
use crate::render::{here, loaded, parameter, use_form, use_query};
use crate::ui::parts::{Book, ErrorSummary, Field, FieldError, Moment, area_text, height_of};
use crate::ui::shell::Shell;

/// Works on one shelf page.
const SHELF: i64 = 200;
/// The types that have works so far, with their names on the shelf.
const TYPES: &[(&str, &str)] = &[("all", "全部"), ("album", "画册")];

/// GET /manager/make_ebook.
#[component]
pub fn MakePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let photos = crate::photos::library(&here.app, &here.member.id).await?;
            Ok((here.member, photos))
        },
        |(member, photos)| {
            let form = use_form();
            let chosen = form.or("format", FORMATS.first().map_or("", |format| format.key));
            let formats: Vec<_> = FORMATS
                .iter()
                .map(|format| {
                    let icon = match format.key {
                        "a4-portrait" => "format a4",
                        "a5-portrait" => "format a5",
                        _ => "format",
                    };
                    view! {
                        <label>
                            <input type="radio" name="format" value=format.key checked=format.key == chosen/>
                            <span><i class=icon aria-hidden="true"></i>{format.name}<small>{format.hint}</small></span>
                        </label>
                    }
                })
                .collect();
            let chosen = form.or("theme", press::themes().first().map_or("", |theme| theme.name));
            let themes: Vec<_> = press::themes()
                .iter()
                .map(|theme| {
                    view! {
                        <label>
                            <input type="radio" name="theme" value=theme.name checked=theme.name == chosen/>
                            <span>{theme.title}</span>
                        </label>
                    }
                })
                .collect();
            view! {
                <Shell member title="做书".to_owned() assets=&["works.css", "photos.css", "uploads.js"]>
                    <header class="head">
                        <div>
                            <h1>"做书"</h1>
                            <p class="quiet">"选开本，放照片，自动排好版；文字之后都能再改。"</p>
                        </div>
                    </header>
                    <ErrorSummary title="还差一点，请改好再生成"/>
                    <form
                        class="desk"
                        method="post"
                        action="/manager/make_ebook"
                        enctype="multipart/form-data"
                        data-upload
                    >
                        <fieldset class="chips cards part" id="format">
                            <legend>"开本"</legend>
                            <div>{formats}</div>
                            <FieldError name="format".to_owned()/>
                        </fieldset>
                        <fieldset class="chips part" id="theme">
                            <legend>"风格"</legend>
                            <div>{themes}</div>
                            <FieldError name="theme".to_owned()/>
                        </fieldset>
                        <section class="part">
                            <h2>"书名与作者"</h2>
                            <div class="fields two">
                                <Field name="title" label="书名" most=60 required=true/>
                                <Field name="author" label="作者" most=40/>
                            </div>
                        </section>
                        <section class="part">
                            <h2>"照片"</h2>
                            <div class="stack">
                                <PhotoInput label="上传新照片"/>
                                <PhotoPicker photos/>
                            </div>
                        </section>
                        <div class="actionbar">
                            <p class="hint">"页数按照片数量自动建议"</p>
                            <button class="button primary">"生成画册"</button>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// GET /manager/opus_list/{type}.
#[component]
pub fn WorksPage() -> impl IntoView {
    let here = here();
    let kind = parameter::<String>("type");
    loaded(
        async move {
            let (here, kind) = (here?, kind?);
            if !TYPES.iter().any(|(known, _)| *known == kind) {
                return Err(Error::NotFound);
            }
            let filter = (kind != "all").then_some(kind.as_str());
            let works = store::of_member(&here.app.db, &here.member.id, filter, SHELF).await?;
            Ok((here.member, kind, works))
        },
        |(member, kind, works)| {
            let tabs: Vec<_> = TYPES
                .iter()
                .map(|(key, name)| {
                    let here = (*key == kind).then_some("page");
                    view! { <a href=format!("/manager/opus_list/{key}") aria-current=here>{*name}</a> }
                })
                .collect();
            let make = (!works.is_empty())
                .then(|| view! { <a class="button primary" href="/manager/make_ebook">"做一本书"</a> });
            let shelf = if works.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"书架还空着"</h2>
                        <p class="quiet">"放进几张照片，几分钟就能看到第一本书的样子。"</p>
                        <a class="button primary" href="/manager/make_ebook">"做第一本书"</a>
                    </section>
                }
                .into_any()
            } else {
                let books: Vec<_> = works.into_iter().map(|work| view! { <OnShelf work/> }).collect();
                view! { <ul class="shelf">{books}</ul> }.into_any()
            };
            view! {
                <Shell member title="作品".to_owned() assets=&["works.css"]>
                    <header class="head"><h1>"作品"</h1>{make}</header>
                    <nav class="filter" aria-label="作品类型">{tabs}</nav>
                    {shelf}
                </Shell>
            }
        },
    )
}

#[component]
fn OnShelf(work: store::Summary) -> impl IntoView {
    let src = picture_address(&work.id, work.revision, PageRef::Cover, 320);
    view! {
        <li>
            <a href=format!("/manager/opus/{}", work.id)>
                <span class="stand"><Book src trim=work.trim alt=String::new() lazy=true/></span>
                <strong>{work.title}</strong>
                <small class="num">{size_text(work.trim)}" · "{work.pages}" 页"</small>
                <small><Moment at=work.updated_at/></small>
            </a>
        </li>
    }
}

/// GET /manager/opus/{id}: what will be printed, spread by spread, and its texts.
#[component]
pub fn WorkPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?;
            let originals =
                pictures::LibraryOriginals::of_document(&here.app, &here.member.id, &work.document).await?;
            let document = work.document.clone();
            let press = here.app.press;
            let findings = here
                .app
                .heavy(move || press.preflight(&document, &|photo| originals.describe(photo)))
                .await?
                .map_err(Error::internal)?;
            Ok((here.member, work, findings))
        },
        |(member, work, findings)| {
            let document = work.document.clone();
            let form = use_form();
            let saved = use_query("saved").filter(|_| !form.is_sent()).map(|_| {
                view! { <div class="notice good" role="status">"已保存，书页已按新的文字重排。"</div> }
            });
            let theme = press::themes().iter().find(|theme| theme.name == document.theme);
            let author = (!document.author.is_empty())
                .then(|| view! { <p class="quiet">{document.author.clone()}</p> });
            view! {
                <Shell member title=document.title.clone() assets=&["works.css"]>
                    {saved}
                    <ErrorSummary title="还没有保存"/>
                    <div class="opened">
                        <div class="trim">
                            <Book
                                src=picture_address(&work.id, work.revision, PageRef::Cover, 720)
                                trim=document.trim
                                alt=format!("《{}》封面", document.title)
                            />
                        </div>
                        <div class="stack">
                            <header><h1>{document.title.clone()}</h1>{author}</header>
                            <dl class="facts">
                                <dt>"开本"</dt><dd class="num">{size_text(document.trim)}</dd>
                                <dt>"页数"</dt><dd class="num">{document.pages.len()}" 页"</dd>
                                <dt>"风格"</dt><dd>{theme.map_or("", |theme| theme.title)}</dd>
                                <dt>"保存于"</dt><dd><Moment at=work.updated_at/></dd>
                            </dl>
                            <div class="row">
                                <a class="button primary" href=format!("/manager/add_shopping/{}", work.id)>
                                    "选择印刷方式"
                                </a>
                            </div>
                        </div>
                    </div>
                    <div class="stack">
                        <Findings findings/>
                        <section>
                            <h2 class="sr">"书页"</h2>
                            <Spreads work=work.clone()/>
                        </section>
                        <Texts id=work.id.clone() revision=work.revision document=document.clone()/>
                    </div>
                </Shell>
            }
        },
    )
}

/// Findings that are shown at once; more are folded away.
const FINDINGS: usize = 5;

/// What to look at before printing, each with a link to its page. An empty caption is only a place to type in, so
/// notes are left out.
#[component]
fn Findings(findings: Vec<Finding>) -> impl IntoView {
    let mut items: Vec<AnyView> = findings
        .into_iter()
        .filter(|finding| finding.severity != Severity::Note)
        .map(|finding| {
            let (class, label) = match finding.severity {
                Severity::Serious => ("badge bad", "请处理"),
                _ => ("badge warn", "请留意"),
            };
            let place = match finding.page {
                PageRef::Cover => "#main".to_owned(),
                PageRef::Inner(index) => format!("#page-{}", index + 1),
            };
            view! { <li><span class=class>{label}</span>" "<a href=place>{finding.message}</a></li> }
                .into_any()
        })
        .collect();
    let rest = items.split_off(items.len().min(FINDINGS));
    let more = (!rest.is_empty()).then(|| {
        let count = rest.len();
        view! {
            <details class="fold">
                <summary>"还有 "<span class="num">{count}</span>" 处"</summary>
                <ul class="findings">{rest}</ul>
            </details>
        }
    });
    let body = if items.is_empty() {
        view! { <p class="quiet">"没有发现问题，可以付印。"</p> }.into_any()
    } else {
        view! { <ul class="findings">{items}</ul> }.into_any()
    };
    view! { <section><h2>"印前检查"</h2>{body}{more}</section> }
}

/// The first page stands alone on the right; after it two and two face each other.
#[component]
fn Spreads(work: store::Work) -> impl IntoView {
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
            let links: Vec<_> = pages
                .into_iter()
                .map(|index| {
                    let address = |width| picture_address(&work.id, work.revision, PageRef::Inner(index), width);
                    view! {
                        <a id=format!("page-{}", index + 1) href=address(1280)>
                            <img
                                src=address(720)
                                srcset=format!("{} 320w, {} 720w, {} 1280w", address(320), address(720), address(1280))
                                sizes="(min-width: 70em) 480px, 48vw"
                                width="720"
                                height=height_of(work.document.trim, 720)
                                alt=format!("第 {} 页", index + 1)
                                loading=(index > 2).then_some("lazy")
                            />
                        </a>
                    }
                })
                .collect();
            view! {
                <figure>
                    <div class=class>{links}</div>
                    <figcaption>"第 "<span class="num">{label}</span>" 页"</figcaption>
                </figure>
            }
        })
        .collect();
    view! { <div class="spreads">{figures}</div> }
}

/// The form for title, author and every text on the pages that is not one of the two.
#[component]
fn Texts(id: WorkId, revision: i64, document: Document) -> impl IntoView {
    let mut places: Vec<(String, String, String)> = Vec::new();
    places.extend(texts_of(&document, &document.cover, "cover", "封面"));
    for (index, page) in document.pages.iter().enumerate() {
        places.extend(texts_of(&document, page, &index.to_string(), &format!("第 {} 页", index + 1)));
    }
    let form = use_form();
    let fields: Vec<_> = places
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
        .collect();
    view! {
        <section class="sheet">
            <form class="stack" method="post" action=format!("/manager/opus/{id}/texts")>
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

/// Field name, label and text of a page's own texts.
fn texts_of(document: &Document, page: &Page, place: &str, label: &str) -> Vec<(String, String, String)> {
    let mut texts = Vec::new();
    for (index, element) in page.elements.iter().enumerate() {
        let domain::document::Element::Text(block) = element else { continue };
        // these follow the title and the author
        if block.text == document.title || (!block.text.is_empty() && block.text == document.author) {
            continue;
        }
        let role = match block.role {
            TextRole::Title => "标题",
            TextRole::Subtitle => "副标题",
            TextRole::Caption => "图说",
            TextRole::Body => "正文",
        };
        texts.push((format!("text-{place}-{index}"), format!("{label}的{role}"), block.text.clone()));
    }
    texts
}
