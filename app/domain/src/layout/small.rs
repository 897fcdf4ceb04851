//! Photos that are to stay small, whatever their pixels would allow.

use super::PhotoInput;
use crate::document::Trim;
use crate::resolution::LEAST_DPI;

/// The longest side of such a photo, in parts of the page's shorter one.
const LONGEST: f64 = 0.45;

impl PhotoInput {
    /// The photo with as many pixels as fill a small frame on such a page: then neither a page to its edges, nor two of them, nor
    /// the cover is for it, since all of these want [`LEAST_DPI`], and it weighs little among others.
    #[must_use]
    pub fn kept_small(self, trim: Trim) -> Self {
        let longest = trim.width.min(trim.height) * LONGEST / 25.4 * LEAST_DPI;
        let scale = (longest / f64::from(self.width.max(self.height).max(1))).min(1.0);
        let side = |length: u32| ((f64::from(length) * scale) as u32).clamp(1.min(length), length);
        Self { width: side(self.width), height: side(self.height), ..self }
    }
}
