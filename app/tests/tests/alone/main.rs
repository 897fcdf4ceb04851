//! The program from outside, a server for each test: what kills, restarts or configures it, counts everything that is
//! there, or measures. On SQLite and on PostgreSQL; the paths of these files mirror the addresses they test.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod about;
mod access;
mod acknowledged;
mod attacks;
mod backups;
mod bucket;
mod clerks;
mod command_line;
mod configuration;
mod count;
mod coupons;
mod delivery;
mod describe;
mod doors;
mod durability;
mod exports;
mod floor;
mod gift_cards;
mod goods_commands;
mod guests;
mod hot_folder;
mod instances;
mod line_refunds;
mod mail_over_tls;
mod manager;
mod metrics;
mod money;
mod newsletter;
mod notices;
mod notify;
mod oidc;
mod paper_codes;
mod parcels;
mod policies;
mod pooler;
mod proxy;
mod publications;
mod read_only;
mod sessions;
mod staff;
mod statements;
mod supervisor;
mod traces;
mod turns;
mod upgrades;
mod user_center;
mod works;
mod yearbooks;

use support::{Engine, Server};

/// What each test runs on.
async fn server(engine: Engine) -> Option<Server> {
    Server::start(engine).await
}
