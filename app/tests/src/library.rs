//! A member's library of photos.

use crate::Caller;

pub async fn remove(caller: &Caller, ids: &[&str]) -> reqwest::Response {
    let fields: Vec<(&str, &str)> = ids.iter().map(|id| ("photo", *id)).collect();
    caller.post("/manager/photos/removal", &fields).await
}
