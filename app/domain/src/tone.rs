//! The colour of a photo as a whole.

use serde::{Deserialize, Serialize};

/// The mean colour of a photo in CIELAB (CIE 15, D65): lightness from 0 to 100, red against green, yellow against blue.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tone {
    pub l: f64,
    pub a: f64,
    pub b: f64,
}

impl Tone {
    /// How far two are apart (ΔE*ab, CIE 1976): about 2 is seen side by side, 50 is another mood.
    pub fn apart(&self, other: &Self) -> f64 {
        let (l, a, b) = (self.l - other.l, self.a - other.a, self.b - other.b);
        (l * l + a * a + b * b).sqrt()
    }

    /// The mean of some; none of nothing.
    pub fn mean(tones: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut count = 0.0;
        let sum = tones.into_iter().fold(Self { l: 0.0, a: 0.0, b: 0.0 }, |sum, tone| {
            count += 1.0;
            Self { l: sum.l + tone.l, a: sum.a + tone.a, b: sum.b + tone.b }
        });
        (count > 0.0).then(|| Self { l: sum.l / count, a: sum.a / count, b: sum.b / count })
    }
}
