//! What the host asks of the queue.

use base::db::now_ms;
use base::error::Failure;
use base::jobs::{letters, retry};
use clap::Subcommand;

use crate::app::App;

/// Commands about jobs.
#[derive(Subcommand)]
pub enum Command {
    /// Print the jobs that wait, the next due first.
    List {
        /// Only dead letters: jobs that failed too often to be tried again.
        #[arg(long)]
        dead: bool,
    },
    /// Try a job again at once: one by its number, or every dead letter.
    Retry {
        #[arg(required_unless_present = "dead")]
        id: Option<String>,
        #[arg(long, conflicts_with = "id")]
        dead: bool,
    },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { dead } => {
            let jobs = letters(&app.db, dead).await?;
            if jobs.is_empty() {
                println!("{}", if dead { "There are no dead letters." } else { "No job waits." });
            }
            for job in jobs {
                println!("{}", job.sentence(now_ms()));
            }
        }
        Command::Retry { id, .. } => {
            let count = retry(&app.db, id.as_deref()).await?;
            match (id, count) {
                (Some(id), 0) => return Err(format!("there is no job {id}").into()),
                (_, 1) => println!("One job will be tried again."),
                (_, count) => println!("{count} jobs will be tried again."),
            }
        }
    }
    Ok(())
}
