//! What readers see, and where the maker decides what that is.

mod cover;
mod frame;
mod leaf;
mod offer;
mod report;
mod share;

pub use cover::{CoverPage, EmbedCoverPage};
pub use leaf::{EmbedLeafPage, LeafPage};
pub use report::ReportPage;
pub use share::SharePage;
