//! What is done again and again while the program serves, beside requests and jobs.

mod rounds;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use base::db::now_ms;
use base::error::Error;
use futures::FutureExt;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::slice::Opened;

/// Something of a slice's that is done every so often.
#[derive(Clone, Copy)]
pub struct Background {
    /// What it is, for the log.
    pub name: &'static str,
    pub every: Duration,
    /// Whether it is done once more when everything else has ended, and never broken off. Anything else is broken off when the
    /// program stops, and done anew after the next start.
    pub at_end: bool,
    /// Whether one of all instances that share a bucket does it for all of them.
    pub for_all: bool,
    /// Whether it goes on while nothing is written ([`read_only`](crate::read_only)).
    pub in_read_only: bool,
    pub run: fn(App) -> Opened,
}

pub const MINUTE: Duration = Duration::from_secs(60);
pub const HOUR: Duration = Duration::from_secs(60 * 60);
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Background {
    /// One that needs no last time.
    pub const fn every(every: Duration, name: &'static str, run: fn(App) -> Opened) -> Self {
        Self { name, every, at_end: false, for_all: false, in_read_only: false, run }
    }

    /// The same while nothing is written, too.
    pub const fn in_read_only(self) -> Self {
        Self { in_read_only: true, ..self }
    }

    /// The same, once for all instances that share a bucket: it goes over what is in there.
    pub const fn for_all(self) -> Self {
        Self { for_all: true, ..self }
    }

    async fn keep_on(self, app: App, stop: CancellationToken) {
        let mut pause = interval(self.every);
        // what took longer than its pause is not made up for
        pause.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let broken_off = || async {
            match self.at_end {
                true => std::future::pending().await,
                false => stop.cancelled().await,
            }
        };
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = pause.tick() => {}
            }
            if !self.in_read_only {
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = app.read_only.over() => {}
                }
            }
            tokio::select! {
                () = broken_off() => return,
                done = self.once(&app) => {
                    if let Err(error) = done {
                        tracing::warn!(%error, task = self.name, "What is done in the background failed, and is tried again");
                    }
                }
            }
        }
    }

    /// A round, unless another instance has it; one that panics has failed, and the next one comes.
    async fn once(self, app: &App) -> Result<(), Error> {
        let is_shared = self.for_all && app.storage.is_bucket();
        if is_shared && !rounds::take(&app.db, self.name, self.every, now_ms()).await? {
            return Ok(());
        }
        let done = AssertUnwindSafe(async { (self.run)(app.clone()).await }).catch_unwind().await;
        done.unwrap_or_else(|_| Err(Error::internal(format!("{} panicked", self.name))))
    }
}

fn all(app: &App) -> impl Iterator<Item = Background> + use<> {
    app.house.each(|slice| slice.background).copied()
}

/// Begins all that the slices do in the background, each for itself, until told to stop.
pub fn begin(app: &App, stop: &CancellationToken) -> Vec<JoinHandle<()>> {
    all(app).map(|one| tokio::spawn(one.keep_on(app.clone(), stop.clone()))).collect()
}

/// Does once more what has to be done when everything else has ended.
///
/// # Errors
/// The first of theirs, after all were tried.
pub async fn end(app: &App) -> Result<(), Error> {
    let mut ended = Ok(());
    for one in all(app).filter(|one| one.at_end) {
        ended = ended.and(one.once(app).await);
    }
    ended
}

#[cfg(test)]
mod tests;
