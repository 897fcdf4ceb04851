//! Which page and which element is which, and which format a document is written in.
//!
//! The first format had no ids. Whoever reads a document of it gives everything the same ones, made of where it stands, so
//! that a program, a browser and a print all speak of the same element. What comes into a document later without an id (a
//! page of a form, a layout) gets one when it is saved, made of the revision that it becomes.

use std::collections::BTreeSet;
use std::hash::Hash;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Document, Page};
use crate::ids::{ElementId, PageId};

/// The format that documents are written in. 1, which was not written down, had no ids and nothing turned.
pub const VERSION: u32 = 2;

/// The cover's id, in every document.
const COVER: &str = "cover";

/// A number that this program can read.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
struct Version(u32);

impl TryFrom<u32> for Version {
    type Error = String;
    fn try_from(version: u32) -> Result<Self, String> {
        match version {
            1..=VERSION => Ok(Self(version)),
            other => Err(format!("a document of format {other}, made by a newer program")),
        }
    }
}

impl From<Version> for u32 {
    fn from(Version(version): Version) -> u32 {
        version
    }
}

impl Version {
    fn first() -> Self {
        Self(1)
    }
}

#[derive(Serialize)]
struct Written<'a> {
    version: Version,
    #[serde(flatten, serialize_with = "Document::serialize")]
    document: &'a Document,
}

#[derive(Deserialize)]
struct Read {
    #[serde(default = "Version::first", rename = "version")]
    _version: Version,
    #[serde(flatten, deserialize_with = "Document::deserialize")]
    document: Document,
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written { version: Version(VERSION), document: self }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read { mut document, .. } = Deserialize::deserialize(deserializer)?;
        document.identify(0).map_err(D::Error::custom)?;
        Ok(document)
    }
}

impl Document {
    /// Gives ids to what has none, or one that something before it has. They follow from where it stands and from the
    /// revision that the document becomes; 0 is what it was stored as before there were ids.
    ///
    /// # Errors
    /// Never: what is made is an id.
    pub fn identify(&mut self, revision: i64) -> Result<(), crate::ids::NotAnId> {
        self.cover.id = Some(COVER.parse()?);
        let mut pages = BTreeSet::new();
        let mut elements = BTreeSet::new();
        for page in self.all_pages_mut() {
            keep_first(&mut page.id, &mut pages);
            for element in &mut page.elements {
                keep_first(&mut element.common_mut().id, &mut elements);
            }
        }
        for (number, page) in self.all_pages_mut().enumerate() {
            give(&mut page.id, &mut pages, &format!("p{revision}-{number}"))?;
            for (place, element) in (1..).zip(&mut page.elements) {
                let name = format!("e{revision}-{number}-{place}");
                give(&mut element.common_mut().id, &mut elements, &name)?;
            }
        }
        Ok(())
    }

    /// The page of an id.
    pub fn page(&self, id: &PageId) -> Option<&Page> {
        self.all_pages().find(|page| page.id.as_ref() == Some(id))
    }

    /// The same, to be changed.
    pub fn page_mut(&mut self, id: &PageId) -> Option<&mut Page> {
        self.all_pages_mut().find(|page| page.id.as_ref() == Some(id))
    }
}

impl Page {
    /// The place of an element among the page's, the lowest being 0.
    pub fn place_of(&self, id: &ElementId) -> Option<usize> {
        self.elements.iter().position(|element| element.common().id.as_ref() == Some(id))
    }
}

/// An id stays with whoever has it first.
fn keep_first<I: Ord + Clone>(id: &mut Option<I>, known: &mut BTreeSet<I>) {
    if let Some(given) = id
        && !known.insert(given.clone())
    {
        *id = None;
    }
}

/// A name, or the next one that is free.
fn give<I>(id: &mut Option<I>, known: &mut BTreeSet<I>, name: &str) -> Result<(), I::Err>
where
    I: Ord + Clone + Hash + std::str::FromStr,
{
    if id.is_some() {
        return Ok(());
    }
    let mut made: I = name.parse()?;
    let mut more = 1;
    while !known.insert(made.clone()) {
        made = format!("{name}-{more}").parse()?;
        more += 1;
    }
    *id = Some(made);
    Ok(())
}
