//! What readers wait for: the first page of a shared work, a turn, an article of a newspaper. And what it costs to count them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::Failure;
use crate::load::{Connection, Load, summed};
use crate::program::Program;
use crate::report::{Rounds, Section, shown};
use crate::room::Room;
use crate::{samples, script};

/// Photos that the pages of the book show by turns.
const PHOTOS: u32 = 24;
const ROUNDS: usize = 7;
const TIME: Duration = Duration::from_secs(3);
const CONNECTIONS: usize = 8;
const BROWSER: &str = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36";
/// Nothing that it reads is counted.
const PROGRAM: &str = "Mozilla/5.0 (compatible; Somebot/1.0; +https://somebot.example)";

/// What the measurement in the browser says.
#[derive(Deserialize)]
struct Measured {
    pages: u32,
    runs: u32,
    slower: u32,
    weight: Weight,
    /// Cold loads of the first page by their link.
    seen: BTreeMap<String, Seen>,
    /// The same pictures, and larger ones, in the flip book.
    beside: BTreeMap<String, Seen>,
    fetched: Fetched,
    turned: BTreeMap<String, Turns>,
    read: Seen,
}

/// In bytes.
#[derive(Deserialize)]
struct Weight {
    /// HTML and CSS of the first page, of the cover, and of the article.
    text: f64,
    cover: f64,
    article: f64,
    /// The first page's picture for a screen of 360 pixels, and for one of twice as many.
    picture: f64,
    sharp: f64,
}

/// A cold load: times in ms, bytes on the wire.
#[derive(Deserialize)]
struct Seen {
    first: f64,
    largest: f64,
    element: String,
    /// Until the page was seen, and until nothing came any more.
    until: f64,
    bytes: f64,
}

/// Bytes of other pages that came while the first was only looked at.
#[derive(Deserialize)]
struct Fetched {
    usual: f64,
    saving: f64,
}

/// Times in ms.
#[derive(Deserialize)]
struct Turns {
    turns: u32,
    median: f64,
    p95: f64,
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let folder = room.path().join("reader");
    fs::create_dir_all(&folder)?;
    for number in 0..PHOTOS {
        fs::write(folder.join(format!("{number:02}.jpg")), samples::paint(number)?)?;
    }
    let Measured { pages, runs, slower, weight, seen, beside, fetched, turned, read } =
        script::measured("reader", &[folder.as_os_str()])?;
    let bytes = |label: &str, figure: f64, bound: &str| {
        vec![label.to_owned(), format!("{figure:.0}"), String::new(), String::new(), bound.to_owned()]
    };
    let named = |loads: &BTreeMap<String, Seen>, name: &str, figure: fn(&Seen) -> f64| {
        loads.get(name).map(figure).ok_or_else(|| format!("{name} was not measured"))
    };
    let alone = |label: &str, figure: f64, bound: &str| {
        vec![label.to_owned(), shown(figure), String::new(), String::new(), bound.to_owned()]
    };
    let pair = |label: &str, ours: f64, theirs: f64, bound: &str| {
        let ratio = format!("**{}**", shown(ours / theirs));
        vec![label.to_owned(), shown(ours), shown(theirs), ratio, bound.to_owned()]
    };
    let turns = |name: &str| turned.get(name).ok_or_else(|| format!("{name} was not measured"));
    let (plain, slow) = (turns("plain")?, turns("slower")?);
    let (counted, alone_read) = counting(room)?;
    let rate = |rounds: &Rounds<Load>, label: &str, bound: &str| {
        let mut row = rounds.row(label, |load| load.per_second);
        bound.clone_into(&mut row[4]);
        row
    };
    let rows = vec![
        bytes("HTML and CSS of page 1, brotli, bytes", weight.text, "14,600"),
        bytes("of the cover's page", weight.cover, "14,600"),
        bytes("picture of page 1 for 360 pixels, bytes", weight.picture, "45,000"),
        bytes("for 720 pixels", weight.sharp, ""),
        alone("LCP of page 1 in ms, slow 4G", named(&seen, "slow4g", |load| load.largest)?, "900"),
        alone("3G", named(&seen, "3g", |load| load.largest)?, "2,200"),
        alone("2G", named(&seen, "2g", |load| load.largest)?, "4,200"),
        pair(
            "bytes until page 1 is seen, slow 4G; beside StPageFlip",
            named(&seen, "slow4g", |load| load.until)?,
            named(&beside, "same", |load| load.until)?,
            "1/20",
        ),
        pair(
            "with pictures of 1080 pixels in StPageFlip",
            named(&seen, "slow4g", |load| load.until)?,
            named(&beside, "large", |load| load.until)?,
            "",
        ),
        pair(
            "bytes until nothing comes any more, slow 4G; beside StPageFlip",
            named(&seen, "slow4g", |load| load.bytes)?,
            named(&beside, "same", |load| load.bytes)?,
            "",
        ),
        pair(
            "with pictures of 1080 pixels in StPageFlip",
            named(&seen, "slow4g", |load| load.bytes)?,
            named(&beside, "large", |load| load.bytes)?,
            "",
        ),
        alone("turn to a page that was fetched ahead in ms, median", plain.median, ""),
        alone("95th percentile", plain.p95, "100"),
        alone(&format!("with a processor {slower} times slower, median"), slow.median, ""),
        alone("95th percentile", slow.p95, ""),
        bytes("bytes fetched ahead", fetched.usual, ""),
        bytes("with Save-Data", fetched.saving, "0"),
        bytes("article on a telephone: HTML and CSS, brotli, bytes", weight.article, "20,000"),
        bytes("everything that it asks for, bytes", read.bytes, ""),
        alone("readable on 3G in ms", read.first, "1,300"),
        alone(&format!("its largest paint, `{}`", read.element), read.largest, ""),
        rate(&counted, "reads a second that are counted, beside the same of a program that is not", "0.95"),
        rate(&alone_read, "beside pages alone, of which nothing is told", ""),
    ];
    let about = format!(
        "A shared book of {pages} pages with one, two and four photos a page, read in Chromium at 360 px, cold: every load in a \
         browser of its own; medians of {runs}. Links are network namespaces with 150 ms and 1.6 Mbit/s (slow 4G), 400 ms \
         and 400 kbit/s (3G), 800 ms and 256 kbit/s (2G). Beside it StPageFlip 2.0.7 shows the same {pages} pictures from a \
         server that sends them from its memory: its page is seen when its first picture has arrived, ours with its largest \
         paint. Bytes on the wire, headers among them. A turn is from the press of the key to the frame that shows the next \
         page with its picture, {} times without a slow link. The article is of the demo's newspaper; it is readable with \
         its first paint, which is text.\n\n\
         Counting: a read is the page, uncompressed, and what it tells to `/count` after it; {CONNECTIONS} connections, each \
         read from an address of its own, {ROUNDS} rounds of {} s. A program that says what it is sends the same and is not \
         counted. The load comes from the same cores.",
        plain.turns,
        TIME.as_secs(),
    );
    let head = ["", "ours", "beside", "ours ÷ theirs", "bound"].map(str::to_owned).to_vec();
    Ok(Section { title: "Reading", about, head, rows })
}

