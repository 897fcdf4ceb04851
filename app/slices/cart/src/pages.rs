//! Choosing goods, the cart, print options.

mod cart;
mod goods;
mod options;
mod proof;

pub use cart::CartPage;
pub use goods::AddPage;
pub use options::{ChoiceLine, OptionsPage, PriceLines, StepRows};
pub(crate) use options::{face_address, face_base};
pub use proof::{CHECKS, ProofPage, back, cover, front, proof_pdf};
