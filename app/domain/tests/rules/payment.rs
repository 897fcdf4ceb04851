//! Paying from outside (product page, section 3, "Money").

use domain::money::Fen;
use domain::payment::{
    AmountProblem, LEAST, METHODS, Method, PRESETS, PaymentState, RefundState, hangs, next_question,
    read_amount, refundable,
};
use proptest::prelude::*;

#[test]
fn a_payment_ends_paid_or_closed_and_late_money_still_counts() {
    use PaymentState::{Closed, Paid, Pending};
    let all = [Pending, Paid, Closed];
    for (from, to) in all.into_iter().flat_map(|from| all.map(|to| (from, to))) {
        let allowed = matches!((from, to), (Pending, Paid | Closed) | (Closed, Paid));
        assert_eq!(from.may_become(to), allowed, "{from} to {to}");
    }
}

#[test]
fn money_on_its_way_back_arrives_or_returns_once() {
    use RefundState::{Done, Failed, Pending};
    let all = [Pending, Done, Failed];
    for (from, to) in all.into_iter().flat_map(|from| all.map(|to| (from, to))) {
        assert_eq!(from.may_become(to), from == Pending && to != Pending, "{from} to {to}");
    }
}

#[test]
fn a_refund_hangs_when_it_is_old_or_was_tried_in_vain() {
    let day = 24 * 60 * 60_000;
    for (age, troubles, expected) in
        [(0, 0, false), (day, 0, false), (day + 1, 0, true), (0, 2, false), (0, 3, true), (9 * day, 9, true)]
    {
        assert_eq!(hangs(100 * day - age, troubles, 100 * day), expected, "{age} ms, {troubles} tries");
    }
}

#[test]
fn words_are_read_as_they_are_stored() {
    for method in METHODS {
        assert_eq!(method.code().parse(), Ok(method));
    }
    for state in [PaymentState::Pending, PaymentState::Paid, PaymentState::Closed] {
        assert_eq!(state.code().parse(), Ok(state));
    }
    for state in [RefundState::Pending, RefundState::Done, RefundState::Failed] {
        assert_eq!(state.code().parse(), Ok(state));
    }
    assert!("balance".parse::<Method>().is_err());
}

#[test]
fn amounts_are_read_as_people_type_them() {
    for (text, fen) in
        [("1", 100), (" 88.5 ", 8850), ("¥100", 10_000), ("￥ 0100.00", 10_000), ("50000.00", 5_000_000)]
    {
        assert_eq!(read_amount(text), Ok(Fen(fen)), "{text}");
    }
    let cases = [
        ("", AmountProblem::Missing),
        (" ¥ ", AmountProblem::Missing),
        ("一百", AmountProblem::NotAnAmount),
        ("1e3", AmountProblem::NotAnAmount),
        ("1.001", AmountProblem::NotAnAmount),
        ("1,00", AmountProblem::NotAnAmount),
        ("0.99", AmountProblem::TooSmall),
        ("0", AmountProblem::TooSmall),
        ("-5", AmountProblem::TooSmall),
    ];
    for (text, problem) in cases {
        assert_eq!(read_amount(text), Err(problem), "{text}");
    }
    for method in METHODS {
        for preset in PRESETS {
            assert_eq!(method.check(preset), Ok(preset));
        }
        assert_eq!(method.check(LEAST), Ok(LEAST));
        assert_eq!(method.check(Fen(99)), Err(AmountProblem::TooSmall));
        assert_eq!(method.check(method.most()), Ok(method.most()));
        assert_eq!(method.check(Fen(method.most().0 + 1)), Err(AmountProblem::TooLarge(method)));
    }
    assert_eq!(AmountProblem::TooLarge(Method::Alipay).to_string(), "支付宝单笔最多 ¥50,000.00");
}

#[test]
fn a_waiting_payment_is_asked_about_less_and_less_often_and_at_its_end() {
    let minutes = |ms: i64| ms / 60_000;
    let end = Method::Wechat.life_ms();
    let mut now = 0;
    let mut asked = Vec::new();
    while now < end {
        now = next_question(0, end, now);
        asked.push(minutes(now));
    }
    assert_eq!(asked, [1, 2, 4, 8, 16, 30]);
}

proptest! {
    #[test]
    fn never_more_goes_back_than_was_paid_or_is_there(
        paid in 0i64..10_000_000, sent in 0i64..10_000_000, balance in -100i64..10_000_000,
    ) {
        let back = refundable(Fen(paid), Fen(sent), Fen(balance));
        prop_assert!(back >= Fen(0));
        prop_assert!(back.0 == 0 || (back.0 + sent <= paid && back.0 <= balance));
        prop_assert!(back.0 == (paid - sent).max(0) || back.0 == balance.max(0));
    }
}
