//! What others wait for while one member asks for the most that there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Failure;
use crate::load::{Connection, Load, drive, summed};
use crate::orders::{execute, form, unpaid};
use crate::program::{ACCOUNT, PASSWORD, Program, SHELF, sign_in};
use crate::report::{Rounds, Section, head};
use crate::room::Room;
use crate::samples;

const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(5);
/// Requests of the one member at a time.
const AT_ONCE: usize = 24;
/// When it hangs up, where it does.
const PATIENCE: Duration = Duration::from_millis(200);
const CODES: usize = 20_000;
const OPERATIONS: usize = 10_000;
/// What stands in them for the request, of whose name each has its own.
const NAMED: &str = "NAME-OF-REQUEST";
/// Photos of each album, and of each upload.
const PHOTOS: usize = 300;
const SENT: usize = 20;
/// Connections of somebody else who reads, and of somebody who writes.
const READERS: usize = 4;
const WRITERS: usize = 2;
/// Orders to be paid in a round.
const ORDERS: usize = 20_000;

/// What the others got.
struct Got {
    pages: Load,
    writes: Load,
    sign_ins: Load,
}

#[derive(Clone, Copy)]
enum Asks {
    /// Batches of codes, and hangs up.
    Codes,
    /// Long lists of operations on a work.
    Edits,
    /// Albums of many photos.
    Albums,
    /// Many photos in each of many forms.
    Uploads,
}

const ALL: [(Asks, &str); 4] =
    [(Asks::Codes, "codes"), (Asks::Edits, "edits"), (Asks::Albums, "albums"), (Asks::Uploads, "uploads")];

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let mut rows = Vec::new();
    let postgres = std::env::var("BINDERY_TEST_POSTGRES").ok();
    for (engine, database) in [("SQLite", None), ("PostgreSQL", postgres.as_deref())] {
        if engine == "PostgreSQL" && database.is_none() {
            continue;
        }
        let site = room.runtime.block_on(Site::open(room, database))?;
        for (asks, words) in ALL {
            let run = |asks: Option<Asks>| {
                room.runtime.block_on(site.forget_batches())?;
                site.program.process.settle()?;
                room.runtime.block_on(site.run(asks))
            };
            run(Some(asks))?;
            let rounds = Rounds::run(ROUNDS, || run(Some(asks)), || run(None))?;
            let what = |figure: &str| format!("{engine}, {words}: {figure}, 99th percentile in ms");
            rows.push(rounds.row(what("pages"), |got| got.pages.p99_ms));
            rows.push(rounds.row(what("writes"), |got| got.writes.p99_ms));
            rows.push(rounds.row(what("sign-ins"), |got| got.sign_ins.p99_ms));
        }
    }
    let about = format!(
        "One member sends {AT_ONCE} requests at a time without a pause: batches of {CODES} redeem codes, hung up after \
         {} ms; {OPERATIONS} operations on each of {AT_ONCE} works; albums of {PHOTOS} photos; or forms with {SENT} new photos \
         each. Meanwhile somebody else looks at `{SHELF}` over \
         {READERS} connections, two others pay orders from their balance, and one signs in again and again. Beside it the \
         same without that member. {ROUNDS} rounds of {} s. Goals: pages within 500 ms, writes within 1 s. A sign-in is a \
         password's hash and six transactions, one after the other.",
        PATIENCE.as_millis(),
        TIME.as_secs(),
    );
    Ok(Section {
        title: "One member who asks for everything",
        about,
        head: head("without that member"),
        rows,
    })
}

/// A work with the photo that its operations turn.
struct Work {
    id: String,
    page: String,
    element: String,
}

struct Site {
    program: Program,
    works: Vec<Work>,
    package: String,
    reader: String,
    writers: Vec<String>,
    photos: Arc<[String]>,
    round: AtomicUsize,
    /// Names of forms and operations that nobody else has.
    next: Arc<AtomicUsize>,
}

