//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use orders::tested::read_line as read;

#[test]
fn lines_are_read_as_they_are_pasted() {
    for line in [
        "20261125A 顺丰 SF1234567890123",
        "20261125A\t顺丰\tSF1234567890123",
        "20261125A，顺丰, SF1234567890123",
    ] {
        let (id, parcel) = read(line, false).unwrap();
        assert_eq!(id.as_str(), "20261125A");
        assert_eq!((parcel.carrier.as_str(), parcel.tracking.as_str()), ("顺丰", "SF1234567890123"));
    }
    assert!(read("20261125A 顺丰", false).is_err() && read("订单 顺丰 SF1234567890123", false).is_err());
    // a number that does not look like its carrier's is taken from a clerk who is sure
    assert!(read("20261125A 顺丰 SF1", false).is_err() && read("20261125A 顺丰 SF1", true).is_ok());
    assert!(read(&format!("20261125A 顺丰 {}", "9".repeat(41)), true).is_err());
}
