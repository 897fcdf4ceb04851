//! GET /manager/opus/{id}/page/{page}: how one page looks, and how it could look.

use domain::compare::Place;
use domain::document::{Document, Element, Ground, Page, PhotoFrame, Rect, TextBlock, Typeface};
use domain::ids::WorkId;
use domain::layout::{Arrangement, Density, MAX_PER_PAGE, SpreadWay, is_free, takes_photos};
use leptos::prelude::*;
use press::PageRef;
use web::render::{here, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, FieldError, height_of};
use web::ui::shell::Shell;

use super::work::{text_fields, texts_of};
use crate::better::{ACROSS, is_across};
use crate::findings::{FindingItem, listed_findings, preflight};
use crate::page_photos::page_for_photos;
use crate::pictures::page_of;
use crate::{design, editor, picture_address, spread, store};

/// The spread that a page belongs to, large; other ways for its photos; then the page's own photos, words, layout, theme and
/// background.
#[component]
pub fn DesignPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let name = parameter::<String>("page");
    loaded(
        async move {
            let (here, id, name) = (here?, id?, name?);
            let (app, member) = (&here.app, &here.member.id);
            let work = store::find_for_owner(&app.db, &id, member).await?.on_shelf()?;
            let place = page_of(&work.document, &name)?;
            let ways = match place {
                PageRef::Cover => Vec::new(),
                PageRef::Inner(index) => design::ways(app, member, &work.document, index).await?,
            };
            let spreads = spread::ways_of(app, member, &work.document, place).await?;
            let findings = preflight(app, member, &work.document, None).await?;
            Ok((here.member, work, name, place, ways, spreads, findings))
        },
        |(member, work, name, place, ways, spreads, findings)| {
            let form = use_form();
            let document = work.document.clone();
            let (page, title) = match place {
                PageRef::Cover => (document.cover.clone(), "封面".to_owned()),
                PageRef::Inner(index) => {
                    (document.pages.get(index).cloned().unwrap_or_default(), format!("第 {} 页", index + 1))
                }
            };
            let address = format!("/manager/opus/{}/page/{name}", work.id);
            let back = match place {
                PageRef::Cover => format!("/manager/opus/{}", work.id),
                PageRef::Inner(index) => format!("/manager/opus/{}#page-{}", work.id, index + 1),
            };
            let editor = format!("{}&page={name}", editor::address(&work));
            let saved = use_query("saved").filter(|_| !form.is_sent()).map(|what| {
                let words = match what.as_str() {
                    "photos" => "照片已换好；版式也可以再挑。",
                    "spread" => "已换好，不喜欢可以再换。",
                    "better" => "照片已换好，相框没有动。",
                    "filling" => "已补上没用过的照片；版式也可以再挑。",
                    _ => "已保存。",
                };
                view! { <div class="notice good" role="status">{words}</div> }
            });
            let shown = match place {
                PageRef::Cover => Vec::new(),
                PageRef::Inner(index) => spread::facing(&document, index),
            };
            let found: Vec<_> = listed_findings(findings)
                .into_iter()
                .filter(|finding| match (finding.page, place) {
                    (Some(PageRef::Cover), PageRef::Cover) => true,
                    (Some(PageRef::Inner(index)), PageRef::Inner(_)) => shown.contains(&index),
                    _ => false,
                })
                .map(|finding| view! { <FindingItem finding place=address.clone()/> })
                .collect();
            let found = (!found.is_empty()).then(|| view! { <ul class="findings">{found}</ul> });
            let heading = match shown.as_slice() {
                [first, last] => format!("第 {}–{} 页", first + 1, last + 1),
                _ => title.clone(),
            };
            view! {
                <Shell member title=format!("{title}的版式") assets=&["works.css", "drafts.js"]>
                    {saved}
                    <header class="head">
                        <div>
                            <h1>{heading}</h1>
                            <p class="row quiet">
                                <a class="link" href=back>{format!("《{}》", document.title)}</a>
                                <a class="link" href=editor>"回到编辑器"</a>
                            </p>
                        </div>
                        <Neighbours work=work.clone() place/>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <Large work=work.clone() place shown/>
                    {found}
                    <SpreadWays work=work.clone() place spreads/>
                    <Fill work=work.clone() name=name.clone() place/>
                    <PagePhotos work=work.clone() name=name.clone() page=page.clone() title=title.clone()/>
                    <PageTexts work=work.clone() place/>
                    <form class="desk" method="post" action=address id="look">
                        <h2>{format!("{title}的版式")}</h2>
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <Ways document=document.clone() page=page.clone() ways chosen=form.or("layout", "") place/>
                        <Looks work=work.clone() place page/>
                        <div class="actionbar">
                            <p class="hint">"照片和文字都不会丢；保存成新版本，随时能还原"</p>
                            <button class="button primary">"保存版式"</button>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// The spreads before and after.
#[component]
fn Neighbours(work: store::Work, place: PageRef) -> impl IntoView {
    let count = work.document.pages.len();
    let address = |name: String| format!("/manager/opus/{}/page/{name}", work.id);
    let (before, after) = match place {
        PageRef::Cover => (None, (count > 0).then(|| address("1".into()))),
        PageRef::Inner(index) => {
            let first = spread::first_of(index);
            let before = if first == 0 { "cover".to_owned() } else { spread::first_of(first - 1).add_one() };
            let next = spread::facing(&work.document, index).last().map_or(first, |last| *last) + 1;
            (Some(address(before)), (next < count).then(|| address(next.add_one())))
        }
    };
    let before = before.map(|href| view! { <a class="button small" href=href rel="prev">"‹ 上一对开"</a> });
    let after = after.map(|href| view! { <a class="button small" href=href rel="next">"下一对开 ›"</a> });
    view! { <nav class="row" aria-label="翻页">{before}{after}</nav> }
}

/// The number of a page, from 1, as addresses say it.
trait AddOne {
    fn add_one(self) -> String;
}

impl AddOne for usize {
    fn add_one(self) -> String {
        (self + 1).to_string()
    }
}

/// The pages that are seen at once, as they are.
#[component]
fn Large(work: store::Work, place: PageRef, shown: Vec<usize>) -> impl IntoView {
    let trim = work.document.trim;
    let places: Vec<(PageRef, String, String)> = match place {
        PageRef::Cover => vec![(place, "封面".to_owned(), "cover".to_owned())],
        PageRef::Inner(_) => shown
            .iter()
            .map(|index| (PageRef::Inner(*index), format!("第 {} 页", index + 1), index.add_one()))
            .collect(),
    };
    let class = match (place, shown.as_slice()) {
        (PageRef::Inner(_), [0]) => "pair single",
        (PageRef::Inner(_), [_]) => "pair single last",
        (PageRef::Inner(_), _) => "pair",
        (PageRef::Cover, _) => "pair front",
    };
    let pages: Vec<_> = places
        .into_iter()
        .map(|(at, name, number)| {
            let picture = |width| picture_address(&work.id, work.revision, at, width);
            let (small, large, huge) = (picture(320), picture(720), picture(1280));
            view! {
                <a
                    href=format!("/manager/opus/{}/page/{number}", work.id)
                    aria-current=(at == place).then_some("page")
                >
                    <img
                        src=large.clone()
                        srcset=format!("{small} 320w, {large} 720w, {huge} 1280w")
                        sizes="(min-width: 70em) 500px, 48vw"
                        width="720"
                        height=height_of(trim, 720)
                        alt=format!("{name}现在的样子")
                    />
                </a>
            }
        })
        .collect();
    view! { <div class="spreads large"><figure><div class=class>{pages}</div></figure></div> }
}

/// Other ways for the photos of the spread, or other compositions of the cover; one press takes one.
#[component]
fn SpreadWays(work: store::Work, place: PageRef, spreads: Vec<SpreadWay>) -> impl IntoView {
    let form = use_form();
    let (document, now) = match place {
        PageRef::Cover => (&work.document, vec![&work.document.cover]),
        PageRef::Inner(index) => {
            let pages = spread::facing(&work.document, index);
            (&work.document, pages.iter().filter_map(|index| work.document.pages.get(*index)).collect())
        }
    };
    let now: Vec<_> = now.into_iter().flat_map(places).collect();
    let is_now = |way: &SpreadWay| way.pages.iter().flat_map(places).collect::<Vec<_>>() == now;
    let trim = document.trim;
    let first = match place {
        PageRef::Cover => None,
        PageRef::Inner(index) => Some(spread::first_of(index)),
    };
    let wanted = use_query("density").and_then(|code| Density::of(&code));
    let named = match place {
        PageRef::Cover => "cover".to_owned(),
        PageRef::Inner(index) => index.add_one(),
    };
    let address = format!("/manager/opus/{}/page/{named}", work.id);
    let filters = (first.is_some() && spreads.len() > 1).then(|| {
        let link = |density: Option<Density>| {
            let (href, name) = match density {
                Some(density) => (format!("{address}?density={}#ways", density.code()), density.name()),
                None => (format!("{address}#ways"), "全部"),
            };
            view! { <a href=href aria-current=(density == wanted).then_some("true")>{name}</a> }
        };
        let links: Vec<_> = std::iter::once(None).chain(Density::ALL.map(Some)).map(link).collect();
        view! { <nav class="sorts" aria-label="疏密">{links}</nav> }
    });
    let cards: Vec<_> = spreads
        .iter()
        .filter(|way| !is_now(way) && wanted.is_none_or(|wanted| wanted == way.density))
        .map(|way| {
            let pictures: Vec<_> = (0..way.pages.len())
                .map(|at| {
                    let shown = first.map_or(PageRef::Cover, |first| PageRef::Inner(first + at));
                    let src = format!("{}&way={}", picture_address(&work.id, work.revision, shown, 320), way.code);
                    view! { <img src=src width="160" height=height_of(trim, 160) alt="" loading="lazy"/> }
                })
                .collect();
            let density = first.map(|_| way.density.name());
            view! {
                <button name="way" value=way.code.clone() aria-label=format!("换成：{}", way.title)>
                    <i class="open" aria-hidden="true">{pictures}</i>
                    <small>{way.title.clone()}{density.map(|name| view! { <span class="badge">{name}</span> })}</small>
                </button>
            }
        })
        .collect();
    let cards = if cards.is_empty() {
        let reason = if spreads.is_empty() {
            "这里没有别的排法：没有照片，或页面由月份、原稿决定。"
        } else {
            "没有这样疏密的排法。"
        };
        view! { <p class="quiet">{reason}</p> }.into_any()
    } else {
        view! { <div class="swap">{cards}</div> }.into_any()
    };
    view! {
        <section class="part" id="ways">
            <h2>{if first.is_some() { "换一换" } else { "换一种封面" }}</h2>
            {filters}
            <FieldError name="way".to_owned()/>
            <form method="post" action=format!("{address}/spread")>
                <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                {cards}
            </form>
        </section>
    }
}

/// Filling the spread up with photos that the book does not show yet.
#[component]
fn Fill(work: store::Work, name: String, place: PageRef) -> impl IntoView {
    let PageRef::Inner(index) = place else { return None };
    let pages: Vec<usize> = spread::facing(&work.document, index);
    let takes = |index: &usize| work.document.pages.get(*index).is_some_and(takes_photos);
    if !is_free(&work.document) || !pages.iter().any(takes) {
        return None;
    }
    let form = use_form();
    let words = if pages.len() == 2 { "补满这一跨页" } else { "补满这一页" };
    Some(view! {
        <section class="part" id="filling">
            <h2>{words}</h2>
            <form class="stack" method="post" action=format!("/manager/opus/{}/page/{name}/filling", work.id)>
                <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                <p class="hint">"从没用过的照片里挑拍摄时间最近的放进来，好的和有人的在前；原有的照片和文字都不会丢。"</p>
                <FieldError name="filling".to_owned()/>
                <div class="row"><button class="button">{words}</button></div>
            </form>
        </section>
    })
}

/// The page's photos, and where they are changed.
#[component]
fn PagePhotos(work: store::Work, name: String, page: Page, title: String) -> impl IntoView {
    let may = page_for_photos(&work.document, &name).is_ok();
    let place = page_of(&work.document, &name).ok();
    let is_across = |frame: &PhotoFrame| place.is_some_and(|place| is_across(&work.document, place, frame));
    let across = page.photos().any(is_across).then(|| view! { <p class="hint">{ACROSS}</p> });
    let photos: Vec<_> = page
        .photos()
        .map(|frame| {
            let href = format!("/manager/photo/{}", frame.photo);
            let src = format!("{href}/320");
            let better = frame.common.id.as_ref().filter(|_| !is_across(frame)).map(|id| {
                let href = format!("/manager/opus/{}/page/{name}/better/{id}", work.id);
                view! { <a class="link" href=href>"换更好的"</a> }
            });
            view! {
                <li>
                    <a href=href><img src=src alt="照片" width="120" height="120" loading="lazy"/></a>
                    {better}
                </li>
            }
        })
        .collect();
    if photos.is_empty() && !may {
        return None;
    }
    let words = if photos.is_empty() { "给这一页放照片" } else { "换这一页的照片" };
    let link = may.then(|| {
        view! { <a class="button" href=format!("/manager/opus/{}/page/{name}/photos", work.id)>{words}</a> }
    });
    Some(view! {
        <section class="part" id="page-photos">
            <h2>{format!("{title}的照片")}</h2>
            <ul class="strip">{photos}</ul>
            {across}
            {link}
        </section>
    })
}

/// The page's words, to be changed where they stand.
#[component]
fn PageTexts(work: store::Work, place: PageRef) -> impl IntoView {
    let (document, revision) = (work.document, work.revision);
    let (at, page, back) = match place {
        PageRef::Cover => (Place::Cover, &document.cover, String::new()),
        PageRef::Inner(index) => (Place::Inner(index), document.pages.get(index)?, index.add_one()),
    };
    let texts = texts_of(&document, at, page);
    if texts.is_empty() {
        return None;
    }
    let fonts: Vec<_> = texts
        .iter()
        .filter_map(|(name, label, _)| {
            let place = name.strip_prefix("text-")?;
            match page.elements.get(place.rsplit_once('-')?.1.parse::<usize>().ok()?)? {
                Element::Text(block) => Some(view! {
                    <FontField name=format!("font-{place}") label=format!("{label}的字体") font=block.font/>
                }),
                _ => None,
            }
        })
        .collect();
    let fields = text_fields(texts);
    let form = use_form();
    Some(view! {
        <section class="part" id="page-texts">
            <h2>"文字"</h2>
            <form class="stack" method="post" action=format!("/manager/opus/{}/texts", work.id) data-draft>
                <input type="hidden" name="revision" value=form.or("revision", &revision.to_string())/>
                <input type="hidden" name="title" value=document.title.clone()/>
                <input type="hidden" name="author" value=document.author.clone()/>
                <input type="hidden" name="back" value=back/>
                <div class="captions">{fields}</div>
                <div class="captions">{fonts}</div>
                <div class="row"><button class="button">"保存文字"</button></div>
            </form>
        </section>
    })
}

/// The typeface of a text.
#[component]
fn FontField(name: String, label: String, font: Option<Typeface>) -> impl IntoView {
    let form = use_form();
    let chosen = form.or(&name, font.map_or("", Typeface::code));
    let options: Vec<_> = std::iter::once(("", "按风格"))
        .chain(Typeface::ALL.map(|font| (font.code(), font.name())))
        .map(|(code, words)| view! { <option value=code selected=code == chosen>{words}</option> })
        .collect();
    view! {
        <div class="field">
            <label for=name.clone()>{label}</label>
            <select class="input" id=name.clone() name=name.clone()>{options}</select>
            <FieldError name/>
        </div>
    }
}

/// The page's theme and background, each as it would look.
#[component]
fn Looks(work: store::Work, place: PageRef, page: Page) -> impl IntoView {
    let form = use_form();
    let trim = work.document.trim;
    let theme = form.or("theme", page.theme.as_deref().unwrap_or(""));
    let ground = form.or("ground", page.ground.code());
    let picture = move |what: &str, value: &str| {
        let address = picture_address(&work.id, work.revision, place, 320);
        let src = if value.is_empty() { address } else { format!("{address}&{what}={value}") };
        view! { <img class="thumb" src=src width="120" height=height_of(trim, 120) alt="" loading="lazy"/> }
    };
    let own = press::themes().iter().find(|theme| theme.name == work.document.theme);
    let themes: Vec<_> = std::iter::once((String::new(), "跟随全书", own.map_or("", |theme| theme.title)))
        .chain(press::themes().iter().map(|theme| (theme.name.to_owned(), theme.title, "")))
        .map(|(value, title, hint)| {
            let checked = value == theme;
            let shown = if value.is_empty() { own.map_or("", |theme| theme.name) } else { value.as_str() };
            let picture = picture("theme", shown);
            view! {
                <label>
                    <input type="radio" name="theme" value=value checked=checked/>
                    <span>{picture}{title}<small>{hint}</small></span>
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
                    <span>{picture("ground", known.code())}{known.name()}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="chips cards layouts part" id="theme">
            <legend>"这一页的风格"</legend>
            <div>{themes}</div>
            <FieldError name="theme".to_owned()/>
        </fieldset>
        <fieldset class="chips cards layouts part" id="ground">
            <legend>"底色"</legend>
            <div>{grounds}</div>
            <FieldError name="ground".to_owned()/>
        </fieldset>
    }
}

/// More photos than any template has.
const MANY: usize = MAX_PER_PAGE + 1;

/// The layouts to choose from, drawn with the page's own photos.
/// Whether the page's photo goes on over the fold.
fn spans(document: &Document, place: PageRef) -> bool {
    let PageRef::Inner(index) = place else { return false };
    let shown = spread::facing(document, index);
    matches!(shown.as_slice(), [first, _] if domain::layout::is_across(document, *first))
}

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
            1 if spans(&document, place) => "这张照片跨在两页上；要换版式，请用上面的“换一换”。",
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
