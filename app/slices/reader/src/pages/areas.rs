//! GET /manager/opus_hotarea_edit/{id}?page=N: the hot areas of a page, and the form of one of them.

use std::collections::HashSet;

use base::error::Error;
use domain::hot_area::{ARTICLE_LENGTH, Kind, MOST_PHOTOS, MOST_PLACES, NAME_LENGTH};
use domain::ids::WorkId;
use domain::print_code::{Corner, SIDES_MM, USUAL_MM, WORDS_LENGTH, free_corners};
use domain::tier::Tier;
use leptos::prelude::*;
use press::PageRef;
use web::render::{self, Here, here, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, area_text, height_of};
use web::ui::shell::Shell;

use crate::areas::{self, HotArea, NO_SITE};
use crate::words::page_of;
use photos::{self, Photo, PhotoState};
use works::{self, Work, photos_of, picture_address};

struct Shown {
    here: Here,
    work: Work,
    /// From 1.
    page: usize,
    areas: Vec<HotArea>,
    /// How many areas each page has, from the first on.
    counts: Vec<i64>,
    /// Photos that an area may show: the work's own, and the newest of the library.
    photos: Vec<Photo>,
}

/// Photos of the library that are offered.
const MOST_OFFERED: usize = 60;

/// See the module.
#[component]
pub fn AreasPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let page = use_query("page");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = works::for_owner(&here.app, &id, &here.member.id).await?.on_shelf()?;
            let page: usize = page.map_or(Ok(1), |page| page.parse().map_err(|_| Error::NotFound))?;
            let shown =
                page.checked_sub(1).and_then(|_| page_of(&work.document, page)).ok_or(Error::NotFound)?;
            let areas = match &shown.id {
                Some(page) => areas::of_page(&here.app.db, &id, page).await?,
                None => Vec::new(),
            };
            let known = areas::counts(&here.app.db, &id).await?;
            let count = |page: &domain::document::Page| {
                page.id.as_ref().and_then(|id| known.get(id.as_str())).copied().unwrap_or(0)
            };
            let counts = work.document.pages.iter().map(count).collect();
            let photos = offered(&here, &work, &areas).await?;
            Ok(Shown { here, work, page, areas, counts, photos })
        },
        |shown| view! { <Areas shown/> },
    )
}

/// Photos for areas: those that are shown already, the page's book's, then the newest.
async fn offered(here: &Here, work: &Work, areas: &[HotArea]) -> Result<Vec<Photo>, Error> {
    let mut ids: Vec<_> = areas.iter().flat_map(|area| area.photos.clone()).collect();
    ids.extend(photos_of(&work.document));
    let mut offered = photos::of_member(&here.app, &here.member.id, &ids).await?;
    offered.extend(photos::newest(&here.app, &here.member.id, MOST_OFFERED).await?);
    let mut known = HashSet::new();
    offered.retain(|photo| {
        photo.state != PhotoState::Broken && photo.removed_at.is_none() && known.insert(photo.id.clone())
    });
    Ok(offered)
}

