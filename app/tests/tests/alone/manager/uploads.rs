//! /manager/uploads: photos that arrive in pieces, by tus 1.0.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage};
use reqwest::{Response, StatusCode};
use sha2::{Digest, Sha256};

use support::{Caller, Server, encoded, jpeg, names_in, on_both_engines};

on_both_engines!(
    a_photo_arrives_piece_by_piece,
    requests_that_do_not_speak_the_protocol_change_nothing,
    what_cannot_be_taken_is_refused_before_its_bytes,
    what_is_no_photo_is_refused_with_advice,
    bytes_with_a_wrong_checksum_count_for_nothing,
    somebody_elses_upload_looks_like_none,
    what_is_here_already_is_known_before_it_is_sent,
    what_has_come_in_part_is_told_and_goes_on_without_more_room,
    pdfs_leave_uploads_what_room_is_left,
);

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
    let headers = [&[("tus-resumable", "1.0.0")], headers].concat();
    caller.try_send(method, path, &headers, body.to_vec()).await.expect("the server answers")
}

async fn create(caller: &Caller, length: usize, metadata: &str) -> Response {
    let length = length.to_string();
    tus(caller, "POST", "/manager/uploads", &[("upload-length", &length), ("upload-metadata", metadata)], b"")
        .await
}

/// Begins an upload and answers its address.
pub async fn begin(caller: &Caller, name: &str, bytes: &[u8]) -> String {
    let answer = create(caller, bytes.len(), &metadata(name, Some(&sha256(bytes)))).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    header(&answer, "location")
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

/// What the server says of files before they are sent.
async fn asked(caller: &Caller, files: &[&[u8]]) -> serde_json::Value {
    let digests: Vec<String> = files.iter().map(|file| sha256(file)).collect();
    let fields: Vec<(&str, &str)> = digests.iter().map(|digest| ("sha256", digest.as_str())).collect();
    let answer = caller.post("/manager/uploads/known", &fields).await;
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
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

/// The original must be there, byte for byte.
pub fn assert_kept(server: &Server, bytes: &[u8]) {
    let sha256 = sha256(bytes);
    let kept = std::fs::read(storage(server).join("originals").join(&sha256[..2]).join(&sha256)).unwrap();
    assert!(kept == bytes, "the original is not what was sent");
}

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
    server.sql(&format!("update uploads set length = {quota} - 1000")).await;
    let answer = create(&member, 1001, &name).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reason(answer).await, "素材空间不足：普通会员共有 5 GB");
    let page = member
        .post_multipart("/manager/photos", support::photo_form(vec![("一.jpg", jpeg(300, 200, 1))]))
        .await;
    assert!(page.text().await.unwrap().contains("素材空间不足"));
    assert_eq!(create(&member, 1000, &name).await.status(), StatusCode::CREATED);
}

async fn what_is_no_photo_is_refused_with_advice(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let heic = [&b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"[..], &[0; 2 * MIB]].concat();
    let half = jpeg(400, 300, 1);
    let half = half[..half.len() / 2].to_vec();
    for (bytes, sentence) in [
        (heic, "不支持 HEIC 照片"),
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
    server.sql("update uploads set expires_at = 1").await;
    assert_eq!(asked(&member, &[b"another"]).await["open"], serde_json::json!([]));
}

async fn pdfs_leave_uploads_what_room_is_left(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let quota = 5u64 << 30;
    let pdf = format!(
        "insert into pdf_files (member_id, sha256, file_name, bytes, facts, notes, created_at)
         select id, '00', '书.pdf', {quota} - 1000, '{{}}', '[]', 0 from members"
    );
    server.sql(&pdf).await;
    assert_eq!(asked(&member, &[b"new"]).await["left"], 1000);
    let name = metadata("一.jpg", None);
    let answer = create(&member, 1001, &name).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reason(answer).await, "素材空间不足：普通会员共有 5 GB");
    assert_eq!(create(&member, 1000, &name).await.status(), StatusCode::CREATED);
}
