//! Goods as TOML files, in the form of the built-in ones, and what an import of them changes.

use std::path::{Path, PathBuf};

use domain::goods::Goods;
use serde_json::Value;

use super::store::{self, Kept};
use platform::app::App;
use platform::audit;
use platform::db::Tx;
use platform::error::Error;

/// The one key of a file that is not the goods': whether they are sold.
const ACTIVE: &str = "active";

/// Goods as a file says them.
#[derive(Debug, Clone, PartialEq)]
pub struct Filed {
    pub goods: Goods,
    /// `active = false` takes goods off sale: they can't be ordered any more, and leave the carts.
    pub active: bool,
}

/// What an import does to one goods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    New,
    /// One line for each thing that is different.
    Changed(Vec<String>),
    Same,
}

impl Filed {
    /// Reads a file's text.
    ///
    /// # Errors
    /// One line for everything that is wrong.
    pub fn read(text: &str) -> Result<Self, Vec<String>> {
        let one = |error: String| vec![error];
        let mut table: toml::Table = toml::from_str(text).map_err(|error| one(error.to_string()))?;
        let (active, read) = match table.remove(ACTIVE) {
            // read from the text, errors name their lines
            None => (true, toml::from_str(text)),
            Some(toml::Value::Boolean(active)) => (active, table.try_into()),
            Some(_) => return Err(one(format!("{ACTIVE} is true or false"))),
        };
        let goods: Goods = read.map_err(|error| one(error.to_string()))?;
        goods.validate().map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        Ok(Self { goods, active })
    }

    /// The file's text.
    pub fn write(&self) -> Result<String, Error> {
        let goods = toml::to_string(&self.goods).map_err(Error::internal)?;
        Ok(if self.active { goods } else { format!("{ACTIVE} = false\n{goods}") })
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

/// Writes goods into the database and says of each what it changed, in one transaction: all or nothing. Goods that are
/// not named stay as they are. With `dry` nothing is written.
pub async fn import(app: &App, all: Vec<Filed>, dry: bool) -> Result<Vec<(Filed, Change)>, Error> {
    let mut tx = app.db.begin().await?;
    let mut done = Vec::new();
    for filed in all {
        let change = put(&mut tx, &filed).await?;
        done.push((filed, change));
    }
    if !dry {
        tx.commit().await?;
    }
    Ok(done)
}

async fn put(tx: &mut Tx, filed: &Filed) -> Result<Change, Error> {
    let change = match store::lock(tx, &filed.goods.id).await? {
        None => Change::New,
        Some(kept) => difference(&kept, filed)?,
    };
    let detail = match &change {
        Change::Same => return Ok(change),
        Change::New => serde_json::json!({ "new": true, ACTIVE: filed.active }),
        Change::Changed(lines) => serde_json::json!({ "changed": lines }),
    };
    store::put(tx, &filed.goods, filed.active).await?;
    audit::note(tx, "goods import", filed.goods.id.as_str(), &detail).await?;
    Ok(change)
}

fn difference(kept: &Kept, filed: &Filed) -> Result<Change, Error> {
    // works of that size lie in carts
    if kept.goods.trim != filed.goods.trim {
        let id = &filed.goods.id;
        return Err(Error::Conflict(format!("{id} can't change its size: make goods of another id")));
    }
    let mut lines = Vec::new();
    if kept.active != filed.active {
        lines.push(if filed.active { "on sale again" } else { "off sale" }.to_owned());
    }
    let (before, after) = (serde_json::to_value(&kept.goods)?, serde_json::to_value(&filed.goods)?);
    differences("", &before, &after, &mut lines);
    Ok(if lines.is_empty() { Change::Same } else { Change::Changed(lines) })
}

/// One line for each value that differs, by its place.
fn differences(place: &str, before: &Value, after: &Value, lines: &mut Vec<String>) {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(before), Value::Object(after)) => {
            let added = after.keys().filter(|key| !before.contains_key(*key));
            for key in before.keys().chain(added) {
                let none = &Value::Null;
                let (before, after) = (before.get(key).unwrap_or(none), after.get(key).unwrap_or(none));
                differences(&below(key), before, after, lines);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                differences(&below(&(index + 1).to_string()), before, after, lines);
            }
        }
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => {
            lines.push(format!("{place} is different"));
        }
        (before, after) => lines.push(format!("{place}: {before} → {after}")),
    }
}

/// Writes every goods of the database into a folder, one file each, named after its id; answers the files.
pub async fn export(app: &App, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |path: &Path, error: std::io::Error| Error::Conflict(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut written = Vec::new();
    for Kept { goods, active } in store::every(&app.db).await? {
        let path = folder.join(format!("{}.toml", goods.id));
        let text = Filed { goods, active }.write()?;
        // whole or not at all
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(folder, error))?;
        std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|error| failed(&path, error))?;
        file.persist(&path).map_err(|error| failed(&path, error.error))?;
        written.push(path);
    }
    Ok(written)
}
