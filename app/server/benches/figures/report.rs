//! Figures and how they are shown.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::process::Command;

use crate::Failure;

/// One measurement in the document.
pub struct Section {
    pub title: &'static str,
    /// What was done on either side, and what to know when reading the figures: paragraphs of Markdown.
    pub about: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Display for Section {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        writeln!(out, "\n## {}\n\n{}\n", self.title, self.about)?;
        writeln!(out, "| {} |", self.head.join(" | "))?;
        writeln!(out, "|---{}|", "|--:".repeat(self.head.len() - 1))?;
        self.rows.iter().try_for_each(|row| writeln!(out, "| {} |", row.join(" | ")))
    }
}

/// What was measured on both sides, round by round.
pub struct Rounds<T>(Vec<(T, T)>);

impl<T> Rounds<T> {
    /// Runs both sides in every round. The first changes from round to round, so that what the machine does
    /// meanwhile meets both alike.
    pub fn run(
        count: usize,
        mut ours: impl FnMut() -> Result<T, Failure>,
        mut theirs: impl FnMut() -> Result<T, Failure>,
    ) -> Result<Self, Failure> {
        let mut rounds = Vec::new();
        for round in 0..count {
            rounds.push(if round % 2 == 0 {
                let ours = ours()?;
                (ours, theirs()?)
            } else {
                let theirs = theirs()?;
                (ours()?, theirs)
            });
        }
        Ok(Self(rounds))
    }

    /// One figure as a row under [`head`].
    pub fn row(&self, what: impl Into<String>, figure: impl Fn(&T) -> f64) -> Vec<String> {
        let pairs = self.0.iter().map(|(ours, theirs)| (figure(ours), figure(theirs)));
        let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.unzip();
        let ratios = sorted(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect());
        let spread = format!("{}–{}", shown(ratios[0]), shown(ratios[ratios.len() - 1]));
        vec![
            what.into(),
            shown(median(&sorted(ours))),
            shown(median(&sorted(theirs))),
            format!("**{}**", shown(median(&ratios))),
            spread,
        ]
    }

    /// One figure that only our side has, as a row under [`head`].
    pub fn alone(&self, what: impl Into<String>, figure: impl Fn(&T) -> f64) -> Vec<String> {
        let ours = sorted(self.0.iter().map(|(ours, _)| figure(ours)).collect());
        vec![what.into(), shown(median(&ours)), String::new(), String::new(), String::new()]
    }
}

/// The columns of [`Rounds::row`].
pub fn head(theirs: &str) -> Vec<String> {
    ["", "ours", theirs, "ours ÷ theirs", "spread"].map(str::to_owned).to_vec()
}

fn sorted(mut figures: Vec<f64>) -> Vec<f64> {
    figures.sort_by(f64::total_cmp);
    figures
}

fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 }
}

/// Three digits that count.
pub fn shown(figure: f64) -> String {
    let decimals = match figure {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{figure:.decimals$}")
}

/// The document's first lines: where and when it was measured, and how its tables are read.
pub fn introduction() -> Result<String, Failure> {
    let cpu = line_of("/proc/cpuinfo", "model name")?;
    let memory: f64 = line_of("/proc/meminfo", "MemTotal")?.trim_end_matches(" kB").parse()?;
    Ok(format!(
        "# Benchmarks\n\n\
         Written by `make bench` on {date}: {cores} cores ({cpu}), {memory:.0} GB of memory.\n\n\
         In every round ours and theirs take turns, the first one changing. Figures are medians over the rounds; a \
         ratio compares the two sides of one round, and its spread is the least and the most of them. Read the \
         ratios: the figures themselves belong to this machine.\n",
        date = time::OffsetDateTime::now_utc().date(),
        cores = std::thread::available_parallelism()?,
        memory = memory * 1024.0 / 1e9,
    ))
}

/// What is said of a measurement that was taken by itself.
pub fn by_itself(name: &str) -> String {
    let date = time::OffsetDateTime::now_utc().date();
    format!("Measured by itself, with `make bench ONLY={name}`, on {date}.")
}

/// The document with a section in the place of the one of the same title, or at its end.
pub fn replaced(document: &str, section: &Section) -> String {
    let heading = format!("\n## {}\n", section.title);
    let (before, rest) = document.split_once(&heading).unwrap_or((document, ""));
    let after = rest.find("\n## ").map_or("", |next| &rest[next..]);
    format!("{before}{section}{after}")
}

/// The value of a line `name : value` of a file.
fn line_of(file: &str, name: &str) -> Result<String, Failure> {
    let text = fs::read_to_string(file)?;
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    let found =
        pairs.into_iter().find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned());
    found.ok_or_else(|| format!("{file} doesn't say its {name}").into())
}

/// What a program says of its version, on its first line.
pub fn version(program: &str) -> Result<String, Failure> {
    let output =
        Command::new(program).arg("--version").output().map_err(|error| format!("{program}: {error}"))?;
    Ok(String::from_utf8(output.stdout)?.lines().next().unwrap_or(program).to_owned())
}
