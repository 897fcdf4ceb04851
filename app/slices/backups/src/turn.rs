//! One at a time works on a repository: of the instances of an installation the one that has the database's right
//! ([`Sole`]), which ends with its program; of installations that share a repository, such as a copy on another machine, the one
//! that left its name there.

use std::time::Duration;

use base::db::{Deed, Sole};
use base::error::Failure;
use futures::TryStreamExt;
use object_store::path::Path as Key;
use object_store::{ObjectStoreExt, PutPayload};
use web::app::App;

use crate::repository::{RUNNING, Repository};

/// How often who is at work says so.
const RENEWAL: Duration = Duration::from_secs(60);
/// How long somebody is taken to be at work who said nothing, in ms by the repository's clock.
const SILENCE_MS: i64 = 10 * 60_000;

/// Somebody else is at work.
pub const BUSY: &str = "another backup, or what looks through or clears them away, is at work there";

/// The right to work on a repository, until it is dropped; [`Turn::end`] tells others so.
pub struct Turn {
    repository: Repository,
    sole: Sole,
    place: Key,
}

impl Turn {
    /// Takes it.
    ///
    /// # Errors
    /// [`BUSY`] where somebody else has it.
    pub async fn take(app: &App, repository: &Repository) -> Result<Self, Failure> {
        let url = &app.config.database_url;
        let Some(sole) = Sole::now(url, Deed::Backup).await? else { return Err(BUSY.into()) };
        // whoever was killed is taken to be at work until it has been silent: a copy of this machine and its database looks the same
        let place = Key::from(format!("{RUNNING}/{}", ulid::Ulid::new()));
        let turn = Self { repository: repository.clone(), sole, place };
        turn.say().await?;
        // who comes second sees the first; where both come at once, both see each other and leave
        let mut others = turn.repository.files().list(Some(&Key::from(RUNNING)));
        let mut found = Vec::new();
        while let Some(entry) = others.try_next().await? {
            found.push((entry.location, entry.last_modified.timestamp_millis()));
        }
        drop(others);
        let own = found.iter().find(|(place, _)| *place == turn.place).map(|(_, at)| *at);
        let now = own.ok_or("what was written can't be listed")?;
        if found.iter().any(|(place, at)| *place != turn.place && now - at < SILENCE_MS) {
            turn.end().await;
            return Err(BUSY.into());
        }
        Ok(turn)
    }

    async fn say(&self) -> Result<(), Failure> {
        self.repository.files().put(&self.place, PutPayload::from_static(b"at work\n")).await?;
        Ok(())
    }

    /// Keeps it while something is done.
    ///
    /// # Errors
    /// Those of what is done, and where the right was lost meanwhile.
    pub async fn keep<T>(&mut self, done: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        let mut done = std::pin::pin!(done);
        loop {
            match tokio::time::timeout(RENEWAL, &mut done).await {
                Ok(done) => return done,
                Err(_) => {
                    self.sole
                        .look()
                        .await
                        .map_err(|error| format!("the database was lost meanwhile: {error}"))?;
                    self.say().await?;
                }
            }
        }
    }

    /// Says that nobody is at work any more.
    pub async fn end(self) {
        // otherwise others wait until it is old
        if let Err(error) = self.repository.files().delete(&self.place).await {
            tracing::warn!(%error, "The end of a backup could not be said");
        }
    }
}
