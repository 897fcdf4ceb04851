//! Invoices: the check of a company's code, and the one table of transitions.

use std::collections::BTreeSet;

use domain::invoice::{
    CreditCode, InvoiceState, Issued, NotACreditCode, NotMoved, Red, TRANSITIONS, Title, is_invoiced,
};
use domain::money::Fen;
use domain::order_state::{Actor, OrderState};
use proptest::prelude::*;

const ALPHABET: &str = "0123456789ABCDEFGHJKLMNPQRTUWXY";

fn read(text: &str) -> Result<CreditCode, NotACreditCode> {
    text.parse()
}

/// The example of GB 32100-2015, and codes that companies publish.
#[test]
fn published_codes_are_right() {
    for code in [
        "91350100M000100Y43",
        "91440300708461136T",
        "91330100799655058B",
        "91110000802100433B",
        "91110108551385082Q",
        "914403001922038216",
        "9144030071526726XG",
    ] {
        assert_eq!(read(code).map(|code| code.to_string()), Ok(code.to_owned()));
    }
}

#[test]
fn what_was_typed_is_read_kindly() {
    let code = read("91350100M000100Y43").expect("a code");
    for typed in [
        "91350100m000100y43",
        "  9135 0100 M000 100Y 43 ",
        "９１３５０１００Ｍ０００１００Ｙ４３",
        "91350100M000\u{3000}100Y43\t",
    ] {
        assert_eq!(read(typed), Ok(code.clone()), "{typed}");
    }
    assert_eq!(code.as_str(), "91350100M000100Y43");
}

#[test]
fn each_mistake_has_its_own_sentence() {
    for (typed, wrong) in [
        ("", NotACreditCode::Missing),
        (" \u{3000} ", NotACreditCode::Missing),
        ("91350100M000100Y4", NotACreditCode::Length(17)),
        ("91350100M000100Y433", NotACreditCode::Length(19)),
        ("91350100M0001O0Y43", NotACreditCode::Character('O')),
        ("91350100M000100v43", NotACreditCode::Character('V')),
        ("91350100-M000100Y43", NotACreditCode::Character('-')),
        ("91350100M000100书43", NotACreditCode::Character('书')),
        ("91350100M000100Y44", NotACreditCode::Check),
        ("91350100M000101Y43", NotACreditCode::Check),
    ] {
        assert_eq!(read(typed), Err(wrong), "{typed}");
    }
}

/// The first 17 characters with the one 18th that makes a code of them.
fn completed(first: &str) -> String {
    let mut found = ALPHABET.chars().map(|last| format!("{first}{last}")).filter(|code| read(code).is_ok());
    let code = found.next().expect("one last character is right");
    assert_eq!(found.next(), None, "{first} has two");
    code
}

proptest! {
    #[test]
    fn exactly_one_last_character_is_right(first in "[0-9A-HJ-NPQRTUWXY]{17}") {
        completed(&first);
    }

    #[test]
    fn one_wrong_character_is_noticed(
        first in "[0-9A-HJ-NPQRTUWXY]{17}", place in 0usize..18, other in 0usize..31,
    ) {
        let mut code: Vec<char> = completed(&first).chars().collect();
        let other = ALPHABET.chars().nth(other).expect("a character");
        prop_assume!(code[place] != other);
        code[place] = other;
        prop_assert_eq!(read(&code.iter().collect::<String>()), Err(NotACreditCode::Check));
    }

    #[test]
    fn two_neighbours_in_the_wrong_order_are_noticed(first in "[0-9A-HJ-NPQRTUWXY]{17}", place in 0usize..16) {
        let mut code: Vec<char> = completed(&first).chars().collect();
        prop_assume!(code[place] != code[place + 1]);
        code.swap(place, place + 1);
        prop_assert_eq!(read(&code.iter().collect::<String>()), Err(NotACreditCode::Check));
    }

    #[test]
    fn no_text_is_too_strange(text in ".*") {
        if let Ok(code) = read(&text) {
            prop_assert_eq!(read(code.as_str()), Ok(code));
        }
    }
}

#[test]
fn orders_that_are_paid_and_stay_so_are_invoiced() {
    let invoiced: Vec<&str> =
        OrderState::ALL.into_iter().filter(|state| is_invoiced(*state)).map(OrderState::code).collect();
    assert_eq!(invoiced, ["paid", "in_production", "shipped", "received", "completed", "reprint"]);
}

fn reachable(from: InvoiceState) -> BTreeSet<&'static str> {
    let rows = TRANSITIONS.iter().map(|row| (row.from, row.to)).collect::<Vec<_>>();
    crate::common::reachable(from, &rows, InvoiceState::code)
}

#[test]
fn every_state_is_reached_and_can_end() {
    assert_eq!(reachable(InvoiceState::Requested), InvoiceState::ALL.map(InvoiceState::code).into());
    // what has ended leaves its order free for another
    for state in InvoiceState::ALL {
        let ends = TRANSITIONS.iter().all(|row| row.from != state);
        assert_eq!(ends, !state.is_live(), "{state}");
    }
}

