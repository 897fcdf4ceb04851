//! What an editor does to a document: small operations, each of which can be undone, sent twice, and brought together with
//! what somebody else did meanwhile.
//!
//! [`apply`] is the one way in which an operation changes a document; [`merge`] decides which of a request's operations
//! may. The browser applies the same operations by itself; `examples/edit_vectors.rs` writes what both must agree on.

mod merge;
mod pages;
mod property;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{Document, Element, Page, TooMuch, Unfit};
use crate::ids::{ElementId, OperationId, PageId};

pub use merge::{Failed, Known, Made, Merged, merge};

/// Operations that one request may bring.
pub const MOST_OPERATIONS: usize = 10_000;

/// A change with the name by which it is known to have been made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub id: OperationId,
    #[serde(flatten)]
    pub change: Change,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Change {
    /// Gives a property of an element another value, or of the page where no element is named. `null` is what it is
    /// where nothing is said.
    Set {
        page: PageId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        element: Option<ElementId>,
        name: String,
        value: Value,
    },
    /// Takes an element from its page.
    Remove { page: PageId, element: ElementId },
    /// Puts an element, which brings its id, on a page: over this many others, or over all.
    Add {
        page: PageId,
        element: Box<Element>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<usize>,
    },
    /// Puts an element over this many others of its page.
    Order { page: PageId, element: ElementId, to: usize },
    /// Puts two facing pages, which bring their ids, into the book: behind the first page, or behind the right one of two.
    Insert { page: PageId, pages: Vec<Page> },
    /// Takes a left page and the one that it faces out of the book.
    Discard { page: PageId },
    /// Exchanges a left page and the one that it faces with the two behind them.
    Swap { page: PageId },
}

impl Change {
    /// The page that it is about.
    pub fn page(&self) -> &PageId {
        match self {
            Self::Set { page, .. }
            | Self::Remove { page, .. }
            | Self::Add { page, .. }
            | Self::Order { page, .. }
            | Self::Insert { page, .. }
            | Self::Discard { page }
            | Self::Swap { page } => page,
        }
    }

    /// The pages that it brings.
    pub fn new_pages(&self) -> &[Page] {
        match self {
            Self::Insert { pages, .. } => pages,
            _ => &[],
        }
    }

    /// Whether another page may stand in a page's place afterwards.
    pub fn moves_pages(&self) -> bool {
        matches!(self, Self::Insert { .. } | Self::Discard { .. } | Self::Swap { .. })
    }
}

/// Why a change can't be made. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("没有这一页")]
    UnknownPage,
    #[error("这一页上没有这件东西")]
    UnknownElement,
    #[error("这件东西没有“{0}”这个属性")]
    UnknownProperty(String),
    #[error("“{0}”的值不对")]
    WrongValue(String),
    #[error("新放的东西没有编号")]
    NoId,
    #[error("编号 {0} 已经有了")]
    TakenId(ElementId),
    #[error("编号 {0} 的书页已经有了")]
    TakenPage(PageId),
    #[error("这本书的书页由月份或原稿决定，不能单独增减")]
    FixedPages,
    #[error("书页总是相对的两页一起增减和移动")]
    NoPair,
    #[error("编号 {0} 用在了两个不同的操作上")]
    ReusedOperation(OperationId),
    #[error("没有这个层次")]
    NoSuchPlace,
    #[error("一次最多 {MOST_OPERATIONS} 个操作")]
    TooManyOperations,
    #[error(transparent)]
    Unfit(#[from] Unfit),
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
}

/// Makes a change and answers the one that undoes it.
///
/// # Errors
/// Why it can't be made; the document is as it was. What all changes together come to is for [`Document::check_size`]
/// and [`Page::check_room`].
pub fn apply(document: &mut Document, change: &Change) -> Result<Change, Refused> {
    let trim = document.trim;
    match change {
        Change::Set { page, element, name, value } => {
            let target = page_of(document, page)?;
            let before = match element {
                None => property::set_page(target, name, value)?,
                Some(id) => {
                    let place = place_of(target, id)?;
                    let (changed, before) = property::set(&target.elements[place], name, value)?;
                    changed.check(trim)?;
                    target.elements[place] = changed;
                    before
                }
            };
            let (page, element, name) = (page.clone(), element.clone(), name.clone());
            Ok(Change::Set { page, element, name, value: before })
        }
        Change::Remove { page, element } => {
            let target = page_of(document, page)?;
            let place = place_of(target, element)?;
            let removed = target.elements.remove(place);
            Ok(Change::Add { page: page.clone(), element: Box::new(removed), to: Some(place) })
        }
        Change::Add { page, element, to } => {
            let id = element.common().id.clone().ok_or(Refused::NoId)?;
            element.check(trim)?;
            if document.all_pages().any(|page| page.place_of(&id).is_some()) {
                return Err(Refused::TakenId(id));
            }
            let target = page_of(document, page)?;
            if target.elements.len() >= crate::document::MOST_ON_PAGE {
                return Err(Unfit::Crowded.into());
            }
            let place = to.unwrap_or(target.elements.len());
            if place > target.elements.len() {
                return Err(Refused::NoSuchPlace);
            }
            target.elements.insert(place, (**element).clone());
            Ok(Change::Remove { page: page.clone(), element: id })
        }
        Change::Order { page, element, to } => {
            let target = page_of(document, page)?;
            let place = place_of(target, element)?;
            if *to >= target.elements.len() {
                return Err(Refused::NoSuchPlace);
            }
            let moved = target.elements.remove(place);
            target.elements.insert(*to, moved);
            Ok(Change::Order { page: page.clone(), element: element.clone(), to: place })
        }
        Change::Insert { page, pages } => pages::insert(document, page, pages),
        Change::Discard { page } => pages::discard(document, page),
        Change::Swap { page } => pages::swap(document, page),
    }
}

fn page_of<'d>(document: &'d mut Document, page: &PageId) -> Result<&'d mut Page, Refused> {
    document.page_mut(page).ok_or(Refused::UnknownPage)
}

fn place_of(page: &Page, element: &ElementId) -> Result<usize, Refused> {
    page.place_of(element).ok_or(Refused::UnknownElement)
}
