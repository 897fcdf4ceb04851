//! How many pages a book gets, and how many photos stand on each.

use super::choose::Candidates;
use super::{Density, LayoutError, MAX_PER_PAGE, PageRange};

/// The page count for `photos` photos and `others` pages without: see [`super::lay_out`].
pub(super) fn page_count(
    photos: usize,
    others: usize,
    range: PageRange,
    density: Density,
) -> Result<usize, LayoutError> {
    let wished = (photos as f64 / density.per_page()).round() as usize + others;
    page_count_near(wished, photos, others, range, density)
}

/// The same, as near as it can be to so many pages.
pub(super) fn page_count_near(
    wished: usize,
    photos: usize,
    others: usize,
    range: PageRange,
    density: Density,
) -> Result<usize, LayoutError> {
    let (min, max) = (range.min.max(2) as usize, range.max as usize);
    let step = range.step.max(1) as usize;
    let least = |per_page: usize| min.max(photos.div_ceil(per_page) + others);
    // The multiples of `unit` that lie in the range, from `from` on, as their first and last.
    let within = |unit: usize, from: usize| {
        let (first, last) = (from.div_ceil(unit) * unit, max / unit * unit);
        (first <= last).then_some((unit, first, last))
    };
    let even = common_multiple(step, 2);
    let (_, _, longest) = within(even, min).ok_or(LayoutError::NoPageCount)?;
    let fours = common_multiple(step, 4);
    let comfortable = density.comfortable();
    let (unit, first, last) = within(fours, least(comfortable))
        .or_else(|| within(even, least(comfortable)))
        .or_else(|| within(fours, least(MAX_PER_PAGE)))
        .or_else(|| within(even, least(MAX_PER_PAGE)))
        .ok_or(LayoutError::TooManyPhotos { photos, fits: longest.saturating_mul(MAX_PER_PAGE) })?;

    let near = (wished + unit / 2) / unit * unit;
    Ok(near.clamp(first, last))
}

fn common_multiple(one: usize, other: usize) -> usize {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one / a * other
}

/// What is held against a page with as many photos as the page before it: a book needs a rhythm.
const SAME_COUNT: f64 = 0.15;
/// What is held against a part's first photo that shares its page, and against one inside a page.
const OPENER_SHARES: f64 = 0.6;
const OPENER_INSIDE: f64 = 2.0;
/// How far the photos may run ahead of or behind an even distribution over the pages, in photos. It keeps the
/// density of a book even and the work proportional to the number of photos.
const DRIFT: usize = 24;

