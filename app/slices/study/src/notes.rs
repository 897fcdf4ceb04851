//! /manager/book-study/notes: a reader's notes and bookmarks, and the forms that write them.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::lists::Position;
use domain::ids::NoteId;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::slice::Reach;
use web::ui::forms::read_form;
use web::ui::lists::Pager;
use web::ui::parts::{Ask, ErrorSummary, FieldError, Moment, area_text};
use web::ui::shell::Shell;

use super::store::{self, Bookmark, Note};
use super::{MOST_MARKS, NOTE_LENGTH, NOTES, STUDY, is_readable, named, page_address, page_in};

/// Notes on one page of the list, and bookmarks on its first.
const PAGE: usize = 40;
const MOST_BOOKMARKS: i64 = 200;

/// What a form has a note say; what is wrong with it stands in the form.
fn words_in(form: &mut Form) -> Option<String> {
    let words = form.get("words").to_owned();
    let length = words.chars().count();
    if length == 0 {
        form.refuse("words", "请写点什么");
    } else if length > NOTE_LENGTH {
        form.refuse("words", format!("一条笔记最多 {NOTE_LENGTH} 个字，现在有 {length} 个；可以分成几条"));
    }
    (!form.is_refused()).then_some(words)
}

/// POST /manager/book-study/notes: a note on a page.
pub async fn write(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let id: Option<NoteId> = form.own("note");
    let readable = named(&app, &parts, &form).await?;
    let page = page_in(&readable, &form)?;
    let address = page_address(&readable.publication.address, page);
    let (Some(id), Some(words)) = (id, words_in(&mut form)) else {
        return render::again(&app, parts, &address, form).await;
    };
    let now = now_ms();
    let note = Note {
        id,
        kind: form.get("kind").to_owned(),
        item_id: form.get("id").to_owned(),
        page,
        title: readable.publication.title,
        words,
        updated_at: now,
    };
    let mut tx = app.db.begin().await?;
    if store::count(&mut tx, &member.id).await? >= MOST_MARKS {
        drop(tx);
        form.refuse("words", format!("书签和笔记最多 {MOST_MARKS} 条，请先删掉一些"));
        return render::again(&app, parts, &address, form).await;
    }
    store::write(&mut tx, &member.id, &note).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{address}#notes")).into_response())
}

/// POST /manager/book-study/notes/{note}: it says something else.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<NoteId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    form.set("note", id.as_str());
    let Some(words) = words_in(&mut form) else {
        return render::again(&app, parts, &format!("{NOTES}?note={id}"), form).await;
    };
    let mut tx = app.db.begin().await?;
    if !store::rewrite(&mut tx, &member.id, &id, &words, now_ms()).await? {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{NOTES}?done=changed")).into_response())
}

/// POST /manager/book-study/notes/{note}/removal.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<NoteId>,
) -> Result<Redirect, Error> {
    let mut tx = app.db.begin().await?;
    if !store::delete(&mut tx, &member.id, &id).await? {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{NOTES}?done=removed")))
}

/// Where a reader reads on at a mark; none where the thing can't be read any more.
type Places = std::collections::HashMap<(String, String), String>;

/// The addresses of what these marks are in, as far as their reader may open it.
async fn places(app: &App, parts: &Parts, notes: &[Note], bookmarks: &[Bookmark]) -> Result<Places, Error> {
    let marked = bookmarks.iter().map(|mark| (&*mark.kind, &*mark.item_id));
    let mut things: Vec<(&str, &str)> =
        notes.iter().map(|note| (&*note.kind, &*note.item_id)).chain(marked).collect();
    things.sort_unstable();
    things.dedup();
    let found = app.house.find_published(app, &things).await?;
    let mut places = Places::new();
    for one in found {
        // what its maker took back is its buyers' still
        let is_there = one.reach != Reach::Over || is_readable(app, parts, &one).await?;
        if is_there {
            places.insert((one.kind.to_owned(), one.id), one.address);
        }
    }
    Ok(places)
}

/// GET /manager/book-study/notes?after=….
#[component]
pub fn NotesPage() -> impl IntoView {
    let (here, parts) = (here(), use_context::<Parts>());
    let after = use_query("after").unwrap_or_default();
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let after: Option<Position<NoteId>> = if after.is_empty() { None } else { Some(after.parse()?) };
            let most = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
            let mut notes = store::notes(&app.db, &member.id, after.as_ref(), most).await?;
            let has_more = notes.len() > PAGE;
            notes.truncate(PAGE);
            let last = notes.last().filter(|_| has_more);
            let next = last.map(|note| Position { at: note.updated_at, id: note.id.clone() });
            let bookmarks = match &after {
                None => store::bookmarks(&app.db, &member.id, MOST_BOOKMARKS).await?,
                Some(_) => Vec::new(),
            };
            let places = places(&app, &parts, &notes, &bookmarks).await?;
            Ok((member, notes, bookmarks, places, after.is_some(), next))
        },
        |(member, notes, bookmarks, places, is_later, next)| {
            let done = match use_query("done").as_deref() {
                Some("changed") => Some("笔记已改好。"),
                Some("removed") => Some("笔记已删掉。"),
                Some("unmarked") => Some("书签已拿掉。"),
                _ => None,
            };
            let done = done.filter(|_| !use_form().is_sent());
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let empty = (notes.is_empty() && bookmarks.is_empty()).then(|| {
                view! {
                    <section class="trim empty">
                        <h2>"还没有笔记和书签"</h2>
                        <p class="quiet">"读书的时候，在书页下面可以夹书签、记笔记。只有您自己看得到。"</p>
                        <a class="button primary" href=STUDY>"回书房找一本书"</a>
                    </section>
                }
            });
            let first = is_later.then(|| NOTES.to_owned());
            let next = next.map(|next| format!("{NOTES}?after={next}"));
            view! {
                <Shell member title="笔记与书签".to_owned() assets=&["study.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=STUDY>"书房"</a></p>
                            <h1>"笔记与书签"</h1>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="笔记还没有保存"/>
                    {empty}
                    <Bookmarks bookmarks places=places.clone()/>
                    <Notes notes places/>
                    <Pager first next back="回到第一页" further="更早的笔记"/>
                </Shell>
            }
        },
    )
}

