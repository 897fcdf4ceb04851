//! Ninety days of the demo's readers, as rollups: the week's rhythm, a book that finds its readers slowly, and pages on which
//! fewer and fewer arrive.

use base::db::{Tx, now_ms, sql, with_tx};
use base::error::Error;
use domain::ids::MemberId;
use sha2::{Digest, Sha256};
use web::app::App;
use web::demo::Demo;

use super::counter::number_of;
use super::days::{day_of, weekday};
use super::store::{WHOLE, add_day};
use super::{countable, countables};

/// How many days.
const DAYS: i64 = 90;
/// Rows that one statement writes.
const ROWS: usize = 400;
/// Pages whose areas are looked at.
const PAGES_WITH_AREAS: usize = 8;
/// Visits of a weekday in per cent of the average, Sunday first: books are read when there is time.
const WEEK: [i64; 7] = [158, 82, 74, 78, 84, 96, 138];
/// Sources, devices and regions, and how many of a hundred visits each has.
const SOURCES: [(&str, i64); 7] = [
    ("weixin", 51),
    ("", 17),
    ("mp.weixin.qq.com", 12),
    ("site", 8),
    ("www.baidu.com", 6),
    ("xiaohongshu", 4),
    ("weibo.com", 2),
];
const DEVICES: [(&str, i64); 3] = [("phone", 77), ("computer", 15), ("tablet", 8)];
const REGIONS: [(&str, i64); 9] = [
    ("浙江", 31),
    ("上海", 19),
    ("江苏", 13),
    ("广东", 11),
    ("北京", 9),
    ("四川", 7),
    ("福建", 5),
    ("云南", 3),
    ("新加坡", 2),
];
/// What readers looked for, and how many in a thousand visits.
const SEARCHES: [(&str, i64); 5] = [("海", 22), ("日落", 15), ("外婆", 9), ("山路", 7), ("二〇二六", 4)];

/// How many visits the member's first books have on an average day: those that everybody, or whoever has the link, may read.
const VISITS: [i64; 3] = [46, 17, 9];

/// Writes them.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let member = &demo.member;
    let things =
        demo.books.iter().zip(VISITS).map(|((work, _), average)| ("work", work.to_string(), average));
    let today = day_of(now_ms());
    let mut tx = app.db.begin().await?;
    let whole = number_of(WHOLE, member.as_str());
    note(&mut tx, whole, (WHOLE, member.as_str()), member).await?;
    let mut all = vec![(0, 0, 0, 0); usize::try_from(DAYS).unwrap_or(0)];
    let mut rows = Rows::default();
    for (kind, id, average) in things {
        let number = number_of(kind, &id);
        note(&mut tx, number, (kind, &id), member).await?;
        let pages = pages_of(app, member, kind, &id).await?;
        let areas = areas_of(app, kind, &id, pages).await?;
        for (index, sum) in all.iter_mut().enumerate() {
            let back = i64::try_from(index).unwrap_or(0);
            let day = today - DAYS + 1 + back;
            let week = WEEK[usize::try_from(weekday(day)).unwrap_or(0)];
            // it grows by two thirds in that time, and no day is like another
            let grown = 75 + back * 50 / DAYS;
            let opens = average * week * grown * (70 + chance(number, day, 0) % 61) / 1_000_000;
            let readers = opens * (78 + chance(number, day, 1) % 12) / 100 + i64::from(opens > 0);
            let readers = readers.min(opens);
            let (mut reads, mut spent) = (0, 0);
            for page in 0..=pages {
                let read = arrived(opens, page, pages, chance(number, day, 100 + page));
                let time = read * (2_600 + (chance(number, 0, page) % 60) * 170);
                if read > 0 {
                    rows.page(number, day, page, read, time);
                }
                (reads, spent) = (reads + read, spent + time);
            }
            for (word, share) in SOURCES {
                rows.word(number, day, "source", word, spread(opens, share, chance(number, day, share)));
            }
            for (word, share) in DEVICES {
                rows.word(number, day, "device", word, spread(opens, share, chance(number, day, share)));
            }
            for (word, share) in REGIONS {
                rows.word(number, day, "region", word, spread(opens, share, chance(number, day, 20 + share)));
            }
            for (word, share) in SEARCHES {
                rows.word(
                    number,
                    day,
                    "search",
                    word,
                    (opens * share + chance(number, day, share) % 1_000) / 1_000,
                );
            }
            for (place, area) in areas.iter().enumerate() {
                let share = 9 - 2 * i64::try_from(place).unwrap_or(0).min(4);
                rows.word(number, day, "area", area, spread(opens, share, chance(number, day, 50 + share)));
            }
            add_day(&mut tx, day, number, (opens, reads, spent), (readers, readers / 7)).await?;
            *sum = (sum.0 + opens, sum.1 + reads, sum.2 + spent, sum.3 + readers);
        }
    }
    for (index, (opens, reads, spent, readers)) in all.into_iter().enumerate() {
        let day = today - DAYS + 1 + i64::try_from(index).unwrap_or(0);
        // some read two of the books
        let readers = readers * 93 / 100 + i64::from(readers > 0);
        add_day(&mut tx, day, whole, (opens, reads, spent), (readers, readers / 7)).await?;
    }
    rows.write(&mut tx).await?;
    Ok(tx.commit().await?)
}

