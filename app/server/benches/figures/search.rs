//! Words looked for in all issues of a title, on both engines.

use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection as _, PgConnection, SqliteConnection};

use crate::Failure;
use crate::load::{Connection, Load, summed};
use crate::orders::execute;
use crate::program::{ACCOUNT, Program};
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(4);
const READERS: usize = 8;
/// Articles, and those of the site beside it. A trial of the measurement takes fewer (`SEARCH_ARTICLES`).
const ARTICLES: usize = 100_000;
const FEW: usize = 1_000;
/// Articles of an issue, on so many pages.
const OF_ISSUE: usize = 50;
const PAGES: usize = 10;
/// Characters of an article, and how many different ones there are.
const LENGTH: usize = 800;
const LETTERS: u32 = 3_000;
/// Different questions.
const QUESTIONS: usize = 1_000;
/// Rows in one statement.
const AT_ONCE: usize = 250;

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let count = match std::env::var("SEARCH_ARTICLES") {
        Ok(count) => count.parse()?,
        Err(_) => ARTICLES,
    };
    let mut rows = Vec::new();
    let mut taken = Vec::new();
    let postgres = std::env::var("BINDERY_TEST_POSTGRES").ok();
    for (engine, server) in [("SQLite", None), ("PostgreSQL", postgres.as_deref())] {
        if engine == "PostgreSQL" && server.is_none() {
            continue;
        }
        let many = room.runtime.block_on(Site::open(room, server, "search_many", count))?;
        let few = room.runtime.block_on(Site::open(room, server, "search_few", count.min(FEW)))?;
        taken.push(format!("{engine} {:.0}", many.pages_a_second));
        for site in [&many, &few] {
            room.runtime.block_on(site.ask())?;
        }
        let rounds =
            Rounds::run(ROUNDS, || room.runtime.block_on(many.ask()), || room.runtime.block_on(few.ask()))?;
        rows.push(rounds.row(format!("{engine}, questions a second"), |load| load.per_second));
        rows.push(rounds.row(format!("{engine}, 99th percentile in ms"), |load| load.p99_ms));
    }
    let about = format!(
        "`GET /epaper/{{title}}/search?q=…` of visitors in a newspaper with {count} articles of {LENGTH} characters, beside one \
         with {FEW}: the whole page of an answer, with up to twenty excerpts. {QUESTIONS} different questions of two to four \
         characters, each taken from a place by chance, so that frequent characters are asked for often; {LETTERS} characters, \
         of which the most frequent stand thirty times as often as those in the middle. {READERS} connections, {ROUNDS} rounds of \
         {} s. Goal: 300 a second. Pages taken into the index a second, by the job that does so after an upgrade: {}.",
        TIME.as_secs(),
        taken.join(", "),
    );
    let beside = format!("{FEW} articles");
    Ok(Section { title: "Search in all issues", about, head: head(&beside), rows })
}

struct Site {
    program: Program,
    questions: Arc<Vec<String>>,
    pages_a_second: f64,
}

