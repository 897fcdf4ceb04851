//! Answers to calls.

use reqwest::{Response, StatusCode};
use serde_json::Value;

pub async fn body(answer: Response) -> Value {
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("application/json"));
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}
