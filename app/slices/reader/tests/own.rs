//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

mod forms {
    use reader::tested::origin;

    #[test]
    fn only_origins_get_into_the_content_policy() {
        for (text, expected) in [
            ("https://Example.com/a?b", Some("https://example.com")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("example.com", None),
            ("https://a b", None),
            ("https://a;script-src *", None),
            ("https://user@host", None),
            ("javascript:alert(1)", None),
            ("*", None),
        ] {
            assert_eq!(origin(text).as_deref(), expected, "{text}");
        }
    }
}

mod operate {
    use reader::tested::without_stop;
    #[test]
    fn a_reason_stands_within_a_sentence() {
        for (typed, kept) in [(" 侵权。 ", "侵权"), ("侵权", "侵权"), ("侵权 。.", "侵权"), ("。", "")]
        {
            assert_eq!(without_stop(typed), kept);
        }
    }
}
