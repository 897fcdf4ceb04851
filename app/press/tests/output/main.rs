//! The press from outside: what it draws and writes, seen by other programs. One program, as each would be linked with all of
//! typesetting.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod books;
mod calendar;
mod coded_pictures;
mod codes;
mod common;
mod copies;
mod cover;
mod covers;
mod documents;
mod elements;
mod emoji;
mod encrypted;
mod epub;
mod faulty;
mod faulty_pages;
mod gallery;
mod gift;
mod guests;
mod imposition;
mod inside;
mod layers;
mod likeness;
mod markdown;
mod mistaken;
mod newspapers;
mod ornaments;
mod pages_as_shown;
mod pdf_words;
mod preflight;
mod print;
mod proof;
mod reading;
mod rules;
mod runs;
mod screen;
mod share;
mod spots;
mod standards;
mod texts;
mod unchanged;
