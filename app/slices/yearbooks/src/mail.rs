//! Messages to those on a roster whose contact is an e-mail address: asked once by hand, reminded as the last day comes near.

use base::db::{Tx, now_ms};
use base::delivery::{self, Message};
use base::error::Error;
use base::jobs;
use base::time;
use domain::ids::{YearBookId, YearBookPersonId};
use domain::yearbook::{APART_MS, LinkState, reminders};
use web::app::App;
use web::origin::Origin;

use super::jobs::RemindAll;
use super::own_page;
use super::store::{self, Book, Person};

/// Whether messages can go: they have a link in them, so the site has to know where the world finds it.
pub fn may_leave(app: &App) -> bool {
    Origin::configured(&app.config).is_some()
}

/// Who may be asked now: whose contact is an e-mail address, who has sent nothing and was not asked just before.
pub fn may_ask(book: &Book, person: &Person, now: i64) -> bool {
    person.sent_at.is_none()
        && person.entry.email().is_some()
        && person.state(book, now) == LinkState::Open
        && person.asked_at.is_none_or(|at| now >= at + APART_MS)
}

/// People who are asked in one transaction, each with a message.
const AT_ONCE: usize = 50;

/// Asks all who may be asked, as long as the book has the same last day. How many they are.
pub async fn ask(app: &App, book: &Book, now: i64) -> Result<usize, Error> {
    let Some(base) = Origin::configured(&app.config) else { return Ok(0) };
    let mut people = store::people(&app.db, &book.id).await?;
    people.retain(|person| may_ask(book, person, now));
    let people: Vec<YearBookPersonId> = people.into_iter().map(|person| person.id).collect();
    let mut asked = 0;
    for some in people.chunks(AT_ONCE) {
        let mut tx = app.db.begin().await?;
        let held = match store::hold(&mut tx, &book.id).await {
            Ok(held) if held.until == book.until => held,
            Ok(_) | Err(Error::NotFound) => break,
            Err(error) => return Err(error),
        };
        asked += ask_some(app, &mut tx, &base, &held, some, now).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(asked)
}

/// Asks those of some who may be asked still.
async fn ask_some(
    app: &App,
    tx: &mut Tx,
    base: &Origin,
    book: &Book,
    some: &[YearBookPersonId],
    now: i64,
) -> Result<usize, Error> {
    let mut asked = Vec::new();
    for person in store::some_people(tx, &book.id, some).await? {
        let Some(to) = person.entry.email().filter(|_| may_ask(book, &person, now)) else { continue };
        let link = base.join(&own_page::address(&person.code));
        let last = time::day(person.ends(book) - 1);
        let greeting =
            if book.greeting.is_empty() { String::new() } else { format!("\n{}\n", book.greeting) };
        let again = if person.asked_at.is_some() { "还没有收到您的一页。" } else { "" };
        let text = format!(
            "【书坊】{}：\n{again}《{}》里有您的一页，请在 {last} 以前填好，不用注册：\n{link}\n{greeting}\n\
             这个链接只给您一个人用。名字不对，或者不认识发起的人，不用理会。",
            person.entry.name, book.title
        );
        let subject = format!("《{}》里您的一页", book.title);
        let message = Message {
            to: &to,
            subject: &subject,
            text,
            expires_at: person.ends(book),
            on_behalf_of: Some(&book.member),
        };
        delivery::queue(app, tx, message).await?;
        asked.push(person.id);
    }
    store::set_asked(tx, &asked, now).await?;
    Ok(asked.len())
}

/// Queues the reminders of a last day.
pub async fn remind_later(tx: &mut Tx, book: &Book, now: i64) -> Result<(), Error> {
    for at in reminders(book.until, now) {
        let job = RemindAll { book: book.id.clone(), until: book.until };
        jobs::enqueue_for(tx, &job, &book.member, at).await?;
    }
    Ok(())
}

/// The job: reminds those who have sent nothing, unless the last day is another one by now.
pub async fn remind(app: &App, id: &YearBookId, until: i64) -> Result<(), Error> {
    match store::find(&app.db, id).await? {
        Some(book) if book.until == until => ask(app, &book, now_ms()).await.map(drop),
        _ => Ok(()),
    }
}
