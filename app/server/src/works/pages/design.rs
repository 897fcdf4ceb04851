//! GET /manager/opus/{id}/page/{page}: how one page looks, and how it could look.

use domain::document::{Document, Element, Ground, Page, PhotoFrame, Rect, TextBlock};
use domain::ids::WorkId;
use domain::layout::{Arrangement, MAX_PER_PAGE};
use leptos::prelude::*;
use press::PageRef;

use crate::works::page_photos::page_for_photos;
use crate::works::pictures::page_of;
use crate::works::{design, picture_address, store};
use platform::render::{here, loaded, parameter, use_form, use_query};
use platform::ui::parts::{ErrorSummary, FieldError, height_of};
use platform::ui::shell::Shell;

/// The form for a page's layout, theme and background.
#[component]
pub fn DesignPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let name = parameter::<String>("page");
    loaded(
        async move {
            let (here, id, name) = (here?, id?, name?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
            let place = page_of(&work.document, &name)?;
            let ways = match place {
                PageRef::Cover => Vec::new(),
                PageRef::Inner(index) => {
                    design::ways(&here.app, &here.member.id, &work.document, index).await?
                }
            };
            Ok((here.member, work, name, place, ways))
        },
        |(member, work, name, place, ways)| {
            let form = use_form();
            let document = work.document.clone();
            let (page, title) = match place {
                PageRef::Cover => (document.cover.clone(), "封面".to_owned()),
                PageRef::Inner(index) => {
                    (document.pages.get(index).cloned().unwrap_or_default(), format!("第 {} 页", index + 1))
                }
            };
            let trim = document.trim;
            let theme = form.or("theme", page.theme.as_deref().unwrap_or(""));
            let ground = form.or("ground", page.ground.code());
            let address = format!("/manager/opus/{}/page/{name}", work.id);
            let back = match place {
                PageRef::Cover => format!("/manager/opus/{}", work.id),
                PageRef::Inner(index) => format!("/manager/opus/{}#page-{}", work.id, index + 1),
            };
            let photos = page_for_photos(&document, &name).is_ok();
            let words = if page.photos().next().is_some() {
                "换这一页的照片"
            } else {
                "给这一页放照片"
            };
            let photos =
                photos.then(|| view! { <a class="button" href=format!("{address}/photos")>{words}</a> });
            let saved = use_query("saved").filter(|_| !form.is_sent()).map(|_| {
                view! { <div class="notice good" role="status">"照片已换好；版式也可以再挑。"</div> }
            });
            let picture = |width| picture_address(&work.id, work.revision, place, width);
            let (small, large) = (picture(320), picture(720));
            let own = press::themes().iter().find(|theme| theme.name == document.theme);
            let themes: Vec<_> =
                std::iter::once((String::new(), "跟随全书", own.map_or("", |theme| theme.title)))
                    .chain(press::themes().iter().map(|theme| (theme.name.to_owned(), theme.title, "")))
                    .map(|(value, title, hint)| {
                        let checked = value == theme;
                        view! {
                            <label>
                                <input type="radio" name="theme" value=value checked=checked/>
                                <span>{title}<small>{hint}</small></span>
                            </label>
                        }
                    })
                    .collect();
            let grounds: Vec<_> = Ground::ALL
                .into_iter()
                .map(|known| {
                    view! {
                        <label>
                            <input type="radio" name="ground" value=known.code() checked=known.code() == ground/>
                            <span>{known.name()}</span>
                        </label>
                    }
                })
                .collect();
            view! {
                <Shell member title=format!("{title}的版式") assets=&["works.css"]>
                    {saved}
                    <header class="head">
                        <div>
                            <h1>{format!("{title}的版式")}</h1>
                            <p class="quiet"><a href=back>{format!("《{}》", document.title)}</a></p>
                        </div>
                        {photos}
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <form class="design" method="post" action=address>
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <figure class="now">
                            <img
                                src=large.clone()
                                srcset=format!("{small} 320w, {large} 720w")
                                sizes="(min-width: 900px) 22rem, 80vw"
                                width="720"
                                height=height_of(trim, 720)
                                alt=format!("{title}现在的样子")
                            />
                            <figcaption>"现在的样子"</figcaption>
                        </figure>
                        <div class="desk">
                            <Ways document=document.clone() page ways chosen=form.or("layout", "") place/>
                            <fieldset class="chips part" id="theme">
                                <legend>"这一页的风格"</legend>
                                <div>{themes}</div>
                                <FieldError name="theme".to_owned()/>
                            </fieldset>
                            <fieldset class="chips part" id="ground">
                                <legend>"底色"</legend>
                                <div>{grounds}</div>
                                <FieldError name="ground".to_owned()/>
                            </fieldset>
                            <div class="actionbar">
                                <p class="hint">"照片和文字都不会丢；保存成新版本，随时能还原"</p>
                                <button class="button primary">"保存版式"</button>
                            </div>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// More photos than any template has.
const MANY: usize = MAX_PER_PAGE + 1;

/// The layouts to choose from, drawn with the page's own photos.
#[component]
fn Ways(
    document: Document,
    page: Page,
    ways: Vec<Arrangement>,
    chosen: String,
    place: PageRef,
) -> impl IntoView {
    if place == PageRef::Cover {
        return None;
    }
    if ways.is_empty() {
        let reason = match page.photos().count() {
            0 => "这一页没有照片，没有版式可选。",
            MANY.. => "这一页的照片太多，没有现成的版式。",
            _ => "月历和 PDF 的页面按自己的样子排，没有版式可选。",
        };
        return Some(view! { <p class="quiet part">{reason}</p> }.into_any());
    }
    let is_now = |way: &Arrangement| places(&way.page) == places(&page);
    let known = ways.iter().any(is_now);
    let as_it_is = (!known).then(|| {
        view! {
            <label>
                <input type="radio" name="layout" value="" checked=chosen.is_empty()/>
                <span><Thumbnail document=document.clone() page=page.clone()/>"保持现在"</span>
            </label>
        }
    });
    let cards: Vec<_> = ways
        .iter()
        .map(|way| {
            let code = way.template.code();
            let checked = if chosen.is_empty() { is_now(way) } else { chosen == code };
            view! {
                <label>
                    <input type="radio" name="layout" value=code checked=checked/>
                    <span>
                        <Thumbnail document=document.clone() page=way.page.clone()/>
                        {way.template.title()}
                    </span>
                </label>
            }
        })
        .collect();
    let fewer = page.texts().any(|block| !block.text.is_empty()).then(|| {
        view! { <p class="hint">"这一页有文字，只列出放得下文字的版式。"</p> }
    });
    let view = view! {
        <fieldset class="chips cards layouts part" id="layout">
            <legend>"版式"</legend>
            {fewer}
            <div>{as_it_is}{cards}</div>
            <FieldError name="layout".to_owned()/>
        </fieldset>
    };
    Some(view.into_any())
}

/// Where the photos stand.
fn places(page: &Page) -> Vec<(String, Rect)> {
    page.photos().map(|frame| (frame.photo.to_string(), frame.frame)).collect()
}

/// A page in small: its photos as the library has them, and grey lines for words.
#[component]
fn Thumbnail(document: Document, page: Page) -> impl IntoView {
    let trim = document.trim;
    let elements: Vec<_> = page
        .elements
        .iter()
        .filter_map(|element| match element {
            Element::Photo(frame) => Some(view! { <Photo frame=frame.clone()/> }.into_any()),
            Element::Text(block) => Some(view! { <Words block=block.clone()/> }.into_any()),
            _ => None,
        })
        .collect();
    view! {
        <svg class="thumb" viewBox=format!("0 0 {} {}", trim.width, trim.height) aria-hidden="true">
            {elements}
        </svg>
    }
}

/// A photo's part in its frame: the inner picture is stretched so that the part fills it.
#[component]
fn Photo(frame: PhotoFrame) -> impl IntoView {
    let (Rect { x, y, width, height }, crop) = (frame.frame, frame.crop);
    view! {
        <svg x=x y=y width=width height=height viewBox=format!("{} {} {} {}", crop.x, crop.y, crop.width, crop.height) preserveAspectRatio="none">
            <image href=format!("/manager/photo/{}/320", frame.photo) width="1" height="1" preserveAspectRatio="none"/>
        </svg>
    }
}

#[component]
fn Words(block: TextBlock) -> impl IntoView {
    let Rect { x, y, width, height } = block.frame;
    let lines: Vec<_> = (0..3)
        .map(|line| (f64::from(line), 3.0 + f64::from(line) * 6.0))
        .filter(|(_, down)| *down < height)
        .map(|(line, down)| view! { <rect x=x y=y + down width=width * (1.0 - line * 0.2) height="2"/> })
        .collect();
    view! { <g class="words">{lines}</g> }
}
