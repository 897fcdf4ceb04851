//! /manager/uploads: photos that arrive in pieces, by tus 1.0.

use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage};
use reqwest::{Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::support::{Caller, PASSWORD, Server, encoded, jpeg, names_in, on_both_engines};

on_both_engines!(
    a_photo_arrives_piece_by_piece,
    requests_that_do_not_speak_the_protocol_change_nothing,
    what_cannot_be_taken_is_refused_before_its_bytes,
    what_is_no_photo_is_refused_with_advice,
    a_broken_line_keeps_every_byte_that_came,
    a_killed_server_goes_on_where_it_stood,
    a_whole_file_becomes_a_photo_though_the_server_failed_then,
    requests_at_once_on_two_servers_do_not_mix,
    bytes_with_a_wrong_checksum_count_for_nothing,
    what_nobody_goes_on_with_is_forgotten,
    somebody_elses_upload_looks_like_none,
    what_is_here_already_is_known_before_it_is_sent,
);

const MIB: usize = 1024 * 1024;

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

async fn tus(caller: &Caller, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
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
async fn position(caller: &Caller, path: &str) -> usize {
    let answer = tus(caller, "HEAD", path, &[], b"").await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    header(&answer, "upload-offset").parse().unwrap()
}

fn header(answer: &Response, name: &str) -> String {
    let value = answer.headers().get(name).unwrap_or_else(|| panic!("no {name} in {answer:?}"));
    value.to_str().unwrap().to_owned()
}

/// The sentence of a refusal.
async fn reason(answer: Response) -> String {
    let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["msg"].as_str().unwrap().to_owned()
}

fn storage(server: &Server) -> PathBuf {
    server.folder.path().join("storage")
}

/// What is left of uploads in the storage.
fn pieces(server: &Server) -> Vec<PathBuf> {
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
    assert_eq!(member.library().await, [id.clone()]);
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
        .post_multipart("/manager/photos", crate::support::photo_form(vec![("一.jpg", jpeg(300, 200, 1))]))
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

/// A PATCH that is sent by hand, so that it can stop anywhere.
async fn dripping(
    server: &Server,
    token: &str,
    place: &str,
    offset: usize,
    whole: &[u8],
    sent: usize,
) -> TcpStream {
    let address = server.base.trim_start_matches("http://").to_owned();
    let head = format!(
        "PATCH {place} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {token}\r\nTus-Resumable: 1.0.0\r\n\
         Content-Type: application/offset+octet-stream\r\nUpload-Offset: {offset}\r\nContent-Length: {}\r\n\r\n",
        whole.len() - offset
    );
    let part = whole[offset..sent].to_vec();
    tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&part).unwrap();
        stream
    })
    .await
    .unwrap()
}

async fn token(server: &Server, account: &str) -> String {
    let answer =
        server.visitor().post("/user-center/login", &[("account", account), ("password", PASSWORD)]).await;
    let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["token"].as_str().unwrap().to_owned()
}

