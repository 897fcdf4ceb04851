//! Choosing goods, the cart, print options.

mod cart;
mod goods;
mod options;
mod proof;

pub use cart::CartPage;
pub use goods::AddPage;
pub(crate) use options::front_base;
pub use options::{ChoiceLine, OptionsPage, PriceLines, StepRows};
pub use proof::{CHECKS, ProofPage, cover, front, proof_pdf};
