//! The program from outside, one server of each engine for all tests: each has members, a network address and data of its
//! own, and looks at nothing else. The paths of these files mirror the addresses they test.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod about;
mod access;
mod archive;
mod calls;
mod card;
mod corrections;
mod dictionaries;
mod doors;
mod feeds;
mod given_articles;
mod guests;
mod guests_uploads;
mod keeping;
mod makeup;
mod manager;
mod publications;
mod reader;
mod reading_issues;
mod reports;
mod reviews;
mod search_of_issues;
mod sections;
mod styles;
mod taking;
mod typed;
mod user_center;
mod without_scripts;
mod works;
mod yearbooks;

use support::{Engine, Server};

/// What each test runs on.
async fn server(engine: Engine) -> Option<Server> {
    Server::shared(engine).await
}
