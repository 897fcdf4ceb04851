//! /manager/yearbook/{id}/book: making a book of the roster, what is missing before, and its copies after.

use domain::document::first_names;
use domain::ids::YearBookId;
use domain::yearbook::{MOST_SPARE, Share};
use leptos::prelude::*;
use photos::{Choice, PhotoPicker};
use web::render::{Form, Here, here, loaded, parameter, use_acting, use_form, use_path, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::shell::Shell;
use works::{Formats, Themes, Work};

use super::address;
use super::copies::{Copies, Lost, is_in, proof_address, work_of};
use super::store::{self, Book, Look, Person};

/// Names that are told at once.
const MOST_NAMED: usize = 12;

/// See the module.
#[component]
pub fn BookPage() -> impl IntoView {
    let (here, id, form) = (here(), parameter::<YearBookId>("id"), use_form());
    loaded(
        async move {
            let Here { app, member } = here?;
            let book = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let people = store::people(&app.db, &book.id).await?;
            let work = work_of(&app, &book).await?;
            let kept = photos::kept(&app, &member.id).await?;
            // what people sent has its place already
            let theirs: Vec<_> = people
                .iter()
                .flat_map(|person| [&person.portrait, &person.own])
                .flatten()
                .map(|sent| sent.photo.clone())
                .collect();
            let choice = Choice::of(&app, &member.id, &form, &theirs, kept).await?;
            Ok((member, book, people, work, choice))
        },
        |(member, book, people, work, choice)| {
            let own = address(&book.id);
            let done = (use_query("done").is_some() && !use_form().is_sent()).then(|| {
                view! { <div class="notice good" role="status">"做好了。可以打开每一页再改，或者直接选印刷选项。"</div> }
            });
            let made = work.map(|work| view! { <Made book=book.clone() work people=people.clone()/> });
            let is_made = made.is_some();
            view! {
                <Shell member title=format!("做书：{}", book.title) assets=&["works.css", "making.css", "photos.css", "yearbooks.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=own>{book.title.clone()}</a></p>
                            <h1>"做成一本书"</h1>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="还没有做成"/>
                    <Missing people=people.clone()/>
                    {made}
                    <MakeForm is_made look=book.look.clone() choice/>
                </Shell>
            }
        },
    )
}

fn names<'a>(people: impl Iterator<Item = &'a Person>) -> (usize, String) {
    let all: Vec<&str> = people.map(|person| person.entry.name.as_str()).collect();
    (all.len(), first_names(all.iter().copied(), MOST_NAMED))
}

/// What is not there yet, said before anything is made or ordered.
#[component]
fn Missing(people: Vec<Person>) -> impl IntoView {
    let (unsent, names_unsent) = names(people.iter().filter(|person| person.sent_at.is_none()));
    let without = people.iter().filter(|person| person.sent_at.is_some() && person.portrait.is_none());
    let (without, names_without) = names(without);
    let unsent = (unsent > 0).then(|| {
        view! { <li>{format!("{unsent} 位还没交：{names_unsent}。书里有名字，照片的位置印姓名的第一个字。")}</li> }
    });
    let without = (without > 0).then(|| {
        view! { <li>{format!("{without} 位没有人像：{names_without}。照片的位置印姓名的第一个字。")}</li> }
    });
    let notice = (unsent.is_some() || without.is_some())
        .then(|| view! { <div class="notice warn"><ul>{unsent}{without}</ul></div> });
    let plain = |person: &&Person| person.portrait.is_some() && person.own.is_none() && person.has_copy;
    let (plain, names_plain) = names(people.iter().filter(plain));
    let plain = (plain > 0).then(|| {
        view! { <p class="quiet">{format!("{plain} 位没有选自己那本前面的照片，那一页用人像：{names_plain}。")}</p> }
    });
    view! { {notice}{plain} }
}

/// How the roster has changed since the book was made.
#[component]
pub fn Stale(book: Book, work: Work, people: Vec<Person>) -> impl IntoView {
    let wanting = people.iter().filter(|person| person.has_copy);
    let (missing, names_missing) = names(wanting.filter(|person| !is_in(&work, person)));
    let since = book.made_at.unwrap_or(i64::MAX);
    let (later, names_later) =
        names(people.iter().filter(|person| person.sent_at.is_some_and(|at| at > since)));
    let stale = [
        (missing > 0).then(|| format!("{missing} 位不在这一版里：{names_missing}。")),
        (later > 0).then(|| format!("做好以后又有 {later} 位交了或者改了：{names_later}。")),
    ];
    let stale: String = stale.into_iter().flatten().collect();
    (!stale.is_empty()).then(|| {
        view! { <p class="notice warn">{format!("{stale}重新做一次，他们就在书里。")}</p> }
    })
}

/// The book as it is.
#[component]
fn Made(book: Book, work: Work, people: Vec<Person>) -> impl IntoView {
    let names = work.document.copy_names();
    let count = names.len();
    let told = format!("一套 {count} 本，每本 {} 页，同一批印。", work.document.pages.len());
    let (page, order) = (format!("/manager/opus/{}", work.id), format!("/manager/add_shopping/{}", work.id));
    let some = format!("{}/some", address(&book.id));
    // who works for a house orders nothing there
    let is_own = use_acting().is_none();
    let order = (count > 0 && is_own).then(|| {
        view! { <a class="button primary" href=order>{format!("选印刷选项，订 {count} 本")}</a> }
    });
    let some = (count > 0 && is_own).then(|| view! { <a class="button" href=some>"只订其中几本"</a> });
    let first = names.first().map(|name| {
        view! { <a class="button" href=proof_address(&book, &name.key)>"一本一本看样"</a> }
    });
    view! {
        <section class="sheet stack" id="copies" aria-labelledby="copies-title">
            <h2 id="copies-title">"做好的书"</h2>
            <p class="quiet">{told}</p>
            <Stale book=book.clone() work=work.clone() people/>
            <Lost work=work.clone()/>
            <div class="row">{order}{first}{some}<a class="button" href=page>"打开作品，逐页看和改"</a></div>
            <details class="fold">
                <summary>"每一本：封面和自己的两页"</summary>
                <Copies book work/>
            </details>
        </section>
    }
}

#[component]
fn MakeForm(is_made: bool, look: Look, choice: Choice) -> impl IntoView {
    let form: Form = use_form();
    let share = form.or("share", look.share.code());
    let shares: Vec<_> = Share::ALL
        .iter()
        .map(|known| {
            view! {
                <label>
                    <input type="radio" name="share" value=known.code() checked=known.code() == share/>
                    <span>{known.name()}</span>
                </label>
            }
        })
        .collect();
    let again = is_made.then(|| {
        view! { <p class="hint">"重新做会按现在的名单整本重排；您在作品里改过的页，在它的旧版本里找得回来。"</p> }
    });
    view! {
        <form class="making stack" method="post" action=use_path()>
            <Formats chosen=form.or("format", &look.format)/>
            <Themes chosen=form.or("theme", &look.theme)/>
            <fieldset class="chips part" id="share">
                <legend>"每人占多少"</legend>
                <div>{shares}</div>
                <FieldError name="share".to_owned()/>
            </fieldset>
            <details class="fold part" open={form.all("photo").next().is_some()}>
                <summary>"加上大家的合影"<small class="hint">"排在名单后面，第一张横的用在封面"</small></summary>
                <PhotoPicker choice/>
            </details>
            <div class="fields two part">
                <Field name="spare" label="另加几本不写名字的" value="0".to_owned() inputmode="numeric"/>
            </div>
            <p class="hint">{format!("最多 {MOST_SPARE} 本，给学校留存，或者留给以后来的人。")}</p>
            {again}
            <p><button class="button primary">{if is_made { "重新做" } else { "做成一本书" }}</button></p>
        </form>
    }
}
