//! The page of a member's own account.

use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::Caller;

pub const PAGE: &str = "/manager/userInfo";

pub fn picture(name: &str, bytes: Vec<u8>) -> Form {
    Form::new().part("avatar", Part::bytes(bytes).file_name(name.to_owned()))
}

pub async fn user(member: &Caller) -> Value {
    let answer = member.post("/user-center/userIsLogin3", &[]).await;
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}
