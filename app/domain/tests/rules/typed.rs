//! What people type, as each kind of field reads it.

use domain::contact::Contact;
use domain::invoice::CreditCode;
use domain::money::Fen;
use domain::package::Term;
use domain::print_options::Quantity;
use domain::publication::{Day, ShortAddress};
use domain::redeem_code::RedeemCode;
use domain::typed::{PAGES, code, day, is_blank, is_ignorable, month, name, typed, whole, words};
use proptest::prelude::*;

#[test]
fn what_means_the_same_is_read_as_one() {
    for (text, read) in [
        ("１２３ＡＢＣ", "123ABC"),
        ("a＠b．cn", "a@b.cn"),
        ("1‐2‑3‒4–5—6―7−8－9﹣0", "1-2-3-4-5-6-7-8-9-0"),
        ("1\u{a0}2\u{2003}3\u{3000}4\u{202f}5\t6\n7", "1 2 3 4 5 6 7"),
        ("\u{feff}\u{200b}1\u{200d}2\u{2060}3\u{ad}4\u{fe0f}\u{202e}5\u{2066}6\u{200e}\u{3164}", "123456"),
        ("e\u{200b}\u{301}", "é"),
        (" \u{3000} ", ""),
    ] {
        assert_eq!(typed(text), read, "{text:?}");
    }
    assert_eq!(code(" ２２—ab c\u{200b}d "), "22abcd");
}

#[test]
fn names_and_texts_keep_what_was_typed() {
    for kept in [
        "①㎜，。：（）！Ａ１　—",
        "👨‍👩‍👧‍👦",
        "❤️",
        "👩🏽‍🚀",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "می‌خواهم",
        "क्‍ष",
        "林 知夏",
        "葛\u{e0100}城",
        "一\n　　二\n三",
        "½ ﬁ ２０２６",
    ] {
        assert_eq!(words(kept), kept);
    }
    for (text, read) in [
        ("林\u{202e}夏\u{202c}", "林夏"),
        ("\u{feff}山\u{200b}野\u{2060}\u{ad}", "山野"),
        ("\u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}b\u{fffe}\u{fdd0}\u{1ffff}", "ab"),
        ("\u{3000}题\u{200b} ", "题"),
        ("cafe\u{301}", "café"),
        ("一\r\n二\r三\n四\u{2028}五", "一\n二\n三\n四\u{2028}五"),
        ("a\r\nb", "a\nb"),
    ] {
        assert_eq!(words(text), read, "{text:?}");
    }
    assert_eq!(name("gnp\u{202e}海\n边\u{2028}\u{85}.exe", 120), "gnp海边.exe");
    assert_eq!(name("一二三四", 3), "一二三");
    for blank in ["", " \u{3000}", "\u{200d}", "\u{3164}\u{fe0f}"] {
        assert!(is_blank(blank), "{blank:?}");
    }
    assert!(!is_blank("👨‍👩‍👧"));
}

#[test]
fn amounts_are_read_in_one_way() {
    for (text, fen) in [
        ("1,000", 100_000),
        ("1，000.50", 100_050),
        ("1 234 567.8", 123_456_780),
        ("１２３．４５", 12_345),
        ("１２３。５", 12_350),
        ("100元", 10_000),
        ("100 圆", 10_000),
        ("¥100", 10_000),
        ("￥１００", 10_000),
        ("RMB 1,234.50", 123_450),
        ("\u{200b}8\u{a0}", 800),
        ("−5", -500),
    ] {
        assert_eq!(Fen::read(text), Ok(Some(Fen(fen))), "{text}");
    }
    for text in ["", " ", "¥", "\u{200b}"] {
        assert_eq!(Fen::read(text), Ok(None), "{text:?}");
    }
    for text in [
        "1,00",
        "1,0000",
        ",100",
        "1,000 000",
        "1.001",
        "1.",
        ".5",
        "1e3",
        "一百",
        "+1",
        "1.234,50",
        "1,,000",
        "¥¥1",
    ] {
        assert!(Fen::read(text).is_err(), "{text}");
    }
}

#[test]
fn numbers_may_have_their_unit() {
    for (text, count) in
        [("２", 2), ("2份", 2), ("2 本", 2), (" 1,000 ", 1000), ("１２册", 12), ("2\u{200b}", 2)]
    {
        assert_eq!(Quantity::read(text).map(Quantity::get), Ok(count), "{text}");
    }
    for text in ["", "0", "-1", "+1", "1.5", "二", "2页", "份", "1000001", "10,00", "99999999999999999999"]
    {
        assert!(Quantity::read(text).is_err(), "{text}");
    }
    for (text, page) in
        [("３", Some(3)), ("第 3 页", Some(3)), ("3 版", Some(3)), ("第3", None), ("页", None)]
    {
        assert_eq!(whole::<u32>(text, PAGES), page, "{text}");
    }
    assert_eq!(whole::<u8>("256", &[]), None);
    assert_eq!(Term::read("days", "３０天"), Ok(Term::Days(30)));
    assert_eq!(Term::read("months", "12 个月"), Ok(Term::Months(12)));
}

#[test]
fn codes_may_be_pasted() {
    let made = RedeemCode::of([7; 15]);
    let wide = |text: &str| -> String {
        text.chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c)).collect()
    };
    let plain = made.plain();
    for text in [
        format!("\u{feff}{made}\u{200b}"),
        made.to_string().replace('-', "—"),
        made.to_string().replace('-', "\u{a0}"),
        wide(&made.to_string()),
        plain.chars().flat_map(|c| [c, '\u{200b}']).collect(),
        plain.to_lowercase(),
    ] {
        assert_eq!(text.parse(), Ok(made), "{text:?}");
    }
    let credit = "91350100M000100Y43";
    for text in [wide(credit), format!("\u{200b}{credit}"), credit.replace("M0", "\u{a0}m\u{2060}0 ")] {
        assert_eq!(text.parse::<CreditCode>().as_ref().map(CreditCode::as_str), Ok(credit), "{text:?}");
    }
    assert_eq!(ShortAddress::read("ｘｉｈｕ—daily\u{200b}").unwrap().as_str(), "xihu-daily");
}

