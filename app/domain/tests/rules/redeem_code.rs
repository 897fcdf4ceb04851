//! Codes are told from what somebody mistyped, and batches from what may still be redeemed.

use domain::redeem_code::{
    ALPHABET, BatchTimes, CodeState, LENGTH, Mistyped, NotChanged, RANDOM, RedeemCode,
};
use proptest::prelude::*;

fn codes() -> impl Strategy<Value = RedeemCode> {
    any::<[u8; RANDOM]>().prop_map(RedeemCode::of)
}

proptest! {
    #[test]
    fn a_code_is_read_in_any_case_width_and_with_or_without_lines(code in codes(), at in 0usize..LENGTH) {
        let shown = code.to_string();
        prop_assert_eq!(shown.len(), 19);
        prop_assert!(shown.bytes().all(|b| b == b'-' || ALPHABET.contains(&b)));
        let wide: String = code.plain().chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).expect("a letter")).collect();
        let mut spaced = code.plain();
        spaced.insert(at, ' ');
        for typed in [shown.clone(), code.plain(), shown.to_lowercase(), format!("  {shown}\n"), wide, spaced,
                      shown.replace('-', "—"), shown.replace('-', "－")] {
            prop_assert_eq!(typed.parse(), Ok(code), "{}", typed);
        }
        prop_assert!(shown.ends_with(&code.tail()));
    }

    #[test]
    fn every_single_wrong_character_is_told(code in codes()) {
        for at in 0..LENGTH {
            for other in ALPHABET {
                let mut typed = code.plain().into_bytes();
                if typed[at] != *other {
                    typed[at] = *other;
                    let typed = String::from_utf8(typed).expect("letters");
                    prop_assert_eq!(typed.parse::<RedeemCode>(), Err(Mistyped::Check));
                }
            }
        }
    }

    #[test]
    fn every_swap_is_told(code in codes()) {
        for one in 0..LENGTH {
            for other in one + 1..LENGTH {
                let mut typed = code.plain().into_bytes();
                if typed[one] != typed[other] {
                    typed.swap(one, other);
                    let typed = String::from_utf8(typed).expect("letters");
                    prop_assert_eq!(typed.parse::<RedeemCode>(), Err(Mistyped::Check), "{} {}", one, other);
                }
            }
        }
    }

    #[test]
    fn nothing_that_is_typed_is_more_than_refused(text in ".{0,40}") {
        let _ = text.parse::<RedeemCode>();
    }
}

#[test]
fn what_is_wrong_is_said() {
    let read = |text: &str| text.parse::<RedeemCode>();
    assert_eq!(read(" - "), Err(Mistyped::Empty));
    assert_eq!(read("ABCD-EFGH"), Err(Mistyped::Length(8)));
    assert_eq!(read("ABCD-EFGH-JKLM-NPQ0"), Err(Mistyped::Character('0')));
    assert_eq!(read("ABCD-EFGH-JKLM-NPQO"), Err(Mistyped::Character('O')));
    assert_eq!(read("ABCD-EFGH-JKLM-NPQ码"), Err(Mistyped::Character('码')));
    assert_eq!(read("ABCD-EFGH-JKLM-NPQR-S"), Err(Mistyped::Length(17)));
}

#[test]
fn a_batch_is_activated_once_and_voided_for_good() {
    let mut batch = BatchTimes { expires_at: Some(100), ..BatchTimes::default() };
    assert_eq!(batch.state(1), CodeState::Inactive);
    assert_eq!(batch.activate(1), Ok(()));
    assert_eq!(batch.activate(2), Err(NotChanged::Active));
    assert_eq!((batch.state(99), batch.state(100)), (CodeState::Usable, CodeState::Expired));
    assert_eq!(batch.extend(100, 50), Err(NotChanged::NotLater));
    assert_eq!(batch.extend(150, 200), Err(NotChanged::NotLater));
    // what had expired can be redeemed again
    assert_eq!(batch.extend(300, 200), Ok(()));
    assert_eq!(batch.state(200), CodeState::Usable);
    assert_eq!(batch.void(201), Ok(()));
    assert_eq!(batch.state(201), CodeState::Void);
    for refused in [batch.void(202), batch.activate(202), batch.extend(400, 202)] {
        assert_eq!(refused, Err(NotChanged::Void));
    }
    assert_eq!(BatchTimes::default().extend(1, 0), Err(NotChanged::Endless));
}