/// Waits until an upload stands at least there.
async fn reaches(member: &Caller, place: &str, least: usize) {
    for _ in 0..200 {
        if position(member, place).await >= least {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the upload never comes to {least}");
}

async fn a_broken_line_keeps_every_byte_that_came(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let token = token(&server, "maker@example.com").await;
    let photo = noise(1600, 1200, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let mut at = 0;
    // odd places, within pieces and across them
    for part in [1, 1000, 700_001, 90_000] {
        drop(dripping(&server, &token, &place, at, &photo, at + part).await);
        at += part;
        reaches(&member, &place, at).await;
        assert_eq!(position(&member, &place).await, at, "nothing is lost, nothing comes twice");
    }
    assert_eq!(patch(&member, &place, at, &photo[at..]).await.status(), StatusCode::NO_CONTENT);
    assert_kept(&server, &photo);
}

async fn a_killed_server_goes_on_where_it_stood(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let token = token(&server, "maker@example.com").await;
    let photo = noise(2000, 1500, 1);
    assert!(photo.len() > 2 * MIB, "{}", photo.len());
    let place = begin(&member, "一.jpg", &photo).await;
    let mut at = 0;
    for target in [MIB, 2 * MIB] {
        // the last part of a piece is on its way when the server dies
        let stream = dripping(&server, &token, &place, at, &photo, target + 1000).await;
        reaches(&member.at(&server.base), &place, target - 512 * 1024).await;
        server.kill();
        drop(stream);
        server.restart();
        let stands = position(&member.at(&server.base), &place).await;
        assert!(stands >= target - 512 * 1024, "{stands} of {target} are left");
        at = stands;
    }
    let member = member.at(&server.base);
    assert_eq!(patch(&member, &place, at, &photo[at..]).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(member.library().await.len(), 1);
    assert_kept(&server, &photo);
}

async fn a_whole_file_becomes_a_photo_though_the_server_failed_then(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let originals = storage(&server).join("originals");
    // originals can't be kept for a while
    std::fs::write(&originals, b"in the way").unwrap();
    let mut places = Vec::new();
    for seed in 1..=2 {
        let photo = jpeg(300, 200, seed);
        let place = begin(&member, "一.jpg", &photo).await;
        let answer = patch(&member, &place, 0, &photo).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(reason(answer).await, "请求失败");
        places.push(place);
    }
    assert!(member.library().await.is_empty());
    std::fs::remove_file(&originals).unwrap();
    // whoever asks finds it done
    assert_eq!(position(&member, &places[0]).await, jpeg(300, 200, 1).len());
    assert_eq!(member.library().await.len(), 1);
    // nobody asks: the job does it
    server.sql("update jobs set run_at = 0 where kind = 'take_upload'").await;
    for _ in 0..100 {
        if member.library().await.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(member.library().await.len(), 2);
    assert_kept(&server, &jpeg(300, 200, 2));
    assert_eq!(pieces(&server), Vec::<PathBuf>::new());
}

async fn requests_at_once_on_two_servers_do_not_mix(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let elsewhere = server.another();
    let photo = noise(1600, 1200, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let senders: Vec<_> = (0..8)
        .map(|n| {
            let caller = if n % 2 == 0 { member.clone() } else { member.at(&elsewhere.base) };
            let (place, photo) = (place.clone(), photo.clone());
            tokio::spawn(async move {
                let head = [
                    ("tus-resumable", "1.0.0"),
                    ("upload-offset", "0"),
                    ("content-type", "application/offset+octet-stream"),
                ];
                // one that lost may find the line closed before it has sent everything
                let answer = caller.try_send("PATCH", &place, &head, photo).await;
                answer.map_or(409, |answer| answer.status().as_u16())
            })
        })
        .collect();
    let mut answers = Vec::new();
    for sender in senders {
        answers.push(sender.await.unwrap());
    }
    answers.sort_unstable();
    assert_eq!(answers, [204, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(member.library().await.len(), 1);
    assert_kept(&server, &photo);
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

async fn what_nobody_goes_on_with_is_forgotten(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = noise(1200, 900, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let fresh = begin(&member, "二.jpg", &photo).await;
    patch(&member, &place, 0, &photo[..1000]).await;
    patch(&member, &fresh, 0, &photo[..1000]).await;
    let id = place.rsplit('/').next().unwrap();
    server.sql(&format!("update uploads set expires_at = 1 where id = '{id}'")).await;
    assert_eq!(tus(&member, "HEAD", &place, &[], b"").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(patch(&member, &place, 1000, &photo[1000..]).await.status(), StatusCode::NOT_FOUND);
    // once an hour, and at the start
    server.kill();
    server.restart();
    for _ in 0..100 {
        if server.column("select id from uploads").await.len() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(pieces(&server), [PathBuf::from(fresh.rsplit('/').next().unwrap())]);
    assert_eq!(server.column("select id from uploads").await, [fresh.rsplit('/').next().unwrap()]);
    assert_eq!(position(&member.at(&server.base), &fresh).await, 1000);
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
