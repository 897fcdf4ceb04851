//! The command line. Every command prints plain sentences and exits non-zero with a reason when it fails.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use domain::money::Fen;
use domain::tier::Tier;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::house::HOUSE;
use platform::app::App;
use platform::config::Config;
use platform::connections::{self, Connections};
use platform::error::Failure;
use platform::storage::original_key;
use platform::ui::time;
use platform::{audit, background, backups, db, delivery, jobs, router, sandbox, serve, session};

use crate::{backup, demo};

/// Bindery 书坊: photo books, albums and calendars, from photos to the print shop.
#[derive(Parser)]
#[command(name = "bindery", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the web server.
    Serve {
        /// Fill an empty database with the demo content first. Where no way to pay is configured, members pay with one
        /// that takes no money.
        #[arg(long)]
        demo: bool,
    },
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
    /// Manage members.
    #[command(subcommand)]
    Member(MemberCommand),
    /// Manage orders.
    #[command(subcommand)]
    Order(orders::commands::Command),
    /// Look at the queue of work that is done later.
    #[command(subcommand)]
    Job(jobs::commands::Command),
    /// Manage who works in the back office 后台, at /staff.
    #[command(subcommand)]
    Staff(staff::commands::Command),
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
    /// Look at the books.
    #[command(subcommand)]
    Ledger(ledger::commands::Command),
    /// Take goods and price books in and out.
    #[command(subcommand)]
    Goods(catalog::commands::Command),
    /// Issue, refuse and void invoices.
    #[command(subcommand)]
    Invoice(invoices::commands::Command),
    /// Manage recharges and other payments from outside.
    #[command(subcommand, visible_alias = "payment")]
    Recharge(payments::commands::Command),
    /// Look at what members sell.
    #[command(subcommand)]
    Package(selling::commands::PackageCommand),
    /// Make and void redeem codes.
    #[command(subcommand)]
    Code(selling::commands::CodeCommand),
    /// Note what sellers were paid out.
    #[command(subcommand)]
    Payout(selling::commands::PayoutCommand),
    /// Set what memberships cost, and give what was paid for one back.
    #[command(subcommand)]
    Membership(membership::commands::Command),
    /// Look at what members share, and withdraw it.
    #[command(subcommand)]
    Share(reader::commands::ShareCommand),
    /// Look at members' shelves, and withdraw one.
    #[command(subcommand)]
    Shelf(shelves::commands::Command),
    /// Read and close what readers report.
    #[command(subcommand)]
    Report(reader::commands::ReportCommand),
    /// Carries out one task on a file that anybody may have made; the server starts it.
    #[command(hide = true)]
    Sandbox,
}

