//! Photos that look alike: bursts, the same picture in several sizes, a second try.

use std::num::ParseIntError;

use serde::{Deserialize, Serialize};

/// What a photo looks like, as its served sizes were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// A perceptual hash: photos that look alike differ in few of its bits.
    pub hash: u64,
    /// The variance of what stands out from its surroundings; the larger, the sharper. Only photos of the same thing compare.
    pub sharpness: u32,
}

impl Look {
    /// The hash as it is kept: 16 hexadecimal digits.
    pub fn code(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// The hash of such digits.
    ///
    /// # Errors
    /// Where they are none.
    pub fn hash_of(code: &str) -> Result<u64, ParseIntError> {
        u64::from_str_radix(code, 16)
    }
}

/// A photo among others that may look like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub look: Look,
    /// Epoch milliseconds, where it is known.
    pub taken_at: Option<i64>,
    /// Its pixels: of the same picture in two sizes the larger is the better.
    pub pixels: u64,
}

impl Seen {
    /// How much is to be seen in it, among photos that look alike. A copy in fewer pixels looks sharper than it is: its edges are as
    /// steep and stand closer.
    pub(crate) fn detail(&self) -> u128 {
        u128::from(self.look.sharpness) * u128::from(self.pixels)
    }
}

/// Bits in which photos of one moment may differ.
const NEAR: u32 = 11;
/// Bits in which photos may differ that nobody says the time of, or that were taken at other times.
const SAME: u32 = 4;
/// How long one moment lasts, in ms.
pub(crate) const MOMENT_MS: i64 = 10 * 60_000;

/// Whether two photos look alike.
pub(crate) fn is_alike(one: &Seen, other: &Seen) -> bool {
    let apart = (one.look.hash ^ other.look.hash).count_ones();
    let together = matches!((one.taken_at, other.taken_at), (Some(one), Some(other)) if one.abs_diff(other) <= MOMENT_MS.unsigned_abs());
    apart <= if together { NEAR } else { SAME }
}

/// Groups of photos that look alike, by their places in the list; each has two or more, the best first: the sharpest, of
/// equally sharp ones the largest. The groups stand in the order of their first photos.
pub fn alike(photos: &[Seen]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, photo) in photos.iter().enumerate() {
        // a group is what looks like its first photo: no chain leads from a cat to a dog
        let known = groups.iter_mut().find(|group| is_alike(&photos[group[0]], photo));
        match known {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups.retain(|group| group.len() > 1);
    for group in &mut groups {
        group.sort_by_key(|index| (std::cmp::Reverse(photos[*index].detail()), *index));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(hash: u64, sharpness: u32, taken_at: Option<i64>) -> Seen {
        Seen { look: Look { hash, sharpness }, taken_at, pixels: 12_000_000 }
    }

    #[test]
    fn photos_of_one_moment_are_one_group_and_its_sharpest_is_first() {
        let photos = [
            seen(0xffff_0000, 40, Some(0)),
            seen(0x1234_5678_9abc_def0, 10, Some(1000)),
            seen(0xffff_0007, 90, Some(5000)),
            seen(0xffff_0001, 90, Some(90 * 60_000)),
            seen(0xffff_00ff, 90, Some(90 * 60_000)),
            seen(0x1234_5678_9abc_def1, 30, None),
        ];
        // the third differs in three bits in the same moment, the fourth in one bit hours later, the fifth in eight then
        assert_eq!(alike(&photos), [vec![2, 3, 0], vec![5, 1]]);
        assert_eq!(alike(&photos[..2]), Vec::<Vec<usize>>::new());
        // the larger of two copies of one picture
        let small = Seen { pixels: 1_000_000, ..seen(7, 100, None) };
        assert_eq!(alike(&[small, seen(7, 60, None)]), [vec![1, 0]]);
    }

    #[test]
    fn a_hash_is_kept_as_digits() {
        let look = Look { hash: 0x00ab_0000_0000_0001, sharpness: 3 };
        assert_eq!(look.code(), "00ab000000000001");
        assert_eq!(Look::hash_of(&look.code()), Ok(look.hash));
        assert!(Look::hash_of("no hash").is_err());
    }
}
