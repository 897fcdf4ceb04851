//! The rules and words of Bindery: values in, values out.
//!
//! Nothing here reads a clock, draws a random number, opens a file, a socket or a database.
//! Whatever a rule needs arrives as a value; whatever it decides leaves as one.

pub mod approval;
pub mod binding;
pub mod calendar;
pub mod card;
pub mod close;
pub mod compare;
pub mod contact;
pub mod csv;
pub mod document;
pub mod edit;
pub mod goods;
pub mod grams;
pub mod hot_area;
pub mod ids;
pub mod imposition;
pub mod invoice;
pub mod issue_state;
pub mod layout;
pub mod ledger;
pub mod look;
pub mod manuscript;
pub mod membership;
pub mod money;
pub mod named_time;
pub mod newspaper;
pub mod order_state;
pub mod package;
pub mod parcel;
pub mod password;
pub mod payment;
pub mod phone;
pub mod price;
pub mod print_options;
pub mod production;
pub mod publication;
pub mod reading;
pub mod redeem_code;
pub mod regions;
pub mod return_path;
pub mod sale;
pub mod sharing;
pub mod shelf;
pub mod shipping;
pub mod staff;
pub mod statement;
pub mod statistics;
pub mod sub_member;
pub mod tier;
pub mod titles;
pub mod typed;
pub mod versions;
pub mod webpub;
pub mod xml;
