//! The making desk.

use leptos::prelude::*;

use super::ebook::EbookOnDesk;
use crate::photos::{PhotoInput, PhotoPicker, UploadSlot};
use crate::works::formats::FORMATS;
use crate::works::newest_without_ebooks;
use platform::assets;
use platform::render::{here, loaded, use_acting, use_form, use_query};
use platform::ui::parts::{ErrorSummary, Field, FieldError};
use platform::ui::shell::Shell;

/// Works that may be published as e-books from here.
const MOST_WORKS: usize = 4;

/// GET /manager/make_ebook.
#[component]
pub fn MakePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let photos = crate::photos::library(&here.app, &here.member.id).await?;
            let kept = crate::photos::kept(&here.app, &here.member.id).await?;
            let works = newest_without_ebooks(&here.app, &here.member.id, MOST_WORKS).await?;
            Ok((here.member, photos, kept, works))
        },
        |(member, photos, kept, works)| {
            let form = use_form();
            // a template says what it begins with
            let asked = |name: &'static str| use_query(name).unwrap_or_default();
            let first = FORMATS.first().map_or("", |format| format.key);
            let known = asked("format");
            let known = FORMATS.iter().map(|format| format.key).find(|key| *key == known).unwrap_or(first);
            let chosen = form.or("format", known);
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
            let first = press::themes().first().map_or("", |theme| theme.name);
            let known = asked("theme");
            let known =
                press::themes().iter().map(|theme| theme.name).find(|name| *name == known).unwrap_or(first);
            let theme = form.or("theme", known);
            // a new book has its dates; a form that comes back has what was chosen
            let wants = |name: &str, new: bool| if form.is_sent() { !form.get(name).is_empty() } else { new };
            let said = |name: &'static str, new: bool| use_query(name).map_or(new, |value| !value.is_empty());
            let dates = wants("dates", said("dates", true));
            let chapters = wants("chapters", said("chapters", false));
            view! {
                <Shell member=member.clone() title="做书".to_owned() assets=&["works.css", "photos.css", "islands.js"]>
                    <header class="head">
                        <div>
                            <h1>"做书"</h1>
                            <p class="quiet">"选开本，放照片，自动排好版；文字之后都能再改。"</p>
                        </div>
                        <a class="button" href="/manager/opus_import">"导入作品"</a>
                    </header>
                    <ErrorSummary title="还差一点，请改好再生成"/>
                    <form
                        class="desk"
                        method="post"
                        action="/manager/make_ebook"
                        enctype="multipart/form-data"
                    >
                        <fieldset class="chips cards part" id="format">
                            <legend>"开本"</legend>
                            <div>{formats}</div>
                            <FieldError name="format".to_owned()/>
                        </fieldset>
                        <Themes chosen=theme/>
                        <section class="part">
                            <h2>"书名与作者"</h2>
                            <div class="fields two">
                                <Field name="title" label="书名" most=60 required=true/>
                                <Field name="author" label="作者" most=40/>
                            </div>
                        </section>
                        <fieldset class="picks part">
                            <legend>"文字"</legend>
                            <label>
                                <input type="checkbox" name="dates" value="1" checked=dates/>
                                <span>"图说写上拍摄日期"<small class="hint">"换了一天才写，之后都能改"</small></span>
                            </label>
                            <label>
                                <input type="checkbox" name="chapters" value="1" checked=chapters/>
                                <span>"按日期分章"<small class="hint">"隔了一夜以上的照片各成一章，每章前加一张章名页"</small></span>
                            </label>
                        </fieldset>
                        <section class="part">
                            <h2>"照片"</h2>
                            <div class="stack">
                                <UploadSlot label="上传新照片" member=member.clone() kept in_form=true>
                                    <PhotoInput label="上传新照片"/>
                                </UploadSlot>
                                <PhotoPicker photos/>
                            </div>
                        </section>
                        <div class="actionbar">
                            <p class="hint">"页数按照片数量自动建议；也可以先做一本空白的，照片以后一页一页地放"</p>
                            <button class="button primary">"生成画册"</button>
                            <button class="button" name="blank" value="1">"做一本空白的"</button>
                        </div>
                    </form>
                    {use_acting().is_none().then(|| view! { <EbookOnDesk member works/> })}
                </Shell>
            }
        },
    )
}

/// The choice of a theme, each shown by a chapter page and a page of photos.
#[component]
pub fn Themes(chosen: String) -> impl IntoView {
    let cards: Vec<_> = press::themes()
        .iter()
        .map(|theme| {
            let pages: Vec<_> = ["chapter", "page"]
                .into_iter()
                .map(|side| {
                    let src = assets::address(&format!("theme-{}-{side}.webp", theme.name));
                    view! { <img src=src width="180" height="180" alt="" loading="lazy"/> }
                })
                .collect();
            view! {
                <label>
                    <input type="radio" name="theme" value=theme.name checked=theme.name == chosen/>
                    <span><i class="open" aria-hidden="true">{pages}</i>{theme.title}<small>{theme.hint}</small></span>
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