#[test]
fn contacts_may_be_pasted() {
    for (text, read) in [
        ("reader@example.com\u{200b}", "reader@example.com"),
        ("\u{feff}ｒｅａｄｅｒ＠ｅｘａｍｐｌｅ．ｃｏｍ", "reader@example.com"),
        ("reader@example。com", "reader@example.com"),
        ("\u{202a}reader@mail–box.cn\u{202c}", "reader@mail-box.cn"),
        ("\u{202d}138 0013 8000\u{202c}", "13800138000"),
        ("86-13800138000", "13800138000"),
        ("（+86）138—0013—8000", "13800138000"),
    ] {
        assert_eq!(Contact::read(text).map(|contact| contact.to_string()).as_deref(), Some(read), "{text:?}");
    }
    assert_eq!(Contact::read("0571-87654321"), None);
    assert_eq!(Contact::read("re ader@example.com"), None);
}

#[test]
fn days_may_be_written_as_people_write_them() {
    for text in [
        "2026-05-01",
        "2026/5/1",
        "2026.5.1",
        "２０２６-０５-０１",
        "2026年5月1日",
        "2026 年 5 月 1 号",
        "20260501",
        "2026—05—01\u{200b}",
    ] {
        assert_eq!(day(text), "2026-05-01", "{text}");
        assert_eq!(Day::read(text).map(|day| day.to_string()).as_deref(), Ok("2026-05-01"), "{text}");
    }
    for text in
        ["", "5/1", "26-5-1", "2026-13-01", "2026-2-30", "2026-5-1-2", "2026-5", "五月一日", "2026-05-1x"]
    {
        assert!(Day::read(text).is_err(), "{text}");
    }
    for text in ["2026-05", "2026/5", "２０２６年５月"] {
        assert_eq!(month(text), "2026-05", "{text}");
    }
}

/// Texts with many of the characters that this is about.
fn hostile() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(
        "\u{200b}\u{200c}\u{200d}\u{200e}\u{feff}\u{ad}\u{202e}\u{2066}\u{fe0f}\u{3164}\u{ffa0}\u{34f}\u{301}\u{a8}\u{3000}\u{a0}\u{fffe}\0\n—－１Ａ¥￥。．,，元年月日第页86+-()@転e\u{1100}\u{1161}\u{11a8}ﷺ"
            .chars()
            .collect::<Vec<char>>(),
    );
    prop::collection::vec(prop_oneof![3 => odd, 1 => any::<char>()], 0..24).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn reading_twice_is_reading_once(text in hostile()) {
        for read in [typed, words, code, day, month] {
            let once = read(&text);
            prop_assert_eq!(read(&once), once.clone());
            prop_assert!(once == once.trim());
        }
        let shown = name(&text, 9);
        prop_assert_eq!(name(&shown, 9), shown.clone());
        prop_assert!(shown.chars().count() <= 9 && !shown.chars().any(char::is_control));
    }

    #[test]
    fn nothing_unseen_is_left(text in hostile()) {
        let typed = typed(&text);
        prop_assert!(!typed.chars().any(is_ignorable), "{typed:?}");
        prop_assert!(!typed.chars().any(|c| c.is_whitespace() && c != ' '));
        let gone = |c: char| "\u{200b}\u{feff}\u{2060}\u{ad}\u{202e}\u{2066}\u{fffe}".contains(c);
        prop_assert_eq!(words(&text).chars().find(|c| gone(*c)), None);
    }

    #[test]
    fn no_reader_fails_on_any_text(text in hostile()) {
        let _ = (Fen::read(&text), whole::<u32>(&text, PAGES), Quantity::read(&text), Contact::read(&text));
        let _ = (domain::phone::normal(&text), Day::read(&text), text.parse::<RedeemCode>(), text.parse::<CreditCode>());
    }

    #[test]
    fn what_was_read_once_is_read_again(text in hostile()) {
        if let Some(contact) = Contact::read(&text) {
            prop_assert_eq!(Contact::read(contact.as_str()), Some(contact));
        }
        if let Some(number) = domain::phone::normal(&text) {
            prop_assert_eq!(domain::phone::normal(&number), Some(number));
        }
    }

    #[test]
    fn an_amount_reads_back_from_the_screen(fen in -1_000_000_000_000_i64..1_000_000_000_000) {
        prop_assert_eq!(Fen::read(&format!("¥{}", Fen(fen).grouped())), Ok(Some(Fen(fen))));
    }
}

/// Every character there is, alone and between others.
#[test]
fn no_character_leaves_anything_unseen_behind() {
    for c in char::MIN..=char::MAX {
        let read = typed(&format!("1{c}2"));
        assert!(!read.chars().any(is_ignorable), "{c:?} became {read:?}");
        assert_eq!(typed(&read), read, "{c:?}");
    }
}

#[test]
fn a_names_own_ideographs_stay() {
    // as some write 神, 福 and 都; marks beside them compose
    for kept in ["\u{fa19}谷", "\u{fa1b}井", "京\u{fa26}", "\u{2f800}"] {
        assert_eq!(words(kept), kept);
        assert_eq!(words(&format!("{kept}e\u{301}")), format!("{kept}é"));
    }
}
