//! GET /manager/opus_hotarea_edit/{id}?page=N: the hot areas of a page, and the form of one of them.

use domain::hot_area::{ARTICLE_LENGTH, Kind, NAME_LENGTH};
use domain::ids::WorkId;
use leptos::prelude::*;
use press::PageRef;

use super::offer::BUYING;
use crate::reader::areas::{self, HotArea};
use crate::reader::words::page_of;
use crate::works::{self, Work, picture_address};
use platform::db::new_id;
use platform::error::Error;
use platform::render::{Here, here, loaded, parameter, use_form, use_query};
use platform::ui::parts::{ErrorSummary, Field, FieldError, area_text, height_of};
use platform::ui::shell::Shell;

struct Shown {
    here: Here,
    work: Work,
    /// From 1.
    page: usize,
    areas: Vec<HotArea>,
    /// How many areas each page has, from the first on.
    counts: Vec<i64>,
}

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
            Ok(Shown { here, work, page, areas, counts })
        },
        |shown| view! { <Areas shown/> },
    )
}

#[component]
fn Areas(shown: Shown) -> impl IntoView {
    let Shown { here, work, page, areas, counts } = shown;
    let base = format!("/manager/opus_hotarea_edit/{}", work.id);
    let form = use_form();
    let saved = use_query("saved").filter(|_| !form.is_sent()).map(|what| {
        let words = if what == "removed" {
            "热区已拿掉。"
        } else {
            "热区已保存，读者马上看得到。"
        };
        view! { <div class="notice good" role="status">{words}</div> }
    });
    let asked =
        if form.is_sent() { form.get("area").to_owned() } else { use_query("area").unwrap_or_default() };
    let chosen = areas.iter().find(|area| area.id.as_str() == asked).cloned();
    let is_bought = here.app.policy(BUYING).is_some();
    let rects: Vec<_> = areas
        .iter()
        .map(|area| {
            let place = area.place;
            let is_chosen = chosen.as_ref().is_some_and(|chosen| chosen.id == area.id);
            view! {
                <a href=format!("{base}?page={page}&area={}", area.id) aria-label=format!("修改：{}", area.name)>
                    <rect
                        class=is_chosen.then_some("chosen")
                        x=place.x.to_string()
                        y=place.y.to_string()
                        width=place.width.to_string()
                        height=place.height.to_string()
                    ></rect>
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
                        " · 读者点书页上的一块地方，打开网址、别的页或一段文字"
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
                    <AreaForm base page chosen pages is_bought numbers=page_numbers(&work)/>
                </div>
            </div>
        </Shell>
    }
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
    is_bought: bool,
    numbers: Vec<String>,
) -> impl IntoView {
    let form = use_form();
    let known = chosen.as_ref();
    // sent twice, a new one is one
    let id = known.map_or_else(|| form.or("area", &new_id::<String>()), |area| area.id.to_string());
    let kind = form.or("kind", known.map_or("link", |area| area.kind.code()));
    let of = |kind: Kind| known.filter(|area| area.kind == kind);
    let address = of(Kind::Link).map(|area| area.target.clone()).unwrap_or_default();
    let to_page = of(Kind::Page).and_then(|area| numbers.iter().position(|id| *id == area.target));
    let words = form.or("words", known.map_or("", |area| &area.words));
    let side = |read: fn(&HotArea) -> u32| known.map(|area| read(area).to_string()).unwrap_or_default();
    let kinds: Vec<_> = Kind::ALL
        .into_iter()
        .filter(|choice| *choice != Kind::Product || is_bought)
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
            <form class="area" method="post" action=base.clone() data-area>
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
                    <textarea id="words" name="words" rows="5" maxlength=ARTICLE_LENGTH.to_string()>{area_text(&words)}</textarea>
                    <FieldError name="words".to_owned()/>
                </div>
                <button class="button primary" name="act" value="keep">"保存热区"</button>
            </form>
            {removal}
        </section>
    }
}
