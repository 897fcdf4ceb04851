//! What a host asks of the repository.

use std::path::PathBuf;

use age::x25519::Identity;
use base::db::now_ms;
use base::error::Failure;
use base::time;
use clap::{Args, Subcommand};
use domain::backup::Retention;
use web::app::App;
use web::backups::{self, Act, Outcome};

use crate::owner::claim;
use crate::prune::{Pruned, prune};
use crate::repository::{Generation, Repository};
use crate::restore::restore;
use crate::schedule::{Done, Why, make};
use crate::seal;
use crate::settings::{Named, SCRATCH, Settings, TO};
use crate::turn::Turn;
use crate::verify::verify;

/// Commands about backups in the repository.
#[derive(Subcommand)]
pub enum Command {
    /// Make one now, and take away those that need not stay.
    Run {
        /// Take a repository of another installation, or a new one in the place of the one before, for this one's.
        #[arg(long)]
        adopt: bool,
    },
    /// Print all that are there, the newest first.
    List {
        #[command(flatten)]
        from: From,
    },
    /// Read one whole, hold every hash, fill a database with it that goes afterwards, and check the books and the audit log there.
    Verify {
        #[command(flatten)]
        from: From,
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        key: Key,
        /// Make that database on the PostgreSQL that BINDERY_BACKUP_SCRATCH_URL names; SQLite without it.
        #[arg(long)]
        postgres: bool,
    },
    /// Take away those that need not stay, and what is part of none.
    Prune {
        /// Another rule than the one that is set, such as 7d,4w,12m.
        #[arg(long)]
        keep: Option<Retention>,
        /// Put the backup of this name aside first, where it can't be read any more: otherwise nobody knows what it names.
        #[arg(long, value_name = "NAME")]
        forget: Option<String>,
    },
    /// Fill an empty installation from one, of either database engine.
    Restore {
        #[command(flatten)]
        from: From,
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        key: Key,
        /// Leave out files that are missing or damaged, and name them.
        #[arg(long)]
        despite_damage: bool,
    },
}

/// Which repository.
#[derive(Debug, Args)]
pub struct From {
    /// Another repository than the one that is set: a path, or s3://bucket/folder.
    #[arg(long, value_name = "REPOSITORY")]
    from: Option<String>,
}

/// Which of its backups.
#[derive(Debug, Args)]
pub struct Which {
    /// The one of this name; the newest without it.
    #[arg(long, value_name = "NAME")]
    generation: Option<String>,
    /// The newest one that had been made by then, in China's time.
    #[arg(long, value_name = "2026-11-28 18:00", conflicts_with = "generation", value_parser = moment)]
    at: Option<i64>,
}

