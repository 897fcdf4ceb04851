//! The making desk, the shelf, and a work's own page.

mod make;
mod shelf;
mod work;

pub use make::MakePage;
pub use shelf::WorksPage;
pub use work::{ProofSheets, WorkPage};