/// Shares the photos out over `pages` pages (at most one for each photo, at least one for every
/// [`Candidates::most`]): the number of photos on each page, at the least total cost. With `parted` no page holds photos of two parts of the
/// book, if that can be.
///
/// `halves` says which photos are halves of one across the fold: each has its page alone, the left one a left-hand page.
/// `before` says how many pages without photos stand before each photo's page.
pub(super) fn share_out(
    candidates: &Candidates,
    opens: &[bool],
    pages: usize,
    parted: bool,
    halves: &[Option<Half>],
    before: &[usize],
) -> Option<Vec<usize>> {
    let photos = candidates.photos();
    let opener_inside = match parted {
        // the chapter's page would be missing, and every photo across the fold behind it on the wrong side
        true if halves.iter().any(Option::is_some) => f64::INFINITY,
        true => 1e6,
        false => OPENER_INSIDE,
    };
    let cost = |first: usize, count: usize| -> f64 {
        let fitting = candidates.get(first, count).iter().map(|candidate| candidate.fitted.cost);
        let shares = if opens[first] && count > 1 { OPENER_SHARES } else { 0.0 };
        let inside = opens[first + 1..first + count].iter().filter(|opens| **opens).count() as f64;
        let inside = if inside > 0.0 { inside * opener_inside } else { 0.0 };
        fitting.fold(f64::INFINITY, f64::min) + shares + inside
    };
    let costs: Vec<[f64; MAX_PER_PAGE]> = (0..photos)
        .map(|first| {
            std::array::from_fn(|index| {
                if index < candidates.most() && first + index < photos {
                    cost(first, index + 1)
                } else {
                    f64::INFINITY
                }
            })
        })
        .collect();

    // For each number of pages filled so far: a band of photo counts placed so far, and for each of them the
    // least cost and the page before, by the number of photos on the last page.
    type Step = [(f64, usize); MAX_PER_PAGE];
    const UNREACHED: Step = [(f64::INFINITY, 0); MAX_PER_PAGE];
    let band_start = |page: usize| (page * photos / pages).saturating_sub(DRIFT);
    let mut bands: Vec<Vec<Step>> = vec![vec![UNREACHED; 2 * DRIFT + 1]; pages + 1];
    let begin = [(0.0, 0); MAX_PER_PAGE];
    bands[0][0] = begin;
    for page in 0..pages {
        let (filled, after) = bands.split_at_mut(page + 1);
        for (offset, step) in filled[page].iter().enumerate() {
            let first = band_start(page) + offset;
            if step.iter().all(|(so_far, _)| so_far.is_infinite()) {
                continue;
            }
            for count in 1..=candidates.most().min(photos.saturating_sub(first)) {
                let Some(target) = (first + count)
                    .checked_sub(band_start(page + 1))
                    .and_then(|offset| after[0].get_mut(offset))
                else {
                    continue;
                };
                if !stands(halves, first, count, page + before[first]) {
                    continue;
                }
                for (index, &(so_far, _)) in step.iter().enumerate() {
                    let rhythm = if page > 0 && index + 1 == count { SAME_COUNT } else { 0.0 };
                    let total = so_far + costs[first][count - 1] + rhythm;
                    if total < target[count - 1].0 {
                        target[count - 1] = (total, index + 1);
                    }
                }
            }
        }
    }

    let mut sizes = Vec::with_capacity(pages);
    let mut placed = photos;
    let last = &bands[pages][photos - band_start(pages)];
    let mut count =
        (1..=MAX_PER_PAGE).min_by(|one, other| last[one - 1].0.total_cmp(&last[other - 1].0)).unwrap_or(1);
    // without halves every page has its photos somehow
    if last[count - 1].0.is_infinite() && halves.iter().any(Option::is_some) {
        return None;
    }
    for page in (1..=pages).rev() {
        sizes.push(count);
        let (_, before) = bands[page][placed - band_start(page)][count - 1];
        placed -= count;
        count = before;
    }
    sizes.reverse();
    Some(sizes)
}

/// A half of a photo that stands across the fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Left,
    Right,
}

/// Those photos of `across` (by their places in the order) that can begin on a left-hand page, and how many pages the book
/// has then at its density. `photos` is how many there are in all, `chapters` the first photos of those parts that have a
/// page before them.
pub(super) fn on_left_pages(
    across: &[usize],
    photos: usize,
    chapters: &[usize],
    density: Density,
) -> (Vec<usize>, usize) {
    let mut kept = Vec::with_capacity(across.len());
    // photos that are placed, and pages that are filled
    let (mut placed, mut pages) = (0, 0_usize);
    for &index in across {
        let between = index - placed;
        let named = chapters.iter().filter(|first| (placed..=index).contains(*first)).count();
        let even_so_far = (pages + named).is_multiple_of(2);
        // the page after these has an odd index
        let fits = |count: usize| (count % 2 == 1) == even_so_far;
        let least = between.div_ceil(density.comfortable());
        let ideal = (between as f64 / density.per_page()).round() as usize;
        let found = (least..=between).filter(|count| fits(*count)).min_by_key(|count| count.abs_diff(ideal));
        let Some(count) = found else { continue };
        kept.push(index);
        pages += named + count + 2;
        placed = index + 1;
    }
    let rest = photos - placed;
    let named = chapters.iter().filter(|first| **first >= placed).count();
    (kept, pages + named + (rest as f64 / density.per_page()).round() as usize)
}

/// Whether `count` photos from `first` on may stand on the page at `slot`: a half stands alone, on its own side.
fn stands(halves: &[Option<Half>], first: usize, count: usize, slot: usize) -> bool {
    match halves[first] {
        Some(half) => count == 1 && (half == Half::Left) != slot.is_multiple_of(2),
        None => halves[first..first + count].iter().all(Option::is_none),
    }
}

