//! Goods as TOML files, in the form of the built-in ones, and what an import of them changes.

use std::fmt;
use std::path::{Path, PathBuf};

use base::audit;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::presses::Presses;
use domain::goods::{Goods, Problem};
use serde::Deserialize;
use web::app::App;

use super::changes;
use super::differences::{self, Difference};
use super::store;

/// The one key of a file that is not the goods': whether they are sold.
const ACTIVE: &str = "active";

/// What the versions of an import are noted with.
const IMPORTED: &str = "bindery goods import";

/// Goods as a file says them.
#[derive(Debug, Clone, PartialEq)]
pub struct Filed {
    pub goods: Goods,
    /// `active = false` takes goods off sale: they can't be ordered any more, and leave the carts.
    pub active: bool,
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrong {
    /// It is no TOML, or not that of goods.
    Unreadable {
        error: toml::de::Error,
        /// From 1, where it is known.
        line: Option<usize>,
    },
    /// Whether they are sold is neither true nor false.
    Active,
    /// The goods contradict themselves.
    Contradiction(Problem),
}

/// What an import does to one goods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    New,
    /// Each thing that is different.
    Changed(Vec<Difference>),
    Same,
}

impl Filed {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn read(text: &str) -> Result<Self, Vec<Wrong>> {
        let unreadable = |error: toml::de::Error| vec![Wrong::unreadable(text, error)];
        let mut table: toml::Table = toml::from_str(text).map_err(unreadable)?;
        let active = match table.remove(ACTIVE) {
            None => true,
            Some(toml::Value::Boolean(active)) => active,
            Some(_) => return Err(vec![Wrong::Active]),
        };
        // read from the text, errors name their lines
        let goods: Goods = toml::from_str(&without_active(text)).map_err(unreadable)?;
        goods
            .validate()
            .map_err(|problems| problems.into_iter().map(Wrong::Contradiction).collect::<Vec<_>>())?;
        Ok(Self { goods, active })
    }

    /// The file's text.
    pub fn write(&self) -> Result<String, Error> {
        let goods = toml::to_string(&self.goods).map_err(Error::internal)?;
        Ok(if self.active { goods } else { format!("{ACTIVE} = false\n{goods}") })
    }

    /// The same for whoever changes it: with everything that may be said.
    pub fn to_edit(&self) -> Result<String, Error> {
        let goods = toml::to_string(&self.goods).map_err(Error::internal)?;
        Ok(format!("{ACTIVE} = {}\n{goods}", self.active))
    }
}

/// A file's text without what it says of [`ACTIVE`], which is no key of goods. All lines keep their numbers.
fn without_active(text: &str) -> String {
    #[derive(Deserialize)]
    struct Said {
        active: Option<toml::Spanned<bool>>,
    }
    let said = toml::from_str::<Said>(text).ok().and_then(|said| said.active);
    let Some(at) = said.map(|said| said.span()) else { return text.to_owned() };
    // key and value stand on one line
    let before = text.get(..at.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let after = text.get(at.end..).and_then(|after| after.find('\n')).map_or(text.len(), |end| at.end + end);
    format!("{}{}", text.get(..before).unwrap_or_default(), text.get(after..).unwrap_or_default())
}

impl Wrong {
    fn unreadable(text: &str, error: toml::de::Error) -> Self {
        let at = error.span().map(|span| span.start);
        // what the whole file lacks, or is, stands nowhere
        let at = at.filter(|at| *at > 0 && error.message() != "not an id");
        // of a key that there is not, and of a value that our own types refuse, the span is the table's: what is named
        // stands below
        let named = |message: &str| {
            let key = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
            key.map(str::to_owned).or_else(|| Some(format!("\"{}\"", message.rsplit_once('：')?.1)))
        };
        let below = |at: usize| Some(at + text.get(at..)?.find(&named(error.message())?)?);
        let at = at.map(|at| below(at).unwrap_or(at));
        let line = at.map(|at| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1);
        Self::Unreadable { error, line }
    }

    /// For people, with the line where that is known.
    pub fn in_words(&self) -> String {
        match self {
            Self::Unreadable { error, line } => {
                let words = unreadable_in_words(error.message());
                line.map_or_else(|| words.clone(), |line| format!("第 {line} 行：{words}"))
            }
            Self::Active => format!("{ACTIVE} 只能写 true（出售）或 false（停止出售）"),
            Self::Contradiction(problem) => problem.to_string(),
        }
    }
}

/// For the command line.
impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { error, .. } => error.fmt(f),
            Self::Active => write!(f, "{ACTIVE} is true or false"),
            Self::Contradiction(problem) => problem.fmt(f),
        }
    }
}

