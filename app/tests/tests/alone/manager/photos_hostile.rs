//! Files that were made to hurt, sent as photos: each is refused by name with a reason or taken for the picture that it is,
//! soon, in little memory, and nothing of them is ever served as anything but a picture.

use std::time::{Duration, Instant};

use lopdf::{Dictionary, Stream};
use reqwest::StatusCode;

use support::wait::until;
use support::{Engine, Server, jpeg, photo_form};

/// A chunk of a PNG (PNG specification, section 5.3).
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [kind.as_slice(), data].concat();
    let crc = body.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    });
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [length.as_slice(), &body, &(!crc).to_be_bytes()].concat()
}

/// How a PNG keeps its pixels.
struct Kept {
    depth: u8,
    colour: u8,
    /// Of a pixel.
    bits: usize,
    interlaced: bool,
}

const RGB: Kept = Kept { depth: 8, colour: 2, bits: 24, interlaced: false };
/// The most that a pixel can take.
const DEEP: Kept = Kept { depth: 16, colour: 6, bits: 64, interlaced: false };
const DEEP_IN_PASSES: Kept = Kept { interlaced: true, ..DEEP };

/// A black PNG; `rows` of its `height` rows are really there.
fn black_png(width: u32, height: u32, rows: u32, kept: &Kept) -> Vec<u8> {
    // seven passes have shorter rows, at most twice as many, and one byte more each
    let rows_of_passes = if kept.interlaced { 2 * rows as usize } else { 0 };
    let bytes = (1 + width as usize * kept.bits / 8) * rows as usize + rows_of_passes;
    let mut pixels = Stream::new(Dictionary::new(), vec![0; bytes]);
    pixels.compress().unwrap();
    let coded = [kept.depth, kept.colour, 0, 0, u8::from(kept.interlaced)];
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &coded].concat();
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", &pixels.content),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

/// A JPEG with more in its segments than in its picture.
fn stuffed(segments: usize) -> Vec<u8> {
    let plain = jpeg(400, 300, 3);
    let exif = [&[0xff, 0xe1, 0xff, 0xff][..], b"Exif\0\0", &vec![b'A'; 65_527]].concat();
    [&plain[..2], &exif.repeat(segments), &plain[2..]].concat()
}

/// A whole JPEG that is a page with a script, too.
fn polyglot() -> Vec<u8> {
    let plain = jpeg(400, 300, 4);
    let script = b"<!doctype html><script>alert(document.cookie)</script>";
    let comment = [&[0xff, 0xfe][..], &(script.len() as u16 + 2).to_be_bytes(), script].concat();
    [&plain[..2], &comment, &plain[2..], script].concat()
}

fn broken_off() -> Vec<u8> {
    let whole = jpeg(2400, 1800, 5);
    whole[..whole.len() * 2 / 3].to_vec()
}

