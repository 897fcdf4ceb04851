//! The roster: adding people, their links as a table, asking those who have an e-mail address.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::csv::{BOM, row};
use domain::ids::YearBookId;
use domain::redeem_code::{RANDOM, RedeemCode};
use domain::yearbook::{Entry, LinkState, MOST_BYTES, read_roster};
use rand::Rng;
use web::app::App;
use web::multipart::{Multipart, bounded};
use web::origin::Origin;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::files::csv_file;
use web::ui::forms::unreadable;

use super::store::{self, Book, Person};
use super::{address, mail, own_page};

/// What a link is made of: 75 random bits, so tries are not counted.
pub fn new_code() -> String {
    let mut random = [0; RANDOM];
    rand::rng().fill_bytes(&mut random);
    RedeemCode::of(random).plain()
}

/// POST /manager/yearbook/{id}: people, typed or pasted as `names`, or as a file `file`. All of them or none.
pub async fn add(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let (mut typed, mut refused) = (String::new(), None);
    while let Some(field) = multipart.next_field().await.map_err(|_| unreadable())? {
        let name = field.name().unwrap_or_default().to_owned();
        if !matches!(name.as_str(), "names" | "file") {
            continue;
        }
        let Ok(bytes) = bounded(field, MOST_BYTES).await.map_err(|_| unreadable())? else {
            refused = Some(format!("名单最大 {} KB", MOST_BYTES / 1024));
            continue;
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        // spreadsheets write their own country's encoding
        match press::manuscript::decode(&bytes) {
            Ok(text) => typed = format!("{typed}\n{text}"),
            Err(_) => refused = Some("名单读不出来：请在表格里另存为 CSV 再选，或者直接粘贴".to_owned()),
        }
    }
    let typed = typed.trim().to_owned();
    let mut form = Form::sent([("names".to_owned(), typed.clone())]);
    if let Some(reason) = refused {
        form.refuse("names", reason);
        return render::again(&app, parts, &address(&id), form).await;
    }
    match keep(&app, &book, &typed).await? {
        Ok((added, known)) => {
            Ok(Redirect::to(&format!("{}?added={added}&known={known}", address(&id))).into_response())
        }
        Err(wrong) => {
            for reason in wrong {
                form.refuse("names", reason);
            }
            render::again(&app, parts, &address(&id), form).await
        }
    }
}

/// Somebody who is new on a book's roster.
pub fn new_person(book: &Book, entry: Entry, position: i64) -> Person {
    Person {
        id: new_id(),
        book: book.id.clone(),
        member: book.member.clone(),
        position,
        entry,
        code: new_code(),
        motto: String::new(),
        words: String::new(),
        portrait: None,
        own: None,
        has_copy: true,
        until: None,
        withdrawn_at: None,
        sent_at: None,
        asked_at: None,
    }
}

/// Adds those of a roster who are new. How many these are, and how many were known; or what is wrong, line by line.
///
/// It is read before anybody waits for the writer: who keeps the same roster at the same time has it read once more.
async fn keep(app: &App, book: &Book, text: &str) -> Result<Result<(usize, usize), Vec<String>>, Error> {
    let mut listed = store::listed(&mut app.db.begin_snapshot().await?, &book.id).await?;
    loop {
        let known: Vec<Entry> = listed.iter().map(|listed| listed.entry.clone()).collect();
        let roster = match read_roster(text, &known) {
            Ok(roster) => roster,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let place = |(place, contact): (usize, String)| Some((listed.get(place)?.id.clone(), contact));
        let contacts: Vec<_> = roster.contacts.into_iter().filter_map(place).collect();
        let last = listed.iter().map(|listed| listed.position).max().unwrap_or(0);
        let new: Vec<Person> = roster
            .new
            .into_iter()
            .zip(last + 1..)
            .map(|(entry, position)| new_person(book, entry, position))
            .collect();
        let mut tx = app.db.begin().await?;
        store::hold(&mut tx, &book.id).await?;
        let now = store::listed(&mut tx, &book.id).await?;
        if now != listed {
            listed = now;
            continue;
        }
        store::set_contacts(&mut tx, &contacts).await?;
        store::insert_people(&mut tx, &new).await?;
        tx.commit().await?;
        return Ok(Ok((new.len(), roster.known)));
    }
}

/// How a link stands, in a word.
pub fn state_name(person: &Person, book: &Book, now: i64) -> &'static str {
    match (person.state(book, now), person.sent_at) {
        (LinkState::Withdrawn, _) => "链接已收回",
        (_, Some(_)) => "已交",
        (LinkState::Open, None) => "还没交",
        (LinkState::Over, None) => "没交",
    }
}

/// GET /manager/yearbook/{id}/links.csv: each with its link, for whoever sends them out by other ways than mail.
pub async fn links(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
    parts: Parts,
) -> Result<Response, Error> {
    let book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let (base, now) = (Origin::of(&app.config, &parts.headers), now_ms());
    let mut table = format!("{BOM}{}", row(["姓名", "班级", "联系方式", "链接", "状态"]));
    for person in store::people(&app.db, &id).await? {
        let link = match person.withdrawn_at {
            None => base.join(&own_page::address(&person.code)),
            Some(_) => String::new(),
        };
        let Entry { name, group, contact } = &person.entry;
        table.push_str(&row([name, group, contact, &*link, state_name(&person, &book, now)]));
    }
    Ok(csv_file("yearbook-links.csv", table))
}

/// POST /manager/yearbook/{id}/messages: asks those who have an e-mail address and have sent nothing.
pub async fn ask(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
) -> Result<Redirect, Error> {
    let book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let asked = mail::ask(&app, &book, now_ms()).await?;
    Ok(Redirect::to(&format!("{}?asked={asked}", address(&id))))
}