/// How many come to a page: each tells some to stop, the end draws those who leaf through.
fn arrived(opens: i64, page: i64, pages: i64, chance: i64) -> i64 {
    let share = match page {
        0 => 96,
        page if page == pages => 34,
        page => (84 * 100 / (100 + 190 * page / pages.max(1))).max(12),
    };
    (opens * share * (92 + chance % 17) / 100 + 50) / 100
}

/// A share of visits in per cent, rounded up or down by chance.
fn spread(visits: i64, share: i64, chance: i64) -> i64 {
    (visits * share + chance % 100) / 100
}

/// A number that is always the same for the same things, and like no other.
fn chance(thing: i64, day: i64, what: i64) -> i64 {
    let digest = Sha256::digest([thing, day, what].map(i64::to_be_bytes).concat());
    i64::from(u32::from_be_bytes(digest[..4].try_into().unwrap_or_default()))
}

async fn pages_of(app: &App, member: &MemberId, kind: &str, id: &str) -> Result<i64, Error> {
    for countable in countables(app).filter(|countable| countable.kind() == kind) {
        let own = countable.of_member(app, member).await?;
        if let Some(read) = own.into_iter().find(|read| read.id == id) {
            return Ok(i64::try_from(read.pages).unwrap_or(0));
        }
    }
    Ok(0)
}

async fn areas_of(app: &App, kind: &str, id: &str, pages: i64) -> Result<Vec<String>, Error> {
    let mut ids = Vec::new();
    if let Some(countable) = countable(app, kind) {
        let last = usize::try_from(pages).unwrap_or(0).min(PAGES_WITH_AREAS);
        for page in 0..=last {
            ids.extend(countable.areas(app, id, page).await?.into_iter().map(|area| area.id));
        }
    }
    Ok(ids)
}

async fn note(tx: &mut Tx, number: i64, (kind, id): (&str, &str), member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into counted_things (id, kind, item_id, member_id) values ($1, $2, $3, $4)
         on conflict (id) do nothing",
    )
    .bind(number)
    .bind(kind)
    .bind(id)
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Rows that are written many at a time.
#[derive(Default)]
struct Rows {
    pages: Vec<[i64; 5]>,
    words: Vec<(i64, i64, &'static str, String, i64)>,
}

impl Rows {
    fn page(&mut self, thing: i64, day: i64, page: i64, reads: i64, spent: i64) {
        self.pages.push([thing, day, page, reads, spent]);
    }

    fn word(&mut self, thing: i64, day: i64, about: &'static str, word: &str, count: i64) {
        if count > 0 {
            self.words.push((thing, day, about, word.to_owned(), count));
        }
    }

    async fn write(self, tx: &mut Tx) -> Result<(), Error> {
        let pages =
            sql!("insert into reading_pages (thing_id, day, page, reads, spent) values [(?, ?, ?, ?, ?)]");
        for rows in self.pages.chunks(ROWS) {
            let sql = pages.repeated(rows.len());
            with_tx!(tx, |conn| {
                let bound =
                    rows.iter().flatten().fold(sqlx::query(sql.text()), |query, number| query.bind(*number));
                bound.execute(conn).await.map(drop)
            })?;
        }
        let words =
            sql!("insert into reading_words (thing_id, day, about, word, count) values [(?, ?, ?, ?, ?)]");
        for rows in self.words.chunks(ROWS) {
            let sql = words.repeated(rows.len());
            with_tx!(tx, |conn| {
                let bound =
                    rows.iter().fold(sqlx::query(sql.text()), |query, (thing, day, about, word, count)| {
                        query.bind(*thing).bind(*day).bind(*about).bind(word.as_str()).bind(*count)
                    });
                bound.execute(conn).await.map(drop)
            })?;
        }
        Ok(())
    }
}
