//! Many readers and members at once, as slow as people are, and the memory that the program takes before, meanwhile and after.

use std::time::{Duration, Instant};

use reqwest::Client;
use reqwest::header::{COOKIE, LOCATION};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::program::{Program, SHELF};
use crate::report::{Section, shown};
use crate::room::Room;
use crate::{Failure, samples};

const READERS: usize = 2_000;
const MEMBERS: usize = 200;
const TIME: Duration = Duration::from_secs(5 * 60);
/// Between two pages of one reader, and between two of one member.
const READS: Duration = Duration::from_secs(20);
const LOOKS: Duration = Duration::from_secs(10);
/// When the program has given back what it does not need.
const REST: Duration = Duration::from_secs(75);
/// Photos of an album.
const PHOTOS: u32 = 2;
/// What readers read with.
const BROWSER: &str =
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36";

/// How long each of some answers took.
#[derive(Default)]
struct Waits(Vec<Duration>);

impl Waits {
    fn row(&mut self, what: &str, bound: &str) -> Vec<String> {
        self.0.sort();
        let at = |share: usize| shown(self.0[(self.0.len() - 1) * share / 100].as_secs_f64() * 1e3);
        vec![what.to_owned(), self.0.len().to_string(), at(50), at(99), bound.to_owned()]
    }
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    room.runtime.block_on(async {
        let program = Program::start_showing_demo(room).await?;
        let rest = async || -> Result<f64, Failure> {
            tokio::task::block_in_place(|| program.process.settle())?;
            tokio::time::sleep(REST).await;
            program.process.memory_mb()
        };
        let before = rest().await?;
        let shares: Vec<Value> = serde_json::from_str(&program.run(&["share", "list", "--json"])?)?;
        let share =
            shares.iter().find(|share| share["visibility"] == "public").and_then(|share| share["path"].as_str());
        let share = share.ok_or("the demo shares nothing")?;
        let mut cookies = Vec::new();
        for number in 0..MEMBERS {
            cookies.push(program.member(number, "0").await?);
        }
        let mut photos = Vec::new();
        for number in 0..PHOTOS {
            photos.push(samples::paint(number)?);
        }
        let address = format!("http://{}", program.process.address);
        let start = Instant::now();
        let (mut readers, mut members) = (JoinSet::new(), JoinSet::new());
        for number in 0..READERS {
            readers.spawn(read(format!("{address}{share}"), number, start));
        }
        for (number, cookie) in cookies.into_iter().enumerate() {
            members.spawn(make(address.clone(), cookie, number, photos.clone(), start));
        }
        let (mut read, mut looked, mut made) = (Waits::default(), Waits::default(), Waits::default());
        while let Some(reader) = readers.join_next().await {
            read.0.extend(reader??.0);
        }
        while let Some(member) = members.join_next().await {
            let (looks, albums) = member??;
            looked.0.extend(looks.0);
            made.0.extend(albums.0);
        }
        let (peak, after) = (program.process.peak_mb()?, rest().await?);
        let memory = |what: &str, figure: f64, bound: &str| {
            vec![what.to_owned(), String::new(), shown(figure), String::new(), bound.to_owned()]
        };
        let rows = vec![
            read.row("pages of readers, in ms", "1,000"),
            looked.row("pages of members, in ms", "1,000"),
            made.row("albums with their photos, in ms", ""),
            memory("memory at rest after the demo, in MB", before, "120"),
            memory("its peak under the load", peak, "400"),
            memory("at rest after it", after, "200"),
        ];
        let about = format!(
            "`serve --demo`, which then rests for {} s. {READERS} readers, each from an address of its own, open a page of a \
             shared book every {} s, each over a connection of its own. Meanwhile {MEMBERS} members, one after the other \
             within the first half, each send {PHOTOS} photos of 12 megapixels, make an album of them and then look at \
             `{SHELF}` every {} s. {} s in all; the load comes from the same cores. Memory is what the system calls resident, \
             the program's own pages in it.",
            REST.as_secs(),
            READS.as_secs(),
            LOOKS.as_secs(),
            TIME.as_secs(),
        );
        let head = ["", "answers", "median", "99th percentile", "bound"].map(str::to_owned).to_vec();
        Ok(Section { title: "A crowd, and the memory it takes", about, head, rows })
    })
}

/// One of so many, who begin spread over a time.
async fn begin(number: usize, of: usize, within: Duration) {
    tokio::time::sleep(within.mul_f64(number as f64 / of as f64)).await;
}

async fn read(page: String, number: usize, start: Instant) -> Result<Waits, Failure> {
    begin(number, READERS, READS).await;
    let [.., high, low] = number.to_be_bytes();
    let mut waits = Waits::default();
    for turn in 1.. {
        let asked = Instant::now();
        if asked - start > TIME {
            break;
        }
        // a connection of its own each time
        let client = Client::builder().build()?;
        let answer = client
            .get(format!("{page}/{}", 1 + turn % 6))
            .header("x-forwarded-for", format!("10.77.{high}.{low}"))
            .header("user-agent", BROWSER)
            .header("accept-encoding", "br")
            .send()
            .await?
            .error_for_status()?;
        answer.bytes().await?;
        waits.0.push(asked.elapsed());
        tokio::time::sleep(READS.saturating_sub(asked.elapsed())).await;
    }
    Ok(waits)
}

async fn make(
    address: String,
    cookie: String,
    number: usize,
    photos: Vec<Vec<u8>>,
    start: Instant,
) -> Result<(Waits, Waits), Failure> {
    begin(number, MEMBERS, TIME / 2).await;
    let client = Client::builder().redirect(Policy::none()).build()?;
    let (mut looks, mut albums) = (Waits::default(), Waits::default());
    let asked = Instant::now();
    let form = Form::new()
        .text("format", "square-210")
        .text("theme", "calm")
        .text("title", format!("第 {number} 本"))
        .text("author", "");
    // each member's are its own, though they look alike
    let own = photos.into_iter().map(|photo| [photo, number.to_be_bytes().to_vec()].concat());
    let form = own.fold(form, |form, photo| form.part("photos", Part::bytes(photo).file_name("照片.jpg")));
    let answer = client
        .post(format!("{address}/manager/make_ebook"))
        .header(COOKIE, &cookie)
        .multipart(form)
        .send()
        .await?;
    let Some(book) = answer.headers().get(LOCATION).and_then(|place| place.to_str().ok()).map(str::to_owned)
    else {
        return Err(format!("an album was not made: {} {}", answer.status(), answer.text().await?).into());
    };
    albums.0.push(asked.elapsed());
    for page in [book.as_str(), SHELF].into_iter().chain(std::iter::repeat(SHELF)) {
        let asked = Instant::now();
        if asked - start > TIME {
            break;
        }
        let request = client.get(format!("{address}{page}")).header(COOKIE, &cookie);
        let answer = request.header("accept-encoding", "br").send().await?.error_for_status()?;
        answer.bytes().await?;
        looks.0.push(asked.elapsed());
        tokio::time::sleep(LOOKS.saturating_sub(asked.elapsed())).await;
    }
    Ok((looks, albums))
}
