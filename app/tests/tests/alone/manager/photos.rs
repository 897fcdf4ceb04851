//! /manager/photos and /manager/photo/{id}/{size}.

use image::ImageFormat;
use reqwest::StatusCode;

use support::{Server, encoded, jpeg, on_both_engines, photo_form, quarters};

on_both_engines!(
    ; on_sqlite:
    good_files_are_kept_when_others_are_refused_by_name,
);

/// A PNG whose header promises 65,000 × 65,000 pixels.
fn enormous_png() -> Vec<u8> {
    let mut png = encoded(&quarters(8, 8, 0), ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0xfd, 0xe8, 0, 0, 0xfd, 0xe8]);
    png
}

async fn good_files_are_kept_when_others_are_refused_by_name(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let whole = jpeg(400, 300, 1);
    let half = whole[..whole.len() / 2].to_vec();
    let form = photo_form(vec![
        ("好照片.jpg", whole),
        ("文字.jpg", b"this is only text".to_vec()),
        ("半张.jpg", half),
        ("炸弹.png", enormous_png()),
        ("图标.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>".to_vec()),
        ("网页.jpg", b"<!doctype html><script>1</script>".to_vec()),
        ("好图.png", encoded(&quarters(300, 200, 2), ImageFormat::Png)),
        ("好图.webp", encoded(&quarters(200, 300, 3), ImageFormat::WebP)),
    ]);
    let answer = member.post_multipart("/manager/photos", form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("3 张已上传，5 个文件没有收下"), "{page}");
    for name in ["文字.jpg", "半张.jpg", "炸弹.png", "图标.svg", "网页.jpg"] {
        assert!(page.contains(&format!("{name}：")), "{name} is named with a reason");
    }
    assert!(page.contains("65000 × 65000"));
    assert_eq!(member.library().await.len(), 3);
    let incoming = server.folder.path().join("storage/incoming");
    let left: Vec<_> = support::names_in(&incoming)
        .into_iter()
        .filter(|name| name.to_string_lossy().starts_with("upload-"))
        .collect();
    assert!(left.is_empty(), "nothing half done is left: {left:?}");
}
