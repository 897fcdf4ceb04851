//! The web application of Bindery 书坊 and its command line.
//!
//! Rules and prices are in the `domain` crate, typesetting in the `press` crate. A slice (accounts, photos,
//! works, …) holds its own pages, forms and SQL, and offers functions to the others in its `mod.rs`.

// a page is one deeply nested type
#![recursion_limit = "512"]

mod access;
mod accounts;
mod app;
mod assets;
mod audit;
mod backup;
mod calls;
mod cart;
mod catalog;
pub mod cli;
mod config;
mod connections;
mod db;
mod delivery;
mod demo;
mod detach;
mod error;
mod invoices;
mod islands;
mod jobs;
mod lingering;
mod lists;
mod multipart;
mod orders;
mod payments;
mod photos;
mod readiness;
mod render;
mod router;
mod sandbox;
mod security;
mod serve;
mod session;
mod site;
mod storage;
mod turns;
mod ui;
mod works;

pub use access::{POLICIES, Policy};
