//! A backup every day, by whichever instance comes first.

use domain::backup::is_due;
use platform::app::App;
use platform::backups::{self, Act, Outcome};
use platform::db::now_ms;
use platform::error::{Error, Failure};
use platform::metrics;
use platform::ui::time;

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

/// Makes one where it is time.
pub async fn make_what_is_due(app: &App) -> Result<(), Error> {
    let Some(settings) = Settings::from_env().map_err(Error::internal)? else { return Ok(()) };
    let (now, standing) = (now_ms(), backups::standing(&app.db, Act::Run).await?);
    let good = standing.good.map(|good| good.began_at);
    if !is_due(now, today(&settings, now), good, standing.failed.map(|failed| failed.ended_at)) {
        return Ok(());
    }
    let done = match make(app, &settings).await {
        // another instance makes it
        Err(error) if error.to_string() == BUSY => return Ok(()),
        done => done.map_err(Error::internal)?,
    };
    let Outcome { generation, stored, size, .. } = &done.outcome;
    tracing::info!(generation, stored, size, gone = done.pruned.generations.len(), "A backup was made");
    if !done.damaged.is_empty() {
        tracing::error!(files = ?done.damaged, "These files are damaged and in no backup");
    }
    Ok(())
}

/// Makes a generation and takes away what need not stay, and notes what became of it.
pub async fn make(app: &App, settings: &Settings) -> Result<Done, Failure> {
    let (repository, mut turn) = match begin(app, settings).await {
        Ok(begun) => begun,
        Err(error) => {
            if error.to_string() != BUSY {
                backups::failed(&app.db, Act::Run, &error.to_string(), now_ms()).await?;
            }
            return Err(error);
        }
    };
    let now = now_ms();
    let id = backups::begin(&app.db, Act::Run, now).await?;
    let made = turn.keep(run::run(app, &repository, settings.recipient.as_ref())).await;
    let noted = made.as_ref().map(|made| made.outcome.clone()).map_err(ToString::to_string);
    backups::end(&app.db, &id, &noted).await?;
    if made.is_ok() {
        backups::note(&app.db, now).await?;
    }
    let done = match made {
        Ok(made) => turn.keep(prune(&repository, settings.keep)).await.map(|pruned| {
            let run::Made { outcome, manifest, damaged } = made;
            Done { outcome, manifest, damaged, pruned }
        }),
        Err(error) => Err(error),
    };
    turn.end().await;
    done
}

async fn begin(app: &App, settings: &Settings) -> Result<(Repository, Turn), Failure> {
    let repository = Repository::open(&settings.repository, app.config.disk_reserve)?;
    let turn = Turn::take(app, &repository).await?;
    Ok((repository, turn))
}
