//! Other layouts for two facing pages with the photos that they have: 换一换.

use std::cmp::Ordering;

use super::arrange::{has_a_layout, refilled};
use super::choose::{Candidate, Candidates};
use super::fold::Half;
use super::fold::fold;
use super::reflow::{guessed, paper};
use super::{Density, MAX_PER_PAGE, PhotoInput, fit, takes_photos};
use crate::document::{Document, Page};

/// Ways that are shown at once.
const MOST_WAYS: usize = 12;
/// Ways that share the photos out over the two pages alike.
const MOST_ALIKE: usize = 4;
/// The parts of two pages that photos cover, below and above which they are airy and dense.
const AIRY: f64 = 0.45;
const DENSE: f64 = 0.72;

/// One way.
#[derive(Debug, Clone, PartialEq)]
pub struct SpreadWay {
    /// The word for forms.
    pub code: String,
    /// The name that members read.
    pub title: String,
    /// How full the pages are.
    pub density: Density,
    /// The page on the left and the one that it faces, with their words, themes and backgrounds; one alone where no other
    /// faces it.
    pub pages: Vec<Page>,
}

/// The ways in which the photos of facing pages can stand, in their order, the best first. `first` is a left-hand page
/// (odd, counted from 0), or the book's first. Pages that name the book or a chapter, months and pages of a PDF stay as they
/// are.
pub fn spread_ways(document: &Document, first: usize, library: &[PhotoInput]) -> Vec<SpreadWay> {
    let alone = first == 0 || first + 1 >= document.pages.len();
    let indexes: Vec<usize> = if alone { vec![first] } else { vec![first, first + 1] };
    let pages: Vec<&Page> = indexes.iter().filter_map(|index| document.pages.get(*index)).collect();
    if pages.len() != indexes.len() || (first != 0 && first.is_multiple_of(2)) {
        return Vec::new();
    }
    let free: Vec<bool> = pages.iter().map(|page| has_a_layout(page) && takes_photos(page)).collect();
    let mut photos: Vec<PhotoInput> = Vec::new();
    for frame in pages.iter().zip(&free).filter(|(_, free)| **free).flat_map(|(page, _)| page.photos()) {
        if photos.iter().all(|photo| photo.id != frame.photo) {
            let known = library.iter().find(|photo| photo.id == frame.photo);
            photos.push(known.cloned().unwrap_or_else(|| guessed(frame)));
        }
    }
    let most = MAX_PER_PAGE * free.iter().filter(|free| **free).count();
    if photos.is_empty() || photos.len() > most {
        return Vec::new();
    }
    let photos: Vec<&PhotoInput> = photos.iter().collect();
    let sheet = fit::Sheet::new(document.trim, true);
    let candidates =
        Candidates::of(&photos, &vec![false; photos.len()], &sheet, photos.len().min(MAX_PER_PAGE));
    let count = photos.len();
    // how many stand on the first page
    let shares: Vec<usize> = match free.as_slice() {
        [true, true] => (count.saturating_sub(MAX_PER_PAGE)..=count.min(MAX_PER_PAGE)).collect(),
        [true, false] | [true] => vec![count],
        _ => vec![0],
    };
    let mut ways: Vec<(f64, SpreadWay)> = Vec::new();
    for share in shares {
        let sides = [(0, share), (share, count - share)];
        let mut found: Vec<(f64, SpreadWay)> = Vec::new();
        let fitting: Vec<Vec<Option<&Candidate>>> = pages
            .iter()
            .zip(sides)
            .zip(&free)
            .map(|((page, (from, size)), free)| suitable(&candidates, page, from, size, *free))
            .collect();
        for (left, right) in pairs(&fitting) {
            let chosen = [left, right];
            let cost: f64 = chosen.iter().flatten().map(|candidate| candidate.fitted.cost).sum::<f64>()
                + (share.abs_diff(count - share) as f64)
                    * if free.len() == 2 && free[0] && free[1] { 0.2 } else { 0.0 };
            let made = made(document, &indexes, &pages, &free, &chosen, &photos, sides, &sheet);
            let codes: Vec<String> = chosen
                .iter()
                .take(pages.len())
                .map(|one| one.map_or_else(|| "-".to_owned(), |one| one.template.code()))
                .collect();
            let titles: Vec<String> =
                chosen.iter().take(pages.len()).flatten().map(|one| one.template.title()).collect();
            let filled =
                chosen.iter().flatten().map(|one| one.fitted.filled).sum::<f64>() / pages.len() as f64;
            let density = match filled {
                filled if filled < AIRY => Density::Airy,
                filled if filled > DENSE => Density::Dense,
                _ => Density::Even,
            };
            let way = SpreadWay { code: codes.join("~"), title: titles.join(" · "), density, pages: made };
            found.push((cost, way));
        }
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.code.cmp(&other.1.code)));
        found.truncate(MOST_ALIKE);
        ways.extend(found);
    }
    ways.sort_by(|one, other| match one.0.total_cmp(&other.0) {
        Ordering::Equal => one.1.code.cmp(&other.1.code),
        order => order,
    });
    let mut ways: Vec<SpreadWay> = ways.into_iter().map(|(_, way)| way).take(MOST_WAYS - 1).collect();
    if let ([photo], [true, true]) = (photos.as_slice(), free.as_slice())
        && let Some(across) = fold(photo, document.trim, true)
        && (across.has_caption() || pages.iter().all(|page| page.texts().all(|block| block.text.is_empty())))
    {
        let halves = [Half::Left, Half::Right].into_iter().zip(&pages);
        let pages = halves.map(|(half, old)| refilled(old, across.page(photo, half), document)).collect();
        let title = if across.fills(document.trim) { "一张跨两页，满版" } else { "一张跨两页" };
        ways.insert(0, SpreadWay { code: "fold".into(), title: title.into(), density: Density::Airy, pages });
    }
    ways
}

