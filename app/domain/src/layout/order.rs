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

/// When photos were taken, as far as that can be told. One that says no time goes with the one before it in the given order, in
/// which they came; those before all others with the first that says one.
pub(super) fn times(photos: &[PhotoInput]) -> Vec<Option<i64>> {
    let mut last = photos.iter().find_map(|photo| photo.taken_at);
    let told = |photo: &PhotoInput| {
        last = photo.taken_at.or(last);
        last
    };
    photos.iter().map(told).collect()
}

/// The photos by capture time, each with its own ([`times`]). Equal times keep the given order.
pub(super) fn in_order(photos: &[PhotoInput]) -> (Vec<&PhotoInput>, Vec<Option<i64>>) {
    let mut ordered: Vec<(&PhotoInput, Option<i64>)> = photos.iter().zip(times(photos)).collect();
    ordered.sort_by_key(|(_, time)| *time);
    ordered.into_iter().unzip()
}

/// For each photo, by its time, whether a part of the book begins with it: the first photo does, and those after the longest
/// pauses, or with each day, as long as every part keeps a few photos.
pub(super) fn openers(times: &[Option<i64>], parts: Parts) -> Vec<bool> {
    let least = if parts == Parts::Days { LEAST_PER_DAY } else { LEAST_PER_PART };
    let mut pauses: Vec<(i64, usize)> = times
        .windows(2)
        .enumerate()
        .filter_map(|(index, pair)| {
            // either all have one or none
            let (before, after) = (pair[0]?, pair[1]?);
            let pause = after.saturating_sub(before);
            let is_part = match parts {
                Parts::Pauses => pause >= PAUSE_MS,
                Parts::Days => Day::of(before) != Day::of(after),
            };
            is_part.then_some((pause, index + 1))
        })
        .collect();
    pauses.sort_by_key(|&(pause, index)| (std::cmp::Reverse(pause), index));

    let mut begins = vec![0, times.len()];
    for (_, index) in pauses {
        if begins.iter().all(|&begin| index.abs_diff(begin) >= least) {
            begins.push(index);
        }
    }
    let mut opens = vec![false; times.len()];
    for begin in begins.into_iter().filter(|&begin| begin < times.len()) {
        opens[begin] = true;
    }
    opens
}

/// How soon a camera takes the next photo of a burst, in ms.
const BURST_MS: i64 = 2_000;
/// A burst has so many photos; more are no strip.
pub(super) const BURST: std::ops::RangeInclusive<usize> = 3..=6;

/// Of each photo the burst that it belongs to, counted from 1; 0 for none.
pub(super) fn bursts(ordered: &[&PhotoInput]) -> Vec<usize> {
    let follows = |one: &PhotoInput, other: &PhotoInput| {
        let shape = |photo: &PhotoInput| (photo.width, photo.height);
        shape(one) == shape(other)
            && one.aspect() < 2.0
            && one.taken_at.zip(other.taken_at).is_some_and(|(one, other)| {
                other.checked_sub(one).is_some_and(|apart| (1..=BURST_MS).contains(&apart))
            })
    };
    let mut of = vec![0; ordered.len()];
    let (mut from, mut number) = (0, 0);
    for to in 1..=ordered.len() {
        if to < ordered.len() && follows(ordered[to - 1], ordered[to]) {
            continue;
        }
        if BURST.contains(&(to - from)) {
            number += 1;
            of[from..to].fill(number);
        }
        from = to;
    }
    of
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

/// The book's parts as chapters. A book of one part has none, and neither has one without capture times.
pub(super) fn chapters(times: &[Option<i64>], opens: &[bool]) -> Vec<Chapter> {
    let begins: Vec<usize> = (0..times.len()).filter(|&index| opens[index]).collect();
    if begins.len() < 2 {
        return Vec::new();
    }
    let ends = begins.iter().skip(1).copied().chain([times.len()]);
    let chapter = |(&first, end): (&usize, usize)| {
        let (from, to) = (Day::of(times[first]?)?, Day::of(times[end - 1]?)?);
        Some(Chapter { first, heading: dates::span(from, to), subtitle: format!("{} 年", from.year) })
    };
    begins.iter().zip(ends).filter_map(chapter).collect()
}
