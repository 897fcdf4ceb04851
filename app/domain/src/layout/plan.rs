//! How many pages a book gets.

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
}
