//! /y/{code}: somebody's own page. It has few bytes, works without scripts, and nobody has to sign in.

use axum::http::StatusCode;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::redeem_code::RedeemCode;
use domain::yearbook::{LinkState, MOTTO_LENGTH, NotTaken, Share, WORDS_LENGTH};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::app::App;
use web::render::{HeadSlot, loaded, parameter, unkept, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, area_text, height_of};
use web::ui::shell::{Head, Mark};

use super::book::format_of;
use super::store::{self, Book, Person};

/// What who comes with a wrong address is told: nobody learns whether it ever was one.
const UNKNOWN: &str = "这个地址不对，或者已经撤掉了。请核对链接，或者问问发给您的人。";

/// The page of a code, with lines, as people type it.
pub fn address(code: &str) -> String {
    code.parse::<RedeemCode>().map_or_else(|_| format!("/y/{code}"), |code| format!("/y/{code}"))
}

/// Whose a code is, as it was typed, and in which book.
///
/// # Errors
/// Those of the database.
pub async fn by_code(app: &App, typed: &str) -> Result<Option<(Book, Person)>, Error> {
    let Ok(code) = typed.parse::<RedeemCode>() else { return Ok(None) };
    let Some(person) = store::by_code(&app.db, &code.plain()).await? else { return Ok(None) };
    let book = store::find_for_owner(&app.db, &person.book, &person.member).await?;
    Ok(Some((book, person)))
}

/// See the module.
#[component]
pub fn OwnPage() -> impl IntoView {
    let (app, code) = (use_context::<App>(), parameter::<String>("code"));
    unkept();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            by_code(&app, &code?).await
        },
        move |found| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            match found {
                None => {
                    view! { <Shut status=StatusCode::NOT_FOUND title="没有找到" said=UNKNOWN.to_owned()/> }
                        .into_any()
                }
                Some((book, person)) if person.state(&book, now_ms()) == LinkState::Withdrawn => {
                    let said = NotTaken::Withdrawn.to_string();
                    view! { <Shut status=StatusCode::GONE title="链接已收回" said/> }.into_any()
                }
                Some((book, person)) => view! { <Whole book person/> }.into_any(),
            }
        },
    )
}

/// Where a link opens nothing.
#[component]
fn Shut(status: StatusCode, title: &'static str, said: String) -> impl IntoView {
    if let Some(answer) = use_context::<ResponseOptions>() {
        answer.set_status(status);
    }
    view! {
        <Head title=title.to_owned() assets=&["yearbooks.css"]/>
        <main id="main" class="ownpage">
            <h1>{title}</h1>
            <p class="notice warn">{said}</p>
        </main>
        <Foot/>
    }
}

#[component]
fn Foot() -> impl IntoView {
    view! { <footer class="ownfoot"><a href="/about"><Mark/>"书坊"</a></footer> }
}

#[component]
fn Whole(book: Book, person: Person) -> impl IntoView {
    let refusal = person.state(&book, now_ms()).refusal();
    let greeting: Vec<_> = book.greeting.lines().map(|line| view! { <p>{line.to_owned()}</p> }).collect();
    let greeting = (!greeting.is_empty()).then(|| view! { <div class="greeting">{greeting}</div> });
    let done = (use_query("done").is_some() && !use_form().is_sent()).then(|| {
        let lacks = person.portrait.is_none().then_some("还没有人像，有了再回来放。");
        view! { <div class="notice good" role="status">"收到了，谢谢。截止以前还可以再改。"{lacks}</div> }
    });
    let body = match refusal {
        None => view! { <OwnForm book=book.clone() person=person.clone()/> }.into_any(),
        Some(reason) => {
            view! { <p class="notice warn">{reason.to_string()}</p><Sent person=person.clone()/> }.into_any()
        }
    };
    let as_set = person.sent_at.is_some().then(|| view! { <AsSet book=book.clone() person=person.clone()/> });
    let whose = [person.entry.group.as_str(), person.entry.name.as_str()].join(" ");
    view! {
        <Head title=book.title.clone() assets=&["yearbooks.css"]/>
        <main id="main" class="ownpage">
            <header>
                <h1>{book.title.clone()}</h1>
                <p class="whose">{whose.trim().to_owned()}</p>
                {greeting}
            </header>
            {done}
            <ErrorSummary title="还没有全部收下"/>
            {as_set}
            {body}
        </main>
        <Foot/>
    }
}

