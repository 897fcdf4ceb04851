//! The making desk.

use leptos::prelude::*;
use web::assets;
use web::render::{Form, fragment, here, loaded, use_acting, use_form, use_query, use_raw_query};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, described_by};
use web::ui::shell::Shell;

use super::ebook::EbookOnDesk;
use super::weak::WeakPart;
use crate::formats::FORMATS;
use crate::from_guests::{self, GuestsPart};
use crate::making::{self, Ahead, parts_of};
use crate::newest_without_ebooks;
use domain::document::Emoji;
use domain::layout::{Density, Parts};
use domain::titles::TITLE_LENGTH;
use photos::{Choice, PhotoInput, PhotoPicker, UploadSlot};

/// Works that may be published as e-books from here.
const MOST_WORKS: usize = 4;

/// GET /manager/make_ebook: photos first, then what they become. `theme`, `format` and `density` in the query are chosen
/// already.
#[component]
pub fn MakePage() -> impl IntoView {
    let here = here();
    let (form, named) = chosen_before();
    let wished = ["theme", "format", "density"].map(use_query);
    loaded(
        async move {
            let here = here?;
            let guests = from_guests::offer(&here.app, &here.member.id, &form, named.as_deref()).await?;
            let form = match &guests {
                Some(offer) if named.is_some() => offer.first_form(),
                _ => form,
            };
            let kept = photos::kept(&here.app, &here.member.id).await?;
            let choice = Choice::of(&here.app, &here.member.id, &form, &[], kept).await?;
            let ahead = if form.is_sent() {
                let ids = making::chosen(&here.app, &here.member.id, &form).await?;
                let chosen = photos::of_member(&here.app, &here.member.id, &ids).await?;
                Some(making::look_ahead(&here.app, &here.member.id, &form, &chosen).await?)
            } else {
                None
            };
            let works = newest_without_ebooks(&here.app, &here.member.id, MOST_WORKS).await?;
            Ok((here.member, choice, kept, ahead, works, guests, form))
        },
        move |(member, choice, kept, ahead, works, guests, form)| {
            // what the address chose is a form like one that was sent
            provide_context(form);
            let form = use_form();
            let [theme, format, density] = wished;
            let wish = |known: Option<String>, first: &str| known.unwrap_or_else(|| first.to_owned());
            // what a template or a link asks for, as far as it is known here
            let theme = theme.filter(|name| press::themes().iter().any(|theme| theme.name == name));
            let format = format.filter(|key| FORMATS.iter().any(|format| format.key == key));
            let density = density.filter(|code| Density::of(code).is_some());
            let theme =
                form.or("theme", &wish(theme, press::themes().first().map_or("", |theme| theme.name)));
            let format = form.or("format", &wish(format, FORMATS.first().map_or("", |format| format.key)));
            let density = form.or("density", &wish(density, Density::default().code()));
            let title = ahead.as_ref().map_or("", |ahead| ahead.title.as_str()).to_owned();
            let summary = ahead.as_ref().map(summary).unwrap_or_default();
            view! {
                <Shell member=member.clone() title="做书".to_owned() assets=&["works.css", "photos.css", "making.css", "islands.js", "making.js"]>
                    <header class="head">
                        <div>
                            <h1>"做书"</h1>
                            <p class="quiet">"先放照片，自动排好版；开本、风格、文字之后都能再改。"</p>
                        </div>
                        <a class="button" href="/manager/opus_import">"导入作品"</a>
                    </header>
                    <ErrorSummary title="还差一点，请看一看再生成"/>
                    <form
                        class="desk making"
                        method="post"
                        action="/manager/make_ebook"
                        enctype="multipart/form-data"
                        data-desk="/manager/make_ebook/ahead"
                    >
                        <input type="hidden" name="asks" value="1"/>
                        // the button that Enter presses, before those of other ways
                        <button class="sr" tabindex="-1" aria-hidden="true">"生成画册"</button>
                        <section class="part" id="photos-part">
                            <h2 class="sr">"照片"</h2>
                            <div class="stack">
                                <UploadSlot label="上传新照片" member=member.clone() kept in_form=true>
                                    <PhotoInput label="上传新照片"/>
                                </UploadSlot>
                                <PhotoPicker choice by_month=true/>
                            </div>
                        </section>
                        <div id="ahead" aria-live="polite">
                            {ahead.map(|ahead| view! { <AheadPart ahead/> })}
                        </div>
                        <Formats chosen=format/>
                        <Densities chosen=density/>
                        <Themes chosen=theme/>
                        <EmojiChoice first=Emoji::Colour/>
                        <Words/>
                        {guests.map(|offer| view! { <GuestsPart offer/> })}
                        <section class="part" id="names">
                            <h2>"书名与作者"<small class="hint">"可以不填，之后再改"</small></h2>
                            <div class="fields two">
                                <div class="field">
                                    <label for="title">"书名"</label>
                                    <Limit name="title" most=TITLE_LENGTH.to_string()/>
                                    <input
                                        id="title"
                                        name="title"
                                        maxlength=TITLE_LENGTH.to_string()
                                        aria-describedby=described_by("title", true, form.error("title").is_some())
                                        value=form.or("title", "")
                                        placeholder=if title.is_empty() { making::UNTITLED.to_owned() } else { title }
                                    />
                                    <FieldError name="title".to_owned()/>
                                </div>
                                <Field name="author" label="作者" most=40/>
                            </div>
                        </section>
                        <div class="actionbar">
                            <p class="hint" id="summary">{summary}</p>
                            <button class="button" name="blank" value="1">"做一本空白的"</button>
                            <button class="button primary">"生成画册"</button>
                        </div>
                    </form>
                    {use_acting().is_none().then(|| view! { <EbookOnDesk member works/> })}
                </Shell>
            }
        },
    )
}

