//! The HTML that pages share: the frame, form fields, money, times, books, tables.

pub mod closed;
pub mod counted;

pub mod files;
pub mod forms;
pub mod lists;
pub mod news;
pub mod parts;
pub mod public;
pub mod qr;
mod ranges;
pub mod records;
pub mod shell;
pub mod staff;
