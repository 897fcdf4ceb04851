//! /manager/yearbook/{id}: who is on the roster, what each has sent, and how to reach those who have not.

use base::db::now_ms;
use base::time;
use domain::ids::YearBookId;
use domain::yearbook::LinkState;
use leptos::prelude::*;
use web::render::{Here, here, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, FieldError, area_text};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::roster::state_name;
use super::store::{self, Book, Person};
use super::{PAGE, address, mail};

/// GET /manager/yearbook/{id}.
#[component]
pub fn RosterPage() -> impl IntoView {
    let (here, id) = (here(), parameter::<YearBookId>("id"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let book = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let people = store::people(&app.db, &book.id).await?;
            let now = now_ms();
            let to_ask = people.iter().filter(|person| mail::may_ask(&book, person, now)).count();
            let to_ask = mail::may_leave(&app).then_some(to_ask);
            Ok((member, book, people, to_ask))
        },
        |(member, book, people, to_ask)| {
            let own = address(&book.id);
            let sent = people.iter().filter(|person| person.sent_at.is_some()).count();
            let told = format!("{} 位，交了 {sent} 位；收到 {}", people.len(), time::day(book.until - 1));
            let make = (!people.is_empty()).then(|| {
                view! { <a class="button primary" href=format!("{own}/book")>"做成一本书"</a> }
            });
            let reach = (!people.is_empty()).then(|| view! { <Reach own=own.clone() to_ask/> });
            let list =
                (!people.is_empty()).then(|| view! { <People book=book.clone() people=people.clone()/> });
            view! {
                <Shell member title=book.title.clone() assets=&["yearbooks.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=PAGE>"毕业册"</a></p>
                            <h1>{book.title.clone()}</h1>
                            <p class="quiet num">{told}</p>
                            <p class="row"><a class="link" href=format!("{own}/settings")>"设置"</a></p>
                        </div>
                        {make}
                    </header>
                    <Done/>
                    <ErrorSummary title="名单还没有收下"/>
                    <Adding own=own.clone() is_first=people.is_empty()/>
                    {reach}
                    {list}
                </Shell>
            }
        },
    )
}

/// What the last form has done.
#[component]
fn Done() -> impl IntoView {
    let count = |name: &str| use_query(name).and_then(|count| count.parse::<u64>().ok());
    let text = if use_form().is_sent() {
        None
    } else if let Some(added) = count("added") {
        let known = count("known").filter(|known| *known > 0);
        let known = known.map(|known| format!("另有 {known} 位已经在名单里。")).unwrap_or_default();
        Some(format!("添加了 {added} 位。{known}"))
    } else if let Some(asked) = count("asked") {
        Some(match asked {
            0 => "现在没有要发邮件的：有邮箱的都交了，或者今天已经发过。".to_owned(),
            asked => format!("给 {asked} 位发了邮件。"),
        })
    } else {
        match use_query("done").as_deref() {
            Some("made") => Some("建好了。下一步：放上名单。".to_owned()),
            Some("saved") => Some("设置已保存。".to_owned()),
            Some("removed") => Some("已从名单里移除，链接也失效了。".to_owned()),
            _ => None,
        }
    };
    text.map(|text| view! { <div class="notice good" role="status">{text}</div> })
}

#[component]
fn Adding(own: String, is_first: bool) -> impl IntoView {
    let form = use_form();
    let is_wrong = form.error("names").is_some();
    view! {
        <details class="fold sheet" open={is_first || is_wrong}>
            <summary>{if is_first { "放上名单" } else { "添加同学" }}</summary>
            <form class="stack" method="post" action=own enctype="multipart/form-data">
                <div class="field">
                    <label for="names">"名单"</label>
                    <p class="hint" id="names-hint">"每行一位：姓名，班级，邮箱或学号。后两样可以不写；有邮箱的可以由这里发链接和提醒。从表格里直接粘贴也行。"</p>
                    <textarea
                        id="names"
                        name="names"
                        rows="8"
                        placeholder="张伟，三年二班，zhangwei@example.com"
                        aria-invalid=is_wrong.then_some("true")
                        aria-describedby=if is_wrong { "names-hint names-error" } else { "names-hint" }
                        inner_html=area_text(&form.or("names", ""))
                    ></textarea>
                    <FieldError name="names".to_owned()/>
                </div>
                <div class="field">
                    <label for="file">"或者选一个文件（CSV）"</label>
                    <input id="file" class="input" name="file" type="file" accept=".csv,.txt,text/csv,text/plain"/>
                </div>
                <p><button class="button primary">"添加"</button></p>
            </form>
        </details>
    }
}

/// How people get their links.
#[component]
fn Reach(own: String, to_ask: Option<usize>) -> impl IntoView {
    let ask = match to_ask {
        None => view! { <p class="hint">"本站没有设置公开网址，不能发邮件：请下载链接，自己发给大家。"</p> }
            .into_any(),
        Some(0) => view! { <p class="hint">"有邮箱又没交的，截止前三天和前一天会自动提醒。"</p> }.into_any(),
        Some(count) => view! {
            <form method="post" action=format!("{own}/messages")>
                <button class="button">{format!("发邮件给还没交的 {count} 位")}</button>
            </form>
            <p class="hint">"每人一天最多一封；截止前三天和前一天会自动再提醒。"</p>
        }
        .into_any(),
    };
    view! {
        <section class="reach" aria-label="发链接">
            {ask}
            <a class="button" href=format!("{own}/links.csv")>"下载所有链接"</a>
        </section>
    }
}

#[component]
fn People(book: Book, people: Vec<Person>) -> impl IntoView {
    let now = now_ms();
    let is_namesake = |person: &Person| {
        let same = |other: &&Person| {
            other.entry.name == person.entry.name && other.entry.group == person.entry.group
        };
        people.iter().filter(same).count() > 1
    };
    let rows: Vec<_> = people
        .iter()
        .map(|person| {
            let page = format!("{}/person/{}", address(&book.id), person.id);
            let state = person.state(&book, now);
            let class = match (state, person.sent_at) {
                (LinkState::Withdrawn, _) => "badge",
                (_, Some(_)) => "badge good",
                _ => "badge warn",
            };
            let portrait = match (&person.portrait, person.sent_at) {
                (Some(_), _) => "有照片",
                (None, Some(_)) => "没有照片",
                (None, None) => "",
            };
            let namesake = is_namesake(person).then(|| view! { <span class="badge">"同名"</span> });
            let later = person.until.filter(|until| *until > book.until);
            let later = later.map(|until| format!("可交到 {}", time::day(until - 1))).unwrap_or_default();
            let no_copy = if person.has_copy { "" } else { "不要书" };
            let name =
                view! { <span><a class="link" href=page>{person.entry.name.clone()}</a>" "{namesake}</span> };
            let more = [portrait, later.as_str(), no_copy].join(" ");
            let state = state_name(person, &book, now);
            Record::new()
                .cell("姓名", name)
                .cell("班级", person.entry.group.clone())
                .cell("联系方式", person.entry.contact.clone())
                .cell("状态", view! { <span><span class=class>{state}</span>" "<span class="quiet">{more}</span></span> })
        })
        .collect();
    view! { <Records rows/> }
}