/// The form that was sent; on a first visit one with the photos that the address names, chosen in the library. With it the
/// collection of guests' photos that the address names.
fn chosen_before() -> (Form, Option<String>) {
    let form = use_form();
    if form.is_sent() {
        return (form, None);
    }
    if let Some(guests) = use_query("guests") {
        return (form, Some(guests));
    }
    let asked = read_form(use_raw_query().as_bytes()).unwrap_or_default();
    let named: Vec<_> = asked.all("photo").map(|id| ("photo".to_owned(), id.to_owned())).collect();
    let form = if named.is_empty() { form } else { Form::sent(named) };
    (form, None)
}

/// What will be made, in a line.
fn summary(ahead: &Ahead) -> String {
    match (ahead.photos, ahead.pages, ahead.empty) {
        (0, ..) | (_, 0, _) => String::new(),
        (photos, pages, 0) => format!("{photos} 张照片，{pages} 页"),
        (photos, pages, empty) => format!("{photos} 张照片，{pages} 页，其中 {empty} 页空白"),
    }
}

/// Where the photos were taken, where a book of them can have chapters by that, or where it was asked to.
fn cities_line(cities: &[String], by_cities: bool) -> Option<String> {
    const NAMED: usize = 4;
    match (cities.len(), by_cities) {
        (0 | 1, true) => Some("照片里没有记下两处以上的拍摄地点，不能一地一章。".to_owned()),
        (0 | 1, false) => None,
        (count, _) if count > NAMED => {
            Some(format!("拍摄地点：{}等 {count} 处。", cities[..NAMED].join("、")))
        }
        _ => Some(format!("拍摄地点：{}。", cities.join("、"))),
    }
}

/// The part of the page that says what the photos become, alone.
pub fn ahead_part(ahead: Ahead) -> String {
    fragment(move || view! { <AheadPart ahead/> }.into_any())
}

