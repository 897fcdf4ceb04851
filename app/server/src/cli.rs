//! The command line. Every command prints plain sentences and exits non-zero with a reason when it fails.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use base::config::{Config, own};
use base::db::Schema;
use base::error::Failure;
use base::storage::original_key;
use base::time;
use base::{audit, db, delivery, jobs, sandbox};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use web::app::App;
use web::connections::{self, Connections};
use web::demo as made;
use web::slice::House;
use web::{background, checks, commands, exposition, router, serve, session, workers};

use crate::house::HOUSE;

use crate::{demo, describe, health, log, supervisor};

/// Bindery 书坊: photo books, albums and calendars, from photos to the print shop.
#[derive(Parser)]
#[command(name = "bindery", version = env!("PROGRAM_VERSION"), about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Start the web server.
    Serve {
        /// Fill an empty database with the demo content first. Where no way to pay is configured, members pay with one
        /// that takes no money.
        #[arg(long)]
        demo: bool,
    },
    /// Look at the settings and at what they name, a line for each, and say what to do where something is wrong. Without
    /// options nobody outside is asked but the database.
    Check(checks::Asked),
    /// Ask the server that runs here whether it can do its work: what a container's health check runs.
    Health,
    /// Set up a new installation: its address, who runs it, its mail, and a link for the first one in the back office.
    Setup(staff::setup::Asked),
    /// Bring the database's schema and goods up to date.
    Migrate,
    /// Fill an empty database with a demo member, works, a cart that holds one line of every goods, and a shop at work.
    Demo,
    /// Write everything that can't be made again into a new folder; the server may go on meanwhile.
    Backup { folder: PathBuf },
    /// Fill an empty installation from a backup, of either database engine.
    Restore { folder: PathBuf },
    /// Print the messages to members that wait in the outbox, oldest first.
    Outbox,
    /// Look at the queue of work that is done later.
    #[command(subcommand)]
    Job(workers::commands::Command),
    /// Print what operators did, the newest first.
    Audit {
        /// Only what was done to this order, payment, invoice, …
        subject: Option<String>,
        #[arg(long, default_value_t = 50)]
        most: i64,
        /// Instead, read the whole log and say whether a row of it was changed or taken out.
        #[arg(long, conflicts_with_all = ["subject", "most"])]
        check: bool,
        /// With --check: what was printed as its head earlier, by this command or in a day's summary; may be given more than
        /// once.
        #[arg(long, requires = "check", value_name = "NUMBER:HASH")]
        head: Vec<audit::Head>,
    },
    /// Write manual pages, completions for bash, zsh and fish, and a file with every setting, for whoever packages the program.
    Describe { folder: PathBuf },
    /// Carries out one task on a file that anybody may have made; the server starts it.
    #[command(hide = true)]
    Sandbox,
}

/// What the command line is read by: the program's own commands, and behind them the slices'.
pub fn reader(house: &'static House) -> clap::Command {
    house.commands().fold(Cli::command(), |reader, command| reader.subcommand(command.reader()))
}

/// What is to be done.
pub enum Asked {
    /// A command of the program's own.
    Own(Command),
    /// One of a slice's, with what stands behind its word.
    OfSlice(commands::Command, ArgMatches),
}

impl Asked {
    pub fn read(house: &'static House, mut read: ArgMatches) -> Result<Self, clap::Error> {
        let word = read.subcommand_name().unwrap_or_default();
        match house.commands().find(|command| command.name == word) {
            Some(command) => {
                let (_, behind) = read.remove_subcommand().unwrap_or_default();
                Ok(Self::OfSlice(command, behind))
            }
            None => Cli::from_arg_matches_mut(&mut read).map(|cli| Self::Own(cli.command)),
        }
    }
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let asked = Asked::read(&HOUSE, reader(&HOUSE).get_matches()).unwrap_or_else(|error| error.exit());
    if matches!(asked, Asked::Own(Command::Sandbox)) {
        return sandbox::child();
    }
    if let Asked::Own(Command::Describe { folder }) = &asked {
        return ended(describe::write(&HOUSE, folder));
    }
    // photos, the database, backups, keys: whatever is made here is its owner's alone
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("bindery: {error}");
            return ExitCode::FAILURE;
        }
    };
    let serves = matches!(asked, Asked::Own(Command::Serve { .. }));
    let collector = match log::begin(runtime.handle(), serves) {
        Ok(collector) => collector,
        Err(reason) => {
            eprintln!("bindery: {reason}");
            return ExitCode::FAILURE;
        }
    };
    let how = ended(runtime.block_on(run(asked)));
    collector.end();
    how
}

