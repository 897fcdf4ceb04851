//! A new year book, and what its owner changes of one: its words, its last day, deleting it.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{id_from, now_ms};
use base::error::Error;
use base::time;
use domain::days::DAY_MS;
use domain::guests::read_last_day;
use domain::ids::YearBookId;
use domain::yearbook::{GREETING_LENGTH, MOST_BOOKS, TITLE_LENGTH};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_path};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::Shell;

use super::store::{self, Book, Look};
use super::{PAGE, address, mail};

/// Days that a new book is proposed to be open.
const USUAL_DAYS: i64 = 21;

/// Reads what its owner says into a book; what is wrong stands in the form.
fn read(form: &mut Form, book: &mut Book, now: i64) {
    check_length(form, "title", "书名", 1, TITLE_LENGTH);
    check_length(form, "author", "学校或届别", 0, TITLE_LENGTH);
    check_length(form, "greeting", "写给大家的话", 0, GREETING_LENGTH);
    // a day that has passed stays what it was where nobody changed it
    let is_same = book.created_at > 0 && form.get("until") == time::day(book.until - 1);
    if !is_same {
        match read_last_day(form.get("until"), now) {
            Ok(until) => book.until = until,
            Err(problem) => form.refuse("until", problem.to_string()),
        }
    }
    book.title = form.get("title").to_owned();
    book.author = form.get("author").to_owned();
    book.greeting = form.get("greeting").to_owned();
}

/// POST /manager/yearbook/new: once for each form that was shown.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let now = now_ms();
    let mut form = read_form(&body)?;
    let page = format!("{PAGE}/new");
    let shown = form.own_key("book", |key| (1..=40).contains(&key.len()));
    let mut book = Book {
        id: id_from(shown.as_deref().unwrap_or_default(), member.id.as_str()),
        member: member.id.clone(),
        title: String::new(),
        author: String::new(),
        greeting: String::new(),
        until: now,
        created_at: 0,
        work: None,
        made_at: None,
        look: Look::default(),
    };
    read(&mut form, &mut book, now);
    book.created_at = now;
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    let mut tx = app.db.begin().await?;
    app.house.identity.hold(&mut tx, &member.id).await?;
    if !store::insert(&mut tx, &book, MOST_BOOKS).await? {
        drop(tx);
        form.refuse("", format!("最多 {MOST_BOOKS} 本，请先删除不用的"));
        return render::again(&app, parts, &page, form).await;
    }
    mail::remind_later(&mut tx, &book, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=made", address(&book.id))).into_response())
}

/// POST /manager/yearbook/{id}/settings.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let now = now_ms();
    let mut book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let before = book.until;
    let mut form = read_form(&body)?;
    read(&mut form, &mut book, now);
    if form.is_refused() {
        return render::again(&app, parts, &format!("{}/settings", address(&id)), form).await;
    }
    let mut tx = app.db.begin().await?;
    store::change(&mut tx, &book).await?;
    if book.until != before {
        mail::remind_later(&mut tx, &book, now).await?;
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=saved", address(&id))).into_response())
}

/// POST /manager/yearbook/{id}/deletion: the roster, its links and what people wrote; photos and the work that was made stay.
pub async fn delete(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
) -> Result<Redirect, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut tx = app.db.begin().await?;
    store::hold(&mut tx, &id).await?;
    store::delete(&mut tx, &id).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{PAGE}?done=deleted")))
}

/// GET /manager/yearbook/new.
#[component]
pub fn NewPage() -> impl IntoView {
    let here = here();
    loaded(async move { Ok(here?.member) }, |member| {
        view! {
            <Shell member title="新建毕业册".to_owned() assets=&["yearbooks.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=PAGE>"毕业册"</a></p>
                        <h1>"新建毕业册"</h1>
                    </div>
                </header>
                <ErrorSummary title="还没有建好"/>
                <BookForm known=None/>
            </Shell>
        }
    })
}

/// GET /manager/yearbook/{id}/settings.
#[component]
pub fn SettingsPage() -> impl IntoView {
    let (here, id) = (here(), parameter::<YearBookId>("id"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let book = store::find_for_owner(&app.db, &id?, &member.id).await?;
            Ok((member, book))
        },
        |(member, book)| {
            let own = address(&book.id);
            view! {
                <Shell member title="设置".to_owned() assets=&["yearbooks.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=own.clone()>{book.title.clone()}</a></p>
                            <h1>"设置"</h1>
                        </div>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <BookForm known=Some(book.clone())/>
                    <div class="yearbook-end">
                        <Ask
                            label="删除"
                            question=format!("删除“{}”？所有链接马上失效，名单和大家写的话都会删掉，不能找回。照片留在素材里，做好的书留在作品里。", book.title)
                            confirm="删除"
                            action=format!("{own}/deletion")
                        />
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn BookForm(known: Option<Book>) -> impl IntoView {
    let form = use_form();
    let is_new = known.is_none();
    let of = |read: fn(&Book) -> &str| known.as_ref().map(read).unwrap_or_default().to_owned();
    let until = known.as_ref().map_or_else(|| now_ms() + USUAL_DAYS * DAY_MS, |known| known.until - 1);
    let greeting = form.or("greeting", &of(|known| &known.greeting));
    let key = is_new.then(|| {
        let id: String = render::once();
        view! { <input type="hidden" name="book" value=form.or("book", &id)/> }
    });
    view! {
        <form class="sheet stack yearbook-form" method="post" action=use_path()>
            {key}
            <Field name="title" label="书名" value=of(|known| &known.title) most=TITLE_LENGTH as u32 required=true/>
            <Field name="author" label="学校或届别（可不填）" value=of(|known| &known.author) most=TITLE_LENGTH as u32/>
            <Field name="until" label="收到哪一天" kind="date" value=time::day(until) required=true/>
            <div class="field">
                <label for="greeting">"写给大家的话（可不填）"</label>
                <Limit name="greeting" most=GREETING_LENGTH.to_string()/>
                <textarea id="greeting" name="greeting" rows="3" maxlength=GREETING_LENGTH.to_string() aria-describedby="greeting-limit" inner_html=area_text(&greeting)></textarea>
                <FieldError name="greeting".to_owned()/>
            </div>
            <p><button class="button primary">{if is_new { "建好，去填名单" } else { "保存" }}</button></p>
        </form>
    }
}
