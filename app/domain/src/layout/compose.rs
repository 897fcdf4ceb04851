//! Which photos share a spread, and how: the whole book at once, spread by spread, at the least cost.
//!
//! A spread is what is seen at a time, so it is what is chosen: its two sides have edges in common, its paper has its
//! measure, and the book has its rhythm from one spread to the next.

use super::composition::{Beat, Place};
use super::fold::{Fold, Half};
use super::grid::{Grid, Side, WORDLESS};
use super::order::Chapter;
use super::{Density, LayoutOptions, PhotoInput, cover, fold, order};
use crate::document::Page;
use crate::tone::Tone;

/// What stands open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Opening {
    Spread,
    /// The first page, or the last, where the photos need them.
    Right,
    Left,
}

/// What a spread shows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Setting {
    Blank,
    Across,
    /// A chapter's name on the left, its first photos on the right.
    Named(Run),
    Sides(Option<Run>, Option<Run>),
}

/// Photos of one side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    count: usize,
    side: Side,
}

/// One way to fill a spread from a photo on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub takes: usize,
    pub cost: f64,
    pub kind: usize,
    setting: Setting,
}

/// Kinds of spreads, as they are told apart from afar: which sides run off the paper, and about how many photos there are.
pub(super) const KINDS: usize = 27;
const ACROSS: usize = 24;
const NAMED: usize = 25;
pub(super) const BLANK: usize = 26;

/// What is held against paper where photos could stand: a side, and a whole spread.
const EMPTY_SIDE: f64 = 25.0;
const EMPTY_SPREAD: f64 = 60.0;
/// What is held against paper beyond a composition's measure, by its part of the spread.
const TOO_FULL: f64 = 60.0;
const TOO_EMPTY: f64 = 100.0;
/// What is held against a side that is larger than what stands there deserves beside the other.
const UNDESERVED: f64 = 1.2;
/// How much of a page its photos cover at least, and what is held against less.
const LEAST_FILLED: f64 = 0.43;
const SLIGHT: f64 = 8.0;
/// How much larger people stand than roads, and what is held against their standing smaller.
const PEOPLE: f64 = 1.5;
const SMALL_PEOPLE: f64 = 2.0;
/// How many times the photos of a page may stand on the one that it faces.
const MOST_TIMES: usize = 4;
/// What speaks for a part that opens large; what is held against one that opens beside others, and inside a page.
const OPENS: f64 = 1.8;
const OPENS_BESIDE: f64 = 0.6;
const OPENS_INSIDE: f64 = 2.0;
/// What is held against pictures of very different sizes on a spread.
const CONTRAST: f64 = 2.0;
/// How many times as large as another one no picture of a spread should be, and what is held against it.
const LARGEST_TIMES: f64 = 8.0;
const LOST: f64 = 8.0;
/// The most photos of a page that are one picture with the page that it faces.
const MOST_PAIRED: usize = 2;
/// How far apart colours are that go together (ΔE*ab), and what is held against twice that.
const ALIKE: f64 = 25.0;
const CLASH: f64 = 1.0;
/// What is held against somebody who looks out of the book.
const LOOKS_OUT: f64 = 0.6;
/// What is held against a photo across the fold that nothing asks for.
const UNASKED: f64 = 0.5;
/// What is held against a panorama over the fold: anything else is worse.
const PANORAMA: f64 = -12.0;
/// What is held against a picture without people that stands large in a book with them.
const NOBODY: f64 = 2.0;

/// A book's photos on their way to its pages.
pub(super) struct Book<'a> {
    pub ordered: &'a [&'a PhotoInput],
    pub opens: &'a [bool],
    pub chapters: &'a [Chapter],
    /// Which photos are to stand over the fold.
    pub across: &'a [usize],
    /// Of each photo the burst that it belongs to, counted from 1; 0 for none.
    pub bursts: &'a [usize],
    pub options: &'a LayoutOptions,
}

/// The most photos beside a strip that is more than a page holds.
const BESIDE_STRIP: usize = 2;

pub(super) struct Table<'a> {
    pub book: &'a Book<'a>,
    pub grid: Grid,
    folds: Vec<Option<Fold>>,
    /// By the first photo and the number of photos, what stands in each place.
    sides: Vec<Vec<Vec<Side>>>,
    most: usize,
    /// Whether there are fewer photos than pages.
    pub is_sparse: bool,
    has_people: bool,
    /// Photos of a spread in the mean.
    mean: f64,
}

