//! The making desk, the shelf, a work's own page, its settings and its versions.

mod better;
mod calendar;
mod changes;
mod copies;
mod design;
mod document;
mod ebook;
mod format;
mod import;
mod make;
mod page_photos;
mod revisions;
mod setting;
mod shelf;
mod spreads;
mod style;
mod weak;
mod work;

pub use better::BetterPage;
pub use calendar::{CalendarDeskPage, CalendarPage};
pub use copies::{CopyChoice, RunOf, asked_copy, copy_address};
pub use design::DesignPage;
pub use document::DocumentPage;
pub use format::FormatPage;
pub use import::ImportPage;
pub use make::{Formats, MakePage, Themes, ahead_part};
pub use page_photos::PagePhotosPage;
pub use revisions::{ComparisonPage, RevisionPage, RevisionsPage};
pub use setting::SettingPage;
pub use shelf::{Cover, WorksPage};
pub use spreads::PagesPage;
pub use style::StylePage;
pub use work::{ProofSheets, WorkPage};
