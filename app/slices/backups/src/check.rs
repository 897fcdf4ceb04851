//! What `bindery check` says of the repository.

use std::time::Duration;

use web::checks::{Asked, Found};

use crate::repository::Repository;
use crate::settings::{Settings, TO};

/// How long it has for its answer.
const PATIENCE: Duration = Duration::from_secs(40);

/// Tries a folder; a bucket where it is asked to.
pub async fn probe(asked: &Asked) -> Vec<Found> {
    let what = "backups".to_owned();
    // what is wrong with the settings is told before
    let Ok(settings) = Settings::from_env() else { return Vec::new() };
    let Some(settings) = settings else {
        return vec![(what, Ok(format!("none are made by themselves; {} says where to", TO.name)))];
    };
    vec![(what, try_out(&settings, asked.storage).await)]
}

async fn try_out(settings: &Settings, asks_outside: bool) -> Result<String, String> {
    let repository = Repository::open(&settings.repository, 0).map_err(|error| error.to_string())?;
    let named = repository.named().to_owned();
    if repository.folder().is_none() && !asks_outside {
        return Ok(format!("{named}, not tried; --storage does"));
    }
    let tried = async {
        repository.try_file().await?;
        repository.generations().await
    };
    let generations = match tokio::time::timeout(PATIENCE, tried).await {
        Ok(tried) => tried.map_err(|error| format!("{error}; look at {}", TO.name))?,
        Err(_) => return Err("it did not answer in time".to_owned()),
    };
    let sealed = if settings.recipient.is_some() { "encrypted" } else { "not encrypted" };
    Ok(format!(
        "a file was written, read and deleted in {named}; {} there, new ones are {sealed}",
        generations.len()
    ))
}
