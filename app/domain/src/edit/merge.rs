//! Bringing a request's operations together with what was done since the revision that they were made on.
//!
//! Two documents are followed side by side: `mine`, what the client saw and did, and `theirs`, what is stored by now. An
//! operation goes over where both say the same about what it changes, or where it says what is stored already. Anything else
//! is a conflict, and then nothing goes over.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, MOST_OPERATIONS, Operation, Refused, apply, pages, property};
use crate::document::{Document, Element, Page};
use crate::ids::{ElementId, OperationId};

/// What came of a request whose operations went over.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    pub document: Document,
    /// What became of the operations that were not made before, in their order.
    pub made: Vec<Made>,
}

/// An operation that went over.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    pub id: OperationId,
    /// As it was made over what is stored; nothing where that was so already.
    pub change: Option<Change>,
}

/// What is known of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nothing: it is to be made.
    New,
    /// It was made, and the request's base has it.
    InBase,
    /// It was made since, and its answer was lost: the client's own doing, no conflict with it.
    Since,
}

/// Why nothing of a request went over.
#[derive(Debug, Clone, PartialEq)]
pub enum Failed {
    /// An operation can't be made at all.
    Refused(Refused),
    /// Both sides changed the same. What the client has is to be kept beside what is stored.
    Conflict { mine: Box<Document> },
}

impl<E: Into<Refused>> From<E> for Failed {
    fn from(reason: E) -> Self {
        Self::Refused(reason.into())
    }
}

/// Makes a request's operations over what is stored. `base` is the document that the client began with, `stored` the
/// newest one.
///
/// # Errors
/// [`Failed`], and nothing is changed.
pub fn merge(
    base: &Document,
    stored: &Document,
    operations: &[Operation],
    known: impl Fn(&OperationId) -> Known,
) -> Result<Merged, Failed> {
    if operations.len() > MOST_OPERATIONS {
        return Err(Refused::TooManyOperations.into());
    }
    let (mut mine, mut theirs) = (base.clone(), stored.clone());
    let mut seen: BTreeMap<&OperationId, &Change> = BTreeMap::new();
    let (mut made, mut conflicts) = (Vec::new(), false);
    for operation in operations {
        match seen.insert(&operation.id, &operation.change) {
            Some(change) if *change == operation.change => continue,
            Some(_) => return Err(Refused::ReusedOperation(operation.id.clone()).into()),
            None => {}
        }
        match known(&operation.id) {
            Known::New => {}
            Known::InBase => continue,
            Known::Since => {
                apply(&mut mine, &operation.change)?;
                continue;
            }
        }
        let over = if conflicts { None } else { carried_over(&mine, &theirs, &operation.change) };
        apply(&mut mine, &operation.change)?;
        match over {
            Some(change) => {
                if let Some(change) = &change {
                    apply(&mut theirs, change)?;
                }
                made.push(Made { id: operation.id.clone(), change });
            }
            None => conflicts = true,
        }
    }
    let result = if conflicts { &mine } else { &theirs };
    result.check_size()?;
    let of = |change: &Change| {
        let new = change.new_pages().iter().filter_map(|page| page.id.clone());
        new.chain([change.page().clone()]).collect::<Vec<_>>()
    };
    let touched: BTreeSet<_> = operations.iter().flat_map(|operation| of(&operation.change)).collect();
    for page in result.all_pages().filter(|page| page.id.as_ref().is_some_and(|id| touched.contains(id))) {
        page.check_room(result.trim)?;
    }
    if conflicts {
        return Err(Failed::Conflict { mine: Box::new(mine) });
    }
    Ok(Merged { document: theirs, made })
}

