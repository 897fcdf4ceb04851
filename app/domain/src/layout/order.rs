//! The order of photos in a book, and where its parts begin.

use std::collections::BTreeMap;

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
    /// With each city.
    Cities,
}

impl Parts {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pauses, Self::Days, Self::Cities];

    /// Its word in forms and addresses.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pauses => "pauses",
            Self::Days => "days",
            Self::Cities => "cities",
        }
    }

    /// The one of a word.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parts| parts.code() == code)
    }
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

/// Where photos were taken, as far as that can be told: one that says no city was taken where the one before it was, those before all
/// others where the first that says one was. A few photos on the way from one city to another are of the city before.
fn stays<'p>(ordered: &[&'p PhotoInput]) -> Vec<Option<&'p str>> {
    let mut last = ordered.iter().find_map(|photo| photo.city.as_deref());
    let told = ordered.iter().map(|photo| {
        last = photo.city.as_deref().or(last);
        last
    });
    let mut stays: Vec<(Option<&str>, usize)> = Vec::new();
    for city in told {
        match stays.last_mut() {
            Some((known, photos)) if *known == city => *photos += 1,
            _ => stays.push((city, 1)),
        }
    }
    while let Some(short) =
        (0..stays.len()).filter(|at| stays[*at].1 < LEAST_PER_PART).min_by_key(|at| stays[*at].1)
        && stays.len() > 1
    {
        let (_, photos) = stays.remove(short);
        let before = short.saturating_sub(1);
        stays[before].1 += photos;
        if short > 0 && short < stays.len() && stays[short].0 == stays[before].0 {
            stays[before].1 += stays.remove(short).1;
        }
    }
    stays.into_iter().flat_map(|(city, photos)| std::iter::repeat_n(city, photos)).collect()
}

/// The cities by which a book of these photos is divided where each begins a part, in the order of their photos.
pub fn cities_of(photos: &[PhotoInput]) -> Vec<String> {
    let (ordered, _) = in_order(photos);
    let mut cities: Vec<String> = stays(&ordered).into_iter().flatten().map(str::to_owned).collect();
    cities.dedup();
    cities
}

/// For each photo, in their order and by their times, whether a part of the book begins with it: the first photo does, and those
/// after the longest pauses, or with each day or city, as long as every part keeps a few photos.
pub(super) fn openers(ordered: &[&PhotoInput], times: &[Option<i64>], parts: Parts) -> Vec<bool> {
    if parts == Parts::Cities {
        let stays = stays(ordered);
        return (0..stays.len()).map(|at| at == 0 || stays[at] != stays[at - 1]).collect();
    }
    let least = if parts == Parts::Days { LEAST_PER_DAY } else { LEAST_PER_PART };
    let mut pauses: Vec<(i64, usize)> = times
        .windows(2)
        .enumerate()
        .filter_map(|(index, pair)| {
            // either all have one or none
            let (before, after) = (pair[0]?, pair[1]?);
            let pause = after.saturating_sub(before);
            let is_part = match parts {
                Parts::Days => Day::of(before) != Day::of(after),
                _ => pause >= PAUSE_MS,
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
    /// The city or the days that it is about.
    pub heading: String,
    /// The days or the year.
    pub subtitle: String,
}

/// The book's parts as chapters. A book of one part has none, and neither has a part of which nothing is known. Cities name them where
/// they tell each from the one before, unless each day is a part; otherwise days do.
pub(super) fn chapters(ordered: &[&PhotoInput], times: &[Option<i64>], parts: Parts) -> Vec<Chapter> {
    let opens = openers(ordered, times, parts);
    let by_city = parts != Parts::Days;
    let begins: Vec<usize> = (0..times.len()).filter(|&index| opens[index]).collect();
    if begins.len() < 2 {
        return Vec::new();
    }
    let ends = begins.iter().skip(1).copied().chain([times.len()]);
    let spans: Vec<_> = begins.iter().copied().zip(ends).collect();
    let cities: Vec<Option<&str>> = spans.iter().map(|&(first, end)| city_of(&ordered[first..end])).collect();
    let tell_apart = by_city && cities.windows(2).all(|pair| pair[0].is_none() || pair[0] != pair[1]);
    let chapter = |(&(first, end), city): (&(usize, usize), &Option<&str>)| {
        let day = |index: usize| times[index].and_then(Day::of);
        let (heading, subtitle) = match (city.filter(|_| tell_apart), day(first).zip(day(end - 1))) {
            (Some(city), Some((from, to))) => (city.to_owned(), dates::span_of_years(from, to)),
            (Some(city), None) => (city.to_owned(), String::new()),
            (None, days) => {
                let (from, to) = days?;
                let year = format!("{} 年", from.year);
                let subtitle = city.map_or_else(|| year.clone(), |city| format!("{year} · {city}"));
                (dates::span(from, to), subtitle)
            }
        };
        Some(Chapter { first, heading, subtitle })
    };
    spans.iter().zip(&cities).filter_map(chapter).collect()
}

/// The share of a part's photos from which on their city names it.
const MOST: f64 = 0.6;

/// The city that most of some photos were taken in, of those that say one.
fn city_of<'p>(photos: &[&'p PhotoInput]) -> Option<&'p str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    photos
        .iter()
        .filter_map(|photo| photo.city.as_deref())
        .for_each(|city| *counts.entry(city).or_default() += 1);
    let said: usize = counts.values().sum();
    let (city, photos) = counts.into_iter().max_by_key(|(_, photos)| *photos)?;
    (photos as f64 >= MOST * said as f64).then_some(city)
}