impl Book<'_> {
    /// The most photos on a page of `most` that may hold a strip besides.
    fn longest(&self, most: usize) -> usize {
        let has_strips = most > 1 && self.bursts.iter().any(|burst| *burst != 0);
        if has_strips { most.max(*order::BURST.end() + BESIDE_STRIP) } else { most }
    }

    /// How many of so many pages are for photos.
    pub fn room(&self, count: usize, ends: bool) -> usize {
        (if ends { count - 2 } else { count }).saturating_sub(self.chapters.len()).max(1)
    }

    /// Whether there are fewer photos than pages for them.
    pub fn is_sparse(&self, count: usize, ends: bool) -> bool {
        self.ordered.len() < self.room(count, ends)
    }

    /// The pages, `count` of them, with at most so many photos on one; nothing where they can't be.
    pub fn pages(&self, count: usize, ends: bool, most: usize, is_loose: bool) -> Option<Vec<Page>> {
        let middle = (count - 2) / 2;
        let mut openings = vec![Opening::Spread; middle];
        if !ends {
            openings.insert(0, Opening::Right);
            openings.push(Opening::Left);
        }
        let captions = self.options.captions != super::Captions::None;
        let grid = Grid::new(self.options.trim, self.options.style.composition, captions);
        let table = Table {
            book: self,
            folds: self.ordered.iter().map(|photo| fold::fold(photo, self.options.trim, captions)).collect(),
            sides: sides(&grid, self, most, is_loose),
            grid,
            most: self.longest(most),
            is_sparse: self.is_sparse(count, ends),
            has_people: self.ordered.iter().any(|photo| photo.shows_people()),
            mean: self.ordered.len() as f64 / openings.len().max(1) as f64,
        };
        let chosen = table.choose(&openings)?;
        Some(table.made(count, &openings, &chosen))
    }
}

/// What stands in each place; photos stand by themselves only where they fit no place, or where that `is_loose`.
fn sides(grid: &Grid, book: &Book, most: usize, is_loose: bool) -> Vec<Vec<Vec<Side>>> {
    let run = |first: usize, count: usize| -> Vec<Side> {
        let Some(photos) = book.ordered.get(first..first + count) else { return Vec::new() };
        let bursts = &book.bursts[first..first + count];
        // a strip comes on top of what a page holds
        let is_strip = bursts.iter().any(|burst| {
            let of = bursts.iter().filter(|other| *burst != 0 && *other == burst).count();
            of >= 3 && count - of <= BESIDE_STRIP
        });
        if count > most && !is_strip {
            return Vec::new();
        }
        let in_place = |place: &Place| grid.side(*place, photos, bursts);
        let (natural, others) =
            Place::ALL.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
        let mut sides: Vec<Side> = others.iter().filter_map(in_place).collect();
        if is_loose || sides.is_empty() {
            sides.extend(natural.and_then(in_place));
        }
        sides
    };
    (0..book.ordered.len())
        .map(|first| (1..=book.longest(most)).map(|count| run(first, count)).collect())
        .collect()
}

