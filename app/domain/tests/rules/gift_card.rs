//! Gift cards: what one is worth, who may take it, and that no fen appears or vanishes.

use std::collections::BTreeMap;

use domain::coupon::Day;
use domain::gift_card::{FACES, Move, NotAnAmount, NotRedeemed, Stored, may_redeem, read_amount};
use domain::ids::MemberId;
use domain::ledger::{Account, Entry, balances, check_books};
use domain::money::Fen;
use domain::redeem_code::Mistyped;
use proptest::prelude::*;

#[test]
fn an_amount_is_a_face_or_what_was_typed() {
    assert_eq!(read_amount("100.00", ""), Ok(Fen(10_000)));
    assert_eq!(read_amount("100.00", " ８８.８ 元"), Ok(Fen(8_880)), "what was typed counts");
    assert_eq!(read_amount("", " "), Err(NotAnAmount::Missing));
    assert_eq!(read_amount("", "很多"), Err(NotAnAmount::Unread));
    for outside in ["9.99", "1000.01", "-50", "0"] {
        let refused = read_amount("", outside).unwrap_err();
        assert_eq!(refused.to_string(), "一张礼品卡在 10.00 到 1,000.00 元之间", "{outside}");
    }
    for face in FACES {
        assert_eq!(read_amount(&face.to_string(), ""), Ok(face));
    }
}

#[test]
fn each_refusal_has_its_sentence() {
    let end = 1_772_294_400_000; // 2026-03-01 in China
    let said =
        |state, own, now| may_redeem(state, Some(end), own, now).map_err(|refused| refused.to_string());
    assert_eq!(said(Stored::Open, false, end - 1), Ok(()));
    let refusals = [
        (Stored::Unpaid, false, "没有这张礼品卡，请核对卡号"),
        (Stored::Redeemed, true, "您已经兑换过这张礼品卡，钱在您的余额里"),
        (Stored::Redeemed, false, "这张礼品卡已经被兑换了。一张卡只能兑换一次，全部进余额"),
        (Stored::Refunded, false, "这张礼品卡已经退款，不能再兑换"),
        (Stored::Open, false, "这张礼品卡 2026-03-01 过期了。卡里的钱还在，请联系本店重新激活"),
    ];
    for (state, own, sentence) in refusals {
        assert_eq!(said(state, own, end), Err(sentence.to_owned()));
    }
    assert_eq!(NotRedeemed::Over(Day(end)).to_string(), refusals[4].2);
    assert_eq!(NotRedeemed::Mistyped(Mistyped::Length(3)).to_string(), "卡号有 16 个字符，您输入了 3 个");
    assert_eq!(NotRedeemed::Mistyped(Mistyped::Empty).to_string(), "请输入礼品卡的卡号");
}

proptest! {
    /// Whatever is done to cards in whatever order, what is owed is the sum of the open ones, and nobody has more or less.
    #[test]
    fn no_fen_appears_or_vanishes(
        amounts in prop::collection::vec(1_000..=100_000i64, 1..6),
        steps in prop::collection::vec((0..6usize, 0..3usize, 0..3usize), 0..60),
    ) {
        let members: Vec<MemberId> = ["ann", "bob", "eve"].iter().map(|name| name.parse().unwrap()).collect();
        let mut states = vec![Stored::Unpaid; amounts.len()];
        let mut entries: Vec<Entry> = members
            .iter()
            .flat_map(|member| {
                let had = Fen(600_000);
                [Entry { account: Account::Member(member.clone()), amount: had }, Entry { account: Account::Opening, amount: had.negated().unwrap() }]
            })
            .collect();
        let mut keys = std::collections::BTreeSet::new();
        for (card, step, member) in steps {
            let card = card % amounts.len();
            let step = [Move::Sale, Move::Redemption, Move::Refund][step];
            let (from, to) = step.between();
            if states[card] != from {
                continue;
            }
            states[card] = to;
            let posting = step.posting(&card.to_string(), &members[member], Fen(amounts[card])).unwrap();
            prop_assert!(keys.insert(posting.key().clone()), "each happens once");
            entries.extend_from_slice(posting.entries());
        }
        let kept: BTreeMap<Account, Fen> = balances(&entries).unwrap();
        prop_assert!(check_books(&kept).is_ok());
        let open: i64 = states.iter().zip(&amounts).filter(|(state, _)| **state == Stored::Open).map(|(_, amount)| amount).sum();
        prop_assert_eq!(kept.get(&Account::GiftCards).copied().unwrap_or_default(), Fen(open));
        let theirs: i64 = members.iter().filter_map(|member| kept.get(&Account::Member(member.clone()))).map(|fen| fen.0).sum();
        prop_assert_eq!(theirs + open, 1_800_000);
    }
}
