//! Sets of photos as people have them, made by numbers.

use domain::document::Crop;
use domain::faces::Face;
use domain::layout::PhotoInput;

/// What a set of photos is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Days of travel: wide ones and tall ones, a panorama now and then.
    Travel,
    /// A family: faces on most of them.
    Family,
    /// Bursts of four to six.
    Bursts,
    /// A crowd of forty on every fifth.
    Crowds,
    /// Nobody says when.
    Timeless,
    /// All of one shape.
    Alike,
    /// All of a phone's screen.
    Screens,
    /// All tall.
    Tall,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Travel,
        Self::Family,
        Self::Bursts,
        Self::Crowds,
        Self::Timeless,
        Self::Alike,
        Self::Screens,
        Self::Tall,
    ];
}

/// A small generator of numbers (xorshift), so that every machine makes the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % most
    }
}

/// A set of so many.
pub fn photos(kind: Kind, count: usize, seed: u64) -> Vec<PhotoInput> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ ((seed + 1) * 7919 + count as u64));
    let mut time = 1_777_593_600_000_i64;
    let mut burst = 0;
    let mut shape = (4032, 3024);
    (0..count)
        .map(|number| {
            if burst == 0 {
                time += 60_000 * (1 + numbers.below(40) as i64);
                if numbers.below(9) == 0 {
                    time += 15 * 3_600_000;
                }
                shape = match (kind, numbers.below(20)) {
                    (Kind::Screens, _) => (1170, 2532),
                    (Kind::Alike, _) => (4032, 3024),
                    (Kind::Tall, _) => (3024, 4032),
                    (Kind::Travel, 0) => (12_000, 4_000),
                    (_, 1..=6) => (3024, 4032),
                    (_, 7..=9) => (6000, 4000),
                    (_, 10) => (3000, 3000),
                    (_, 11) => (3840, 2160),
                    (_, 12) => (4000, 6000),
                    _ => (4032, 3024),
                };
                if kind == Kind::Bursts && numbers.below(4) == 0 {
                    burst = 3 + numbers.below(3);
                }
            } else {
                burst -= 1;
                time += 400;
            }
            let faces = match kind {
                Kind::Family => numbers.below(4),
                Kind::Crowds if number % 5 == 0 => 40,
                _ => 0,
            };
            let faces = (0..faces).map(|face| {
                let of = |numbers: &mut Numbers| 0.1 + numbers.below(70) as f64 / 100.0;
                let (x, y) = (of(&mut numbers), of(&mut numbers));
                let size = if kind == Kind::Crowds { 0.03 } else { 0.12 };
                let area = Crop { x, y: y * 0.8, width: size, height: size };
                Face { area, confidence: 0.99 - face as f64 / 100.0 }
            });
            PhotoInput {
                taken_at: (kind != Kind::Timeless).then_some(time),
                faces: faces.collect(),
                ..PhotoInput::new(format!("photo-{number:03}").parse().expect("an id"), shape.0, shape.1)
            }
        })
        .collect()
}
