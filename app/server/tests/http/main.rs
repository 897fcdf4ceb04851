//! The program from outside: started as a process, asked over HTTP, on SQLite and on PostgreSQL. The paths of
//! these files mirror the addresses they test.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod about;
mod access;
mod attacks;
mod calls;
mod command_line;
mod delivery;
mod durability;
mod fake_weixin;
mod mail_over_tls;
mod manager;
mod money;
mod statements;
mod support;
mod user_center;