/// What the chosen photos become: pages, empty ones with ways out, photos that look alike.
#[component]
fn AheadPart(ahead: Ahead) -> impl IntoView {
    if ahead.photos == 0 {
        return None;
    }
    let line = summary(&ahead);
    let refusal = ahead.refusal.clone().map(|refusal| view! { <p class="error">{refusal}</p> });
    let across = (ahead.across > 0).then(|| {
        view! { <p class="hint">{format!("其中 {} 张跨两页铺开。", ahead.across)}</p> }
    });
    let times = match (ahead.named, ahead.timeless) {
        (0, 0) => None,
        (named, 0) => Some(format!("有 {named} 张照片里没有拍摄时间，按文件名里的时间排。")),
        (0, timeless) => Some(format!("有 {timeless} 张照片查不到拍摄时间，跟在和它一起上传的照片后面。")),
        (named, timeless) => Some(format!(
            "有 {named} 张按文件名里的时间排；还有 {timeless} 张查不到拍摄时间，跟在和它一起上传的照片后面。"
        )),
    };
    let times = times.map(|times| view! { <p class="hint">{times}</p> });
    let cities = cities_line(&ahead.cities, ahead.by_cities).map(|line| view! { <p class="hint">{line}</p> });
    let ways: Vec<_> = ahead
        .ways
        .iter()
        .map(|way| {
            let after = match way.empty {
                0 => format!("{} 页，没有空白", way.pages),
                empty => format!("{} 页，{empty} 页空白", way.pages),
            };
            view! {
                <button class="button" name="way" value=way.value.clone()>
                    {way.label.clone()}<small>{after}</small>
                </button>
            }
        })
        .collect();
    let empty = (ahead.empty > 0).then(|| {
        let enough = ahead.photos + ahead.empty;
        view! {
            <div class="notice warn ways">
                <p>
                    {format!("这种开本放 {enough} 张正好，现在 {} 张会有 ", ahead.photos)}
                    <strong class="num">{format!("{} 页空白", ahead.empty)}</strong>"。可以："
                </p>
                <div class="row">
                    {ways}
                    <a class="button" href="#photos-part">{format!("再放 {} 张", ahead.empty)}</a>
                </div>
                <p class="hint">"直接按“生成画册”，空白页留着写字或以后放照片。"</p>
                <input type="hidden" name="seen" value=ahead.empty.to_string()/>
            </div>
        }
    });
    let groups: Vec<_> = ahead
        .alike
        .iter()
        .map(|group| {
            let photos: Vec<_> = group
                .iter()
                .enumerate()
                .map(|(place, photo)| {
                    let id = photo.id.to_string();
                    let is_out = ahead.left_out.contains(&photo.id);
                    let best = (place == 0).then(|| view! { <span class="badge good">"最清楚"</span> });
                    view! {
                        <li>
                            <label>
                                <input
                                    type="checkbox"
                                    name="without"
                                    value=id.clone()
                                    checked=is_out
                                    aria-label=format!("不放 {}", photo.file_name)
                                />
                                <img src=format!("/manager/photo/{id}/320") alt=photo.file_name.clone() width="160" height="160"/>
                                {best}
                            </label>
                            <input type="hidden" name="compared" value=id/>
                        </li>
                    }
                })
                .collect();
            view! { <ul class="alike">{photos}</ul> }
        })
        .collect();
    let alike = (!groups.is_empty()).then(|| {
        view! {
            <fieldset class="part twins">
                <legend>{format!("很像的照片（{} 组）", groups.len())}</legend>
                <p class="hint">"每组先留最清楚的一张；打叉的不放进书里，点一下就换。"</p>
                {groups}
            </fieldset>
        }
    });
    Some(view! {
        <div class="ahead" data-title=ahead.title.clone() data-summary=line data-pending=ahead.pending.to_string()>
            {refusal}
            {empty}
            <WeakPart weak=ahead.weak/>
            {across}
            {times}
            {cities}
            {alike}
        </div>
    })
}

/// The choice of how emoji are shown; `first` is chosen already.
#[component]
pub fn EmojiChoice(first: Emoji) -> impl IntoView {
    let chosen = use_form().or("emoji", first.code());
    let hint = |emoji| match emoji {
        Emoji::Plain => "和文字一样的颜色",
        Emoji::Colour => "屏幕上和印出来都是彩色",
    };
    let chips = chips("emoji", &chosen, Emoji::ALL.map(|emoji| (emoji.code(), emoji.name(), hint(emoji))));
    view! {
        <fieldset class="chips part" id="emoji">
            <legend>"表情符号"</legend>
            <div>{chips}</div>
            <p class="hint">"彩色的表情图形来自 Twemoji（CC BY 4.0）"</p>
            <FieldError name="emoji".to_owned()/>
        </fieldset>
    }
}

