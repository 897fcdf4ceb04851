//! The making desk for documents.

use domain::document::Emoji;
use leptos::prelude::*;
use web::render::{self, here, loaded, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, area_text};
use web::ui::shell::Shell;

use crate::documents::{AS_IN_FILE, SentPictures};
use crate::editor::EditorPage;
use crate::formats::FORMATS;
use crate::pages::make::EmojiChoice;

/// One of several choices: its value, its name, and a hint.
type Choice = (&'static str, &'static str, &'static str);

/// GET /manager/opus-document; with `?id=` the editor.
#[component]
pub fn DocumentPage() -> impl IntoView {
    if use_query("id").is_some() {
        return view! { <EditorPage/> }.into_any();
    }
    view! { <Desk/> }.into_any()
}

#[component]
fn Desk() -> impl IntoView {
    let here = here();
    loaded(async move { Ok(here?.member) }, |member| {
        let form = use_form();
        // pressed twice, it makes one work
        let id = form.or("work", &render::once::<String>());
        let formats: Vec<Choice> = std::iter::once((AS_IN_FILE, "自动", "PDF 用原来的大小，文字用 A5"))
            .chain(FORMATS.iter().map(|format| (format.key, paper_name(format.name), format.hint)))
            .collect();
        let themes: Vec<Choice> = press::themes().iter().map(|theme| (theme.name, theme.title, "")).collect();
        let covers = vec![
            ("both", "排字加第一页", "第一页缩小放在上面，内页也有"),
            ("words", "排字封面", "书名和作者"),
            ("first", "PDF 第一页", "不再当作内页"),
        ];
        let markups =
            vec![("plain", "纯文字", "一行一段"), ("markdown", "Markdown", "# 标题、- 列表、**重点**")];
        let theme = themes.first().map_or("", |theme| theme.0);
        let kept = Some(form.or("kept", "")).filter(|kept| !kept.is_empty()).map(|kept| {
            let name = form.or("kept_name", "");
            view! {
                <input type="hidden" name="kept" value=kept/>
                <input type="hidden" name="kept_name" value=name.clone()/>
                <p class="notice good">{format!("已收到 {name}，不用再选。")}</p>
            }
        });
        let pictures =
            Some(form.or("pictures", "")).filter(|pictures| !pictures.is_empty()).map(|pictures| {
                let notes = SentPictures::sent(&pictures).unwrap_or_default().notes;
                let notes: Vec<_> =
                    notes.into_iter().map(|note| view! { <p class="notice warn">{note}</p> }).collect();
                view! {
                    <input type="hidden" name="pictures" value=pictures/>
                    <p class="notice good">"压缩包已经收到：图片在素材里，文字在下面，不用再选文件。"</p>
                    {notes}
                }
            });
        let file_error = form.error("file").is_some();
        let text_error = form.error("text").is_some();
        view! {
            <Shell member title="文档".to_owned() assets=&["works.css", "photos.css"]>
                <header class="head">
                    <div>
                        <h1>"文档"</h1>
                        <p class="quiet">
                            "把 PDF 装订成书，文字和线条保持矢量；或者交来一篇文字，自动排好版面、目录和页码。"
                        </p>
                    </div>
                </header>
                <ErrorSummary title="还差一点，请改好再生成"/>
                <form class="desk" method="post" action="/manager/opus-document" enctype="multipart/form-data">
                    <input type="hidden" name="work" value=id/>
                    <section class="part">
                        <h2>"原稿"</h2>
                        <div class="stack">
                            {kept}
                            <div class="field">
                                <label for="file">"PDF、Markdown 或文字文件"</label>
                                <p class="hint" id="file-hint">
                                    ".pdf 最大 100 MB，不能有密码；.md 和 .txt 最大 2 MB；文字里有图片，就把 .md 和图片装进一个 .zip"
                                </p>
                                <input
                                    id="file"
                                    class="input"
                                    name="file"
                                    type="file"
                                    accept=".pdf,.md,.markdown,.txt,.zip,application/pdf,text/markdown,text/plain,application/zip"
                                    aria-invalid=file_error.then_some("true")
                                    aria-describedby="file-hint"
                                />
                                <FieldError name="file".to_owned()/>
                            </div>
                            {pictures}
                            <details class="fold" open=text_error || !form.or("text", "").is_empty()>
                                <summary>"或者粘贴文字"</summary>
                                <div class="stack">
                                    <div class="field">
                                        <label for="text">"文字"</label>
                                        <textarea
                                            id="text"
                                            name="text"
                                            rows="12"
                                            aria-invalid=text_error.then_some("true")
                                            aria-describedby=text_error.then_some("text-error")
                                        >
                                            {area_text(&form.or("text", ""))}
                                        </textarea>
                                        <FieldError name="text".to_owned()/>
                                    </div>
                                    <Chips name="markup" legend="写法" choices=markups first="plain"/>
                                </div>
                            </details>
                        </div>
                    </section>
                    <section class="part">
                        <h2>"书名与作者"</h2>
                        <div class="fields two">
                            <Field name="title" label="书名（不填就用原稿的标题或文件名）" most=60/>
                            <Field name="author" label="作者" most=40/>
                        </div>
                    </section>
                    <Chips name="format" legend="开本" choices=formats first=AS_IN_FILE/>
                    <Chips name="cover" legend="封面" choices=covers first="both"/>
                    <Chips name="theme" legend="风格" choices=themes first=theme/>
                    <EmojiChoice first=Emoji::Colour/>
                    <div class="actionbar">
                        <p class="hint">"大小不同的页会居中缩放；页数不够时，最后补空白页"</p>
                        <button class="button primary">"生成文档"</button>
                    </div>
                </form>
            </Shell>
        }
    })
}

/// A format's name without the album.
fn paper_name(name: &str) -> &str {
    name.trim_end_matches("画册").trim_end_matches('小').trim()
}

/// A choice of one, each as a chip.
#[component]
fn Chips(
    name: &'static str,
    legend: &'static str,
    choices: Vec<Choice>,
    first: &'static str,
) -> impl IntoView {
    let chosen = use_form().or(name, first);
    let chips: Vec<_> = choices
        .into_iter()
        .map(|(value, label, hint)| {
            let hint = (!hint.is_empty()).then(|| view! { <small>{hint}</small> });
            view! {
                <label>
                    <input type="radio" name=name value=value checked=value == chosen/>
                    <span>{label}{hint}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="chips part" id=name>
            <legend>{legend}</legend>
            <div>{chips}</div>
            <FieldError name=name.to_owned()/>
        </fieldset>
    }
}
