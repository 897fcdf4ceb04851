//! What the operator does with goods and their price books.

use std::path::PathBuf;

use base::audit;
use base::error::{Error, Failure};
use clap::Subcommand;
use web::app::App;

use super::files::{self, Change};

/// Commands about goods.
#[derive(Subcommand)]
pub enum Command {
    /// Take goods and price books from TOML files: all of them or, when anything is wrong, none. Goods without a file
    /// stay; `active = false` in a file takes its goods off sale. What was ordered stays as it was.
    Import {
        /// A file, or a folder of .toml files.
        place: PathBuf,
        /// Only say what would change.
        #[arg(long)]
        dry_run: bool,
    },
    /// Write all goods as TOML files, which `import` takes, over those of the same name.
    Export { folder: PathBuf },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::Import { place, dry_run } => {
            let all = files::read_all(&place)?;
            let done = files::import(app, all, &audit::actor(), dry_run).await.map_err(plain)?;
            let mut changed = 0;
            for (filed, change) in &done {
                let id = &filed.goods.id;
                match change {
                    Change::Same => continue,
                    Change::New => println!("{id}: new"),
                    Change::Changed(lines) => lines.iter().for_each(|line| println!("{id}: {line}")),
                }
                changed += 1;
            }
            let whole = done.len();
            match (changed, dry_run) {
                (0, _) => println!("Nothing changed: all {whole} goods were so before."),
                (_, true) => println!("{changed} of {whole} goods would change. Nothing was written."),
                (_, false) => println!("{changed} of {whole} goods changed."),
            }
        }
        Command::Export { folder } => {
            for file in files::export(app, &folder).await.map_err(plain)? {
                println!("{}", file.display());
            }
        }
    }
    Ok(())
}

/// A refusal in the words of the command line.
fn plain(error: Error) -> Failure {
    match error {
        Error::Conflict(reason) => reason.into(),
        other => other.into(),
    }
}