#[test]
fn what_the_table_lacks_is_refused() {
    for from in InvoiceState::ALL {
        for to in InvoiceState::ALL {
            let listed = TRANSITIONS.iter().find(|row| row.from == from && row.to == to);
            for actor in [Actor::Member, Actor::Staff, Actor::System] {
                let moved = from.advance(to, actor);
                match listed {
                    None if from == to => assert_eq!(moved, Err(NotMoved::AlreadyThere(to))),
                    None => assert_eq!(moved, Err(NotMoved::NoSuchTransition { from, to })),
                    Some(row) if row.by.contains(&actor) => assert_eq!(moved, Ok(to)),
                    Some(_) => assert_eq!(moved, Err(NotMoved::NotAllowed)),
                }
            }
        }
    }
}

/// Only the operator issues, refuses and voids; only the member, or a refund, takes a request back.
#[test]
fn who_does_what() {
    let may = |actor: Actor| -> Vec<&str> {
        TRANSITIONS.iter().filter(|row| row.by.contains(&actor)).map(|row| row.to.code()).collect()
    };
    assert_eq!(may(Actor::Staff), ["issued", "rejected", "voided"]);
    assert_eq!(may(Actor::Member), ["cancelled"]);
    assert_eq!(may(Actor::System), ["cancelled"]);
}

/// Codes are stored: these never change.
#[test]
fn codes_are_stable() {
    let codes = [
        ("requested", "申请中"),
        ("issued", "已开票"),
        ("cancelled", "已撤销"),
        ("rejected", "未通过"),
        ("voided", "已作废"),
    ];
    for (state, (code, name)) in InvoiceState::ALL.into_iter().zip(codes) {
        assert_eq!((state.code(), state.to_string().as_str()), (code, name));
        assert_eq!(code.parse(), Ok(state));
    }
    assert!("Issued".parse::<InvoiceState>().is_err());
}

#[test]
fn a_title_is_a_companys_when_it_has_a_code() {
    let code = read("91350100M000100Y43").expect("a code");
    let company = Title::new("书坊有限公司".into(), Some(code.clone()));
    assert_eq!((company.kind(), company.name(), company.code()), ("企业", "书坊有限公司", Some(&code)));
    let person = Title::new("林知夏".into(), None);
    assert_eq!((person.kind(), person.name(), person.code()), ("个人", "林知夏", None));
}

#[test]
fn a_red_invoice_is_over_what_was_given_back_or_over_all() {
    let issued =
        |amount, corrected, rest| Issued { amount: Fen(amount), corrected: Fen(corrected), rest: Fen(rest) };
    let part = issued(10_000, 0, 7_000);
    assert_eq!((part.stands_for(), part.to_take_back()), (Fen(10_000), Fen(3_000)));
    assert_eq!((part.red(Fen(3_000)), part.red(Fen(10_000))), (Some(Red::Part), Some(Red::Whole)));
    for wrong in [0, -3_000, 2_999, 7_000, 10_001] {
        assert_eq!(part.red(Fen(wrong)), None, "{wrong}");
    }
    // once more given back after one was corrected
    let again = issued(10_000, 3_000, 5_000);
    assert_eq!((again.red(Fen(2_000)), again.red(Fen(7_000))), (Some(Red::Part), Some(Red::Whole)));
    assert_eq!(issued(10_000, 3_000, 7_000).to_take_back(), Fen::ZERO);
    assert_eq!(issued(10_000, 3_000, 7_000).red(Fen(3_000)), None, "the same one twice");
    assert_eq!(issued(10_000, 0, 0).red(Fen(10_000)), Some(Red::Whole));
    assert_eq!(issued(10_000, 10_000, 0).red(Fen(10_000)), None);
}

proptest! {
    /// Whatever is given back and taken back, one after the other: red invoices never come to more than the blue one, and one
    /// that stands for what is left needs none.
    #[test]
    fn red_invoices_never_exceed_the_blue_one(
        amount in 1..1_000_000i64,
        steps in proptest::collection::vec((0..200_000i64, any::<bool>()), 0..12),
    ) {
        let mut invoice = Issued { amount: Fen(amount), corrected: Fen::ZERO, rest: Fen(amount) };
        for (back, whole) in steps {
            invoice.rest = invoice.rest.minus(Fen(back)).unwrap().max(Fen::ZERO);
            let over = if whole { invoice.stands_for() } else { invoice.to_take_back() };
            let Some(red) = invoice.red(over) else { continue };
            invoice.corrected = invoice.corrected.plus(over).unwrap();
            prop_assert!(invoice.corrected <= invoice.amount);
            prop_assert_eq!(invoice.to_take_back(), Fen::ZERO);
            if red == Red::Whole {
                prop_assert_eq!(invoice.stands_for(), Fen::ZERO);
                break;
            }
            prop_assert_eq!(invoice.stands_for(), invoice.rest);
        }
    }
}
