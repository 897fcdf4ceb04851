//! Where a gift stands, when its message may leave, and what goes with it.

use domain::days::{DAY_MS, day_start};
use domain::gift::{APART_MS, Gift, GiftState, MOST_SENT, NotADay, NotSent, Way, leads_elsewhere, read_day};
use domain::sale::SaleState;
use proptest::prelude::*;

fn gift(sale: SaleState) -> Gift {
    Gift { way: Way::Mail, sale, taken_at: None, send_at: None, sent: 0, sent_at: None }
}

#[test]
fn a_gift_is_open_from_its_payment_until_somebody_has_it() {
    use SaleState::{Paid, Refunded, Unpaid};
    for (gift, state) in [
        (gift(Unpaid), GiftState::Unpaid),
        (gift(Paid), GiftState::Open),
        (Gift { send_at: Some(11), ..gift(Paid) }, GiftState::Waiting),
        (Gift { send_at: Some(10), ..gift(Paid) }, GiftState::Open),
        // sent before its day
        (Gift { send_at: Some(11), sent: 1, ..gift(Paid) }, GiftState::Open),
        (gift(Refunded), GiftState::Back),
        (Gift { taken_at: Some(5), ..gift(Paid) }, GiftState::Taken),
        // its seller gave the rest back afterwards
        (Gift { taken_at: Some(5), ..gift(Refunded) }, GiftState::Taken),
    ] {
        assert_eq!(gift.state(10), state, "{gift:?}");
        assert_eq!(gift.state(10).is_open(), matches!(state, GiftState::Waiting | GiftState::Open));
    }
    for way in Way::ALL {
        assert_eq!(way.code().parse(), Ok(way));
    }
}

#[test]
fn no_mailbox_is_filled_by_a_gift() {
    let open = gift(SaleState::Paid);
    assert_eq!(open.may_send(0), Ok(()));
    assert_eq!(Gift { way: Way::Card, ..open }.may_send(0), Err(NotSent::Card));
    assert_eq!(Gift { taken_at: Some(0), ..open }.may_send(0), Err(NotSent::Closed));
    assert_eq!(gift(SaleState::Refunded).may_send(0), Err(NotSent::Closed));
    let sent = Gift { sent: 1, sent_at: Some(0), ..open };
    assert_eq!(sent.may_send(APART_MS - 1), Err(NotSent::JustNow));
    assert_eq!(sent.may_send(APART_MS), Ok(()));
    assert_eq!(Gift { sent: MOST_SENT, ..sent }.may_send(DAY_MS), Err(NotSent::Often));
}

#[test]
fn a_day_is_read_and_leaves_at_nine() {
    let now = day_start("2026-11-28").unwrap() + DAY_MS / 2;
    for (typed, read) in [
        ("", Ok(None)),
        ("2026-11-28", Ok(None)),
        ("2026-11-27", Err(NotADay::Past)),
        ("2026-12-24", Ok(Some(day_start("2026-12-24").unwrap() + 9 * DAY_MS / 24))),
        ("2027年1月1日", Ok(Some(day_start("2027-01-01").unwrap() + 9 * DAY_MS / 24))),
        ("2028-01-01", Err(NotADay::TooFar)),
        ("2026-02-30", Err(NotADay::Unread)),
        ("圣诞节", Err(NotADay::Unread)),
    ] {
        assert_eq!(read_day(typed, now), read, "{typed}");
    }
}

#[test]
fn a_strangers_words_lead_nowhere() {
    for words in [
        "https://bad.example/x",
        "看 WWW.bad.example",
        "bad . com 有奖",
        "bad。cn",
        "bad\u{200b}.top",
        "ＢＡＤ．ｃｏｍ",
        "bad．com",
        "看 bit.ly/x",
        "T.ME/x",
        "就在a.me。",
        "a。io",
        "x1｡gg",
    ] {
        assert!(leads_elsewhere(words), "{words}");
    }
    for words in
        ["", "生日快乐！愿你每天都有好文章读。", "爷爷：慢慢看……", "No. 1 的读者", "3.5 元", "好。OK。"]
    {
        assert!(!leads_elsewhere(words), "{words}");
    }
}

proptest! {
    /// A gift never is with its giver and with its receiver.
    #[test]
    fn a_gift_is_in_one_state(
        paid in any::<bool>(), refunded in any::<bool>(), taken in prop::option::of(0i64..100),
        send_at in prop::option::of(0i64..100), sent in 0i64..9, now in 0i64..100,
    ) {
        let sale = match (paid, refunded) {
            (false, _) => SaleState::Unpaid,
            (true, false) => SaleState::Paid,
            (true, true) => SaleState::Refunded,
        };
        let gift = Gift { way: Way::Mail, sale, taken_at: taken, send_at, sent, sent_at: None };
        let state = gift.state(now);
        prop_assert_eq!(state == GiftState::Taken, taken.is_some());
        prop_assert!(!state.is_open() || (sale == SaleState::Paid && taken.is_none()));
        prop_assert!(gift.may_send(now).is_err() || state.is_open());
    }
}
