//! Which template each page gets.

use super::fit::{self, Fitted, Sheet};
use super::template::{Placing, Template, templates_for};
use super::{MAX_PER_PAGE, PhotoInput};
use crate::document::Page;

/// A template that a run of photos fits.
pub(super) struct Candidate {
    pub template: &'static Template,
    pub fitted: Fitted,
}

impl Candidate {
    /// The page with these photos, the same the candidate was fitted to.
    pub fn page(&self, photos: &[&PhotoInput], sheet: &Sheet, right_hand: bool) -> Page {
        self.fitted.page(self.template.placing, photos, sheet, right_hand)
    }
}

/// What fits at each photo: for the runs of neighbours beginning there, every suitable template.
pub(super) struct Candidates {
    runs: Vec<[Vec<Candidate>; MAX_PER_PAGE]>,
}

impl Candidates {
    /// Fits every run of one to `most` neighbouring photos into every template for as many. A part of the book
    /// that opens with one photo prefers it large.
    pub fn of(ordered: &[&PhotoInput], opens: &[bool], sheet: &Sheet, most: usize) -> Self {
        let run = |first: usize, count: usize| -> Vec<Candidate> {
            let photos = if count > most { None } else { ordered.get(first..first + count) };
            let Some(photos) = photos else { return Vec::new() };
            templates_for(count)
                .iter()
                .filter_map(|template| {
                    let mut fitted = fit::fit(template, photos, sheet)?;
                    if opens[first] {
                        fitted.cost -= opening(template);
                    }
                    Some(Candidate { template, fitted })
                })
                .collect()
        };
        let at = |first| std::array::from_fn(|index| run(first, index + 1));
        Self { runs: (0..ordered.len()).map(at).collect() }
    }

    /// What fits `count` photos (1 to the most that were fitted) from photo `first` on.
    pub fn get(&self, first: usize, count: usize) -> &[Candidate] {
        self.runs.get(first).and_then(|runs| runs.get(count - 1)).map_or(&[], Vec::as_slice)
    }
}

/// What a template is worth to the page that opens a part.
fn opening(template: &Template) -> f64 {
    match template.placing {
        Placing::Bleed if template.photos() == 1 => 0.7,
        Placing::BleedTop | Placing::BleedOuter if template.photos() == 1 => 0.4,
        _ => 0.0,
    }
}

/// What is held against using a template again on the next page; half of it one page later, and so on, so that
/// a book comes back to each of its forms after a while.
const AGAIN: f64 = 0.45;

/// What is held against two pages of one spread that both run off the paper: one of them should rest the eye.
const BOTH_BLEED: f64 = 0.30;

/// Chooses for each page, given as its number of photos and its index in the book, the best template that was
/// not just used. None stands three times in a row unless nothing else fits.
pub(super) fn choose<'a>(candidates: &'a Candidates, sizes: &[usize], slots: &[usize]) -> Vec<&'a Candidate> {
    let mut chosen: Vec<&Candidate> = Vec::with_capacity(sizes.len());
    let mut first = 0;
    for (page, &size) in sizes.iter().enumerate() {
        let fitting = candidates.get(first, size);
        let twice = match chosen.as_slice() {
            [.., before, last] if before.template == last.template => Some(last.template),
            _ => None,
        };
        // Left-hand pages have odd indexes.
        let faces = page > 0 && !slots[page - 1].is_multiple_of(2) && slots[page] == slots[page - 1] + 1;
        let faces_bleed = faces && chosen.last().is_some_and(|left| left.template.placing.bleeds());
        let spread = |candidate: &Candidate| {
            if faces_bleed && candidate.template.placing.bleeds() { BOTH_BLEED } else { 0.0 }
        };
        let weary = |candidate: &Candidate| -> f64 {
            let recent = chosen.iter().rev().take(6).enumerate();
            let used = recent.filter(|(_, page)| page.template == candidate.template);
            used.map(|(ago, _)| AGAIN * 0.5_f64.powi(i32::try_from(ago).unwrap_or(i32::MAX))).sum()
        };
        let best = fitting.iter().min_by(|one, other| {
            let rank = |candidate: &Candidate| {
                let cost = candidate.fitted.cost + weary(candidate) + spread(candidate);
                ((candidate.fitted.is_coarse, Some(candidate.template) == twice), cost)
            };
            let (one, other) = (rank(one), rank(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        // A row and a column fit any photos, so there is always one.
        chosen.extend(best);
        first += size;
    }
    chosen
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::document::Trim;

    #[test]
    fn any_photos_fit_two_templates() {
        let photo = |width, height| PhotoInput::new("p".parse().unwrap(), width, height);
        let strange = [
            photo(1, 30_000),
            photo(30_000, 1),
            photo(1, 1),
            photo(30_000, 30_000),
            photo(12_000, 2_000),
            photo(900, 3_000),
            photo(4, 3),
        ];
        for (width, height) in [(50.0, 50.0), (50.0, 300.0), (2000.0, 50.0), (210.0, 210.0)] {
            for captions in [false, true] {
                let sheet = Sheet::new(Trim { width, height }, captions);
                for one in &strange {
                    for other in &strange {
                        let photos = [one, other, one, other, other, one, one, other, one, other];
                        let candidates = Candidates::of(&photos, &[false; 10], &sheet, MAX_PER_PAGE);
                        for first in 0..2 {
                            for count in 1..=MAX_PER_PAGE {
                                assert!(
                                    candidates.get(first, count).len() >= 2,
                                    "{first} {count} {photos:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn no_template_three_times_in_a_row() {
        let photos: Vec<PhotoInput> =
            (0..60).map(|n| PhotoInput::new(format!("p{n}").parse().unwrap(), 4000, 3000)).collect();
        let photos: Vec<&PhotoInput> = photos.iter().collect();
        let sheet = Sheet::new(Trim { width: 210.0, height: 210.0 }, true);
        let candidates = Candidates::of(&photos, &[false; 60], &sheet, MAX_PER_PAGE);
        for size in 1..=MAX_PER_PAGE {
            let slots: Vec<usize> = (0..60).collect();
            let chosen = choose(&candidates, &vec![size; 60 / size], &slots);
            assert_eq!(chosen.len(), 60 / size);
            for three in chosen.windows(3) {
                let [one, two, other] = three else { panic!() };
                assert!(
                    one.template != two.template || two.template != other.template,
                    "{}",
                    one.template.code()
                );
            }
        }
    }
}
