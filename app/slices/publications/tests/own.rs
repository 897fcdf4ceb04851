//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use domain::publication::Kind;
use publications::tested::kind_of;

#[test]
fn an_address_says_its_kind() {
    for (path, kind) in [
        ("/epaper/x/2026-11-21/1", Some(Kind::Epaper)),
        ("/magazine/x", Some(Kind::Magazine)),
        ("/manager/epaper/new", Some(Kind::Epaper)),
        ("/manager/magazine_issue/abc/1", Some(Kind::Magazine)),
        ("/manager/epaper_sell", None),
        ("/", None),
    ] {
        assert_eq!(kind_of(path).ok(), kind, "{path}");
    }
}
