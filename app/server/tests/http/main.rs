//! The program from outside: started as a process, asked over HTTP, on SQLite and on PostgreSQL. The paths of
//! these files mirror the addresses they test.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod about;
mod access;
mod acknowledged;
mod attacks;
mod authenticator;
mod bucket;
mod calls;
mod card;
mod command_line;
mod count;
mod delivery;
mod doors;
mod durability;
mod fake_alipay;
mod fake_keys;
mod fake_s3;
mod fake_wechatpay;
mod fake_weixin;
mod goods_commands;
mod mail_over_tls;
mod manager;
mod money;
mod notify;
mod payments;
mod publications;
mod reader;
mod sessions;
mod staff;
mod statements;
mod styles;
mod support;
mod taking;
mod user_center;
mod without_scripts;
mod works;
