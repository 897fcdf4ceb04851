//! The best way through a whole book: which spread follows which.

use std::collections::BTreeMap;

use super::compose::{BLANK, Choice, KINDS, Opening, Table};

/// The most spreads of one kind in a row.
const ALIKE: usize = 3;
/// How far the photos may run ahead of or behind an even distribution.
const DRIFT: usize = 36;

/// What speaks for the spread that the rhythm asks for.
const IN_RHYTHM: f64 = 0.4;
/// What is held against a spread like the one before it, and against a fourth.
const AGAIN: f64 = 0.3;
const TOO_OFTEN: f64 = 60.0;

impl Table<'_> {
    /// The best way through the whole book: for each opening the first of its photos, and what it shows.
    pub fn choose(&self, openings: &[Opening]) -> Option<Vec<(usize, Choice)>> {
        #[derive(Clone, Copy)]
        struct Cell {
            cost: f64,
            /// The cell before, and what led here: how many photos, and which of their choices.
            from: u32,
            takes: u16,
            choice: u16,
        }
        const FREE: Cell = Cell { cost: f64::INFINITY, from: 0, takes: 0, choice: 0 };
        const CELLS: usize = KINDS * ALIKE;
        let (photos, count) = (self.book.ordered.len(), openings.len());
        let start = |at: usize| (at * photos / count.max(1)).saturating_sub(DRIFT);
        let width = 2 * DRIFT + 1;
        let cell = |offset: usize, kind: usize, run: usize| offset * CELLS + kind * ALIKE + run - 1;
        let mut levels = vec![vec![FREE; width * CELLS]];
        levels[0][cell(0, BLANK, 1)].cost = 0.0;
        let rhythm = self.grid.composition.rhythm;
        let mut known: BTreeMap<(usize, Opening), Vec<Choice>> = BTreeMap::new();
        for (at, opening) in openings.iter().enumerate() {
            let mut after = vec![FREE; width * CELLS];
            let before = &levels[at];
            let even = (at + 1) as f64 * photos as f64 / count as f64;
            let wished = rhythm[at % rhythm.len()];
            for offset in 0..width {
                let first = start(at) + offset;
                let cells = cell(offset, 0, 1)..cell(offset, 0, 1) + CELLS;
                let cheapest = |of: &dyn Fn(&usize) -> bool| {
                    let cells = cells.clone().filter(of);
                    cells.min_by(|one, other| before[*one].cost.total_cmp(&before[*other].cost))
                };
                let Some(best) = cheapest(&|_| true).filter(|it| before[*it].cost.is_finite()) else {
                    continue;
                };
                let kind_of = |at: usize| at % CELLS / ALIKE;
                let other = cheapest(&|it| kind_of(*it) != kind_of(best)).unwrap_or(best);
                let choices = known.entry((first, *opening)).or_insert_with(|| self.choices(first, *opening));
                for (index, choice) in choices.iter().enumerate() {
                    let placed = first + choice.takes;
                    let target = placed.checked_sub(start(at + 1)).filter(|target| *target < width);
                    let Some(target) = target.filter(|_| placed <= photos) else { continue };
                    let beat = if self.beat(choice) == Some(wished) { IN_RHYTHM } else { 0.0 };
                    let ahead = placed as f64 - even;
                    let uneven = ahead * ahead * if self.is_sparse { 0.4 } else { 0.004 };
                    let mut reach = |from: usize, run: usize, more: f64| {
                        let cost = before[from].cost + choice.cost - beat + uneven + more;
                        let to = &mut after[cell(target, choice.kind, run)];
                        if cost.is_finite() && cost < to.cost {
                            let (takes, choice) = (choice.takes as u16, index as u16);
                            *to = Cell { cost, from: from as u32, takes, choice };
                        }
                    };
                    reach(if kind_of(best) == choice.kind { other } else { best }, 1, 0.0);
                    for run in 1..=ALIKE {
                        let more = if run < ALIKE { AGAIN } else { TOO_OFTEN };
                        reach(cell(offset, choice.kind, run), (run + 1).min(ALIKE), more);
                    }
                }
            }
            levels.push(after);
        }
        let offset = photos.checked_sub(start(count)).filter(|offset| *offset < width)?;
        let ends = cell(offset, 0, 1)..cell(offset, 0, 1) + CELLS;
        let mut at =
            ends.min_by(|one, other| levels[count][*one].cost.total_cmp(&levels[count][*other].cost))?;
        if levels[count][at].cost.is_infinite() {
            return None;
        }
        let mut chosen = Vec::with_capacity(count);
        let mut first = photos;
        for (level, opening) in levels[1..].iter().zip(openings).rev() {
            let Cell { from, takes, choice, .. } = level[at];
            first -= usize::from(takes);
            chosen.push((first, known.get(&(first, *opening))?[usize::from(choice)]));
            at = from as usize;
        }
        chosen.reverse();
        Some(chosen)
    }
}
