//! /manager/opus_hotarea_edit: pictures, sound and films on a page, and what comes instead of them.

use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};

use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    sound_films_and_pictures_open_in_place,
    what_is_no_film_is_refused,
);

fn a_box(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], name, content].concat()
}

/// An MP4 that has a track and something in it, and shows nothing.
pub fn film() -> Vec<u8> {
    let handler = a_box(b"hdlr", &[&[0; 8][..], b"vide", &[0; 12]].concat());
    let description = a_box(b"moov", &a_box(b"trak", &a_box(b"mdia", &handler)));
    [a_box(b"ftyp", b"isom\0\0\0\0isom"), description, a_box(b"mdat", &[7; 4000])].concat()
}

/// Silence, as MPEG audio layer III.
pub fn sound() -> Vec<u8> {
    let mut frame = vec![0xff, 0xfb, 0x10, 0xc4];
    frame.resize(104, 0);
    frame.repeat(10)
}

async fn area(maker: &Caller, work: &str, id: &str, kind: &str, file: Option<Vec<u8>>) -> Response {
    let fields = [
        ("area", id),
        ("page", "1"),
        ("x", "100"),
        ("y", "200"),
        ("width", "300"),
        ("height", "150"),
        ("name", "听一听"),
        ("kind", kind),
        ("words", "海浪"),
        ("act", "keep"),
    ];
    let mut form =
        fields.into_iter().fold(Form::new(), |form, (name, value)| form.text(name, value.to_owned()));
    let name = if kind == "picture" { "photos" } else { "file" };
    let part =
        file.map_or(Part::bytes(Vec::new()).file_name(""), |file| Part::bytes(file).file_name("a.bin"));
    form = form.part(name, part);
    maker.post_multipart(&format!("/manager/opus_hotarea_edit/{work}"), form).await
}

async fn shared(server: &Server) -> (Caller, String) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    maker.share(&work).await;
    (maker, work)
}

async fn sound_films_and_pictures_open_in_place(server: Server) {
    let (maker, work) = shared(&server).await;
    let (visitor, read) = (server.visitor(), format!("/read/{work}/1"));
    for (id, kind, file) in
        [("s", "audio", sound()), ("f", "video", film()), ("p", "picture", jpeg(900, 600, 9))]
    {
        let answer = area(&maker, &work, id, kind, Some(file)).await;
        assert!(location(&answer).ends_with("saved=kept"), "{kind}");
    }
    let page = visitor.page(&read).await;
    assert_eq!(page.matches("preload=\"none\"").count(), 2, "{page}");
    assert!(!page.contains("autoplay") && page.contains("href=\"#area-f\""));
    assert!(page.contains("alt=\"海浪\""), "{page}");
    // served whole and in parts, as what it is
    let played = between(&page, "<video", "</video>");
    let address = between(&played, "src=\"", "\"");
    let whole = visitor.get(&address).await;
    assert_eq!(whole.headers()["content-type"], "video/mp4");
    assert_eq!(whole.headers()["x-content-type-options"], "nosniff");
    assert_eq!(whole.headers()["accept-ranges"], "bytes");
    assert_eq!(whole.bytes().await.unwrap(), film());
    let part = visitor.get_with(&address, &[("range", "bytes=4-7")]).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.bytes().await.unwrap().as_ref(), b"ftyp");
    let beyond = visitor.get_with(&address, &[("range", "bytes=99999-")]).await;
    assert_eq!(beyond.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    let pictures = between_all(&between(&page, "class=\"gallery one\"", "</ul>"), "=\"/read/", "\"");
    assert_eq!(pictures.len(), 2);
    for picture in pictures {
        assert_eq!(visitor.get(&format!("/read/{picture}")).await.headers()["content-type"], "image/webp");
    }
    // its bytes are the member's room, and the photo stays while it is shown
    assert_eq!(
        server
            .read(&format!(
                "select cast(sum(bytes) as text) from hot_media where member_id in {}",
                server.members()
            ))
            .await,
        "5124"
    );
    let photos = maker.library().await;
    let chosen: Vec<(&str, &str)> = photos.iter().map(|photo| ("photo", photo.as_str())).collect();
    maker.post("/manager/photos/removal", &chosen).await;
    assert_eq!(maker.library().await.len(), 4);
    // saved again without a file it plays the same one
    let answer = area(&maker, &work, "f", "video", None).await;
    assert!(location(&answer).ends_with("saved=kept"));
    assert_eq!(visitor.get(&address).await.status(), StatusCode::OK);
    // taken away it is gone, and so is all of it with the work
    let gone = [("area", "s"), ("page", "1"), ("act", "remove")];
    maker.post(&format!("/manager/opus_hotarea_edit/{work}"), &gone).await;
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from hot_media where member_id in {}",
                server.members()
            ))
            .await,
        "1"
    );
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    assert_eq!(visitor.get(&address).await.status(), StatusCode::GONE);
}

async fn what_is_no_film_is_refused(server: Server) {
    let (maker, work) = shared(&server).await;
    let html = b"<!DOCTYPE html><script>alert(document.domain)</script>".repeat(20);
    for (kind, file, told) in [
        ("video", Some(html.clone()), "这不是 MP3、M4A、MP4 或 WebM 文件"),
        ("video", Some([a_box(b"ftyp", b"isom\0\0\0\0isom"), html].concat()), "文件不完整"),
        ("video", Some(sound()), "这里面只有声音"),
        ("audio", Some(film()), "这是视频"),
        ("audio", Some([sound(), vec![0; 20 << 20]].concat()), "最多 20 MB"),
        ("video", None, "请选择要放的文件"),
        ("picture", None, "请选择照片"),
    ] {
        let answer = area(&maker, &work, "a", kind, file).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{told}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told) && page.contains("value=\"听一听\""), "{told}");
    }
    assert!(
        server
            .column(&format!("select id from hot_media where member_id in {}", server.members()))
            .await
            .is_empty()
    );
}