#[tokio::test]
async fn hostile_photos_cost_nobody_anything() {
    let server = Server::start(Engine::Sqlite).await.unwrap();
    let member = server.member("maker@example.com", "0").await;
    let refused: Vec<(&str, Vec<u8>)> = vec![
        ("空.jpg", Vec::new()),
        ("一个字节.jpg", vec![0xff]),
        ("只有开头.jpg", vec![0xff, 0xd8, 0xff]),
        ("断了.jpg", broken_off()),
        ("网页.jpg", b"<!doctype html><script>alert(1)</script>".to_vec()),
        ("图形.jpg", b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec()),
        ("程序.jpg", b"\x7fELF\x02\x01\x01\0".repeat(40)),
        ("压缩包.jpg", b"PK\x03\x04\x14\0\0\0\x08\0".repeat(40)),
        ("动画.jpg", b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;".to_vec()),
        ("巨图.png", black_png(60_000, 60_000, 10, &RGB)),
        ("../../etc/passwd", b"root:x:0:0".to_vec()),
        ("<img src=x onerror=alert(1)>.jpg", b"nothing".to_vec()),
    ];
    for (name, bytes) in refused {
        let sent = Instant::now();
        let answer = member.post_multipart("/manager/photos", photo_form(vec![(name, bytes)])).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        let page = answer.text().await.unwrap();
        assert!(page.contains('：') && !page.contains("<img src=x"), "{name} is named, and only named");
        assert!(sent.elapsed() < Duration::from_secs(20), "{name} took {:?}", sent.elapsed());
    }
    assert!(member.library().await.is_empty(), "nothing of all this was kept");

    // a form whose parts never begin is not held
    for start in ["", "--b0undary\r\nContent-Disposition: form-data; name=\"photos"] {
        let endless = [start.as_bytes(), &vec![b'x'; 450 << 20]].concat();
        let kind = [("content-type", "multipart/form-data; boundary=b0undary")];
        // the connection ends before all of it is sent
        let answer = member.try_send("POST", "/manager/photos", &kind, endless).await;
        assert!(answer.is_none_or(|answer| answer.status() == StatusCode::BAD_REQUEST));
        assert!(server.peak_memory() < 300, "{} MB", server.peak_memory());
    }

    // a picture whose pixels are not there is known only when it is drawn: it is kept as a broken one
    let promise = black_png(7_000, 7_000, 10, &RGB);
    let form = photo_form(vec![("空头支票.png", promise)]);
    assert_eq!(member.post_multipart("/manager/photos", form).await.status(), StatusCode::SEE_OTHER);
    until("the library says so", async || member.page("/manager/photos").await.contains("损坏")).await;

    let broken = member.library().await;

    // what is a picture after all is taken as one
    let taken: Vec<(&str, Vec<u8>)> = vec![
        ("两面.jpg", polyglot()),
        ("塞满.jpg", stuffed(200)),
        ("名不副实.jpg", black_png(300, 200, 200, &RGB)),
        ("很大.png", black_png(9_000, 6_600, 6_600, &RGB)),
        ("很大很深.png", black_png(9_000, 6_600, 6_600, &DEEP)),
        ("很大很深，分七遍.png", black_png(9_000, 6_600, 6_600, &DEEP_IN_PASSES)),
    ];
    for (name, bytes) in taken {
        let sent = Instant::now();
        let answer = member.post_multipart("/manager/photos", photo_form(vec![(name, bytes)])).await;
        assert!(answer.status() == StatusCode::SEE_OTHER, "{name}: {}", answer.status());
        for id in member.library().await.into_iter().filter(|id| !broken.contains(id)) {
            let picture = member.get(&format!("/manager/photo/{id}/320")).await;
            assert_eq!(picture.status(), StatusCode::OK, "{name}");
            assert_eq!(picture.headers()["content-type"], "image/webp");
            assert_eq!(picture.headers()["x-content-type-options"], "nosniff");
            let bytes = picture.bytes().await.unwrap();
            assert!(!bytes.windows(7).any(|window| window == b"<script"), "{name}");
        }
        eprintln!("{name}: {:?}, {} MB at most so far", sent.elapsed(), server.peak_memory());
        assert!(sent.elapsed() < Duration::from_secs(30), "{name} took {:?}", sent.elapsed());
    }
    assert_eq!(member.library().await.len(), broken.len() + 6);
    assert!(server.peak_memory() < 400, "{} MB", server.peak_memory());
}

#[tokio::test]
async fn forms_of_endless_fields_are_not_kept_in_memory() {
    let server = Server::start(Engine::Sqlite).await.unwrap();
    let member = server.member("maker@example.com", "0").await;
    let before = server.peak_memory();
    let send = async |path: &str, count: usize, head: &str, value: &str| {
        let part = format!("--b0undary\r\nContent-Disposition: form-data; {head}\r\n\r\n{value}\r\n");
        let body = part.repeat(count) + "--b0undary--\r\n";
        let kind = [("content-type", "multipart/form-data; boundary=b0undary")];
        let answer = member.post_with_headers(path, &kind, &body).await;
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE, "{head}");
        answer.text().await.unwrap()
    };
    let desk = "/manager/make_ebook";
    assert!(send(desk, 200, "name=\"words\"", &"字".repeat(20_000)).await.contains("写的文字太多了"));
    assert!(send(desk, 60_000, "name=\"a\"", "b").await.contains("写的文字太多了"));
    let file = "name=\"photos\"; filename=\"x.jpg\"";
    assert!(send("/manager/photos", 2_000, file, "x").await.contains("请分几次上传"));
    let more = server.peak_memory() - before;
    assert!(more < 40_000_000, "{more} bytes");
}
