//! How many pages a book gets, and how many photos stand on each.

use super::choose::Candidates;
use super::{COMFORTABLE_PER_PAGE, LayoutError, MAX_PER_PAGE, PageRange};

/// Photos on a page of a book that is free in its length.
const PHOTOS_PER_PAGE: f64 = 1.9;

/// The page count for `photos` photos and `others` pages without: see [`super::lay_out`].
pub(super) fn page_count(photos: usize, others: usize, range: PageRange) -> Result<usize, LayoutError> {
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
    let (unit, first, last) = within(fours, least(COMFORTABLE_PER_PAGE))
        .or_else(|| within(even, least(COMFORTABLE_PER_PAGE)))
        .or_else(|| within(fours, least(MAX_PER_PAGE)))
        .or_else(|| within(even, least(MAX_PER_PAGE)))
        .ok_or(LayoutError::TooManyPhotos { photos, fits: longest.saturating_mul(MAX_PER_PAGE) })?;

    let wished = (photos as f64 / PHOTOS_PER_PAGE).round() as usize + others;
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
pub(super) fn share_out(candidates: &Candidates, opens: &[bool], pages: usize, parted: bool) -> Vec<usize> {
    let photos = candidates.photos();
    let opener_inside = if parted { 1e6 } else { OPENER_INSIDE };
    let cost = |first: usize, count: usize| -> f64 {
        let fitting = candidates.get(first, count).iter().map(|candidate| candidate.fitted.cost);
        let shares = if opens[first] && count > 1 { OPENER_SHARES } else { 0.0 };
        let inside = opens[first + 1..first + count].iter().filter(|opens| **opens).count() as f64;
        fitting.fold(f64::INFINITY, f64::min) + shares + inside * opener_inside
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
        let (before, after) = bands.split_at_mut(page + 1);
        for (offset, step) in before[page].iter().enumerate() {
            let first = band_start(page) + offset;
            for count in 1..=candidates.most().min(photos.saturating_sub(first)) {
                let Some(target) = (first + count)
                    .checked_sub(band_start(page + 1))
                    .and_then(|offset| after[0].get_mut(offset))
                else {
                    continue;
                };
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
    for page in (1..=pages).rev() {
        sizes.push(count);
        let (_, before) = bands[page][placed - band_start(page)][count - 1];
        placed -= count;
        count = before;
    }
    sizes.reverse();
    sizes
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
        page_count(photos, 0, PageRange { min, max, step })
    }

    #[test]
    fn the_page_count_suits_the_goods() {
        assert_eq!(count(40, 8, 200, 2), Ok(20));
        assert_eq!(count(1, 24, 200, 2), Ok(24));
        assert_eq!(count(60, 16, 40, 2), Ok(32));
        assert_eq!(count(300, 16, 60, 4), Ok(60));
        assert_eq!(count(361, 16, 60, 4), Err(LayoutError::TooManyPhotos { photos: 361, fits: 360 }));
        assert_eq!(count(160, 16, 40, 2), Ok(40));
        assert_eq!(count(30, 10, 14, 3), Ok(12));
        // No multiple of four in the range: an even count.
        assert_eq!(count(37, 6, 7, 1), Err(LayoutError::TooManyPhotos { photos: 37, fits: 36 }));
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
        assert_eq!(page_count(40, 4, PageRange { min: 8, max: 200, step: 2 }), Ok(24));
        assert_eq!(page_count(160, 4, PageRange { min: 16, max: 40, step: 2 }), Ok(40));
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
