//! Backups 备份: the whole installation as a folder of plain files, when somebody asks; and in a repository of generations, by
//! itself every day.
//!
//! Not here: what was noted of backups and is watched (`web::backups`), which tables and files there are (every slice
//! says that of itself).

mod check;
mod commands;
pub mod folder;
mod owner;
mod page;
mod prune;
mod read;
mod repository;
mod restore;
mod rows;
mod run;
mod schedule;
mod seal;
mod settings;
mod turn;
mod verify;

use base::storage::{AVATARS, ORIGINALS, PREVIEWS};
use web::background::{Background, MINUTE};
use web::slice::Slice;

pub use page::{Backups, State, state};

/// Folders of files that are called by their bytes, here and in the storage.
const FOLDERS: [&str; 3] = [ORIGINALS, AVATARS, PREVIEWS];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    variables: settings::VARIABLES,
    settings: Some(|| settings::Settings::from_env().map(drop)),
    probe: Some(|asked| Box::pin(check::probe(asked))),
    open: Some(|app| Box::pin(async move { schedule::tell(&app) })),
    commands: &[web::command!(
        "backups",
        "Make and look through backups in the repository that BINDERY_BACKUP_TO names.",
        commands::Command,
        commands::run
    )],
    background: &[Background::every(MINUTE, "backups", |app| {
        Box::pin(async move { schedule::make_what_is_due(&app).await })
    })],
    ..Slice::new("backups")
};