/// Which of the book's `count` pages the `filled` pages with photos are, in order. Where there are more pages
/// than photos, the first becomes the title page and then the last the closing page; the pages that are still
/// left over are spread evenly, left-hand ones first, so that photos stand on the right and face a quiet page.
pub(super) fn slots(filled: usize, count: usize) -> Vec<usize> {
    let first = usize::from(filled < count);
    let end = if filled + 1 < count { count - 1 } else { count };
    let left_hand = |slot: &usize| !slot.is_multiple_of(2);
    let empty = (end - first) - filled;
    let lefts: Vec<usize> = (first..end).filter(left_hand).collect();
    let rights: Vec<usize> = (first..end).filter(|slot| !left_hand(slot)).collect();
    let mut quiet = spread(&lefts, empty.min(lefts.len()));
    quiet.extend(spread(&rights, empty.saturating_sub(lefts.len())));
    (first..end).filter(|slot| !quiet.contains(slot)).collect()
}

/// `count` of the given pages, at even distances.
fn spread(pages: &[usize], count: usize) -> Vec<usize> {
    (0..count).map(|index| pages[(2 * index + 1) * pages.len() / (2 * count)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(photos: usize, min: u32, max: u32, step: u32) -> Result<usize, LayoutError> {
        page_count(photos, 0, PageRange { min, max, step }, Density::Even)
    }

    #[test]
    fn the_page_count_suits_the_goods() {
        assert_eq!(count(40, 8, 200, 2), Ok(20));
        assert_eq!(count(1, 24, 200, 2), Ok(24));
        assert_eq!(count(60, 16, 40, 2), Ok(32));
        assert_eq!(count(300, 16, 60, 4), Ok(60));
        assert_eq!(count(541, 16, 60, 4), Err(LayoutError::TooManyPhotos { photos: 541, fits: 540 }));
        assert_eq!(count(160, 16, 40, 2), Ok(40));
        assert_eq!(count(30, 10, 14, 3), Ok(12));
        // No multiple of four in the range: an even count.
        assert_eq!(count(55, 6, 7, 1), Err(LayoutError::TooManyPhotos { photos: 55, fits: 54 }));
        assert_eq!(count(30, 6, 7, 1), Ok(6));
        assert_eq!(count(24, 6, 7, 1), Ok(6));
        // The multiple of four holds too few.
        assert_eq!(count(22, 4, 6, 2), Ok(6));
        assert_eq!(count(9, 7, 7, 1), Err(LayoutError::NoPageCount));
        assert_eq!(count(9, 20, 10, 2), Err(LayoutError::NoPageCount));
        assert_eq!(count(9, 0, 0, 0), Err(LayoutError::NoPageCount));
        assert_eq!(count(9, 0, u32::MAX, 0), Ok(4));
    }

    #[test]
    fn pages_without_photos_come_on_top() {
        assert_eq!(page_count(40, 4, PageRange { min: 8, max: 200, step: 2 }, Density::Even), Ok(24));
        assert_eq!(page_count(160, 4, PageRange { min: 16, max: 40, step: 2 }, Density::Even), Ok(40));
    }

    #[test]
    fn padding_begins_with_a_title_and_ends_with_a_closing_page() {
        assert_eq!(slots(4, 4), [0, 1, 2, 3]);
        assert_eq!(slots(3, 4), [1, 2, 3]);
        assert_eq!(slots(2, 4), [1, 2]);
        assert_eq!(slots(1, 4), [2]);
        assert_eq!(slots(4, 10), [2, 4, 6, 8]);
        assert_eq!(slots(6, 10), [1, 2, 4, 5, 6, 8]);
        assert_eq!(slots(1, 24).len(), 1);
        for count in (2..40).step_by(2) {
            for filled in 1..=count {
                let slots = slots(filled, count);
                assert_eq!(slots.len(), filled);
                assert!(slots.is_sorted());
            }
        }
    }
}
