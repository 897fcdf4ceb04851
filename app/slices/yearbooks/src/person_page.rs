//! /manager/yearbook/{id}/person/{person}: somebody's link, what came by it, and what its book's owner says of that one.

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::yearbook::{CONTACT_LENGTH, GROUP_LENGTH, LinkState, NAME_LENGTH};
use leptos::prelude::*;
use web::origin::Origin;
use web::render::{Here, here, loaded, parameter, use_form, use_query};
use web::ui::parts::{Ask, ErrorSummary, Field, Moment};
use web::ui::shell::Shell;

use super::person::{named, person_address};
use super::roster::state_name;
use super::store::{Book, Person};
use super::{address, own_page};

/// See the module.
#[component]
pub fn PersonPage() -> impl IntoView {
    let (here, parts) = (here(), use_context::<Parts>());
    let (id, person) = (parameter::<String>("id"), parameter::<String>("person"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let (book, person) = named(&app, &member.id, &id?, &person?).await?;
            let link = Origin::of(&app.config, &parts.headers).join(&own_page::address(&person.code));
            Ok((member, book, person, link))
        },
        |(member, book, person, link)| {
            let state = person.state(&book, now_ms());
            let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
                Some("saved") => Some("已保存。"),
                Some("withdrawn") => Some("链接已收回。"),
                Some("anew") => Some("换好了新链接，旧的打不开了。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let own = person_address(&person);
            view! {
                <Shell member title=person.entry.name.clone() assets=&["yearbooks.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=address(&book.id)>{book.title.clone()}</a></p>
                            <h1>{person.entry.name.clone()}</h1>
                            <p class="row"><span class="badge">{state_name(&person, &book, now_ms())}</span></p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="还没有保存"/>
                    <div class="yearbook-person">
                        <Said person=person.clone()/>
                        <LinkPart link own=own.clone() state/>
                        <PersonForm book=book.clone() person=person.clone()/>
                        <Ask
                            label="从名单移除"
                            question=format!("移除{}？链接马上失效，写的话会删掉。", person.entry.name)
                            confirm="移除"
                            action=format!("{own}/removal")
                        />
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Said(person: Person) -> impl IntoView {
    let own = person_address(&person);
    let picture = |which: &'static str, label: &'static str, is_there: bool| {
        let shown = if is_there {
            view! { <img src=format!("{own}/photo/{which}") alt=label loading="lazy"/> }.into_any()
        } else {
            view! { <span class="none">"没有"</span> }.into_any()
        };
        view! { <figure>{shown}<figcaption>{label}</figcaption></figure> }
    };
    let at = person.sent_at.map(|at| view! { <p class="quiet">"最后一次交："<Moment at/></p> });
    let motto = (!person.motto.is_empty()).then(|| view! { <p><strong>{person.motto.clone()}</strong></p> });
    let words = (!person.words.is_empty()).then(|| view! { <p class="said">{person.words.clone()}</p> });
    view! {
        <section class="sheet stack" aria-label="交来的内容">
            <div class="sent-photos">
                {picture("portrait", "人像", person.portrait.is_some())}
                {picture("own", "自己那本前面的照片", person.own.is_some())}
            </div>
            {motto}
            {words}
            {at}
        </section>
    }
}

#[component]
fn LinkPart(link: String, own: String, state: LinkState) -> impl IntoView {
    let body = match state {
        LinkState::Withdrawn => view! { <p class="quiet">"链接已收回，打不开。"</p> }.into_any(),
        LinkState::Open | LinkState::Over => view! {
            <div class="field">
                <label for="link">"链接（只给本人）"</label>
                <input id="link" readonly value=link/>
            </div>
        }
        .into_any(),
    };
    let withdraw = (state != LinkState::Withdrawn).then(|| {
        view! { <button class="button" name="act" value="withdraw">"收回链接"</button> }
    });
    view! {
        <form class="sheet stack" method="post" action=format!("{own}/link")>
            {body}
            <div class="row">{withdraw}<button class="button" name="act" value="anew">"换一个新链接"</button></div>
        </form>
    }
}

#[component]
fn PersonForm(book: Book, person: Person) -> impl IntoView {
    let form = use_form();
    let has_copy = if form.is_sent() { form.get("copy") == "1" } else { person.has_copy };
    let until = person.until.map(|until| time::day(until - 1)).unwrap_or_default();
    let hint = format!("大家都收到 {}；要给这一位多几天，写在这里。", time::day(book.until - 1));
    view! {
        <form class="sheet stack" method="post" action=person_address(&person)>
            <Field name="name" label="姓名" value=person.entry.name.clone() most=NAME_LENGTH as u32 required=true/>
            <Field name="group" label="班级" value=person.entry.group.clone() most=GROUP_LENGTH as u32/>
            <Field name="contact" label="邮箱、学号或别的" value=person.entry.contact.clone() most=CONTACT_LENGTH as u32/>
            <Field name="until" label="可以补交到" kind="date" value=until/>
            <p class="hint">{hint}</p>
            <label class="check">
                <input type="checkbox" name="copy" value="1" checked=has_copy/>
                <span>"要一本，封面印上名字"</span>
            </label>
            <p><button class="button primary">"保存"</button></p>
        </form>
    }
}
