//! /manager/uploads: photos that arrive in pieces, by tus 1.0.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::StatusCode;
use sha2::{Digest, Sha256};

use support::uploads::{
    MIB, assert_kept, begin, create, header, metadata, noise, patch, pieces, position, reason, sha256,
    storage, tus,
};
use support::{Server, jpeg, names_in, on_both_engines};

on_both_engines!(
    a_photo_arrives_piece_by_piece;
    on_sqlite:
    requests_that_do_not_speak_the_protocol_change_nothing,
    what_is_no_photo_is_refused_with_advice,
    bytes_with_a_wrong_checksum_count_for_nothing,
    a_room_is_full_of_tiny_photos,
);

async fn a_photo_arrives_piece_by_piece(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let answer = member.try_send("OPTIONS", "/manager/uploads", &[], Vec::new()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(header(&answer, "tus-version"), "1.0.0");
    assert_eq!(header(&answer, "tus-resumable"), "1.0.0");
    assert_eq!(header(&answer, "tus-extension"), "creation,termination,checksum,expiration");
    assert_eq!(header(&answer, "tus-checksum-algorithm"), "sha1,sha256");
    assert_eq!(header(&answer, "tus-max-size"), "104857600");

    let photo = noise(1200, 900, 1);
    let told = metadata("晚霞.jpg", None);
    let answer = create(&member, photo.len(), &told).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert!(header(&answer, "upload-expires").ends_with(" GMT"));
    let place = header(&answer, "location");
    let answer = tus(&member, "HEAD", &place, &[], b"").await;
    assert_eq!(header(&answer, "upload-offset"), "0");
    assert_eq!(header(&answer, "upload-length"), photo.len().to_string());
    assert_eq!(header(&answer, "upload-metadata"), told);
    assert_eq!(header(&answer, "cache-control"), "no-store");
    assert!(!answer.headers().contains_key("upload-photo"));

    let half = photo.len() / 2;
    let answer = patch(&member, &place, 0, &photo[..half]).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(header(&answer, "upload-offset"), half.to_string());
    assert_eq!(position(&member, &place).await, half);
    assert!(member.library().await.is_empty());
    // another one of the same site goes on
    let elsewhere = server.another();
    let answer = patch(&member.at(&elsewhere.base), &place, half, &photo[half..]).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let id = header(&answer, "upload-photo");
    assert_eq!(member.library().await, [&*id]);
    assert!(member.page("/manager/photos").await.contains("晚霞.jpg"));
    assert_kept(&server, &photo);
    assert_eq!(pieces(&server), Vec::<PathBuf>::new());

    // whoever missed the answer asks again
    let answer = tus(&member, "HEAD", &place, &[], b"").await;
    assert_eq!(
        (header(&answer, "upload-offset"), header(&answer, "upload-photo")),
        (photo.len().to_string(), id)
    );

    // where nothing but POST gets through
    let place = begin(&member, "二.jpg", &jpeg(300, 200, 2)).await;
    let head = [
        ("x-http-method-override", "PATCH"),
        ("upload-offset", "0"),
        ("content-type", "application/offset+octet-stream"),
    ];
    let answer = tus(&member, "POST", &place, &head, &jpeg(300, 200, 2)[..50]).await;
    assert_eq!(header(&answer, "upload-offset"), "50");
    let answer = tus(&member, "POST", &place, &[("x-http-method-override", "DELETE")], b"").await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(tus(&member, "HEAD", &place, &[], b"").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(pieces(&server), Vec::<PathBuf>::new());
}

async fn requests_that_do_not_speak_the_protocol_change_nothing(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let half = photo.len() / 2;
    patch(&member, &place, 0, &photo[..half]).await;
    let kind = ("content-type", "application/offset+octet-stream");
    let at = half.to_string();
    let ask = async |method: &str, headers: &[(&str, &str)]| {
        let answer = member.try_send(method, &place, headers, photo[half..].to_vec()).await.unwrap();
        answer.status().as_u16()
    };
    let version = ("tus-resumable", "1.0.0");
    assert_eq!(ask("PATCH", &[kind, ("upload-offset", &at)]).await, 412);
    assert_eq!(ask("PATCH", &[("tus-resumable", "0.2.2"), kind, ("upload-offset", &at)]).await, 412);
    assert_eq!(ask("DELETE", &[]).await, 412);
    assert_eq!(ask("PATCH", &[version, ("upload-offset", &at)]).await, 415);
    assert_eq!(ask("PATCH", &[version, ("content-type", "image/jpeg"), ("upload-offset", &at)]).await, 415);
    for (offset, status) in [("0", 409), ("999999", 409), ("-1", 400), ("1e3", 400), ("", 400)] {
        assert_eq!(ask("PATCH", &[version, kind, ("upload-offset", offset)]).await, status, "{offset:?}");
    }
    assert_eq!(ask("PATCH", &[version, kind]).await, 400);
    let origin = ("origin", "https://evil.example");
    assert_eq!(ask("PATCH", &[version, kind, ("upload-offset", &at), origin]).await, 403);
    assert_eq!(ask("DELETE", &[version, origin]).await, 403);
    // more than was said
    let answer = patch(&member, &place, half, &[&photo[half..], b"x"].concat()).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(position(&member, &place).await, half);
    // signed out
    let visitor = server.visitor();
    for (method, path) in
        [("POST", "/manager/uploads"), ("HEAD", &*place), ("PATCH", &place), ("DELETE", &place)]
    {
        let answer = tus(&visitor, method, path, &[], b"").await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{method}");
    }
    assert_eq!(patch(&member, &place, half, &photo[half..]).await.status(), StatusCode::NO_CONTENT);
    assert_kept(&server, &photo);
}

async fn what_is_no_photo_is_refused_with_advice(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let film = [&b"\0\0\0\x18ftypisom\0\0\0\0isommp42"[..], &[0; 2 * MIB]].concat();
    let half = jpeg(400, 300, 1);
    let half = half[..half.len() / 2].to_vec();
    for (bytes, sentence) in [
        (film, "不支持 视频 文件"),
        (b"this is only text".to_vec(), "这个文件不是照片"),
        (b"<svg onload=alert(1)>".to_vec(), "不支持 SVG 文件"),
        (half, "照片文件已损坏或不完整"),
    ] {
        let place = begin(&member, "../<b>一\u{202e}.jpg", &bytes).await;
        let answer = patch(&member, &place, 0, &bytes).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let said = reason(answer).await;
        assert!(said.contains(sentence), "{said}");
        assert_eq!(tus(&member, "HEAD", &place, &[], b"").await.status(), StatusCode::NOT_FOUND);
    }
    // what arrived is not what was promised
    let photo = jpeg(300, 200, 2);
    let answer = create(&member, photo.len(), &metadata("一.jpg", Some(&sha256(b"another")))).await;
    let place = header(&answer, "location");
    let answer = patch(&member, &place, 0, &photo).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(member.library().await.is_empty());
    assert_eq!(pieces(&server), Vec::<PathBuf>::new());
}

async fn bytes_with_a_wrong_checksum_count_for_nothing(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = noise(1200, 900, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let send = async |offset: usize, bytes: &[u8], checksum: &str| {
        let offset = offset.to_string();
        let head = [
            ("upload-offset", &*offset),
            ("content-type", "application/offset+octet-stream"),
            ("upload-checksum", checksum),
        ];
        tus(&member, "PATCH", &place, &head, bytes).await.status().as_u16()
    };
    let half = photo.len() / 2;
    let right = |bytes: &[u8]| format!("sha256 {}", STANDARD.encode(Sha256::digest(bytes)));
    assert_eq!(send(0, &photo[..half], &right(b"another")).await, 460);
    assert_eq!(send(0, &photo[..half], "md5 AAAA").await, 400);
    assert_eq!(send(0, &photo[..half], "sha256").await, 400);
    assert_eq!(send(0, &photo[..half], "sha1 !").await, 400);
    assert_eq!(position(&member, &place).await, 0);
    let folder = storage(&server).join(place.replace("/manager/", ""));
    assert!(!folder.exists() || names_in(&folder).is_empty(), "nothing of it is kept");
    assert_eq!(send(0, &photo[..half], &right(&photo[..half])).await, 204);
    assert_eq!(position(&member, &place).await, half);
    assert_eq!(send(half, &photo[half..], &right(&photo[half..])).await, 204);
    assert_kept(&server, &photo);
    // sha1 is what every server of the protocol must know
    let place = begin(&member, "空.jpg", b"abc").await;
    let head = [
        ("upload-offset", "0"),
        ("content-type", "application/offset+octet-stream"),
        ("upload-checksum", "sha1 mwP4iSxsnHRvGsDQxB8vZbOKnOA="),
    ];
    assert_eq!(tus(&member, "PATCH", &place, &head, b"a").await.status().as_u16(), 460);
    let head = [head[0], head[1], ("upload-checksum", "sha1 hvfkN/qlp/zhXR3cuerq6jd2Z7g=")];
    assert_eq!(tus(&member, "PATCH", &place, &head, b"a").await.status(), StatusCode::NO_CONTENT);
}

/// As many of 64 KB as fit into 5 GB, though each has a few bytes.
async fn a_room_is_full_of_tiny_photos(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    server
        .sql(
            "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 81920)
             insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation, state, created_at)
             select 'tiny-' || n, (select id from members where account = 'maker@example.com'), '000000000000000000000000000000000000000000000000000000000' || (1000000 + n), 'a.png', 'png', 70,
                1, 1, 1, 'ready', 1 from numbers",
        )
        .await;
    let page = member.page("/manager/photos").await;
    assert!(page.contains("每张照片至少算 64 KB"), "{page}");
    let answer = create(&member, 1000, &metadata("一.jpg", None)).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    server.sql("delete from photos where id = 'tiny-1'").await;
    assert_eq!(create(&member, 1000, &metadata("一.jpg", None)).await.status(), StatusCode::CREATED);
}
