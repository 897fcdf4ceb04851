//! A hot folder 热文件夹: a folder that a prepress workflow watches. Each job that may be printed appears there whole, and what
//! comes back below `printed` says that it is printed.
//!
//! What a job is called, which job a name means, and what becomes of a job when the floor changes. Files and buckets are not
//! here.

use std::fmt;
use std::str::FromStr;

use time::Date;

use crate::ids::OrderId;
use crate::production::Stage;

/// Which job: an order's first, second, … that was put into the folder. As a name holds it: `202611270123456789-1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobNumber {
    pub order: OrderId,
    /// From 1.
    pub number: u32,
}

/// A word that is no number of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no number of a job")]
pub struct NoJob;

impl fmt::Display for JobNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.order, self.number)
    }
}

impl FromStr for JobNumber {
    type Err = NoJob;
    fn from_str(text: &str) -> Result<Self, NoJob> {
        let (order, number) = text.rsplit_once('-').ok_or(NoJob)?;
        let number = number.parse().ok().filter(|number| *number > 0).ok_or(NoJob)?;
        Ok(Self { order: order.parse().map_err(|_| NoJob)?, number })
    }
}

/// Digits of an order's number.
const DIGITS: usize = 18;

/// Why a name means no job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotNamed {
    #[error("名字里没有任务号，看不出是哪个任务")]
    None,
    #[error("名字里有几个任务号，看不出是哪个任务")]
    Several,
}

/// The job that a file or a folder is named after, wherever its number stands in the name: workflows put their own words around
/// it.
///
/// # Errors
/// Where it is named after none, or after two.
pub fn named_in(name: &str) -> Result<JobNumber, NotNamed> {
    let mut found: Option<JobNumber> = None;
    for run in name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
        let parts: Vec<&str> = run.split('-').collect();
        for pair in parts.windows(2) {
            let [order, number] = pair else { continue };
            if order.len() != DIGITS || !order.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let Ok(job) = format!("{order}-{number}").parse::<JobNumber>() else { continue };
            match &found {
                Some(known) if *known != job => return Err(NotNamed::Several),
                _ => found = Some(job),
            }
        }
    }
    found.ok_or(NotNamed::None)
}

/// Bytes of a title in a name: with what stands before it, and a file's name behind it, far below the 255 that systems take.
const TITLE_BYTES: usize = 60;

/// A name that every system takes for a file: no sign that is part of a path, or that Windows refuses, none that nobody sees,
/// and not too long.
pub fn file_name(text: &str) -> String {
    let is_odd = |c: char| c.is_control() || r#"\/:*?"<>|"#.contains(c);
    let plain: String = text.chars().map(|c| if is_odd(c) { '_' } else { c }).collect();
    let mut end = plain.len().min(TITLE_BYTES);
    while !plain.is_char_boundary(end) {
        end -= 1;
    }
    plain[..end].trim_matches([' ', '.']).to_owned()
}

/// What a job's folder is called: when it is due, which job, how many copies of which book.
pub fn folder_name(due: Option<Date>, job: &JobNumber, copies: u32, title: &str) -> String {
    let due = due.map(|day| format!("{day} ")).unwrap_or_default();
    format!("{due}{job} {copies}本 {}", file_name(title)).trim().to_owned()
}

/// Copies of a line that a job has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its number in the order.
    pub line: i64,
    /// 1, and one more each time it is printed again.
    pub round: i64,
    pub copies: u32,
}

/// What a job has, as it is stored: `1.1:2 2.1:1` are two copies of the first line and one of the second, both in the first
/// round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts(pub Vec<Part>);

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Part { line, round, copies }) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{line}.{round}:{copies}")?;
        }
        Ok(())
    }
}

