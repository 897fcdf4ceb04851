//! /manager/uploads: photos that arrive in pieces, by tus 1.0.

use reqwest::StatusCode;

use support::uploads::{MIB, begin, create, header, metadata, patch, reason, sha256, tus};
use support::{Caller, Server, jpeg, on_both_engines};

on_both_engines!(
    what_cannot_be_taken_is_refused_before_its_bytes;
    on_sqlite:
    somebody_elses_upload_looks_like_none,
    what_is_here_already_is_known_before_it_is_sent,
    what_has_come_in_part_is_told_and_goes_on_without_more_room,
    pdfs_leave_uploads_what_room_is_left,
);

/// What the server says of files before they are sent.
async fn asked(caller: &Caller, files: &[&[u8]]) -> serde_json::Value {
    let digests: Vec<String> = files.iter().map(|file| sha256(file)).collect();
    let fields: Vec<(&str, &str)> = digests.iter().map(|digest| ("sha256", digest.as_str())).collect();
    let answer = caller.post("/manager/uploads/known", &fields).await;
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

async fn what_cannot_be_taken_is_refused_before_its_bytes(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let name = metadata("一.jpg", None);
    let answer = create(&member, 100 * MIB + 1, &name).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reason(answer).await, "文件有 101 MB，超过了每张 100 MB 的上限");
    assert_eq!(create(&member, 0, &name).await.status(), StatusCode::PAYLOAD_TOO_LARGE);
    for hostile in ["filename", "filename !!", "filename YQ==,filename YQ==", "sha256 YQ==", ",,"] {
        let status = create(&member, 100, hostile).await.status();
        let right = if hostile == "filename" { StatusCode::CREATED } else { StatusCode::BAD_REQUEST };
        assert_eq!(status, right, "{hostile}");
    }
    let answer = tus(&member, "POST", "/manager/uploads", &[("upload-defer-length", "1")], b"").await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);

    // what is on its way counts, too: 5 GB are full with it
    let quota = 5u64 << 30;
    server
        .sql(&format!("update uploads set length = {quota} - 1000 where member_id in {}", server.members()))
        .await;
    let answer = create(&member, 1001, &name).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reason(answer).await, "素材空间不足：普通会员共有 5 GB");
    let page = member
        .post_multipart("/manager/photos", support::photo_form(vec![("一.jpg", jpeg(300, 200, 1))]))
        .await;
    assert!(page.text().await.unwrap().contains("素材空间不足"));
    assert_eq!(create(&member, 1000, &name).await.status(), StatusCode::CREATED);
}

async fn somebody_elses_upload_looks_like_none(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let place = begin(&owner, "一.jpg", &photo).await;
    for path in [
        &*place,
        "/manager/uploads/00000000000000000000000000",
        "/manager/uploads/..%2f..",
        "/manager/uploads/%00",
    ] {
        assert_eq!(tus(&other, "HEAD", path, &[], b"").await.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(patch(&other, path, 0, &photo).await.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(tus(&other, "DELETE", path, &[], b"").await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(patch(&owner, &place, 0, &photo).await.status(), StatusCode::NO_CONTENT);
    assert!(other.library().await.is_empty());
    // nor is its photo known to others
    let answer = other.post("/manager/uploads/known", &[("sha256", &sha256(&photo))]).await;
    assert!(answer.text().await.unwrap().contains("\"known\":{}"));
}

async fn what_is_here_already_is_known_before_it_is_sent(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let id = member.upload(vec![("一.jpg", photo.clone())]).await.remove(0);
    let asked = [("sha256", &*sha256(&photo)), ("sha256", &sha256(b"new")), ("sha256", "x'--")];
    let answer = member.post("/manager/uploads/known", &asked).await;
    let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!(answer["known"], serde_json::json!({ sha256(&photo): id }));
    assert_eq!(answer["left"], (5u64 << 30) - photo.len() as u64);
    // sent all the same, it is the same photo
    let place = begin(&member, "二.jpg", &photo).await;
    assert_eq!(header(&patch(&member, &place, 0, &photo).await, "upload-photo"), id);
    assert_eq!(member.library().await, [id]);
}

async fn what_has_come_in_part_is_told_and_goes_on_without_more_room(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let stranger = server.member("other@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let half = photo.len() / 2;
    let place = begin(&member, "一.jpg", &photo).await;
    patch(&member, &place, 0, &photo[..half]).await;
    // another one takes all other room
    let other = begin(&member, "二.jpg", b"another").await;
    let rest = (5u64 << 30) - photo.len() as u64;
    let id = other.rsplit('/').next().unwrap();
    server.sql(&format!("update uploads set length = {rest} where id = '{id}'")).await;

    let answer = asked(&member, &[&photo, b"new"]).await;
    assert_eq!(answer["open"], serde_json::json!([sha256(&photo)]));
    assert_eq!(answer["left"], 0);
    assert_eq!(asked(&stranger, &[&photo]).await["open"], serde_json::json!([]));
    assert_eq!(patch(&member, &place, half, &photo[half..]).await.status(), StatusCode::NO_CONTENT);
    let answer = asked(&member, &[&photo]).await;
    assert_eq!(answer["open"], serde_json::json!([]));
    assert_eq!(answer["left"], 0);
    // what is over is begun anew
    server.sql(&format!("update uploads set expires_at = 1 where member_id in {}", server.members())).await;
    assert_eq!(asked(&member, &[b"another"]).await["open"], serde_json::json!([]));
}

async fn pdfs_leave_uploads_what_room_is_left(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let quota = 5u64 << 30;
    let pdf = format!(
        "insert into pdf_files (member_id, sha256, file_name, bytes, facts, notes, created_at)
         select id, '00', '书.pdf', {quota} - 1000, '{{}}', '[]', 0 from members where id in {}",
        server.members()
    );
    server.sql(&pdf).await;
    assert_eq!(asked(&member, &[b"new"]).await["left"], 1000);
    let name = metadata("一.jpg", None);
    let answer = create(&member, 1001, &name).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reason(answer).await, "素材空间不足：普通会员共有 5 GB");
    assert_eq!(create(&member, 1000, &name).await.status(), StatusCode::CREATED);
}
