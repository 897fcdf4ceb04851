//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use photos::tested::{Metadata, number as number_in};

fn metadata(value: &str) -> Result<Metadata, impl Sized + std::fmt::Debug> {
    let mut headers = HeaderMap::new();
    headers.insert("upload-metadata", value.parse().unwrap());
    Metadata::read(&headers)
}

#[test]
fn metadata_is_read_strictly_and_names_become_harmless() {
    let name = STANDARD.encode("../../晚\u{0}霞\n.jpg");
    let read = metadata(&format!("filename {name}, type aW1hZ2UvanBlZw==,empty")).unwrap();
    assert_eq!(read.file_name, "晚霞.jpg");
    assert!(metadata("").is_ok_and(|read| read == Metadata::default()));
    for wrong in ["filename !", "a YQ==,a YQ==", ",", "a YQ==,", "sha256 YQ==", " YQ=="] {
        assert!(metadata(wrong).is_err(), "{wrong}");
    }
    assert!(metadata(&format!("x {}", STANDARD.encode([7; 4000]))).is_err());
}

#[test]
fn numbers_are_digits_that_the_database_can_count() {
    let mut headers = HeaderMap::new();
    for (text, number) in
        [("0", Some(0)), ("12", Some(12)), ("+1", None), ("-1", None), ("1.5", None), ("", None)]
    {
        headers.insert("upload-offset", text.parse().unwrap());
        assert_eq!(number_in(&headers, "upload-offset"), number, "{text:?}");
    }
    headers.insert("upload-offset", "9223372036854775808".parse().unwrap());
    assert_eq!(number_in(&headers, "upload-offset"), None);
}
