//! Pages of makers and of those who look.

mod changes;
mod front;
mod maker;
mod parts;
mod people;
mod said;
mod sheet;
mod thread;

pub use changes::{ChangesPage, MakerChangesPage};
pub use front::FrontPage;
pub use maker::MakerPage;
pub use said::SaidLines;
pub use sheet::SheetPage;
