//! Hot areas 热区 of shared works: what readers find on a page, and how its maker puts it there. They belong to pages,
//! wherever those stand, and are there for readers as soon as they are saved.

mod forms;
mod store;

use domain::hot_area::{Kind, Place};
use domain::ids::{HotAreaId, PageId};

pub use forms::save;
pub use store::{counts, forget_all, of_page};

/// An area as it is kept.
#[derive(Debug, Clone)]
pub struct HotArea {
    pub id: HotAreaId,
    pub page: PageId,
    pub kind: Kind,
    pub place: Place,
    pub name: String,
    /// An address, or the id of a page.
    pub target: String,
    /// A note or an article.
    pub words: String,
}
