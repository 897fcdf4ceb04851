//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use membership::tested::masked;

#[test]
fn a_list_shows_no_whole_contact() {
    for (contact, shown) in
        [("13800138000", "138****8000"), ("reader@example.com", "r****@example.com"), ("closed:01k0", "****")]
    {
        assert_eq!(masked(contact), shown);
    }
}
