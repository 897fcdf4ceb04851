//! Copies of one print run that differ 每本不同 (variable data printing, as ISO 16612-2 has it): all have the work's pages in common,
//! and each its own name on the cover and its own pages in the place of some. All copies have as many pages, so they cost, bind
//! and weigh the same.

use serde::{Deserialize, Serialize};

use super::{Document, Element, Page};
use crate::ids::{ElementId, PageId, YearBookPersonId};

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
    /// Who it is for, where it is of a year book: names change, and two may have the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<YearBookPersonId>,
    /// Its own pages, one for each of the places; a copy without any has the work's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Page>,
}

/// A copy of a run as it is chosen from the others.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CopyName {
    /// The same in every version of the work that has this copy: who it is for, or which of the nameless ones it is.
    pub key: String,
    /// As people read it: two of one name are told apart by their groups.
    pub name: String,
}

/// Names that a sentence has, and how many more there are: `张伟、李娜等`.
pub fn first_names<'n>(names: impl IntoIterator<Item = &'n str>, most: usize) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let shown = names.iter().take(most).copied().collect::<Vec<_>>().join("、");
    let more = if names.len() > most { "等" } else { "" };
    format!("{shown}{more}")
}

impl Document {
    /// The copies of a run that differ; none where all are alike.
    pub fn copies(&self) -> &[Variant] {
        self.variants.as_ref().map_or(&[], |variants| &variants.copies)
    }

    /// The copies by name, in the order of the run.
    pub fn copy_names(&self) -> Vec<CopyName> {
        let (copies, mut nameless) = (self.copies(), 0);
        let name = |(index, copy): (usize, &Variant)| {
            nameless += usize::from(copy.name.is_empty());
            let is_shared = || copies.iter().filter(|other| other.name == copy.name).count() > 1;
            let (key, name) = match &copy.person {
                _ if copy.name.is_empty() => (format!("spare-{nameless}"), format!("不写名字 {nameless}")),
                Some(person) => (person.to_string(), copy.name.clone()),
                None => (format!("copy-{}", index + 1), copy.name.clone()),
            };
            let is_told = !copy.name.is_empty() && !copy.group.is_empty() && is_shared();
            CopyName { key, name: if is_told { format!("{} {name}", copy.group) } else { name } }
        };
        copies.iter().enumerate().map(name).collect()
    }

    /// The work with these copies of its run alone, in the run's order.
    ///
    /// # Errors
    /// A sentence that names those which it has not any more.
    pub fn with_copies(self, wanted: &[CopyName]) -> Result<Self, String> {
        let names = self.copy_names();
        let gone: Vec<&str> = wanted
            .iter()
            .filter(|wanted| names.iter().all(|known| known.key != wanted.key))
            .map(|wanted| wanted.name.as_str())
            .collect();
        if !gone.is_empty() {
            return Err(format!(
                "选好的几本里，{}不在《{}》的新一版里了：请移除这一行，再选一次要订哪几本",
                first_names(gone, 8),
                self.title
            ));
        }
        let variants = self.variants.map(|variants| {
            let is_wanted = |name: &CopyName| wanted.iter().any(|wanted| wanted.key == name.key);
            let kept = variants.copies.into_iter().zip(&names).filter(|(_, name)| is_wanted(name));
            Variants { copies: kept.map(|(copy, _)| copy).collect(), ..variants }
        });
        Ok(Self { variants, ..self })
    }

    /// Where each of a copy's own pages stands among the inner pages, from 0: its place among the copy's pages, and there. Those
    /// whose place was deleted are nowhere.
    pub fn own_places(&self) -> Vec<(usize, usize)> {
        let places = self.variants.as_ref().map_or(&[][..], |variants| &variants.places);
        let standing = |place: &PageId| self.pages.iter().position(|page| page.id.as_ref() == Some(place));
        let places = places.iter().enumerate();
        places.filter_map(|(own, place)| Some((own, standing(place)?))).collect()
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

    /// The same of a copy by its key.
    pub fn copy_of(&self, key: &str) -> Option<Self> {
        self.copy(self.copy_names().iter().position(|name| name.key == key)?)
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
