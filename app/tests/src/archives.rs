//! Archives of works: taken along and brought back.

use std::io::{Cursor, Read, Write};

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::{Caller, between, between_all, jpeg, location};

pub async fn album(member: &Caller) -> String {
    let photos = (0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect();
    let photos = member.upload(photos).await;
    member.album("square-210", "海边的夏天", &photos).await
}

pub async fn export(member: &Caller, work: &str) -> Vec<u8> {
    let answer = member.get(&format!("/manager/opus/{work}/export")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "application/zip");
    let length: usize = answer.headers()["content-length"].to_str().unwrap().parse().unwrap();
    let bytes = answer.bytes().await.unwrap().to_vec();
    assert_eq!(bytes.len(), length);
    bytes
}

/// The form's answer, with the id that it carries.
pub async fn send(member: &Caller, id: &str, archive: Vec<u8>) -> reqwest::Response {
    let part = Part::bytes(archive).file_name("书.bindery.zip");
    let form = Form::new().text("work", id.to_owned()).part("archive", part);
    member.post_multipart("/manager/opus_import", form).await
}

/// A fresh id off the page.
pub async fn fresh(member: &Caller) -> String {
    between(&member.page("/manager/opus_import").await, "name=\"work\" value=\"", "\"")
}

pub async fn import(member: &Caller, archive: Vec<u8>) -> String {
    let id = fresh(member).await;
    let answer = send(member, &id, archive).await;
    assert_eq!(location(&answer), format!("/manager/opus/{id}"));
    id
}

/// Every file of an archive by name.
pub fn files(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(archive)).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let mut files: Vec<_> = names
        .into_iter()
        .map(|name| {
            let mut bytes = Vec::new();
            zip.by_name(&name).unwrap().read_to_end(&mut bytes).unwrap();
            (name, bytes)
        })
        .collect();
    files.sort();
    files
}

pub fn packed(files: &[(String, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub async fn assert_refused(member: &Caller, archive: Vec<u8>, what: &str, reason: &str) {
    let answer = send(member, &fresh(member).await, archive).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{what}");
    let page = answer.text().await.unwrap();
    assert!(page.contains(reason), "{what}: {page}");
}

/// The shelf holds the one work that was there before.
pub async fn assert_nothing_made(member: &Caller) {
    let shelf = member.page("/manager/opus_list/all").await;
    assert_eq!(between_all(&shelf, "href=\"/manager/opus_setting/", "\"").len(), 1, "nothing was made");
}
