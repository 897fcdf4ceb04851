//! What the demo member shares: a work in every state, an e-book, others for everybody. It reads a book of its own, too.

use base::error::Error;
use domain::ids::WorkId;
use web::app::App;
use web::demo::Demo;

use super::{ebook, public};

/// The e-book, and what else stands on the public shelf beside it and the book that is sold.
const EBOOK: &str = "山海之间";
const ALSO_PUBLIC: &[&str] = &["四时", "山河岁月"];

/// Shares them.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let (member, books) = (&demo.member, &demo.books);
    let works: Vec<WorkId> = books.iter().map(|(work, _)| work.clone()).collect();
    public::demo(app, member, &works).await?;
    let named = |name: &str| books.iter().find(|(_, title)| *title == name).map(|(work, _)| work);
    if let Some(work) = named(EBOOK) {
        let others: Vec<_> = ALSO_PUBLIC.iter().filter_map(|name| named(name)).collect();
        ebook::demo(app, member, work, &others).await?;
    }
    // it is readable by now
    study::demo(app, member, books).await
}
