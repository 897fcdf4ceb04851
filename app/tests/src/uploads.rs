//! Uploads in acknowledged pieces, as a browser sends them.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage};
use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::{Caller, Server, encoded, names_in};

pub const MIB: usize = 1024 * 1024;

/// A JPEG of noise, large for its size.
pub fn noise(width: u32, height: u32, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let picture = RgbImage::from_fn(width, height, |_, _| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let [a, b, c, _] = state.to_be_bytes();
        Rgb([a, b, c])
    });
    encoded(&picture, ImageFormat::Jpeg)
}

pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// `Upload-Metadata` of a file.
pub fn metadata(name: &str, sha256: Option<&str>) -> String {
    let name = format!("filename {}", STANDARD.encode(name));
    sha256.map_or(name.clone(), |sha256| format!("{name},sha256 {}", STANDARD.encode(sha256)))
}

pub async fn tus(
    caller: &Caller,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    try_tus(caller, method, path, headers, body).await.expect("the server answers")
}

/// The same to a server that may die meanwhile; `None` when nobody answered.
pub async fn try_tus(
    caller: &Caller,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Option<Response> {
    let headers = [&[("tus-resumable", "1.0.0")], headers].concat();
    caller.try_send(method, path, &headers, body.to_vec()).await
}

pub async fn create(caller: &Caller, length: usize, metadata: &str) -> Response {
    create_at(caller, "/manager/uploads", length, metadata).await
}

/// The same elsewhere than in a member's own library.
pub async fn create_at(caller: &Caller, place: &str, length: usize, metadata: &str) -> Response {
    let length = length.to_string();
    tus(caller, "POST", place, &[("upload-length", &length), ("upload-metadata", metadata)], b"").await
}

/// Begins an upload and answers its address.
pub async fn begin(caller: &Caller, name: &str, bytes: &[u8]) -> String {
    begin_at(caller, "/manager/uploads", name, bytes).await
}

/// The same elsewhere.
pub async fn begin_at(caller: &Caller, place: &str, name: &str, bytes: &[u8]) -> String {
    let answer = create_at(caller, place, bytes.len(), &metadata(name, Some(&sha256(bytes)))).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    header(&answer, "location")
}

/// Sends a small copy of an original ahead, below where uploads begin.
pub async fn ahead_at(caller: &Caller, place: &str, original: &[u8], preview: Vec<u8>) -> Response {
    let head = original[..original.len().min(96 << 10)].to_vec();
    let form = Form::new()
        .text("sha256", sha256(original))
        .text("length", original.len().to_string())
        .text("filename", "海边.jpg")
        .part("head", Part::bytes(head).file_name("blob"))
        .part("preview", Part::bytes(preview).file_name("blob"));
    caller.post_multipart(&format!("{place}/preview"), form).await
}

pub async fn patch(caller: &Caller, path: &str, offset: usize, bytes: &[u8]) -> Response {
    let offset = offset.to_string();
    let head = [("upload-offset", &*offset), ("content-type", "application/offset+octet-stream")];
    tus(caller, "PATCH", path, &head, bytes).await
}

/// Where an upload stands.
pub async fn position(caller: &Caller, path: &str) -> usize {
    let answer = tus(caller, "HEAD", path, &[], b"").await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    header(&answer, "upload-offset").parse().unwrap()
}

pub fn header(answer: &Response, name: &str) -> String {
    let value = answer.headers().get(name).unwrap_or_else(|| panic!("no {name} in {answer:?}"));
    value.to_str().unwrap().to_owned()
}

/// The sentence of a refusal.
pub async fn reason(answer: Response) -> String {
    let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["msg"].as_str().unwrap().to_owned()
}

pub fn storage(server: &Server) -> PathBuf {
    server.folder.path().join("storage")
}

/// What is left of uploads in the storage.
pub fn pieces(server: &Server) -> Vec<PathBuf> {
    let folder = storage(server).join("uploads");
    let folders = if folder.is_dir() { names_in(&folder) } else { Vec::new() };
    folders.into_iter().filter(|upload| !names_in(&folder.join(upload)).is_empty()).collect()
}

/// The original must be there, byte for byte; what is in a bucket has tests of its own.
pub fn assert_kept(server: &Server, bytes: &[u8]) {
    if server.is_in_a_bucket() {
        return;
    }
    let sha256 = sha256(bytes);
    let kept = std::fs::read(storage(server).join("originals").join(&sha256[..2]).join(&sha256)).unwrap();
    assert!(kept == bytes, "the original is not what was sent");
}
