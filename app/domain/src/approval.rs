//! When what somebody in the back office 后台 gives needs another one's agreement (the four-eyes principle).
//!
//! A bound on each press bounds nothing: presses add up. So it is one on what somebody gave alone within a day, of whatever
//! things, and on what was ever given alone of one thing, by whomever. An order is one thing, however many payments it had.

use crate::money::Fen;

/// For how long what somebody gave alone counts against it, in ms: a day.
pub const WINDOW_MS: i64 = 24 * 60 * 60_000;

/// What was given without another one's agreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Alone {
    /// By this person within [`WINDOW_MS`], of all things.
    pub lately: Fen,
    /// Of this thing, by anybody at any time.
    pub of_this: Fen,
}

impl Alone {
    /// Whether so much more may be given alone, where neither may come to more than the limit.
    pub fn may_give(self, amount: Fen, limit: Fen) -> bool {
        let within = |before: Fen| before.plus(amount).is_ok_and(|sum| sum <= limit);
        within(self.lately) && within(self.of_this)
    }
}

/// What money that is sent back from a payment counts against: the order that it was for, so that several payments of one order
/// have one limit; a payment for no order has its own.
pub fn counts_against<'a>(payment: &'a str, order: Option<&'a str>) -> &'a str {
    order.unwrap_or(payment)
}

/// Whether somebody may agree to what somebody asked for: nobody agrees to its own request.
pub fn may_agree(asked_by: &str, by: &str) -> bool {
    asked_by != by
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A press: who, of which thing, how much, and how long after the one before; of what was given, when.
    type Press = (usize, usize, i64, i64);

    fn presses() -> impl Strategy<Value = Vec<Press>> {
        prop::collection::vec((0..3usize, 0..4usize, 1..60_000i64, 0..WINDOW_MS / 3), 1..120)
    }

    proptest! {
        #[test]
        fn no_presses_come_to_more_than_the_limit(presses in presses(), limit in 0..100_000i64) {
            let mut given: Vec<Press> = Vec::new();
            let mut now = 0;
            for (who, thing, amount, later) in presses {
                now += later;
                let sum = |of: &dyn Fn(&Press) -> bool| {
                    Fen(given.iter().filter(|one| of(one)).map(|(.., amount, _)| amount).sum())
                };
                let alone = Alone {
                    lately: sum(&|(giver, _, _, at)| *giver == who && *at > now - WINDOW_MS),
                    of_this: sum(&|(_, of, ..)| *of == thing),
                };
                if alone.may_give(Fen(amount), Fen(limit)) {
                    given.push((who, thing, amount, now));
                }
            }
            for (index, (who, thing, _, at)) in given.iter().enumerate() {
                let day = given.iter().take(index + 1).filter(|(giver, _, _, then)| giver == who && *then > at - WINDOW_MS);
                prop_assert!(day.map(|(.., amount, _)| amount).sum::<i64>() <= limit);
                let whole = given.iter().filter(|(_, of, ..)| of == thing);
                prop_assert!(whole.map(|(.., amount, _)| amount).sum::<i64>() <= limit);
            }
        }
    }

    proptest! {
        /// However it is split over an order's payments, and whoever sends it back: no more than the limit goes alone.
        #[test]
        fn an_orders_payments_have_one_limit(presses in presses(), limit in 0..100_000i64) {
            // the first two payments are for one order, the others for none
            let order_of = |payment: usize| (payment < 2).then_some("order");
            let names = ["p0", "p1", "p2", "p3"];
            let against = |payment: usize| counts_against(names[payment], order_of(payment));
            let mut given: Vec<(usize, usize, i64)> = Vec::new();
            for (who, payment, amount, _) in presses {
                let of_this = given.iter().filter(|(_, of, _)| against(*of) == against(payment));
                let alone = Alone { lately: Fen::ZERO, of_this: Fen(of_this.map(|(.., amount)| amount).sum()) };
                if alone.may_give(Fen(amount), Fen(limit)) {
                    given.push((who, payment, amount));
                }
            }
            let of_order = given.iter().filter(|(_, of, _)| order_of(*of).is_some());
            prop_assert!(of_order.map(|(.., amount)| amount).sum::<i64>() <= limit);
        }
    }

    #[test]
    fn a_limit_adds_up() {
        let limit = Fen(50_000);
        let alone = |lately, of_this| Alone { lately: Fen(lately), of_this: Fen(of_this) };
        assert!(alone(0, 0).may_give(Fen(50_000), limit));
        assert!(!alone(0, 0).may_give(Fen(50_001), limit));
        assert!(!alone(49_000, 49_000).may_give(Fen(49_000), limit), "of one order, twice");
        assert!(!alone(49_000, 0).may_give(Fen(1_001), limit), "of another order");
        assert!(!alone(0, 49_000).may_give(Fen(1_001), limit), "by somebody else");
        assert!(!alone(0, 0).may_give(Fen(i64::MAX), limit) && !alone(1, 1).may_give(Fen(i64::MAX), limit));
    }
}