/// What the reader of TOML says in English.
fn unreadable_in_words(message: &str) -> String {
    let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let named = |prefix: &str| {
        let name = message.strip_prefix(prefix)?.strip_prefix('`')?;
        Some(name.split('`').next().unwrap_or_default())
    };
    if let Some(name) = named("unknown field ") {
        format!("没有叫 {name} 的一项")
    } else if let Some(name) = named("missing field ") {
        format!("缺少 {name}")
    } else if let Some(name) = named("unknown variant ") {
        let may_be = message.split_once("expected").map_or("", |(_, may_be)| may_be);
        let may_be: Vec<_> = may_be.split('`').skip(1).step_by(2).collect();
        format!("不认识 {name}，可以写 {}", may_be.join("、"))
    } else if message.starts_with("duplicate") {
        "同一项写了两次".to_owned()
    } else if message.starts_with("invalid type") || message.starts_with("invalid value") {
        let (is, should) = message.split_once(", expected ").unwrap_or((&message, ""));
        let is = is.split_once(": ").map_or("", |(_, is)| is);
        format!("值的写法不对：应写：{}；写的是：{}", kind_in_words(should), kind_in_words(is))
    } else if message == "not an id" {
        "编号须为 1 到 40 个字母、数字、_ 或 -".to_owned()
    } else if message.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)) {
        // said by one of our own types
        message
    } else {
        "不合 TOML 的写法，请看引号、等号和括号是否成对".to_owned()
    }
}

/// What serde calls a kind of value, and one that it found.
fn kind_in_words(kind: &str) -> String {
    let found = |mark| kind.split_once(mark).and_then(|(_, rest)| rest.split(mark).next());
    let named =
        |name: &str, mark| found(mark).map_or_else(|| name.to_owned(), |value| format!("{name} {value}"));
    let unsigned = kind.strip_prefix('u').and_then(|bits| bits.parse::<u32>().ok());
    if let Some(bits) = unsigned {
        let end = 1_u32.checked_shl(bits);
        return end.map_or_else(|| "不小于 0 的整数".to_owned(), |end| format!("0 到 {} 的整数", end - 1));
    }
    match kind.trim_start_matches("a ").split([' ', '[']).next().unwrap_or_default() {
        "integer" => named("整数", '`'),
        "floating" => named("小数", '`'),
        "f64" | "f32" => "小数".to_owned(),
        "boolean" => named("真假值", '`'),
        "bool" => "真假值（true 或 false）".to_owned(),
        "string" => {
            found('"').map_or_else(|| "文字（带引号）".to_owned(), |value| format!("文字 \"{value}\""))
        }
        "sequence" | "array" | "tuple" => "一列值（[ ]）".to_owned(),
        "map" | "struct" => "一组值（[表]）".to_owned(),
        _ if kind.contains("integer") || matches!(kind, "i32" | "i64") => "整数".to_owned(),
        _ => kind.to_owned(),
    }
}

/// Reads one file, or every `.toml` file of a folder in the order of their names.
///
/// # Errors
/// A text with everything that is wrong in any of them.
pub fn read_all(place: &Path) -> Result<Vec<Filed>, String> {
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut paths = vec![place.to_owned()];
    if place.is_dir() {
        let entries = std::fs::read_dir(place).map_err(|error| failed(place, error))?;
        let found: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        paths = found.map_err(|error| failed(place, error))?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        paths.sort();
        if paths.is_empty() {
            return Err(format!("{} holds no .toml file", place.display()));
        }
    }
    let (mut all, mut wrong): (Vec<Filed>, Vec<String>) = (Vec::new(), Vec::new());
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
        match Filed::read(&text) {
            Err(problems) => {
                wrong.extend(problems.into_iter().map(|problem| format!("{}: {problem}", path.display())));
            }
            Ok(filed) if all.iter().any(|known| known.goods.id == filed.goods.id) => {
                wrong.push(format!("{}: {} stands in two files", path.display(), filed.goods.id));
            }
            Ok(filed) => all.push(filed),
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(format!("nothing was imported:\n{}", wrong.join("\n"))) }
}

/// Writes goods into the database, each as a version of whoever gives the command, and says of each what it changed, in
/// one transaction: all or nothing. Goods that are not named stay as they are. With `dry` nothing is written.
pub async fn import(app: &App, all: Vec<Filed>, by: &str, dry: bool) -> Result<Vec<(Filed, Change)>, Error> {
    let mut tx = app.db.begin().await?;
    let mut done = Vec::new();
    for filed in all {
        let change = put(&app.presses, &mut tx, &filed, by).await?;
        done.push((filed, change));
    }
    if !dry {
        tx.commit().await?;
    }
    Ok(done)
}