impl Site {
    async fn open(room: &Room, database: Option<&str>) -> Result<Self, Failure> {
        let program = Program::start_on(room, database).await?;
        let top = format!("update members set tier = '超级会员' where account = '{ACCOUNT}'");
        execute(&program.database, &top).await?;
        program.fill_shelf(AT_ONCE).await?;
        let shelf = program.get(SHELF, "identity").await?.text().await?;
        let mut works = Vec::new();
        for (_, rest) in
            shelf.match_indices("/manager/opus_setting/").map(|(at, mark)| shelf.split_at(at + mark.len()))
        {
            let id: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
            if works.iter().all(|work: &Work| work.id != id) {
                works.push(Self::work(&program, id).await?);
            }
        }
        let page = program.get("/manager/epaper_sell/new", "identity").await?.text().await?;
        let package = value_of(&page, "package")?;
        let content = format!("work:{}", works.first().ok_or("no work")?.id);
        let fields = [
            ("package", &*package),
            ("title", "全年"),
            ("unit", "months"),
            ("count", "1"),
            ("price", "12"),
            ("trial_pages", "3"),
            ("content", &content),
        ];
        program.send("/manager/epaper_sell/new", &fields).await?;
        let reader = program.member(0, "0").await?;
        let mut writers = Vec::new();
        for number in 1..=WRITERS {
            writers.push(program.member(number, "10000000").await?);
        }
        let (round, next) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(PHOTOS)));
        for first in (0..PHOTOS).step_by(SENT) {
            program.upload(tiny_photos(first, SENT)?).await?;
        }
        let photos = program.photos(PHOTOS).await?.into();
        Ok(Self { program, works, package, reader, writers, photos, round, next })
    }

    async fn work(program: &Program, id: String) -> Result<Work, Failure> {
        let text = program.get(&format!("/works/document?workID={id}"), "identity").await?.text().await?;
        let answer: Value = serde_json::from_str(&text)?;
        let pages = answer["data"]["document"]["pages"].as_array().ok_or("no pages")?;
        let found = pages.iter().find_map(|page| {
            let element = page["elements"].as_array()?.iter().find(|element| element["id"].is_string())?;
            Some((page["id"].as_str()?.to_owned(), element["id"].as_str()?.to_owned()))
        });
        let (page, element) = found.ok_or("no page with a photo")?;
        Ok(Work { id, page, element })
    }

    /// What the one member left to be done in the background is not the next round's.
    async fn forget_batches(&self) -> Result<(), Failure> {
        execute(&self.program.database, "update code_batches set voided_at = 1, unwritten = 0").await
    }

    async fn run(&self, asks: Option<Asks>) -> Result<Got, Failure> {
        let round = self.round.fetch_add(1, Ordering::Relaxed);
        for writer in 0..WRITERS {
            let account = format!("member-{}@example.com", writer + 1);
            unpaid(&self.program.database, &account, &format!("{round}-{writer}"), ORDERS / WRITERS).await?;
        }
        let mut hostile = JoinSet::new();
        for number in 0..if asks.is_some() { AT_ONCE } else { 0 } {
            match asks {
                Some(Asks::Edits) => hostile.spawn(self.edit(number)),
                Some(Asks::Albums) => hostile.spawn(self.make_albums()),
                Some(Asks::Uploads) => hostile.spawn(self.upload()),
                Some(Asks::Codes) | None => hostile.spawn(self.ask_for_codes()),
            };
        }
        let address = &self.program.process.address;
        let request: Arc<str> = format!(
            "GET {SHELF} HTTP/1.1\r\nhost: {address}\r\naccept-encoding: br\r\ncookie: {}\r\n\r\n",
            self.reader
        )
        .into();
        let (pages, writes, sign_ins) =
            tokio::try_join!(drive(address, &request, READERS, TIME), self.pay(round), sign_ins(address))?;
        hostile.shutdown().await;
        Ok(Got { pages, writes, sign_ins })
    }

    fn ask_for_codes(&self) -> impl Future<Output = Result<(), Failure>> + Send + use<> {
        let (address, cookie, next) =
            (self.program.process.address.clone(), self.program.cookie.clone(), self.next.clone());
        let package = self.package.clone();
        async move {
            loop {
                let batch = next.fetch_add(1, Ordering::Relaxed);
                let fields = format!("batch=bench{batch:020}&package={package}&codes={CODES}&active=1");
                let mut stream = TcpStream::connect(&address).await?;
                let request = form(&address, "/manager/epaper_code/new", &cookie, &fields);
                stream.write_all(request.as_bytes()).await?;
                tokio::time::sleep(PATIENCE).await;
            }
        }
    }

    fn make_albums(&self) -> impl Future<Output = Result<(), Failure>> + Send + use<> {
        let place = format!("http://{}/manager/make_ebook", self.program.process.address);
        let (client, photos) = (self.program.client.clone(), self.photos.clone());
        async move {
            loop {
                let form = Form::new()
                    .text("format", "square-210")
                    .text("theme", "calm")
                    .text("title", "厚厚的一本");
                let form = photos.iter().fold(form, |form, photo| form.text("photo", photo.clone()));
                client.post(&place).multipart(form).send().await?.bytes().await?;
            }
        }
    }

    fn upload(&self) -> impl Future<Output = Result<(), Failure>> + Send + use<> {
        let place = format!("http://{}/manager/photos", self.program.process.address);
        let (client, next) = (self.program.client.clone(), self.next.clone());
        async move {
            loop {
                let first = next.fetch_add(SENT, Ordering::Relaxed);
                let form = tiny_photos(first, SENT)?.into_iter().fold(Form::new(), |form, photo| {
                    form.part("photos", Part::bytes(photo).file_name("照片.jpg"))
                });
                client.post(&place).multipart(form).send().await?.bytes().await?;
            }
        }
    }

    fn edit(&self, number: usize) -> impl Future<Output = Result<(), Failure>> + Send + use<> {
        let (address, cookie, next) =
            (self.program.process.address.clone(), self.program.cookie.clone(), self.next.clone());
        let Work { id, page, element } = &self.works[number % self.works.len()];
        let operations: Vec<Value> = (0..OPERATIONS)
            .map(|operation| {
                let name = format!("{NAMED}-{operation}");
                let turned = json!(operation % 90);
                json!({ "id": name, "op": "set", "page": page, "element": element, "name": "rotation", "value": turned })
            })
            .collect();
        // made once: what it takes to write them would be taken from those who wait
        let operations = Value::from(operations).to_string();
        let operations = serde_urlencoded::to_string([("workID", id), ("operations", &operations)]);
        async move {
            let operations = operations?;
            let client = reqwest::Client::new();
            let mut base = "1".to_owned();
            loop {
                let request = format!("b{}", next.fetch_add(1, Ordering::Relaxed));
                let fields = format!("base={base}&{}", operations.replace(NAMED, &request));
                let sent = client.post(format!("http://{address}/works/edit")).header("cookie", &cookie);
                let sent = sent.header("content-type", "application/x-www-form-urlencoded").body(fields);
                let text = sent.send().await?.text().await?;
                let answer: Value = serde_json::from_str(&text).unwrap_or_default();
                // where somebody else's round was before, too
                base = answer["data"]["revision"].as_i64().map_or(base, |revision| revision.to_string());
            }
        }
    }

    async fn pay(&self, round: usize) -> Result<Load, Failure> {
        let start = Instant::now();
        let callers = self.writers.iter().enumerate().map(|(writer, cookie)| {
            let (address, cookie) = (self.program.process.address.clone(), cookie.clone());
            tokio::spawn(async move {
                let mut connection = Connection::open(&address).await?;
                let mut waits = Vec::new();
                while start.elapsed() < TIME && waits.len() < ORDERS / WRITERS {
                    let order = format!("order={round}-{writer}-{}", waits.len());
                    let request = form(&address, "/manager/shopping/pay", &cookie, &order);
                    let asked = Instant::now();
                    connection.ask(&request, 303).await?;
                    waits.push(asked.elapsed());
                }
                std::io::Result::Ok(waits)
            })
        });
        summed(callers.collect(), start).await
    }
}

fn tiny_photos(first: usize, count: usize) -> Result<Vec<Vec<u8>>, Failure> {
    (first..first + count).map(samples::tiny).collect()
}

async fn sign_ins(address: &str) -> Result<Load, Failure> {
    let start = Instant::now();
    let address = address.to_owned();
    let caller = tokio::spawn(async move {
        let mut waits = Vec::new();
        while start.elapsed() < TIME {
            let asked = Instant::now();
            sign_in(&address, "member-0@example.com", PASSWORD).await.map_err(std::io::Error::other)?;
            waits.push(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        std::io::Result::Ok(waits)
    });
    summed(vec![caller], start).await
}

/// What a hidden field of a page holds.
fn value_of(page: &str, name: &str) -> Result<String, Failure> {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).ok_or_else(|| format!("no field {name}"))?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}