/// Bookmarks, work by work.
#[component]
pub fn Bookmarks(bookmarks: Vec<Bookmark>, places: Places) -> impl IntoView {
    if bookmarks.is_empty() {
        return None;
    }
    let items: Vec<_> = bookmarks
        .into_iter()
        .map(|mark| {
            let name = format!("《{}》第 {} 页", mark.title, mark.page);
            let place = places.get(&(mark.kind.clone(), mark.item_id.clone()));
            let link = match place {
                Some(address) => {
                    view! { <a href=page_address(address, mark.page)>{name.clone()}</a> }.into_any()
                }
                None => view! { <span>{name.clone()}"（现在不能看了）"</span> }.into_any(),
            };
            view! {
                <li>
                    {link}
                    <form method="post" action=format!("{STUDY}/bookmarks")>
                        <input type="hidden" name="kind" value=mark.kind/>
                        <input type="hidden" name="id" value=mark.item_id/>
                        <input type="hidden" name="page" value=mark.page.to_string()/>
                        <input type="hidden" name="from" value="study"/>
                        <button class="link" name="act" value="remove">"拿掉"<span class="sr">{format!("：{name}")}</span></button>
                    </form>
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="marks-part" aria-labelledby="bookmarks">
            <h2 id="bookmarks">"书签"</h2>
            <ul class="bookmarks">{items}</ul>
        </section>
    })
}

/// Notes, each with its form.
#[component]
fn Notes(notes: Vec<Note>, places: Places) -> impl IntoView {
    if notes.is_empty() {
        return None;
    }
    let items: Vec<_> = notes
        .into_iter()
        .map(|note| {
            let place = places.get(&(note.kind.clone(), note.item_id.clone())).cloned();
            view! { <li class="note"><Written note place/></li> }
        })
        .collect();
    Some(view! {
        <section class="marks-part" aria-labelledby="notes">
            <h2 id="notes">"笔记"</h2>
            <ul class="notes">{items}</ul>
        </section>
    })
}

/// A note, where it stands, and what can be done with it.
#[component]
fn Written(note: Note, place: Option<String>) -> impl IntoView {
    let form = use_form();
    let is_sent = form.is_sent() && form.get("note") == note.id.as_str();
    let words = if is_sent { form.or("words", &note.words) } else { note.words.clone() };
    let name = format!("《{}》第 {} 页", note.title, note.page);
    let link = match place {
        Some(address) => view! { <a href=page_address(&address, note.page)>{name.clone()}</a> }.into_any(),
        None => view! { <span class="quiet">{name.clone()}"（现在不能看了）"</span> }.into_any(),
    };
    let action = format!("{NOTES}/{}", note.id);
    let field = if is_sent { "words".to_owned() } else { format!("words-{}", note.id) };
    view! {
        <p class="words">{note.words}</p>
        <p class="of">{link}" · "<Moment at=note.updated_at/></p>
        <div class="row">
            <details class="fold" open=is_sent>
                <summary>"修改"<span class="sr">{format!("：{name}")}</span></summary>
                <form class="stack" method="post" action=action.clone()>
                    <div class="field">
                        <label for=field.clone()>"笔记"</label>
                        <textarea id=field name="words" rows="4">{area_text(&words)}</textarea>
                        {is_sent.then(|| view! { <FieldError name="words".to_owned()/> })}
                    </div>
                    <button class="button primary small">"保存"</button>
                </form>
            </details>
            <Ask
                label="删除"
                question="这条笔记会删掉，不能再找回。".to_owned()
                confirm="删除笔记"
                action=format!("{action}/removal")
                about=name
            />
        </div>
    }
}
