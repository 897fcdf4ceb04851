//! Goods: what can be printed. They live in the database and are first filled from readable files; what is changed of them
//! is kept version by version.
//!
//! Not here: which items fit together and what they cost (domain), a member's choices, and the back office's pages of goods,
//! which tell what becomes of the carts (cart).

mod changes;
mod commands;
mod differences;
mod files;
mod jobs;
mod samples;
mod store;

use std::collections::HashMap;
use std::sync::Arc;

use base::error::Error;
use base::presses::Printing;
use domain::document::Trim;
use domain::goods::{Goods, PageAim};
use domain::ids::GoodsId;
use domain::print_options::{default_choice, evaluate};
use rust_embed::RustEmbed;
use web::app::App;
use web::slice::Slice;

pub use changes::{Asked, Detail, Verdict, change, changed_in, detail, in_words, look, version, withdraw};
pub use files::Filed;
pub use samples::{Compared, compare};
pub use store::{Listed, Version, Waiting};

#[derive(RustEmbed)]
#[folder = "goods"]
struct GoodsFiles;

/// A debug build reads the files where they were built: another checkout's are built anew.
const _: Option<&str> = option_env!("BINDERY_CHECKOUT");

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    commands: &[web::command!(
        "goods",
        "Take goods and price books in and out.",
        commands::Command,
        commands::run
    )],
    tables: &["goods", "goods_versions", "goods_changes"],
    jobs: |handlers| handlers.with::<jobs::ChangeGoods>(),
    open: Some(|app| Box::pin(async move { fill(&app).await })),
    audited: &[
        ("goods change", "改商品和价格"),
        ("goods change-later", "定下以后的商品改动"),
        ("goods change-withdraw", "撤销商品改动"),
        ("goods change-fail", "商品改动没有生效"),
        ("goods import", "导入商品"),
    ],
    ..Slice::new("catalog")
};

/// Adds the goods of the built-in files that the database does not have yet. What an operator changed stays.
pub async fn fill(app: &App) -> Result<(), Error> {
    for (position, name) in GoodsFiles::iter().enumerate() {
        let file = GoodsFiles::get(&name).ok_or_else(|| Error::internal(format!("{name} is gone")))?;
        let text = std::str::from_utf8(&file.data).map_err(Error::internal)?;
        let goods: Goods =
            toml::from_str(text).map_err(|error| Error::internal(format!("{name}: {error}")))?;
        if let Err(problems) = goods.validate() {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(Error::internal(format!("{name}: {}", problems.join("; "))));
        }
        store::insert_missing(&app.db, &goods, position as i64).await?;
    }
    Ok(())
}

/// All goods that are sold, in the catalogue's order.
pub async fn all(app: &App) -> Result<Vec<Arc<Goods>>, Error> {
    store::active(&app.db).await
}

/// All goods, sold or not, with what became of them, in the catalogue's order.
pub async fn listed(app: &App) -> Result<Vec<Listed>, Error> {
    store::listed(&app.db).await
}

/// How many changes wait for their day, and since when the first waits whose day has come.
pub async fn count_waiting(app: &App, now: i64) -> Result<(i64, Option<i64>), Error> {
    store::count_waiting(&app.db, now).await
}

/// All goods that are sold, by id.
pub async fn by_id(app: &App) -> Result<HashMap<GoodsId, Arc<Goods>>, Error> {
    Ok(all(app).await?.into_iter().map(|goods| (goods.id.clone(), goods)).collect())
}

/// One goods.
pub async fn find(app: &App, id: &GoodsId) -> Result<Arc<Goods>, Error> {
    by_id(app).await?.remove(id).ok_or(Error::NotFound)
}

/// What goods are printed with as they are now, sold or not; what was ordered says it where they are gone. How files are made
/// is no part of what was bought: they are made when they are printed.
///
/// # Errors
/// [`Error::Conflict`] says that nobody is known to print them so.
pub async fn printing(app: &App, ordered: &Goods) -> Result<Printing, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let now = store::find(&mut tx, &ordered.id).await?;
    let goods = now.as_ref().map_or(ordered, |filed| &filed.goods);
    app.presses
        .of_goods(goods)
        .map_err(|reason| Error::Conflict(format!("《{}》的印刷文件做不了：{reason}", goods.name)))
}

/// The goods a page of this size can be printed as.
pub async fn of_size(app: &App, trim: Trim) -> Result<Vec<Arc<Goods>>, Error> {
    Ok(all(app).await?.into_iter().filter(|goods| goods.trim == trim).collect())
}

/// The goods of a book of this size and so many pages where there is nothing to choose: the only ones of the size, which can
/// be made of it.
pub async fn only_of(app: &App, trim: Trim, pages: usize) -> Result<Option<Arc<Goods>>, Error> {
    let mut goods = of_size(app, trim).await?;
    let Some(only) = goods.pop().filter(|_| goods.is_empty()) else { return Ok(None) };
    let pages = u32::try_from(pages).map_err(Error::internal)?;
    let is_made = evaluate(&only, pages, &default_choice(&only, pages)).is_complete();
    Ok(is_made.then_some(only))
}

/// The page counts that an automatic layout of this size aims at: those of the first goods of the size.
pub async fn page_aim(app: &App, trim: Trim) -> Result<PageAim, Error> {
    let goods = of_size(app, trim).await?;
    Ok(goods.first().map_or(PageAim { min: 4, max: 200, step: 4 }, |goods| goods.pages))
}

/// The same of the goods of the size that begin with the fewest pages.
pub async fn shortest_aim(app: &App, trim: Trim) -> Result<PageAim, Error> {
    let goods = of_size(app, trim).await?;
    let shortest = goods
        .iter()
        .filter(|goods| goods.editor_type == 12)
        .map(|goods| goods.pages)
        .min_by_key(|pages| pages.min);
    match shortest {
        Some(pages) => Ok(pages),
        None => page_aim(app, trim).await,
    }
}

#[cfg(test)]
mod tests {
    use domain::goods::Goods;

    use super::GoodsFiles;

    /// The ids of all built-in goods.
    pub fn ids() -> Vec<String> {
        let ids = GoodsFiles::iter().map(|name| name.trim_end_matches(".toml").to_owned());
        ids.collect()
    }

    /// Goods of a built-in file.
    pub fn built_in(id: &str) -> Goods {
        let file = GoodsFiles::get(&format!("{id}.toml")).unwrap();
        toml::from_str(std::str::from_utf8(&file.data).unwrap()).unwrap()
    }
}
