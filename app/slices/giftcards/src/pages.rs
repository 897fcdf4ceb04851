//! The pages of members.

pub mod card;
pub mod list;
