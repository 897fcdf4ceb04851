//! The program of Bindery 书坊: its slices, and what is made of all of them.
//!
//! Rules and prices are in the `domain` crate, typesetting in the `press` crate, and what every slice stands on in
//! `platform`. A slice (accounts, photos, works, …) holds its own pages, forms and SQL, says everything about itself in its
//! `SLICE`, and offers functions to the others in its `mod.rs`.

// a page is one deeply nested type
#![recursion_limit = "512"]

mod accounts;
mod backup;
mod card;
mod cart;
mod catalog;
pub mod cli;
mod demo;
mod house;
mod invoices;
#[cfg(test)]
mod island_types;
mod ledger;
mod membership;
mod orders;
mod payments;
mod photos;
mod publications;
mod reader;
mod selling;
mod shelves;
mod site;
mod staff;
mod statistics;
mod study;
mod templates;
#[cfg(test)]
mod testing;
mod works;
