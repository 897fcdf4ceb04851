//! What the program stands on: errors, configuration, the database with its one door for writes, storage, the queue, messages,
//! the audit log, the sandbox. Nothing here knows a page or the name of a slice.

pub mod audit;
pub mod config;
pub mod db;
pub mod delivery;
pub mod detach;
pub mod error;
pub mod forgetting;
pub mod jobs;
pub mod keyed;
pub mod lists;
pub mod metrics;
pub mod names;
pub mod presses;
pub mod program;
pub mod regions;
pub mod sandbox;
pub mod signing;
pub mod storage;
#[doc(hidden)]
pub mod testing;
pub mod time;
pub mod traces;
pub mod variables;