impl Table<'_> {
    fn sides(&self, first: usize, count: usize) -> &[Side] {
        self.sides.get(first).and_then(|of| of.get(count - 1)).map_or(&[], Vec::as_slice)
    }

    /// What is held against a spread's paper and the sizes of its pictures.
    fn balance(&self, runs: [Run; 2]) -> f64 {
        let page = self.grid.trim.width * self.grid.trim.height;
        let [one, other] = runs.map(|run| run.side);
        let area = one.area + other.area;
        let paper = 1.0 - area / (2.0 * page);
        let (least, most) = self.grid.composition.paper;
        let over = |limit: u8| f64::from(limit) / 100.0;
        let mut off = TOO_FULL * (over(least) + 0.005 - paper).max(0.0)
            + TOO_EMPTY * (paper - over(most) + 0.005).max(0.0);
        off += UNDESERVED * (one.area / area - one.weight / (one.weight + other.weight)).abs();
        off +=
            [one, other].map(|side| SLIGHT * (LEAST_FILLED - side.area / page).max(0.0)).iter().sum::<f64>();
        let people = one.people.0 + other.people.0;
        let roads = runs.iter().map(|run| run.count).sum::<usize>() - people;
        if people > 0 && roads > 0 {
            let covered = one.people.1 + other.people.1;
            let times = covered / people as f64 / ((area - covered) / roads as f64);
            off += SMALL_PEOPLE * (1.0 - times / PEOPLE).max(0.0);
        }
        let smallest = one.extent.0.min(other.extent.0);
        let largest = one.extent.1.max(other.extent.1);
        off += CONTRAST * (1.0 - smallest * 6.0 / largest).max(0.0);
        if smallest * LARGEST_TIMES < largest { off + LOST } else { off }
    }

    /// What is held against photos that face each other though their colours have nothing in common, and against people who look
    /// out of the book.
    fn facing(&self, first: usize, [one, other]: [usize; 2]) -> f64 {
        if one.max(other) > MOST_PAIRED {
            return 0.0;
        }
        let (left, right) = self.book.ordered[first..first + one + other].split_at(one);
        let tone = |photos: &[&PhotoInput]| Tone::mean(photos.iter().filter_map(|photo| photo.tone));
        let apart = tone(left).zip(tone(right)).map_or(0.0, |(left, right)| left.apart(&right));
        let out = |photos: &[&PhotoInput], way: f64| {
            photos.iter().filter(|photo| photo.room_before().is_some_and(|room| room * way > 0.0)).count()
                as f64
        };
        CLASH * ((apart - ALIKE) / ALIKE).clamp(0.0, 1.0) + LOOKS_OUT * (out(left, -1.0) + out(right, 1.0))
    }

    /// What is held against the places of photos that open a part.
    fn opening(&self, first: usize, run: &Run, begins: bool) -> f64 {
        let opens = &self.book.opens[first..first + run.count];
        let inside = opens[1..].iter().filter(|opens| **opens).count() as f64 * OPENS_INSIDE;
        let here = match (opens[0], run.count, run.side.place) {
            (false, ..) => 0.0,
            (true, 1, Place::Page) => -OPENS,
            (true, 1, Place::Outer) => -OPENS * 0.6,
            (true, 1, _) => 0.0,
            (true, ..) => OPENS_BESIDE,
        };
        inside + here + if opens[0] && !begins { 0.2 } else { 0.0 }
    }

    /// What is held against tearing a burst that fits a page apart.
    fn torn(&self, first: usize, count: usize) -> f64 {
        let bursts = self.book.bursts;
        let is_cut =
            |at: usize| at > 0 && at < bursts.len() && bursts[at] != 0 && bursts[at] == bursts[at - 1];
        if is_cut(first + count) { 0.9 } else { 0.0 }
    }

    /// Every way to fill an opening from a photo on: of each number of photos and each kind the best.
    pub fn choices(&self, first: usize, opening: Opening) -> Vec<Choice> {
        let mut found: Vec<Option<Choice>> = vec![None; (2 * self.most + 1) * KINDS];
        let mut add = |choice: Choice| {
            let known = &mut found[choice.takes * KINDS + choice.kind];
            if known.is_none_or(|known| choice.cost < known.cost) {
                *known = Some(choice);
            }
        };
        let empty = |cost: f64, sparse: f64| match (self.is_sparse, self.book.chapters.is_empty()) {
            (true, _) => sparse,
            // parts can leave pages over
            (false, false) => cost,
            (false, true) => f64::INFINITY,
        };
        add(Choice { takes: 0, cost: empty(EMPTY_SPREAD, 0.6), kind: BLANK, setting: Setting::Blank });
        let photos = self.book.ordered.len();
        if first < photos {
            let begins = |index: usize| self.book.chapters.iter().any(|chapter| chapter.first == index);
            let end = (first + 1..photos).find(|index| begins(*index)).unwrap_or(photos);
            match opening {
                Opening::Spread if begins(first) => self.named(first, end, &mut add),
                Opening::Spread => self.open(first, end, empty(EMPTY_SIDE, 0.0), &mut add),
                Opening::Right | Opening::Left => {
                    for (run, cost) in self.runs(first, end, true) {
                        let (one, other) =
                            if opening == Opening::Right { (None, Some(run)) } else { (Some(run), None) };
                        add(self.sided(cost, one, other));
                    }
                }
            }
        }
        found.into_iter().flatten().collect()
    }

    /// What a side can hold from a photo on, at most up to another one, with what is held against it.
    fn runs(&self, first: usize, end: usize, begins: bool) -> Vec<(Run, f64)> {
        let most = self.most.min(end.saturating_sub(first));
        let of = |count: usize| {
            self.sides(first, count).iter().map(move |side| {
                let run = Run { count, side: *side };
                let is_road = self.has_people && count == 1 && !self.book.ordered[first].shows_people();
                let nobody = if is_road { NOBODY / 4.0 } else { 0.0 };
                (run, side.cost + nobody + self.opening(first, &run, begins) + self.torn(first, count))
            })
        };
        (1..=most).flat_map(of).collect()
    }

    /// A spread that begins with a chapter's name.
    fn named(&self, first: usize, end: usize, add: &mut impl FnMut(Choice)) {
        for (run, cost) in self.runs(first, end, true) {
            let large = matches!(run.side.place, Place::Page | Place::Outer) && run.count == 1;
            let cost = cost + (run.count - 1) as f64 * OPENS_BESIDE - if large { OPENS } else { 0.0 };
            add(Choice { takes: run.count, cost, kind: NAMED, setting: Setting::Named(run) });
        }
    }

    fn open(&self, first: usize, end: usize, empty: f64, add: &mut impl FnMut(Choice)) {
        if let Some(cost) = self.across(first) {
            add(Choice { takes: 1, cost, kind: ACROSS, setting: Setting::Across });
        }
        for (run, cost) in self.runs(first, end, true) {
            add(self.sided(cost + empty, None, Some(run)));
        }
        let behind: Vec<_> = (1..=self.most).map(|count| self.runs(first + count, end, false)).collect();
        for (one, so_far) in self.runs(first, end, true) {
            for (other, cost) in &behind[one.count - 1] {
                // no crowd of small pictures faces a large one
                let alike = one.count.max(other.count) <= MOST_TIMES * one.count.min(other.count);
                if alike && one.side.place.faces(other.side.place) {
                    let facing = self.facing(first, [one.count, other.count]);
                    let cost = so_far + cost + self.balance([one, *other]) + facing;
                    add(self.sided(cost, Some(one), Some(*other)));
                }
            }
        }
    }

    fn sided(&self, cost: f64, one: Option<Run>, other: Option<Run>) -> Choice {
        let takes = one.map_or(0, |run| run.count) + other.map_or(0, |run| run.count);
        let bleeds = |run: Option<Run>| usize::from(run.is_some_and(|run| run.side.place.bleeds()));
        let class = match takes {
            0..=2 => takes,
            3..=4 => 3,
            5..=7 => 4,
            _ => 5,
        };
        let kind = (bleeds(one) * 2 + bleeds(other)) * 6 + class;
        Choice { takes, cost, kind, setting: Setting::Sides(one, other) }
    }

    /// What is held against a photo over the fold, where it can stand so.
    fn across(&self, index: usize) -> Option<f64> {
        let photo = self.book.ordered[index];
        let fold = self.folds[index].as_ref()?;
        let density = self.book.options.density;
        let is_chosen = self.book.across.contains(&index);
        let is_wordless =
            photo.has_words && !fold.has_caption() && self.book.options.captions != super::Captions::None;
        let wordless = if is_wordless { WORDLESS } else { 0.0 };
        if is_chosen && (photo.is_panorama() || !self.is_sparse) {
            return Some(wordless + if photo.is_panorama() { PANORAMA } else { -0.9 });
        }
        let may = match density {
            _ if photo.is_panorama() => true,
            Density::Airy => true,
            Density::Even => !self.is_sparse || (self.book.opens[index] && fold.fills(self.grid.trim)),
            Density::Dense => false,
        };
        may.then_some(
            wordless
                + match density {
                    Density::Airy if self.is_sparse => PANORAMA / 2.0,
                    _ if self.is_sparse => -0.9,
                    _ if self.has_people && photo.shows_people() => UNASKED - NOBODY / 3.0,
                    _ if self.has_people => UNASKED + NOBODY,
                    _ => UNASKED,
                },
        )
    }

    pub fn beat(&self, choice: &Choice) -> Option<Beat> {
        match choice.kind {
            ACROSS => Some(Beat::Full),
            NAMED | BLANK => None,
            kind if matches!(kind / 6, 1 | 2) => Some(Beat::Contrast),
            _ if choice.takes as f64 > self.mean => Some(Beat::Many),
            _ => Some(Beat::Few),
        }
    }

    fn made(&self, count: usize, openings: &[Opening], chosen: &[(usize, Choice)]) -> Vec<Page> {
        let options = self.book.options;
        let mut pages: Vec<Page> = (0..count).map(|index| cover::quiet_page(index, count, options)).collect();
        let photos = self.book.ordered;
        let mut left = if openings[0] == Opening::Right { 0 } else { 1 };
        for (opening, (first, choice)) in openings.iter().zip(chosen) {
            let right = if *opening == Opening::Right { left } else { left + 1 };
            let mut put = |at: usize, first: usize, run: &Run| {
                pages[at] =
                    self.grid.page(&run.side, &photos[first..first + run.count], at.is_multiple_of(2));
            };
            match &choice.setting {
                Setting::Blank => {}
                Setting::Across => {
                    if let Some(fold) = &self.folds[*first] {
                        pages[left] = fold.page(photos[*first], Half::Left);
                        pages[right] = fold.page(photos[*first], Half::Right);
                    }
                }
                Setting::Named(run) => {
                    put(right, *first, run);
                    let chapter = self.book.chapters.iter().find(|chapter| chapter.first == *first);
                    if let Some(chapter) = chapter {
                        pages[left] = cover::chapter_page(chapter, options);
                    }
                }
                Setting::Sides(one, other) => {
                    let from = first + one.map_or(0, |run| run.count);
                    one.iter().for_each(|run| put(left, *first, run));
                    other.iter().for_each(|run| put(right, from, run));
                }
            }
            left = right + 1;
        }
        pages
    }
}
