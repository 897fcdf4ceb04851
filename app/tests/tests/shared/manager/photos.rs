//! /manager/photos and /manager/photo/{id}/{size}.

use image::{GenericImageView, ImageFormat};
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use support::{Server, encoded, jpeg, on_both_engines, photo_form, quarters};

on_both_engines!(
    the_same_bytes_twice_are_one_photo;
    on_sqlite:
    what_is_in_the_library_needs_no_more_room,
    an_empty_form_is_refused,
    a_refusal_reaches_who_is_still_sending,
    photos_are_served_upright_without_metadata,
    somebody_elses_photo_looks_like_none,
);

async fn the_same_bytes_twice_are_one_photo(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = jpeg(400, 300, 1);
    let first = member.upload(vec![("一.jpg", photo.clone())]).await;
    let second = member.upload(vec![("二.jpg", photo.clone()), ("三.jpg", photo)]).await;
    assert_eq!(first.len(), 1);
    assert_eq!(first, second);
}

async fn what_is_in_the_library_needs_no_more_room(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = jpeg(400, 300, 1);
    let first = member.upload(vec![("一.jpg", photo.clone())]).await;
    server
        .sql(&format!("update photos set bytes = {} where member_id in {}", 5u64 << 30, server.members()))
        .await;
    assert_eq!(member.upload(vec![("二.jpg", photo.clone())]).await, first);
    let both = photo_form(vec![("一.jpg", photo), ("新的.jpg", jpeg(400, 300, 2))]);
    let answer = member.post_multipart("/manager/photos", both).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("1 张已上传，1 个文件没有收下"), "{page}");
    assert!(page.contains("新的.jpg：素材空间不足"), "{page}");
    assert_eq!(member.library().await, first);
}

/// A JPEG with an EXIF orientation and a GPS block, stored sideways as a phone does.
fn phone_jpeg(orientation: u8) -> Vec<u8> {
    let stored = quarters(320, 240, 9);
    let plain = encoded(&stored, ImageFormat::Jpeg);
    let mut tiff = vec![b'I', b'I', 42, 0, 8, 0, 0, 0, 2, 0];
    tiff.extend([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    tiff.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0]);
    tiff.extend([0, 0, 0, 0]);
    tiff.extend([1, 0, 1, 0, 2, 0, 2, 0, 0, 0, b'N', 0, 0, 0, 0, 0, 0, 0]);
    let mut exif = b"Exif\0\0".to_vec();
    exif.extend(tiff);
    let mut bytes = plain[..2].to_vec();
    bytes.extend([0xff, 0xe1]);
    bytes.extend(u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    bytes.extend(exif);
    bytes.extend(&plain[2..]);
    bytes
}

async fn photos_are_served_upright_without_metadata(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let id = member.upload(vec![("手机.jpg", phone_jpeg(6))]).await.remove(0);
    let answer = member.get(&format!("/manager/photo/{id}/320")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/webp");
    assert!(answer.headers()["cache-control"].to_str().unwrap().contains("private"));
    let bytes = answer.bytes().await.unwrap();
    assert!(!bytes.windows(4).any(|w| w == b"EXIF" || w == b"Exif" || w == b"XMP "));
    let picture = image::load_from_memory_with_format(&bytes, ImageFormat::WebP).unwrap();
    assert_eq!(picture.dimensions(), (240, 320));
    // orientation 6 turns the stored picture clockwise: the stored bottom left comes to the top left
    let top_left = picture.get_pixel(40, 40);
    assert!(top_left[2] > 150 && top_left[0] < 100, "{top_left:?}");
    assert_eq!(member.get(&format!("/manager/photo/{id}/333")).await.status(), StatusCode::NOT_FOUND);
}

async fn an_empty_form_is_refused(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let answer = member.post_multipart("/manager/photos", photo_form(vec![("", Vec::new())])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请选择照片"));
    let answer = member.post("/manager/photos", &[("photos", "x")]).await;
    assert!(answer.status().is_client_error());
}

async fn somebody_elses_photo_looks_like_none(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let id = owner.upload(vec![("一.jpg", jpeg(300, 200, 1))]).await.remove(0);
    let theirs = other.get(&format!("/manager/photo/{id}/320")).await;
    let none = other.get("/manager/photo/00000000000000000000000000/320").await;
    assert_eq!(theirs.status(), StatusCode::NOT_FOUND);
    assert_eq!(none.status(), StatusCode::NOT_FOUND);
    // nor can it be put into a book
    let form = reqwest::multipart::Form::new()
        .text("format", "square-210")
        .text("theme", "calm")
        .text("title", "偷来的")
        .text("photo", id);
    let answer = other.post_multipart("/manager/make_ebook", form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn a_refusal_reaches_who_is_still_sending(server: Server) {
    // a browser reads an answer only when it has sent everything
    let host = server.base.strip_prefix("http://").unwrap();
    let length = 12 << 20;
    for (origin, status) in [(&*server.base, "303"), ("https://evil.example", "403")] {
        let mut connection = TcpStream::connect(host).await.unwrap();
        let head = format!(
            "POST /manager/photos HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: {length}\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        for _ in 0..length >> 16 {
            connection.write_all(&[0; 1 << 16]).await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    }
}
