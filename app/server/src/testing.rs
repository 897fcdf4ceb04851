//! Programs on empty databases with all slices, and members in them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use domain::contact::Contact;
use domain::ids::MemberId;
use domain::money::Fen;
use domain::tier::Tier;
use web::app::testing;

pub use base::testing::Engine;

use web::app::App;

use crate::house::HOUSE;
use accounts::NewAccount;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A program on an empty database; its folder goes with the test.
pub async fn app(engine: Engine) -> Option<(App, tempfile::TempDir)> {
    testing::app(engine, &HOUSE).await.unwrap()
}

/// A member of no account that could be signed in to.
pub async fn member(app: &App) -> MemberId {
    let address = format!("member-{}@example.com", NEXT.fetch_add(1, Ordering::Relaxed));
    let contact = Contact::read(&address).unwrap();
    let account = NewAccount { contact: &contact, name: "", hash: "", tier: Tier::Basic, invited_by: None };
    let mut tx = app.db.begin().await.unwrap();
    let member = account.insert(&mut tx).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    member
}

/// What a member can spend.
pub async fn balance(app: &App, member: &MemberId) -> Fen {
    let mut tx = app.db.begin_snapshot().await.unwrap();
    ledger::balance(&mut tx, member).await.unwrap()
}

/// The files of Rust below a folder, and what they say.
pub fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}
