//! What single copies of a run have of their own: their pages and their names on the cover. The rules are those of all pages; what is
//! the matter with many copies is said once, with their number and names.

use std::collections::BTreeSet;

use domain::document::{Document, Page, first_names};

use super::finding::FoundCopy;
use super::{Finding, FindingCode, Looking, PageRef, Report, Severity, measure};
use crate::error::PressError;

/// Copies that a sentence names.
const MOST_NAMED: usize = 3;

/// The work's pages that are in no copy, as each has its own in their place; the cover is 0.
pub(super) fn unshown(document: &Document) -> BTreeSet<usize> {
    let copies = document.copies();
    if copies.is_empty() {
        return BTreeSet::new();
    }
    let places = document.own_places().into_iter();
    let places = places.filter(|(own, _)| copies.iter().all(|copy| *own < copy.pages.len()));
    places.map(|(_, index)| index + 1).collect()
}

/// Looks at each copy; texts of the cover that are `unprinted` are not looked at.
pub(super) fn look(
    document: &Document,
    unprinted: &[usize],
    looking: &Looking,
    is_awaited: &dyn Fn() -> bool,
) -> Result<Vec<Finding>, PressError> {
    let (copies, places) = (document.copies(), document.own_places());
    if copies.is_empty() {
        return Ok(Vec::new());
    }
    let covers: Vec<Page> = copies.iter().map(|copy| document.cover_in(copy)).collect();
    // for each copy its cover, and its own pages as far as they have a place
    let own = |copy: usize| places.iter().filter_map(move |(own, _)| copies[copy].pages.get(*own));
    let typeset: Vec<&Page> =
        covers.iter().enumerate().flat_map(|(copy, cover)| std::iter::once(cover).chain(own(copy))).collect();
    let measures = measure(document, &typeset, is_awaited)?;
    let name = document.name_place().filter(|place| !unprinted.contains(place));
    let mut made = Document { variants: None, ..document.clone() };
    let (mut found, mut at) = (Found::default(), 0);
    for (index, copy) in copies.iter().enumerate() {
        let mut report = Report::default();
        made.cover.clone_from(&covers[index]);
        if !copy.name.is_empty() {
            report.turn_to(PageRef::Cover);
            looking.at(&mut report, &made, 0, (&measures, at), &|element| Some(element) == name);
        }
        at += 1;
        let standing: Vec<(usize, usize)> =
            places.iter().copied().filter(|(own, _)| *own < copy.pages.len()).collect();
        for (own, place) in &standing {
            made.pages[*place].clone_from(&copy.pages[*own]);
        }
        for (_, place) in &standing {
            report.turn_to(PageRef::Inner(*place));
            looking.at(&mut report, &made, place + 1, (&measures, at), &|_| true);
            at += 1;
        }
        if let Some((_, first)) = standing.first()
            && standing.iter().all(|(_, place)| made.pages[*place].photos().next().is_none())
        {
            report.turn_to(PageRef::Inner(*first));
            let sentence = "没有照片，印的是姓名的第一个字；可以请这一位补交，或者替他传一张，再重新做一次。";
            report.say(Severity::Warning, FindingCode::MissingPortrait, sentence);
        }
        for (_, place) in &standing {
            made.pages[*place].clone_from(&document.pages[*place]);
        }
        report.findings.into_iter().for_each(|finding| found.note(index, finding));
    }
    Ok(found.said(document))
}

/// What was found of copies so far, what is alike together.
#[derive(Default)]
struct Found(Vec<(Finding, Vec<(usize, String)>)>);

impl Found {
    /// A copy is counted once, however often it has the same on a page.
    fn note(&mut self, copy: usize, finding: Finding) {
        let is_alike = |known: &Finding| {
            (known.severity, known.code, known.page) == (finding.severity, finding.code, finding.page)
        };
        match self.0.iter_mut().find(|(known, _)| is_alike(known)) {
            Some((_, copies)) if copies.iter().any(|(known, _)| *known == copy) => {}
            Some((_, copies)) => copies.push((copy, finding.message)),
            None => {
                let message = finding.message.clone();
                self.0.push((finding, vec![(copy, message)]));
            }
        }
    }

    fn said(self, document: &Document) -> Vec<Finding> {
        let names: Vec<String> = document.copy_names().into_iter().map(|name| name.name).collect();
        let copies = document.copies();
        let said = |(finding, found): (Finding, Vec<(usize, String)>)| {
            let (first, message) = &found[0];
            let whose = first_names(found.iter().map(|(copy, _)| names[*copy].as_str()), MOST_NAMED);
            let count = found.len();
            let whose = if (2..=MOST_NAMED).contains(&count) { format!("{whose}这") } else { whose };
            let message = match found.iter().all(|(_, other)| other == message) {
                _ if count == 1 => format!("{whose}那本的{message}"),
                true => format!("{whose} {count} 本的{message}"),
                false => format!("{whose} {count} 本都有同样的问题，比如{}那本的{message}", names[*first]),
            };
            let copies = found.iter().map(|(copy, _)| FoundCopy {
                number: copy + 1,
                name: names[*copy].clone(),
                person: copies[*copy].person.clone(),
            });
            // its element is on no page of the work
            Finding { page: None, element: None, message, copies: copies.collect(), ..finding }
        };
        self.0.into_iter().map(said).collect()
    }
}