async fn put(presses: &Presses, tx: &mut Tx, filed: &Filed, by: &str) -> Result<Change, Error> {
    // what nobody can print must not be sold
    presses
        .of_goods(&filed.goods)
        .map_err(|reason| Error::Conflict(format!("{}: {reason}", filed.goods.id)))?;
    let before = changes::hold(tx, &filed.goods.id).await?;
    let change = match &before {
        None => Change::New,
        Some(before) => difference(&before.filed, filed)?,
    };
    let detail = match &change {
        Change::Same => return Ok(change),
        Change::New => serde_json::json!({ "new": true, ACTIVE: filed.active }),
        Change::Changed(found) => serde_json::json!({ "changed": lines(found) }),
    };
    changes::write(tx, before.as_ref(), filed, IMPORTED, by, now_ms()).await?;
    audit::note(tx, "goods import", filed.goods.id.as_str(), &detail).await?;
    Ok(change)
}

/// One line for each thing that is different.
pub fn lines(found: &[Difference]) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

fn difference(kept: &Filed, filed: &Filed) -> Result<Change, Error> {
    // works of that size lie in carts
    if kept.goods.trim != filed.goods.trim {
        let id = &filed.goods.id;
        return Err(Error::Conflict(format!("{id} can't change its size: make goods of another id")));
    }
    let found = differences::between(kept, filed)?;
    Ok(if found.is_empty() { Change::Same } else { Change::Changed(found) })
}

/// Writes every goods of the database into a folder, one file each, named after its id; answers the files.
pub async fn export(app: &App, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |path: &Path, error: std::io::Error| Error::Conflict(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut written = Vec::new();
    for filed in store::every(&app.db).await? {
        let path = folder.join(format!("{}.toml", filed.goods.id));
        let text = filed.write()?;
        // whole or not at all
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(folder, error))?;
        std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|error| failed(&path, error))?;
        file.persist(&path).map_err(|error| failed(&path, error.error))?;
        written.push(path);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::super::tests::built_in;
    use super::*;

    fn text() -> String {
        Filed { goods: built_in("album-a5"), active: true }.to_edit().unwrap()
    }

    /// What is said of a text in which something was written otherwise, and the line where it stands.
    fn told(from: &str, to: &str) -> (usize, Vec<String>) {
        let text = text();
        let at = text.find(from).unwrap_or_else(|| panic!("no {from} in {text}"));
        let line = text[..at].matches('\n').count() + 1;
        let wrong = Filed::read(&text.replacen(from, to, 1)).unwrap_err();
        (line, wrong.iter().map(Wrong::in_words).collect())
    }

    #[test]
    fn what_is_to_be_changed_can_be_read_again() {
        for active in [true, false] {
            let filed = Filed { goods: built_in("album-a5"), active };
            let text = filed.to_edit().unwrap();
            assert!(text.starts_with(&format!("active = {active}\n")), "{text}");
            assert_eq!(Filed::read(&text), Ok(filed));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (from, to, words) in [
            ("editor_type = 12", "editor_type = x12", "不合 TOML 的写法"),
            (
                "editor_type = 12",
                "editor_type = \"12\"",
                "值的写法不对：应写：0 到 255 的整数；写的是：文字 \"12\"",
            ),
            (
                "editor_type = 12",
                "editor_type = 1.5",
                "值的写法不对：应写：0 到 255 的整数；写的是：小数 1.5",
            ),
            (
                "editor_type = 12",
                "editor_type = -12",
                "值的写法不对：应写：0 到 255 的整数；写的是：整数 -12",
            ),
            ("editor_type = 12", "editor_type = [12]", "值的写法不对：应写：0 到 255 的整数；写的是：一列值"),
            (
                "editor_type = 12",
                "editor_type = true",
                "值的写法不对：应写：0 到 255 的整数；写的是：真假值 true",
            ),
            ("per_page = ", "per_pages = ", "没有叫 per_pages 的一项"),
            ("per_page = \"0.45\"", "per_page = \"0.455\"", "金额格式不正确：0.455"),
        ] {
            let (line, told) = told(from, to);
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].starts_with(&format!("第 {line} 行：{words}")), "{line} {words}: {told:?}");
        }
        let (_, named) = told("id = \"album-a5\"", "id = \"album a5\"");
        assert!(named[0].starts_with("编号须为"), "{named:?}");
        // what the whole file lacks stands nowhere
        let (_, lacks) = told("name = \"A5 小画册\"", "# no name");
        assert_eq!(lacks, ["缺少 name"]);
    }

    #[test]
    fn contradictions_are_told_in_words() {
        assert_eq!(told("base = \"12.00\"", "base = \"-12.00\"").1, ["价格不能为负：base"]);
        assert!(told("active = true", "active = 1").1[0].contains("停止出售"));
    }
}
