//! A run of copies that differ 每本不同: each page that copies have in common is typeset once and stands in each of them, so the file
//! grows with what differs alone.

use std::collections::BTreeSet;

use domain::binding::CoverSheet;
use domain::document::{Document, Page};
use domain::imposition::Spread;
use lopdf::{Document as Pdf, Object, ObjectId, dictionary};

use super::imposition::Side;
use crate::cover;
use crate::error::PressError;

/// The fronts of a run, each with its copy's name; none where all copies are alike.
pub(super) fn fronts(document: &Document) -> Vec<Page> {
    document.copies().iter().map(|copy| document.cover_in(copy)).collect()
}

/// What is typeset for the inner pages of a run, and for each copy which of it stands where: the pages of the work first, then
/// what copies have in the place of some.
pub(super) fn inner<'d>(document: &'d Document, pages: Vec<&'d Page>) -> (Vec<&'d Page>, Vec<Vec<usize>>) {
    let count = pages.len();
    let mut typeset = pages;
    let mut order: Vec<Vec<usize>> = Vec::new();
    for copy in document.copies() {
        let mut places = Vec::with_capacity(count);
        for index in 0..count {
            let (common, own) = (typeset[index], document.page_in(copy, typeset[index]));
            if std::ptr::eq(common, own) {
                places.push(index);
            } else {
                places.push(typeset.len());
                typeset.push(own);
            }
        }
        order.push(places);
    }
    if order.is_empty() {
        order.push((0..count).collect());
    }
    (typeset, order)
}

/// What is typeset for the covers of a run: the sides of each copy's.
pub(super) fn covers<'d>(document: &'d Document, fronts: &'d [Page], cover: &CoverSheet) -> Vec<&'d Page> {
    if fronts.is_empty() {
        return cover::sides(document, cover);
    }
    let mut pages = Vec::new();
    for (copy, front) in document.copies().iter().zip(fronts) {
        pages.push(front);
        pages.extend(
            cover::sides(document, cover).into_iter().skip(1).map(|page| document.page_in(copy, page)),
        );
    }
    pages
}

/// The sides of sheets on which the pages of each copy lie, where those of one lie as `spreads` says; `first` is the place of the
/// first inner page among all that is typeset.
pub(super) fn sides<'a>(
    order: &'a [Vec<usize>],
    spreads: &'a [Spread],
    first: usize,
) -> impl Iterator<Item = Vec<Side>> + 'a {
    order.iter().map(move |places| {
        let placed = |spread: &Spread| Spread {
            left: first + places[spread.left],
            right: first + places[spread.right],
            ..*spread
        };
        spreads.iter().map(|spread| Side::Pages(placed(spread))).collect()
    })
}

/// Puts the typeset pages into the file in this order, in which one may stand several times.
pub(super) fn repeat(
    pdf: &mut Pdf,
    pages: &[ObjectId],
    order: &[usize],
) -> Result<Vec<ObjectId>, PressError> {
    let root = pdf.catalog()?.get(b"Pages")?.as_reference()?;
    let mut placed = BTreeSet::new();
    let mut all = Vec::with_capacity(order.len());
    for index in order {
        let typeset = pages[*index];
        // a page stands in a file's tree once: what it is made of may be shared (ISO 32000-1, 7.7.3)
        let page = if placed.insert(typeset) {
            typeset
        } else {
            let again = pdf.get_dictionary(typeset)?.clone();
            pdf.add_object(again)
        };
        pdf.get_object_mut(page)?.as_dict_mut()?.set("Parent", root);
        all.push(page);
    }
    let kids: Vec<Object> = all.iter().map(|page| Object::Reference(*page)).collect();
    let count = i64::try_from(all.len()).unwrap_or(i64::MAX);
    pdf.set_object(root, dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count });
    // those of the work that every copy has something else in the place of
    for page in pages.iter().filter(|page| !placed.contains(page)) {
        for content in pdf.get_page_contents(*page) {
            pdf.objects.remove(&content);
        }
        pdf.objects.remove(page);
    }
    super::imposition::forget_places(pdf)?;
    Ok(all)
}