impl FromStr for Parts {
    type Err = NoJob;
    fn from_str(text: &str) -> Result<Self, NoJob> {
        let part = |word: &str| {
            let (line, rest) = word.split_once('.')?;
            let (round, copies) = rest.split_once(':')?;
            Some(Part { line: line.parse().ok()?, round: round.parse().ok()?, copies: copies.parse().ok()? })
        };
        text.split_whitespace().map(|word| part(word).ok_or(NoJob)).collect::<Result<_, _>>().map(Self)
    }
}

impl Parts {
    /// Whether a line is in it, in the round in which it is.
    pub fn has(&self, line: i64, round: i64) -> bool {
        self.0.iter().any(|part| (part.line, part.round) == (line, round))
    }

    pub fn copies(&self) -> u32 {
        self.0.iter().map(|part| part.copies).sum()
    }
}

/// Where a line of an order stands on the floor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub line: i64,
    pub round: i64,
    pub copies: u32,
    pub title: String,
    pub place: Place,
    /// Why it is on hold.
    pub held: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Not begun.
    Waiting,
    At(Stage),
    Sent,
    /// Its order was cancelled, or its money given back.
    Dropped,
}

impl Place {
    /// Whether it is on the floor.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::At(_))
    }

    /// Whether its printing is over.
    fn is_printed(self) -> bool {
        match self {
            Self::Waiting => false,
            Self::At(stage) => stage > Stage::Printing,
            Self::Sent | Self::Dropped => true,
        }
    }
}

/// What becomes of a job in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is to be printed as it is.
    Stands,
    /// It is printed, as the floor says.
    Printed,
    /// It must not be printed, or not so: why.
    Recalled(String),
}

/// What becomes of a job, as its lines stand now.
pub fn verdict(parts: &Parts, floor: &[Standing]) -> Verdict {
    let mut is_printed = true;
    let mut recalled = None;
    for part in &parts.0 {
        let now = floor.iter().find(|now| now.line == part.line);
        // one that is printed once more by now was printed
        let Some(now) = now.filter(|now| now.round == part.round) else { continue };
        match now.place {
            Place::Dropped => return Verdict::Recalled("订单已取消或退款，不用再印".to_owned()),
            place if place.is_printed() => {}
            _ if now.copies != part.copies => {
                return Verdict::Recalled(format!(
                    "《{}》从 {} 本改成 {} 本",
                    now.title, part.copies, now.copies
                ));
            }
            _ => {
                is_printed = false;
                let held = now.held.as_ref().map(|why| format!("《{}》暂停着：{why}", now.title));
                recalled = recalled.or(held);
            }
        }
    }
    match recalled {
        Some(why) => Verdict::Recalled(why),
        None if is_printed => Verdict::Printed,
        None => Verdict::Stands,
    }
}

/// How the jobs that an order had take part in what is put into the folder next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// Its lines are in the folder, or were taken out of it: they go in no second time.
    Covers,
    /// It was taken back before anybody began: its lines go in again.
    TakenBack,
    /// A clerk wants its lines in the folder once more, wherever they stand.
    Again,
}

/// Which lines of an order are put into the folder now: those that are not begun or in prepress. What is past that was taken by
/// hand. Nothing while one of them is on hold.
pub fn to_place(floor: &[Standing], jobs: &[(Cover, Parts)]) -> Vec<Part> {
    let mut parts = Vec::new();
    for now in floor.iter().filter(|now| now.place.is_open()) {
        let of = |cover: Cover| {
            jobs.iter().any(|(known, parts)| *known == cover && parts.has(now.line, now.round))
        };
        let is_wanted = match now.place {
            _ if of(Cover::Covers) => false,
            _ if of(Cover::Again) => true,
            Place::Waiting | Place::At(Stage::Prepress) => true,
            Place::At(Stage::Printing) => of(Cover::TakenBack),
            _ => false,
        };
        if !is_wanted {
            continue;
        }
        if now.held.is_some() {
            return Vec::new();
        }
        parts.push(Part { line: now.line, round: now.round, copies: now.copies });
    }
    parts
}
