//! The program under test, as a process.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::SystemTime;

use crate::balancer::ends_with_us;

/// Where the program is: `BINDERY_BIN`, or what cargo built beside the tests. Nothing makes cargo build it for them, so one
/// that is missing or not of these sources fails every test with a sentence that says what to do.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match PROGRAM.get_or_init(find) {
        Ok(program) => program,
        Err(reason) => panic!("{reason}; build it with `cargo build --workspace --bin bindery`"),
    }
}

fn find() -> Result<PathBuf, String> {
    let beside = || std::env::current_exe().ok()?.parent()?.parent().map(|folder| folder.join("bindery"));
    let program = std::env::var_os("BINDERY_BIN").map(PathBuf::from).or_else(beside).ok_or("no program")?;
    let shown = program.display();
    let built = changed_at(&program).ok_or_else(|| format!("there is no program at {shown}"))?;
    // what cargo made it of; a program from elsewhere has no such list
    let Ok(list) = std::fs::read_to_string(program.with_extension("d")) else { return Ok(program) };
    let sources = sources(&list);
    if !sources.iter().any(|source| source.starts_with(crate::repository(""))) {
        return Err(format!("{shown} was built of another folder's sources"));
    }
    let newer = |source: &&PathBuf| changed_at(source).is_none_or(|changed| changed > built);
    match sources.iter().find(newer) {
        Some(source) => Err(format!("{shown} is older than {}", source.display())),
        None => Ok(program),
    }
}

fn changed_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|file| file.modified()).ok()
}

/// The files of a list as `make` reads it: `program: source source`, blanks in names with a backslash.
fn sources(list: &str) -> Vec<PathBuf> {
    let names = list.split_once(": ").map(|(_, names)| names.trim_end()).unwrap_or_default();
    let names = names.replace("\\ ", "\0");
    names.split(' ').map(|name| name.replace('\0', " ").into()).collect()
}

/// A command of the program on a data folder and a database.
pub fn command(folder: &Path, database_url: &str) -> Command {
    on_data(Command::new(program()), folder, database_url)
}

fn on_data(mut command: Command, folder: &Path, database_url: &str) -> Command {
    let pooled = std::env::var_os("BINDERY_THROUGH_POOLER").and_then(|_| pooled(database_url));
    command
        .env("BINDERY_DATA", folder)
        .env("BINDERY_DATABASE_URL", pooled.as_deref().unwrap_or(database_url))
        .env("BINDERY_STORAGE_URL", format!("file:{}", folder.join("storage").display()))
        .env("BINDERY_LOG", "bindery=warn")
        // takes longer than the rest of what is done with a photo
        .env("BINDERY_FACES", "0")
        .env("LEPTOS_SITE_ADDR", "127.0.0.1:0");
    command
}

/// The address of the same database through PgBouncer; `None` where there is none, or of another engine.
pub fn pooled(database_url: &str) -> Option<String> {
    let name = database_url.strip_prefix("postgres://postgres@localhost/")?.split('?').next()?;
    Some(std::env::var("BINDERY_TEST_POOLER").ok()?.replace("/postgres?", &format!("/{name}?")))
}

/// Starts the program as a server and answers where it listens.
pub fn serve(mut command: Command) -> (Child, String) {
    let child = command.arg("serve").stdout(Stdio::piped()).spawn().unwrap();
    listening(child)
}

/// The same of one that ends with this process, however that ends, and whose data go with it.
pub fn serve_for_all(
    folder: &Path,
    database_url: &str,
    settings: &[(&'static str, String)],
) -> (Child, String) {
    let script = format!("{}; rm -rf \"$BINDERY_DATA\"", ends_with_us("\"$0\" serve"));
    let mut command = on_data(Command::new("sh"), folder, database_url);
    command.arg("-c").arg(script).arg(program()).env("BINDERY_TRUST_PROXY", "1");
    command.envs(settings.iter().map(|(name, value)| (*name, value)));
    listening(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
}

fn listening(mut child: Child) -> (Child, String) {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.split_whitespace().last().unwrap_or_default().to_owned();
    assert!(base.starts_with("http://"), "the server said {line:?}");
    (child, base)
}

/// Brings the database up to date, as an operator does.
pub fn migrate(folder: &Path, database_url: &str) {
    let done = command(folder, database_url).arg("migrate").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_sources_is_read() {
        let list = "/target/debug/bindery: /a/lib.rs /a/b\\ c.rs\n";
        assert_eq!(sources(list), [PathBuf::from("/a/lib.rs"), PathBuf::from("/a/b c.rs")]);
    }
}