#[component]
fn Areas(shown: Shown) -> impl IntoView {
    let Shown { here, work, page, areas, counts, photos } = shown;
    let base = format!("/manager/opus_hotarea_edit/{}", work.id);
    let form = use_form();
    let saved = use_query("saved").filter(|_| !form.is_sent()).map(|what| {
        let words = match what.as_str() {
            "removed" => "热区已拿掉。",
            "printed" => "二维码已放到书页上。",
            _ => "热区已保存，读者马上看得到。",
        };
        view! { <div class="notice good" role="status">{words}</div> }
    });
    let asked =
        if form.is_sent() { form.get("area").to_owned() } else { use_query("area").unwrap_or_default() };
    let chosen = areas.iter().find(|area| area.id.as_str() == asked).cloned();
    let tier = here.member.tier;
    let site = here.app.config.public_url.clone();
    let on_paper = chosen.clone().filter(|area| area.kind.is_printed()).map(|area| {
        view! { <OnPaper work=work.clone() area page site/> }
    });
    let rects: Vec<_> = areas
        .iter()
        .map(|area| {
            let is_chosen = chosen.as_ref().is_some_and(|chosen| chosen.id == area.id);
            let rects: Vec<_> = area
                .places()
                .map(|place| {
                    view! {
                        <rect
                            class=is_chosen.then_some("chosen")
                            x=place.x.to_string()
                            y=place.y.to_string()
                            width=place.width.to_string()
                            height=place.height.to_string()
                        ></rect>
                    }
                })
                .collect();
            view! {
                <a href=format!("{base}?page={page}&area={}", area.id) aria-label=format!("修改：{}", area.name)>
                    {rects}
                </a>
            }
        })
        .collect();
    let items: Vec<_> = areas
        .iter()
        .map(|area| {
            view! {
                <li>
                    <a href=format!("{base}?page={page}&area={}#form", area.id)>{area.name.clone()}</a>
                    <small class="quiet">{area.kind.name()}</small>
                </li>
            }
        })
        .collect();
    let list = if items.is_empty() {
        view! { <p class="quiet">"这一页还没有热区。在图上拖出一块，或者在下面填写位置。"</p> }.into_any()
    } else {
        view! { <ul class="areas">{items}</ul> }.into_any()
    };
    let pages = counts.len();
    let neighbour = |at: usize, name: &'static str| {
        let href = format!("{base}?page={at}");
        (1..=pages).contains(&at).then(|| view! { <a class="button small" href=href>{name}</a> })
    };
    let (before, after) = (neighbour(page - 1, "上一页"), neighbour(page + 1, "下一页"));
    let options: Vec<_> = counts
        .iter()
        .enumerate()
        .map(|(index, count)| {
            let number = index + 1;
            let name = if *count > 0 {
                format!("第 {number} 页（{count} 个）")
            } else {
                format!("第 {number} 页")
            };
            view! { <option value=number.to_string() selected=number == page>{name}</option> }
        })
        .collect();
    view! {
        <Shell member=here.member title="热区".to_owned() assets=&["works.css", "hotareas.css", "hotareas.js"]>
            <header class="head">
                <div>
                    <h1>"热区"</h1>
                    <p class="quiet">
                        <a href=format!("/manager/opus_share_edit/{}", work.id)>{format!("《{}》的分享", work.document.title)}</a>
                        " · 读者点书页上的一块地方，打开网址、别的页、文字、图片、声音或视频"
                    </p>
                </div>
            </header>
            {saved}
            <ErrorSummary title="还没有保存"/>
            <form class="pages" action=base.clone()>
                {before}
                <label class="sr" for="page">"书页"</label>
                <select id="page" name="page">{options}</select>
                <button class="button small">"打开"</button>
                {after}
            </form>
            <div class="hotdesk">
                <div class="drawing" data-drawing>
                    <img
                        src=picture_address(&work.id, work.revision, PageRef::Inner(page - 1), 1280)
                        width="720"
                        height=height_of(work.document.trim, 720)
                        alt=format!("第 {page} 页")
                    />
                    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">{rects}</svg>
                </div>
                <div class="stack">
                    <section aria-labelledby="areas-title">
                        <h2 id="areas-title">{format!("第 {page} 页的热区")}</h2>
                        {list}
                    </section>
                    <AreaForm base page chosen pages tier photos numbers=page_numbers(&work)/>
                    {on_paper}
                </div>
            </div>
        </Shell>
    }
}

/// A QR code for the printed page, which leads to what an area says or plays.
#[component]
fn OnPaper(work: Work, area: HotArea, page: usize, site: Option<String>) -> impl IntoView {
    let form = use_form();
    let title = view! { <h2 id="on-paper">"印在纸上"</h2> };
    if site.is_none() {
        return view! {
            <section aria-labelledby="on-paper">{title}<p class="quiet">{NO_SITE}</p></section>
        }
        .into_any();
    }
    let side = areas::side_of(&work.document, &area.page);
    let shown = work.document.page(&area.page).cloned().unwrap_or_default();
    let free = free_corners(&shown, USUAL_MM, work.document.trim, side);
    let corner = form.or("corner", free.first().map_or("", |corner| corner.code()));
    let corners: Vec<_> = Corner::ALL
        .into_iter()
        .map(|choice| {
            view! { <option value=choice.code() selected=choice.code() == corner>{choice.name()}</option> }
        })
        .collect();
    let side = form.or("side", &USUAL_MM.to_string());
    let sides: Vec<_> = SIDES_MM
        .into_iter()
        .map(|choice| {
            let value = choice.to_string();
            let is_chosen = value == side;
            view! { <option value=value selected=is_chosen>{format!("{choice} 毫米")}</option> }
        })
        .collect();
    let editor = format!("/manager/opus_list_edit?id={}", work.id);
    view! {
        <section aria-labelledby="on-paper">
            {title}
            <p>
                "把一个小二维码印在这一页上，拿着书的人用手机一扫，就打开这里。"
                "分享停了或热区拿掉了，扫码的人会看到一句说明；再分享，同一个码又能打开。"
            </p>
            <form class="area" method="post" action=format!("/manager/opus_hotarea_edit/{}/code", work.id)>
                <input type="hidden" name="area" value=area.id.to_string()/>
                <input type="hidden" name="page" value=page.to_string()/>
                <input type="hidden" name="element" value=form.or("element", &render::once::<String>())/>
                <Field name="code-words" label="旁边的话（可以不写）" value=areas::usual_words(&area) most=WORDS_LENGTH as u32/>
                <div class="fields two">
                    <div class="field">
                        <label for="corner">"放在"</label>
                        <select id="corner" name="corner">{corners}</select>
                        <FieldError name="corner".to_owned()/>
                    </div>
                    <div class="field">
                        <label for="side">"大小"</label>
                        <select id="side" name="side">{sides}</select>
                        <FieldError name="side".to_owned()/>
                    </div>
                </div>
                <button class="button">"放到这一页上"</button>
            </form>
            <p class="hint">
                "放好以后，可以在"<a href=editor>"编辑器"</a>"里移动、放大或删除；已经下单的书不会改变。"
            </p>
        </section>
    }
    .into_any()
}