/// What the program ends with, and why.
fn ended(how: Result<(), Failure>) -> ExitCode {
    match how {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bindery: {reason}");
            ExitCode::FAILURE
        }
    }
}

async fn run(asked: Asked) -> Result<(), Failure> {
    if let Asked::Own(Command::Check(asked)) = &asked {
        let all_good = checks::run(&HOUSE, asked).await;
        return if all_good { Ok(()) } else { Err("what is marked 坏 is to be mended".into()) };
    }
    if matches!(asked, Asked::Own(Command::Health)) {
        return health::ask(own::SITE_ADDR.parsed()?).await;
    }
    // a setting that nobody reads is one that somebody counts on
    let faults: Vec<String> = HOUSE.read_settings().iter().map(ToString::to_string).collect();
    if !faults.is_empty() {
        return Err(faults.join("\n         ").into());
    }
    let is_demo = matches!(asked, Asked::Own(Command::Serve { demo: true }));
    let config = Config { is_demo, ..Config::from_env()? };
    let schema = match asked {
        Asked::Own(Command::Serve { .. } | Command::Migrate) => Schema::BroughtUp,
        _ => Schema::AsItIs,
    };
    let app = App::open(config, &HOUSE, schema).await?;
    let command = match asked {
        Asked::Own(command) => command,
        Asked::OfSlice(command, behind) => {
            (command.run)(&app, &behind).await?;
            app.db.close().await;
            return Ok(());
        }
    };
    match command {
        Command::Serve { demo } => return serve_until_told(app, demo).await,
        Command::Setup(asked) => staff::setup::run(&app, asked).await?,
        Command::Migrate => println!("The database is up to date."),
        Command::Demo => fill_demo(&app).await?,
        Command::Backup { folder } => {
            let made = backups::folder::backup(&app, &folder).await?;
            web::backups::note(&app.db, db::now_ms()).await?;
            println!("Wrote {made} to {}.", folder.display());
            if !made.damaged.is_empty() {
                let names = made.damaged.join(", ");
                return Err(format!("these originals are damaged and not in the backup: {names}").into());
            }
        }
        Command::Restore { folder } => {
            let read = backups::folder::restore(&app, &folder).await?;
            println!("Restored {read}.");
        }
        Command::Outbox => print_outbox(&app).await?,
        Command::Audit { check: true, head, .. } => {
            let checked = audit::check(&app.db, &head).await?;
            if !checked.broken.is_empty() {
                let all: Vec<String> = checked.broken.iter().map(ToString::to_string).collect();
                return Err(all.join("\n         ").into());
            }
            println!("{} rows, each fits the one before it.", checked.rows);
            if checked.older > 0 {
                println!("{} rows are from before they were held together.", checked.older);
            }
            println!("Head: {}", checked.head());
        }
        Command::Audit { subject, most, .. } => {
            for noted in audit::newest(&app.db, subject.as_deref(), most).await? {
                let audit::Noted { happened_at, actor, action, subject, detail, .. } = noted;
                println!("{} {actor}: {action} {subject} {detail}", time::stamp(happened_at));
            }
        }
        Command::Job(command) => workers::commands::run(&app, command).await?,
        // begun and ended before anything was opened
        Command::Check(_) | Command::Describe { .. } | Command::Health | Command::Sandbox => {}
    }
    app.db.close().await;
    Ok(())
}

async fn fill_demo(app: &App) -> Result<(), Failure> {
    demo::fill(app).await?;
    println!("Added the demo member {} with the password {}.", made::ACCOUNT, made::PASSWORD);
    Ok(())
}

