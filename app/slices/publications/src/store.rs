//! SQL of publications.

pub mod articles;
pub mod corrections;
pub mod following;
pub mod found;
pub mod given;
pub mod issues;
pub mod jumps;
pub mod publications;
pub mod search;
pub mod sections;
pub mod steps;
pub mod words;
