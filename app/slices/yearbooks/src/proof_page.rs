//! /manager/yearbook/{id}/proof?copy={key}: one copy as it will be printed, what is to be looked at in it, and the ways to the others.

use base::error::Error;
use domain::ids::YearBookId;
use leptos::prelude::*;
use web::render::{Here, here, loaded, parameter, use_query};
use web::ui::shell::Shell;
use works::{CopyChoice, Findings, ProofSheets, asked_copy, preflight};

use super::address;
use super::copies::work_of;
use super::person::person_address;
use super::store;

/// See the module.
#[component]
pub fn ProofPage() -> impl IntoView {
    let (here, id, key) = (here(), parameter::<YearBookId>("id"), use_query("copy"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let book = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let work = work_of(&app, &book).await?.ok_or(Error::NotFound)?;
            let names = work.document.copy_names();
            let chosen = asked_copy(&names, key.as_deref()).ok_or(Error::NotFound)?;
            let alone = work.document.clone().with_copies(&names[chosen..=chosen]);
            let alone = alone.map_err(Error::Conflict)?;
            let mut findings = preflight(&app, &member.id, &alone, None).await?;
            // what all copies have is said on the work's page
            findings.retain(|finding| !finding.copies.is_empty());
            let person = match alone.copies().first().and_then(|copy| copy.person.clone()) {
                Some(person) => match store::person(&app.db, &book.id, &person).await {
                    Err(Error::NotFound) => None,
                    found => Some(found?),
                },
                None => None,
            };
            Ok((member, book, work, (names, chosen), findings, person))
        },
        |(member, book, work, (names, chosen), findings, person)| {
            let own = address(&book.id);
            let (key, name) = (names[chosen].key.clone(), names[chosen].name.clone());
            let pdf = format!("/manager/opus/{}/proof.pdf?copy={key}", work.id);
            let mend = person.map(|person| {
                view! { <a class="button" href=person_address(&person)>"看这一位交的内容"</a> }
            });
            view! {
                <Shell member title=format!("看样：{name}") assets=&["works.css", "yearbooks.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=format!("{own}/book")>{book.title.clone()}</a></p>
                            <h1>{name}</h1>
                        </div>
                        <div class="row">{mend}<a class="button" href=pdf download>"下载样稿 PDF"</a></div>
                    </header>
                    <div class="stack">
                        <CopyChoice names chosen action=format!("{own}/proof")/>
                        <Findings findings/>
                        <section>
                            <h2>"样稿"</h2>
                            <p class="quiet">"图片的边就是裁切线，虚线以内是安全区。封面的名字和这一位自己的页是这一本独有的，其余每本一样。"</p>
                            <ProofSheets work copy=Some(key)/>
                        </section>
                    </div>
                </Shell>
            }
        },
    )
}
