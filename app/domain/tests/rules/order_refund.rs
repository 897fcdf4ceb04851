//! What goes back when copies of an order's lines are refunded by themselves.

use domain::money::Fen;
use domain::order_refund::{Line, Paid, Problem, reckon, share, unsent_of};
use domain::parcel::Copies;
use proptest::prelude::*;

fn copies(of: &[(i64, u32)]) -> Copies {
    of.iter().copied().collect()
}

/// Lines of a total and so many copies, and what was paid for sending.
fn paid(lines: &[(i64, u32)], shipping: i64) -> Paid {
    let line = |(index, (total, copies)): (usize, &(i64, u32))| {
        (index as i64 + 1, Line { total: Fen(*total), copies: *copies, refunded: 0 })
    };
    let left = Fen(lines.iter().map(|(total, _)| total).sum::<i64>() + shipping);
    Paid { lines: lines.iter().enumerate().map(line).collect(), shipping: Fen(shipping), left }
}

#[test]
fn a_copy_costs_its_part_of_the_line() {
    // a discount that does not divide evenly
    let order = paid(&[(10_000, 3), (5_000, 1)], 800);
    let one = reckon(&order, &copies(&[(1, 1)]), false).unwrap();
    assert_eq!((one.amount().unwrap(), one.shipping, one.is_last), (Fen(3_333), Fen::ZERO, false));
    assert_eq!(reckon(&order, &copies(&[(1, 2)]), false).unwrap().amount().unwrap(), Fen(6_666));
    assert_eq!(reckon(&order, &copies(&[(1, 3)]), false).unwrap().amount().unwrap(), Fen(10_000));
    assert_eq!(reckon(&order, &copies(&[(1, 1)]), true).unwrap().amount().unwrap(), Fen(4_133));
    let all = reckon(&order, &copies(&[(1, 3), (2, 1)]), false).unwrap();
    assert_eq!(
        (all.amount().unwrap(), all.is_last),
        (Fen(15_800), true),
        "the last copies take all that is left"
    );
    let capped = Paid { left: Fen(4_000), ..order.clone() };
    assert_eq!(reckon(&capped, &copies(&[(1, 2)]), true).unwrap().amount().unwrap(), Fen(4_000));
}

#[test]
fn what_is_not_there_is_not_refunded() {
    let mut order = paid(&[(10_000, 3), (5_000, 1)], 800);
    let of = |order: &Paid, wanted: &[(i64, u32)]| reckon(order, &copies(wanted), true).unwrap_err();
    assert_eq!(of(&order, &[]), Problem::Nothing);
    assert_eq!(of(&order, &[(1, 0)]), Problem::Nothing);
    assert_eq!(of(&order, &[(1, 4)]), Problem::TooMany { line: 1, left: 3 });
    assert_eq!(of(&order, &[(3, 1)]), Problem::TooMany { line: 3, left: 0 });
    assert_eq!(of(&order, &[(1, u32::MAX)]), Problem::TooMany { line: 1, left: 3 });
    order.lines.get_mut(&1).unwrap().refunded = 2;
    assert_eq!(of(&order, &[(1, 2)]), Problem::TooMany { line: 1, left: 1 });
    order.left = Fen::ZERO;
    assert_eq!(of(&order, &[(1, 1)]), Problem::NoMoney);
}

#[test]
fn what_was_not_sent_is_refunded_first() {
    let unsent = copies(&[(1, 3)]);
    assert_eq!(unsent_of(&copies(&[(1, 2), (2, 1)]), &unsent), copies(&[(1, 2)]));
    assert_eq!(unsent_of(&copies(&[(1, 5)]), &unsent), copies(&[(1, 3)]));
}

/// What a clerk does with an order's money.
#[derive(Debug, Clone)]
enum Press {
    Copies(Copies, bool),
    Part(i64),
    Whole,
}

fn press() -> impl Strategy<Value = Press> {
    let some = proptest::collection::btree_map(1..6i64, 0..5u32, 0..4);
    prop_oneof![
        6 => (some, any::<bool>()).prop_map(|(copies, shipping)| Press::Copies(copies, shipping)),
        1 => (1..5_000i64).prop_map(Press::Part),
        1 => Just(Press::Whole),
    ]
}

proptest! {
    /// Whatever is pressed, one after the other: no more goes back than was paid, each copy once.
    #[test]
    fn no_more_goes_back_than_was_paid(
        lines in proptest::collection::vec((0..100_000i64, 1..8u32), 1..5),
        shipping in 0..3_000i64,
        presses in proptest::collection::vec(press(), 0..14),
    ) {
        let mut order = paid(&lines, shipping);
        let total = order.left;
        let mut back = Fen::ZERO;
        for press in presses {
            let amount = match press {
                Press::Whole => order.left,
                Press::Part(amount) if Fen(amount) <= order.left => Fen(amount),
                Press::Part(_) => continue,
                Press::Copies(copies, with_shipping) => {
                    let Ok(given) = reckon(&order, &copies, with_shipping) else { continue };
                    for (line, wanted) in &copies {
                        if let Some(line) = order.lines.get_mut(line) {
                            line.refunded += wanted;
                        }
                    }
                    order.shipping = order.shipping.minus(given.shipping).unwrap().max(Fen::ZERO);
                    if given.is_last {
                        prop_assert_eq!(given.amount().unwrap(), order.left);
                    }
                    given.amount().unwrap()
                }
            };
            back = back.plus(amount).unwrap();
            order.left = order.left.minus(amount).unwrap();
            prop_assert!(back <= total && !order.left.is_negative());
            prop_assert_eq!(back.plus(order.left).unwrap(), total);
        }
        prop_assert!(order.lines.values().all(|line| line.refunded <= line.copies));
    }

    /// Copy by copy or all at once: a line gives back its total, to the fen.
    #[test]
    fn copies_add_up_to_their_line(
        total in 0..10_000_000i64,
        (count, cuts) in (1..60u32).prop_flat_map(|count| (Just(count), proptest::collection::vec(1..9u32, 0..60))),
    ) {
        let mut line = Line { total: Fen(total), copies: count, refunded: 0 };
        let mut back = Fen::ZERO;
        for cut in cuts.into_iter().chain([count]) {
            let cut = cut.min(line.left());
            back = back.plus(line.price(cut).unwrap()).unwrap();
            line.refunded += cut;
            prop_assert_eq!(back, share(line.total, line.refunded, count).unwrap());
        }
        prop_assert_eq!(back, Fen(total));
    }
}