impl Site {
    async fn open(room: &Room, server: Option<&str>, name: &str, count: usize) -> Result<Self, Failure> {
        let database = match server {
            Some(url) => {
                execute(url, &format!("create database {name}")).await?;
                Some(PgConnectOptions::from_str(url)?.database(name).to_url_lossy().to_string())
            }
            None => None,
        };
        let program = Program::start_on(room, database.as_deref()).await?;
        let mut texts = Texts(7);
        let mut questions = Vec::new();
        execute(&program.database, &title()).await?;
        for issue in 0..count.div_ceil(OF_ISSUE) {
            execute(&program.database, &issue_of(issue)).await?;
            let articles: Vec<String> = (0..OF_ISSUE).map(|_| texts.words(LENGTH)).collect();
            for some in articles.chunks(AT_ONCE) {
                execute(&program.database, &rows_of(issue, some)).await?;
            }
            let wanted = (issue + 1) * QUESTIONS / count.div_ceil(OF_ISSUE);
            while questions.len() < wanted {
                let text: Vec<char> = articles[texts.next(OF_ISSUE as u32) as usize].chars().collect();
                let from = texts.next(LENGTH as u32 - 4) as usize;
                let word: String = text[from..from + 2 + texts.next(3) as usize].iter().collect();
                questions.push(word.bytes().map(|byte| format!("%{byte:02x}")).collect());
            }
        }
        // as if all had been there before the index was: the next start queues the job, and so does this
        let pages = count.div_ceil(OF_ISSUE) * PAGES;
        let begun = Instant::now();
        execute(
            &program.database,
            "insert into search_pages (issue_id, page, publication_id, is_kept)
             select issue_id, page, 'many', 0 from issue_pages;
             insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             values ('take-in', 'index_pages_of_issues', '{\"kind\":\"index_pages_of_issues\"}', 0, 0, 0, 0);",
        )
        .await?;
        while waiting(&program.database).await? {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let pages_a_second = pages as f64 / begun.elapsed().as_secs_f64();
        // what PostgreSQL does by itself after a while, and would do while it is asked
        let rest = if server.is_some() { "vacuum (analyze)" } else { "analyze" };
        execute(&program.database, rest).await?;
        program.process.settle()?;
        Ok(Self { program, questions: Arc::new(questions), pages_a_second })
    }

    /// Asks one question after the other over some connections.
    async fn ask(&self) -> Result<Load, Failure> {
        let start = Instant::now();
        let address = &self.program.process.address;
        let callers = (0..READERS).map(|reader| {
            let (address, questions) = (address.clone(), self.questions.clone());
            tokio::spawn(async move {
                let mut connection = Connection::open(&address).await?;
                let mut waits = Vec::new();
                let own = questions.iter().cycle().skip(reader * questions.len() / READERS);
                for question in own {
                    if start.elapsed() >= TIME {
                        break;
                    }
                    let asked = Instant::now();
                    let request = format!(
                        "GET /epaper/many/search?q={question} HTTP/1.1\r\nhost: {address}\r\naccept: text/html\r\n\
                         x-forwarded-for: 192.0.2.{reader}\r\n\r\n"
                    );
                    connection.ask(&request, 200).await?;
                    waits.push(asked.elapsed());
                }
                Ok(waits)
            })
        });
        summed(callers.collect(), start).await
    }
}

/// Texts by chance, the same each time.
struct Texts(u64);

impl Texts {
    fn next(&mut self, below: u32) -> u32 {
        // Knuth's MMIX generator
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % below
    }

    /// So many Chinese characters, the first of them more frequent.
    fn words(&mut self, length: usize) -> String {
        let letter = |texts: &mut Self| {
            let part = f64::from(texts.next(1_000_000)) / 1_000_000.0;
            char::from_u32(0x4e00 + (f64::from(LETTERS) * part * part * part) as u32).unwrap_or('字')
        };
        (0..length).map(|at| if at % 20 == 19 { '，' } else { letter(self) }).collect()
    }
}

fn title() -> String {
    format!(
        "insert into publications (id, member_id, kind, address, name, organiser, number, description, weekdays, is_sold,
            preview_pages, created_at, updated_at)
         select 'many', id, 'epaper', 'many', '晚报', '报社', '', '', 0, 0, 0, 1, 1 from members where account = '{ACCOUNT}'"
    )
}

/// An issue of a day of its own, with its pages.
fn issue_of(number: usize) -> String {
    let (year, day) = (2000 + number / 336, number % 336);
    let day = format!("{year}-{:02}-{:02}", day / 28 + 1, day % 28 + 1);
    let pages: Vec<String> =
        (1..=PAGES).map(|page| format!("('issue-{number}', {page}, '', '[]', 1, {LENGTH})")).collect();
    format!(
        "insert into issues (id, publication_id, member_id, day, year, number, total, name, state, published_at, document,
            width, height, pages, picture_key, created_at, updated_at)
         select 'issue-{number}', 'many', id, '{day}', {year}, {number}, {number}, '', 'published', 1, '{{}}', 390, 540,
            {PAGES}, 'key', 1, 1 from members where account = '{ACCOUNT}';
         insert into issue_pages (issue_id, page, name, links, read_at, letters) values {};",
        pages.join(", ")
    )
}

fn rows_of(issue: usize, texts: &[String]) -> String {
    let rows = texts.iter().enumerate().map(|(at, text)| {
        let (number, page) = (at + 1, at % PAGES + 1);
        let title: String = text.chars().skip(5).take(14).collect();
        format!("('{issue}-{number}', 'issue-{issue}', {number}, {page}, {number}, 0, '', '{title}', '', '', '{text}', '[]', '[]', 1)")
    });
    format!(
        "insert into articles (id, issue_id, number, page, position, is_proposed, kicker, title, subtitle, author, text, areas,
            photos, updated_at) values {}",
        rows.collect::<Vec<_>>().join(", ")
    )
}

async fn waiting(url: &str) -> Result<bool, Failure> {
    let sql = "select count(*) from search_pages where is_kept = 0";
    let count: i64 = if url.starts_with("sqlite:") {
        sqlx::query_scalar(sql).fetch_one(&mut SqliteConnection::connect(url).await?).await?
    } else {
        sqlx::query_scalar(sql).fetch_one(&mut PgConnection::connect(url).await?).await?
    };
    Ok(count > 0)
}
