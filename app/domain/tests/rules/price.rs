//! Specification section 9 and the price book: exact, explained, without surprises.

use crate::common::{all_goods, choice, fen, price, quantity, rung, small_goods, with_discounts};
use domain::goods::{Goods, step_name};
use domain::money::{Fen, Rate};
use domain::price::{Basis, Day, LineKind, PriceBook, PriceError, Quote, Surcharge, quote};
use domain::print_options::{Choice, QUANTITY, evaluate};
use domain::tier::Tier;
use proptest::prelude::*;
use proptest::sample::select;
use rust_decimal::Decimal;

fn decimal(text: &str) -> Decimal {
    Decimal::from_str_exact(text).expect("a number")
}

/// A goods whose items cost something on every basis.
fn priced_goods() -> Goods {
    let mut goods = with_discounts(small_goods());
    goods.price_book.items = [
        ("b2".into(), price("22.00", Basis::Copy)),
        ("w1".into(), price("0.10", Basis::Page)),
        ("x1".into(), price("80.00", Basis::Order)),
    ]
    .into();
    goods
}

fn full_choice(goods: &Goods) -> Choice {
    choice(
        goods,
        &[
            (step_name::BINDING, "普通精装"),
            (step_name::COVER, "铜版纸"),
            (step_name::WEIGHT, "200克"),
            (step_name::INNER_LAMINATION, "光膜"),
            (step_name::CRAFT, "烫金"),
        ],
    )
}

/// The amounts of a `getTotal` answer, read back as a program would.
fn read(answer: &str) -> Vec<String> {
    answer.split('|').map(str::to_owned).collect()
}

/// Holds for every quote.
fn hold(quote: &Quote) {
    let count = Decimal::from(quote.count.get());
    let list = count * quote.unit_price.to_yuan();
    assert_eq!(quote.list_total.to_yuan(), list);
    // Section 9: quantity × unit price × (1 − discount), rounded down to 2 decimals.
    assert_eq!(
        quote.total.to_yuan(),
        ((list * (Decimal::ONE - quote.discount)) * Decimal::ONE_HUNDRED).floor() / Decimal::ONE_HUNDRED
    );
    assert!(quote.discount >= Decimal::ZERO && quote.discount < Decimal::ONE);
    assert_eq!(Fen::sum(quote.lines.iter().map(|line| line.amount)), Ok(quote.total));
    assert!(!quote.total.is_negative() && quote.total <= quote.list_total);
    // Section 9: unit price = total ÷ quantity, rounded down.
    let after = quote.unit_price_after().to_yuan();
    assert!(
        after * count <= quote.total.to_yuan() && (after + decimal("0.01")) * count > quote.total.to_yuan()
    );
    let answer = read(&quote.get_total());
    assert_eq!(answer.len(), 8);
    assert_eq!(answer[0], quote.goods.as_str());
    assert_eq!(answer[1], quote.count.to_string());
    assert_eq!(answer[2], quote.pages.to_string());
    assert_eq!(decimal(&answer[3]), quote.discount);
    let amounts = [quote.base_price, quote.list_total, quote.unit_price, quote.total];
    assert_eq!(answer[4..], amounts.map(|amount| amount.to_string()));
    for text in &answer[1..] {
        assert!(text.bytes().all(|b| b.is_ascii_digit() || b == b'.'), "{text}");
    }
}

