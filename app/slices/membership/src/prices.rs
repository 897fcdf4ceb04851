//! What the tiers cost: price books in the database, first filled from the built-in file.

use std::path::{Path, PathBuf};

use base::audit;
use base::db::now_ms;
use base::error::{Error, Failure};
use domain::days::DAY_MS;
use domain::membership::PriceBook;
use domain::money::Fen;
use domain::tier::Tier;
use serde_json::json;
use web::app::App;

use super::store::prices as store;

const BUILT_IN: &str = include_str!("../prices.toml");

/// Reads a book.
///
/// # Errors
/// One line for everything that is wrong.
pub fn read(text: &str) -> Result<PriceBook, String> {
    let book: PriceBook = toml::from_str(text).map_err(|error| error.to_string())?;
    book.validate().map_err(|wrong| wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    Ok(book)
}

/// Fills in the built-in book where there is none.
pub async fn fill(app: &App) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    if store::count(&mut tx).await? == 0 {
        let book = read(BUILT_IN).map_err(Error::internal)?;
        store::put(&mut tx, &book, starts_at(&book)?, now_ms()).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn starts_at(book: &PriceBook) -> Result<i64, Error> {
    book.starts_at().ok_or_else(|| Error::internal("a price book without a day"))
}

/// The book that counts now.
pub async fn book(app: &App, now: i64) -> Result<PriceBook, Error> {
    store::in_force(&app.db, now).await
}

/// What a tier costs now for so many months.
pub async fn price(app: &App, tier: Tier, months: u32, now: i64) -> Result<Fen, Error> {
    let price = book(app, now).await?.price(tier, months);
    price.ok_or_else(|| Error::internal(format!("no price for {months} months of {tier}")))
}

/// Takes a book from a file; false when it was there already. What was confirmed keeps its price.
pub async fn import(app: &App, file: &Path, dry: bool, now: i64) -> Result<bool, Failure> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
    let book = read(&text).map_err(|error| failed(&error))?;
    let starts_at = starts_at(&book)?;
    let mut tx = app.db.begin().await?;
    if store::find(&mut tx, starts_at).await?.as_ref() == Some(&book) {
        return Ok(false);
    }
    if starts_at + DAY_MS <= now {
        return Err(format!(
            "{}: prices can't be changed for days that are over: valid_from is today or later",
            file.display()
        )
        .into());
    }
    if !dry {
        store::put(&mut tx, &book, starts_at, now).await?;
        audit::note(&mut tx, "membership import", &book.valid_from, &json!({ "prices": book.prices }))
            .await?;
        tx.commit().await?;
    }
    Ok(true)
}

/// Writes every book into a folder, one file each, named after its first day; answers the files.
pub async fn export(app: &App, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut written = Vec::new();
    for book in store::all(&app.db).await? {
        let path = folder.join(format!("prices-{}.toml", book.valid_from));
        let text = toml::to_string(&book)?;
        // whole or not at all
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        file.persist(&path).map_err(|error| format!("{}: {}", path.display(), error.error))?;
        written.push(path);
    }
    Ok(written)
}
