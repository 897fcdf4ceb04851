//! A member's library of photos.

use std::path::PathBuf;
use std::time::Duration;

use image::ImageFormat;
use reqwest::StatusCode;
use sha2::{Digest, Sha256};

use crate::{Caller, Server, between, encoded, jpeg, location, quarters};

pub async fn remove(caller: &Caller, ids: &[&str]) -> reqwest::Response {
    let fields: Vec<(&str, &str)> = ids.iter().map(|id| ("photo", *id)).collect();
    caller.post("/manager/photos/removal", &fields).await
}
