//! A second factor: switched on, and asked for.

use reqwest::{Response, StatusCode};

use crate::staff::code;
use crate::{Caller, PASSWORD, Server, between, between_all, location};

pub const PAGE: &str = "/manager/userInfo/second_factor";

pub const ACCOUNT: &str = "reader@example.com";

/// Begins, and reads the secret on the page.
pub async fn secret(member: &Caller) -> String {
    let answer = member.post(PAGE, &[("step", "begin"), ("current", PASSWORD)]).await;
    assert_eq!(location(&answer), PAGE);
    let page = member.page(PAGE).await;
    assert!(page.contains("<svg role=\"img\" aria-label=\"两步验证二维码\""), "{page}");
    between(&page, "<code class=\"num\">", "</code>").replace(' ', "")
}

/// Switches it on: the secret and the recovery codes. The code of the step before ours is used for it.
pub async fn switched_on(member: &Caller) -> (String, Vec<String>) {
    let secret = secret(member).await;
    let answer = member.post(PAGE, &[("step", "confirm"), ("code", &code(&secret, -1))]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    let codes = between_all(&page, "<li><code class=\"num\">", "</code>");
    assert_eq!(codes.len(), 10, "{page}");
    (secret, codes)
}

/// A browser that has shown the password and stands at the second step.
pub async fn at_the_step(server: &Server, page: &str) -> (Caller, String) {
    let visitor = server.visitor();
    let answer = visitor.post(page, &[("account", &server.own(ACCOUNT)), ("password", PASSWORD)]).await;
    let step = location(&answer);
    assert!(step.ends_with("?way=second_factor"), "{step}");
    assert!(location(&visitor.get("/manager/order").await).starts_with("/manager/login/"), "not in yet");
    (visitor, step)
}

pub async fn show(visitor: &Caller, step: &str, code: &str) -> Response {
    visitor.post(step, &[("way", "second_factor"), ("code", code)]).await
}
