//! The order of photos in a book, and where its parts begin.

use super::PhotoInput;
use super::dates::{self, Day};

/// A pause from which a new part of the book may begin, in milliseconds: six hours, which a night is and
/// a lunch isn't.
const PAUSE_MS: i64 = 6 * 60 * 60 * 1000;
/// A part has at least this many photos, or a book of one photo a day would open on every page.
const LEAST_PER_PART: usize = 5;
/// The same where each day is a part.
const LEAST_PER_DAY: usize = 2;

/// Where the parts of a book begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parts {
    /// After long pauses.
    #[default]
    Pauses,
    /// With each day.
    Days,
}

/// The photos by capture time. Equal times keep the given order; photos without a time come after all others,
/// in the given order: nothing says where among the others they belong, and files that lost their data
/// (from a chat, from a scanner) often belong together.
pub(super) fn in_order(photos: &[PhotoInput]) -> Vec<&PhotoInput> {
    let mut ordered: Vec<&PhotoInput> = photos.iter().collect();
    ordered.sort_by_key(|photo| (photo.taken_at.is_none(), photo.taken_at.unwrap_or_default()));
    ordered
}

/// For each photo whether a part of the book begins with it: the first photo does, and those after the longest
/// pauses, or with each day, as long as every part keeps a few photos.
pub(super) fn openers(ordered: &[&PhotoInput], parts: Parts) -> Vec<bool> {
    let least = if parts == Parts::Days { LEAST_PER_DAY } else { LEAST_PER_PART };
    let mut pauses: Vec<(i64, usize)> = ordered
        .windows(2)
        .enumerate()
        .filter_map(|(index, pair)| {
            let pause = match (pair[0].taken_at, pair[1].taken_at) {
                (Some(before), Some(after)) => after.saturating_sub(before),
                // Where the photos without a time begin.
                (Some(_), None) => i64::MAX,
                (None, _) => 0,
            };
            let day = |photo: &PhotoInput| photo.taken_at.and_then(Day::of);
            let is_part = match parts {
                Parts::Pauses => pause >= PAUSE_MS,
                Parts::Days => pause == i64::MAX || day(pair[0]) != day(pair[1]),
            };
            is_part.then_some((pause, index + 1))
        })
        .collect();
    pauses.sort_by_key(|&(pause, index)| (std::cmp::Reverse(pause), index));

    let mut begins = vec![0, ordered.len()];
    for (_, index) in pauses {
        if begins.iter().all(|&begin| index.abs_diff(begin) >= least) {
            begins.push(index);
        }
    }
    let mut opens = vec![false; ordered.len()];
    for begin in begins.into_iter().filter(|&begin| begin < ordered.len()) {
        opens[begin] = true;
    }
    opens
}

/// A part of the book that has a page of its own before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chapter {
    /// The part's first photo.
    pub first: usize,
    /// The days it is about.
    pub heading: String,
    /// The year.
    pub subtitle: String,
}

/// The book's parts as chapters. A book of one part has none, and neither has a part without capture times.
pub(super) fn chapters(ordered: &[&PhotoInput], opens: &[bool]) -> Vec<Chapter> {
    let begins: Vec<usize> = (0..ordered.len()).filter(|&index| opens[index]).collect();
    if begins.len() < 2 {
        return Vec::new();
    }
    let ends = begins.iter().skip(1).copied().chain([ordered.len()]);
    let chapter = |(&first, end): (&usize, usize)| {
        let day = |photo: &PhotoInput| photo.taken_at.and_then(Day::of);
        let (from, to) = (day(ordered[first])?, day(ordered[end - 1])?);
        Some(Chapter { first, heading: dates::span(from, to), subtitle: format!("{} 年", from.year) })
    };
    begins.iter().zip(ends).filter_map(chapter).collect()
}
