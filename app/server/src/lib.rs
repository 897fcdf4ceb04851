//! The program of Bindery 书坊: its slices put together, and what is made of all of them.
//!
//! Rules and prices are in the `domain` crate, typesetting in the `press` crate, what every slice stands on in `base`, and what its
//! pages go through in `web`. A slice (accounts, photos, works, …) is a crate below `app/slices`: it has its own pages, forms and SQL, says
//! everything about itself in its `SLICE`, and offers functions to the others in its `lib.rs`.

pub mod cli;
mod demo;
mod describe;
mod health;
mod house;
#[cfg(test)]
mod island_types;
mod log;
#[cfg(test)]
mod models;
#[cfg(test)]
mod owners;
#[cfg(test)]
mod small_slice;
mod supervisor;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod variables;