/// What opens it.
#[derive(Debug, Args)]
pub struct Key {
    /// The file of the secret key, as age-keygen wrote it, where it is encrypted.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

fn moment(text: &str) -> Result<i64, String> {
    let read = text.split_once([' ', 'T']).and_then(|(day, clock)| time::moment(day, clock));
    // the whole minute counts
    read.map(|at| at + 59_999).ok_or_else(|| "it is no moment like 2026-11-28 18:00".to_owned())
}

impl From {
    fn open(&self, app: &App) -> Result<Repository, Failure> {
        let named = match &self.from {
            Some(from) => Named::read(from)?,
            None => settings()?.repository,
        };
        Repository::open(&named, app.config.disk_reserve)
    }
}

impl Which {
    async fn find(&self, repository: &Repository) -> Result<Generation, Failure> {
        let generations = repository.generations().await?;
        let named = repository.named();
        let found = generations.into_iter().find(|generation| match (&self.generation, self.at) {
            (Some(name), _) => generation.name == *name,
            (None, Some(at)) => generation.made_at() <= at,
            (None, None) => true,
        });
        found.ok_or_else(|| match (&self.generation, self.at) {
            (Some(name), _) => format!("{named} holds no backup {name}").into(),
            (None, Some(at)) => format!("{named} holds no backup of {} or before", time::stamp(at)).into(),
            (None, None) => format!("{named} holds no backup").into(),
        })
    }
}

impl Key {
    fn read(&self) -> Result<Option<Identity>, Failure> {
        self.identity.as_deref().map(seal::identity).transpose()
    }
}

fn settings() -> Result<Settings, Failure> {
    Ok(Settings::from_env()?.ok_or_else(|| format!("{} is not set; it says where backups are", TO.name))?)
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::Run { adopt } => {
            let why = if adopt { Why::Adopted } else { Why::Asked };
            let Some(Done { outcome, manifest, damaged, pruned }) = make(app, &settings()?, why).await?
            else {
                return Ok(());
            };
            let Outcome { generation, stored, size, .. } = outcome;
            println!(
                "Made {generation}: {} rows and {} files, {size} bytes, of which {stored} were stored anew.",
                manifest.rows, manifest.files
            );
            tell(&pruned);
            if !damaged.is_empty() {
                return Err(
                    format!("these files are damaged or not there, and in no backup unless an earlier one had them: {}", damaged.join(", ")).into()
                );
            }
        }
        Command::List { from } => {
            let repository = from.open(app)?;
            let mut broken = 0;
            for generation in repository.generations().await? {
                let made = time::stamp(generation.made_at());
                match repository.manifest(&generation).await {
                    Ok(manifest) => println!(
                        "{} {made}: {} rows, {} files, {} bytes, by {}{}",
                        generation.name,
                        manifest.rows,
                        manifest.files,
                        manifest.bytes(),
                        manifest.version,
                        manifest.recipient.map(|to| format!(", for {to}")).unwrap_or_default()
                    ),
                    Err(error) => {
                        broken += 1;
                        println!("{} {made}: {error}", generation.name);
                    }
                }
            }
            if broken > 0 {
                return Err(format!("{broken} of them can't be read").into());
            }
        }
        Command::Verify { from, which, key, postgres } => {
            let repository = from.open(app)?;
            let unset = || format!("{} is not set; it says which PostgreSQL", SCRATCH.name);
            let postgres = postgres.then(|| SCRATCH.get().ok_or_else(unset)).transpose()?;
            look_through(app, &repository, &which, &key, postgres.as_deref()).await?;
        }
        Command::Prune { keep, forget } => {
            let settings = settings()?;
            let repository = Repository::open(&settings.repository, app.config.disk_reserve)?;
            let mut turn = Turn::take(app, &repository).await?;
            let pruned = turn
                .keep(async {
                    let installation = claim(app, &repository, false).await?;
                    if let Some(name) = &forget {
                        set_aside(&repository, name).await?;
                    }
                    prune(&repository, &installation, keep.unwrap_or(settings.keep)).await
                })
                .await;
            turn.end().await;
            tell(&pruned?);
        }
        Command::Restore { from, which, key, despite_damage } => {
            let repository = from.open(app)?;
            let generation = which.find(&repository).await?;
            let identity = key.read()?;
            let (manifest, faults) =
                restore(app, &repository, &generation, identity.as_ref(), despite_damage).await?;
            println!(
                "Restored {} of {}: {} rows and {} files.",
                generation.name,
                time::stamp(generation.made_at()),
                manifest.rows,
                manifest.files - faults.len() as u64
            );
            if !faults.is_empty() {
                println!("Not restored:\n{}", faults.join("\n"));
            }
        }
    }
    Ok(())
}

/// Puts a generation aside that can't be read.
async fn set_aside(repository: &Repository, name: &str) -> Result<(), Failure> {
    let which = Which { generation: Some(name.to_owned()), at: None };
    let generation = which.find(repository).await?;
    if repository.manifest(&generation).await.is_ok() {
        return Err(format!("{name} can be read; it goes when it need not stay").into());
    }
    repository.set_aside(&generation).await?;
    println!("{name} is put aside.");
    Ok(())
}

async fn look_through(
    app: &App,
    repository: &Repository,
    which: &Which,
    key: &Key,
    postgres: Option<&str>,
) -> Result<(), Failure> {
    let identity = key.read()?;
    let mut turn = Turn::take(app, repository).await?;
    let id = backups::begin(&app.db, Act::Verify, now_ms()).await?;
    let looked = turn
        .keep(async {
            let generation = which.find(repository).await?;
            let verified = verify(app, repository, &generation, identity.as_ref(), postgres).await?;
            Ok((generation, verified))
        })
        .await;
    turn.end().await;
    let noted = match &looked {
        Ok((generation, verified)) => {
            let size = i64::try_from(verified.bytes).unwrap_or(i64::MAX);
            let damaged = i64::try_from(verified.lacks.len()).unwrap_or(i64::MAX);
            Ok(Outcome { generation: generation.name.clone(), stored: 0, size, damaged })
        }
        Err(error) => Err(error.to_string()),
    };
    backups::end(&app.db, &id, &noted).await?;
    let (generation, verified) = looked?;
    if !verified.lacks.is_empty() {
        println!(
            "It lacks files that were missing or damaged when it was made: {}.",
            verified.lacks.join(", ")
        );
    }
    println!(
        "{} is whole: {} blobs, {} bytes, each with its hash.",
        generation.name, verified.blobs, verified.bytes
    );
    println!(
        "A database was filled with {} rows; {} transactions of the books and {} rows of the audit log hold.",
        verified.rows, verified.transactions, verified.audit_rows
    );
    Ok(())
}

fn tell(pruned: &Pruned) {
    for generation in &pruned.generations {
        println!("{} need not stay and is gone.", generation.name);
    }
    if pruned.blobs > 0 {
        println!("{} blobs that are part of none are gone: {} bytes.", pruned.blobs, pruned.bytes);
    }
}