/// The pages' ids, the cover's first: a page is told by its number.
fn page_numbers(work: &Work) -> Vec<String> {
    work.document
        .all_pages()
        .map(|page| page.id.as_ref().map(ToString::to_string).unwrap_or_default())
        .collect()
}

#[component]
fn AreaForm(
    base: String,
    page: usize,
    chosen: Option<HotArea>,
    pages: usize,
    tier: Tier,
    photos: Vec<Photo>,
    numbers: Vec<String>,
) -> impl IntoView {
    let form = use_form();
    let known = chosen.as_ref();
    // sent twice, a new one is one
    let id = known.map_or_else(|| form.or("area", &render::once::<String>()), |area| area.id.to_string());
    let kind = form.or("kind", known.map_or("link", |area| area.kind.code()));
    let of = |kind: Kind| known.filter(|area| area.kind == kind);
    let address = of(Kind::Link).map(|area| area.target.clone()).unwrap_or_default();
    let to_page = of(Kind::Page).and_then(|area| numbers.iter().position(|id| *id == area.target));
    let words = form.or("words", known.map_or("", |area| &area.words));
    let side = |read: fn(&HotArea) -> u32| known.map(|area| read(area).to_string()).unwrap_or_default();
    let kinds: Vec<_> = Kind::ALL
        .into_iter()
        .map(|choice| {
            view! { <option value=choice.code() selected=choice.code() == kind>{choice.name()}</option> }
        })
        .collect();
    let removal = known.map(|area| {
        view! {
            <form method="post" action=base.clone()>
                <input type="hidden" name="area" value=area.id.to_string()/>
                <input type="hidden" name="page" value=page.to_string()/>
                <button class="link danger" name="act" value="remove">"拿掉这个热区"</button>
                " "
                <a class="link" href=format!("{base}?page={page}")>"画一个新的"</a>
            </form>
        }
    });
    let title = if known.is_some() { "修改热区" } else { "新热区" };
    view! {
        <section aria-labelledby="form">
            <h2 id="form">{title}</h2>
            <form class="area" method="post" action=base.clone() enctype="multipart/form-data" data-area>
                <input type="hidden" name="area" value=id/>
                <input type="hidden" name="page" value=page.to_string()/>
                <fieldset>
                    <legend>"位置（整页的宽和高都算 1000）"</legend>
                    <div class="four">
                        <Field name="x" label="左" value=side(|area| area.place.x) inputmode="numeric" most=4 required=true/>
                        <Field name="y" label="上" value=side(|area| area.place.y) inputmode="numeric" most=4 required=true/>
                        <Field name="width" label="宽" value=side(|area| area.place.width) inputmode="numeric" most=4 required=true/>
                        <Field name="height" label="高" value=side(|area| area.place.height) inputmode="numeric" most=4 required=true/>
                    </div>
                    <MorePlaces chosen=chosen.clone()/>
                </fieldset>
                <Field
                    name="name"
                    label="名称（读屏软件会念出来）"
                    value=known.map(|area| area.name.clone()).unwrap_or_default()
                    most=NAME_LENGTH as u32
                    required=true
                />
                <div class="field">
                    <label for="kind">"点了以后打开"</label>
                    <select id="kind" name="kind">{kinds}</select>
                    <FieldError name="kind".to_owned()/>
                </div>
                <div class="of an-address">
                    <Field name="address" label="网址" value=address inputmode="url" most=1000/>
                </div>
                <div class="of a-page">
                    <Field
                        name="to_page"
                        label="第几页（0 是封面）"
                        value=to_page.map(|number| number.to_string()).unwrap_or_default()
                        inputmode="numeric"
                        most=4
                    />
                    <p class="hint">{format!("一共 {pages} 页")}</p>
                </div>
                <div class="of a-text field">
                    <label for="words">"文字"</label>
                    <Limit name="words" most=ARTICLE_LENGTH.to_string()/>
                    <p class="hint of-media">"写在旁边的几句话，也念给看不见的人；可以不写"</p>
                    <textarea id="words" name="words" rows="5" maxlength=ARTICLE_LENGTH.to_string() aria-describedby="words-limit">{area_text(&words)}</textarea>
                    <FieldError name="words".to_owned()/>
                </div>
                <PlayedFile chosen=chosen.clone() tier/>
                <ShownPhotos chosen photos/>
                <button class="button primary" name="act" value="keep">"保存热区"</button>
            </form>
            {removal}
        </section>
    }
}

