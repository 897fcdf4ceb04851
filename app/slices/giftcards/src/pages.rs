//! The pages of members.

pub mod book;
pub mod card;
pub mod list;
mod mine;
