//! A request's way through Bindery 书坊: serving, sessions, access, pages, forms, calls, and what the back office's pages share.
//! Nothing here knows the name of a slice; slices say what they are in a [`slice::Slice`].

// a page is one deeply nested type
#![recursion_limit = "512"]

pub mod access;
pub mod app;
pub mod approvals;
pub mod assets;
pub mod audit_words;
pub mod background;
pub mod backups;
pub mod calls;
pub mod checks;
pub mod client;
pub mod commands;
pub mod conditional;
pub mod connections;
pub mod cookies;
pub mod counting;
pub mod demo;
pub mod detached;
pub mod exports;
pub mod exposition;
pub mod files;
pub mod islands;
pub mod lingering_close;
pub mod multipart;
pub mod notices;
pub mod origin;
pub mod pixels;
pub mod prepaid;
pub mod read_only;
pub mod readiness;
pub mod render;
pub mod route;
pub mod router;
pub mod security;
pub mod serve;
pub mod session;
pub mod slice;
pub mod staff;
pub mod turns;
pub mod ui;
pub mod uses;
pub mod workers;