async fn print_outbox(app: &App) -> Result<(), Failure> {
    let messages = delivery::waiting(app).await?;
    if messages.is_empty() {
        println!("The outbox is empty.");
    }
    for message in messages {
        let state = if message.held == 1 { "yours to deliver" } else { "waiting to be sent" };
        let (created, expires) = (time::stamp(message.created_at), time::stamp(message.expires_at));
        println!("{created} to {} ({state}, until {expires})", message.contact);
        println!("  {}: {}", message.subject, message.body);
        if let (Some(name), Some(sha256)) = (message.attachment_name, message.attachment) {
            let file = app.storage.bring(&original_key(&sha256)).await?;
            println!(
                "  with {name}: {}",
                file.map_or_else(|| "gone".into(), |file| file.display().to_string())
            );
        }
    }
    Ok(())
}

async fn serve_until_told(app: App, with_demo: bool) -> Result<(), Failure> {
    if with_demo && demo::is_half_made(&app).await? {
        return Err(
            "the demo was broken off while it was made; empty its database and its folder, and start again"
                .into(),
        );
    }
    if with_demo && demo::is_empty(&app).await? {
        fill_demo(&app).await?;
    }
    let listener = TcpListener::bind(app.config.leptos.site_addr)
        .await
        .map_err(|error| format!("{}: {error}", app.config.leptos.site_addr))?;
    let watched = match app.config.metrics_addr {
        Some(address) => {
            Some(TcpListener::bind(address).await.map_err(|error| format!("{address}: {error}"))?)
        }
        None => None,
    };
    let stop = CancellationToken::new();
    if let Some(listener) = watched {
        let (router, stop) = (exposition::router(app.clone()), stop.clone());
        // it ends when it is told to, and never fails
        tokio::spawn(
            axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).into_future(),
        );
    }
    tokio::spawn(told_to_stop(app.clone(), stop.clone()));
    // one for messages alone; and twice as many as cores: a job that waits for the disk leaves its core to another
    let workers: Vec<_> = (0..=2 * std::thread::available_parallelism().map_or(2, usize::from))
        .map(|worker| {
            tokio::spawn(workers::keep_working(app.clone(), jobs::Lane::of_worker(worker), stop.clone()))
        })
        .collect();
    tokio::spawn(db::keep_time(app.db.clone(), stop.clone()));
    tokio::spawn(jobs::between_instances(app.db.clone(), app.bell.clone(), stop.clone()));
    let sessions = session::Store::open(&app.db).await?;
    let background = background::begin(&app, &stop);
    app.config.log();
    let router = router::application(app.clone(), sessions);
    println!("Bindery 书坊 is at http://{}", listener.local_addr()?);
    if with_demo {
        println!("Sign in as {} with the password {}.", made::ACCOUNT, made::PASSWORD);
        println!(
            "The back office is at /staff: {} with the same password, and any app for codes by time.",
            made::STAFF
        );
    }
    supervisor::ready();
    // a proxy's connections are everybody's
    let most_of_address =
        if app.config.trust_proxy { connections::MOST } else { connections::MOST_OF_ADDRESS };
    serve::serve(listener, router, Arc::new(Connections::new(most_of_address)), stop.clone()).await;
    // a job under way is finished; what is left in the queue waits for the next start
    for worker in workers {
        worker.await?;
    }
    for task in background {
        task.await?;
    }
    // what requests left to be written is there now
    let ended = background::end(&app).await;
    app.db.close().await;
    Ok(ended?)
}

/// Ctrl-C, or SIGTERM from whoever supervises the program. A balancer hears of it first.
async fn told_to_stop(app: App, stop: CancellationToken) {
    let interrupt = tokio::signal::ctrl_c();
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => {
            let _ = interrupt.await;
        }
    }
    supervisor::stopping();
    app.readiness.leave();
    tokio::time::sleep(app.config.drain).await;
    stop.cancel();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_one_command() {
        reader(&HOUSE).debug_assert();
    }
}
