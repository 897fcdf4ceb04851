//! The demo's year book: a small class, all but one of whom have sent their pages, and the book that was made of it.

use base::db::{new_id, now_ms};
use base::error::Error;
use base::time;
use domain::days::DAY_MS;
use domain::yearbook::Entry;
use web::app::App;
use web::demo::Demo;

use super::book::laid_out;
use super::roster::new_person;
use super::store::{self, Book, Look, Person, Sent};

/// Days until its last one.
const DAYS: i64 = 14;
/// Who is on the roster with a line and some words. The last has sent nothing yet.
const CLASS: [(&str, &str, &str); 6] = [
    ("张伟", "海阔凭鱼跃，天高任鸟飞", "操场边那棵槐树下，我们背过的书和吵过的架，都留给下一届吧。"),
    ("李娜", "慢慢来，比较快", "谢谢同桌三年里借我的每一块橡皮。"),
    ("王芳", "把日子过成诗", ""),
    ("阿卜杜热合曼·买买提江", "朋友多了路好走", "到新疆来，我请你们吃最甜的瓜。"),
    ("陈静", "", "图书馆三楼靠窗的座位，记得替我多坐几回。"),
    ("赵磊", "", ""),
];

/// Makes it.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let now = now_ms();
    let book = Book {
        id: new_id(),
        member: demo.member.clone(),
        title: "我们的三年".into(),
        author: "龙井中学 2026 届三班".into(),
        greeting: "一人一页，慢慢写。照片选一张露出肩膀的就好。".into(),
        until: time::start_of(time::date(now + DAYS * DAY_MS)),
        created_at: now,
        work: None,
        made_at: None,
        look: Look::default(),
    };
    let mut people: Vec<Person> = Vec::new();
    // landscapes stand for faces: the demo knows nobody
    let photos = demo.library.iter().rev().step_by(3);
    for ((name, motto, words), (photo, position)) in CLASS.into_iter().zip(photos.zip(1..)) {
        let entry = Entry { name: name.into(), group: "三年三班".into(), contact: String::new() };
        let mut person = new_person(&book, entry, position);
        if position < CLASS.len() as i64 {
            (person.motto, person.words) = (motto.into(), words.into());
            person.portrait = Some(Sent { photo: photo.id.clone(), is_added: false });
            person.sent_at = Some(now);
        }
        people.push(person);
    }
    let common: Vec<_> = demo.library.iter().take(1).map(|photo| photo.id.clone()).collect();
    let document = laid_out(app, &book, &people, &common, (&book.look, 0)).await?;
    let document = document.map_err(Error::internal)?;
    let work = works::keep(app, &demo.member, "album", &document).await?;
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, &book, 1).await?;
    store::insert_people(&mut tx, &people).await?;
    for person in &people {
        if person.sent_at.is_some() {
            store::set_photos(&mut tx, person, now).await?;
            store::set_words(&mut tx, &person.id, (&person.motto, &person.words), now).await?;
        }
    }
    store::set_work(&mut tx, &book.id, &work, &book.look, now).await?;
    store::uses::note(&mut tx, &book.id, &demo.member).await?;
    Ok(tx.commit().await?)
}