/// One of a few words to choose from: its code, its name, and what it does.
type Chip = (&'static str, &'static str, &'static str);

fn chips<const N: usize>(field: &'static str, chosen: &str, choices: [Chip; N]) -> Vec<impl IntoView> {
    let chip = |(code, name, hint): Chip| {
        view! {
            <label>
                <input type="radio" name=field value=code checked=code == chosen/>
                <span>{name}<small>{hint}</small></span>
            </label>
        }
    };
    choices.map(chip).into()
}

/// The choice of a page size.
#[component]
pub fn Formats(chosen: String) -> impl IntoView {
    let formats: Vec<_> = FORMATS
        .iter()
        .map(|format| {
            let icon = match format.key {
                "a4-portrait" => "format a4",
                "a5-portrait" => "format a5",
                "landscape-280" => "format landscape",
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
    view! {
        <fieldset class="chips cards part" id="format">
            <legend>"开本"</legend>
            <div>{formats}</div>
            <FieldError name="format".to_owned()/>
        </fieldset>
    }
}

/// The choice of how full the pages are.
#[component]
fn Densities(chosen: String) -> impl IntoView {
    let choices = Density::ALL.map(|density| (density.code(), density.name(), density.hint()));
    let chips = chips("density", &chosen, choices);
    view! { <fieldset class="chips part" id="density"><legend>"疏密"</legend><div>{chips}</div></fieldset> }
}

/// What is written by itself.
#[component]
fn Words() -> impl IntoView {
    let form = use_form();
    // a new book has its dates, or what a template says; a form that comes back has what was chosen
    let dates = if form.is_sent() {
        !form.get("dates").is_empty()
    } else {
        use_query("dates").is_none_or(|dates| !dates.is_empty())
    };
    let parts = form.or("chapters", &use_query("chapters").unwrap_or_default());
    let chosen = parts_of(&parts);
    let choices = [None, Some(Parts::Pauses), Some(Parts::Days), Some(Parts::Cities)];
    let chapters: Vec<_> = choices
        .into_iter()
        .map(|parts| {
            let value = parts.map_or("", Parts::code);
            let name = match parts {
                None => "不分章",
                Some(Parts::Pauses) => "按间隔分章",
                Some(Parts::Days) => "一天一章",
                Some(Parts::Cities) => "一地一章",
            };
            view! {
                <label>
                    <input type="radio" name="chapters" value=value checked=parts == chosen/>
                    <span>{name}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="picks part">
            <legend>"文字"</legend>
            <label>
                <input type="checkbox" name="dates" value="1" checked=dates/>
                <span>"图说写上拍摄日期"<small class="hint">"换了一天才写，之后都能改"</small></span>
            </label>
        </fieldset>
        <fieldset class="chips part" id="chapters">
            <legend>"分章"<small class="hint">"隔了六小时以上算一段，地点看照片里的记录；每章前加一张章名页"</small></legend>
            <div>{chapters}</div>
        </fieldset>
    }
}

/// The choice of a theme, each shown by what is drawn of it (`examples/samples.rs` of the press): a chapter page and a page of
/// photos, or a month.
#[component]
pub fn Themes(
    chosen: String,
    #[prop(default = &["chapter", "page"])] sides: &'static [&'static str],
) -> impl IntoView {
    let cards: Vec<_> = press::themes()
        .iter()
        .map(|theme| {
            let pages: Vec<_> = sides
                .iter()
                .map(|side| {
                    let src = assets::address(&format!("theme-{}-{side}.webp", theme.name));
                    let height = if *side == "month" { "128" } else { "180" };
                    view! { <img src=src width="180" height=height alt="" loading="lazy"/> }
                })
                .collect();
            // a book's pages are what the words are about
            let hint = (sides.len() > 1).then(|| view! { <small>{theme.hint}</small> });
            view! {
                <label>
                    <input type="radio" name="theme" value=theme.name checked=theme.name == chosen/>
                    <span><i class="open" aria-hidden="true">{pages}</i>{theme.title}{hint}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="chips cards themes part" id="theme">
            <legend>"风格"</legend>
            <div>{cards}</div>
            <FieldError name="theme".to_owned()/>
        </fieldset>
    }
}
