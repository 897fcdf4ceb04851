//! The rules from outside: properties, and one table for each sentence of the specification. One program, as linking thirty
//! takes longer than running them.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod archive;
mod art;
mod article;
mod artwork;
mod binding;
mod calendar;
mod calendar_pages;
mod card;
mod clerk;
mod close;
mod common;
mod editing;
mod faces;
mod filling;
mod formats;
mod goods;
mod goods_files;
mod hot_folder;
mod imposition;
mod invoice;
mod layout;
mod ledger;
mod library;
mod manuscript;
mod membership;
mod money;
mod network;
mod newsletter;
mod notices;
mod order_refund;
mod order_state;
mod package;
mod parcel;
mod payment;
mod phone;
mod price;
mod print_options;
mod print_options_properties;
mod print_settings;
mod production;
mod quality;
mod reading;
mod rearranging;
mod redeem_code;
mod regions;
mod relaying;
mod sale;
mod shipping;
mod statement;
mod tier;
mod titles;
mod typed;
mod versions;
