//! A year book: a roster as a book in which each has a place by one template, and of which each has a copy of its own.
//!
//! What they have in common comes first and last, so that no page moves from copy to copy: title, the two pages that are each
//! copy's own, the names in columns, class by class its people, pages to write on. Portraits are cut so that all heads are as large
//! and stand as high.

mod setter;

use self::setter::Setter;
use super::cover::quiet_page;
use super::guest_book::lcm;
use super::{LayoutOptions, PageRange, PhotoInput, bound, margin_of, with_photos};
use crate::document::{Crop, Document, Page, Variant, Variants};
use crate::faces::Face;
use crate::ids::{NotAnId, PageId, YearBookPersonId};
use crate::yearbook::Share;

/// Somebody in the book.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Portrayed {
    /// Who it is on its roster.
    pub person: Option<YearBookPersonId>,
    pub name: String,
    pub group: String,
    /// A line below the name, and what it says; may be empty.
    pub motto: String,
    pub words: String,
    pub portrait: Option<PhotoInput>,
    /// What stands at the front of its own copy; the portrait where there is none.
    pub own: Option<PhotoInput>,
    /// Whether it gets a copy.
    pub has_copy: bool,
}

/// Why a roster is no book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoYearBook {
    #[error("名单还是空的")]
    Nobody,
    #[error(
        "{people} 位要 {needed} 页，这种开本最多装得下 {most} 页：请改成每人半页，换一种开本，或者按班分成几本"
    )]
    NoRoom { people: usize, needed: usize, most: usize },
    #[error(transparent)]
    Id(#[from] NotAnId),
}

/// How high a head stands in its portrait's frame, from hair to chin, and where its middle is, in parts of the frame's height.
pub const HEAD_SHARE: f64 = 0.5;
pub const HEAD_MIDDLE: f64 = 0.46;
/// Width by height of portraits.
pub const PORTRAIT_ASPECT: f64 = 0.8;
/// Where the part of a portrait without a known face begins, as a share of what is left out above and below it.
const UPPER: f64 = 0.2;
/// What stands in the place of a name in the work itself, and in copies that are nobody's.
const NOBODY: &str = "班级留存";
/// The names of what differs from copy to copy.
const NAME_ID: &str = "copy-name";
const PLACES: [&str; 2] = ["copy-left", "copy-right"];

/// The part of a portrait that its frame shows: all heads as large and as high, as far as their photos show enough around them.
/// Of several faces the largest is meant. Without a face it is the upper part of the middle.
pub fn portrait_crop(photo: &PhotoInput, aspect: f64) -> Crop {
    let widest = Crop::fill(photo.aspect(), aspect);
    let largest = photo.faces.iter().max_by(|one, other| one.area.area().total_cmp(&other.area.area()));
    let Some(head) = largest.map(Face::head) else {
        return Crop { y: (1.0 - widest.height) * UPPER, ..widest };
    };
    // no larger than the photo has room for, with the shape kept
    let scale = (head.height / HEAD_SHARE / widest.height).min(1.0);
    let (width, height) = (widest.width * scale, widest.height * scale);
    let place = |middle: f64, size: f64, share: f64| (middle - size * share).clamp(0.0, 1.0 - size);
    Crop {
        x: place(head.x + head.width / 2.0, width, 0.5),
        y: place(head.y + head.height / 2.0, height, HEAD_MIDDLE),
        width,
        height,
    }
}

