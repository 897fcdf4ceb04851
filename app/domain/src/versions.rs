//! Which versions of a work are kept.
//!
//! All of a sitting's are for a while; of what is older, ever fewer: the last of each hour for a day, of each day for a
//! month, of each month for ever. The first one stays, and whatever somebody refers to.

use crate::days::DAY_MS;
use std::collections::BTreeSet;

const HOUR_MS: i64 = 60 * 60_000;
const MONTH_MS: i64 = 30 * DAY_MS;

/// How many of the newest versions stay whatever their age, and how many refused saves beside them.
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    pub newest: usize,
    pub refused: usize,
}

impl Keep {
    /// While there is room.
    pub const ROOMY: Self = Self { newest: 50, refused: 20 };
    /// When the member's room is used up.
    pub const TIGHT: Self = Self { newest: 5, refused: 5 };
}

/// The numbers of the versions that can go. `versions` are `(number, saved at)`, epoch ms, the newest first; refused saves
/// have numbers below zero. Those in `referred` stay.
pub fn superfluous(versions: &[(i64, i64)], referred: &BTreeSet<i64>, keep: Keep, now: i64) -> Vec<i64> {
    let refused = versions.iter().filter(|(number, _)| *number < 0).skip(keep.refused);
    let mut slots = BTreeSet::new();
    let line = versions.iter().filter(|(number, _)| *number > 0).enumerate();
    let in_line = line.filter(|(index, (number, at))| {
        let age = now.saturating_sub(*at);
        let slot = if age < DAY_MS {
            (HOUR_MS, at.div_euclid(HOUR_MS))
        } else if age < MONTH_MS {
            (DAY_MS, at.div_euclid(DAY_MS))
        } else {
            (MONTH_MS, at.div_euclid(MONTH_MS))
        };
        let is_last_of_slot = slots.insert(slot);
        *index >= keep.newest && *number != 1 && !is_last_of_slot
    });
    let superfluous = refused.chain(in_line.map(|(_, version)| version));
    superfluous.map(|(number, _)| *number).filter(|number| !referred.contains(number)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_busy_year_leaves_few() {
        let now = 1_000 * DAY_MS;
        // a save every ten minutes, all year round
        let versions: Vec<(i64, i64)> =
            (0..52_560).map(|back| (52_560 - back, now - back * 10 * 60_000)).collect();
        let gone: BTreeSet<i64> =
            superfluous(&versions, &BTreeSet::new(), Keep::ROOMY, now).into_iter().collect();
        let stay = versions.len() - gone.len();
        assert!((90..=140).contains(&stay), "{stay} stay");
        assert!(!gone.contains(&1));
    }

    proptest! {
        #[test]
        fn what_is_new_first_or_referred_to_stays(
            ages in prop::collection::vec(0i64..400 * DAY_MS, 1..200),
            refused in 0i64..40,
            referred in prop::collection::btree_set(1i64..200, 0..10),
        ) {
            let now = 1_000 * DAY_MS;
            let mut times: Vec<i64> = ages.iter().map(|age| now - age).collect();
            times.sort_unstable();
            let mut versions: Vec<(i64, i64)> = (1..).zip(times).collect();
            versions.reverse();
            versions.extend((1..=refused).rev().map(|number| (-number, now)));
            for keep in [Keep::ROOMY, Keep::TIGHT] {
                let gone = superfluous(&versions, &referred, keep, now);
                prop_assert!(!gone.contains(&1));
                prop_assert!(gone.iter().all(|number| !referred.contains(number)));
                for (number, _) in versions.iter().take(keep.newest) {
                    prop_assert!(*number < 0 || !gone.contains(number), "{number} is new");
                }
                let refused_gone = gone.iter().filter(|number| **number < 0).count();
                prop_assert_eq!(refused_gone, (refused as usize).saturating_sub(keep.refused));
                // doing it again finds nothing more
                let left: Vec<_> =
                    versions.iter().filter(|(number, _)| !gone.contains(number)).copied().collect();
                prop_assert_eq!(superfluous(&left, &referred, keep, now), Vec::<i64>::new());
            }
        }
    }
}
