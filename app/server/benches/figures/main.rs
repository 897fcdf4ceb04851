//! Measures the program beside others that do the same, and writes docs/benchmarks.md.
//!
//! `make bench` runs everything. `make bench ONLY=print` takes one measurement again and puts it in its place: both sides
//! of a ratio come from one run. One more measurement is a module with `measure` and a line in [`MEASUREMENTS`].

#[allow(clippy::unwrap_used)] // as tests have it, which should say where they can't go on
#[path = "../../../tests/src/balancer.rs"]
mod balancer;
mod building;
mod crowd;
mod dialog;
mod editor;
mod flood;
mod growth;
mod instances;
mod layout;
mod lighthouse;
mod load;
mod office;
mod opening;
mod orders;
mod pages;
mod photos;
mod print;
mod process;
mod program;
mod reader;
mod report;
mod room;
mod samples;
mod script;
mod search;
mod shelf;
mod turns;
mod weights;

use std::env;
use std::error::Error;
use std::fs;

use report::Section;
use room::Room;

/// Why a measurement could not be taken.
type Failure = Box<dyn Error + Send + Sync>;

/// Takes figures and says what they mean.
type Measure = fn(&Room) -> Result<Section, Failure>;

/// Every measurement by its name, in the document's order.
const MEASUREMENTS: [(&str, Measure); 21] = [
    ("print", print::measure),
    ("shelf", shelf::measure),
    ("long-shelf", shelf::measure_many),
    ("pages", pages::measure),
    ("photos", photos::measure),
    ("layout", layout::measure),
    ("weights", weights::measure),
    ("dialog", dialog::measure),
    ("reader", reader::measure),
    ("search", search::measure),
    ("editor", editor::measure),
    ("opening", opening::measure),
    ("flood", flood::measure),
    ("turns", turns::measure),
    ("crowd", crowd::measure),
    ("orders", orders::measure),
    ("instances", instances::measure),
    ("growth", growth::measure),
    ("office", office::measure),
    ("lighthouse", lighthouse::measure),
    ("building", building::measure),
];

const DOCUMENT: &str = concat!(env!("BINDERY_CHECKOUT"), "/docs/benchmarks.md");

fn main() -> Result<(), Failure> {
    // cargo adds `--bench` to what it is told
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // the same program again, as a process that is measured
        [print::CHILD, out, photos @ ..] => return print::book(out, photos),
        [photos::CHILD, out, photos @ ..] => return photos::make_pictures(out, photos),
        [shelf::CHILD, answer] => return shelf::bare(answer),
        [] => {
            let room = Room::new()?;
            let mut document = report::introduction()?;
            for (name, measure) in MEASUREMENTS {
                eprintln!("measuring {name} …");
                document.push_str(&measure(&room)?.to_string());
            }
            fs::write(DOCUMENT, document)?;
        }
        [only] => {
            let found = MEASUREMENTS.iter().find(|(name, _)| name == only);
            let (_, measure) = found.ok_or_else(|| format!("there is no measurement {only:?}"))?;
            let mut section = measure(&Room::new()?)?;
            section.about = format!("{}\n\n{}", report::by_itself(only), section.about);
            println!("{section}");
            fs::write(DOCUMENT, report::replaced(&fs::read_to_string(DOCUMENT)?, &section))?;
        }
        _ => return Err("say nothing, or one measurement".into()),
    }
    Ok(())
}