/// A change of `mine` as it is made in `theirs`; nothing in it where it is so already, and nothing at all where both sides
/// changed the same.
fn carried_over(mine: &Document, theirs: &Document, change: &Change) -> Option<Option<Change>> {
    let here = mine.page(change.page());
    let there = match (here, theirs.page(change.page())) {
        // nobody knows the page: applying it says so
        (None, _) => return Some(Some(change.clone())),
        // gone for both
        (Some(_), None) if matches!(change, Change::Discard { .. }) => return Some(None),
        (Some(_), None) => return None,
        (Some(_), Some(there)) => there,
    };
    let here = here?;
    match change {
        Change::Set { element: None, name, value, .. } => {
            let (was, is) = (property::get_page(here, name), property::get_page(there, name));
            settled(change, property::same(&was, &is), property::same(value, &is))
        }
        Change::Set { element: Some(id), name, value, .. } => {
            let Some(was) = element(here, id) else { return Some(Some(change.clone())) };
            let is = element(there, id)?;
            let (was, is) = (property::get(was, name), property::get(is, name));
            settled(change, property::same(&was, &is), property::same(value, &is))
        }
        Change::Remove { element: id, .. } => match (element(here, id), element(there, id)) {
            (None, _) => Some(Some(change.clone())),
            (Some(_), None) => Some(None),
            (Some(was), Some(is)) => settled(change, property::same_element(was, is), false),
        },
        Change::Add { page, element, to } => {
            let place = to.map(|to| above(there, here.elements.iter().take(to)));
            let page = page.clone();
            Some(Some(Change::Add { page, element: element.clone(), to: place }))
        }
        Change::Order { page, element: id, to } => {
            if element(here, id).is_none() || *to >= here.elements.len() {
                return Some(Some(change.clone()));
            }
            let place = there.place_of(id)?;
            if may_have_moved(here, there, id) {
                return None;
            }
            let others: Vec<&Element> =
                here.elements.iter().filter(|other| other.common().id.as_ref() != Some(id)).collect();
            let to = above(there, others.into_iter().take(*to));
            // the element itself is taken out before it is put in
            let to = to - usize::from(place < to);
            Some(Some(Change::Order { page: page.clone(), element: id.clone(), to }))
        }
        Change::Insert { .. } => Some(Some(change.clone())),
        Change::Discard { page } => {
            settled(change, pages::pair(mine, page) == pages::pair(theirs, page), false)
        }
        Change::Swap { page } => {
            let (was, is) = (pages::next(mine, page), pages::next(theirs, page));
            settled(change, was == is, was.is_some_and(|was| pages::next(theirs, was) == Some(page)))
        }
    }
}

/// A change over something that is as it was, or is already what it is to be.
fn settled(change: &Change, is_as_it_was: bool, is_so_already: bool) -> Option<Option<Change>> {
    match (is_as_it_was, is_so_already) {
        (true, _) => Some(Some(change.clone())),
        (false, true) => Some(None),
        (false, false) => None,
    }
}

fn element<'p>(page: &'p Page, id: &ElementId) -> Option<&'p Element> {
    page.place_of(id).and_then(|place| page.elements.get(place))
}

/// The place over the uppermost of these that stands on a page.
fn above<'e>(page: &Page, below: impl DoubleEndedIterator<Item = &'e Element>) -> usize {
    let mut known = below.rev().filter_map(|other| page.place_of(other.common().id.as_ref()?));
    known.next().map_or(0, |place| place + 1)
}

/// Whether an element may have been put over or under others: it can be left out of the order that both pages have in
/// common without making that shorter.
fn may_have_moved(here: &Page, there: &Page, id: &ElementId) -> bool {
    let places = |without: Option<&ElementId>| -> Vec<usize> {
        let ids = here.elements.iter().filter_map(|other| other.common().id.as_ref());
        ids.filter(|other| Some(*other) != without).filter_map(|other| there.place_of(other)).collect()
    };
    let (all, others) = (places(None), places(Some(id)));
    !all.is_sorted() && rising(&all) == rising(&others)
}

/// The length of the longest rising part of a sequence, whose members need not be neighbours.
fn rising(sequence: &[usize]) -> usize {
    // the least end that a part of each length has
    let mut ends: Vec<usize> = Vec::new();
    for number in sequence {
        let at = ends.partition_point(|end| end < number);
        match ends.get_mut(at) {
            Some(end) => *end = *number,
            None => ends.push(*number),
        }
    }
    ends.len()
}