#[test]
fn a_price_is_made_of_base_pages_and_items() {
    let goods = priced_goods();
    let quote = quote(&goods, 48, &full_choice(&goods), quantity(10), Tier::Vip).expect("a price");
    hold(&quote);
    // 10.00 + 48 × 0.50 + 22.00 + 48 × 0.10 + 80.00 ÷ 10 = 68.80; 1 − 0.95 × 0.95 = 0.0975.
    assert_eq!(quote.get_total(), "g|10|48|0.0975|10.00|688.00|68.80|620.92");
    assert_eq!(quote.unit_price_after(), fen("62.09"));
    let lines: Vec<(&str, &str, String)> =
        quote.lines.iter().map(|l| (l.label.as_str(), l.detail.as_str(), l.amount.to_string())).collect();
    let line = |label, detail, amount: &str| (label, detail, amount.to_owned());
    assert_eq!(
        lines,
        [
            line("基础价", "10.00 × 10 本", "100.00"),
            line("内页", "0.50 × 48 页 × 10 本", "240.00"),
            line("装订方式 普通精装", "22.00 × 10 本", "220.00"),
            line("内页克重 200克", "0.10 × 48 页 × 10 本", "48.00"),
            line("其他工艺 烫金", "每单 80.00，每本 8.00 × 10 本", "80.00"),
            line("数量优惠", "满 10 本 95 折", "-34.40"),
            line("会员优惠", "VIP 95 折", "-32.68"),
        ]
    );
    assert_eq!(quote.lines[2].kind, LineKind::Item("b2".into()));
}

#[test]
fn without_discounts_there_is_no_discount_line() {
    let goods = small_goods();
    let quote = quote(&goods, 8, &Choice::default(), quantity(3), Tier::Super).expect("a price");
    hold(&quote);
    assert_eq!(quote.get_total(), "g|3|8|0|10.00|42.00|14.00|42.00");
    assert_eq!(quote.lines.len(), 2);
}

/// 8000 分 over 3 copies are 2666 each; the rest is the shop's.
#[test]
fn a_cost_per_order_is_spread_and_rounded_down() {
    let goods = priced_goods();
    let foil = choice(&goods, &[(step_name::CRAFT, "烫金")]);
    let unit = |count| quote(&goods, 8, &foil, quantity(count), Tier::Basic).expect("a price").unit_price;
    assert_eq!(unit(1), fen("94.00"));
    assert_eq!(unit(3), fen("40.66"));
    assert_eq!(unit(1_000_000), fen("14.00"));
}

#[test]
fn the_ladder_applies_from_its_count_on() {
    let book = with_discounts(small_goods()).price_book;
    for (count, rate) in [(1, None), (9, None), (10, Some("0.05")), (49, Some("0.05")), (50, Some("0.1"))] {
        let rate: Option<Rate> = rate.map(|rate| rate.parse().expect("a rate"));
        assert_eq!(book.rung(quantity(count)).map(|rung| rung.rate), rate, "{count}");
    }
    assert_eq!(book.next_rung(quantity(9)).map(|rung| rung.from), Some(10));
    assert_eq!(book.next_rung(quantity(10)).map(|rung| rung.from), Some(50));
    assert_eq!(book.next_rung(quantity(50)), None);
}

#[test]
fn the_ladder_is_told_as_shops_tell_it() {
    let mut book = with_discounts(small_goods()).price_book;
    assert_eq!(book.yhstr(), "满 10 本 95 折 · 满 50 本 9 折");
    book.volume = vec![rung(5, "0.125"), rung(9, "0.5"), rung(20, "0.95"), rung(30, "0.99")];
    assert_eq!(book.yhstr(), "满 5 本 8.75 折 · 满 9 本 5 折 · 满 20 本 0.5 折 · 满 30 本 0.1 折");
    book.volume.clear();
    assert_eq!(book.yhstr(), "");
    let discounts =
        [(Tier::Super, "0.1"), (Tier::Basic, "0"), (Tier::Vip, "0.05"), (Tier::Enterprise, "0.125")];
    book.tiers = discounts.map(|(tier, rate)| (tier, rate.parse().expect("a rate"))).into();
    assert_eq!(book.tier_discounts(), "VIP 95 折 · 超级会员 9 折 · 企业高级版 8.75 折");
    book.tiers.clear();
    assert_eq!(book.tier_discounts(), "");
}

#[test]
fn discounts_multiply() {
    let book = with_discounts(small_goods()).price_book;
    for (count, tier, discount) in [
        (1, Tier::Basic, "0"),
        (1, Tier::Super, "0.1"),
        (10, Tier::Basic, "0.05"),
        (10, Tier::Super, "0.145"),
        (50, Tier::Enterprise, "0.2125"),
    ] {
        assert_eq!(book.discount(quantity(count), tier).to_string(), discount);
    }
}

