//! Copies of one print run that differ 每本不同 (variable data printing, as ISO 16612-2 has it): all have the work's pages in common,
//! and each its own name on the cover and its own pages in the place of some. All copies have as many pages, so they cost, bind
//! and weigh the same.

use serde::{Deserialize, Serialize};

use super::{Document, Element, Page};
use crate::ids::{ElementId, PageId};

/// The most copies of a run that may differ: a large school's year.
pub const MOST_VARIANTS: usize = 600;

/// What differs from copy to copy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variants {
    /// The text on the cover that says whose copy it is. In the work itself it says something for the editor to show.
    pub name: ElementId,
    /// The pages that each copy has its own in the place of, wherever they stand by now.
    pub places: Vec<PageId>,
    /// In the order of the run.
    pub copies: Vec<Variant>,
}

/// One copy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// What the cover says; where it is empty, the copy is the work as it stands.
    pub name: String,
    /// What it is sorted by when it is handed out: a class. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its own pages, one for each of the places; a copy without any has the work's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Page>,
}

impl Document {
    /// The copies of a run that differ; none where all are alike.
    pub fn copies(&self) -> &[Variant] {
        self.variants.as_ref().map_or(&[], |variants| &variants.copies)
    }

    /// Everything that is printed of it: cover and inner pages, and the pages that single copies have of their own.
    pub fn printed_pages(&self) -> impl Iterator<Item = &Page> {
        self.all_pages().chain(self.copies().iter().flat_map(|copy| &copy.pages))
    }

    /// What a copy has in the place of one of the work's inner pages: its own page or that one.
    pub fn page_in<'d>(&'d self, copy: &'d Variant, page: &'d Page) -> &'d Page {
        let places = self.variants.as_ref().map_or(&[][..], |variants| &variants.places);
        let place = page.id.as_ref().and_then(|id| places.iter().position(|place| place == id));
        place.and_then(|place| copy.pages.get(place)).unwrap_or(page)
    }

    /// A copy's cover: with its name in the text that is for it.
    pub fn cover_in(&self, copy: &Variant) -> Page {
        let mut cover = self.cover.clone();
        if !copy.name.is_empty()
            && let Some(place) = self.name_place()
            && let Some(Element::Text(block)) = cover.elements.get_mut(place)
        {
            block.text.clone_from(&copy.name);
        }
        cover
    }

    /// Which of the cover's elements says whose copy it is; none where somebody took it off.
    pub fn name_place(&self) -> Option<usize> {
        self.variants.as_ref().and_then(|variants| self.cover.place_of(&variants.name))
    }

    /// One copy of the run as a book of its own, counted from 0.
    pub fn copy(&self, index: usize) -> Option<Self> {
        let copy = self.copies().get(index)?;
        let pages = self.pages.iter().map(|page| {
            let own = self.page_in(copy, page);
            // its place in the book keeps its name
            Page { id: page.id.clone(), ..own.clone() }
        });
        let (cover, pages) = (self.cover_in(copy), pages.collect());
        Some(Self { cover, pages, variants: None, ..self.clone() })
    }

    /// The same work with all copies alike: what somebody else than its maker gets.
    pub fn without_variants(self) -> Self {
        Self { variants: None, ..self }
    }

    /// Why so many copies can't be ordered; nothing where they can: each of the run has to be printed as often as the others.
    pub fn count_refusal(&self, count: u32) -> Option<String> {
        let copies = self.copies().len();
        if copies == 0 || (count as usize).is_multiple_of(copies) {
            return None;
        }
        Some(format!(
            "这件作品每本不同，一套 {copies} 本：数量请填 {copies}，或者它的整数倍（现在是 {count}）"
        ))
    }
}
