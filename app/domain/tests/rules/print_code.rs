//! QR codes on paper: short addresses, and places where a telephone finds them.

use domain::document::{CODE_LENGTH, CodeBlock, Common, Element, Page, Rect, SAFE_MM, Trim, Unfit};
use domain::hot_area::Kind;
use domain::print_code::{
    Corner, LENGTH, PrintCode, SIDES_MM, Side, WORDS_LENGTH, free_corners, placed, words_for,
};
use proptest::prelude::*;

const TRIM: Trim = Trim { width: 210.0, height: 210.0 };

fn on(address: &str) -> Element {
    let frame = Rect { x: 20.0, y: 20.0, width: 15.0, height: 15.0 };
    Element::Code(CodeBlock { common: Common::default(), frame, address: address.to_owned() })
}

#[test]
fn an_address_is_short_and_in_capitals() {
    let code = PrintCode::of([0, 1, 2, 3, 31, 30, 29, 28]);
    assert_eq!(code.as_str(), "ABCD9876");
    assert_eq!(code.address("https://books.example"), "HTTPS://BOOKS.EXAMPLE/Q/ABCD9876");
    // whatever telephones and people make of it
    for typed in ["ABCD9876", "abcd9876", " ＡＢＣＤ９８７６", "ABCD-9876"] {
        assert_eq!(typed.parse(), Ok(code.clone()), "{typed}");
    }
    for other in ["", "ABCD987", "ABCD98765", "ABCD987O", "ABCD987!"] {
        assert!(other.parse::<PrintCode>().is_err(), "{other}");
    }
}

#[test]
fn what_is_no_web_address_is_on_no_page() {
    assert_eq!(on("HTTPS://BOOKS.EXAMPLE/Q/ABCD9876").check(TRIM), Ok(()));
    assert_eq!(on("http://127.0.0.1:3000/Q/ABCD9876").check(TRIM), Ok(()));
    let long = format!("https://{}", "a".repeat(CODE_LENGTH - 7));
    let others = [
        "",
        "https://",
        "javascript:alert(1)",
        "weixin://dl",
        "https://a b",
        "https://a\nb",
        "二维码",
        &long,
    ];
    for other in others {
        assert_eq!(on(other).check(TRIM), Err(Unfit::Address), "{other}");
    }
}

#[test]
fn the_words_say_what_happens() {
    for (kind, words) in [
        (Kind::Audio, "扫码听：外婆的歌"),
        (Kind::Video, "扫码看：外婆的歌"),
        (Kind::Article, "扫码读：外婆的歌"),
    ] {
        assert_eq!(words_for(kind, "外婆的歌"), words);
    }
    assert_eq!(words_for(Kind::Audio, &"长".repeat(60)).chars().count(), WORDS_LENGTH);
}

fn frames(placed: &domain::print_code::Placed) -> Vec<Rect> {
    std::iter::once(placed.code.frame).chain(placed.words.as_ref().map(|block| block.frame)).collect()
}

#[test]
fn a_full_corner_is_not_offered_first() {
    let right = Side::of(1);
    assert_eq!(free_corners(&Page::default(), 15, TRIM, right).first(), Some(&Corner::BottomRight));
    assert_eq!(free_corners(&Page::default(), 15, TRIM, Side::of(2)).first(), Some(&Corner::BottomLeft));
    let mut page = Page { elements: vec![on("https://a")], ..Page::default() };
    if let Element::Code(code) = &mut page.elements[0] {
        code.frame = Rect { x: 0.0, y: 100.0, width: 210.0, height: 110.0 };
    }
    assert_eq!(free_corners(&page, 15, TRIM, right), [Corner::TopRight, Corner::TopLeft]);
    if let Element::Code(code) = &mut page.elements[0] {
        code.frame = Rect { x: -3.0, y: -3.0, width: 216.0, height: 216.0 };
    }
    assert_eq!(free_corners(&page, 15, TRIM, right).len(), Corner::ALL.len(), "a full page has all");
}

proptest! {
    /// On every page of goods a code stands inside the safe area, away from the fold, and its words beside it.
    #[test]
    fn a_code_stands_where_neither_knife_nor_fold_reaches(
        width in 90.0..420.0f64,
        height in 90.0..420.0f64,
        side_mm in prop::sample::select(&SIDES_MM[..]),
        corner in prop::sample::select(&Corner::ALL[..]),
        number in 0usize..4,
    ) {
        let trim = Trim { width, height };
        let side = Side::of(number);
        let placed = placed("https://a".into(), "扫码听", side_mm, corner, trim, side);
        let code = placed.code.frame;
        prop_assert_eq!(code.width, f64::from(side_mm));
        for frame in frames(&placed) {
            let (right, bottom) = (frame.x + frame.width, frame.y + frame.height);
            prop_assert!(frame.x >= SAFE_MM && frame.y >= SAFE_MM, "{frame:?}");
            prop_assert!(right <= width - SAFE_MM && bottom <= height - SAFE_MM, "{frame:?}");
            match side {
                Side::Left => prop_assert!(right <= width - 10.0),
                Side::Right => prop_assert!(frame.x >= 10.0),
                Side::NoFold => {}
            }
        }
        if let Some(words) = placed.words {
            let apart = words.frame.x + words.frame.width <= code.x || code.x + code.width <= words.frame.x;
            prop_assert!(apart, "{:?} {:?}", words.frame, code);
        }
        prop_assert!(Element::Code(placed.code).check(trim).is_ok());
    }

    #[test]
    fn every_code_is_read_again(random in any::<[u8; LENGTH]>()) {
        let code = PrintCode::of(random);
        prop_assert_eq!(code.as_str().parse(), Ok(code.clone()));
        // what a telephone makes of a host it may make of all
        prop_assert_eq!(code.as_str().to_lowercase().parse(), Ok(code));
    }
}