/// The templates for a side's photos that have a place for its words; nothing stands for a side without photos, or one that
/// stays as it is.
fn suitable<'c>(
    candidates: &'c Candidates,
    page: &Page,
    from: usize,
    size: usize,
    is_free: bool,
) -> Vec<Option<&'c Candidate>> {
    if !is_free || size == 0 {
        return vec![None];
    }
    let has_words = page.texts().any(|block| !block.text.is_empty());
    let all = candidates.get(from, size);
    let is_sharp = all.iter().any(|candidate| !candidate.fitted.is_coarse);
    let mut fitting: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| candidate.fitted.has_caption() || !has_words)
        .filter(|candidate| !candidate.fitted.is_coarse || !is_sharp)
        .collect();
    fitting.sort_by(|one, other| one.fitted.cost.total_cmp(&other.fitted.cost));
    fitting.into_iter().take(4).map(Some).collect()
}

/// Every two of the two sides' templates.
fn pairs<'c>(fitting: &[Vec<Option<&'c Candidate>>]) -> Vec<(Option<&'c Candidate>, Option<&'c Candidate>)> {
    let none = vec![None];
    let right = fitting.get(1).unwrap_or(&none);
    fitting
        .first()
        .into_iter()
        .flatten()
        .flat_map(|left| right.iter().map(move |right| (*left, *right)))
        .collect()
}

#[allow(clippy::too_many_arguments)]
fn made(
    document: &Document,
    indexes: &[usize],
    pages: &[&Page],
    free: &[bool],
    chosen: &[Option<&Candidate>; 2],
    photos: &[&PhotoInput],
    sides: [(usize, usize); 2],
    sheet: &fit::Sheet,
) -> Vec<Page> {
    pages
        .iter()
        .enumerate()
        .map(|(at, old)| {
            let (from, size) = sides[at];
            match chosen[at] {
                _ if !free[at] => (*old).clone(),
                Some(candidate) => {
                    let on_page = &photos[from..from + size];
                    refilled(old, candidate.page(on_page, sheet, indexes[at].is_multiple_of(2)), document)
                }
                None => refilled(old, paper(document), document),
            }
        })
        .collect()
}
