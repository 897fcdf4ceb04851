//! The ground floor of Bindery 书坊: what every program of this kind has, and what every web program has. Nothing here knows
//! the name of a slice; slices say what they are in a [`slice::Slice`].

// a page is one deeply nested type
#![recursion_limit = "512"]

pub mod access;
pub mod app;
pub mod approvals;
pub mod assets;
pub mod audit;
pub mod background;
pub mod backups;
pub mod base;
pub mod calls;
pub mod checks;
pub mod client;
pub mod commands;
pub mod conditional;
pub mod config;
pub mod connections;
pub mod counting;
pub mod db;
pub mod delivery;
pub mod demo;
pub mod detach;
pub mod error;
pub mod exports;
pub mod files;
pub mod islands;
pub mod jobs;
pub mod keyed;
pub mod lingering_close;
pub mod lists;
pub mod metrics;
pub mod multipart;
pub mod names;
pub mod notices;
pub mod pixels;
pub mod presses;
pub mod read_only;
pub mod readiness;
pub mod regions;
pub mod render;
pub mod route;
pub mod router;
pub mod sandbox;
pub mod security;
pub mod serve;
pub mod session;
pub mod signing;
pub mod slice;
pub mod staff;
pub mod storage;
pub mod turns;
pub mod ui;
pub mod uses;
pub mod variables;
