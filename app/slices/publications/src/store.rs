//! SQL of publications.

pub mod articles;
pub mod corrections;
pub mod following;
pub mod issues;
pub mod publications;
pub mod words;
