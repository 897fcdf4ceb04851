//! A backup every day, by whichever instance comes first.

use base::db::now_ms;
use base::error::{Error, Failure};
use base::metrics;
use base::time;
use domain::backup::is_due;
use web::app::App;
use web::backups::{self, Act, Outcome};

use crate::owner::claim;
use crate::prune::{Pruned, prune};
use crate::repository::{Manifest, Repository};
use crate::run;
use crate::settings::Settings;
use crate::turn::{BUSY, Turn};

/// What was made, and what went.
pub struct Done {
    pub outcome: Outcome,
    pub manifest: Manifest,
    pub damaged: Vec<String>,
    pub pruned: Pruned,
}

/// Says whether backups are made, for whoever watches the program.
pub fn tell(_: &App) -> Result<(), Error> {
    let settings = Settings::from_env().map_err(Error::internal)?;
    metrics::backups_are_scheduled(settings.is_some());
    Ok(())
}

/// When one is made today, epoch ms.
pub fn today(settings: &Settings, now: i64) -> i64 {
    time::start_of(time::date(now)) + settings.at * 60_000
}

async fn is_due_now(app: &App, settings: &Settings) -> Result<bool, Error> {
    let (now, standing) = (now_ms(), backups::standing(&app.db, Act::Run).await?);
    let good = standing.good.map(|good| good.began_at);
    Ok(is_due(now, today(settings, now), good, standing.failed.map(|failed| failed.ended_at)))
}

/// Makes one where it is time.
pub async fn make_what_is_due(app: &App) -> Result<(), Error> {
    let Some(settings) = Settings::from_env().map_err(Error::internal)? else { return Ok(()) };
    if !is_due_now(app, &settings).await? {
        return Ok(());
    }
    let done = match make(app, &settings, Why::Due).await {
        // another instance made it
        Ok(None) => return Ok(()),
        Ok(Some(done)) => done,
        // or makes it
        Err(error) if error.to_string() == BUSY => return Ok(()),
        Err(error) => return Err(Error::internal(error)),
    };
    let Outcome { generation, stored, size, .. } = &done.outcome;
    tracing::info!(generation, stored, size, gone = done.pruned.generations.len(), "A backup was made");
    if !done.damaged.is_empty() {
        tracing::error!(files = ?done.damaged, "These files are damaged or not there");
    }
    Ok(())
}

/// Why one is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is time, unless another instance was first.
    Due,
    /// Somebody asks for it.
    Asked,
    /// And says that the repository is this installation's from now on.
    Adopted,
}

/// Makes a generation and takes away what need not stay, and notes what became of it; nothing where it is due no more.
pub async fn make(app: &App, settings: &Settings, why: Why) -> Result<Option<Done>, Failure> {
    let begun = async {
        let repository = Repository::open(&settings.repository, app.config.disk_reserve)?;
        let turn = Turn::take(app, &repository).await?;
        Ok::<_, Failure>((repository, turn))
    };
    let noted = async |error: Failure| -> Failure {
        match backups::failed(&app.db, Act::Run, &error.to_string(), now_ms()).await {
            Ok(()) => error,
            Err(unnoted) => unnoted.into(),
        }
    };
    let (repository, mut turn) = match begun.await {
        Ok(begun) => begun,
        Err(error) if error.to_string() == BUSY => return Err(error),
        Err(error) => return Err(noted(error).await),
    };
    let done = async {
        if why == Why::Due && !is_due_now(app, settings).await? {
            return Ok(None);
        }
        match claim(app, &repository, why == Why::Adopted).await {
            Ok(installation) => {
                with_turn(app, settings, &repository, &mut turn, installation).await.map(Some)
            }
            Err(error) => Err(noted(error).await),
        }
    }
    .await;
    turn.end().await;
    done
}

async fn with_turn(
    app: &App,
    settings: &Settings,
    repository: &Repository,
    turn: &mut Turn,
    installation: String,
) -> Result<Done, Failure> {
    let now = now_ms();
    let id = backups::begin(&app.db, Act::Run, now).await?;
    let made = turn.keep(run::run(app, repository, settings.recipient.as_ref(), &installation)).await;
    let noted = made.as_ref().map(|made| made.outcome.clone()).map_err(ToString::to_string);
    backups::end(&app.db, &id, &noted).await?;
    let run::Made { outcome, manifest, damaged } = made?;
    backups::note(&app.db, now).await?;
    match turn.keep(prune(repository, &installation, settings.keep)).await {
        Ok(pruned) => Ok(Done { outcome, manifest, damaged, pruned }),
        Err(error) => {
            backups::not_pruned(&app.db, &id, &error.to_string()).await?;
            Err(format!("{} was made, and nothing taken away: {error}", outcome.generation).into())
        }
    }
}
