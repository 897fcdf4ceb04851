//! What a member is shown of a line before it pays: the pages, the book as it will be bound, and what preflight says.

use base::error::Error;
use domain::ids::{MemberId, OrderId, WorkId};
use press::Finding;
use web::app::App;

use super::place::Item;
use works::Undecided;

/// The addresses of pictures of a work's pages, as whoever orders it may see them.
#[derive(Debug, Clone)]
pub struct Pictures {
    /// What stands before a page's name.
    pub base: String,
    /// The cover's name; the others have their numbers, from 1.
    pub cover: &'static str,
    /// What stands behind the width.
    pub query: String,
    /// The widths that are drawn, in pixels: of a thumbnail, and of a page on half a screen.
    pub widths: [u32; 2],
    /// How many pages may be seen, from the first on; all where it says nothing.
    pub most: Option<usize>,
}

impl Pictures {
    /// Of a member's own work.
    pub fn of_work(work: &WorkId, revision: i64) -> Self {
        Self::kept(format!("/manager/opus/{work}/page"), format!("?r={revision}"))
    }

    /// Of what was ordered.
    pub fn of_order(order: &OrderId, line: i64) -> Self {
        Self::kept(format!("/manager/order/{order}/line/{line}/page"), String::new())
    }

    fn kept(base: String, query: String) -> Self {
        let [small, large, _] = works::WIDTHS;
        Self { base, cover: "cover", query, widths: [small, large], most: None }
    }

    /// Of a page, counted from 0, or of the cover.
    pub fn of(&self, page: Option<usize>, width: u32) -> String {
        let Self { base, query, .. } = self;
        let page = page.map_or(self.cover.to_owned(), |index| (index + 1).to_string());
        format!("{base}/{page}/{width}{query}")
    }

    /// Of the cover, small.
    pub fn thumbnail(&self) -> String {
        self.of(None, self.widths[0])
    }
}

/// Pictures of a book as it will be bound.
#[derive(Debug, Clone)]
pub struct Bound {
    /// It stands there, with its spine.
    pub standing: String,
    pub front: String,
    /// Leaves have none.
    pub back: Option<String>,
}

/// What preflight says of a line as it would be made.
pub async fn findings(app: &App, maker: &MemberId, line: &Item) -> Result<Vec<Finding>, Error> {
    let making = Some((line.goods.clone(), line.evaluation.choice()));
    works::preflight(app, maker, &line.document, making).await
}

/// What of it the member is to decide before it pays. Whoever confirmed the proof has; so has whoever orders once more what it
/// had printed, and a reader of a shared work can change nothing.
pub async fn undecided(app: &App, line: &Item, findings: &[Finding]) -> Result<Option<Undecided>, Error> {
    match line.revision {
        Some(revision) if line.proofed_at.is_none() => {
            let work = line.work_id.parse().map_err(Error::internal)?;
            Undecided::of(app, work, revision, findings).await
        }
        _ => Ok(None),
    }
}
