//! The one table of an order's transitions.

use std::collections::BTreeSet;

use domain::order_state::{Actor, NotMoved, OrderState, SELF_CANCEL_MS, TRANSITIONS, Times, When};

const PAID_AT: i64 = 1_700_000_000_000;

fn after(ms: i64) -> Times {
    Times { paid_at: Some(PAID_AT), now: PAID_AT + ms }
}

fn reachable(from: OrderState) -> BTreeSet<&'static str> {
    let rows = TRANSITIONS.iter().map(|row| (row.from, row.to)).collect::<Vec<_>>();
    crate::common::reachable(from, &rows, OrderState::code)
}

#[test]
fn every_state_is_reached_from_the_first() {
    assert_eq!(reachable(OrderState::Unpaid), OrderState::ALL.map(OrderState::code).into());
}

#[test]
fn every_state_can_come_to_an_end() {
    let ends = ["cancelled", "refunded"];
    assert_eq!(
        OrderState::ALL
            .into_iter()
            .filter(|state| state.is_final())
            .map(OrderState::code)
            .collect::<Vec<_>>(),
        ends
    );
    for state in OrderState::ALL {
        assert!(ends.iter().any(|end| reachable(state).contains(end)), "{state}");
    }
}

#[test]
fn the_table_says_everything_once() {
    let pairs: BTreeSet<(&str, &str)> =
        TRANSITIONS.iter().map(|row| (row.from.code(), row.to.code())).collect();
    assert_eq!(pairs.len(), TRANSITIONS.len());
    assert!(TRANSITIONS.iter().all(|row| row.from != row.to && !row.by.is_empty()));
}

#[test]
fn what_the_table_lacks_is_refused() {
    for from in OrderState::ALL {
        for to in OrderState::ALL.into_iter().filter(|to| *to != from) {
            let listed = TRANSITIONS.iter().find(|row| row.from == from && row.to == to);
            for actor in [Actor::Member, Actor::Staff, Actor::System] {
                let late = listed.is_some_and(|row| row.when == When::AfterSelfCancel);
                let moved = from.advance(to, actor, after(if late { SELF_CANCEL_MS + 1 } else { 0 }));
                match listed {
                    None => assert_eq!(moved, Err(NotMoved::NoSuchTransition { from, to })),
                    Some(row) if row.by.contains(&actor) => assert_eq!(moved, Ok(to)),
                    Some(_) => assert_eq!(moved, Err(NotMoved::NotAllowed)),
                }
            }
        }
    }
}

#[test]
fn the_usual_way_leads_through() {
    use OrderState::*;
    let way = [
        (Paid, Actor::Member),
        (InProduction, Actor::Staff),
        (Shipped, Actor::Staff),
        (Received, Actor::Member),
        (Completed, Actor::System),
        (Reprint, Actor::Staff),
        (InProduction, Actor::Staff),
        (Refunding, Actor::Staff),
        (Refunded, Actor::System),
    ];
    let mut state = Unpaid;
    for (to, actor) in way {
        state = state.advance(to, actor, after(SELF_CANCEL_MS * 2)).expect("a way");
    }
    assert!(state.is_final());
}

/// 60 minutes in which the member may cancel by itself.
#[test]
fn a_member_cancels_a_paid_order_within_sixty_minutes() {
    let cancel = |actor, times| OrderState::Paid.advance(OrderState::Cancelled, actor, times);
    assert_eq!(SELF_CANCEL_MS, 3_600_000);
    assert_eq!(cancel(Actor::Member, after(0)), Ok(OrderState::Cancelled));
    assert_eq!(cancel(Actor::Member, after(SELF_CANCEL_MS)), Ok(OrderState::Cancelled));
    assert_eq!(cancel(Actor::Member, after(SELF_CANCEL_MS + 1)), Err(NotMoved::TooLate));
    assert_eq!(cancel(Actor::Member, Times { paid_at: None, now: 0 }), Err(NotMoved::TooLate));
    assert_eq!(cancel(Actor::Staff, after(SELF_CANCEL_MS * 9)), Ok(OrderState::Cancelled));
    assert_eq!(cancel(Actor::System, after(0)), Err(NotMoved::NotAllowed));
    // Once it is in production, the hour is over.
    let late = OrderState::InProduction.advance(OrderState::Cancelled, Actor::Member, after(0));
    assert!(matches!(late, Err(NotMoved::NoSuchTransition { .. })));
    // What is not paid can be cancelled at any time.
    let unpaid = Times { paid_at: None, now: i64::MAX };
    assert!(OrderState::Unpaid.advance(OrderState::Cancelled, Actor::Member, unpaid).is_ok());
}

/// Nobody begins what the member may still cancel.
#[test]
fn production_begins_after_sixty_minutes() {
    let start = |actor, ms| OrderState::Paid.advance(OrderState::InProduction, actor, after(ms));
    for actor in [Actor::Staff, Actor::System] {
        assert_eq!(start(actor, SELF_CANCEL_MS), Err(NotMoved::TooEarly));
        assert_eq!(start(actor, SELF_CANCEL_MS + 1), Ok(OrderState::InProduction));
    }
    // a reprint was paid long ago
    assert!(OrderState::Reprint.advance(OrderState::InProduction, Actor::Staff, after(0)).is_ok());
}

/// What moves by itself may move so.
#[test]
fn deadlines_are_transitions_of_the_system() {
    for state in OrderState::ALL {
        if let Some((ms, to)) = state.deadline() {
            assert_eq!(state.advance(to, Actor::System, after(ms)), Ok(to), "{state}");
        }
    }
    assert_eq!(OrderState::Shipped.deadline(), Some((15 * 24 * 3_600_000, OrderState::Received)));
    assert_eq!(OrderState::InProduction.deadline(), None);
}

#[test]
fn a_repeated_request_is_told_apart() {
    for state in OrderState::ALL {
        let again = state.advance(state, Actor::Member, after(0));
        assert_eq!(again, Err(NotMoved::AlreadyThere(state)));
    }
}

#[test]
fn a_page_offers_what_is_allowed() {
    let offers = |state: OrderState, actor, ms| state.next(actor, after(ms)).collect::<Vec<_>>();
    assert_eq!(offers(OrderState::Paid, Actor::Member, 0), [OrderState::Cancelled]);
    assert_eq!(offers(OrderState::Paid, Actor::Member, SELF_CANCEL_MS + 1), []);
    assert_eq!(offers(OrderState::Shipped, Actor::Member, 0), [OrderState::Received]);
}

/// Codes are stored: these never change.
#[test]
fn codes_are_stable() {
    let codes = [
        ("unpaid", "待付款"),
        ("paid", "已付款"),
        ("in_production", "生产中"),
        ("shipped", "已发货"),
        ("received", "已收货"),
        ("completed", "已完成"),
        ("cancelled", "已取消"),
        ("refunding", "退款中"),
        ("refunded", "已退款"),
        ("reprint", "重印"),
    ];
    for (state, (code, name)) in OrderState::ALL.into_iter().zip(codes) {
        assert_eq!((state.code(), state.to_string().as_str()), (code, name));
        assert_eq!(code.parse(), Ok(state));
        assert_eq!(serde_json::to_string(&state).expect("JSON"), format!("\"{code}\""));
    }
    assert!("Paid".parse::<OrderState>().is_err());
}
