//! Whose a repository is: of one installation, which clears away there what it made. Another one with the same settings, such as
//! a new one after a loss, leaves it as it is until somebody says otherwise.

use base::error::Failure;
use web::app::App;
use web::backups::{self, Act};

use crate::repository::Repository;

/// What an installation is called by is kept with its secrets, and comes back with them.
const ID: &str = "backup installation";

/// What this installation is called by.
pub async fn id(app: &App) -> Result<String, Failure> {
    Ok(app.db.secret(ID).await?)
}

/// Whose a repository is, held against who asks: a new one is taken, one of somebody else only where it is adopted.
///
/// # Errors
/// Where it is another's, or where what this installation made before is not there.
pub async fn claim(app: &App, repository: &Repository, adopts: bool) -> Result<String, Failure> {
    let id = id(app).await?;
    let named = repository.named();
    let hint = "bindery backups run --adopt";
    match repository.owner().await? {
        Some(owner) if owner == id => return Ok(id),
        _ if adopts => {}
        Some(_) => {
            return Err(format!(
                "the backups in {named} are another installation's: restore one of them, or {hint}"
            )
            .into());
        }
        None if !repository.generations().await?.is_empty() => {
            return Err(
                format!("{named} holds backups and does not say whose; if they are yours, {hint}").into()
            );
        }
        None if backups::standing(&app.db, Act::Run).await?.good.is_some() => {
            return Err(format!(
                "{named} is empty, and backups were made before; mount its disk, or where it is a new place {hint}"
            )
            .into());
        }
        None => {}
    }
    repository.own(&id).await?;
    Ok(id)
}