/// Further rectangles of an area, and an empty field for one more.
#[component]
fn MorePlaces(chosen: Option<HotArea>) -> impl IntoView {
    let form = use_form();
    let mut places: Vec<String> = if form.is_sent() {
        form.all("more").map(str::to_owned).collect()
    } else {
        chosen.map(|area| area.more.iter().map(ToString::to_string).collect()).unwrap_or_default()
    };
    places.retain(|place| !domain::typed::is_blank(place));
    if places.len() + 1 < MOST_PLACES {
        places.push(String::new());
    }
    let is_refused = form.error("more").is_some();
    let fields: Vec<_> = places
        .into_iter()
        .enumerate()
        .map(|(index, place)| {
            // the first rectangle has fields of its own
            let label = format!("第 {} 块：左,上,宽,高", index + 2);
            view! {
                <input
                    class="input"
                    name="more"
                    value=place
                    maxlength="40"
                    autocomplete="off"
                    placeholder="左,上,宽,高"
                    aria-label=label
                    aria-invalid=is_refused.then_some("true")
                    aria-describedby=if is_refused { "more-error more-hint" } else { "more-hint" }
                />
            }
        })
        .collect();
    view! {
        <div class="field more-places" id="more" tabindex="-1">
            <p class="hint" id="more-hint">
                "同一个热区可以有几块，像转栏的文章：每块填左,上,宽,高，如 100,200,300,150；不要哪一块就清空它"
            </p>
            {fields}
            <FieldError name="more".to_owned()/>
        </div>
    }
}

/// The file that an area of sound or a film plays.
#[component]
fn PlayedFile(chosen: Option<HotArea>, tier: Tier) -> impl IntoView {
    let form = use_form();
    let media = chosen.and_then(|area| area.media);
    let known = form.or("media", media.as_ref().map_or("", |media| media.id.as_str()));
    let most = |kind: Kind| kind.most_bytes(tier).unwrap_or(0) >> 20;
    let hint = format!(
        "声音 MP3、M4A，最多 {} MB；视频 MP4、WebM，最多 {} MB；算在您的素材空间里",
        most(Kind::Audio),
        most(Kind::Video)
    );
    let now = match media {
        Some(media) => Some(format!(
            "现在是 {}（{:.1} MB）；不换就不用选",
            media.file_name,
            media.bytes as f64 / 1048576.0
        )),
        None if !known.is_empty() => Some("文件已经收到，不用再选".to_owned()),
        None => None,
    };
    view! {
        <div class="of a-file field">
            <input type="hidden" name="media" value=known/>
            <label for="file">"文件"</label>
            <p class="hint">{hint}</p>
            {now.map(|now| view! { <p class="quiet">{now}</p> })}
            <input
                id="file"
                class="input"
                name="file"
                type="file"
                accept="audio/mpeg,audio/mp4,audio/x-m4a,video/mp4,video/webm,.mp3,.m4a,.mp4,.webm"
            />
            <FieldError name="file".to_owned()/>
        </div>
    }
}

/// The photos that an area shows.
#[component]
fn ShownPhotos(chosen: Option<HotArea>, photos: Vec<Photo>) -> impl IntoView {
    let form = use_form();
    let chosen: Vec<String> = if form.is_sent() {
        form.all("photo").map(str::to_owned).collect()
    } else {
        chosen.map(|area| area.photos.iter().map(ToString::to_string).collect()).unwrap_or_default()
    };
    let items: Vec<_> = photos
        .into_iter()
        .map(|photo| {
            let id = photo.id.to_string();
            let checked = chosen.contains(&id);
            view! {
                <li>
                    <label>
                        <input type="checkbox" name="photo" value=id checked=checked aria-label=photo.file_name.clone()/>
                        <img src=format!("/manager/photo/{}/320", photo.id) width="96" height="96" alt="" loading="lazy"/>
                    </label>
                </li>
            }
        })
        .collect();
    view! {
        <fieldset class="of photos" id="photos-chosen">
            <legend>{format!("照片（最多 {MOST_PHOTOS} 张）")}</legend>
            <ul class="picks-small">{items}</ul>
            <div class="field">
                <label for="photos">"上传新的"</label>
                <input id="photos" class="input" name="photos" type="file" accept="image/jpeg,image/png,image/webp" multiple/>
            </div>
            <FieldError name="photos".to_owned()/>
        </fieldset>
    }
}
