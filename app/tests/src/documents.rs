//! Documents of files and texts: sending one, and what became of it.

use std::io::{Cursor, Read};
use std::process::Command;

use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};

use crate::pdfs::Pdf;
use crate::{Caller, between, location};

/// Sends the form with these fields over its usual ones, and a file.
pub async fn send(member: &Caller, fields: &[(&str, &str)], file: Option<(&str, Vec<u8>)>) -> Response {
    let work = between(&member.page("/manager/opus-document").await, "name=\"work\" value=\"", "\"");
    let usual = [
        ("work", work.as_str()),
        ("format", "file"),
        ("theme", "calm"),
        ("cover", "words"),
        ("author", "林知夏"),
    ];
    let usual = usual.into_iter().filter(|(name, _)| fields.iter().all(|(given, _)| given != name));
    let form = usual
        .chain(fields.iter().copied())
        .fold(Form::new(), |form, (name, value)| form.text(name.to_owned(), value.to_owned()));
    let form = match file {
        Some((name, bytes)) => form.part("file", Part::bytes(bytes).file_name(name.to_owned())),
        None => form,
    };
    member.post_multipart("/manager/opus-document", form).await
}

/// Makes a document and answers its address.
pub async fn made(member: &Caller, fields: &[(&str, &str)], file: Option<(&str, Vec<u8>)>) -> String {
    let answer = send(member, fields, file).await;
    if answer.status() != StatusCode::SEE_OTHER {
        let page = answer.text().await.unwrap();
        panic!("refused: {}", between(&page, "id=\"errors\"", "</div>"));
    }
    location(&answer)
}

pub fn a5(pages: &[&str]) -> Vec<u8> {
    pages.iter().fold(Pdf::new(), |pdf, words| pdf.page(148.0, 210.0, words)).bytes()
}

pub fn words_of(pdf: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let said = Command::new("pdftotext").arg(file.path()).arg("-").output().unwrap();
    String::from_utf8_lossy(&said.stdout).into_owned()
}

pub async fn picture(member: &Caller, address: &str) -> image::RgbImage {
    let answer = member.get(address).await;
    assert_eq!(answer.status(), StatusCode::OK, "{address}");
    image::load_from_memory(&answer.bytes().await.unwrap()).unwrap().into_rgb8()
}

pub fn is_red(picture: &image::RgbImage) -> bool {
    let [red, green, blue] = picture.get_pixel(20, picture.height() - 20).0;
    red > 180 && green < 70 && blue < 70
}

/// How many pictures the inner pages of a work have as they go to print.
pub async fn inner_pictures(member: &Caller, work: &str) -> usize {
    let archive = member.get(&format!("{work}/export")).await.bytes().await.unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), unpacked(&archive, "print/inner.pdf")).unwrap();
    let said = Command::new("pdfimages").arg("-list").arg(file.path()).output().unwrap();
    String::from_utf8_lossy(&said.stdout).lines().skip(2).filter(|line| line.contains(" image ")).count()
}

/// A file out of a work's archive.
pub fn unpacked(archive: &[u8], name: &str) -> Vec<u8> {
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut bytes = Vec::new();
    zip.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}
