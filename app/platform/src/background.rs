//! What is done again and again while the program serves, beside requests and jobs.

use std::time::Duration;

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
    /// Whether it is done once more when everything else has ended.
    pub at_end: bool,
    pub run: fn(App) -> Opened,
}

pub const MINUTE: Duration = Duration::from_secs(60);
pub const HOUR: Duration = Duration::from_secs(60 * 60);
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Background {
    /// One that needs no last time.
    pub const fn every(every: Duration, name: &'static str, run: fn(App) -> Opened) -> Self {
        Self { name, every, at_end: false, run }
    }

    async fn keep_on(self, app: App, stop: CancellationToken) {
        let mut pause = interval(self.every);
        // what took longer than its pause is not made up for
        pause.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = pause.tick() => self.once(&app).await,
            }
        }
        if self.at_end {
            self.once(&app).await;
        }
    }

    async fn once(self, app: &App) {
        if let Err(error) = (self.run)(app.clone()).await {
            tracing::warn!(%error, task = self.name, "What is done in the background failed, and is tried again");
        }
    }
}

/// Begins all that the slices do in the background, each for itself, until told to stop.
pub fn begin(app: &App, stop: &CancellationToken) -> Vec<JoinHandle<()>> {
    let all = app.house.each(|slice| slice.background).copied();
    all.map(|one| tokio::spawn(one.keep_on(app.clone(), stop.clone()))).collect()
}