#[derive(Subcommand)]
enum MemberCommand {
    /// Make an account.
    Add {
        /// A mobile number or an e-mail address.
        #[arg(long)]
        account: String,
        /// 8 to 128 characters.
        #[arg(long)]
        password: String,
        /// 普通会员, VIP, 超级会员 or 企业高级版.
        #[arg(long, default_value = "普通会员")]
        tier: Tier,
        /// A balance to begin with, in yuan.
        #[arg(long, default_value = "0")]
        balance: Fen,
    },
    /// Switch a member's second factor off and remove its passkeys: for one who has lost the device and the recovery codes,
    /// and has proved to you who it is.
    SecondFactorOff {
        #[arg(long)]
        account: String,
        /// How it proved that, for the audit log.
        #[arg(long)]
        reason: String,
    },
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if matches!(cli.command, Command::Sandbox) {
        return sandbox::child();
    }
    log_to_stderr();
    // photos, the database, backups, keys: whatever is made here is its owner's alone
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("bindery: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bindery: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// `BINDERY_LOG` filters (such as `info` or `bindery=debug`), `BINDERY_LOG_FORMAT=json` is for machines.
fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("BINDERY_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("bindery=info,warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if std::env::var("BINDERY_LOG_FORMAT").is_ok_and(|format| format == "json") {
        log.json().init();
    } else {
        log.with_target(false).init();
    }
}

async fn run(command: Command) -> Result<(), Failure> {
    let config = Config { is_demo: matches!(command, Command::Serve { demo: true }), ..Config::from_env()? };
    let app = App::open(config, &HOUSE).await?;
    match command {
        Command::Serve { demo } => return serve_until_told(app, demo).await,
        Command::Migrate => println!("The database is up to date."),
        Command::Demo => fill_demo(&app).await?,
        Command::Backup { folder } => {
            let made = backup::backup(&app, &folder).await?;
            backups::note(&app.db, db::now_ms()).await?;
            println!("Wrote {made} to {}.", folder.display());
            if !made.damaged.is_empty() {
                let names = made.damaged.join(", ");
                return Err(format!("these originals are damaged and not in the backup: {names}").into());
            }
        }
        Command::Restore { folder } => {
            let read = backup::restore(&app, &folder).await?;
            println!("Restored {read}.");
        }
        Command::Outbox => print_outbox(&app).await?,
        Command::Member(MemberCommand::Add { account, password, tier, balance }) => {
            if balance.is_negative() {
                return Err("a balance can't begin below zero".into());
            }
            let member = accounts::add_member(&app, &account, &password, tier).await?;
            if balance > Fen::ZERO {
                ledger::grant(&app.db, &member, balance, &format!("opening:{member}"), db::now_ms()).await?;
            }
            println!("Added {account} ({tier}, balance {balance}).");
        }
        Command::Member(MemberCommand::SecondFactorOff { account, reason }) => {
            if !accounts::reset_second_factor(&app, &account, &reason).await? {
                return Err(format!("{account} has no second factor and no passkeys").into());
            }
            println!("Switched the second factor of {account} off and removed its passkeys.");
        }
        Command::Staff(command) => staff::commands::run(&app, command).await?,
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
        Command::Order(command) => orders::commands::run(&app, command).await?,
        Command::Goods(command) => catalog::commands::run(&app, command).await?,
        Command::Invoice(command) => invoices::commands::run(&app, command).await?,
        Command::Job(command) => jobs::commands::run(&app, command).await?,
        Command::Recharge(command) => payments::commands::run(&app, command).await?,
        Command::Ledger(command) => ledger::commands::run(&app, command).await?,
        Command::Package(command) => selling::commands::package(&app, command).await?,
        Command::Code(command) => selling::commands::code(&app, command).await?,
        Command::Payout(command) => selling::commands::payout(&app, command).await?,
        Command::Membership(command) => membership::commands::run(&app, command).await?,
        Command::Share(command) => reader::commands::share(&app, command).await?,
        Command::Shelf(command) => shelves::commands::run(&app, command).await?,
        Command::Report(command) => reader::commands::report(&app, command).await?,
        // begun and ended before anything was opened
        Command::Sandbox => {}
    }
    app.db.close().await;
    Ok(())
}

async fn fill_demo(app: &App) -> Result<(), Failure> {
    demo::fill(app).await?;
    println!("Added the demo member {} with the password {}.", demo::ACCOUNT, demo::PASSWORD);
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
    if with_demo && demo::is_empty(&app).await? {
        fill_demo(&app).await?;
    }
    let listener = TcpListener::bind(app.config.leptos.site_addr)
        .await
        .map_err(|error| format!("{}: {error}", app.config.leptos.site_addr))?;
    let stop = CancellationToken::new();
    tokio::spawn(told_to_stop(stop.clone()));
    // one for messages alone; and twice as many as cores: a job that waits for the disk leaves its core to another
    let workers: Vec<_> = (0..=2 * std::thread::available_parallelism().map_or(2, usize::from))
        .map(|worker| {
            tokio::spawn(jobs::keep_working(app.clone(), jobs::Lane::of_worker(worker), stop.clone()))
        })
        .collect();
    let sessions = session::Store::open(&app.db).await?;
    let background = background::begin(&app, &stop);
    app.config.log();
    let router = router::application(app.clone(), sessions);
    println!("Bindery 书坊 is at http://{}", listener.local_addr()?);
    if with_demo {
        println!("Sign in as {} with the password {}.", demo::ACCOUNT, demo::PASSWORD);
        println!(
            "The back office is at /staff: {} with the same password, and any app for codes by time.",
            demo::STAFF
        );
    }
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

/// Ctrl-C, or SIGTERM from whoever supervises the program.
async fn told_to_stop(stop: CancellationToken) {
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
    stop.cancel();
}