/// What was sent as it stands in the book.
#[component]
fn AsSet(book: Book, person: Person) -> impl IntoView {
    let trim = format_of(&book.look).ok()?.trim;
    let picture = |which: &'static str, alt: &'static str| {
        let src = format!("{}/page/{which}", address(&person.code));
        view! { <img src=src width="320" height=height_of(trim, 320) alt=alt loading="lazy"/> }
    };
    let place = match book.look.share {
        Share::Half => "班级里您的半页（旁边是别的同学）",
        Share::Whole => "班级里您的一页",
    };
    let front = person.has_copy.then(|| {
        view! {
            <figure class="front">
                <div>{picture("left", "您那本的第 2 页")}{picture("right", "您那本的第 3 页")}</div>
                <figcaption>"您那本前面的两页"</figcaption>
            </figure>
        }
    });
    Some(view! {
        <section class="sheet stack as-set" aria-labelledby="as-set">
            <h2 id="as-set">"排出来的样子"</h2>
            <div class="sets">
                {front}
                <figure>{picture("place", "您在班级里的位置")}<figcaption>{place}</figcaption></figure>
            </div>
            <p class="hint">"按您现在交的排的。整本做好以前，开本和风格还可能换。"</p>
        </section>
    })
}

/// What came before the last day was over.
#[component]
fn Sent(person: Person) -> impl IntoView {
    let motto = (!person.motto.is_empty()).then(|| view! { <p><strong>{person.motto.clone()}</strong></p> });
    let words = (!person.words.is_empty()).then(|| view! { <p class="said">{person.words.clone()}</p> });
    let portrait = person
        .portrait
        .is_some()
        .then(|| view! { <Picture code=person.code.clone() which="portrait" alt="您的人像"/> });
    view! { <section class="sheet stack" aria-label="您交的内容">{portrait}{motto}{words}</section> }
}

#[component]
fn Picture(code: String, which: &'static str, alt: &'static str) -> impl IntoView {
    view! { <img class=which src=format!("{}/photo/{which}", address(&code)) alt=alt loading="lazy"/> }
}

#[component]
fn OwnForm(book: Book, person: Person) -> impl IntoView {
    let form = use_form();
    let words = form.or("words", &person.words);
    let last = time::day(person.ends(&book) - 1);
    let (has_portrait, has_own) = (person.portrait.is_some(), person.own.is_some());
    let portrait =
        has_portrait.then(|| view! { <Picture code=person.code.clone() which="portrait" alt="您的人像"/> });
    let own =
        has_own.then(|| view! { <Picture code=person.code.clone() which="own" alt="您那本前面的照片"/> });
    view! {
        <form class="sheet stack" method="post" action=address(&person.code) enctype="multipart/form-data">
            <PhotoField
                name="portrait"
                label=if has_portrait { "换一张人像" } else { "人像" }
                hint="一个人，露出肩膀，脸朝前；大家的头会裁成一样大。"
            >
                {portrait}
            </PhotoField>
            <Field name="motto" label="名字下面的一句（可不填）" value=person.motto.clone() most=MOTTO_LENGTH as u32/>
            <div class="field">
                <label for="words">"想说的话（可不填）"</label>
                <Limit name="words" most=WORDS_LENGTH.to_string()/>
                <textarea id="words" name="words" rows="4" maxlength=WORDS_LENGTH.to_string() aria-describedby="words-limit" inner_html=area_text(&words)></textarea>
                <FieldError name="words".to_owned()/>
            </div>
            <PhotoField
                name="own"
                label=if has_own { "换一张自己那本前面的照片" } else { "自己那本前面的照片（可不选）" }
                hint="只印在您自己那一本里，占满一页；不选就用人像。"
            >
                {own}
            </PhotoField>
            <button class="button primary wide">"交上"</button>
            <p class="hint">{format!("收到 {last} 为止，之前可以再改。名字写错了，请告诉发链接给您的人。")}</p>
        </form>
    }
}

#[component]
fn PhotoField(
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    children: Children,
) -> impl IntoView {
    let is_wrong = use_form().error(name).is_some();
    let described = if is_wrong { format!("{name}-hint {name}-error") } else { format!("{name}-hint") };
    view! {
        <div class="field tile">
            <label for=name>{label}</label>
            {children()}
            <p class="hint" id=format!("{name}-hint")>{hint}</p>
            <input
                id=name
                class="input"
                name=name
                type="file"
                accept="image/jpeg,image/png,image/webp"
                aria-invalid=is_wrong.then_some("true")
                aria-describedby=described
            />
            <FieldError name=name.to_owned()/>
        </div>
    }
}
