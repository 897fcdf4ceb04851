//! What the HTTP tests stand on: the program as a process, browsers without scripts, members, photos, and the providers
//! that the tests play.
//!
//! The package knows the program by its addresses and its database alone, not the crate `bindery`: a change to a slice
//! compiles no test anew.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

pub mod archives;
pub mod balancer;
mod caller;
pub mod calls;
pub mod codes;
pub mod collections;
pub mod documents;
pub mod editor;
pub mod fakes;
pub mod invoices;
pub mod library;
mod own;
pub mod payments;
#[path = "../../press/tests/output/common/pdfs.rs"]
pub mod pdfs;
pub mod postgres_over_tls;
pub mod printed_copies;
pub mod profile;
mod program;
pub mod publications;
pub mod second_factor;
mod seed;
pub mod selling;
mod server;
pub mod shelf;
pub mod shelves;
pub mod staff;
pub mod statements;
pub mod sub_members;
mod text;
pub mod uploads;
pub mod wait;

pub use pictures::{encoded, jpeg, quarters, tiles};

pub use caller::{Caller, PASSWORD, location, photo_form};
pub use program::{pooled, program};
pub use server::{Engine, Server};
pub use text::{between, between_all, brotli_size, names_in, repository, structured_data};

/// Whether chance gets many tries: `make soak`.
pub fn is_soak() -> bool {
    std::env::var_os("BINDERY_SOAK").is_some()
}

/// A day some days from now in China, as a form says it.
pub fn day(days: i64) -> String {
    (time::OffsetDateTime::now_utc() + time::Duration::hours(8) + time::Duration::days(days))
        .date()
        .to_string()
}

/// How often something is tried that chance decides: a few times in every check, many in `make soak`.
pub fn rounds(usual: usize, soak: usize) -> usize {
    if is_soak() { soak } else { usual }
}
