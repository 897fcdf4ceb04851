//! Gift cards: what one is worth, who may take it, and that no fen appears or vanishes.

use std::collections::BTreeMap;

use domain::coupon::Day;
use domain::gift_card::{
    FACES, Move, NotAnAmount, Refused, Stored, Whose, back, may_use, payment, pays, read_amount, redemption,
    returned,
};
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
        |state, whose, now| may_use(state, whose, Some(end), now).map_err(|refused| refused.to_string());
    assert_eq!(said(Stored::Open, Whose::Nobodys, end - 1), Ok(()));
    assert_eq!(may_use(Stored::Held, Whose::Own, None, end), Ok(()), "what names somebody has no end");
    let refusals = [
        (Stored::Unpaid, Whose::Nobodys, "没有这张礼品卡，请核对卡号"),
        (Stored::Held, Whose::Anothers, "这张礼品卡已经在别人的账户里，不能再用"),
        (Stored::Redeemed, Whose::Anothers, "这张礼品卡已经在别人的账户里，不能再用"),
        (Stored::Redeemed, Whose::Own, "您已经把这张礼品卡转入余额，钱在您的余额里"),
        (Stored::Refunded, Whose::Nobodys, "这张礼品卡已经退款作废，不能再用"),
        (Stored::Open, Whose::Nobodys, "这张礼品卡 2026-03-01 过期了。卡里的钱还在，请联系本店重新激活"),
    ];
    for (state, whose, sentence) in refusals {
        assert_eq!(said(state, whose, end), Err(sentence.to_owned()));
    }
    assert_eq!(Refused::Over(Day(end)).to_string(), refusals[5].2);
    assert_eq!(Refused::Mistyped(Mistyped::Length(3)).to_string(), "卡号有 16 个字符，您输入了 3 个");
    assert_eq!(Refused::Mistyped(Mistyped::Empty).to_string(), "请输入礼品卡的卡号");
    let other = Refused::Mistyped(Mistyped::Character('1')).to_string();
    assert!(other.contains("卡号里没有“1”"), "{other}");
}

#[test]
fn a_card_pays_what_is_free_and_due() {
    assert_eq!(pays(Fen(8_800), Fen::ZERO, Fen(5_000)), Ok(Fen(5_000)));
    assert_eq!(pays(Fen(8_800), Fen(5_000), Fen(5_000)), Ok(Fen(3_800)), "the rest of it");
    assert_eq!(pays(Fen(8_800), Fen(8_800), Fen(1)), Err(Refused::SetAside(Fen(8_800))));
    assert_eq!(pays(Fen::ZERO, Fen::ZERO, Fen(1)), Err(Refused::Empty));
}

#[test]
fn what_goes_back_goes_to_the_cards_first() {
    let paid = [Fen(300), Fen::ZERO, Fen(500)];
    for (amount, shares, rest) in
        [(200, [200, 0, 0], 0), (300, [300, 0, 0], 0), (700, [300, 0, 400], 0), (1_000, [300, 0, 500], 200)]
    {
        let shares: Vec<Fen> = shares.into_iter().map(Fen).collect();
        assert_eq!(back(&paid, Fen(amount)).unwrap(), (shares, Fen(rest)), "{amount}");
    }
}

/// A card as the ledger should see it.
struct Card {
    state: Stored,
    rest: i64,
    holder: usize,
    moves: i64,
}

proptest! {
    /// Whatever is done to cards in whatever order, what is owed is what is left on them, and nobody has more or less.
    #[test]
    fn no_fen_appears_or_vanishes(
        amounts in prop::collection::vec(1_000..=100_000i64, 1..6),
        steps in prop::collection::vec((0..6usize, 0..5usize, 0..3usize, 1..120_000i64), 0..80),
    ) {
        let members: Vec<MemberId> = ["ann", "bob", "eve"].iter().map(|name| name.parse().unwrap()).collect();
        let mut cards: Vec<Card> =
            amounts.iter().map(|_| Card { state: Stored::Unpaid, rest: 0, holder: 0, moves: 0 }).collect();
        let mut entries: Vec<Entry> = members
            .iter()
            .flat_map(|member| {
                let had = Fen(600_000);
                [Entry { account: Account::Member(member.clone()), amount: had }, Entry { account: Account::Opening, amount: had.negated().unwrap() }]
            })
            .collect();
        let mut keys = std::collections::BTreeSet::new();
        // what each order got of which card, and has given back
        let mut orders: Vec<(usize, Fen, Fen)> = Vec::new();
        for (card, step, member, amount) in steps {
            let number = card % cards.len();
            let (name, whole, amount) = (number.to_string(), Fen(amounts[number]), Fen(amount));
            let card = &mut cards[number];
            let posting = match (step, card.state) {
                (0, Stored::Unpaid) => {
                    (card.state, card.rest) = (Stored::Open, whole.0);
                    Move::Sale.posting(&name, &members[member], whole)
                }
                (1, Stored::Open) => {
                    (card.state, card.rest) = (Stored::Refunded, 0);
                    Move::Refund.posting(&name, &members[member], whole)
                }
                (2, Stored::Open | Stored::Held) => {
                    if card.state == Stored::Open {
                        (card.state, card.holder) = (Stored::Held, member);
                    }
                    let Ok(paid) = pays(Fen(card.rest), Fen::ZERO, amount) else { continue };
                    card.rest -= paid.0;
                    card.moves += 1;
                    orders.push((number, paid, Fen::ZERO));
                    payment(&format!("order-{}", orders.len()), &members[card.holder], paid)
                }
                (3, Stored::Held) if card.rest > 0 => {
                    card.moves += 1;
                    let rest = Fen(std::mem::take(&mut card.rest));
                    redemption(&name, card.moves, &members[card.holder], rest)
                }
                (4, Stored::Held) => {
                    let Some(order) = orders.iter().position(|(of, ..)| *of == number) else { continue };
                    let (_, paid, given_back) = &mut orders[order];
                    let (shares, rest) = back(&[paid.minus(*given_back).unwrap()], amount).unwrap();
                    prop_assert_eq!(shares[0].plus(rest).unwrap(), amount);
                    if shares[0] == Fen::ZERO {
                        continue;
                    }
                    let key = given_back.0.to_string();
                    *given_back = given_back.plus(shares[0]).unwrap();
                    prop_assert!(*given_back <= *paid, "never more than it paid");
                    card.rest += shares[0].0;
                    card.moves += 1;
                    returned(&format!("order-{}", order + 1), &key, &members[card.holder], shares[0])
                }
                _ => continue,
            }
            .unwrap();
            prop_assert!((0..=whole.0).contains(&cards[number].rest));
            prop_assert!(keys.insert(posting.key().clone()), "each happens once");
            entries.extend_from_slice(posting.entries());
        }
        let kept: BTreeMap<Account, Fen> = balances(&entries).unwrap();
        prop_assert!(check_books(&kept).is_ok());
        let left: i64 = cards.iter().map(|card| card.rest).sum();
        prop_assert_eq!(kept.get(&Account::GiftCards).copied().unwrap_or_default(), Fen(left));
        let theirs: i64 = members.iter().filter_map(|member| kept.get(&Account::Member(member.clone()))).map(|fen| fen.0).sum();
        prop_assert_eq!(theirs + left, 1_800_000);
    }
}
