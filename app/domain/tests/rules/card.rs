//! Business cards: what may stand on one, and that phones read the file.

use domain::card::{Contact, Field, Look, complaint, vcard};
use proptest::prelude::*;
use vobject::parse_component;

#[test]
fn how_somebody_is_reached_is_nobodys_before_it_is_chosen() {
    let hidden: Vec<_> = Field::ALL.into_iter().filter(|field| !field.is_public_at_first()).collect();
    assert_eq!(hidden, [Field::Phone, Field::Email]);
    for field in Field::ALL {
        assert_eq!(Field::of_code(field.code()), Some(field));
    }
    for look in Look::ALL {
        assert_eq!(Look::of_code(look.code()), Some(look));
    }
}

#[test]
fn what_can_be_rung_up_and_written_to_passes() {
    for (field, good) in [
        (Field::Phone, "13800138000"),
        (Field::Phone, "+86 (571) 8765-4321 转 8"),
        (Field::Email, "lin.zhixia+books@example.com"),
        (Field::Weixin, "lin_zhi-xia2"),
        (Field::Address, "杭州市西湖区龙井路 18 号；二楼"),
        (Field::Introduction, ""),
    ] {
        assert_eq!(complaint(field, good), None, "{good}");
    }
    for (field, bad) in [
        (Field::Phone, "请打我电话"),
        (Field::Phone, "12"),
        (Field::Email, "a@b"),
        (Field::Email, "a b@example.com"),
        (Field::Email, "@example.com"),
        (Field::Email, "a@b@example.com"),
        (Field::Weixin, "林知夏"),
        (Field::Company, &"字".repeat(61)),
        (Field::Introduction, &"字".repeat(601)),
    ] {
        assert!(complaint(field, bad).is_some(), "{bad}");
    }
}

#[test]
fn a_card_is_read_as_it_was_written() {
    let contact = Contact {
        name: "林知夏",
        title: "摄影师, 编辑；主笔",
        company: "山海;影像\\工作室",
        phone: "0571-8765 4321",
        email: "lin@example.com",
        weixin: "lin_zhixia",
        address: "浙江省杭州市西湖区龙井路 18 号, 二楼",
        introduction: "拍山, 拍海。\r\n也拍人；出过三本书。\nBEGIN:VCARD",
        url: "https://books.example/card/12345678",
        picture: &"QUJD".repeat(400),
    };
    let text = vcard(&contact);
    let card = parse_component(&text).unwrap();
    assert_eq!(card.name, "VCARD");
    let value =
        |name: &str| card.get_only(name).map(|property| property.value_as_string()).unwrap_or_default();
    assert_eq!(value("VERSION"), "3.0");
    assert_eq!(value("FN"), contact.name);
    assert_eq!(value("TITLE"), contact.title);
    assert_eq!(value("ORG"), contact.company);
    assert_eq!(value("TEL"), contact.phone);
    assert_eq!(value("EMAIL"), contact.email);
    assert_eq!(value("NOTE"), contact.introduction.replace("\r\n", "\n"));
    assert_eq!(value("URL"), contact.url);
    assert_eq!(card.get_only("PHOTO").unwrap().raw_value, contact.picture);
    assert!(card.get_only("ADR").unwrap().raw_value.starts_with(";;浙江省"));
    assert_eq!(card.subcomponents.len(), 0, "words open no card of their own");
}

/// A text as RFC 2426 escapes it; the parser takes an escaped backslash before an n for a new line.
fn unescaped(raw: &str) -> String {
    let mut letters = raw.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next().map(|next| if next == 'n' { '\n' } else { next })),
            _ => text.push(letter),
        }
    }
    text
}

proptest! {
    #[test]
    fn no_words_leave_their_place(name in ".{1,30}", note in ".{0,300}", company in "(.|\r\n|\n){0,60}") {
        let contact = Contact { name: &name, introduction: &note, company: &company, ..Contact::default() };
        let text = vcard(&contact);
        for line in text.split("\r\n") {
            prop_assert!(line.len() <= 75, "{line:?}");
            prop_assert!(!line.contains(['\r', '\n']));
        }
        let card = parse_component(&text).unwrap();
        let names: Vec<&String> = card.props.keys().collect();
        prop_assert!(names.iter().all(|name| ["N", "FN", "VERSION", "NOTE", "ORG"].contains(&name.as_str())), "{names:?}");
        let kept: String = note.chars().filter(|c| !c.is_control() || *c == '\n').collect();
        let read = card.get_only("NOTE").map(|property| unescaped(&property.raw_value)).unwrap_or_default();
        prop_assert_eq!(read, kept);
    }
}
