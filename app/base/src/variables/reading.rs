//! The environment, read strictly: what nobody declared, what may not stand where it stands, and secrets that lie in files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use super::{ConfigError, OF_TESTS, Variable};

/// Names that begin so are this program's alone.
const OWN: [&str; 2] = ["BINDERY_", "LEPTOS_"];

/// Secrets out of files, as they were when the program started.
static FROM_FILES: OnceLock<HashMap<&'static str, String>> = OnceLock::new();

/// What the file holds that stands for a variable.
pub fn from_file(name: &str) -> Option<String> {
    FROM_FILES.get()?.get(name).cloned()
}

/// Reads the environment of this process, once, and answers everything that is wrong with it.
pub fn read(declared: &[&'static Variable]) -> Vec<ConfigError> {
    let (secrets, faults) = understand(declared, std::env::vars_os());
    let _ = FROM_FILES.set(secrets);
    faults
}

/// The secrets that lie in files, and what is wrong, in the order of the names.
pub(super) fn understand(
    declared: &[&'static Variable],
    environment: impl Iterator<Item = (OsString, OsString)>,
) -> (HashMap<&'static str, String>, Vec<ConfigError>) {
    let mut set: Vec<(String, OsString)> = environment
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .collect();
    set.sort();
    let is_set = |name: &str| set.iter().any(|(known, _)| known == name);
    let (mut secrets, mut faults) = (HashMap::new(), Vec::new());
    for (name, value) in &set {
        let by_file =
            || declared.iter().find(|one| one.is_secret && name.strip_suffix("_FILE") == Some(one.name));
        if let Some(variable) = declared.iter().find(|one| one.name == name) {
            let text = value.to_str().ok_or_else(|| variable.refusal("it is no UTF-8"));
            faults.extend(text.and_then(|text| variable.check(text)).err());
        } else if let Some(variable) = by_file() {
            if is_set(variable.name) {
                let reason = format!("both {} and {name} are set; leave one of them out", variable.name);
                faults.push(ConfigError::new(&reason));
                continue;
            }
            match content(Path::new(value)).and_then(|text| {
                variable.check(&text).map_err(|error| error.to_string())?;
                Ok(text)
            }) {
                Ok(text) => drop(secrets.insert(variable.name, text)),
                Err(reason) => {
                    faults.push(ConfigError::new(&format!("{name}: {}: {reason}", value.display())));
                }
            }
        } else if OWN.iter().any(|prefix| name.starts_with(prefix)) && !OF_TESTS.contains(&name.as_str()) {
            let meant = nearest(declared, name).map(|meant| format!("; perhaps {meant} is meant"));
            let meant = meant.unwrap_or_default();
            faults.push(ConfigError::new(&format!("{name}: there is no such setting{meant}")));
        }
    }
    (secrets, faults)
}

/// What a secret's file holds, without the end of its one line.
fn content(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("it can't be read: {error}"))?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// The declared name that somebody meant by one that is not, where there is one so near.
pub fn nearest(declared: &[&Variable], name: &str) -> Option<String> {
    let names = declared.iter().flat_map(|one| {
        let file = one.is_secret.then(|| format!("{}_FILE", one.name));
        std::iter::once(one.name.to_owned()).chain(file)
    });
    let far = (name.len() / 5).max(2);
    names
        .map(|known| (strsim::damerau_levenshtein(&known, name), known))
        .filter(|(distance, _)| *distance <= far)
        .min()
        .map(|(_, known)| known)
}
