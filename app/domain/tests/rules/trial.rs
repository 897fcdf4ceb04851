//! Who tries is one reader, by whatever name its mailbox is written.

use domain::contact::Contact;
use domain::trial::same_for_all;

#[test]
fn one_mailbox_is_one_reader() {
    let of = |text: &str| same_for_all(&Contact::read(text).unwrap());
    for (one, other) in [
        ("reader@example.com", "reader+two@example.com"),
        ("first.last@gmail.com", "firstlast@googlemail.com"),
        ("a.b+c@gmail.com", "ab@gmail.com"),
        ("138 0013 8000", "+86 13800138000"),
    ] {
        assert_eq!(of(one), of(other), "{one} {other}");
    }
    for (one, other) in [
        ("first.last@example.com", "firstlast@example.com"),
        ("reader@example.com", "reader@example.cn"),
        ("13800138000", "13800138001"),
    ] {
        assert_ne!(of(one), of(other), "{one} {other}");
    }
}