/// Makes the book. `common` are photos of all; `spare` copies are nobody's.
///
/// # Errors
/// See [`NoYearBook`].
pub fn year_book(
    people: &[Portrayed],
    common: &[PhotoInput],
    (share, spare): (Share, usize),
    options: &LayoutOptions,
) -> Result<Document, NoYearBook> {
    if people.is_empty() {
        return Err(NoYearBook::Nobody);
    }
    let setter = Setter { trim: options.trim, margin: margin_of(options.trim) };
    let groups = in_groups(people);
    let mut pages = vec![quiet_page(0, 3, options)];
    for id in PLACES {
        pages.push(Page { id: Some(id.parse()?), ..Page::default() });
    }
    pages[2].elements.extend([setter.signing(setter.trim.height * 0.12)]);
    pages.extend(setter.names(&groups));
    let pictures = pages.len();
    let chunks: Vec<&[PhotoInput]> = common.chunks(PHOTOS_ON_PAGE).collect();
    pages.extend(chunks.iter().map(|_| Page::default()));
    for (group, of_group) in &groups {
        if groups.len() > 1 || !group.is_empty() {
            pages.push(setter.opener(group, of_group.len(), options));
        }
        pages.extend(setter.people(of_group, share));
    }
    let needed = pages.len() + 1;
    let count = count(needed, options.pages).ok_or(NoYearBook::NoRoom {
        people: people.len(),
        needed,
        most: options.pages.max as usize,
    })?;
    let written = pages.len();
    pages.resize_with(count - 1, Page::default);
    if count - 1 > written {
        pages[written].elements.push(setter.signing(setter.trim.height * 0.1));
    }
    pages.push(quiet_page(count - 1, count, options));
    let mut document = bound(options, setter.cover(common, options)?, pages);
    for (index, photos) in chunks.iter().enumerate() {
        let ids: Vec<_> = photos.iter().map(|photo| photo.id.clone()).collect();
        if let Some(page) = with_photos(&document, pictures + index, &ids, common) {
            document.pages[pictures + index] = page;
        }
    }
    let named = people.iter().filter(|person| person.has_copy);
    let named = named.map(|person| Variant {
        name: person.name.clone(),
        group: person.group.clone(),
        person: person.person.clone(),
        pages: setter.own(person),
    });
    let nobody = Variant { name: String::new(), group: String::new(), person: None, pages: Vec::new() };
    let nobodys = std::iter::repeat_n(nobody, spare);
    let copies: Vec<Variant> = named.chain(nobodys).collect();
    let places = PLACES.iter().map(|id| id.parse()).collect::<Result<Vec<PageId>, NotAnId>>()?;
    document.variants = (!copies.is_empty()).then_some(Variants { name: NAME_ID.parse()?, places, copies });
    Ok(document)
}

/// Where the pages of one alone stand, from 0: those at the front of its own copy, as they stand in the book, and its place in
/// the class.
pub const ALONE_FRONT: [usize; 2] = [1, 2];
pub const ALONE_PLACE: usize = 3;

/// What somebody has in the book by itself, before there is a book, or without what the others wrote: see [`ALONE_FRONT`].
pub fn alone(person: &Portrayed, share: Share, options: &LayoutOptions) -> Document {
    let setter = Setter { trim: options.trim, margin: margin_of(options.trim) };
    let mut pages = vec![Page::default()];
    pages.extend(setter.own(person));
    pages.extend(setter.people(&[person], share));
    bound(options, Page::default(), pages)
}

/// Photos of all on one page.
const PHOTOS_ON_PAGE: usize = 2;

/// Those of each group, in the order in which groups come first.
fn in_groups(people: &[Portrayed]) -> Vec<(&str, Vec<&Portrayed>)> {
    let mut groups: Vec<(&str, Vec<&Portrayed>)> = Vec::new();
    for person in people {
        match groups.iter_mut().find(|(group, _)| *group == person.group) {
            Some((_, of_group)) => of_group.push(person),
            None => groups.push((&person.group, vec![person])),
        }
    }
    groups
}

/// The least bindable number of pages; whole sheets where the range has one.
fn count(needed: usize, range: PageRange) -> Option<usize> {
    let step = lcm(range.step.max(1) as usize, 2);
    let least = needed.max(range.min as usize);
    [lcm(step, 4), step]
        .into_iter()
        .map(|step| least.next_multiple_of(step))
        .find(|count| *count <= range.max as usize)
}
