//! What the pages of a publication show a reader of its own: the way on, the study, bookmarks and notes.

use base::db::now_ms;
use leptos::prelude::*;
use web::render::{self, use_form};
use web::ui::parts::{FieldError, Moment, area_text};

use super::store::{Bookmark, Note};
use super::{NOTES, OfReader, STUDY, page_address};

/// What a form has to say of a publication.
#[component]
fn Named(kind: &'static str, id: String) -> impl IntoView {
    view! { <input type="hidden" name="kind" value=kind/><input type="hidden" name="id" value=id/> }
}

/// The way to the page that a reader has come to; a script knows by its data whether this device was there later.
#[component]
pub fn Continue(
    address: String,
    page: usize,
    read_at: i64,
    /// What a page of it is called.
    #[prop(default = "页")]
    word: &'static str,
) -> impl IntoView {
    let ago = (now_ms() - read_at).max(0).to_string();
    view! {
        <a class="button primary" href=format!("{address}/{page}") data-on=page.to_string() data-ago=ago>
            {format!("继续第 {page} {word}")}
        </a>
    }
}

/// On the first page of a publication: whether it is in the study, and what the reader marked and wrote in it.
#[component]
pub fn AtCover(
    kind: &'static str,
    id: String,
    address: String,
    own: OfReader,
    /// What was bought is in the study by itself, and stays there.
    bought: bool,
) -> impl IntoView {
    let (act, label) = if own.is_put { ("remove", "移出书房") } else { ("put", "放入书房") };
    let button =
        (!bought).then(|| view! { <button class="button small" name="act" value=act>{label}</button> });
    let said =
        (own.is_put || bought).then(|| view! { <span class="quiet">"已在"<a href=STUDY>"书房"</a></span> });
    let marks = (!own.bookmarks.is_empty()).then(|| {
        let links: Vec<_> = own
            .bookmarks
            .iter()
            .map(|Bookmark { page, .. }| {
                view! { <li><a href=page_address(&address, *page)>{format!("第 {page} 页")}</a></li> }
            })
            .collect();
        view! { <h2>"我的书签"</h2><ul class="own-marks">{links}</ul> }
    });
    let notes = (!own.notes.is_empty()).then(|| {
        let items: Vec<_> = own
            .notes
            .into_iter()
            .map(|Note { page, words, .. }| {
                let href = format!("{}#notes", page_address(&address, page));
                view! { <li><a href=href>{format!("第 {page} 页")}</a><p>{words}</p></li> }
            })
            .collect();
        view! { <h2>"我的笔记"</h2><ul class="own-notes">{items}</ul> }
    });
    view! {
        <section class="own" aria-label="我的书房">
            <form method="post" action=format!("{STUDY}/items")>
                <Named kind id/>
                {button}
                {said}
            </form>
            {marks}
            {notes}
        </section>
    }
}

/// On a page: the bookmark, and the notes with the form for another one.
#[component]
pub fn AtPage(kind: &'static str, id: String, page: usize, own: OfReader) -> impl IntoView {
    let number = i64::try_from(page).unwrap_or(i64::MAX);
    let is_marked = own.bookmarks.iter().any(|mark| mark.page == number);
    let (act, label) = if is_marked { ("remove", "拿掉书签") } else { ("set", "夹书签") };
    let notes: Vec<Note> = own.notes.into_iter().filter(|note| note.page == number).collect();
    let form = use_form();
    let is_sent = form.is_sent() && !form.get("note").is_empty();
    let count = notes.len();
    let is_open = is_sent || count > 0;
    let name = if count > 0 { format!("我的笔记（{count}）") } else { "记笔记".to_owned() };
    let items: Vec<_> = notes
        .into_iter()
        .map(|Note { words, updated_at, .. }| view! { <li><p>{words}</p><small><Moment at=updated_at/></small></li> })
        .collect();
    let list = (count > 0).then(|| {
        view! { <ul class="own-notes">{items}</ul><p><a class="link" href=NOTES>"修改或删除"</a></p> }
    });
    // pressed twice, it writes one
    let fresh: String = render::once();
    let note = form.or("note", &fresh);
    let error = form.error("words").is_some();
    let draft = format!("{id}/{page}");
    view! {
        <section class="own" id="notes" aria-label="我的书签和笔记">
            <form method="post" action=format!("{STUDY}/bookmarks")>
                <Named kind id=id.clone()/>
                <input type="hidden" name="page" value=page.to_string()/>
                <button class="button small" class:on=is_marked name="act" value=act>{label}</button>
            </form>
            <details class="fold" open=is_open>
                <summary>{name}</summary>
                {list}
                <form method="post" action=NOTES data-draft=draft>
                    <Named kind id/>
                    <input type="hidden" name="page" value=page.to_string()/>
                    <input type="hidden" name="note" value=note/>
                    <div class="field">
                        <label for="words">{format!("写给自己看的，第 {page} 页")}</label>
                        <textarea
                            id="words"
                            name="words"
                            rows="3"
                            required=true
                            aria-invalid=error.then_some("true")
                            aria-describedby=error.then_some("words-error")
                        >
                            {area_text(&form.or("words", ""))}
                        </textarea>
                        <FieldError name="words".to_owned()/>
                    </div>
                    <button class="button small">"保存笔记"</button>
                </form>
            </details>
        </section>
    }
}
