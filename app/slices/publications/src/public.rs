//! What readers see of newspapers and magazines.

mod article;
mod calendar;
mod corrections;
mod frame;
mod leaf;
mod magazine;
mod search;
mod section;
mod title;
mod title_search;

pub use article::ArticlePage;
pub use frame::beginning;
pub use leaf::LeafPage;
pub use magazine::MagazineIssuePage;
pub use search::SearchPage;
pub use section::SectionPage;
pub use title::TitleHomePage;
pub use title_search::TitleSearchPage;
