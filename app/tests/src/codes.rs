//! Codes that prove a contact.

use reqwest::{Response, StatusCode};

use crate::Caller;

pub const REGISTER: &str = "/manager/login?way=registration";

pub const RECOVER: &str = "/manager/login?way=recovery";

pub const NEW: &str = "a lantern over the river";

/// The way that an address names.
pub fn way(address: &str) -> &str {
    address.split_once("way=").unwrap().1
}

pub async fn send(caller: &Caller, address: &str, contact: &str) -> Response {
    caller.post(address, &[("way", way(address)), ("step", "send"), ("contact", contact)]).await
}

pub async fn finish(caller: &Caller, address: &str, contact: &str, code: &str, password: &str) -> Response {
    let fields = [
        ("way", way(address)),
        ("step", "finish"),
        ("contact", contact),
        ("code", code),
        ("password", password),
    ];
    caller.post(address, &fields).await
}

/// A code that is not this one.
pub fn other_than(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

pub async fn refused(answer: Response, words: &str) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(words), "{words} is not in {page}");
    page
}