#[test]
fn an_unknown_or_hidden_item_has_no_price() {
    let mut goods = priced_goods();
    let price = |goods: &Goods, codes| quote(goods, 8, &Choice::parse(codes), quantity(1), Tier::Basic);
    assert_eq!(price(&goods, "nix"), Err(PriceError::UnknownItem("nix".into())));
    assert!(price(&goods, "x1|").is_ok());
    goods.steps[4].is_show = false;
    assert_eq!(price(&goods, "x1"), Err(PriceError::UnknownItem("x1".into())));
}

#[test]
fn the_largest_order_has_a_price_and_absurd_prices_an_error() {
    for goods in all_goods() {
        let dearest = goods.shown_steps().flat_map(|step| step.items.last()).map(|item| item.cnum.clone());
        let quote =
            quote(&goods, 9999, &Choice::new(dearest.collect()), quantity(*QUANTITY.end()), Tier::Vip);
        hold(&quote.expect("a price"));
    }
    let mut goods = small_goods();
    goods.price_book.per_page = Fen(i64::MAX / 2);
    let absurd = quote(&goods, 9999, &Choice::default(), quantity(1_000_000), Tier::Basic);
    assert!(matches!(absurd, Err(PriceError::Money(_))));
}

#[test]
fn the_latest_valid_book_is_in_force() {
    let book = |day: &str| PriceBook { valid_from: day.parse().expect("a day"), ..small_goods().price_book };
    let books = [book("2026-01-01"), book("2026-07-01"), book("2027-01-01")];
    let on = |day: &str| {
        let day: Day = day.parse().expect("a day");
        PriceBook::in_force(&books, &day).map(|book| book.valid_from.to_string())
    };
    assert_eq!(on("2025-12-31"), None);
    assert_eq!(on("2026-01-01").as_deref(), Some("2026-01-01"));
    assert_eq!(on("2026-12-31").as_deref(), Some("2026-07-01"));
}

#[test]
fn days_are_days() {
    for day in ["2024-02-29", "2026-12-31", "2000-02-29"] {
        assert_eq!(day.parse::<Day>().expect("a day").to_string(), day);
    }
    for text in [
        "",
        "2026-02-29",
        "1900-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-001",
        "26-01-01",
        "2026/01/01",
        "2026-01-1é",
    ] {
        assert!(text.parse::<Day>().is_err(), "{text:?}");
    }
}

/// The rules and the money know no floating point.
#[test]
fn no_float_takes_part_in_a_price() {
    for source in [
        include_str!("../../src/money.rs"),
        include_str!("../../src/price.rs"),
        include_str!("../../src/ledger.rs"),
        include_str!("../../src/shipping.rs"),
    ] {
        assert!(!source.contains("f64") && !source.contains("f32"));
    }
}

