//! How finely a picture prints, in dots per inch: the one place that says what is enough.
//!
//! The layout keeps to it, preflight judges by it, and the pages and the editor say it.

/// From here on a photo prints well (product page, section 3, "Editor").
pub const GOOD_DPI: f64 = 250.0;
/// The least that a photo is laid out for: under it, it is visibly coarse.
pub const LEAST_DPI: f64 = 150.0;
/// What frames on hundredths of a millimetre and whole pixels may take of either, in dots per inch. No eye sees it.
const TOLERANCE_DPI: f64 = 1.0;
/// From here on nothing is said of a photo that was made for [`LEAST_DPI`].
pub const COARSE_BELOW_DPI: f64 = LEAST_DPI - TOLERANCE_DPI;

/// Whether a picture is visibly coarse in print.
#[must_use]
pub fn is_coarse(dpi: f64) -> bool {
    dpi < COARSE_BELOW_DPI
}

/// Whether a picture prints as well as one could wish. One that is made for it must not fail by a rounding of numbers.
#[must_use]
pub fn is_good(dpi: f64) -> bool {
    dpi + 0.01 >= GOOD_DPI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_laid_out_for_the_least_is_not_coarse_by_a_rounding() {
        let verdicts = [149.0, 149.96, 150.0, 148.99, 120.0].map(is_coarse);
        assert_eq!(verdicts, [false, false, false, true, true]);
        assert_eq!([250.0, 249.995, 249.9].map(is_good), [true, true, false]);
    }
}
