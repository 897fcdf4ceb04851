//! What readers see, and where the maker decides what that is.

mod areas;
mod cover;
mod frame;
mod hot;
mod leaf;
mod offer;
mod report;
mod share;

pub use areas::AreasPage;
pub use cover::{CoverPage, EmbedCoverPage};
pub use frame::Place;
pub use hot::areas_of;
pub use leaf::{EmbedLeafPage, LeafPage};
pub use report::{ReportForm, ReportPage};
pub use share::SharePage;