/// Any of the project's goods or a bent one, with any settled choice.
fn any_case() -> impl Strategy<Value = (Goods, u32, Choice, u32, Tier)> {
    let mut all = all_goods();
    all.push(priced_goods());
    let count = prop_oneof![1u32..130, 1u32..=1_000_000, Just(1_000_000)];
    (select(all), 1u32..700, count, select(Tier::ALL.to_vec()), any::<u64>()).prop_map(
        |(goods, pages, count, tier, seed)| {
            // One item of each step, by the digits of the seed.
            let mut rest = seed;
            let wanted = goods.shown_steps().filter_map(|step| {
                let items = step.items.len() as u64;
                let place = rest.checked_rem(items)?;
                rest /= items;
                Some(step.items[usize::try_from(place).expect("a place")].cnum.clone())
            });
            let choice = evaluate(&goods, pages, &Choice::new(wanted.collect())).choice();
            (goods, pages, choice, count, tier)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_price_is_exact_and_explained((goods, pages, choice, count, tier) in any_case()) {
        hold(&quote(&goods, pages, &choice, quantity(count), tier).expect("a price"));
    }

    #[test]
    fn rates_of_any_kind_are_exact(volume in 0u32..10_000, tier_rate in 0u32..10_000, base in 0i64..10_000_000, count in 2u32..=1_000_000) {
        let mut goods = small_goods();
        let rate = |share: u32| Decimal::new(share.into(), 4).to_string();
        goods.price_book.base = Fen(base);
        goods.price_book.volume = vec![rung(2, &rate(volume))];
        goods.price_book.tiers.insert(Tier::Vip, rate(tier_rate).parse().expect("a rate"));
        hold(&quote(&goods, 8, &Choice::default(), quantity(count), Tier::Vip).expect("a price"));
    }

    #[test]
    fn more_pages_never_cost_less((goods, pages, choice, count, tier) in any_case(), more in 0u32..300) {
        let total = |pages| quote(&goods, pages, &choice, quantity(count), tier).expect("a price").total;
        prop_assert!(total(pages + more) >= total(pages));
    }

    /// Below the next rung. Costs per order are left out: spreading them in whole 分 has steps.
    #[test]
    fn more_copies_never_cost_less((mut goods, pages, choice, count, tier) in any_case(), more in 0u32..300) {
        goods.price_book.items.retain(|_, item| item.basis != Basis::Order);
        let (few, many) = (quantity(count), quantity((count + more).min(1_000_000)));
        if goods.price_book.rung(few) != goods.price_book.rung(many) {
            return Ok(());
        }
        let total = |count| quote(&goods, pages, &choice, count, tier).expect("a price").total;
        prop_assert!(total(many) >= total(few));
    }

    #[test]
    fn a_tier_and_a_rung_never_make_it_dearer((goods, pages, choice, count, tier) in any_case()) {
        let total = |goods: &Goods, tier| {
            quote(goods, pages, &choice, quantity(count), tier).expect("a price").total
        };
        prop_assert!(total(&goods, tier) <= total(&goods, Tier::Basic));
        let mut plain = goods.clone();
        plain.price_book.volume.clear();
        prop_assert!(total(&goods, tier) <= total(&plain, tier));
    }

    #[test]
    fn a_cost_per_order_is_never_charged_more_than_once(count in 1u32..=1_000_000, cost in 0i64..1_000_000) {
        let mut goods = small_goods();
        goods.price_book.items.insert("x1".into(), price(&Fen(cost).to_string(), Basis::Order));
        let list = |codes| quote(&goods, 8, &Choice::parse(codes), quantity(count), Tier::Basic).expect("a price").list_total;
        let charged = list("x1").0 - list("x0").0;
        prop_assert!((0..=cost).contains(&charged));
        prop_assert!(cost - charged < i64::from(count));
    }
}

proptest! {
    /// What a chip says an item adds is what it adds (product page, section 3).
    #[test]
    fn a_unit_price_is_its_base_and_what_the_chips_say(goods in select(all_goods()), pages in 8u32..400, seed in any::<u64>()) {
        let chosen = evaluate(&goods, pages, &Choice::default()).choice();
        let other = goods.steps.iter().flat_map(|step| &step.items).nth((seed % 40) as usize);
        let wanted = chosen.cnums().iter().cloned().chain(other.map(|item| item.cnum.clone())).collect();
        let chosen = evaluate(&goods, pages, &Choice::new(wanted)).choice();
        let book = &goods.price_book;
        let quote = quote(&goods, pages, &chosen, quantity(1), Tier::Basic).expect("a price");
        let mut sum = book.base.plus(book.per_page.times(pages.into()).unwrap()).unwrap();
        for cnum in chosen.cnums() {
            let Some(Surcharge::Copy(more) | Surcharge::Order(more)) = book.surcharge(cnum, pages) else { continue };
            sum = sum.plus(more).unwrap();
        }
        prop_assert_eq!(sum, quote.unit_price);
    }
}
