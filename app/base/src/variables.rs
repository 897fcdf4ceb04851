//! What a host may set in the environment. Each variable is declared once, by whoever reads it: what is read, what is refused,
//! README's table, the manual page and the environment file of the package are made of that.

mod reading;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::ops::RangeInclusive;

pub use reading::{from_file, nearest, read};

/// A setting that cannot be used, as a sentence for the host.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// What is wrong, as a sentence that names the variable.
    pub fn new(sentence: &str) -> Self {
        Self(sentence.to_owned())
    }
}

/// One setting.
#[derive(Debug)]
pub struct Variable {
    pub name: &'static str,
    pub kind: Kind,
    pub usual: Usual,
    /// What nobody else may see: it can stand in a file instead, whose path is in the variable of this name with `_FILE`, and
    /// no message repeats it.
    pub is_secret: bool,
    /// What it means, in Markdown.
    pub about: &'static str,
}

/// What may stand in a variable.
#[derive(Debug)]
pub enum Kind {
    /// Whatever its reader understands, which says what is wrong with it.
    Text,
    /// `1` or `0`.
    Switch,
    /// A whole number.
    Whole(RangeInclusive<u64>),
    /// A number.
    Number(RangeInclusive<f64>),
    /// One of some words.
    Word(&'static [&'static str]),
    /// What a function of its reader takes.
    Own(fn(&str) -> Result<(), String>),
}

/// What holds where a variable is not set.
#[derive(Debug, Clone, Copy)]
pub enum Usual {
    /// The same as if this stood in it.
    Value(&'static str),
    /// In words.
    Words(&'static str),
}

/// What a program is told while it is built and tested, and does not read when it runs.
pub const OF_TESTS: [&str; 19] = [
    "BINDERY_BENCH_LINK",
    "BINDERY_BENCH_PEERS",
    "BINDERY_BIN",
    "BINDERY_BOOKS",
    "BINDERY_CHECKOUT",
    "BINDERY_FILE",
    "BINDERY_LARGE_PHOTO",
    "BINDERY_LOOK",
    "BINDERY_MODEL_OPERATIONS",
    "BINDERY_MODEL_SEED",
    "BINDERY_PAPERS",
    "BINDERY_SOAK",
    "BINDERY_STORM",
    "BINDERY_TEST_BUCKET",
    "BINDERY_TEST_POOLER",
    "BINDERY_TEST_POSTGRES",
    "BINDERY_THROUGH_BALANCER",
    "BINDERY_THROUGH_POOLER",
    "BINDERY_WRITE_TYPES",
];

impl Variable {
    pub const fn new(name: &'static str, kind: Kind, usual: Usual, about: &'static str) -> Self {
        Self { name, kind, usual, is_secret: false, about }
    }

    /// See [`Variable::is_secret`].
    pub const fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    /// What it is set to; nothing where it is not set, or to nothing.
    pub fn get(&self) -> Option<String> {
        variable(self.name)
    }

    /// The same, or what is usual.
    pub fn or_usual(&self) -> String {
        self.get().unwrap_or_else(|| match self.usual {
            Usual::Value(value) => value.to_owned(),
            Usual::Words(_) => String::new(),
        })
    }

    /// As its type is written, such as a number or a rate.
    pub fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(&self) -> Result<T, ConfigError> {
        let text = self.or_usual();
        self.check(&text)?;
        text.parse().map_err(|error: T::Err| self.refusal(&error.to_string()))
    }

    /// Of a [`Kind::Switch`].
    pub fn is_on(&self) -> Result<bool, ConfigError> {
        self.taken(&self.or_usual())
    }

    /// What a word means in a [`Kind::Switch`].
    pub fn taken(&self, word: &str) -> Result<bool, ConfigError> {
        is_on(word).map_err(|reason| self.refusal(&reason))
    }

    /// Whether a text may stand in it.
    pub fn check(&self, text: &str) -> Result<(), ConfigError> {
        if text.chars().any(char::is_control) {
            let windows = text.ends_with('\r');
            let reason = if windows {
                "it ends with a carriage return: the file was written with the line ends of Windows"
            } else {
                "it holds a control character"
            };
            return Err(self.refusal(reason));
        }
        let quoted = |quote: char| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote);
        if quoted('"') || quoted('\'') {
            return Err(self.refusal("the quotes around it became part of it; leave them out"));
        }
        self.kind.check(text).map_err(|reason| self.refusal(&reason))
    }

    /// A sentence about what stands in it.
    pub fn refusal(&self, reason: &str) -> ConfigError {
        ConfigError::new(&format!("{}: {reason}", self.name))
    }
}

impl Kind {
    fn check(&self, text: &str) -> Result<(), String> {
        match self {
            Self::Text => Ok(()),
            Self::Switch => is_on(text).map(drop),
            Self::Whole(range) => match text.parse() {
                Ok(number) if range.contains(&number) => Ok(()),
                _ if *range.end() == u64::MAX => {
                    Err(format!("{text:?} is no whole number from {} on", range.start()))
                }
                _ => Err(format!("{text:?} is no whole number from {} to {}", range.start(), range.end())),
            },
            Self::Number(range) => match text.parse() {
                Ok(number) if range.contains(&number) => Ok(()),
                _ => Err(format!("{text:?} is no number from {} to {}", range.start(), range.end())),
            },
            Self::Word(words) if words.contains(&text) => Ok(()),
            Self::Word([one, another]) => Err(format!("{text:?} is neither {one} nor {another}")),
            Self::Word(words) => Err(format!("{text:?} is none of {}", words.join(", "))),
            Self::Own(check) => check(text),
        }
    }
}

/// A variable that is set to something, or the content of the file that its `_FILE` names.
pub fn variable(name: &str) -> Option<String> {
    from_file(name).or_else(|| std::env::var(name).ok()).filter(|value| !value.is_empty())
}

/// What somebody wrote to be safer must not be taken for "off", so every other word is refused.
fn is_on(word: &str) -> Result<bool, String> {
    match word.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(format!("{word:?} is neither 1 nor 0")),
    }
}

/// All variables as a table in Markdown.
pub fn table(declared: impl Iterator<Item = &'static Variable>) -> String {
    let mut table = "| variable | meaning | default |\n|---|---|---|\n".to_owned();
    for Variable { name, usual, is_secret, about, .. } in declared {
        let usual = match usual {
            Usual::Value(value) => format!("`{value}`"),
            Usual::Words(words) => (*words).to_owned(),
        };
        let file = if *is_secret { format!(", `{name}_FILE`") } else { String::new() };
        let _ = writeln!(table, "| `{name}`{file} | {about} | {usual} |");
    }
    table
}