/// Reads that are counted beside the same that are not, and beside pages alone.
fn counting(room: &Room) -> Result<(Rounds<Load>, Rounds<Load>), Failure> {
    let program = room.runtime.block_on(Program::start_demo(room))?;
    program.process.settle()?;
    let shares: Vec<Value> = serde_json::from_str(&program.run(&["share", "list", "--json"])?)?;
    let share =
        shares.iter().find(|share| share["visibility"] == "public").and_then(|share| share["path"].as_str());
    let page = format!("{}/2", share.ok_or("the demo shares nothing")?);
    let address = &program.process.address;
    let read = |agent, tells| room.runtime.block_on(reads(address, &page, agent, tells));
    read(BROWSER, true)?;
    let counted = Rounds::run(ROUNDS, || read(BROWSER, true), || read(PROGRAM, true))?;
    let alone = Rounds::run(ROUNDS, || read(BROWSER, true), || read(BROWSER, false))?;
    Ok((counted, alone))
}

/// Readers who open a page and, where they tell, say that they have read it.
async fn reads(address: &str, page: &str, agent: &'static str, tells: bool) -> Result<Load, Failure> {
    let start = Instant::now();
    let readers: Vec<_> = (0..CONNECTIONS)
        .map(|reader| {
            let (address, page) = (address.to_owned(), page.to_owned());
            tokio::spawn(async move {
                let mut connection = Connection::open(&address).await?;
                let mut waits = Vec::new();
                while start.elapsed() < TIME {
                    let (high, low) = (waits.len() / 250, waits.len() % 250 + 1);
                    let head = format!(
                        "host: {address}\r\nuser-agent: {agent}\r\nx-forwarded-for: 10.{reader}.{high}.{low}\r\n"
                    );
                    let began = Instant::now();
                    connection.ask(&format!("GET {page} HTTP/1.1\r\n{head}accept: text/html\r\n\r\n"), 200).await?;
                    if tells {
                        let ticket = ticket(connection.answer()).ok_or(io::ErrorKind::InvalidData)?;
                        let told = format!("{{\"ticket\":\"{ticket}\",\"pages\":[[2,1500]]}}");
                        let length = told.len();
                        let post = format!(
                            "POST /count HTTP/1.1\r\n{head}content-type: text/plain\r\ncontent-length: {length}\r\n\r\n{told}"
                        );
                        connection.ask(&post, 204).await?;
                    }
                    waits.push(began.elapsed());
                }
                io::Result::Ok(waits)
            })
        })
        .collect();
    summed(readers, start).await
}

/// What a page says of itself to be counted.
fn ticket(answer: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(answer);
    let (_, rest) = text.split_once("data-counted=\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}
