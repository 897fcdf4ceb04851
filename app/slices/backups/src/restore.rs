//! Fills an empty installation from a generation.

use std::io;

use age::x25519::Identity;
use platform::app::App;
use platform::error::Failure;
use platform::storage::shelved;

use crate::read::Reading;
use crate::repository::{Generation, Manifest, Repository};
use crate::rows;
use crate::seal::Hashing;

/// Files first, then every row in one transaction.
pub async fn restore(
    app: &App,
    repository: &Repository,
    generation: &Generation,
    identity: Option<&Identity>,
) -> Result<Manifest, Failure> {
    rows::is_empty(&mut app.db.begin_snapshot().await?).await?;
    let reading = Reading::begin(app, repository, generation, identity).await?;
    for (folder, sha256) in reading.files() {
        let key = shelved(folder, sha256);
        let blob = reading.blob_of(sha256)?;
        let mut from = reading.open(blob).await?;
        let file = app.storage.incoming()?;
        let mut to = Hashing::new(file.as_file());
        io::copy(&mut from, &mut to)?;
        let (_, digest, _) = to.end()?;
        if digest != sha256 {
            return Err(format!("{blob} is damaged: it holds another file than {sha256}").into());
        }
        app.storage.restore(file, key).await?;
    }
    reading.fill(app).await?;
    Ok(reading.manifest)
}
