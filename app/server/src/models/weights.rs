//! What a million reads weigh, and how long their page takes: run once by hand
//! (`cargo test -p bindery --lib -- --ignored a_million_reads --nocapture`).

use std::time::Instant;

use base::db::{new_id, with_db};
use domain::statistics::Device;
use web::app::App;
use web::counting::Ticket;

use crate::testing::{self, Engine};
use statistics::asked::Asked;
use statistics::counter::{Counter, Reader, Thing, Told, Who, number_of};
use statistics::days::{day_of, start_of};
use statistics::{report, store};

const ISSUES: i64 = 100;
const DAYS: i64 = 30;
const PAGES: u32 = 12;
const READS: i64 = 1_000_000;

/// Bytes of the database that hold something.
async fn weight(app: &App) -> i64 {
    let sql = match &app.db {
        base::db::Db::Sqlite(..) => {
            "select (page_count - freelist_count) * page_size
             from pragma_page_count, pragma_freelist_count, pragma_page_size"
        }
        base::db::Db::Postgres(..) => {
            "select cast(sum(pg_total_relation_size(c.oid)) as bigint) from pg_class c
             where relname in ('counted_things', 'reading_days', 'reading_pages', 'reading_words')"
        }
    };
    with_db!(&app.db, |pool| sqlx::query_scalar(sql).fetch_one(pool).await).unwrap()
}

#[tokio::test]
#[ignore = "a measurement"]
async fn a_million_reads_weigh_little_and_are_soon_shown() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((app, _folder)) = testing::app(engine).await else { continue };
        let owner = testing::member(&app).await;
        let things: Vec<Thing> = (0..ISSUES)
            .map(|number| {
                let id: String = format!("issue-{number}");
                Thing { number: number_of("issue", &id), kind: "issue".into(), id, owner: owner.clone() }
            })
            .collect();
        let before = weight(&app).await;
        let today = day_of(base::db::now_ms());
        let (mut reads, mut visits) = (0, 0i64);
        let started = Instant::now();
        for day in today - DAYS + 1..=today {
            let counter = Counter::default();
            let now = start_of(day) + 40_000_000;
            while reads < READS * (day - today + DAYS) / DAYS {
                visits += 1;
                let thing = &things[usize::try_from(visits % ISSUES).unwrap()];
                let who = Who {
                    member: (visits % 5 == 0).then(new_id),
                    address: String::new(),
                    agent: String::new(),
                    device: Device::ALL[usize::try_from(visits % 3).unwrap()],
                    region: None,
                };
                let reader = Reader { who: &who, digest: visits, at: visits };
                for page in 0..PAGES {
                    let ticket = Ticket {
                        kind: thing.kind.clone(),
                        id: thing.id.clone(),
                        first: page,
                        last: page,
                        is_entry: page == 0,
                        source: format!("host-{}.example", visits % 7),
                        asked: if page == 0 && visits % 9 == 0 {
                            format!("词{}", visits % 40)
                        } else {
                            String::new()
                        },
                        area: String::new(),
                        at: now - 10_000,
                        mark: u64::try_from(visits).unwrap() * 100 + u64::from(page),
                    };
                    let told = Told { ticket, pages: vec![(page, 5_000)], areas: Vec::new() };
                    counter.add(thing.clone(), &told, reader, now);
                    reads += 1;
                }
            }
            assert!(store::write(&app.db, counter.taken()).await.is_ok());
        }
        let counted = started.elapsed();
        store::forget_readers(&app.db, today + 1).await.unwrap();
        let stored = weight(&app).await - before;
        let mut slowest = 0;
        for _ in 0..5 {
            let started = Instant::now();
            let shown = report::report(&app, &owner, &Asked::default(), today).await.unwrap();
            slowest = slowest.max(started.elapsed().as_millis());
            assert_eq!(shown.totals.reads, reads);
        }
        eprintln!(
            "{engine:?}: {reads} reads of {visits} visits in {counted:?}; {stored} bytes stored; the page's numbers in {slowest} ms at most"
        );
        assert!(stored <= 8_000_000, "{stored} bytes");
        assert!(slowest <= 100, "{slowest} ms");
    }
}
